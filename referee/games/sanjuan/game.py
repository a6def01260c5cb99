"""A game in progress as the protocol sees it: names outside, the flat state inside."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from referee.games.flat import FlatGame
from referee.games.sanjuan import flow, phases, plays, scoring, table
from referee.games.sanjuan.flow import Action
from referee.games.sanjuan.state import KIND_NAMES, NOTHING, State
from referee.games.values import Decision, Score


class SanJuan(FlatGame[State]):
    """A game of San Juan."""

    @property
    def over(self) -> bool:
        """True once the game has ended by rule."""
        return self.state.kind == NOTHING

    def _waiting(self) -> list[int]:
        return flow.waiting(self.state)

    def _id(self, seat: int) -> str:
        return decision_id(self.state, seat)

    def _decision(self, seat: int) -> Decision:
        return decision_of(self.state, seat)

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


def decision_id(st: State, seat: int) -> str:
    """Return `ROUND.TURN.KIND.SEAT`."""
    return f"{st.round}.{st.turn}.{KIND_NAMES[st.kind]}.{st.seats[seat]}"


def decision_of(st: State, seat: int) -> Decision:
    """Return the open decision of a seat that is asked."""
    kind = KIND_NAMES[st.kind]
    return Decision(decision_id(st, seat), st.seats[seat], kind, plays.may_answer(st, seat))
