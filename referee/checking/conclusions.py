"""The sentences that sum up what a check has shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.table.chain import REFEREE
from referee.table.plans import plan_behind
from referee.table.rebuild import followed

if TYPE_CHECKING:
    from referee.table.gamefile import GameFile

SIGNED = "the referee has signed this file"


def verified(file: GameFile) -> str:
    """Return what a file that was verified is known to be; nothing before the deal."""
    if not file.hands:
        return ""
    known = followed(file) is not None
    made = "what the plays have made of it" if known else "the one that the referee answers for"
    return (
        f"So every play is its player's own{_or_late(file)}, every card drawn is accounted for, "
        f"and the table is {made}."
    )


def audited(file: GameFile) -> str:
    """Return what a game that was audited is known to have been; nothing before the deal."""
    if not file.hands:
        return ""
    return (
        "So the cards lay as they were fixed before the first move, every play was legal and its "
        f"player's own{_or_late(file)}, and no hand, table or score was altered."
    )


def hand_checked(seat: str, cards: int) -> str:
    """Return what is known of a hand that was opened and proven."""
    return f"the hand of {seat}, {cards} card{'' if cards == 1 else 's'}, is what was dealt"


def _or_late(file: GameFile) -> str:
    """Return a reservation about plays, where the referee or a bot has answered for a seat."""
    answers = [entry for entry in file.log if not entry.decision.startswith("0.")]
    late = any(entry.by == REFEREE for entry in answers)
    bots = any(
        not entry.signature and entry.by != REFEREE and not plan_behind(entry) for entry in answers
    )
    what = [
        *(["a bot's"] if bots else []),
        *(["what was agreed for overdue seats"] if late else []),
    ]
    return "".join(f" or {one}" for one in what)
