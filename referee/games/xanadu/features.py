"""Features of a table, as numbers, from which a network tells how a seat stands.

They go by what is printed on cards and not by which cards these are, so that a network serves every
deck. The table is taken as it lies when a turn begins. A value between two steps counts for both,
as so many parts of each. Of the other seats' hands only the size counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from referee.games.xanadu.deck import Deck
from referee.games.xanadu.pile import cards_left
from referee.games.xanadu.state import FULL, HAND, State

TIERS = 4
"""Resources count by how dear the cards are that cost them, from brown to green."""
_MOST = 12
"""Prices above it count as this one."""
LACKS, BLOCKED = 4, 3

_price, _rise, _fall, _rise_2, _fall_2, _best, _here = range(7)
_income = 7
_next_gain = _income + TIERS
_gains = _next_gain + TIERS
_crew = _gains + TIERS
_BUILDING = _crew + FULL

_own, _theirs, _hand = 0, _BUILDING, 2 * _BUILDING
_cost = _hand + _next_gain
_lack = _cost + TIERS
_ready = _lack + LACKS * BLOCKED
UNKNOWN = _ready + 2
"""A card of the seat's own hand that it has not seen yet."""

LEAD_MOST = 60
PHASES = 4
_NEAR = (4, 8)
"""Cards left for each seat in the last pass at which its phases begin, the last one first."""
_ahead = UNKNOWN + 1
_behind = _ahead + 2 * PHASES
UPSIDE = _behind + 2 * PHASES
"""From here on, by phase, what the seat's buildings could rise by."""
THEIR_UPSIDE = UPSIDE + PHASES
STOCK = THEIR_UPSIDE + PHASES
"""From here on, by phase, the number of cards in the seat's own hand."""
_size = STOCK + PHASES
_SIZES = HAND + 2
_their_size = _size + _SIZES
_built = _their_size + _SIZES
_BUILT = 7
_their_built = _built + _BUILT
_turn = _their_built + _BUILT
_passes = _turn + 6
_last = _passes + 3
_LAST = (0, 2, 4, 6, 8, 11, 14, 18, 24, 32)
"""Cards left in the last pass between which values are taken."""
_left = _last + len(_LAST)
_LEFT = (0, 8, 16, 24, 32, 48, 64)
"""The same before the last pass, and for discards."""
_discards = _left + len(_LEFT)
_PARTS = 4
_many = _discards + len(_LEFT)
_seats = _many + 1
COUNT = _seats + 5
"""The number of features."""


@lru_cache(maxsize=16)
def tiers(deck: Deck) -> tuple[int, ...]:
    """Return the tier of each resource: the mean colour of the cards that cost it."""
    found = []
    for place in range(0, 8 * len(deck.resources), 8):
        colours = [
            deck.colour[card] for card in range(deck.total) if deck.cost[card] >> place & 255
        ]
        mean = sum(colours) // len(colours) if colours else 0
        found.append(min(mean, TIERS - 1))
    return tuple(found)


def _bundle(kinds: Sequence[int], bundle: int, first: int) -> list[int]:
    """Return a feature from `first` on for each resource of a multiset."""
    found = []
    for number, tier in enumerate(kinds):
        found += [first + tier] * (bundle >> 8 * number & 255)
    return found


def _prices(prices: Sequence[int], crew: int) -> list[int]:
    """Return features of the price with `crew` workers and of what it can become."""
    now, *rest = [min(price, _MOST) for price in prices[crew:]]
    best = max(now, *rest)
    one, two = rest[0], rest[min(1, len(rest) - 1)]
    found = [_price] * now + [_best] * (best - now) + [_here] * (best == now)
    found += [_rise if one > now else _fall] * abs(one - now)
    return found + [_rise_2 if two > now else _fall_2] * abs(two - now)


@lru_cache(maxsize=2048)
def building(deck: Deck, bonus: int, card: int, crew: int, own: bool) -> list[int]:
    """Return the features of a building in play."""
    kinds = tiers(deck)
    found = _prices([price + bonus for price in deck.prices[card]], crew)
    found.append(_crew + crew)
    found += _bundle(kinds, deck.income[card][crew], _income)
    found += _bundle(kinds, deck.gives[card][crew], _next_gain)
    for gain in deck.gives[card][crew + 1 :]:
        found += _bundle(kinds, gain, _gains)
    first = _own if own else _theirs
    return [first + feature for feature in found]


@lru_cache(maxsize=512)
def held(deck: Deck, bonus: int, card: int) -> list[int]:
    """Return the features of a card in the hand, but for how hard it is to build."""
    kinds = tiers(deck)
    found = _prices([price + bonus for price in deck.prices[card]], 0)
    found += _bundle(kinds, deck.income[card][0], _income)
    return [*[_hand + feature for feature in found], *_bundle(kinds, deck.cost[card], _cost)]


