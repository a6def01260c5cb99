"""Files that a command writes, under names that the user has given."""

from __future__ import annotations

from pathlib import Path
from typing import Any


def check_output(path: Path) -> None:
    """Raise NotWritten if what is written would go where somebody else's push leads it."""
    there = path.absolute()
    if any(at.is_symlink() for at in (there, *there.parents)):
        # Links are rare, and git is slow to import.
        from referee.git.repo import check_not_pushed

        check_not_pushed(path)


def check_outputs(*paths: Path | None) -> None:
    """Raise NotWritten for any of several places, like `check_output`."""
    for path in paths:
        if path is not None:
            check_output(path)


def check_named(value: Any) -> Any:
    """Return the value of an option or argument to whose place a command writes.

    Raises NotWritten like `check_output`; `-` is standard output.
    """
    if value is not None and str(value) != "-":
        check_output(Path(value))
    return value
