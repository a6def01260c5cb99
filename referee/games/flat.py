"""What games on a flat core share: the core knows small numbers, this edge names and letters."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, Generic, Protocol, TypeVar

from referee.games.interface import (
    Choice,
    Decision,
    Event,
    Game,
    Held,
    Illegal,
    Incomplete,
    NotUnderstood,
    View,
)

Action = tuple[Any, ...]
"""An answer as the core takes it."""


class FlatState(Protocol):
    """What of a core is needed here: who acts next, all hands, and where events are noted."""

    actor: int
    seats: Any
    hand: list[list[int]]
    log: list[Event] | None


S = TypeVar("S", bound=FlatState)


class FlatView(View, Generic[S]):
    """The view of a seat; `state` holds its own hand, and nothing else that is hidden.

    A subclass says what is asked of the seat, as `decision`.
    """

    def __init__(self, state: S, seat: str, hand: Sequence[Held]) -> None:
        self.state = state
        self.seat = seat
        self.hand = tuple(hand)
        self.index: int = state.seats.index(seat)
        self.letters = [card.letter for card in hand]
        self.decision: Decision | None = None

    @abstractmethod
    def _read(self, text: str) -> Action:
        """The action that a text means, as far as it can be completed."""

    @abstractmethod
    def _parse(self, play: str) -> Action:
        """The action of a canonical play; raises NotUnderstood or Illegal."""

    @abstractmethod
    def _render(self, action: Action) -> str:
        """The canonical play of an action."""

    @abstractmethod
    def _refuse(self, action: Action) -> str:
        """Why the action is not legal; "" when it is."""

    @abstractmethod
    def _listing(self) -> list[Choice]:
        """The legal answers, grouped where they are many."""

    @abstractmethod
    def _every(self, limit: int) -> Sequence[Action] | None:
        """Every legal action, or None when there are more than `limit`."""

    @abstractmethod
    def _spent(self, action: Action) -> Sequence[int]:
        """The places of the hand cards that an action takes out of the hand."""

    @abstractmethod
    def _greedy(self) -> Action:
        """What a plain greedy player would do."""

    def _asked(self) -> None:
        if self.decision is None:
            raise Illegal(f"nothing is asked of {self.seat} now")

    def _illegal(self, reason: str) -> Illegal:
        return Illegal(reason, choices=self.choices())

    def _legal(self, action: Action) -> Action:
        reason = self._refuse(action)
        if reason:
            raise self._illegal(reason)
        return action

    def read(self, text: str) -> str:
        """The canonical, complete and legal play that `text` means."""
        self._asked()
        try:
            action = self._read(text)
        except Incomplete:
            raise
        except Illegal as error:
            raise self._illegal(error.message) from error
        return self._render(self._legal(action))

    def check(self, play: str) -> None:
        """Raises NotUnderstood unless `play` is canonical, Illegal unless it is legal."""
        self._asked()
        try:
            action = self._parse(play)
        except Illegal as error:
            raise self._illegal(error.message) from error
        self._legal(action)

    def choices(self) -> list[Choice]:
        """The legal answers, grouped where they are many (this card, at this price)."""
        return [] if self.decision is None else self._listing()

    def plays(self, limit: int = 50) -> list[str] | None:
        """Every legal play, or None when there are more than `limit`."""
        if self.decision is None:
            return []
        found = self._every(limit)
        return None if found is None else [self._render(action) for action in found]

    def spends(self, play: str) -> list[str]:
        """The letters of the hand cards that a legal play takes out of the hand."""
        return [self.letters[place] for place in self._spent(self._parse(play))]

    def suggest(self) -> str:
        """A legal play that a plain greedy player would make, the same one each time."""
        self._asked()
        return self._render(self._greedy())


class FlatGame(Game, Generic[S]):
    """The game; `state` is the flat core."""

    def __init__(self, state: S, opened: Sequence[Event] = ()) -> None:
        self.state = state
        self.opened = list(opened)

    @abstractmethod
    def _id(self, seat: int) -> str:
        """The id of the open decision of a seat."""

    @abstractmethod
    def _parse(self, seat: int, play: str, letters: Sequence[str]) -> Action:
        """The action of a canonical play; raises NotUnderstood or Illegal."""

    @abstractmethod
    def _refuse(self, seat: int, action: Action) -> str:
        """Why the action is not legal; "" when it is."""

    @abstractmethod
    def _apply(self, action: Action) -> None:
        """Let the actor's legal action take effect."""

    def take(self, decision: str, play: str, letters: Sequence[str]) -> list[Event]:
        """Play the first open decision; an error changes nothing (NotUnderstood, Illegal)."""
        if self.over:
            raise Illegal("the game is over")
        st = self.state
        seat = st.actor
        if decision != self._id(seat):
            raise Illegal(f"{decision} is not the next decision")
        if len(letters) != len(st.hand[seat]):
            raise NotUnderstood("the letters do not match the hand")
        action = self._parse(seat, play, letters)
        reason = self._refuse(seat, action)
        if reason:
            raise Illegal(reason)
        log: list[Event] = []
        st.log = log
        self._apply(action)
        st.log = None
        return log

    def hand(self, seat: str) -> list[int]:
        """The seat's cards in the order in which they were dealt, freshly drawn ones last."""
        return self.state.hand[self.state.seats.index(seat)][:]
