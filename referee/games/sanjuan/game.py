"""A game in progress as the protocol sees it: names outside, the flat state inside."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from referee.games.interface import Decision, Event, Game, Illegal, NotUnderstood, Score
from referee.games.sanjuan import flow, phases, plays, scoring, table
from referee.games.sanjuan.state import KIND_NAMES, NOTHING, State

if TYPE_CHECKING:
    from referee.games.sanjuan.rules import SanJuanRules


class SanJuan(Game):
    """The game; `state` is the flat core, `opened` what happened before the first decision."""

    rules: SanJuanRules

    def __init__(self, rules: SanJuanRules, state: State, opened: Sequence[Event] = ()) -> None:
        self.rules = rules
        self.state = state
        self.opened = list(opened)

    @property
    def over(self) -> bool:
        """Whether the game has ended by rule."""
        return self.state.kind == NOTHING

    def decisions(self) -> list[Decision]:
        """The open decisions, in the order in which they will take effect."""
        st = self.state
        return [
            Decision(
                decision_id(st, seat), st.seats[seat], KIND_NAMES[st.kind], plays.may(st, seat)
            )
            for seat in flow.waiting(st)
        ]

    def take(self, decision: str, play: str, letters: Sequence[str]) -> list[Event]:
        """Play the first open decision; an error changes nothing (NotUnderstood, Illegal)."""
        st = self.state
        if st.kind == NOTHING:
            raise Illegal("the game is over")
        seat = st.actor
        if decision != decision_id(st, seat):
            raise Illegal(f"{decision} is not the next decision")
        if len(letters) != len(st.hand[seat]):
            raise NotUnderstood("the letters do not match the hand")
        action = plays.parse(st, seat, play, letters)
        reason = phases.refuse(st, seat, action)
        if reason:
            raise Illegal(reason)
        log: list[Event] = []
        st.log = log
        phases.apply(st, action)
        st.log = None
        return log

    def hand(self, seat: str) -> list[int]:
        """The seat's cards in the order in which they were dealt, freshly drawn ones last."""
        return self.state.hand[self.state.seats.index(seat)][:]

    def tucked(self, seat: str) -> list[tuple[str, int]]:
        """(plot, card) for the cards that the seat put away and may look at: no harbor's (G5)."""
        index = self.state.seats.index(seat)
        return [(str(plot + 1), card) for owner, plot, card in self.state.under if owner == index]

    def table(self) -> dict[str, Any]:
        """The public state."""
        return table.write(self.state)

    def scores(self) -> list[Score]:
        """The result of a game that is over, in seat order."""
        return scoring.scores(self.state)

    def copy(self) -> SanJuan:
        """An independent copy that shares nothing mutable but the shuffle."""
        return SanJuan(self.rules, self.state.copy(), self.opened)


def decision_id(st: State, seat: int) -> str:
    """`ROUND.TURN.KIND.SEAT`."""
    return f"{st.round}.{st.turn}.{KIND_NAMES[st.kind]}.{st.seats[seat]}"
