"""Places of game files: plain files, and those that a command took out of an email."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.storage import read_limited
from referee.table.gamefile import MAX_FILE

if TYPE_CHECKING:
    from pathlib import Path

_held: dict[str, bytes] = {}


def hold(path: Path, data: bytes) -> None:
    """Take `data` for the game file that a path names, from now on."""
    _held[str(path)] = data


def forget() -> None:
    """Take every path for the name of a plain file again."""
    _held.clear()


def is_held(path: Path) -> bool:
    """Return True if a path names no plain file, so that nothing is written there or beside it."""
    return str(path) in _held


def folder_of(path: Path) -> Path:
    """Return the folder in which notes for a game are: its file's, or the current one if held."""
    return path.parent if str(path) not in _held else type(path)()


def read_game(path: Path) -> bytes:
    """Return the bytes of the game file that a path names, unchecked. Raises NotRead."""
    held = _held.get(str(path))
    return read_limited(path, MAX_FILE) if held is None else held
