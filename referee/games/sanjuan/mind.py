"""Values that the greedy player gives to cards, buildings, roles and events as the table lies.

schemas/GREEDY.md says the same for other programs. All values are whole numbers of 1/POINT of a
victory point, and every division comes out even, so that no machine rounds an answer otherwise.
"""

from __future__ import annotations

from collections.abc import Callable

from referee.games.sanjuan import (
    builder,
    councillor,
    events,
    producer,
    prospector,
    roles,
    scoring,
    trader,
)
from referee.games.sanjuan.cards import (
    CITY,
    EVENTS,
    HOLDERS,
    MONUMENTS,
    NAMES,
    PRICES,
    PRODUCTION,
    bit,
    name_of,
)
from referee.games.sanjuan.flow import Action, added, plots_of
from referee.games.sanjuan.state import BUILDER, COUNCILLOR, EMPTY, PRODUCER, TRADER, State

POINT = 96_000
LAST = builder.LAST_BUILDING

_USEFUL = {
    "indigo-plant": 10,
    "sugar-mill": 18,
    "tobacco-storage": 32,
    "coffee-roaster": 36,
    "silver-smelter": 50,
    "smithy": 25,
    "gold-mine": 12,
    "archive": 10,
    "poor-house": 20,
    "black-market": 10,
    "trading-post": 25,
    "well": 18,
    "market-stand": 22,
    "crane": 8,
    "chapel": 35,
    "tower": 5,
    "aqueduct": 30,
    "carpenter": 50,
    "prefecture": 50,
    "market-hall": 35,
    "quarry": 50,
    "library": 60,
    "guard-room": 6,
    "office-building": 12,
    "hut": 8,
    "tavern": 15,
    "park": 4,
    "customs-office": 30,
    "bank": 30,
    "harbor": 40,
    "goldsmith": 20,
}
"""Use of a building to its owner over a whole game, in tenths of a victory point."""

_OTHERWISE = 20
"""Use of a building that is not named above, if it does anything before the end."""

_SCORING = sum(need for need, _ in (*scoring.BONUSES, *scoring.LAST))
_IDLE = MONUMENTS | _SCORING
_USE = tuple(
    POINT * _USEFUL.get(name, 0 if _IDLE >> kind & 1 else _OTHERWISE) // 10
    for kind, name in enumerate(NAMES)
)
AVERAGE = {
    kind: POINT * sum(trader.good_price(kind, tile) for tile in PRICES) // len(PRICES)
    for kind in plots_of(HOLDERS)
}
"""Average price of the good of a kind, over all tiles."""

_GUILD_HALL, _ARCH, _CATHEDRAL = bit("guild-hall"), bit("triumphal-arch"), bit("cathedral")
_DUG = {"goldsmith": 2}
"""Quarters of a card that a building brings by turning cards over in a prospector phase; else 1."""

_CARD = 3 * POINT // 4
"""Worth of a hand card while much can still be built."""
_COMFORT = 7
"""Hand cards beyond this number press to be spent on a building."""
_LAID = 4 * POINT // 10
"""Worth of one building more, whichever."""
_MOST = 6 * POINT
"""The most that is hoped for from one building."""


