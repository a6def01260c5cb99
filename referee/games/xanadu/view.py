"""What one seat may know and do: names and letters on top of the masked state."""

from __future__ import annotations

from collections.abc import Sequence

from referee.games.interface import Choice, Decision, Held, Illegal, Incomplete, View
from referee.games.xanadu import choices, flow, greedy, plays, reading
from referee.games.xanadu.flow import Action
from referee.games.xanadu.game import decision_of
from referee.games.xanadu.state import State


class XanaduView(View):
    """The view of a seat; `state` holds its own hand, and nothing else that is hidden."""

    def __init__(self, state: State, seat: str, hand: Sequence[Held]) -> None:
        self.state = state
        self.seat = seat
        self.hand = tuple(hand)
        self.index = state.seats.index(seat)
        self.letters = [card.letter for card in hand]
        self.decision: Decision | None = None
        if state.asked >> self.index & 1:
            self.decision = decision_of(state, self.index)

    def _asked(self) -> None:
        if self.decision is None:
            raise Illegal(f"nothing is asked of {self.seat} now")

    def _illegal(self, reason: str) -> Illegal:
        return Illegal(reason, choices=self.choices())

    def _text(self, action: Action) -> str:
        return plays.render(self.state, self.index, action, self.letters)

    def read(self, text: str) -> str:
        """The canonical, complete and legal play that `text` means."""
        self._asked()
        try:
            action = reading.read(self.state, self.index, text, self.letters)
        except Incomplete:
            raise
        except Illegal as error:
            raise self._illegal(error.message) from error
        reason = flow.refuse(self.state, self.index, action)
        if reason:
            raise self._illegal(reason)
        return self._text(action)

    def check(self, play: str) -> None:
        """Raises NotUnderstood unless `play` is canonical, Illegal unless it is legal."""
        self._asked()
        try:
            action = plays.parse(self.state, self.index, play, self.letters)
        except Illegal as error:
            raise self._illegal(error.message) from error
        reason = flow.refuse(self.state, self.index, action)
        if reason:
            raise self._illegal(reason)

    def choices(self) -> list[Choice]:
        """The legal answers, grouped where they are many."""
        if self.decision is None:
            return []
        return choices.listing(self.state, self.index, self.letters)

    def plays(self, limit: int = 50) -> list[str] | None:
        """Every legal play, or None when there are more than `limit`."""
        if self.decision is None:
            return []
        found = choices.every(self.state, self.index, limit)
        return None if found is None else [self._text(action) for action in found]

    def spends(self, play: str) -> list[str]:
        """The letters of the hand cards that a legal play takes out of the hand."""
        action = plays.parse(self.state, self.index, play, self.letters)
        return [self.letters[place] for place in plays.spends(self.state, action)]

    def suggest(self) -> str:
        """A legal play that a plain greedy player would make, the same one each time."""
        self._asked()
        return self._text(greedy.choose(self.state, self.index))
