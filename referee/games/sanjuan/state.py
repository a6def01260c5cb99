"""The state of a game as flat numbers, and how cards leave the draw pile.

Cards are numbers of `Cards.kind_of`, seats are 0, 1, …, a plot is its number less one. Masks over
kinds say what a seat has in play, masks over plots where something lies.
"""

from __future__ import annotations

from collections.abc import Sequence

from referee.games.sanjuan.cards import CITY, EVENTS, Cards
from referee.games.values import Drawn, Event, Said, Shown, Shuffle, Shuffled

ROLES = ("builder", "producer", "trader", "councillor", "prospector")
BUILDER, PRODUCER, TRADER, COUNCILLOR, PROSPECTOR = range(5)
ROUND_START, CHOICE, OVER, DRAFTING, EVENT_PHASE = range(5, 10)
"""From EVENT_PHASE on, each event has its phase, in the order of EVENTS, but for the last one:
governor-visit is the phase of a role."""
PHASES = (*ROLES, "round-start", "role", "over", "draft", *EVENTS[:-1])
VISIT = len(EVENTS) - 1

ROLE, BUILD, PRODUCE, SELL, KEEP, TIDY, DRAFT, OFFICE, MINE = range(9)
EARTHQUAKE, TAXES, AMNESTY, FREE_BUILD, NOTHING = range(9, 14)
KIND_NAMES = (
    *("role", "build", "produce", "sell", "keep", "tidy", "draft", "office", "mine"),
    *("earthquake", "taxes", "amnesty", "free-build"),
)
ONE_BY_ONE = (ROLE, BUILD, MINE, FREE_BUILD)
"""Kinds of decisions that are never parallel."""

KINDS_OF: tuple[tuple[int, ...], ...] = (
    (BUILD,),
    (PRODUCE,),
    (SELL,),
    (KEEP,),
    (MINE,),
    (TIDY, OFFICE),
    (ROLE,),
    (),
    (DRAFT,),
    (EARTHQUAKE,),
    (),
    (TAXES,),
    (AMNESTY,),
    (FREE_BUILD,),
)
"""By phase: the kinds of decisions that it asks for, the usual one first."""

TABLE = -1
"""The taker of a card that goes into no hand."""
EMPTY = -1
"""Instead of a card: no good on a plot, or no building where one was."""


