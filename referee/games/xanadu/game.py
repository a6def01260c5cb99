"""A game in progress as the protocol sees it: names outside, the flat state inside."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from referee.games.flat import FlatGame
from referee.games.values import Decision, Score
from referee.games.xanadu import ending, flow, plays, table
from referee.games.xanadu.flow import Action
from referee.games.xanadu.state import KIND_NAMES, NOTHING, State


class Xanadu(FlatGame[State]):
    """A game of Xanadu."""

    @property
    def over(self) -> bool:
        """True once the game has ended by rule."""
        return self.state.kind == NOTHING

    def _waiting(self) -> list[int]:
        return self.state.waiting()

    def _id(self, seat: int) -> str:
        return decision_id(self.state, seat)

    def _decision(self, seat: int) -> Decision:
        return decision_of(self.state, seat)

    def _parse(self, seat: int, play: str, letters: Sequence[str]) -> Action:
        return plays.parse(self.state, seat, play, letters)

    def _refuse(self, seat: int, action: Action) -> str:
        return flow.refuse(self.state, seat, action)

    def _apply(self, action: Action) -> None:
        flow.apply(self.state, action)

    def tucked(self, seat: str) -> list[tuple[str, int]]:
        """Return (`SEAT.PLOT`, card) for the workers that the seat has placed, where they lie."""
        st = self.state
        index = st.seats.index(seat)
        return [
            (f"{st.seats[owner]}.{plot}", placed >> 3)
            for owner, city in enumerate(st.city)
            for plot, (_, crew) in city.items()
            for placed in crew
            if placed & 7 == index
        ]

    def table(self) -> dict[str, Any]:
        """Return the public state."""
        return table.write(self.state)

    def scores(self) -> list[Score]:
        """Return the result of a game that is over, in seat order."""
        return ending.scores(self.state)


def decision_id(st: State, seat: int) -> str:
    """Return `ROUND.TURN.KIND.SEAT`; an opening between two turns has the next one's number."""
    return f"{st.round}.{st.active + 1}.{KIND_NAMES[st.kind]}.{st.seats[seat]}"


def decision_of(st: State, seat: int) -> Decision:
    """Return the open decision of a seat that is asked."""
    name = KIND_NAMES[st.kind]
    return Decision(decision_id(st, seat), st.seats[seat], name, plays.may_answer(st, seat))
