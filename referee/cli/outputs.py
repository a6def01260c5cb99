"""Files that a command writes, under names that the user has given."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def check_output(path: Path) -> None:
    """Raise NotWritten if what is written would go where somebody else's push leads it."""
    there = path.absolute()
    if any(at.is_symlink() for at in (there, *there.parents)):
        # Links are rare, and git is slow to import.
        from referee.git.repo import check_not_pushed

        check_not_pushed(path)