class Mind:
    """The values of one seat, from what it may know.

    `left` is how many buildings the seat that has most lacks to the last one, `card` what a hand
    card is worth now.
    """

    def __init__(self, st: State, seat: int) -> None:
        self.st = st
        self.seat = seat
        most = max(st.buildings(other) for other in range(len(st.seats)))
        self.left = max(0, LAST - most)
        self.card = _CARD * min(8, 2 + self.left) // 8
        kind_of = st.cards.kind_of
        self.kinds = [kind_of[card] for card in st.city[seat] if card != EMPTY]
        self.hand = [kind_of[card] for card in st.hand[seat]]
        own = st.own_mask[seat]
        self.bonuses = [row for row in scoring.BONUSES if own & row[0]]
        self.last = [each for need, each in scoring.LAST if own & need]

    def worth(self, kind: int) -> int:
        """Value this building in the seat's city."""
        st, own = self.st, self.st.own_mask[self.seat]
        mask = 1 << kind
        points = st.cards.points[kind]
        value = _USE[kind] * self.left // LAST
        if mask & PRODUCTION:
            value -= 35 * POINT * self.left * self.kinds.count(kind) // (100 * LAST)
        for need, bonus in self.bonuses:
            if need == _GUILD_HALL:
                points += (1 if own & mask else 2) if mask & PRODUCTION else 0
            elif need == _ARCH:
                points += 2 if mask & MONUMENTS else 0
            else:
                with_it = bonus(st, self.seat, [*self.kinds, kind])
                points += with_it - bonus(st, self.seat, self.kinds)
        if mask & _SCORING:
            value += self._scoring(kind)
        value += POINT * points
        for each in self.last:
            value += value // each
        return value

    def _scoring(self, kind: int) -> int:
        """Estimate the points of a building that scores at the end only."""
        need = 1 << kind
        if need == _ARCH:
            have = (self.st.own_mask[self.seat] & MONUMENTS).bit_count()
            held = len({kind for kind in self.hand if MONUMENTS >> kind & 1})
            points = (0, 4, 6, 8)[min(3, have + (held > 0))]
            return POINT * points - (0 if have else 3 * POINT // 2)
        half = POINT * self.left // 4
        more = 3 * POINT * self.left // 10
        if need == _GUILD_HALL:
            plants = [kind for kind in self.kinds if PRODUCTION >> kind & 1]
            return POINT * (len(plants) + len(set(plants))) + half
        for late, each in scoring.LAST:
            if late == need:
                printed = sum(self.st.cards.points[kind] for kind in self.kinds)
                return POINT * (8 + printed) // each + more
        bonus = next(bonus for late, bonus in scoring.BONUSES if late == need)
        points = bonus(self.st, self.seat, [*self.kinds, kind])
        return POINT * points + (more if need == _CATHEDRAL else half)

    def hold(self, kind: int) -> int:
        """Value this card in the hand."""
        if not builder.may_build(self.st, self.seat, kind):
            return 0
        cost = builder.price(self.st, self.seat, kind)
        far = max(0, cost - len(self.hand) - 1)
        return self.worth(kind) - self.card * cost - 6 * POINT * far // 10

    def gain(self, kind: int) -> int:
        """Value building this card on a new plot, whether or not it can be paid now."""
        return self.worth(kind) + _LAID - self.card * builder.price(self.st, self.seat, kind)

    def cheapest(self, places: list[int], count: int) -> tuple[int, ...]:
        """Return the `count` places whose cards the seat would miss least."""
        seen: set[int] = set()
        order: list[tuple[int, int]] = []
        for place in places:
            kind = self.hand[place]
            value = self.hold(kind)
            if kind in seen and CITY >> kind & 1:
                value = -POINT
            seen.add(kind)
            order.append((value, place))
        return tuple(sorted(place for _, place in sorted(order)[:count]))

    def builds(self) -> tuple[int, Action]:
        """Return the gain of the best build, and that build; 0 and () when none gains anything."""
        st, seat = self.st, self.seat
        best: tuple[int, Action] = (0, ())
        for kind in sorted({*self.hand, *builder.beside(st)}):
            if not builder.may_build(st, seat, kind):
                continue
            rest = builder.payable_cards(st, seat, kind)
            worth = self.worth(kind) + _LAID
            for over in (EMPTY, *builder.coverable_plots(st, seat, kind)):
                price = builder.price(st, seat, kind, over)
                gain = worth - self.card * price
                if over != EMPTY:
                    below = st.cards.kind_of[st.city[seat][over]]
                    gain -= self.worth(below) + _LAID + POINT * (st.full_mask[seat] >> over & 1)
                goods: tuple[int, ...] = ()
                if price > rest:
                    goods = self._goods(over, price - rest)
                    if price - len(goods) > rest:
                        continue
                if gain > best[0]:
                    best = gain, (kind, over, goods, price - len(goods), 0)
        return best

    def _goods(self, over: int, count: int) -> tuple[int, ...]:
        plots = plots_of(builder.payable_goods(self.st, self.seat, over))
        kind_of = self.st.cards.kind_of
        city = self.st.city[self.seat]
        if count > min(2, len(plots)):
            return ()
        return tuple(sorted(sorted(plots, key=lambda plot: (kind_of[city[plot]], plot))[:count]))

    def goods(self, seat: int, plots: int, most: int) -> list[int]:
        """Return the average prices of the best `most` goods of these plots."""
        kind_of = self.st.cards.kind_of
        city = self.st.city[seat]
        values = [AVERAGE[kind_of[city[plot]]] for plot in plots_of(plots)]
        return sorted(values, reverse=True)[:most]

    def _above(self, gains: list[int]) -> int:
        """Return the gain of the seat, less a share of what the others gain."""
        mine = gains.pop(self.seat)
        return mine - 105 * sum(gains) // (100 * len(self.st.seats))

    def role(self, role: int) -> int:
        """Value a role: the seat's gain, less a share of what the others gain, in cards."""
        privilege = [0] * len(self.st.seats)
        privilege[self.seat] = 2 if roles.may_use_library(self.st, self.seat) else 1
        return self._above([self._gain(role, seat, more) for seat, more in enumerate(privilege)])

    def _gain(self, role: int, seat: int, privilege: int) -> int:
        st = self.st
        own = st.own_mask[seat]
        if role == BUILDER:
            return self._building(seat, privilege)
        if role == PRODUCER:
            most = privilege + 1 + added(own, producer.MORE)
            placed = self.goods(seat, producer.empty_mask(st, seat), most)
            drawn = [cards(st, seat, len(placed)) for need, cards in producer.AFTER if own & need]
            return 3 * sum(placed) // 4 + POINT * sum(drawn)
        if role == TRADER:
            most = privilege + 1 + added(own, trader.MORE)
            sold = self.goods(seat, st.full_mask[seat], most)
            extra = sum(1 for need, least in trader.BONUS if own & need and len(sold) >= least)
            if sold:
                extra += sum(own >> kind & 1 for kind in trader.KEEPERS)
            return 53 * sum(sold) // 80 + POINT * extra
        if role == COUNCILLOR:
            choice = 95 * councillor.keep_limit(st, seat) + (0, 55, 75)[privilege]
            goods = sum(councillor.lacks_good(st, seat, kind) for kind in councillor.STOCKED)
            return POINT * (choice + 150 * goods) // 100
        dug = [_DUG.get(name_of(need), 1) for need, _, _ in prospector.DIGGERS if own & need]
        return POINT * (4 * privilege + sum(dug)) // 4

    def _building(self, seat: int, privilege: int) -> int:
        if seat != self.seat:
            return POINT * (9 if len(self.st.hand[seat]) > 2 else 3) // 10
        st = self.st
        chooser, library = st.chooser, st.library
        st.chooser, st.library = seat, privilege == 2
        gain, action = self.builds()
        st.chooser, st.library = chooser, library
        if not action:
            return -POINT // 2
        crowded = max(0, len(self.hand) - _COMFORT)
        return 35 * min(gain, _MOST) // 100 + POINT * (2 * privilege + crowded) // 2

    def event(self, event: int) -> int:
        """Value an event that needs no role, in the same way as a role."""
        gain = _EVENT_GAINS[EVENTS[event]]
        return self._above([gain(self, seat) for seat in range(len(self.st.seats))])

    def _shaken(self, seat: int) -> int:
        plots = events.standing_plots(self.st, seat)
        return -min((self.standing(seat, plot) for plot in plots), default=0)

    def standing(self, seat: int, plot: int) -> int:
        """Value a building to its owner, with what may lie on its plot."""
        st = self.st
        kind = st.cards.kind_of[st.city[seat][plot]]
        if seat == self.seat:
            value = self.worth(kind)
        else:
            value = POINT * st.cards.points[kind] + _USE[kind] // 2
        # The table does not say how many cards lie under it.
        stored = 3 if kind in scoring.STORES else 0
        return value + POINT * (stored + (st.full_mask[seat] >> plot & 1))

    def _freed(self, seat: int) -> int:
        if seat != self.seat:
            return 18 * POINT // 10 if self.st.hand[seat] else 0
        best = max((self.worth(kind) for kind in events.free_kinds(self.st, seat)), default=-_LAID)
        return 4 * min(best + _LAID, _MOST) // 10 + (POINT if best > 0 else 0)

    def poor(self, places: list[int], most: int) -> tuple[int, ...]:
        """Return at most so many places whose cards are worth less than one from the pile."""
        chosen = self.cheapest(places, most)
        return tuple(place for place in chosen if self.hold(self.hand[place]) < 0)


def _relieved(mind: Mind, seat: int) -> int:
    return POINT * events.RELIEF


def _taxed(mind: Mind, seat: int) -> int:
    return -POINT if seat != mind.seat and mind.st.hand[seat] else 0


def _exchanged(mind: Mind, seat: int) -> int:
    return POINT * len(mind.st.hand[seat]) // 10


_EVENT_GAINS: dict[str, Callable[[Mind, int], int]] = {
    "earthquake": Mind._shaken,
    "debt-relief": _relieved,
    "taxes": _taxed,
    "general-amnesty": _exchanged,
    "free-build": Mind._freed,
}
"""By event: its gain for a seat, in cards."""
