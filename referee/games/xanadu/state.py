"""The state of a game as flat numbers.

Cards are numbers of a `Deck`, seats are 0, 1, …, plots count from 1. A building is (card, crew);
its crew are its workers from the bottom up, each as `worker(card, seat that placed it)`. While a
decision is open every building stands upright and none is full: what a turn builds or fills is put
right by its end.
"""

from __future__ import annotations

from collections.abc import Sequence

from referee.games.values import Event, Said, Shuffle
from referee.games.xanadu.deck import Deck
from referee.games.xanadu.deckfile import FIELDS

OPENING, TURN, RESET, AFTER, NOTHING = range(5)
KIND_NAMES = ("opening", "turn", "reset", "after")
"""Kinds of decisions: what a seat begins with, a turn; and where its sales have emptied the table,
what all begin with anew, and the rest of the turn."""

HAND = 7
"""Limit to the cards of a hand."""
FULL = FIELDS
"""Workers that fill a building."""

Crew = tuple[int, ...]
Building = tuple[int, Crew]


def worker(card: int, seat: int) -> int:
    """Return a hand card that a seat has placed as a worker; `>> 3` is the card, `& 7` the seat."""
    return card << 3 | seat


class State:
    """The state of a game in progress; `copy()` shares nothing that can change.

    `active` is the seat whose turn it is, `actor` the one that is asked first, `asked` all that are
    asked; `need` is how many cards an opening takes. `deck` from `next` on is the draw pile,
    shuffled for the `epoch`-th time. Under it lies `end_pile` from `end_next` on, once there is
    one: the End card is at `end_place`, and `end_mask` has its cards. `plots_used` counts the plots
    ever used, `idle_turns` the turns in a row in which nothing happened.
    """

    __slots__ = (
        *("active", "actor", "asked", "bonus", "cards", "city", "city_limit", "coins", "deck"),
        *("discards", "end_mask", "end_next", "end_pile", "end_place", "epoch", "hand"),
        *("idle_turns", "kind", "log", "many_builds", "need", "next", "opening_size", "passes"),
        *("plots_used", "round", "seats", "shuffle", "stall_guard"),
    )

    cards: Deck
    seats: tuple[str, ...]
    shuffle: Shuffle
    log: list[Event] | None

    city_limit: int
    passes: int
    bonus: tuple[int, ...]
    opening_size: int
    many_builds: bool
    stall_guard: bool

    round: int
    active: int
    kind: int
    actor: int
    asked: int
    need: int
    idle_turns: int

    deck: tuple[int, ...]
    next: int
    epoch: int
    end_pile: tuple[int, ...]
    end_next: int
    end_place: int
    end_mask: int
    discards: list[int]

    hand: list[list[int]]
    coins: list[int]
    city: list[dict[int, Building]]
    plots_used: list[int]

    def __init__(
        self,
        cards: Deck,
        seats: Sequence[str],
        shuffle: Shuffle,
        advanced: bool = False,
        passes: int = 0,
        guard: bool = True,
    ) -> None:
        """A table at which nothing has been dealt; `passes` 0 is what is usual for the seats.

        Number of seats and variant decide the limits of section 1.8 of the rules.
        """
        count = len(seats)
        many = count > 4
        self.cards = cards
        self.seats = tuple(seats)
        self.shuffle = shuffle
        self.log = None
        self.city_limit = 6 if advanced else 4 if many else 5
        self.passes = passes or (3 if many else 2)
        self.bonus = cards.many if many else (0,) * len(cards.colours)
        self.opening_size = 2 if advanced or count == 2 else 1
        self.many_builds = advanced
        self.stall_guard = guard
        self.round = 1
        self.active = self.actor = 0
        self.kind = NOTHING
        self.asked = self.need = self.idle_turns = 0
        self.deck = self.end_pile = ()
        self.next = self.epoch = self.end_next = self.end_place = self.end_mask = 0
        self.discards = []
        self.hand = [[] for _ in seats]
        self.coins = [0] * count
        self.city = [{} for _ in seats]
        self.plots_used = [0] * count

    def copy(self) -> State:
        """Return an independent state with the same shuffle."""
        new = State.__new__(State)
        new.cards = self.cards
        new.seats = self.seats
        new.shuffle = self.shuffle
        log: list[Event] | None = self.log
        new.log = log if log is None else log[:]
        new.city_limit = self.city_limit
        new.passes = self.passes
        new.bonus = self.bonus
        new.opening_size = self.opening_size
        new.many_builds = self.many_builds
        new.stall_guard = self.stall_guard
        new.round = self.round
        new.active = self.active
        new.kind = self.kind
        new.actor = self.actor
        new.asked = self.asked
        new.need = self.need
        new.idle_turns = self.idle_turns
        new.deck = self.deck
        new.next = self.next
        new.epoch = self.epoch
        new.end_pile = self.end_pile
        new.end_next = self.end_next
        new.end_place = self.end_place
        new.end_mask = self.end_mask
        new.discards = self.discards[:]
        new.hand = [cards[:] for cards in self.hand]
        new.coins = self.coins[:]
        new.city = [city.copy() for city in self.city]
        new.plots_used = self.plots_used[:]
        return new

    @property
    def buried(self) -> bool:
        """True once the last pass has begun, with the End card under the pile."""
        return self.epoch == self.passes - 1

    def price(self, building: Building) -> int:
        """Return the price of a building now, with the bonus of its colour (AMB-1, AMB-12)."""
        card, crew = building
        return self.cards.prices[card][len(crew)] + self.bonus[self.cards.colour[card]]

    def income(self, seat: int) -> int:
        """Sum the passive resources and unlocked favours of a seat in a turn (AMB-13)."""
        income = self.cards.income
        pool = 0
        for card, crew in self.city[seat].values():
            pool += income[card][len(crew)]
        return pool

    def lay(self, seat: int, card: int) -> int:
        """Put a building on the seat's next plot, and return the plot."""
        self.plots_used[seat] += 1
        plot = self.plots_used[seat]
        self.city[seat][plot] = (card, ())
        return plot

    def say(self, words: str) -> None:
        """Add a public line to the log, if there is one."""
        if self.log is not None:
            self.log.append(Said(words))

    def clockwise(self) -> list[int]:
        """Return all seats, from the one whose turn it is."""
        seats = list(range(len(self.seats)))
        return seats[self.active :] + seats[: self.active]

    def waiting(self) -> list[int]:
        """Return the seats that are asked now, in the order in which their answers take effect."""
        return [seat for seat in self.clockwise() if self.asked >> seat & 1]
