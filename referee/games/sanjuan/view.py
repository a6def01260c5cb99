"""The view of one seat: names and letters on top of a state without hidden cards."""

from __future__ import annotations

from collections.abc import Sequence

from referee.games.flat import FlatView, Reading, Token
from referee.games.sanjuan import choices, flow, plays, roles
from referee.games.sanjuan.cards import NAMES
from referee.games.sanjuan.flow import Action
from referee.games.sanjuan.game import decision_of
from referee.games.sanjuan.state import BUILD, BUILDER, EMPTY, NOTHING, ROLE, State
from referee.games.values import Choice, Held


class SanJuanView(FlatView[State]):
    """The view of a seat."""

    def __init__(self, state: State, seat: str, hand: Sequence[Held]) -> None:
        super().__init__(state, seat, hand)
        if state.kind != NOTHING and state.asked >> self.index & 1:
            self.decision = decision_of(state, self.index)

    def _readings(self, tokens: Sequence[Token]) -> list[Reading]:
        # Most readers only look.
        from referee.games.sanjuan import reading

        return reading.readings(self.state, tokens)

    def _read(self, reading_: Reading) -> Action:
        # Most readers only look.
        from referee.games.sanjuan import reading

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

    def outlook(self, choice: Choice) -> str:
        """Return the note of a choice, with its cost and gain."""
        from referee.games.sanjuan.outlook import outlook

        return outlook(self.state, self.index, choice, self.letters)

    def buildings(self) -> dict[str, str]:
        """Return what stands on the seat's plots."""
        city, kind_of = self.state.city[self.index], self.state.cards.kind_of
        return {
            str(plot): NAMES[kind_of[card]] for plot, card in enumerate(city, 1) if card != EMPTY
        }

    def foreseen(self, play: str) -> SanJuanView:
        """Return the view after a legal play: what a builder of its own would ask, as all is known
        there, or this one."""
        st = self.state
        role, keeps_library, event = self._parse(play) if st.kind == ROLE else (NOTHING, False, -1)
        if (role, event) != (BUILDER, -1):
            return self
        then = st.copy()
        then.phase, then.kind, then.chooser, then.actor = BUILDER, BUILD, self.index, self.index
        then.library = not keeps_library and roles.may_use_library(st, self.index)
        then.asked = 1 << self.index
        return SanJuanView(then, self.seat, self.hand)

    def _every(self, limit: int) -> Sequence[Action] | None:
        return choices.legal_actions(self.state, self.index, limit)

    def _spent(self, action: Action) -> Sequence[int]:
        return plays.spent_places(self.state, self.index, action)

    def _greedy(self) -> Action:
        # Few commands ask what it would play.
        from referee.games.sanjuan import greedy

        return greedy.choose(self.state, self.index)
