"""The state that a position describes, and all that is impossible about it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise
from typing import Any

from referee.games.errors import NotUnderstood
from referee.games.fields import Document
from referee.games.sanjuan import round_start, trader
from referee.games.sanjuan.cards import (
    ALIASES,
    CITY,
    EVENTS,
    FIRST_EVENT,
    HOLDERS,
    KINDS,
    NAMES,
    TILES,
    Cards,
)
from referee.games.sanjuan.moment import Moment
from referee.games.sanjuan.rules import MAX_ROUNDS, ROUND_LIMIT, SanJuanRules
from referee.games.sanjuan.state import (
    EMPTY,
    EVENT_PHASE,
    State,
)
from referee.games.values import Shuffle

KEYS = (
    *("edition", "expansions", "variants", "round", "round_limit", "governor", "used", "phase"),
    *("turn", "chooser", "library", "library-used", "tiles", "deck", "discards", "reshuffles"),
    *("events", "beside", "removed", "turned", "bank-used"),
    *("asking", "waiting", "one-by-one", "sold", "seats"),
)
SEAT_KEYS = ("name", "hand", "drawn", "built", "plots", "city")
PLOT_KEYS = ("card", "plot", "good", "over", "under", "unseen")
_REST = "..."
_TUCKS = [tuck.word for tuck in round_start.TUCKS]
_ONCE = [tuck.kind for tuck in round_start.TUCKS if tuck.once]
_KEEPERS = [NAMES[kind] for kind in trader.KEEPERS]


def _by_name(deck: Cards) -> Shuffle:
    def order(pile: str, epoch: int, cards: Sequence[int]) -> Sequence[int]:
        return sorted(cards, key=lambda card: (deck.name(card), card))

    return order


class Layout(Moment):
    """A state built from a document, with all that is wrong noted on the way."""

    def __init__(self, document: Mapping[str, Any], shuffle: Shuffle | None) -> None:
        super().__init__(document)
        self.begin = True
        self.keys(KEYS, "the position")
        self.seats = self.named_seats(SanJuanRules.seats, SEAT_KEYS)
        rules = self._rules()
        if not self.seats or not rules:
            return
        self.rules = rules
        self.cards = rules.cards
        self.variants = rules.variants
        self.free = [
            list(range(first, first + copies))
            for first, copies in zip(self.cards.first, self.cards.copies, strict=True)
        ]
        names = [seat.table["name"] for seat in self.seats]
        self.state = State.opening(self.cards, names, shuffle or _by_name(self.cards), rules.limit)
        self.anything: list[tuple[int, int]] = []
        self.apart = [self.cards.kind_of[card] for card in self.cards.beside]
        self.events = [self.cards.kind_of[card] for card in self.cards.events()]
        for index, seat in enumerate(self.seats):
            self._city(index, seat)
        for index, seat in enumerate(self.seats):
            self._hand(index, seat)
        self._phase()
        self._open_cards()
        self._piles()
        self._moment()

    def _rules(self) -> SanJuanRules | None:
        document = self.table
        limit = self.number("round_limit", 1, MAX_ROUNDS, ROUND_LIMIT)
        try:
            return SanJuanRules.choose(
                document.get("edition"),
                self.texts("expansions", ()),
                self.texts("variants", ()),
                {"round_limit": str(limit)},
            )
        except NotUnderstood as error:
            self.fault(error.message)
            return None

    def _card(self, name: object, where: str, also: Collection[int] = ()) -> int:
        """Take a copy of the card that is nowhere else yet; EMPTY after noting that there is none.

        Kinds that are never dealt to anybody are only known where they are among `also`.
        """
        kind = -1
        if isinstance(name, str):
            kind = KINDS.get(ALIASES.get(name, name), -1)
            if name in EVENTS:
                kind = FIRST_EVENT + EVENTS.index(name)
        if not self.cards.deals(kind) and kind not in also:
            known = [name for name, kind in KINDS.items() if self.cards.deals(kind)]
            self.unknown("card", name, [*known, *ALIASES], where)
            return EMPTY
        if not self.free[kind]:
            name = self.cards.name(self.cards.first[kind])
            most = self.cards.copies[kind]
            often = {1: "once", 2: "twice"}.get(most, f"{most} times")
            there = "there is only one" if most == 1 else f"there are only {most}"
            self.fault(f"{name} is used more than {often}; {there}")
            return EMPTY
        return self.free[kind].pop(0)

    def _pile(self, row: Document, key: str, where: str, also: Collection[int] = ()) -> list[int]:
        """Take the cards that are named under a key."""
        cards = [self._card(name, where, also) for name in row.texts(key, ())]
        return [card for card in cards if card != EMPTY]

    def _city(self, seat: int, row: Document) -> None:
        plots = row.buildings(["indigo-plant"], least=0 if self.events else 1)
        for plot in plots:
            plot.keys(PLOT_KEYS)
            self._plot(seat, plot)
        if plots and not self.state.buildings(seat) and not self.events:
            self.fault(f"{row.path}: city has no building")

    def _plot(self, seat: int, plot: Document) -> None:
        st, where = self.state, plot.path
        number = plot.number("plot", 1, 99, len(st.city[seat]) + 1) - 1
        if number < len(st.city[seat]):
            self.fault(f"{where}: plots must ascend")
            number = len(st.city[seat])
        card = self._card(plot.value("card"), where, self.apart)
        if card == EMPTY:
            return
        kind = self.cards.kind_of[card]
        if 1 << kind & CITY & st.own_mask[seat]:
            self.fault(f"{st.seats[seat]} has two of {NAMES[kind]} in play")
        st.clear(seat, number)
        good = plot.value("good", False)
        st.lay(seat, card)
        if good is not False:
            if not HOLDERS >> kind & 1:
                self.fault(f"{where}: this building holds no good")
            elif good is True:
                self.anything.append((seat, number))
                st.full_mask[seat] |= 1 << number
            else:
                st.good[seat][number] = self._card(good, where)
                st.full_mask[seat] |= 1 << number
        covered = plot.texts("over", ())
        for below, above in pairwise([*covered, NAMES[kind]]):
            if ALIASES.get(below, below) == "crane":
                self.fault(f"{where}: a crane is never built over")
            if ALIASES.get(below, below) == ALIASES.get(above, above):
                self.fault(f"{where}: a building is never built over with the same building")
        layers = {NAMES[kind], *(ALIASES.get(below, below) for below in covered)}
        if plot.value("under") and not layers.intersection(_TUCKS):
            self.fault(f"{where}: nothing can be tucked away here")
        if plot.value("unseen") and not layers.intersection(_KEEPERS):
            self.fault(f"{where}: no good goes under anything here")
        st.over += self._lying(seat, number, self._pile(plot, "over", where, self.apart))
        st.under += self._lying(seat, number, self._pile(plot, "under", where))
        st.unseen += self._lying(seat, number, self._pile(plot, "unseen", where))

    def _lying(
        self, seat: int, plot: int, cards: Sequence[int]
    ) -> tuple[tuple[int, int, int], ...]:
        return tuple((seat, plot, card) for card in cards)

    def _hand(self, seat: int, row: Document) -> None:
        st = self.state
        name = st.seats[seat]
        st.clear(seat, row.number("plots", 0, 99, 0))
        st.hand[seat] = self._pile(row, "hand", f"{name}, hand")
        st.drawn[seat] = row.number("drawn", 0, len(st.hand[seat]), 0)
        if row.has("built"):
            plot = row.number("built", 1, max(1, len(st.city[seat])), 1) - 1
            if plot < len(st.city[seat]) and st.city[seat][plot] != EMPTY:
                st.built[seat] = self.cards.kind_of[st.city[seat][plot]]
            else:
                self.fault(f"{name}: there is no building on the plot that was just built")

    def _open_cards(self) -> None:
        """Read the cards that lie on the table for all to see, beside the cities."""
        document, st = self.table, self.state
        st.face_up = tuple(self._named("events", self.events))
        st.removed = tuple(self._named("removed", [*self.events, *self.apart]))
        if st.phase >= EVENT_PHASE:
            card = self.cards.events()[st.phase - EVENT_PHASE]
            if card in st.face_up:
                self.fault(f"{self.cards.name(card)} is carried out: it does not lie face up")
            elif card not in st.removed:
                self.free[self.cards.kind_of[card]].clear()
                st.removed += (card,)
        if "beside" in document:
            st.beside = tuple(self._named("beside", self.apart))
        else:
            st.beside = tuple(card for kind in self.apart for card in self.free[kind])
        st.turned = tuple(self._pile(self, "turned", "turned"))
        costs = {self.cards.cost[self.cards.kind_of[card]] for card in st.turned}
        if st.turned and not len(st.turned) == len(costs) == 4:
            self.fault("the cards turned over to choose from are four of four costs")
        for name in self.texts("bank-used", ()):
            st.bank_used |= 1 << self._seat(name, "bank-used")
        if st.bank_used and not any(self.cards.deals(kind) for kind in _ONCE):
            self.fault("bank-used: there is no bank in this game")

    def _named(self, key: str, kinds: Sequence[int]) -> list[int]:
        """Take the cards of these kinds, one of each, that are named under a key."""
        known = [self.cards.name(self.cards.first[kind]) for kind in kinds]
        for name in self.texts(key, ()):
            if name not in known:
                self.unknown("card", name, known, key)
                return []
        return self._pile(self, key, key, kinds)

    def _piles(self) -> None:
        st = self.state
        st.discards = self._pile(self, "discards", "discards")
        deck = self.texts("deck", (_REST,))
        rest = deck[-1:] == [_REST]
        pile = [self._card(name, "deck", self.events) for name in deck[: len(deck) - rest]]
        by_name = sorted(self.cards.dealt, key=NAMES.__getitem__)
        for seat, plot in self.anything:
            left = [kind for kind in by_name if self.free[kind]]
            if not left:
                self.fault("no card is left for a good")
                return
            st.good[seat][plot] = self.free[left[-1]].pop()
        if rest:
            # Events go last: a position that does not name them is not about them.
            for kind in [*by_name, *self.events]:
                pile += self.free[kind]
        st.put_deck([card for card in pile if card != EMPTY])
        st.epoch = self.number("reshuffles", 0, 10_000, 0)
        tiles = self.texts("tiles", ())
        for tile in tiles:
            if tile not in TILES:
                self.fault(f"there is no tile {tile!r}")
            elif tiles.count(tile) > 1:
                self.fault(f"tile {tile} is there twice")
        order = [TILES.index(tile) for tile in tiles if tile in TILES]
        st.tiles = tuple(order + [tile for tile in range(len(TILES)) if tile not in order])
