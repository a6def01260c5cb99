"""The state of a game as flat numbers, and how cards leave the draw pile.

Cards are numbers of `Cards.kind_of`, seats are 0, 1, …, a plot is its number less one. Masks over
kinds say what a seat has in play, masks over plots where something lies.
"""

from __future__ import annotations

from collections.abc import Sequence

from referee.games.interface import Drawn, Event, Said, Shuffle, Shuffled
from referee.games.sanjuan.cards import CITY, Cards

ROLES = ("builder", "producer", "trader", "councillor", "prospector")
BUILDER, PRODUCER, TRADER, COUNCILLOR, PROSPECTOR = range(5)
ROUND_START, CHOICE, OVER = 5, 6, 7
PHASES = (*ROLES, "round-start", "role", "over")

ROLE, BUILD, PRODUCE, SELL, KEEP, TIDY, NOTHING = range(7)
KIND_NAMES = ("role", "build", "produce", "sell", "keep", "tidy")

KINDS_OF: tuple[tuple[int, ...], ...] = (
    (BUILD,),
    (PRODUCE,),
    (SELL,),
    (KEEP,),
    (),
    (TIDY,),
    (ROLE,),
    (),
)
"""By phase: the kinds of decisions that it asks for."""

TABLE = -1
"""Who gets a card that goes into no hand."""
EMPTY = -1
"""Instead of a card: no good on a plot, or no building where one was."""


class State:
    """Everything about a game in progress; `copy()` shares nothing that can change.

    `chooser` is the seat whose turn it is (at a round start the governor), `actor` the seat that
    is asked first. `asked` are the seats of a parallel decision; `serial` says that seats are asked
    one by one instead. `built` holds the kinds laid in the running builder phase. `over` (what was
    built over, bottom first) and `under` (cards tucked away) hold (seat, plot, card).
    """

    __slots__ = (
        "actor",
        "asked",
        "built",
        "cards",
        "chooser",
        "city",
        "deck",
        "discards",
        "drawn",
        "epoch",
        "full",
        "good",
        "governor",
        "hand",
        "kind",
        "library",
        "limit",
        "log",
        "next",
        "over",
        "own",
        "phase",
        "prod",
        "round",
        "seats",
        "serial",
        "shuffle",
        "sold",
        "spent",
        "tile",
        "tiles",
        "turn",
        "under",
        "used",
    )

    cards: Cards
    seats: tuple[str, ...]
    shuffle: Shuffle
    limit: int
    log: list[Event] | None

    round: int
    governor: int
    turn: int
    chooser: int
    used: int
    spent: int
    library: bool
    phase: int
    kind: int
    actor: int
    asked: int
    serial: bool
    sold: bool

    deck: tuple[int, ...]
    next: int
    epoch: int
    discards: list[int]
    tiles: tuple[int, ...]
    tile: int

    hand: list[list[int]]
    drawn: list[int]
    city: list[list[int]]
    good: list[list[int]]
    own: list[int]
    prod: list[int]
    full: list[int]
    built: list[int]
    over: tuple[tuple[int, int, int], ...]
    under: tuple[tuple[int, int, int], ...]

    def __init__(
        self, cards: Cards, seats: Sequence[str], shuffle: Shuffle, limit: int = 100
    ) -> None:
        """A table at which nothing has been laid or dealt yet."""
        count = len(seats)
        self.cards = cards
        self.seats = tuple(seats)
        self.shuffle = shuffle
        self.limit = limit
        self.log = None
        self.round = 1
        self.turn = 1
        self.governor = self.chooser = self.actor = 0
        self.used = self.spent = self.asked = 0
        self.library = self.serial = self.sold = False
        self.phase = CHOICE
        self.kind = ROLE
        self.deck = ()
        self.next = self.epoch = 0
        self.discards = []
        self.tiles = ()
        self.tile = 0
        self.hand = [[] for _ in range(count)]
        self.drawn = [0] * count
        self.city = [[] for _ in range(count)]
        self.good = [[] for _ in range(count)]
        self.own = [0] * count
        self.prod = [0] * count
        self.full = [0] * count
        self.built = [EMPTY] * count
        self.over = ()
        self.under = ()

    def copy(self) -> State:
        """An independent state with the same shuffle."""
        new = State.__new__(State)
        new.cards = self.cards
        new.seats = self.seats
        new.shuffle = self.shuffle
        new.limit = self.limit
        log = self.log
        new.log = log if log is None else log[:]
        new.round = self.round
        new.turn = self.turn
        new.governor = self.governor
        new.chooser = self.chooser
        new.actor = self.actor
        new.used = self.used
        new.spent = self.spent
        new.asked = self.asked
        new.library = self.library
        new.serial = self.serial
        new.sold = self.sold
        new.phase = self.phase
        new.kind = self.kind
        new.deck = self.deck
        new.next = self.next
        new.epoch = self.epoch
        new.discards = self.discards[:]
        new.tiles = self.tiles
        new.tile = self.tile
        new.hand = [cards[:] for cards in self.hand]
        new.drawn = self.drawn[:]
        new.city = [cards[:] for cards in self.city]
        new.good = [cards[:] for cards in self.good]
        new.own = self.own[:]
        new.prod = self.prod[:]
        new.full = self.full[:]
        new.built = self.built[:]
        new.over = self.over
        new.under = self.under
        return new

    def lay(self, seat: int, card: int, good: int = EMPTY) -> None:
        """Put a building on the seat's next plot."""
        plot = len(self.city[seat])
        kind = self.cards.kind_of[card]
        self.city[seat].append(card)
        self.good[seat].append(good)
        self.own[seat] |= 1 << kind
        if not CITY >> kind & 1:
            self.prod[seat] |= 1 << plot
        if good != EMPTY:
            self.full[seat] |= 1 << plot

    def buildings(self, seat: int) -> int:
        """How many buildings the seat has in play."""
        city = self.city[seat]
        return len(city) - city.count(EMPTY)

    def left(self) -> int:
        """How many cards can still be drawn, those in the discards included."""
        return len(self.deck) - self.next + len(self.discards)

    def draw(self, count: int, who: int) -> tuple[int, ...]:
        """The next `count` cards; fewer when pile and discards are both empty (G1)."""
        first = self.next
        end = first + count
        if end > len(self.deck):
            return self._draw_on(count, who)
        self.next = end
        if self.log is not None and count:
            name = self.seats[who] if who >= 0 else "table"
            self.log.append(Drawn(name, "deck", self.epoch, first, count))
        return self.deck[first:end]

    def _draw_on(self, count: int, who: int) -> tuple[int, ...]:
        rest = len(self.deck) - self.next
        got = self.draw(rest, who)
        count -= rest
        if count and self.discards:
            cards = self.discards
            self.discards = []
            self.epoch += 1
            self.deck = tuple(self.shuffle("deck", self.epoch, cards))
            self.next = 0
            if self.log is not None:
                self.log.append(Shuffled("deck", self.epoch, len(cards)))
            got += self.draw(min(count, len(cards)), who)
        return got

    def say(self, words: str) -> None:
        """Tell the public; the caller has looked whether anybody listens."""
        if self.log is not None:
            self.log.append(Said(words))
