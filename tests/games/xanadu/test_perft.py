"""The numbers of ways to play on from a fixed deal: a change of any rule of play shows here."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from referee.games.xanadu import position
from tests.games.randomly import perft
from tests.games.xanadu.randomly import deal

RICH: dict[str, Any] = {
    "deck": ["oil-press", "barracks"],
    "end": ["rope-walk", "end-of-game"],
    "seats": [
        {
            "name": "ana",
            "hand": ["stone-cutter", "saddlery"],
            "city": ["tailors-shop", {"card": "noodle-house", "workers": 3}, "felt-maker"],
        },
        {
            "name": "ben",
            "hand": ["bamboo-yard"],
            "city": [{"card": "water-clock", "workers": 2}, "lime-pit"],
        },
    ],
}
"""Compulsory sales, favours, two builds, and the end of the game."""


@pytest.mark.parametrize(
    ("seats", "advanced", "seed", "counts"),
    [(2, False, 1, [3, 3]), (3, False, 2, [3, 9, 18]), (2, True, 4, [4, 40])],
)
def test_counts_of_openings_from_fixed_deals(
    seats: int, advanced: bool, seed: int, counts: list[int]
) -> None:
    game = deal(seats, advanced, Random(seed))
    assert perft(game, len(counts)) == counts


@pytest.mark.parametrize(
    ("variants", "counts"), [([], [346, 5288, 37006]), (["advanced"], [350, 5392, 39610])]
)
def test_counts_from_a_rich_position(variants: list[str], counts: list[int]) -> None:
    game = position.load({**RICH, "variants": variants})
    assert perft(game, 3) == counts
