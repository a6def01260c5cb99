"""The end of the game: victory points, the tie-break, who wins."""

from __future__ import annotations

from collections.abc import Callable

from referee.games.interface import Score
from referee.games.sanjuan import flow
from referee.games.sanjuan.cards import CITY, MONUMENTS, PRODUCTION, bit
from referee.games.sanjuan.state import EMPTY, NOTHING, OVER, State

BONUSES: list[tuple[int, Callable[[State, int, list[int]], int]]] = []
"""Kinds (as mask) that score at the end, given the seat's kinds in play with their copies."""

LAST: list[tuple[int, Callable[[int], int]]] = []
"""Kinds that score last, given all other points of the seat."""


def _guild_hall(st: State, seat: int, kinds: list[int]) -> int:
    plants = [kind for kind in kinds if PRODUCTION >> kind & 1]
    return len(plants) + len(set(plants))


def _city_hall(st: State, seat: int, kinds: list[int]) -> int:
    return sum(1 for kind in kinds if CITY >> kind & 1)


def _triumphal_arch(st: State, seat: int, kinds: list[int]) -> int:
    return (0, 4, 6, 8)[(st.own[seat] & MONUMENTS).bit_count()]


def _palace(points: int) -> int:
    return points // 4


BONUSES += [
    (bit("guild-hall"), _guild_hall),
    (bit("city-hall"), _city_hall),
    (bit("triumphal-arch"), _triumphal_arch),
]
LAST.append((bit("palace"), _palace))


def points(st: State, seat: int) -> int:
    """The seat's victory points as the table lies (V1)."""
    cards = st.cards
    kinds = [cards.kind_of[card] for card in st.city[seat] if card != EMPTY]
    total = sum(cards.points[kind] for kind in kinds)
    total += sum(1 for owner, _, _ in st.under if owner == seat)
    own = st.own[seat]
    for need, bonus in BONUSES:
        if own & need:
            total += bonus(st, seat, kinds)
    for need, last in LAST:
        if own & need:
            total += last(total)
    return total


def scores(st: State) -> list[Score]:
    """The result in seat order; the tie-break is hand cards and goods (V3)."""
    rows = [
        (points(st, seat), len(st.hand[seat]) + st.full[seat].bit_count())
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
