"""The answers of bots in recorded games, which a version gives for ever and on every machine."""

from __future__ import annotations

import pytest

from referee.bots import player
from referee.bots.names import LEVELS
from tests.bots.recorded import head, moments, path_of, seed_of
from tests.games.test_contract import RULE_SETS

STEPS = {"hard": 2, "expert": 12}
"""Of players that think for longer one answer of so many is tried."""


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", RULE_SETS)
def test_a_version_never_changes_its_answers(name: str, level: str) -> None:
    """Another answer to any view and seed needs another version, such as `hard-2`."""
    bot = player(level, RULE_SETS[name])
    first = path_of(name, level).read_text().partition("\n")[0]
    assert first == head(name, level)
    step = STEPS.get(level, 1)
    # Not always the same kind of decision.
    skipped = sum(name.encode()) % step
    for number, moment in enumerate(moments(name, level)):
        if number % step == skipped:
            answer = bot.answer(moment.view, seed_of(moment.decision))
            assert f"{moment.decision} {answer}" == f"{moment.decision} {moment.play}"
