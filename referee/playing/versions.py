"""Of several files of one game, the newest that its referee has signed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from referee.errors import Fork
from referee.games.errors import GameError
from referee.playing.listing import ListedGame
from referee.table.signing import checked

Read = Callable[[], bytes]


@dataclass
class _Version:
    listed: ListedGame
    read: Read
    heads: list[bytes] | None = None
    """Those of all steps, once the file was checked."""
    is_forked: bool = False

    @property
    def reached(self) -> tuple[int, int, bool]:
        # Where copies lie together, the one that `new` names by default is meant.
        return (*self.listed.reached, self.listed.path.name == "game.toml")

    def check(self) -> bool:
        """Return True if the referee has signed this file, which is looked at once."""
        if self.heads is None:
            try:
                _, self.heads = checked(self.read())
            except GameError:
                self.heads = []
        return bool(self.heads)


class Versions:
    """Files of games, of which the newest of each is kept.

    Anybody can write any step into a file, so where there are several files of a game, those that
    count are checked. One alone is not.
    """

    def __init__(self) -> None:
        self._newest: dict[tuple[str, str], _Version] = {}

    def add(self, listed: ListedGame, read: Read) -> None:
        """Take one more file into account; `read` returns its bytes."""
        key = listed.game, listed.referee
        new, best = _Version(listed, read), self._newest.get(key)
        if best is None or not best.check():
            self._newest[key] = new
        elif new.reached > best.reached:
            if new.check():
                new.is_forked = best.is_forked or not _continues(new, best)
                self._newest[key] = new
        elif not _continues(best, new) and new.check():
            best.is_forked = True

    def newest(self) -> list[ListedGame]:
        """Return the newest file of each game."""
        return [one.listed for one in self._newest.values()]

    def data(self, listed: ListedGame) -> bytes:
        """Return the bytes of one. Raises NotRead, and Fork where there are two histories of it."""
        found = self._newest[listed.game, listed.referee]
        if found.is_forked:
            raise Fork(
                f"{listed.path} holds two histories of this game, both signed by its referee",
                "keep both files; `sanjuan-ref compare` shows where they part",
            )
        return found.read()


def _continues(new: _Version, old: _Version) -> bool:
    """Return True if a checked file has the head of an older one among its heads."""
    heads, step = new.heads or [], old.listed.step
    return step < len(heads) and heads[step].hex() == old.listed.head
