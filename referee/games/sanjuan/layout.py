"""Builds the state that a position describes, and notes what is impossible about it on the way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from referee.games.interface import NotUnderstood, Shuffle
from referee.games.sanjuan import flow
from referee.games.sanjuan.builder import LAST_BUILDING
from referee.games.sanjuan.cards import ALIASES, CITY, HOLDERS, KINDS, NAMES, TILES, Cards, bit
from referee.games.sanjuan.rules import ROUND_LIMIT, SanJuanRules
from referee.games.sanjuan.state import (
    BUILD,
    BUILDER,
    CHOICE,
    EMPTY,
    KINDS_OF,
    OVER,
    PHASES,
    ROLE,
    ROLES,
    ROUND_START,
    TRADER,
    State,
)

KEYS = (
    *("edition", "expansions", "variants", "round", "round_limit", "governor", "used", "phase"),
    *("turn", "chooser", "library", "library-used", "tiles", "deck", "discards", "reshuffles"),
    *("waiting", "one-by-one", "sold", "seats"),
)
SEAT_KEYS = ("name", "hand", "drawn", "built", "city")
PLOT_KEYS = ("card", "plot", "good", "over", "under")
_REST = "..."


def _by_name(deck: Cards) -> Shuffle:
    def order(pile: str, epoch: int, cards: Sequence[int]) -> Sequence[int]:
        return sorted(cards, key=lambda card: (deck.name(card), card))

    return order


class Layout:
    """Builds the state of a document and notes what is wrong with it on the way."""

    def __init__(self, document: Mapping[str, Any], shuffle: Shuffle | None) -> None:
        self.document = document
        self.faults: list[str] = []
        self.begin = True
        self._keys(document, KEYS, "the position")
        self.seats = self._seats()
        rules = self._rules()
        if not self.seats or not rules:
            return
        self.rules = rules
        self.cards = rules.cards
        self.free = [
            list(range(first, first + copies))
            for first, copies in zip(self.cards.first, self.cards.copies, strict=True)
        ]
        names = [seat["name"] for seat in self.seats]
        self.state = State(self.cards, names, shuffle or _by_name(self.cards), rules.limit)
        self.anything: list[tuple[int, int]] = []
        for index, seat in enumerate(self.seats):
            self._city(index, seat.get("city", ["indigo-plant"]))
        for index, seat in enumerate(self.seats):
            self._hand(index, seat)
        self._piles()
        self._moment()

    def fault(self, text: str) -> None:
        self.faults.append(text)

    def _keys(self, table: Mapping[str, Any], known: Sequence[str], where: str) -> None:
        for key in table:
            if key not in known:
                self.fault(f"{where} has no key {key!r}")

    def _number(
        self, table: Mapping[str, Any], key: str, default: int, least: int, most: int
    ) -> int:
        value = table.get(key, default)
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            self.fault(f"{key} must be a number from {least} to {most}")
            return default
        return value

    def _truth(self, key: str, default: bool) -> bool:
        value = self.document.get(key, default)
        if not isinstance(value, bool):
            self.fault(f"{key} must be true or false")
            return default
        return value

    def _texts(self, table: Mapping[str, Any], key: str, default: Sequence[str]) -> list[str]:
        value = table.get(key, default)
        if not isinstance(value, list | tuple) or not all(isinstance(text, str) for text in value):
            self.fault(f"{key} must be a list of names")
            return []
        return list(value)

    def _seats(self) -> list[Mapping[str, Any]]:
        seats = self.document.get("seats")
        if (
            not isinstance(seats, list)
            or not 2 <= len(seats) <= 4
            or not all(
                isinstance(seat, dict) and isinstance(seat.get("name"), str) for seat in seats
            )
        ):
            self.fault("seats must be 2 to 4 tables, each with a name")
            return []
        names = [seat["name"] for seat in seats]
        for seat in seats:
            self._keys(seat, SEAT_KEYS, f"seat {seat['name']}")
        if len(set(names)) < len(names):
            self.fault("two seats have the same name")
        return seats

    def _rules(self) -> SanJuanRules | None:
        document = self.document
        limit = self._number(document, "round_limit", ROUND_LIMIT, 1, 99_999)
        try:
            return SanJuanRules.choose(
                document.get("edition"),
                self._texts(document, "expansions", ()),
                self._texts(document, "variants", ()),
                {"round_limit": str(limit)},
            )
        except NotUnderstood as error:
            self.fault(error.message)
            return None

    def _kind(self, name: object, where: str) -> int:
        """The kind of a card's name; -1 after noting that there is none in this rule set."""
        if isinstance(name, str):
            kind = KINDS.get(ALIASES.get(name, name), -1)
            if kind >= 0 and self.cards.copies[kind]:
                return kind
        self.fault(f"{where}: there is no card {name!r}")
        return -1

    def _card(self, name: object, where: str) -> int:
        """A copy of the card that is nowhere else yet; EMPTY after noting that there is none."""
        kind = self._kind(name, where)
        if kind < 0:
            return EMPTY
        if not self.free[kind]:
            copies = self.cards.copies[kind]
            text = f"there are more than {copies} of {NAMES[kind]}"
            if text not in self.faults:
                self.fault(text)
            return EMPTY
        return self.free[kind].pop(0)

    def _city(self, seat: int, city: object) -> None:
        st = self.state
        name = st.seats[seat]
        if not isinstance(city, list) or not city:
            self.fault(f"{name}: city must be a list of buildings")
            return
        for entry in city:
            plot: Mapping[str, Any]
            if isinstance(entry, str):
                plot = {"card": entry}
            elif isinstance(entry, dict):
                plot = entry
            else:
                self.fault(f"{name}: a building is a name or a table")
                continue
            where = f"{name}, {plot.get('card', 'a building')}"
            self._keys(plot, PLOT_KEYS, where)
            self._plot(seat, plot, where)
        if st.city[seat].count(EMPTY) == len(st.city[seat]):
            self.fault(f"{name}: city has no building")

    def _plot(self, seat: int, plot: Mapping[str, Any], where: str) -> None:
        st = self.state
        number = self._number(plot, "plot", len(st.city[seat]) + 1, 1, 99) - 1
        if number < len(st.city[seat]):
            self.fault(f"{where}: plots must ascend")
            number = len(st.city[seat])
        card = self._card(plot.get("card"), where)
        if card == EMPTY:
            return
        kind = self.cards.kind_of[card]
        if 1 << kind & CITY & st.own[seat]:
            self.fault(f"{st.seats[seat]} has two of {NAMES[kind]} in play")
        while len(st.city[seat]) < number:
            st.city[seat].append(EMPTY)
            st.good[seat].append(EMPTY)
        good = plot.get("good", False)
        st.lay(seat, card)
        if good is not False:
            if not HOLDERS >> kind & 1:
                self.fault(f"{where}: this building holds no good")
            elif good is True:
                self.anything.append((seat, number))
                st.full[seat] |= 1 << number
            else:
                st.good[seat][number] = self._card(good, where)
                st.full[seat] |= 1 << number
        covered = self._texts(plot, "over", ())
        for below, above in pairwise([*covered, NAMES[kind]]):
            if ALIASES.get(below, below) == "crane":
                self.fault(f"{where}: a crane is never built over")
            if ALIASES.get(below, below) == ALIASES.get(above, above):
                self.fault(f"{where}: a building is never built over with the same building")
        for below in covered:
            st.over += ((seat, number, self._card(below, where)),)
        tucked = self._texts(plot, "under", ())
        if tucked and "chapel" not in (NAMES[kind], *(ALIASES.get(x, x) for x in covered)):
            self.fault(f"{where}: nothing can be tucked away here")
        for below in tucked:
            st.under += ((seat, number, self._card(below, where)),)

    def _hand(self, seat: int, table: Mapping[str, Any]) -> None:
        st = self.state
        name = st.seats[seat]
        for card in self._texts(table, "hand", ()):
            number = self._card(card, f"{name}, hand")
            if number != EMPTY:
                st.hand[seat].append(number)
        st.drawn[seat] = self._number(table, "drawn", 0, 0, len(st.hand[seat]))
        if "built" in table:
            plot = self._number(table, "built", 1, 1, max(1, len(st.city[seat]))) - 1
            if plot < len(st.city[seat]) and st.city[seat][plot] != EMPTY:
                st.built[seat] = self.cards.kind_of[st.city[seat][plot]]
            else:
                self.fault(f"{name}: there is no building on the plot that was just built")

    def _piles(self) -> None:
        document, st = self.document, self.state
        for name in self._texts(document, "discards", ()):
            card = self._card(name, "discards")
            if card != EMPTY:
                st.discards.append(card)
        deck = self._texts(document, "deck", (_REST,))
        rest = deck[-1:] == [_REST]
        pile = [self._card(name, "deck") for name in deck[: len(deck) - rest]]
        for seat, plot in self.anything:
            left = [
                kind for kind in sorted(range(len(NAMES)), key=NAMES.__getitem__) if self.free[kind]
            ]
            if not left:
                self.fault("no card is left for a good")
                return
            st.good[seat][plot] = self.free[left[-1]].pop()
        if rest:
            for kind in sorted(range(len(NAMES)), key=NAMES.__getitem__):
                pile += self.free[kind]
        st.deck = tuple(card for card in pile if card != EMPTY)
        st.epoch = self._number(document, "reshuffles", 0, 0, 10_000)
        tiles = self._texts(document, "tiles", ())
        for tile in tiles:
            if tile not in TILES:
                self.fault(f"there is no tile {tile!r}")
            elif tiles.count(tile) > 1 and f"tile {tile} is there twice" not in self.faults:
                self.fault(f"tile {tile} is there twice")
        order = [TILES.index(tile) for tile in tiles if tile in TILES]
        st.tiles = tuple(order + [tile for tile in range(len(TILES)) if tile not in order])

    def _seat(self, name: object, key: str) -> int:
        if isinstance(name, str) and name in self.state.seats:
            return self.state.seats.index(name)
        self.fault(f"{key}: there is no seat {name!r}")
        return 0

    def _moment(self) -> None:
        document, st = self.document, self.state
        count = len(st.seats)
        st.round = self._number(document, "round", 1, 1, 10_000)
        if st.round > st.limit:
            self.fault("the round is beyond round_limit")
        st.governor = (st.round - 1) % count
        if "governor" in document:
            st.governor = self._seat(document["governor"], "governor")
        phase = document.get("phase", "role")
        if phase not in PHASES:
            self.fault(f"there is no phase {phase!r}")
            phase = PHASES[CHOICE]
        st.phase = PHASES.index(phase)
        for role in self._texts(document, "used", ()):
            if role not in ROLES:
                self.fault(f"there is no role {role!r}")
            else:
                st.used |= 1 << ROLES.index(role)
        if st.phase in range(len(ROLES)):
            st.used |= 1 << st.phase
        turns = 3 if count == 2 else count
        taken = st.used.bit_count()
        if st.phase == ROUND_START:
            st.turn = 0
            if st.round == 1:
                self.fault("the first round has no round start")
            if taken:
                self.fault("no role is used at the start of a round")
            if "turn" in document and document["turn"] != 0:
                self.fault("turn is 0 at the start of a round")
        else:
            turn = taken + (st.phase == CHOICE)
            st.turn = self._number(document, "turn", max(turn, 1), 1, 10_000)
            if st.turn > turns:
                self.fault(f"there are {turns} turns in a round")
            elif st.turn != turn and st.phase != OVER:
                self.fault(f"it cannot be turn {st.turn} with {taken} roles taken")
        st.chooser = (st.governor + max(st.turn, 1) - 1) % count
        if "chooser" in document and self._seat(document["chooser"], "chooser") != st.chooser:
            self.fault(f"it is the turn of {st.seats[st.chooser]} by governor and turn")
        st.actor = st.chooser
        self._library()
        self._begun()
        for seat, name in enumerate(st.seats):
            count = st.buildings(seat)
            done = st.phase == OVER or (st.phase == BUILDER and not self.begin)
            if count > LAST_BUILDING or (count == LAST_BUILDING and not done):
                self.fault(f"{name} has {count} buildings: the game has ended")

    def _library(self) -> None:
        document, st = self.document, self.state
        for name in self._texts(document, "library-used", ()):
            st.spent |= 1 << self._seat(name, "library-used")
        running = st.phase < len(ROLES)
        has = bool(st.own[st.chooser] & bit("library"))
        value = self._truth("library", running and has and not st.spent >> st.chooser & 1)
        if value and not running:
            self.fault("no library is in use while no role is carried out")
        elif value and not has and "waiting" not in document:
            self.fault(f"{st.seats[st.chooser]} has no library to use")
        st.library = value
        if st.library:
            st.spent |= 1 << st.chooser

    def _begun(self) -> None:
        document, st = self.document, self.state
        if "waiting" not in document:
            if any(st.drawn):
                self.fault("drawn is for a phase that has begun, with waiting")
            return
        self.begin = False
        st.kind = KINDS_OF[st.phase][0] if KINDS_OF[st.phase] else -1
        seats = [self._seat(name, "waiting") for name in self._texts(document, "waiting", ())]
        order = [seat for seat in flow.clockwise(st) if seat in seats]
        if st.kind < 0 or not seats or order != seats:
            self.fault("waiting must name seats in clockwise order, in a phase that asks them")
            return
        st.serial = self._truth("one-by-one", st.kind in (ROLE, BUILD))
        if st.serial and len(seats) > 1:
            self.fault("one seat waits where it goes one by one")
            return
        st.actor = seats[0]
        st.asked = sum(1 << seat for seat in seats)
        st.sold = self._truth("sold", False)
        if st.phase == TRADER:
            # The tile of the running phase is turned already: it is the last one of the list.
            st.tile = len(st.tiles)
