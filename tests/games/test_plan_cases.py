"""Plays the cases of plans: a position, plans of a seat, and what each of them answers there.

A case is a TOML file in a folder `plans` beside the rule cases of a game:

    title = "…"
    seat = "ben"                     # whose plans these are
    play = ["ana: role builder"]     # answers before the question that is looked at
    [position]                       # as the game's module `position` describes it
    [[plan]]
    lines = ["builder: palace"]      # as people write them; read with the view of the seat
    written = ["builder: …"]         # the canonical clauses, if that is looked at
    alive = false                    # whether the turn clauses live; true if nothing is said
    answers = "build palace pay a"   # the play; "" where the seat is asked
    [[typed]]                        # lines as people write them, read without a view
    lines = ["builder: palace"]
    written = ["builder: build palace"]
    [[refused]]                      # lines that are refused there, with expansions, if any
    lines = ["builder: pallace"]
    says = "…"                       # with what the message begins
    hint = "…"                       # and the hint
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from referee.games import GAMES, rules_of
from referee.games.errors import NotUnderstood
from referee.games.interface import PlanLanguage
from referee.games.match import Match
from referee.games.plans import language_of

HERE = Path(__file__).parent
FILES = sorted(path for game in GAMES for path in (HERE / game / "plans").glob("*.toml"))
KEYS = {"title", "seat", "play", "position", "plan", "typed", "refused"}
each_file = pytest.mark.parametrize("path", FILES, ids=lambda p: f"{p.parts[-3]}-{p.stem}")


def read(path: Path) -> dict[str, Any]:
    """A case file; a key that nothing looks at is a mistake."""
    case = tomllib.loads(path.read_text("utf-8"))
    assert set(case) <= KEYS
    assert case["title"]
    for plan in case.get("plan", ()):
        assert set(plan) <= {"lines", "written", "alive", "answers"}
    return case


def laid_out(path: Path, case: Mapping[str, Any]) -> Match:
    """The position of a case, at the question that its plans answer."""
    match = Match.from_position({"game": path.parts[-3], **case["position"]})
    for row in case.get("play", ()):
        match.play_row(row)
    return match


@each_file
def test_a_plan_answers(path: Path) -> None:
    case = read(path)
    if "position" not in case:
        return
    match = laid_out(path, case)
    view = match.view(case["seat"])
    assert view.decision is not None
    spoken = language_of(match.rules, match.seats)
    for plan in case["plan"]:
        clauses = spoken.read(plan["lines"], view)
        spoken.check(clauses)
        if "written" in plan:
            assert clauses == plan["written"]
        found = spoken.evaluate(clauses, view, plan.get("alive", True))
        assert (found or "") == plan["answers"], plan["lines"]


@each_file
def test_a_plan_is_written_in_full(path: Path) -> None:
    for row in read(path).get("typed", ()):
        spoken = language_in(path, row)
        assert spoken.read(row["lines"]) == row["written"]
        spoken.check(row["written"])


def language_in(path: Path, row: Mapping[str, Any]) -> PlanLanguage:
    rules = rules_of(path.parts[-3]).choose(None, row.get("expansions", ()), (), {})
    return language_of(rules, ["ana", "ben"])


@each_file
def test_a_plan_is_refused(path: Path) -> None:
    case = read(path)
    view = laid_out(path, case).view(case["seat"]) if "position" in case else None
    for row in case.get("refused", ()):
        with pytest.raises(NotUnderstood) as refusal:
            language_in(path, row).read(row["lines"], view)
        assert refusal.value.message.startswith(row["says"]), row["lines"]
        assert refusal.value.hint.startswith(row.get("hint", "")), row["lines"]


@pytest.mark.parametrize("game", GAMES)
def test_every_kind_of_question_has_a_case(game: str) -> None:
    told = set()
    for path in FILES:
        case = read(path)
        if path.parts[-3] == game and "position" in case:
            decision = laid_out(path, case).view(case["seat"]).decision
            told.add(decision.kind if decision else "")
    # A draft is asked for by the deal, before any plan can hold.
    assert told == {*rules_of(game).kinds} - {"draft"}
