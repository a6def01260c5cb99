"""The score of a city, counted as a player counts it with the scoring pad (V1, V2)."""

from __future__ import annotations

from collections.abc import Sequence

from tests.games.sanjuan.rule_sets import PRODUCTION, RuleSet

MONUMENTS = ("statue", "victory-column", "hero")
DWINDLING = (0, 4, 7, 9, 10)
"""Four points for the first, three for the second, two, one, and nothing more."""


def points(rule_set: RuleSet, cities: Sequence[Sequence[str]], seat: int, tucked: int) -> int:
    """The points of a seat's buildings in play and of the cards under them."""
    city = cities[seat]
    production = [card for card in city if card in PRODUCTION]
    total = tucked
    for card in city:
        total += rule_set.cards[card][1]
    if "guild-hall" in city and rule_set.edition == "2004":
        total += 2 * len(production)
    elif "guild-hall" in city:
        total += len(production) + len(set(production))
    if "city-hall" in city:
        total += len(city) - len(production)
    if "triumphal-arch" in city:
        total += (0, 4, 6, 8)[len([card for card in city if card in MONUMENTS])]
    if "residence" in city:
        total += DWINDLING[min(4, sum(sets(rule_set, city, cost) for cost in range(1, 7)))]
    if "cathedral" in city:
        others = [card for other, row in enumerate(cities) if other != seat for card in row]
        sixes = [card for card in others if rule_set.cards[card][0] == 6]
        total += DWINDLING[min(4, len(sixes))]
    if "palace" in city:
        total += total // 4
    return total


def sets(rule_set: RuleSet, city: Sequence[str], cost: int) -> int:
    """Count the sets of three different buildings of this cost that can be laid, by laying them.

    Laying aside one of each of the three kinds with the most copies left never spoils a set.
    """
    left = {kind: city.count(kind) for kind in city if rule_set.cards[kind][0] == cost}
    found = 0
    while len([kind for kind in left if left[kind]]) >= 3:
        for kind in sorted(left, key=lambda kind: -left[kind])[:3]:
            left[kind] -= 1
        found += 1
    return found


def winners(results: Sequence[tuple[int, int]]) -> list[bool]:
    """Tell who wins, from points and tie-breaks: the best, or all who are equal in both (V3)."""
    return [result == max(results) for result in results]
