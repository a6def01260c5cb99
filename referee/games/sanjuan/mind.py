"""What the greedy player thinks of cards, buildings, roles and events as the table lies."""

from __future__ import annotations

from collections.abc import Callable

from referee.games.sanjuan import builder, councillor, events, producer, roles, scoring, trader
from referee.games.sanjuan.cards import (
    CITY,
    EVENTS,
    GOODS,
    MONUMENTS,
    NAMES,
    PRICES,
    PRODUCTION,
    bit,
)
from referee.games.sanjuan.flow import Action, plots_of
from referee.games.sanjuan.state import BUILDER, COUNCILLOR, EMPTY, PRODUCER, TRADER, State

_USEFUL = {
    "indigo-plant": 1.0,
    "sugar-mill": 1.8,
    "tobacco-storage": 3.2,
    "coffee-roaster": 3.6,
    "silver-smelter": 5.0,
    "smithy": 2.5,
    "gold-mine": 1.2,
    "archive": 1.0,
    "poor-house": 2.0,
    "black-market": 1.0,
    "trading-post": 2.5,
    "well": 1.8,
    "market-stand": 2.2,
    "crane": 0.8,
    "chapel": 3.5,
    "tower": 0.5,
    "aqueduct": 3.0,
    "carpenter": 5.0,
    "prefecture": 5.0,
    "market-hall": 3.5,
    "quarry": 5.0,
    "library": 6.0,
    "guard-room": 0.6,
    "office-building": 1.2,
    "hut": 0.8,
    "tavern": 1.5,
    "park": 0.4,
    "customs-office": 3.0,
    "bank": 3.0,
    "harbor": 4.0,
    "goldsmith": 2.0,
}
"""What a building does for its owner over a whole game, in victory points."""

_USE = tuple(_USEFUL.get(name, 0.0) for name in NAMES)
PRICE = tuple(sum(tile[good] for tile in PRICES) / len(PRICES) for good in range(GOODS))

_GUILD_HALL, _CITY_HALL = bit("guild-hall"), bit("city-hall")
_ARCH, _PALACE = bit("triumphal-arch"), bit("palace")
_RESIDENCE, _CATHEDRAL = bit("residence"), bit("cathedral")
_LATE = _GUILD_HALL | _CITY_HALL | _ARCH | _PALACE | _RESIDENCE | _CATHEDRAL
_GOLD_MINE = bit("gold-mine")
_GOLDSMITH, _HARBOR, _CUSTOMS = bit("goldsmith"), bit("harbor"), bit("customs-office")
_STORES = bit("chapel") | bit("bank") | bit("harbor")
"""Buildings under which points lie; how many, the table does not say."""
_CUSTOMS_KIND = _CUSTOMS.bit_length() - 1

_CARD = 0.75
"""What a hand card is worth in victory points while much can still be built."""
_GOOD = 0.75
"""What a good is worth, as part of what it sells for."""
_COMFORT = 7
"""More hand cards than this press to be spent on a building."""
_ENVY = 1.05
"""How much what the others gain by a role counts against it, shared among all seats."""


