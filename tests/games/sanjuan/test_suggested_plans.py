"""The plan that is suggested is the bot's, also for cards that the seat does not hold yet."""

from __future__ import annotations

from typing import Any

import pytest

from referee.games.match import Match
from referee.games.plans import Language, language_of
from tests.games.sanjuan.rule_sets import EVERY, RuleSet
from tests.table.tables import NAMES


def builder_phase(hand: list[str], city: list[str]) -> Match:
    seats: list[dict[str, Any]] = [{"name": "ana"}, {"name": "ben", "hand": hand, "city": city}]
    match = Match.from_position({"game": "sanjuan", "seats": seats})
    match.play_row("ana: role builder")
    return match


@pytest.mark.parametrize(
    ("city", "now", "later", "answer"),
    [
        (["indigo-plant"], [], ["library", "well", "well"], "build well pay a c"),
        (["indigo-plant"], ["hero"], ["silver-smelter", "smithy"], "build smithy pay a"),
        (["indigo-plant", "well"], ["hero"], ["well", "well"], "pass"),
        (
            ["indigo-plant", "crane", "well"],
            ["hero"],
            ["tower", "well"],
            "build tower over 3 pay b",
        ),
    ],
)
def test_what_is_drawn_later_is_built(
    city: list[str], now: list[str], later: list[str], answer: str
) -> None:
    match = builder_phase(now, city)
    clauses = language_of(match.rules, match.seats).suggest(match.view("ben"))
    view = builder_phase(later, city).view("ben")
    assert language_of(match.rules, match.seats).evaluate(clauses, view) == answer


@pytest.mark.parametrize("rule_set", EVERY, ids=str)
def test_a_person_can_add_to_it(rule_set: RuleSet) -> None:
    for seats in (2, 4):
        match = Match.deal(rule_set.rules, NAMES[:seats], str(rule_set))
        language = language_of(rule_set.rules, match.seats)
        assert isinstance(language, Language)
        for _ in range(15):
            if match.game.over:
                break
            for decision in match.game.decisions():
                view = match.view(decision.seat)
                clauses = language.suggest(view)
                assert sum(len(clause) + 6 for clause in clauses) < 900
                assert language.read(clauses, view) == clauses
                match.play(decision.seat, view.suggest())