class State:
    """The state of a game in progress; `copy()` shares nothing that can change.

    `chooser` is the seat whose turn it is (at a round start the governor), `actor` the seat that
    is asked first. `asked` are the seats of a parallel decision; `serial` says that seats are asked
    one by one instead. `built` holds the kinds laid in the running builder phase.

    By seat, `own_mask` has the kinds in play, `prod_mask` the plots with a production building and
    `full_mask` those with a good; `anywhere` has the kinds in play at any seat. Masks too are
    `roles_used` in this round, and `library_used` (in this round) and `bank_used` (ever) by seat.

    `over` (buildings that were built over, bottom first), `under` (cards tucked away) and `unseen`
    (those of them that their owner may not look at) hold (seat, plot, card). `beside` are the cards
    that lie beside the deck for anyone to build, `face_up` the events that have come up,
    `events_left` counts those still in the deck, `removed` are the cards that left the game, and
    `turned` those from which somebody is choosing. Up to `stop` the deck can be drawn from without
    an event or a reshuffle.
    """

    __slots__ = (
        *("actor", "anywhere", "asked", "bank_used", "beside", "built", "cards", "chooser"),
        *("city", "deck", "discards", "drawn", "epoch", "events_left", "face_up", "full_mask"),
        *("good", "governor", "hand", "kind", "library", "library_used", "limit", "log", "next"),
        *("over", "own_mask", "phase", "prod_mask", "removed", "roles_used", "round", "seats"),
        *("serial", "shuffle", "sold", "stop", "tile", "tiles", "turn", "turned", "under"),
        "unseen",
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
    roles_used: int
    library_used: int
    library: bool
    phase: int
    kind: int
    actor: int
    asked: int
    serial: bool
    sold: bool

    deck: tuple[int, ...]
    next: int
    stop: int
    epoch: int
    events_left: int
    discards: list[int]
    face_up: tuple[int, ...]
    removed: tuple[int, ...]
    beside: tuple[int, ...]
    turned: tuple[int, ...]
    tiles: tuple[int, ...]
    tile: int

    hand: list[list[int]]
    drawn: list[int]
    city: list[list[int]]
    good: list[list[int]]
    own_mask: list[int]
    prod_mask: list[int]
    full_mask: list[int]
    built: list[int]
    anywhere: int
    bank_used: int
    over: tuple[tuple[int, int, int], ...]
    under: tuple[tuple[int, int, int], ...]
    unseen: tuple[tuple[int, int, int], ...]

    @classmethod
    def opening(
        cls, cards: Cards, seats: Sequence[str], shuffle: Shuffle, limit: int = 100
    ) -> State:
        """Return a table at which nothing has been laid or dealt yet."""
        new = State()
        count = len(seats)
        new.cards = cards
        new.seats = tuple(seats)
        new.shuffle = shuffle
        new.limit = limit
        new.log = None
        new.round = 1
        new.turn = 1
        new.governor = new.chooser = new.actor = 0
        new.roles_used = new.library_used = new.asked = 0
        new.library = new.serial = new.sold = False
        new.phase = CHOICE
        new.kind = ROLE
        new.deck = ()
        new.next = new.stop = new.epoch = new.events_left = 0
        new.discards = []
        new.face_up = new.removed = new.turned = ()
        new.beside = cards.beside
        new.tiles = ()
        new.tile = 0
        new.hand = [[] for _ in range(count)]
        new.drawn = [0] * count
        new.city = [[] for _ in range(count)]
        new.good = [[] for _ in range(count)]
        new.own_mask = [0] * count
        new.prod_mask = [0] * count
        new.full_mask = [0] * count
        new.built = [EMPTY] * count
        new.anywhere = new.bank_used = 0
        new.over = ()
        new.under = ()
        new.unseen = ()
        return new

    def copy(self) -> State:
        """Return an independent state with the same shuffle."""
        new = State()
        new.cards = self.cards
        new.seats = self.seats
        new.shuffle = self.shuffle
        new.limit = self.limit
        new.log = None if self.log is None else self.log[:]
        new.round = self.round
        new.turn = self.turn
        new.governor = self.governor
        new.chooser = self.chooser
        new.actor = self.actor
        new.roles_used = self.roles_used
        new.library_used = self.library_used
        new.asked = self.asked
        new.library = self.library
        new.serial = self.serial
        new.sold = self.sold
        new.phase = self.phase
        new.kind = self.kind
        new.deck = self.deck
        new.next = self.next
        new.stop = self.stop
        new.epoch = self.epoch
        new.events_left = self.events_left
        new.discards = self.discards[:]
        new.face_up = self.face_up
        new.removed = self.removed
        new.beside = self.beside
        new.turned = self.turned
        new.tiles = self.tiles
        new.tile = self.tile
        new.hand = [cards[:] for cards in self.hand]
        new.drawn = self.drawn[:]
        new.city = [cards[:] for cards in self.city]
        new.good = [cards[:] for cards in self.good]
        new.own_mask = self.own_mask[:]
        new.prod_mask = self.prod_mask[:]
        new.full_mask = self.full_mask[:]
        new.built = self.built[:]
        new.anywhere = self.anywhere
        new.bank_used = self.bank_used
        new.over = self.over
        new.under = self.under
        new.unseen = self.unseen
        return new

    def lay(self, seat: int, card: int, good: int = EMPTY) -> None:
        """Put a building on the seat's next plot."""
        plot = len(self.city[seat])
        kind = self.cards.kind_of[card]
        self.city[seat].append(card)
        self.good[seat].append(good)
        self.own_mask[seat] |= 1 << kind
        self.anywhere |= 1 << kind
        if not CITY >> kind & 1:
            self.prod_mask[seat] |= 1 << plot
        if good != EMPTY:
            self.full_mask[seat] |= 1 << plot

    def clear(self, seat: int, plots: int) -> None:
        """Count so many plots of the seat as used, even if nothing is left there."""
        more = [EMPTY] * (plots - len(self.city[seat]))
        self.city[seat] += more
        self.good[seat] += more

    def buildings(self, seat: int) -> int:
        """Count the buildings that the seat has in play."""
        city = self.city[seat]
        return len(city) - city.count(EMPTY)

    def plot_of(self, seat: int, kind: int) -> int:
        """Return the plot of a city building that the seat has in play."""
        kind_of = self.cards.kind_of
        return next(
            plot
            for plot, card in enumerate(self.city[seat])
            if card != EMPTY and kind_of[card] == kind
        )

    def take_good(self, seat: int, plot: int) -> int:
        """Take the good from a plot, and return its card, which then is nowhere."""
        card = self.good[seat][plot]
        self.good[seat][plot] = EMPTY
        self.full_mask[seat] &= ~(1 << plot)
        return card

    def put_top(self, seat: int, plot: int, card: int) -> None:
        """Put a building on top of a plot, or EMPTY."""
        kind_of = self.cards.kind_of
        city = self.city[seat]
        city[plot] = card
        if card != EMPTY and not CITY >> kind_of[card] & 1:
            self.prod_mask[seat] |= 1 << plot
        else:
            self.prod_mask[seat] &= ~(1 << plot)
        own = 0
        for top in city:
            if top != EMPTY:
                own |= 1 << kind_of[top]
        self.own_mask[seat] = own
        self.anywhere = 0
        for own in self.own_mask:
            self.anywhere |= own

    def left(self) -> int:
        """Count the cards that can still be drawn, discards included, events not (C2)."""
        return len(self.deck) - self.next + len(self.discards) - self.events_left

    def put_deck(self, cards: Sequence[int]) -> None:
        """Put down a draw pile of which nothing has been drawn."""
        self.deck = tuple(cards)
        self.next = 0
        plain = self.cards.plain
        self.events_left = len([card for card in self.deck if card >= plain])
        self._find_stop()

    def _find_stop(self) -> None:
        self.stop = len(self.deck)
        if self.events_left:
            plain = self.cards.plain
            self.stop = next(
                place for place in range(self.next, self.stop) if self.deck[place] >= plain
            )

    def deal(self, seat: int, count: int) -> None:
        """Draw so many cards into the seat's hand, or as many as there are."""
        end = self.next + count
        if end > self.stop or self.log is not None:
            self.hand[seat] += self.draw(count, seat)
        else:
            # Without a second call: random games do this most of all.
            self.hand[seat] += self.deck[self.next : end]
            self.next = end

    def draw(self, count: int, who: int) -> tuple[int, ...]:
        """Draw `count` cards; fewer when pile and discards are both empty (G1)."""
        first = self.next
        end = first + count
        if end > self.stop:
            return self._draw_on(count, who)
        self.next = end
        if self.log is not None and count:
            name = self.seats[who] if who >= 0 else "table"
            self.log.append(Drawn(name, "deck", self.epoch, first, count))
        return self.deck[first:end]

    def _draw_on(self, count: int, who: int) -> tuple[int, ...]:
        got: tuple[int, ...] = ()
        while True:
            got += self.draw(min(count - len(got), self.stop - self.next), who)
            if len(got) == count:
                return got
            if self.events_left:
                self._lay_event()
            elif self.discards:
                self._reshuffle()
            else:
                return got

    def _lay_event(self) -> None:
        """Lay the next card, an event, face up instead of drawing it (E1)."""
        card = self.deck[self.next]
        if self.log is not None:
            self.log += [Drawn("table", "deck", self.epoch, self.next, 1), Shown("deck", card)]
            self.say(f"event laid {self.cards.name(card)}")
        self.next += 1
        self.events_left -= 1
        self.face_up += (card,)
        self._find_stop()

    def _reshuffle(self) -> None:
        cards = self.discards
        self.discards = []
        self.epoch += 1
        self.put_deck(self.shuffle("deck", self.epoch, cards))
        if self.log is not None:
            self.log.append(Shuffled("deck", self.epoch, len(cards)))

    def say(self, words: str) -> None:
        """Add a public line to the log, if there is one."""
        if self.log is not None:
            self.log.append(Said(words))
