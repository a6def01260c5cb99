"""The beginnings of the games that random tests play, and the number of times they do."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

import pytest
from hypothesis import strategies as st

from referee.games.sanjuan.game import SanJuan
from tests.games.sanjuan.randomly import deal
from tests.games.sanjuan.rule_sets import EVERY, RuleSet

AGAIN = pytest.mark.parametrize(
    "again", [0, *(pytest.param(number, marks=pytest.mark.long) for number in range(1, 40))]
)
"""Once, and with `-m long` forty times."""


class Deal(NamedTuple):
    """The beginning of a game; with `deck`, only so many cards are left in the draw pile."""

    rule_set: RuleSet
    seats: int
    seed: int
    deck: int | None

    def begin(self) -> tuple[SanJuan, Random]:
        """The dealt game, and chance to play on with."""
        rng = Random(self.seed)
        return deal(self.seats, rng, self.deck, self.rule_set), rng


DEALS = st.builds(
    Deal,
    st.sampled_from(EVERY),
    st.integers(2, 4),
    st.integers(0, 2**32),
    st.none() | st.none() | st.integers(0, 30),
)
"""Every rule set, and often so few cards in the draw pile that it runs out."""


def waits(game: SanJuan, kind: str) -> bool:
    """Return True if a decision of this kind is open."""
    return any(decision.kind == kind for decision in game.decisions())
