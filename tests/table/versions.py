"""A second version of the rules of San Juan, in which one ruling is another."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from referee.games.interface import Rules
from referee.games.sanjuan import rules
from referee.games.sanjuan.game import SanJuan
from referee.games.sanjuan.rules import SanJuanRules
from referee.games.values import Event, Shuffle
from tests.table.tables import Table


class FiveCards(SanJuanRules):
    """Everybody begins with five cards instead of four."""

    version = 2

    def start(self, seats: Sequence[str], shuffle: Shuffle) -> tuple[SanJuan, list[Event]]:
        """Deal as before, and then one more card to each seat."""
        game, events = super().start(seats, shuffle)
        game.state.log = events
        for seat in range(len(seats)):
            game.state.hand[seat].extend(game.state.draw(1, seat))
        game.state.log = None
        return game, events


def have(monkeypatch: pytest.MonkeyPatch, *versions: type[Rules]) -> None:
    """Let this program have these versions of the rules of San Juan."""
    monkeypatch.setattr(rules, "VERSIONS", versions)


def second(seed: str = "second", seats: int = 2) -> Table:
    """A table that is opened under the second version, which the program must have."""
    return Table(seats, seed, rules=FiveCards.choose(None, [], [], {})).join_all()
