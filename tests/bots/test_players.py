"""The promises of every player: legal plays, the same ones each time, known by name and version."""

from __future__ import annotations

from collections import Counter

import pytest

from referee.bots import named, player
from referee.bots.names import LEVELS
from referee.games import rules_of
from referee.games.errors import NotUnderstood
from referee.games.interface import Rules
from referee.games.match import Match
from tests.games.test_contract import EVERY
from tests.table.tables import NAMES

SAN_JUAN = rules_of("sanjuan").choose(None, [], [], {})

MOST = {"hard": 20, "expert": 4}
"""Answers that are tried of players that think for longer."""


def played(rules: Rules, levels: list[str], most: int = 10_000) -> list[str]:
    """The plays of a game between players of these levels, each of which is played."""
    match = Match.deal(rules, NAMES[: len(levels)], 1)
    bots = dict(zip(NAMES, [player(level, rules) for level in levels], strict=False))
    plays: list[str] = []
    while len(plays) < most and (asked := match.missing()):
        seat = match.seats_asked[0]
        plays.append(bots[seat].answer(match.view(seat), asked[0].encode()))
        match.play(seat, plays[-1])
    return plays


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", EVERY)
def test_every_level_plays_every_rule_set_the_same_way_each_time(name: str, level: str) -> None:
    rules = EVERY[name]
    seats = next(count for count in rules.seats if not rules.fits(count))
    most = MOST.get(level, 60)
    plays = played(rules, [level] * seats, most)
    assert plays == played(rules, [level] * seats, most)


def test_an_easy_player_slips_now_and_then() -> None:
    match = Match.deal(SAN_JUAN, NAMES[:2], 1)
    view = match.view("ana")
    easy = player("easy", SAN_JUAN)
    said = Counter(easy.answer(view, bytes([seed])) for seed in range(200))
    assert said[view.suggest()] > 120
    assert set(said) == set(view.plays() or ())


@pytest.mark.parametrize("level", LEVELS)
def test_a_player_is_found_by_its_name_and_version(level: str) -> None:
    name = player(level, SAN_JUAN).name
    assert named(name, SAN_JUAN).name == name
    assert name.rpartition("-")[2].isdigit()


@pytest.mark.parametrize("name", ["medium", "easy-99", ""])
def test_no_other_player_is_there(name: str) -> None:
    with pytest.raises(NotUnderstood):
        named(name, SAN_JUAN)
    with pytest.raises(NotUnderstood):
        player("grand-master", SAN_JUAN)
