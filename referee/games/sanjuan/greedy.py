"""A plain greedy player: looks one answer ahead, from what its seat may know."""

from __future__ import annotations

from collections.abc import Callable

from referee.games.sanjuan import builder, councillor, producer, roles, round_start, trader
from referee.games.sanjuan.cards import (
    CITY,
    GOODS,
    MONUMENTS,
    NAMES,
    PRICES,
    PRODUCTION,
    bit,
)
from referee.games.sanjuan.flow import Action, plots_of
from referee.games.sanjuan.state import (
    BUILD,
    BUILDER,
    COUNCILLOR,
    EMPTY,
    KEEP,
    PRODUCE,
    PRODUCER,
    ROLE,
    ROLES,
    SELL,
    TIDY,
    TRADER,
    State,
)

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
}
"""What a building does for its owner over a whole game, in victory points."""

_USE = tuple(_USEFUL.get(name, 0.0) for name in NAMES)
_PRICE = tuple(sum(tile[good] for tile in PRICES) / len(PRICES) for good in range(GOODS))

_GUILD_HALL, _CITY_HALL = bit("guild-hall"), bit("city-hall")
_ARCH, _PALACE = bit("triumphal-arch"), bit("palace")
_GOLD_MINE = bit("gold-mine")

_CARD = 0.75
"""What a hand card is worth in victory points while much can still be built."""
_GOOD = 0.75
"""What a good is worth, as part of what it sells for."""
_COMFORT = 7
"""More hand cards than this press to be spent on a building."""
_ENVY = 1.05
"""How much what the others gain by a role counts against it, shared among all seats."""


class _Mind:
    """What a seat thinks of cards, buildings and roles as the table lies."""

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
        if mask & (_GUILD_HALL | _CITY_HALL | _ARCH | _PALACE):
            points += self._bonus(mask)
        return points * 1.25 if own & _PALACE else points

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
        rest = len(self.hand) - 1
        best: tuple[float, Action] = (0.0, ())
        for kind in sorted(set(self.hand)):
            if not builder.may_build(st, seat, kind):
                continue
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
        values = [prices[kind_of[city[plot]]] for plot in plots_of(plots)]
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
            placed = self.goods(seat, producer.empty(st, seat), most, _PRICE)
            return _GOOD * sum(placed) + (len(placed) > 1 and own & bit("well") > 0)
        if role == TRADER:
            most = privilege + 1 + sum(more for need, more in trader.MORE if own & need)
            sold = self.goods(seat, st.full[seat], most, _PRICE)
            extra = sum(1 for need, least in trader.BONUS if own & need and len(sold) >= least)
            return (sum(sold) + extra) - _GOOD * sum(sold) * 0.45
        if role == COUNCILLOR:
            kept = councillor.kept(st, seat)
            return kept * 0.95 + (0.0, 0.55, 0.75)[privilege]
        mine = 0.25 if own & _GOLD_MINE else 0.0
        return privilege + mine

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


def _role(st: State, seat: int) -> Action:
    mind = _Mind(st, seat)
    free = [role for role in range(len(ROLES)) if not st.used >> role & 1]
    values = [(mind.role(role), -role) for role in free]
    return -max(values)[1], False


def _build(st: State, seat: int) -> Action:
    mind = _Mind(st, seat)
    _, action = mind.builds()
    if not action:
        return ()
    kind, over, goods, count, declined = action
    built = builder.place_of(st, seat, kind, ())
    rest = [place for place in range(len(mind.hand)) if place != built]
    return kind, over, goods, mind.cheapest(rest, count), declined


def _best_plots(st: State, seat: int, plots: int, most: int, prices: tuple[float, ...]) -> Action:
    kind_of = st.cards.kind_of
    city = st.city[seat]
    order = sorted(plots_of(plots), key=lambda plot: (-prices[kind_of[city[plot]]], plot))
    return tuple(sorted(order[:most]))


def _produce(st: State, seat: int) -> Action:
    return _best_plots(st, seat, producer.empty(st, seat), producer.most(st, seat), _PRICE)


def _sell(st: State, seat: int) -> Action:
    prices = tuple(float(price) for price in PRICES[trader.tile(st)])
    return _best_plots(st, seat, st.full[seat], trader.most(st, seat), prices)


def _keep(st: State, seat: int) -> Action:
    mind = _Mind(st, seat)
    held = len(mind.hand)
    drawn = st.drawn[seat]
    gone = drawn - councillor.kept(st, seat)
    if st.own[seat] & councillor.ARCHIVE:
        return mind.cheapest(list(range(held)), gone)
    among = list(range(held - drawn, held))
    lost = mind.cheapest(among, gone)
    return tuple(place for place in among if place not in lost)


def _tidy(st: State, seat: int) -> Action:
    mind = _Mind(st, seat)
    left = list(range(len(mind.hand)))
    tucked: list[tuple[int, ...]] = []
    for tuck in round_start.TUCKS:
        places: tuple[int, ...] = ()
        if tuck.most(st, seat) and (len(left) > 2 or mind.left < 0.3):
            places = mind.cheapest(left, 1)
            left = [place for place in left if place not in places]
        tucked.append(places)
    discard = mind.cheapest(left, max(0, len(left) - round_start.hand_limit(st, seat)))
    return (*tucked, discard) if discard or any(tucked) else ()


_BY_KIND: dict[int, Callable[[State, int], Action]] = {
    ROLE: _role,
    BUILD: _build,
    PRODUCE: _produce,
    SELL: _sell,
    KEEP: _keep,
    TIDY: _tidy,
}


def choose(st: State, seat: int) -> Action:
    """A legal answer of the seat's open decision, the same one each time."""
    return _BY_KIND[st.kind](st, seat)
