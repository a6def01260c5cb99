"""The score of a city, counted as a player counts it with the scoring pad (V1)."""

from __future__ import annotations

from collections.abc import Sequence

from tests.games.sanjuan.plain_rules import CARDS, PRODUCTION

MONUMENTS = ("statue", "victory-column", "hero")


def points(city: Sequence[str], tucked: int) -> int:
    """The points of the buildings in play and of the cards under chapels."""
    production = [card for card in city if card in PRODUCTION]
    total = tucked
    for card in city:
        total += CARDS[card][1]
    if "guild-hall" in city:
        total += len(production) + len(set(production))
    if "city-hall" in city:
        total += len(city) - len(production)
    if "triumphal-arch" in city:
        total += (0, 4, 6, 8)[len([card for card in city if card in MONUMENTS])]
    if "palace" in city:
        total += total // 4
    return total


def winners(results: Sequence[tuple[int, int]]) -> list[bool]:
    """Who wins, from points and tie-breaks: the best, or several who are equal in both (V3)."""
    return [result == max(results) for result in results]
