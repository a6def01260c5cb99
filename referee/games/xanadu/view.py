"""The view of one seat: names and letters on top of a state without hidden cards."""

from __future__ import annotations

from collections.abc import Sequence

from referee.games.flat import FlatView, Reading, Token
from referee.games.values import Choice, Held
from referee.games.xanadu import choices, flow, greedy, plays, reading, turn
from referee.games.xanadu.flow import Action
from referee.games.xanadu.game import decision_of
from referee.games.xanadu.state import State


class XanaduView(FlatView[State]):
    """The view of a seat."""

    def __init__(self, state: State, seat: str, hand: Sequence[Held]) -> None:
        super().__init__(state, seat, hand)
        if state.asked >> self.index & 1:
            self.decision = decision_of(state, self.index)

    def _readings(self, tokens: Sequence[Token]) -> list[Reading]:
        return reading.readings(self.state, self.index, tokens, self.letters)

    def _read(self, reading_: Reading) -> Action:
        return reading.read(self.state, self.index, reading_, self.letters)

    def _exact(self, action: Action) -> Choice:
        return choices.exact_choices(self.state, self.index, [action], self.letters)[0]

    def _parse(self, play: str) -> Action:
        return plays.parse(self.state, self.index, play, self.letters)

    def _render(self, action: Action) -> str:
        return plays.render(self.state, self.index, action, self.letters)

    def _refuse(self, action: Action) -> str:
        return flow.refuse(self.state, self.index, action)

    def _listing(self) -> list[Choice]:
        return choices.listed_choices(self.state, self.index, self.letters)

    def buildings(self) -> dict[str, str]:
        """Return what stands on the seat's plots."""
        names = self.state.cards.names
        return {str(plot): names[card] for plot, (card, _) in self.state.city[self.index].items()}

    def foreseen(self, play: str) -> XanaduView:
        """Return the view after a legal play, with what the seat and the table are left with."""
        if flow.is_opening(self.state):
            return self
        action = self._parse(play)
        spent = self._spent(action)
        left = [card for place, card in enumerate(self.hand) if place not in spent]
        return XanaduView(turn.foreseen(self.state, self.index, action), self.seat, left)

    def _every(self, limit: int) -> Sequence[Action] | None:
        return choices.legal_actions(self.state, self.index, limit)

    def _spent(self, action: Action) -> Sequence[int]:
        return plays.spent_places(self.state, action)

    def _greedy(self) -> Action:
        return greedy.choose(self.state, self.index)
