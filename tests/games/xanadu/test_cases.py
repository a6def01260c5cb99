"""Every rule case under `cases/` holds, and every ruling and worked example has one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from referee.games.errors import NotUnderstood
from referee.games.match import Match
from tests.games.xanadu.casefile import CASES, Bench, read

FILES = sorted(CASES.rglob("*.toml"))

RULINGS = {
    *("1.1 end card", "1.2 lost", "1.3 price", "1.3 fields", "1.3 favours", "1.4 workers"),
    *("1.5 opening", "1.6 sell", "1.6 reset", "1.6 work", "1.6 build", "1.6 horizontal"),
    *("1.6 limit", "1.6 compulsory sale", "1.6 draw", "1.6 hand limit", "1.6 end of turn"),
    *("1.7 exhaustion", "1.7 nothing to draw", "1.7 last pass", "1.7 end", "1.7 final sale"),
    *("1.8 two players", "1.8 five or six", "1.8 advanced", "1.9 one play", "1.9 hidden"),
    *(f"AMB-{number}" for number in (1, 2, 3, "4a", "4b", *range(5, 22))),
}
"""All that the rules page settles: its sections, and the points of its section 3."""


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(CASES).as_posix())
def test_case(path: Path) -> None:
    case = read(path)
    bench = Bench(case["position"])
    for number, step in enumerate(case["step"], 1):
        try:
            if "play" in step:
                bench.play(step["play"])
            bench.expect(step)
        except Exception as error:
            error.add_note(f"{case['title']}: step {number} of {path.name}")
            raise


def test_every_ruling_has_a_case() -> None:
    assert {ruling for path in FILES for ruling in read(path)["rulings"]} == RULINGS


def test_every_worked_example_has_a_case() -> None:
    assert sorted({read(path).get("example", 0) for path in FILES} - {0}) == [1, 2, 3]


def test_no_two_cases_tell_the_same() -> None:
    titles = [read(path)["title"] for path in FILES]
    assert sorted(set(titles)) == sorted(titles)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(CASES).as_posix())
def test_a_position_that_does_not_say_its_game_is_told_which_key_is_missing(path: Path) -> None:
    """It would be taken for one of San Juan, and everything in it be wrong."""
    position = read(path)["position"]
    with pytest.raises(NotUnderstood, match="the key 'game' is missing") as error:
        Match.from_position(position)
    assert error.value.hint == 'put game = "xanadu" at its top'


def test_a_position_with_a_fault_is_told_of_its_key_too() -> None:
    seats = [{"name": "ana", "hand": ["pandaa"], "coins": 3}, {"name": "ben", "coins": 2}]
    with pytest.raises(NotUnderstood, match="looks like a position of Xanadu"):
        Match.from_position({"seats": seats})


@pytest.mark.parametrize("more", [{}, {"phase": "rolex"}, {"rounds": 2}])
def test_a_faulty_position_of_san_juan_stays_one(more: dict[str, Any]) -> None:
    seats = [{"name": "ana", "hand": ["wellx"]}, {"name": "ben"}]
    with pytest.raises(NotUnderstood, match="there is no card 'wellx'"):
        Match.from_position({"seats": seats, **more})
