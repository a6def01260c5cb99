"""How many ways there are to play on from a fixed deal: a change of any rule of play shows here."""

from __future__ import annotations

from random import Random

import pytest

from referee.games.sanjuan import position
from referee.games.sanjuan.game import SanJuan
from tests.games.sanjuan.randomly import Turn, deal


def perft(game: SanJuan, depth: int) -> int:
    """The number of ways in which the next `depth` answers can go."""
    if game.over:
        return 0
    turn = Turn(game, Random(0))
    plays = turn.view().plays(1_000_000)
    assert plays is not None
    if depth == 1:
        return len(plays)
    total = 0
    for play in plays:
        twin = game.copy()
        twin.take(turn.decision.id, play, turn.letters)
        total += perft(twin, depth - 1)
    return total


RICH = {
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


@pytest.mark.parametrize(
    ("seats", "seed", "counts"),
    [(2, 1, [5, 37, 178, 1152, 4586, 29413]), (4, 2, [5, 36, 217, 1209, 11438])],
)
def test_counts_from_fixed_deals(seats: int, seed: int, counts: list[int]) -> None:
    game = deal(seats, Random(seed))
    assert [perft(game, depth) for depth in range(1, len(counts) + 1)] == counts


def test_counts_from_a_rich_position() -> None:
    assert [perft(position.load(RICH), depth) for depth in (1, 2, 3)] == [8, 604, 8832]
