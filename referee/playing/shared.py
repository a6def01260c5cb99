"""Tables whose turns are passed through a shared git repository."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.table.source import is_held

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

MOVES = "moves"
"""Folder beside the game file in which notes are committed."""
ANSWERED = ".refused"
"""Ending of the referee's answers there, after the name of a note."""
NAMED = r"{}(?:\.([2-8]))?{}(?:\.plan[1-9][0-9]{{0,5}})?\.move"
"""Name of an answer's file, from its beginning and what is marked after its number."""
MARKED = r"-([0-9a-f]{16})(?:\.[0-9a-f]{8})?"
"""Mark of an answer in the folder of notes of a clone."""
OTHERWISE = r"(?![0-9a-f]{8}-[0-9]).*\.move"
"""Name of an answer's file that its author has chosen (`-o ana.move`)."""
MAX_READ, MAX_NOTE = 64, 1 << 16
"""Files of answers that are looked at, and the bytes of each."""


def is_shared(game: Path) -> bool:
    """Return whether a game file lies in a repository through which turns are passed."""
    if is_held(game):
        return False
    path = game.absolute()
    return (path.parent / MOVES).is_dir() and any((at / ".git").exists() for at in path.parents)


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


def own_files(paths: Sequence[Path]) -> list[Path]:
    """Return those of these files, beside a game or among its notes, that are this machine's own.

    In a clone others can have pushed files of any name. Raises GitFailed and NotRead.
    """
    own: list[Path] = []
    for path in paths:
        if not any((at / ".git").exists() for at in path.absolute().parents):
            own.append(path)
            continue
        # Few tables go by git.
        from referee.git.sync import is_pushed, is_written_here

        is_note = path.parent.name == MOVES
        if is_written_here(path) if is_note else not is_pushed(path):
            own.append(path)
    return own
