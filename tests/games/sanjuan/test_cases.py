"""Every rule case holds, and every ruling, worked example and pair of functions has one."""

from __future__ import annotations

import tomllib
from itertools import combinations
from pathlib import Path

import pytest

from referee.games.match import Match
from tests.games.sanjuan.casefile import CASES, EXAMPLES, Bench, read, run

FILES = sorted(CASES.rglob("*.toml"))
POSITIONS = sorted(EXAMPLES.rglob("*.toml"))

RULINGS = {
    *(f"1.{number}" for number in range(1, 5)),
    *(f"G{number}" for number in range(1, 9)),
    *(f"B{number}" for number in range(1, 9)),
    *("P1", "S1", "S2", "S3", "C1", "C2", "T1", "L1", "V1", "V2", "V3", "K1", "E1", "E2", "E3"),
    *("2 round start", "2 roles", "2 plots", "2 letters", "2 parallel", "2 when asked"),
    *("2 draft", "2 office", "2 tidy", "2 build", "2 mine"),
    *("2 earthquake", "2 taxes", "2 amnesty", "2 free-build"),
    *("2 not asked: build", "2 not asked: free-build", "2 not asked: office"),
    *("2 not asked: tidy", "2 not asked: taxes", "2 not asked: amnesty"),
    *("2 not asked: earthquake", "2 not asked: produce", "2 not asked: sell"),
    *("2 not asked: keep", "2 never because of a hand"),
}
"""All that the rules page settles; `2 start` is in test_start.py."""

MEET: dict[str, tuple[str, ...]] = {
    "builder": (
        *("smithy", "quarry", "library", "crane", "black market", "carpenter", "poor house"),
        *("tavern", "park", "cathedral"),
    ),
    "producer": ("aqueduct", "well", "library"),
    "trader": ("post", "stand", "hall", "harbor", "hut", "customs office", "library"),
    "councillor": ("archive", "prefecture", "customs office", "library"),
    "prospector": ("gold mine", "goldsmith", "library"),
    "round-start": ("office", "chapel", "bank", "guard room", "tower"),
    "scoring": (
        *("guild hall", "city hall", "triumphal arch", "palace", "residence", "cathedral"),
        *("chapel", "bank", "harbor"),
    ),
}
"""The functions that can meet in one phase, by the folder of its cases."""

TOLD = {
    "2014": {
        *("builder, sugar mill", "trader (with the slip mended: a trading post)"),
        *("gold mine, nothing", "gold mine, the cheapest", "archive", "black market"),
        *("trading post, 2 goods", "trading post, 3 goods", "trading post, 4 goods"),
        *("crane, palace over chapel", "crane, statue over coffee roaster"),
        *("aqueduct, 2 goods", "aqueduct, 3 goods", "aqueduct, 4 goods"),
        *(
            "prefecture, 2 of 2",
            "prefecture, 2 of 5",
            "prefecture, 2 of 8",
            "market hall",
            "quarry",
        ),
        *("library, councillor", "library, builder", "library, producer", "library, trader"),
        *("library, prospector", "library, councillor with archive and prefecture"),
        *("library, builder with quarry", "library, two players", "monuments", "guild hall"),
        *("city hall", "triumphal arch", "triumphal arch with city hall", "palace"),
        "setup variation",
    },
    "2004": {
        *("builder, sugar mill", "trader", "gold mine, nothing", "gold mine, the quarry"),
        *("archive", "black market", "trading post, 4 goods", "crane, palace over chapel"),
        *("crane, statue over coffee roaster", "chapel", "aqueduct, 4 goods"),
        *("prefecture, 2 of 2", "prefecture, 2 of 5", "prefecture, 2 of 8", "quarry"),
        *("library, councillor", "library, builder", "library, producer", "library, trader"),
        *("library, prospector", "library, councillor with archive and prefecture"),
        *("library, builder with quarry", "library, two players, the first choice"),
        *("library, two players, the second choice", "monuments", "guild hall", "city hall"),
        *("triumphal arch", "palace", "variant"),
    },
    "new buildings": {
        *("park, library", "park, cathedral", "park, cathedral by the builder"),
        *("park, cathedral with a quarry", "residence, Marie", "cathedral"),
        "residence, Devin (with the slip mended: an office building)",
    },
}
"""The worked examples of the booklets, but for the slips of section 1.4."""


def short(path: Path) -> str:
    """The name of a case for people."""
    return path.relative_to(CASES if CASES in path.parents else EXAMPLES).as_posix()


@pytest.mark.parametrize("path", FILES, ids=short)
def test_case(path: Path) -> None:
    run(path)


@pytest.mark.parametrize("path", POSITIONS, ids=short)
def test_worked_example(path: Path) -> None:
    run(path)


@pytest.mark.parametrize("path", POSITIONS, ids=short)
def test_a_player_may_try_the_worked_example(path: Path) -> None:
    """The file as it stands, played as at a table, comes to the same position."""
    case = read(path)
    match, bench = (
        Match.from_position(tomllib.loads(path.read_text("utf-8"))),
        Bench.from_position(case.position),
    )
    settled = True
    for step in case.steps:
        if "play" in step:
            settled = bool(match.play_row(step["play"]))
            bench.answer(step["play"])
    if settled:
        assert match.document() == bench.document()


def test_every_ruling_has_a_case() -> None:
    cited = {ruling for path in (*FILES, *POSITIONS) for ruling in read(path).rulings}
    assert cited == RULINGS


def test_every_worked_example_is_a_position() -> None:
    told = [read(path).example for path in POSITIONS]
    assert sorted(told) == sorted(f"{book}: {name}" for book in TOLD for name in TOLD[book])


def test_every_pair_of_functions_that_can_meet_has_a_case() -> None:
    met = {(phase, frozenset(p)) for phase, names in MEET.items() for p in combinations(names, 2)}
    shown = {(path.parent.name, frozenset(pair)) for path in FILES for pair in read(path).pairs}
    assert [(phase, *sorted(pair)) for phase, pair in shown - met] == [], "no such functions meet"
    assert [(phase, *sorted(pair)) for phase, pair in met - shown] == [], "no case shows these"


def test_no_two_cases_tell_the_same() -> None:
    titles = [read(path).title for path in FILES]
    assert sorted(set(titles)) == sorted(titles)