def lack(deck: Deck, pool: int, offered: int, card: int) -> tuple[int, int]:
    """Return the numbers of kinds of resources of which a card costs more than the seat's income
    gives, and of those among them that no next field offers.

    `offered` has the guard bits of those that are offered.
    """
    guard = deck.guard
    lacking = ~((pool | guard) - deck.cost[card]) & guard
    some = lacking.bit_count()
    none = (lacking & ~offered).bit_count()
    return some if some < LACKS else LACKS - 1, none if none < BLOCKED else BLOCKED - 1


def lacking(some: int, none: int, price: int) -> list[int]:
    """Return the features of a card with a price that lacks so much."""
    ready = [] if some > 1 else [_ready + some] * min(price, _MOST)
    return [_lack + some * BLOCKED + none, *ready]


def lanes(deck: Deck, bundle: int) -> int:
    """Return the guard bits of the resources that a multiset has any of."""
    guard = deck.guard
    return (bundle + (guard - (guard >> 7))) & guard


def _between(value: int, steps: Sequence[int], first: int) -> list[int]:
    """Return parts of the two steps between which a value lies."""
    if value >= steps[-1]:
        return [first + len(steps) - 1] * _PARTS
    for number in range(1, len(steps)):
        if value < steps[number]:
            low, high = steps[number - 1], steps[number]
            part = _PARTS * (value - low) // (high - low)
            return [first + number - 1] * (_PARTS - part) + [first + number] * part
    return []


def phase(to_come: int, left: int, seats: int) -> int:
    """Return how near the end is: 0 before the last pass, PHASES - 1 shortly before it."""
    if to_come:
        return 0
    return PHASES - 1 - sum([left >= limit * seats for limit in _NEAR])


def lead(value: int, near: int) -> list[int]:
    """Return the features of a lead in coins, buildings at their prices included, in a phase."""
    if not value:
        return []
    first = (_ahead if value > 0 else _behind) + 2 * near
    return [first] + [first + 1] * min(abs(value), LEAD_MOST)


def upside(prices: Sequence[int], crew: int) -> int:
    """Return what a building with so many workers could rise by."""
    return max(prices[crew:]) - prices[crew]


def time(to_come: int, left: int, discards: int) -> list[int]:
    """Return the features of the time left: passes to come after this one, cards of the pile."""
    if not to_come:
        return [_passes, *_between(left, _LAST, _last)]
    found = [_passes + min(to_come, 2), *_between(left, _LEFT, _left)]
    return [*found, *_between(discards, _LEFT, _discards)]


def own_size(cards: int, buildings: int) -> list[int]:
    """Return the features of the sizes of the seat's own hand and city."""
    return [_size + min(cards, _SIZES - 1), _built + min(buildings, _BUILT - 1)]


def their_size(cards: int, buildings: int) -> list[int]:
    """Return the same for another seat."""
    return [_their_size + min(cards, _SIZES - 1), _their_built + min(buildings, _BUILT - 1)]


def rules(seats: int, many_builds: bool) -> list[int]:
    """Return the features of the rule set."""
    return [_seats + seats - 2, _many] if many_builds else [_seats + seats - 2]


def turn(seat: int, active: int, seats: int) -> int:
    """Return the feature of whose turn begins."""
    return _turn + (active - seat) % seats


def of(st: State, seat: int, hidden: int = 0) -> list[int]:
    """Return the features of a table at the beginning of a turn for a seat.

    It has not seen the last `hidden` cards of its hand yet.
    """
    deck = st.cards
    found: list[int] = []
    offered = 0
    worth = st.coins[:]
    to_come, left = st.passes - 1 - st.epoch, cards_left(st)
    near = phase(to_come, left, len(st.seats))
    for owner, city in enumerate(st.city):
        own = owner == seat
        for card, crew in city.values():
            size = len(crew)
            bonus = st.bonus[deck.colour[card]]
            found += building(deck, bonus, card, size, own)
            worth[owner] += deck.prices[card][size] + bonus
            offered |= lanes(deck, deck.gives[card][size])
            more = upside(deck.prices[card], size)
            found += [(UPSIDE if own else THEIR_UPSIDE) + near] * more
    hand = st.hand[seat]
    pool = st.income(seat)
    for card in hand[: len(hand) - hidden]:
        bonus = st.bonus[deck.colour[card]]
        found += held(deck, bonus, card)
        found += lacking(*lack(deck, pool, offered, card), deck.prices[card][0] + bonus)
    found += [UNKNOWN] * hidden
    found += [STOCK + near] * len(hand)
    found += own_size(len(hand), len(st.city[seat]))
    best = -1
    for other in range(len(st.seats)):
        if other != seat:
            found += their_size(len(st.hand[other]), len(st.city[other]))
            best = max(best, worth[other])
    found += lead(worth[seat] - best, near)
    found += time(to_come, left, len(st.discards))
    found += rules(len(st.seats), st.many_builds)
    found.append(turn(seat, st.active, len(st.seats)))
    return found
