"""The end of the game: victory points, the tie-break, who wins."""

from __future__ import annotations

from collections.abc import Callable

from referee.games.sanjuan import flow, round_start, trader
from referee.games.sanjuan.cards import CITY, MONUMENTS, PRODUCTION, bit, name_of
from referee.games.sanjuan.state import EMPTY, NOTHING, OVER, State
from referee.games.values import Score

BONUSES: list[tuple[int, Callable[[State, int, list[int]], int]]] = []
"""Kinds (as mask) that score at the end, given the seat's kinds in play, one for each copy."""

ELSEWHERE = bit("cathedral")
"""Kinds whose points depend on the cities of others."""

LAST: list[tuple[int, int]] = [(bit("palace"), 4)]
"""Kinds that score last: a point for every so many other points of the seat."""

STORES: tuple[int, ...] = (*(tuck.kind for tuck in round_start.TUCKS), *trader.KEEPERS)
"""Kinds under which cards lie that score a point each."""

Parts = list[tuple[str, int]]

DOUBLED = ("2004",)
"""Editions in which a guild hall counts each production building twice; else once, and each kind
of them (1.2)."""
SETS = (0, 4, 7, 9, 10)
"""Points for no, one, two, … sets or buildings together; four are the most that count (V2)."""


def _guild_hall(st: State, seat: int, kinds: list[int]) -> int:
    plants = [kind for kind in kinds if PRODUCTION >> kind & 1]
    return len(plants) + len(plants if st.cards.edition in DOUBLED else set(plants))


def _city_hall(st: State, seat: int, kinds: list[int]) -> int:
    return sum(1 for kind in kinds if CITY >> kind & 1)


def _triumphal_arch(st: State, seat: int, kinds: list[int]) -> int:
    return (0, 4, 6, 8)[(st.own_mask[seat] & MONUMENTS).bit_count()]


def _residence(st: State, seat: int, kinds: list[int]) -> int:
    """Score sets of three different buildings of one cost, as many as the copies allow (V2)."""
    by_cost: dict[int, dict[int, int]] = {}
    for kind in kinds:
        copies = by_cost.setdefault(st.cards.cost[kind], {})
        copies[kind] = copies.get(kind, 0) + 1
    sets = 0
    for copies in by_cost.values():
        count = 0
        while sum(min(number, count + 1) for number in copies.values()) >= 3 * (count + 1):
            count += 1
        sets += count
    return SETS[min(sets, 4)]


def _cathedral(st: State, seat: int, kinds: list[int]) -> int:
    """Score the six-cost buildings of the others (V2)."""
    cards = st.cards
    count = 0
    for other, city in enumerate(st.city):
        if other != seat:
            count += sum(card != EMPTY and cards.cost[cards.kind_of[card]] == 6 for card in city)
    return SETS[min(count, 4)]


BONUSES += [
    (bit("guild-hall"), _guild_hall),
    (bit("city-hall"), _city_hall),
    (bit("triumphal-arch"), _triumphal_arch),
    (bit("residence"), _residence),
    (ELSEWHERE, _cathedral),
]


def parts(st: State, seat: int, away: Parts) -> Parts:
    """Take the seat's points apart (V1); `away` are those for cards put away, left out if none."""
    cards = st.cards
    kinds = [cards.kind_of[card] for card in st.city[seat] if card != EMPTY]
    found = [("buildings", sum(cards.points[kind] for kind in kinds))]
    found += [part for part in away if part[1]]
    own = st.own_mask[seat]
    found += [(name_of(need), bonus(st, seat, kinds)) for need, bonus in BONUSES if own & need]
    for need, each in LAST:
        if own & need:
            found.append((name_of(need), sum(count for _, count in found) // each))
    return found


def points(st: State, seat: int) -> int:
    """Return the seat's victory points as the table lies (V1)."""
    away = sum(1 for owner, _, _ in st.under + st.unseen if owner == seat)
    return sum(count for _, count in parts(st, seat, [("put away", away)]))


def scores(st: State) -> list[Score]:
    """Return the result in seat order; the tie-break is hand cards and goods (V3)."""
    rows = [
        (points(st, seat), len(st.hand[seat]) + st.full_mask[seat].bit_count())
        for seat in range(len(st.seats))
    ]
    best = max(rows)
    return [Score(name, *row, row == best) for name, row in zip(st.seats, rows, strict=True)]


def _end(st: State) -> None:
    st.kind = NOTHING
    st.library = st.serial = False
    if st.log is not None:
        for score in scores(st):
            st.say(f"score {score.seat} {score.points} tie {score.tie}")


flow.BEGIN[OVER] = _end
