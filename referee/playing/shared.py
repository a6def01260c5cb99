"""Tables whose turns are passed through a shared git repository."""

from __future__ import annotations

import itertools
import os
import re
from contextlib import suppress
from stat import S_ISREG
from typing import TYPE_CHECKING

from referee.table.source import is_held

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

GAME = "game.toml"
"""Name of the game file in a repository."""
MOVES = "moves"
"""Folder beside the game file in which notes are committed."""
ANSWERED = ".refused"
"""Ending of the referee's answers there, after the name of a note."""
NAMED = r"{}(?:\.([2-8]))?{}(?:\.plan[1-9][0-9]{{0,5}})?\.move"
"""Name of an answer's file, from its beginning and what is marked after its number."""
MARKED = r"-([0-9a-f]{16})(?:\.[0-9a-f]{8})?"
"""Mark of an answer in the folder of notes of a clone."""
OTHERWISE = r"(?![0-9a-f]{8}-[0-9]+\.[0-9]+\.).*\.move"
"""Name of an answer's file that its author has chosen (`-o ana.move`)."""
ID = rb'(?m)^\[game\]\r?\nid = "([0-9a-f]{16})"\r?$'
BEGINNING = 1 << 14
MAX_READ, MAX_NOTE = 64, 1 << 16
"""Files of answers that are looked at, and the bytes of each."""


STANDING = (".vote", ".leave")
"""Endings of the names of votes, and of notes of leaving or coming back."""


def has_standing(game: Path) -> bool:
    """Return True if a vote or the like may lie in a file beside a game."""
    for folder in (game.parent, game.parent / MOVES):
        with suppress(OSError), os.scandir(folder) as entries:
            if any(entry.name.endswith(STANDING) for entry in entries):
                return True
    return False


def is_shared(game: Path) -> bool:
    """Return whether the turns of a game file are passed through a repository in which it lies."""
    return _is_in_table(game) and not is_another(game)


def _is_in_table(game: Path) -> bool:
    """Return True for a file in the folder of a table in a clone."""
    if is_held(game):
        return False
    folder = game.absolute().parent
    return (folder / MOVES).is_dir() and _is_in_clone(folder)


def is_another(game: Path) -> bool:
    """Return True for a file beside a table's, in its repository, that is another game's.

    A repository holds one game: nobody referees another one there.
    """
    table = game.parent / GAME
    if game.name == GAME or not _is_in_table(game):
        return False
    ids = [id_in(_begin(path)) for path in (game, table)]
    return None not in ids and ids[0] != ids[1]


def table_around(game: Path) -> Path | None:
    """Return the game file of the table in whose clone a new game lies; None where there is none.

    That is the table beside it, or one in a folder above: nobody referees another game there.
    """
    if is_another(game):
        return game.parent / GAME
    folder = game.absolute().parent
    while not (folder / ".git").exists() and folder != folder.parent:
        folder = folder.parent
        table = folder / GAME
        if _is_in_table(table) and id_in(_begin(table)) is not None:
            return table
    return None


def id_in(data: bytes) -> str | None:
    """Return the id of the game that a file says it is of; None where it says none."""
    found = re.search(ID, data)
    return found[1].decode() if found is not None else None


def _begin(path: Path) -> bytes:
    with suppress(OSError):
        # Reading a pipe would wait until somebody writes.
        if path.is_file():
            with path.open("rb") as file:
                return file.read(BEGINNING)
    return b""


def _is_in_clone(folder: Path) -> bool:
    place = folder.absolute()
    return any((at / ".git").exists() for at in (place, *place.parents))


def is_behind(game: Path) -> bool:
    """Return whether the last fetch has brought commits that are not in this clone's files yet.

    Nothing is fetched for that. False where git cannot tell.
    """
    # Few tables go by git.
    from referee.git.repo import GitFailed, Repo

    try:
        repo = Repo.around(game.absolute().parent)
        return bool(repo.maybe("rev-list", "--max-count=1", "HEAD..@{upstream}"))
    except GitFailed:
        return False


def own_files(paths: Iterable[Path]) -> list[Path]:
    """Return the newest of these files, beside a game or among its notes, that are this machine's
    own: in each folder at most `MAX_READ`.

    In a clone others can have pushed files of any name. Raises GitFailed and NotRead.
    """
    own: list[Path] = []
    for folder, names in _newest_first(paths).items():
        mine: Iterable[str] = names
        if _is_in_clone(folder):
            # Few tables go by git.
            from referee.git.sync import not_pushed, written_here

            mine = (written_here if folder.name == MOVES else not_pushed)(folder, names)
        own += [folder / name for name in itertools.islice(mine, MAX_READ)]
    return own


def files_to_read(paths: Iterable[Path]) -> list[Path]:
    """Return those of these files that are looked at where a note shows itself whose it is.

    They are as many as `own_files` returns; where there are more, this machine's own come first,
    and then the newest. Raises GitFailed and NotRead.
    """
    found: list[Path] = []
    for folder, names in _newest_first(paths).items():
        files = [folder / name for name in names]
        if len(files) > MAX_READ:
            own = own_files(files)
            files = [*own, *(path for path in files if path not in own)][:MAX_READ]
        found += files
    return found


def _newest_first(paths: Iterable[Path]) -> dict[Path, list[str]]:
    """Return the names of the plain files among these, by their folders, the newest first."""
    found: dict[Path, list[tuple[float, str]]] = {}
    for path in paths:
        with suppress(OSError, ValueError):
            status = path.lstat()
            # Others can have made a pipe or a link of that name.
            if S_ISREG(status.st_mode):
                found.setdefault(path.parent, []).append((-status.st_mtime, path.name))
    return {folder: [name for _, name in sorted(files)] for folder, files in found.items()}
