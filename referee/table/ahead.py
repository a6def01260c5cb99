"""Invitations to plan turns: whose turns come next, as far as a table invites them (`--ahead`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.errors import OtherRules
from referee.table.decisions import DecisionId
from referee.table.plans import PlanBook
from referee.table.rules import rules_for
from referee.table.standing import Standing

if TYPE_CHECKING:
    from referee.table.gamefile import GameFile


def next_turns(file: GameFile) -> list[str]:
    """Return the seats whose turns come next, as many as the table invites to plan them.

    Bots are not asked to, nor seats that have left. There are none where the referee plays, by now:
    it could read their plans before choosing.
    """
    if not file.ahead or file.status != "playing" or file.referee_plays:
        return []
    try:
        coming = rules_for(file).next_turns(file.table)
    except OtherRules:
        return []
    nobody = {*file.bots, *Standing.after(file).left}
    return [seat for seat in coming if seat not in nobody][: file.ahead]


def invited(file: GameFile) -> dict[str, int]:
    """Return those of them that have not planned since their last turn, with the number of turns
    that they have had.

    What their plans say nobody can know, so one that plans turns for good counts for one turn.
    """
    coming = next_turns(file)
    if not coming:
        return {}
    # Few tables invite.
    from referee.table.planreplay import plan_language

    book = PlanBook(file, plan_language(file, rules_for(file)))
    for step, entry in enumerate(file.log, 1):
        book.follow(step, entry)
    seen = {plan.seat: plan.seen for plan in file.plans if plan.waits}
    return {
        name: book.turns(name) for name in coming if not book.has_planned_turn(name, seen.get(name))
    }


def asks_turn(file: GameFile) -> bool:
    """Return True if the game waits for the answer that begins a turn."""
    # Few tables invite.
    from referee.table.planreplay import plan_language

    language = plan_language(file, rules_for(file))
    kinds = [DecisionId.parse(one.id).kind for one in file.asked]
    return language is not None and language.turn_kind in kinds
