"""Of several files of one game, the newest that its referee has signed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from referee.crypto.keys import PublicKey
from referee.errors import Fork
from referee.games.errors import GameError
from referee.playing.listing import ListedGame
from referee.storage import read_limited
from referee.table.gamefile import MAX_FILE
from referee.table.signing import checked, is_signed

Read = Callable[[], bytes]


@dataclass
class _Version:
    listed: ListedGame
    read: Read
    heads: list[bytes] | None = None
    """Those of all steps, once the file was checked."""
    forks_from: Path | None = None
    """The path of a file with another history of the game."""

    @property
    def reached(self) -> tuple[int, int, bool]:
        # Where copies lie together, the one that `new` names by default is meant.
        return (*self.listed.reached, self.listed.path.name == "game.toml")

    @property
    def signed(self) -> bytes | None:
        """The bytes of the file, if the referee that it names has signed them."""
        with suppress(GameError):
            data, about = self.read(), self.listed
            # A file that others have made up is not taken apart.
            if is_signed(data, about.game, PublicKey.parse(about.referee)):
                return data
        return None

    def check(self) -> bool:
        """Return True if the referee has signed this file, which is looked at once."""
        if self.heads is None:
            self.heads = []
            data = self.signed
            if data is not None:
                with suppress(GameError):
                    _, self.heads = checked(data)
        return bool(self.heads)


class Versions:
    """Files of games, of which the newest of each is kept.

    Anybody can write any step into a file, so where there are several files of a game, those that
    count are checked. One alone is not.
    """

    def __init__(self) -> None:
        self._newest: dict[tuple[str, str], _Version] = {}
        self._copies: dict[tuple[str, str], list[Path]] = {}

    def add(self, listed: ListedGame, read: Read) -> None:
        """Take one more file into account; `read` returns its bytes."""
        self._add(_Version(listed, read))

    def add_all(self, others: Versions) -> None:
        """Take the newest files of others into account, and what is known of them."""
        for one in others._newest.values():
            self._add(one)

    def _add(self, new: _Version) -> None:
        key = new.listed.game, new.listed.referee
        if not new.listed.is_mailed:
            self._copies.setdefault(key, []).append(new.listed.path)
        best = self._newest.get(key)
        if best is None or not best.check():
            self._newest[key] = new
        elif new.reached > best.reached:
            if new.check():
                other = None if _continues(new, best) else best.listed.path
                new.forks_from = new.forks_from or best.forks_from or other
                self._newest[key] = new
        elif (new.forks_from or not _continues(best, new)) and new.check():
            best.forks_from = best.forks_from or new.listed.path

    def newest(self) -> list[ListedGame]:
        """Return the newest file of each game."""
        return [one.listed for one in self._newest.values()]

    def meant(self, *, by_mail: bool = False) -> list[ListedGame]:
        """Return the games of which one is meant: of several with one id those that are signed.

        Anybody can make up an unsigned copy, and send or push it. One with an id of its own may be
        a damaged game of the reader's, unless it came `by_mail` beside one that is signed.
        """
        counts = Counter(game for game, _ in self._newest)
        doubted = {
            key: one
            for key, one in self._newest.items()
            if counts[key[0]] > 1 or (by_mail and len(self._newest) > 1)
        }
        signed = {key for key, one in doubted.items() if one.signed}
        ids = {game for game, _ in signed}
        made_up = {key for key in doubted.keys() - signed if (by_mail and ids) or key[0] in ids}
        return [one.listed for key, one in self._newest.items() if key not in made_up]

    def data(self, listed: ListedGame) -> bytes:
        """Return the bytes of one. Raises NotRead, and Fork where there are two histories of it."""
        found = self._newest[listed.game, listed.referee]
        if found.forks_from:
            raise _fork(found)
        return found.read()

    def bad_copies(self, listed: ListedGame) -> Iterator[tuple[Path, GameError]]:
        """Yield the files of a game that lie beside its newest one and are not right, and why."""
        for path in self._copies.get((listed.game, listed.referee), ()):
            if path != listed.path:
                try:
                    checked(read_limited(path, MAX_FILE))
                except GameError as error:
                    yield path, error

    def forks(self) -> list[Fork]:
        """Return an error for each game of which there are two histories."""
        return [_fork(one) for one in self._newest.values() if one.forks_from]


def _fork(one: _Version) -> Fork:
    here, there = one.listed.path, one.forks_from
    what = f"{here} holds" if here == there else f"{here} and {there} are"
    return Fork(
        f"{what} two histories of this game, both signed by its referee",
        "keep both files; `sanjuan-ref compare` shows where they part",
    )


def _continues(new: _Version, old: _Version) -> bool:
    """Return True if a checked file has the head of an older one among its heads."""
    heads, step = new.heads or [], old.listed.step
    return step < len(heads) and heads[step].hex() == old.listed.head
