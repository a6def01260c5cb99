"""Late answers: what a game file says about them, and why nothing is done about them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.table import clock
from referee.table.times import readable_time

if TYPE_CHECKING:
    from datetime import datetime

    from referee.table.gamefile import GameFile


NO_CLOCK = "This game has no deadlines, so no answer is overdue."


def why_not(file: GameFile, now: datetime) -> str:
    """Say why nobody is answered for."""
    if file.clock is None:
        return NO_CLOCK
    if clock.bots_think(file):
        return "Bots still think; run it again."
    owed = clock.owed_decisions(file)
    late = clock.overdue_decisions(file, now)
    if not owed or not late:
        return "No answer is overdue."
    names = ", ".join(late)
    if not file.clock.acts:
        return f"{names} is overdue, and this table has agreed to wait."
    if len(late) < len(owed):
        others = ", ".join(
            f"{id_} (due {readable_time(file.due[id_])})" for id_ in owed if id_ not in late
        )
        return (
            f"{names} is overdue, but there is still time for {others}; they take effect together."
        )
    until = readable_time(grace_end(file))
    return f"{names} is overdue, but its time of grace lasts until {until}."


def grace_end(file: GameFile) -> datetime:
    """Return when the time of grace is over for all that is asked, and the referee answers."""
    assert file.clock is not None
    return clock.grace_end(file.clock, max(file.due.values()))
