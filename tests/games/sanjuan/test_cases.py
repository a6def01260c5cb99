"""Every rule case under `cases/` holds, and every ruling and worked example has one."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.games.sanjuan.casefile import CASES, Bench, read

FILES = sorted(CASES.rglob("*.toml"))

RULINGS = {
    "1.1",
    "1.2",
    "1.4",
    *(f"G{number}" for number in range(1, 9)),
    *(f"B{number}" for number in range(1, 7)),
    "P1",
    "S1",
    "S3",
    "C1",
    "C2",
    "T1",
    "L1",
    "V1",
    "V3",
    "2 round start",
    "2 tidy",
    "2 roles",
    "2 build",
    "2 plots",
    "2 parallel",
    "2 never because of a hand",
    "2 not asked: build",
    "2 not asked: tidy",
    "2 not asked: produce",
    "2 not asked: sell",
    "2 not asked: keep",
}
"""What the rules page settles about the 2014 base game; `2 start` is in test_start.py."""

EXAMPLES = {
    "builder: sugar mill",
    "trader (with the slip mended: a trading post)",
    "gold mine: nothing",
    "gold mine: the cheapest",
    "archive",
    "black market",
    "trading post: 2 goods",
    "trading post: 3 goods",
    "trading post: 4 goods",
    "crane: palace over chapel",
    "crane: statue over coffee roaster",
    "aqueduct: 2 goods",
    "aqueduct: 3 goods",
    "aqueduct: 4 goods",
    "prefecture: 2 of 2",
    "prefecture: 2 of 5",
    "prefecture: 2 of 8",
    "market hall",
    "quarry",
    "library: councillor",
    "library: builder",
    "library: producer",
    "library: trader",
    "library: prospector",
    "library: councillor with archive and prefecture",
    "library: builder with quarry",
    "library: two players",
    "guild hall",
    "city hall",
    "triumphal arch",
    "triumphal arch with city hall",
    "palace",
}
"""The worked examples of the 2014 booklet about the base game."""


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
    cited = {ruling for path in FILES for ruling in read(path)["rulings"]}
    assert cited == RULINGS


def test_every_worked_example_has_a_case() -> None:
    told = [read(path)["example"] for path in FILES if "example" in read(path)]
    assert sorted(told) == sorted(EXAMPLES)


def test_no_two_cases_tell_the_same() -> None:
    titles = [read(path)["title"] for path in FILES]
    assert sorted(set(titles)) == sorted(titles)