class Mind:
    """The thoughts of one seat, from what it may know."""

    def __init__(self, st: State, seat: int) -> None:
        self.st = st
        self.seat = seat
        most = max(st.buildings(other) for other in range(len(st.seats)))
        self.left = max(0.0, 1.0 - most / builder.LAST_BUILDING)
        self.card = _CARD * min(1.0, 0.25 + 1.5 * self.left)
        kind_of = st.cards.kind_of
        self.kinds = [kind_of[card] for card in st.city[seat] if card != EMPTY]
        self.hand = [kind_of[card] for card in st.hand[seat]]

    def worth(self, kind: int) -> float:
        """What it brings the seat to have this building, in victory points."""
        st, own = self.st, self.st.own[self.seat]
        mask = 1 << kind
        points = float(st.cards.points[kind]) + _USE[kind] * self.left
        if mask & PRODUCTION:
            if own & _GUILD_HALL:
                points += 1 if own & mask else 2
            points -= 0.35 * self.left * self.kinds.count(kind)
        elif own & _CITY_HALL:
            points += 1
        if mask & MONUMENTS and own & _ARCH:
            points += 2
        if own & _RESIDENCE:
            points += self._sets(kind) - scoring.residence(st, self.seat, self.kinds)
        if mask & _LATE:
            points += self._bonus(mask)
        return points * 1.25 if own & _PALACE else points

    def _sets(self, kind: int) -> int:
        return scoring.residence(self.st, self.seat, [*self.kinds, kind])

    def _bonus(self, mask: int) -> float:
        plants = [kind for kind in self.kinds if PRODUCTION >> kind & 1]
        more = 6 * self.left
        if mask & _GUILD_HALL:
            return len(plants) + len(set(plants)) + more * 0.5
        if mask & _CITY_HALL:
            return len(self.kinds) - len(plants) + 1 + more * 0.5
        if mask & _ARCH:
            have = (self.st.own[self.seat] & MONUMENTS).bit_count()
            held = len({kind for kind in self.hand if MONUMENTS >> kind & 1})
            return (0, 4, 6, 8)[min(3, have + (held > 0))] - 1.5 * (have == 0)
        if mask & _RESIDENCE:
            return self._sets(mask.bit_length() - 1) + more * 0.5
        if mask & _CATHEDRAL:
            return scoring.cathedral(self.st, self.seat, self.kinds) + more * 0.6
        points = sum(self.st.cards.points[kind] for kind in self.kinds)
        return 2 + points / 4 + more * 0.6

    def hold(self, kind: int) -> float:
        """What it is worth to have this card in the hand."""
        if not builder.may_build(self.st, self.seat, kind):
            return 0.0
        cost = builder.price(self.st, self.seat, kind)
        far = max(0, cost - len(self.hand) - 1)
        return self.worth(kind) - self.card * cost - 0.6 * far

    def cheapest(self, places: list[int], count: int) -> tuple[int, ...]:
        """The `count` places whose cards the seat would miss least."""
        seen: set[int] = set()
        order: list[tuple[float, int]] = []
        for place in places:
            kind = self.hand[place]
            value = self.hold(kind)
            if kind in seen and CITY >> kind & 1:
                value = -1.0
            seen.add(kind)
            order.append((value, place))
        return tuple(sorted(place for _, place in sorted(order)[:count]))

    def builds(self) -> tuple[float, Action]:
        """The best thing to build and what it gains; nothing when it gains nothing."""
        st, seat = self.st, self.seat
        best: tuple[float, Action] = (0.0, ())
        for kind in sorted({*self.hand, *builder.beside(st)}):
            if not builder.may_build(st, seat, kind):
                continue
            rest = builder.means(st, seat, kind)
            worth = self.worth(kind) + 0.4
            for over in (EMPTY, *builder.coverable(st, seat, kind)):
                price = builder.price(st, seat, kind, over)
                gain = worth - self.card * price
                if over != EMPTY:
                    below = st.cards.kind_of[st.city[seat][over]]
                    gain -= self.worth(below) + 0.4 + (st.full[seat] >> over & 1)
                goods: tuple[int, ...] = ()
                if price > rest:
                    goods = self._goods(over, price - rest)
                    if price - len(goods) > rest:
                        continue
                if gain > best[0] + 1e-9:
                    best = gain, (kind, over, goods, price - len(goods), 0)
        return best

    def _goods(self, over: int, count: int) -> tuple[int, ...]:
        plots = plots_of(builder.goods_for(self.st, self.seat, over))
        kind_of = self.st.cards.kind_of
        city = self.st.city[self.seat]
        if count > min(2, len(plots)):
            return ()
        return tuple(sorted(sorted(plots, key=lambda plot: (kind_of[city[plot]], plot))[:count]))

    def goods(self, seat: int, plots: int, most: int, prices: tuple[float, ...]) -> list[float]:
        """What the best `most` of these plots' goods would bring."""
        kind_of = self.st.cards.kind_of
        city = self.st.city[seat]
        values = [trader.price(kind_of[city[plot]], prices) for plot in plots_of(plots)]
        return sorted(values, reverse=True)[:most]

    def role(self, role: int) -> float:
        """What the seat gains by a role, less some of what the others do, in cards."""
        st = self.st
        library = roles.has_library(st, self.seat)
        mine = self._gain(role, self.seat, 2 if library else 1)
        others = [
            self._gain(role, other, 0) for other in range(len(st.seats)) if other != self.seat
        ]
        return mine - _ENVY / len(st.seats) * sum(others)

    def _gain(self, role: int, seat: int, privilege: int) -> float:
        st = self.st
        own = st.own[seat]
        if role == BUILDER:
            return self._building(seat, privilege)
        if role == PRODUCER:
            most = privilege + 1 + sum(more for need, more in producer.MORE if own & need)
            placed = self.goods(seat, producer.empty(st, seat), most, PRICE)
            return _GOOD * sum(placed) + (len(placed) > 1 and own & bit("well") > 0)
        if role == TRADER:
            most = privilege + 1 + sum(more for need, more in trader.MORE if own & need)
            sold = self.goods(seat, st.full[seat], most, PRICE)
            extra = sum(1 for need, least in trader.BONUS if own & need and len(sold) >= least)
            if sold and own & _HARBOR:
                extra += 1
            return (sum(sold) + extra) - _GOOD * sum(sold) * 0.45
        if role == COUNCILLOR:
            kept = councillor.kept(st, seat)
            if own & _CUSTOMS and not st.full[seat] >> st.plot_of(seat, _CUSTOMS_KIND) & 1:
                return kept * 0.95 + (0.0, 0.55, 0.75)[privilege] + _GOOD * 2
            return kept * 0.95 + (0.0, 0.55, 0.75)[privilege]
        mine = 0.25 if own & _GOLD_MINE else 0.0
        return privilege + mine + (0.5 if own & _GOLDSMITH else 0.0)

    def _building(self, seat: int, privilege: int) -> float:
        if seat != self.seat:
            return 0.9 if len(self.st.hand[seat]) > 2 else 0.3
        st = self.st
        chooser, library = st.chooser, st.library
        st.chooser, st.library = seat, privilege == 2
        gain, action = self.builds()
        st.chooser, st.library = chooser, library
        if not action:
            return -0.5
        crowded = max(0, len(self.hand) - _COMFORT)
        return min(gain, 6.0) * 0.35 + privilege + 0.5 * crowded

    def event(self, event: int) -> float:
        """What the seat gains by an event that needs no role, measured like a role."""
        seats = range(len(self.st.seats))
        gains = [_EVENT_GAINS[EVENTS[event]](self, seat) for seat in seats]
        mine = gains.pop(self.seat)
        return mine - _ENVY / len(seats) * sum(gains)

    def _shaken(self, seat: int) -> float:
        plots = events.standing(self.st, seat)
        if not plots:
            return 0.0
        return -min(self.standing(seat, plot) for plot in plots)

    def standing(self, seat: int, plot: int) -> float:
        """What a building, with what may lie on its plot, is worth to its owner."""
        st = self.st
        kind = st.cards.kind_of[st.city[seat][plot]]
        value = self.worth(kind) if seat == self.seat else st.cards.points[kind] + _USE[kind] * 0.5
        stored = 3.0 if _STORES >> kind & 1 else 0.0
        return value + stored + (st.full[seat] >> plot & 1)

    def _freed(self, seat: int) -> float:
        if seat != self.seat:
            return 1.8 if self.st.hand[seat] else 0.0
        best = max((self.worth(kind) for kind in events.free(self.st, seat)), default=-0.4)
        return 0.4 * min(best + 0.4, 6.0) + (1.0 if best > 0 else 0.0)

    def poor(self, places: list[int], most: int) -> tuple[int, ...]:
        """At most so many places whose cards are worth less than the next one of the pile."""
        chosen = self.cheapest(places, most)
        return tuple(place for place in chosen if self.hold(self.hand[place]) < 0)


def _relieved(mind: Mind, seat: int) -> float:
    return float(events.RELIEF)


def _taxed(mind: Mind, seat: int) -> float:
    return -1.0 if seat != mind.seat and mind.st.hand[seat] else 0.0


def _exchanged(mind: Mind, seat: int) -> float:
    return 0.1 * len(mind.st.hand[seat])


_EVENT_GAINS: dict[str, Callable[[Mind, int], float]] = {
    "earthquake": Mind._shaken,
    "debt-relief": _relieved,
    "taxes": _taxed,
    "general-amnesty": _exchanged,
    "free-build": Mind._freed,
}
"""What an event brings a seat, in cards."""
