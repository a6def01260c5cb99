"""Notes on a newer file of a game beside the one that a command names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.playing.newer import check_unanswered, newer_beside
from referee.render.text import terminal

if TYPE_CHECKING:
    from pathlib import Path

    from referee.table.gamefile import GameFile


def tell_newer(game: Path, file: GameFile, *, json: bool = False, decision: str = "") -> None:
    """Note that a newer file of the game lies beside this one.

    Raises Stale if a `decision` is given to which that file wants no answer any more.
    """
    newer = newer_beside(game, file)
    if newer is None:
        return
    if decision:
        check_unanswered(newer, decision)
    if not json:
        terminal.warn("warning" if newer.another else "note", newer.words)
