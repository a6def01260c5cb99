"""The numbers of ways to play on from a fixed deal: a change of any rule of play shows here."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from referee.games.sanjuan import position
from tests.games.randomly import perft
from tests.games.sanjuan.randomly import deal
from tests.games.sanjuan.rule_sets import NAMED

RICH: dict[str, Any] = {
    "used": ["trader"],
    "deck": ["library", "hero", "well", "smithy", "..."],
    "seats": [
        {
            "name": "ana",
            "hand": ["statue", "silver-smelter", "well", "well"],
            "city": ["indigo-plant", "smithy", "archive", {"card": "quarry", "over": ["tower"]}],
        },
        {
            "name": "ben",
            "hand": ["palace", "sugar-mill", "prefecture", "chapel"],
            "city": [
                {"card": "indigo-plant", "good": "hero"},
                {"card": "coffee-roaster", "good": "statue"},
                *("crane", "black-market", "quarry", "library", "carpenter", "poor-house"),
            ],
        },
    ],
}
"""Ben builds with everything that the rule book gives a builder."""
RICHER: dict[str, Any] = {
    "edition": "2004",
    "expansions": ["new-buildings", "events"],
    "used": ["trader"],
    "events": ["free-build", "governor-visit", "earthquake", "general-amnesty"],
    "deck": ["quarry", "hero", "taxes", "well", "smithy", "goldsmith", "residence", "..."],
    "seats": [
        {
            "name": "ana",
            "hand": ["tavern", "hut", "well"],
            "city": ["indigo-plant", "gold-mine", "goldsmith", "bank", "office-building", "tavern"],
        },
        {
            "name": "ben",
            "hand": ["palace", "harbor", "prefecture"],
            "city": [
                {"card": "indigo-plant", "good": "hero"},
                {"card": "customs-office", "good": "statue"},
                *("crane", "black-market", "quarry", "library", "park", "harbor"),
            ],
        },
    ],
}
"""Ben may take a role, an event or visit the trader, and has a park and the cathedral to build."""
OFFICE_AND_BANK: dict[str, Any] = {
    "expansions": ["new-buildings"],
    "round": 2,
    "phase": "round-start",
    "deck": ["quarry", "hero", "well", "smithy", "..."],
    "seats": [
        {
            "name": "ana",
            "hand": ["tavern", "hut", "well", "statue", "statue", "statue", "hut", "hero"],
            "city": ["indigo-plant", "bank", "office-building", "chapel", "guard-room"],
        },
        {"name": "ben", "hand": ["tavern", "well"], "city": ["bank", "office-building"]},
    ],
}
"""Everything that a round start asks."""


@pytest.mark.parametrize(
    ("which", "seats", "seed", "counts"),
    [
        ("2014", 2, 1, [5, 37, 178, 1152, 4586, 29413]),
        ("2014", 4, 2, [5, 36, 217, 1209, 11438]),
        ("2004", 2, 3, [5, 30, 137, 771, 3193, 21294]),
        ("2004", 3, 4, [5, 33, 253, 1630, 8820]),
        ("new-buildings", 2, 5, [5, 30, 143, 773, 3119, 19195]),
        ("new-buildings", 4, 6, [5, 30, 248, 953, 7138]),
        ("events", 2, 7, [5, 33, 196, 1200, 5061, 33215]),
        ("events", 3, 8, [7, 59, 541, 6053]),
        ("all", 2, 9, [5, 75, 375, 2610, 16610]),
        ("all", 3, 10, [5, 75, 2625, 15750]),
    ],
)
def test_counts_from_fixed_deals(which: str, seats: int, seed: int, counts: list[int]) -> None:
    game = deal(seats, Random(seed), rules=NAMED[which])
    assert perft(game, len(counts)) == counts


@pytest.mark.parametrize(
    ("document", "counts"),
    [
        (RICH, [8, 604, 8832]),
        (RICHER, [13, 424, 1827, 19441]),
        (OFFICE_AND_BANK, [4, 148, 592]),
    ],
)
def test_counts_from_rich_positions(document: dict[str, Any], counts: list[int]) -> None:
    game = position.load(document)
    assert perft(game, len(counts)) == counts
