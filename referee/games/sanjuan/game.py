"""A game in progress as the protocol sees it: names outside, the flat state inside."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from referee.games.flat import FlatGame
from referee.games.interface import Decision, Event, Rules, Score
from referee.games.sanjuan import flow, phases, plays, scoring, table
from referee.games.sanjuan.flow import Action
from referee.games.sanjuan.state import KIND_NAMES, NOTHING, State


class SanJuan(FlatGame[State]):
    """A game of San Juan; `opened` is what happened before the first decision."""

    def __init__(self, rules: Rules, state: State, opened: Sequence[Event] = ()) -> None:
        super().__init__(state, opened)
        self.rules = rules

    @property
    def over(self) -> bool:
        """True once the game has ended by rule."""
        return self.state.kind == NOTHING

    def decisions(self) -> list[Decision]:
        """Return the open decisions, in the order in which they will take effect."""
        st = self.state
        return [
            Decision(
                decision_id(st, seat),
                st.seats[seat],
                KIND_NAMES[st.kind],
                plays.may_answer(st, seat),
            )
            for seat in flow.waiting(st)
        ]

    def _waiting(self) -> list[int]:
        return flow.waiting(self.state)

    def _id(self, seat: int) -> str:
        return decision_id(self.state, seat)

    def _parse(self, seat: int, play: str, letters: Sequence[str]) -> Action:
        return plays.parse(self.state, seat, play, letters)

    def _refuse(self, seat: int, action: Action) -> str:
        return phases.refuse(self.state, seat, action)

    def _apply(self, action: Action) -> None:
        phases.apply(self.state, action)

    def tucked(self, seat: str) -> list[tuple[str, int]]:
        """Return (plot, card) for the cards that the seat put away and may look at (G5)."""
        index = self.state.seats.index(seat)
        return [(str(plot + 1), card) for owner, plot, card in self.state.under if owner == index]

    def table(self) -> dict[str, Any]:
        """Return the public state."""
        return table.write(self.state)

    def scores(self) -> list[Score]:
        """Return the result of a game that is over, in seat order."""
        return scoring.scores(self.state)

    def copy(self) -> SanJuan:
        """Return an independent copy that shares nothing mutable but the shuffle."""
        return SanJuan(self.rules, self.state.copy(), self.opened)


def decision_id(st: State, seat: int) -> str:
    """Return `ROUND.TURN.KIND.SEAT`."""
    return f"{st.round}.{st.turn}.{KIND_NAMES[st.kind]}.{st.seats[seat]}"
