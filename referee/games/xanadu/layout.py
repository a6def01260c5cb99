"""The state that a position describes, and all that is impossible about it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from referee.games.errors import NotUnderstood
from referee.games.fields import Document
from referee.games.values import Shuffle
from referee.games.xanadu import pile
from referee.games.xanadu.deck import Deck
from referee.games.xanadu.deckfile import END_CARD
from referee.games.xanadu.recruit import STALLED
from referee.games.xanadu.rules import XanaduRules
from referee.games.xanadu.state import (
    FULL,
    HAND,
    KIND_NAMES,
    NOTHING,
    OPENING,
    RESET,
    State,
    worker,
)

KEYS = (
    *("edition", "variants", "passes", "stall_guard", "own-deck", "round", "active", "asking"),
    *("waiting", "need", "deck", "end", "discards", "reshuffles", "idle", "seats"),
)
SEAT_KEYS = ("name", "hand", "coins", "plots", "city")
PLOT_KEYS = ("card", "plot", "workers")
WORKER_KEYS = ("card", "by")
OVER = "over"
_REST = "..."


def _by_name(deck: Deck) -> Shuffle:
    def order(pile: str, epoch: int, cards: Sequence[int]) -> Sequence[int]:
        return sorted(cards, key=deck.names.__getitem__)

    return order


class Layout(Document):
    """A state built from a document, with all that is wrong noted on the way."""

    rules: XanaduRules
    state: State

    def __init__(self, document: Mapping[str, Any], shuffle: Shuffle | None) -> None:
        super().__init__(document)
        self.keys(KEYS, "the position")
        self.seats = self.named_seats(XanaduRules.seats, SEAT_KEYS)
        rules = self._rules()
        if not self.seats or not rules:
            return
        self.rules = rules
        self.cards = rules.cards
        self.free = dict.fromkeys(range(self.cards.total))
        names = [seat.table["name"] for seat in self.seats]
        self.state = rules.blank(names, shuffle or _by_name(self.cards))
        self.anybody: list[tuple[int, int, int]] = []
        for index, seat in enumerate(self.seats):
            self._seat(index, seat)
        self._piles()
        self._moment()

    def _rules(self) -> XanaduRules | None:
        document = self.table
        options = {}
        if "passes" in document:
            options["passes"] = str(self.number("passes", 2, 3, 2))
        options["stall_guard"] = "on" if self.flag("stall_guard", True) else "off"
        edition = document.get("edition")
        if edition is not None and not isinstance(edition, str):
            self.fault("edition must be a name")
            edition = None
        variants = self.texts("variants", ())
        try:
            rules = XanaduRules.of(edition, (), variants, options, document.get("own-deck"))
        except NotUnderstood as error:
            self.fault(error.message)
            return None
        if self.seats and rules.fits(len(self.seats)):
            self.fault(rules.fits(len(self.seats)))
            return None
        return rules

    def _card(self, name: object, where: str) -> int:
        """Take the card of this name, nowhere else yet; -1 after noting that there is none."""
        number = self.cards.number.get(name, -1) if isinstance(name, str) else -1
        if number not in self.free:
            if 0 <= number < self.cards.total:
                self.fault(f"{where}: {name} is there twice")
            else:
                self.unknown("card", name, self.cards.number, where)
            return -1
        del self.free[number]
        return number

    def _some(self, names: Sequence[str], where: str) -> list[int]:
        return [card for card in (self._card(name, where) for name in names) if card >= 0]

    def _seat(self, seat: int, row: Document) -> None:
        st = self.state
        name = st.seats[seat]
        st.coins[seat] = row.number("coins", 0, 1_000_000, 0)
        for building in row.buildings([]):
            self._building(seat, building)
        if len(st.city[seat]) > st.city_limit:
            self.fault(f"{name} has more than {st.city_limit} buildings")
        st.plots_used[seat] = row.number("plots", st.plots_used[seat], 900, st.plots_used[seat])
        st.hand[seat] = self._some(row.texts("hand", ()), f"{name}, hand")

    def _building(self, seat: int, entry: Document) -> None:
        st, where = self.state, entry.path
        entry.keys(PLOT_KEYS)
        plot = entry.number("plot", 1, 900, st.plots_used[seat] + 1)
        if plot <= st.plots_used[seat]:
            self.fault(f"{where}: plots must ascend")
            plot = st.plots_used[seat] + 1
        card = self._card(entry.value("card"), where)
        if card < 0:
            return
        st.plots_used[seat] = plot
        workers = entry.value("workers", [])
        if type(workers) is int and 0 <= workers < FULL:
            self.anybody.append((seat, plot, workers))
            workers = []
        if not isinstance(workers, list) or len(workers) >= FULL:
            self.fault(f"{where}: workers must be at most {FULL - 1} cards, or how many")
            workers = []
        crew = [self._worker(seat, entry, where) for entry in workers]
        st.city[seat][plot] = (card, tuple(placed for placed in crew if placed >= 0))

    def _worker(self, owner: int, entry: object, where: str) -> int:
        st = self.state
        by = st.seats[owner]
        if isinstance(entry, dict):
            self.inner(entry, where).keys(WORKER_KEYS)
            by, entry = entry.get("by", by), entry.get("card")
        if by not in st.seats:
            self.unknown("seat", by, st.seats, where)
            return -1
        card = self._card(entry, f"{where}, workers")
        return worker(card, st.seats.index(by)) if card >= 0 else -1

    def _piles(self) -> None:
        document, st, cards = self.table, self.state, self.cards
        st.discards = self._some(self.texts("discards", ()), "discards")
        end = self.texts("end", ())
        over = document.get("asking") == OVER
        if end.count(END_CARD) != 1 and not (over and END_CARD not in end) and "end" in document:
            self.fault(f"end must hold {END_CARD} once")
            end = [*(name for name in end if name != END_CARD), END_CARD]
        last = tuple(cards.end if name == END_CARD else self._card(name, "end") for name in end)
        deck = self.texts("deck", (_REST,))
        rest = deck[-1:] == [_REST]
        found = self._some(deck[: len(deck) - rest], "deck")
        for seat, plot, count in self.anybody:
            card, _ = st.city[seat][plot]
            chosen = sorted(self.free, key=cards.names.__getitem__, reverse=True)[:count]
            crew = tuple(worker(number, seat) for number in chosen)
            for number in chosen:
                del self.free[number]
            if len(crew) < count:
                self.fault("no card is left for a worker")
            st.city[seat][plot] = (card, crew)
        if rest:
            found += sorted(self.free, key=cards.names.__getitem__)
        st.deck = tuple(found)
        passes = st.passes
        usual = passes - 1 if "end" in document else 0
        st.epoch = self.number("reshuffles", 0, passes - 1, usual)
        if ("end" in document) != st.buried:
            self.fault("end is there in the last pass and only then")
        elif cards.end in last:
            pile.bury(st, tuple(card for card in last if card >= 0))
        else:
            st.end_pile = last

    def _moment(self) -> None:
        document, st = self.table, self.state
        st.round = self.number("round", 1, 10_000, 1)
        over = document.get("asking") == OVER
        st.idle_turns = self.number("idle", 0, STALLED * len(st.seats) - (not over), 0)
        active = document.get("active", st.seats[0])
        if active not in st.seats:
            self.unknown("seat", active, st.seats, "active")
            active = st.seats[0]
        st.active = st.actor = st.seats.index(active)
        begin = st.round == 1 and not any(st.city) and any(st.hand)
        asking = document.get("asking", KIND_NAMES[OPENING] if begin else "turn")
        if over:
            st.kind = NOTHING
            return
        if asking not in KIND_NAMES:
            self.fault(f"there is no question {asking!r}")
            asking = "turn"
        st.kind = KIND_NAMES.index(asking)
        most = HAND
        if st.kind in (OPENING, RESET):
            usual = st.opening_size if st.kind == OPENING else 1
            st.need = self.number("need", 1, st.opening_size, usual)
            most = HAND - 1 + st.need
            self._waiting()
        else:
            st.asked = 1 << st.active
            if not any(st.city) and any(st.hand):
                self.fault("no building is in play: everybody begins anew")
        for name, hand in zip(st.seats, st.hand, strict=True):
            if len(hand) > most:
                self.fault(f"{name} holds more than {most} cards")

    def _waiting(self) -> None:
        st = self.state
        able = [st.seats[seat] for seat in st.clockwise() if st.hand[seat]]
        names = self.texts("waiting", able)
        if not names or names != [name for name in able if name in names]:
            self.fault("waiting must name seats with cards, clockwise")
            return
        st.asked = sum(1 << st.seats.index(name) for name in names)
        st.actor = st.waiting()[0]
