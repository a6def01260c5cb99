"""All games below some folders: in files, in emails and in Maildirs.

They are read for a list, and not checked. Of several files of a game the newest counts.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from referee.crypto.keys import load_public_key
from referee.errors import NoKey
from referee.games.errors import GameError
from referee.playing.folders import folders_below
from referee.playing.listing import ListedGame, read_listed
from referee.playing.mailed import Reading, games_in
from referee.playing.versions import Versions
from referee.playing.written import WrittenAnswers
from referee.storage import NotRead, is_file, read_limited
from referee.table.gamefile import MAX_FILE

if TYPE_CHECKING:
    from collections.abc import Collection

    from referee.crypto.keys import PublicKey

MAIL = ".eml"
KEYS = "keys"
"""The folder of the keys of a game of practice."""
MOST_FILES = 100_000
"""The most files that are looked at in one run; below a folder there may be any number."""


def list_games(
    folders: Sequence[Path], keys: Collection[PublicKey], *, practice: bool = False
) -> tuple[list[ListedGame], list[GameError]]:
    """Return the games below folders (or in files), and an error for each file not understood, and
    for each game that has two histories.

    Those that wait for the holder of `keys` come first, the earliest due of them on top; then those
    whose answer lies in a file, those that wait for others, and those that are over, by title.
    Games of `practice` are the reader's as well, by keys that lie with them. Raises NotRead for a
    folder that does not exist.
    """
    found, faults = shelve(folders, keys)
    games = found.meant()
    for number, game in enumerate(games) if practice else ():
        key = _key_of_practice(game)
        if key is not None and (mine := read_listed(game.path, [key])) is not None and mine.mine:
            games[number] = mine
    WrittenAnswers(keys).add_to(games)
    return in_order(games), [*faults, *found.forks()]


def _key_of_practice(game: ListedGame) -> PublicKey | None:
    """Return the key of the one player among bots, if it lies with the game as in practice."""
    players = set(game.seats).difference(game.bots)
    if game.is_mailed or game.mine or len(players) != 1 or not game.bots:
        return None
    place = game.path.parent / KEYS / players.pop()
    # Reading a pipe would wait until somebody writes.
    if not is_file(place):
        return None
    with suppress(NoKey):
        return load_public_key(place)
    return None


def shelve(
    folders: Sequence[Path],
    keys: Collection[PublicKey] = (),
    through: Callable[[list[Path]], Iterable[Path]] = iter,
) -> tuple[Versions, list[GameError]]:
    """Return the newest file of each game below folders, and an error for each not understood.

    They are read as they come `through` a function, which may say how far that is. Raises NotRead
    for a folder that does not exist.
    """
    found, reading = Versions(), Reading()
    faults: list[GameError] = []
    for path in through(list(_files(folders))):
        try:
            if path.is_dir() or path.suffix == MAIL:
                _add_mailed(found, path, keys, reading)
            elif (game := read_listed(path, keys)) is not None:
                found.add(game, partial(read_limited, path, MAX_FILE))
        except GameError as error:
            error.message = f"{path}: {error.message}"
            faults.append(error)
    return found, faults


def _add_mailed(found: Versions, path: Path, keys: Collection[PublicKey], reading: Reading) -> None:
    """Add the games in an email or a Maildir; most emails have none. Raises NotAll."""
    before = reading.skipped
    try:
        mailed = games_in(path, keys, reading)
    except NotRead:
        mailed = Versions()
    for game in mailed.newest():
        game.is_mailed = True
    found.add_all(mailed)
    skipped = reading.skipped - before
    if skipped and path.is_dir():
        oldest = "oldest was" if skipped == 1 else f"{skipped} oldest were"
        raise NotAll(f"of so many messages the {oldest} not looked at")
    if skipped:
        raise NotAll("after so many emails it was not looked at")


class NotAll(NotRead):
    """Not all email was read, because it is too much."""


def in_order(games: Iterable[ListedGame]) -> list[ListedGame]:
    """Return games in the order of a list: what waits for the reader first, what is over last."""
    return sorted(games, key=_urgency)


def natural(text: str) -> list[str | int]:
    """Return a key by which texts are sorted as people count: `game 2` before `game 10`."""
    # By their places, as other scripts have digits of their own.
    parts = re.split("([0-9]{1,18})", text)
    return [int(part) if at % 2 else part for at, part in enumerate(parts)]


def _urgency(game: ListedGame) -> tuple[int, datetime, list[str | int], list[str | int]]:
    waits = game.for_me()
    over = game.status not in ("open", "playing")
    last = datetime.max.replace(tzinfo=UTC)
    due = min((game.due.get(str(one), last) for one in waits), default=last)
    rank = 0 if waits else 1 if game.written else 3 if over else 2
    return rank, due, natural(game.title), natural(str(game.path))


def _files(folders: Sequence[Path]) -> Iterator[Path]:
    seen, left = set(), MOST_FILES
    for folder in folders:
        if not os.path.lexists(folder):
            raise NotRead(f"there is no {folder}")
        for path in _below(folder) if folder.is_dir() else [folder][: is_file(folder)]:
            left -= 1
            if left < 0:
                raise NotRead(
                    f"there are more than {MOST_FILES} files of TOML below what was named",
                    "name the folders in which your games are",
                )
            where = os.path.realpath(path)
            if where not in seen:
                seen.add(where)
                yield path


def _below(folder: Path) -> Iterator[Path]:
    """Yield game files, emails and Maildirs, a folder's own first.

    The referee's memory of its games is passed over.
    """
    for at in folders_below(folder):
        # Others can push what makes a clone look like one, so its game files are looked at as well.
        if at.is_mail:
            yield at.path
        for entry in (*at.tomls(), *(one for one in at.entries if one.name.endswith(MAIL))):
            # Reading a pipe would wait until somebody writes.
            if is_file(at.path / entry.name):
                yield at.path / entry.name
