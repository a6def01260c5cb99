"""A look back at a seat's decisions, each from what the seat saw when it was asked."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from referee.bots.judging import Judgement, judge
from referee.errors import Stale
from referee.records import NamedTuple
from referee.table.decisions import DecisionId
from referee.table.plans import plan_behind
from referee.table.replay import each_session

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from referee.games.interface import Rules, View
    from referee.table.gamefile import Entry, GameFile
    from referee.table.replay import Session


MOST = 5
"""The most decisions that are told without being asked for: those that mattered most."""


class Made(NamedTuple):
    """An answer in the log, at a step, and the view of its author when the question was put.

    `city` are the buildings that stood there then, by seat and plot.
    """

    step: int
    decision: str
    play: str
    view: View
    city: Mapping[tuple[str, str], str]

    @property
    def names(self) -> dict[str, str]:
        """Return the cards of the hand by their letters."""
        return {card.letter: card.name for card in self.view.hand}


class Reviewed(NamedTuple):
    """A decision and the judgement of it."""

    made: Made
    judgement: Judgement


def decisions_of(file: GameFile, seat: str) -> list[Made]:
    """Return the answers that a seat gave itself, of a game that is over. Raises Stale, Damaged."""
    secret = file.revealed_secret
    if secret is None:
        raise Stale(
            "the game is not over, and until then nobody can look back at what a seat saw",
            "while it goes on, `sanjuan-ref show --hint` says what a bot would play"
            if file.hints
            else "this table has agreed on playing without hints meanwhile",
            reason="not-over",
        )
    views: dict[str, tuple[View, Mapping[tuple[str, str], str]]] = {}

    def see(session: Session) -> None:
        assert session.game is not None
        for decision in session.game.asked():
            if decision not in views and DecisionId.parse(decision).seat == seat:
                views[decision] = session.view(seat), _city(session)

    def is_own(entry: Entry) -> bool:
        """Return True if no bot has answered for a player who had left."""
        return bool(entry.signature or plan_behind(entry)) or seat in file.bots

    each_session(file, secret, see)
    return [
        Made(step, entry.decision, entry.play, *views[entry.decision])
        for step, entry in enumerate(file.log, 1)
        if entry.by == seat and entry.decision in views and is_own(entry)
    ]


def _city(session: Session) -> dict[tuple[str, str], str]:
    assert session.game is not None
    return {
        (place.seat, str(building.plot)): building.card
        for place in session.rules.onlooker().board(session.game).places
        for building in place.city
    }


def review(rules: Rules, made: Made) -> Reviewed:
    """Judge one decision; the judgement is the same each time. Raises NotUnderstood."""
    seed = hashlib.sha256(made.decision.encode()).digest()
    return Reviewed(made, judge(rules, made.view, made.play, seed))


def mattered_most(found: Iterable[Reviewed]) -> list[Reviewed]:
    """Return the few decisions that gave away most, the worst first."""
    lost = [one for one in found if one.judgement.loss > 0]
    return sorted(lost, key=lambda one: (-one.judgement.loss, one.made.step))[:MOST]
