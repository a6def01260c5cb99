"""Every rule case under `cases/` holds, and every ruling and worked example has one."""

from __future__ import annotations

from pathlib import Path

import pytest

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
"""What the rules page settles: its sections, and the points of its section 3."""


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
