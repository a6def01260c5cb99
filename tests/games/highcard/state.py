"""The flat core: cards are numbers, the highest one of a round wins it, and all draw again."""

from __future__ import annotations

from collections.abc import Sequence

from referee.games.values import Drawn, Event, Said, Shown, Shuffle

NAMES = tuple(f"card-{number}" for number in range(1, 25))
HAND = 3


class State:
    """A table; `put` are the cards that lie before each seat, in the order of the rounds."""

    def __init__(self, seats: Sequence[str], shuffle: Shuffle) -> None:
        self.seats = tuple(seats)
        self.shuffle = shuffle
        self.log: list[Event] | None = None
        self.deck: tuple[int, ...] = ()
        self.next = 0
        self.round = 1
        self.actor = 0
        self.hand: list[list[int]] = [[] for _ in seats]
        self.put: list[list[int]] = [[] for _ in seats]

    @property
    def over(self) -> bool:
        return not any(self.hand)

    @property
    def waiting(self) -> list[int]:
        return [] if self.over else list(range(self.actor, len(self.seats)))

    @property
    def won(self) -> list[int]:
        """The number of rounds that each seat has won."""
        full = list(zip(*self.put, strict=False))
        return [sum(max(cards) == cards[seat] for cards in full) for seat in range(len(self.seats))]

    def copy(self) -> State:
        new = State(self.seats, self.shuffle)
        new.log = self.log if self.log is None else self.log[:]
        new.deck, new.next, new.round, new.actor = self.deck, self.next, self.round, self.actor
        new.hand, new.put = ([row[:] for row in rows] for rows in (self.hand, self.put))
        return new

    def say(self, *events: Event) -> None:
        if self.log is not None:
            self.log += events

    def draw(self, count: int) -> None:
        """Let every seat draw, while there are cards for all of them."""
        if len(self.deck) - self.next >= count * len(self.seats):
            for name, hand in zip(self.seats, self.hand, strict=True):
                hand += self.deck[self.next : self.next + count]
                self.say(Drawn(name, "deck", 0, self.next, count))
                self.next += count

    def apply(self, place: int) -> None:
        """Let the actor put the card from a place of its hand."""
        name, card = self.seats[self.actor], self.hand[self.actor].pop(place)
        self.put[self.actor].append(card)
        self.say(Shown("deck", card), Said(f"put {name} {NAMES[card]}"))
        self.actor += 1
        if self.actor == len(self.seats):
            last = [row[-1] for row in self.put]
            self.say(Said(f"win {self.seats[last.index(max(last))]}"))
            self.actor = 0
            self.draw(1)
            if not self.over:
                self.round += 1
                self.say(Said(f"round {self.round}"))
