"""All games below some folders: in files, in emails and in Maildirs.

They are read for a list, and not checked. Of several files of a game the newest counts.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from referee.games.errors import GameError
from referee.playing.listing import ListedGame, read_listed
from referee.playing.mailed import games_in, is_maildir
from referee.storage import NotRead

if TYPE_CHECKING:
    from collections.abc import Collection

    from referee.crypto.keys import PublicKey

MAIL = ".eml"
REMEMBERED = ".ledger.newest.toml"
MOST_FILES = 100_000
"""So many files are looked at in one run; others below a folder may be without end."""
MOST_LEVELS = 12


def list_games(
    folders: Sequence[Path], keys: Collection[PublicKey]
) -> tuple[list[ListedGame], list[GameError]]:
    """Return the games below folders (or in files), and an error for each file not understood.

    Those that wait for the holder of `keys` come first, the earliest due of them on top; then those
    that wait for others, and those that are over, by title. Raises NotRead for a folder that does
    not exist.
    """
    newest: dict[str, ListedGame] = {}
    faults: list[GameError] = []
    for path in _files(folders):
        try:
            games = _read(path, keys)
        except GameError as error:
            error.message = f"{path}: {error.message}"
            faults.append(error)
            continue
        for game in games:
            other = newest.get(game.game)
            if other is None or game.step > other.step:
                newest[game.game] = game
    return sorted(newest.values(), key=_urgency), faults


def _read(path: Path, keys: Collection[PublicKey]) -> list[ListedGame]:
    """Return the games in a file, an email or a Maildir. Raises NotRead and Damaged."""
    if path.is_dir() or path.suffix == MAIL:
        try:
            games = [game for game, _ in games_in(path, keys)]
        except NotRead:
            # Most emails have no game.
            return []
        for game in games:
            game.changed = datetime.fromtimestamp(path.stat().st_mtime, UTC)
        return games
    found = read_listed(path, keys)
    return [found] if found is not None else []


def _urgency(game: ListedGame) -> tuple[int, datetime, str, str]:
    waits = game.for_me()
    over = game.status not in ("open", "playing")
    last = datetime.max.replace(tzinfo=UTC)
    due = min((game.due.get(str(one), last) for one in waits), default=last)
    return (0 if waits else 2 if over else 1, due, game.title, game.game)


def _files(folders: Sequence[Path]) -> Iterator[Path]:
    seen, left = set(), MOST_FILES
    for folder in folders:
        if not os.path.lexists(folder):
            raise NotRead(f"there is no {folder}")
        for path in _below(folder, MOST_LEVELS) if folder.is_dir() else [folder]:
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


def _below(folder: Path, levels: int) -> Iterator[Path]:
    """Yield game files, emails and Maildirs, a folder's own first; links to folders lead nowhere.

    The referee's memory of its games is passed over.
    """
    if is_maildir(folder):
        yield folder
        return
    inner = []
    try:
        with os.scandir(folder) as found:
            entries = sorted(found, key=lambda one: one.name)
    except OSError:
        return
    for entry in entries:
        if entry.is_dir(follow_symlinks=False):
            if not entry.name.startswith("."):
                inner.append(entry.name)
        # Reading a pipe would wait until somebody writes.
        elif (
            entry.name.endswith((".toml", MAIL))
            and not entry.name.endswith(REMEMBERED)
            and entry.is_file()
        ):
            yield folder / entry.name
    for name in inner if levels else ():
        yield from _below(folder / name, levels - 1)
