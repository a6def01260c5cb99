"""schemas/CLAUSES.md has the patterns, names and limits of the languages of plans, and its examples
are what they answer."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from referee.games import grammar, plans, rules_of
from referee.games.errors import NotUnderstood
from referee.games.interface import PlanLanguage
from referee.games.match import Match
from referee.games.plans import Language, language_of

SCHEMAS = Path(__file__).parents[2] / "schemas"
PAGE = (SCHEMAS / "CLAUSES.md").read_text(encoding="utf-8")
SETS: dict[str, list[tuple[str | None, list[str], list[str]]]] = {
    "San Juan": [
        ("2014", [], []),
        ("2004", [], []),
        ("2014", ["new-buildings"], []),
        ("2014", ["events"], []),
        ("2014", [], ["draft-start"]),
        ("2004", ["new-buildings", "events"], ["draft-start"]),
    ],
    "Xanadu": [(None, [], []), (None, [], ["advanced"])],
}
"""By heading: rule sets that have every subject and every lack of one."""
GAMES = {"San Juan": "sanjuan", "Xanadu": "xanadu"}
each_set = pytest.mark.parametrize(
    ("heading", "chosen"), [(name, one) for name, many in SETS.items() for one in many], ids=str
)
each_game = pytest.mark.parametrize("heading", GAMES)


@cache
def tables(heading: str) -> dict[str, list[list[str]]]:
    """The tables below a heading by the first cell of their heads, rows as cells."""
    found: dict[str, list[list[str]]] = {}
    rows: list[list[str]] = []
    for line in PAGE.split(f"\n## {heading}\n")[1].split("\n## ")[0].splitlines():
        if not line.startswith("| "):
            rows = rows if line.startswith("|") else []
            continue
        cells = [cell.replace("\\|", "|") for cell in re.split(r"(?<!\\) ?\| ?", line)[1:-1]]
        if not rows:
            rows = found.setdefault(cells[0], [])
        rows.append(cells)
    return {name: many[1:] for name, many in found.items()}


def quoted(cell: str) -> list[str]:
    return re.findall("`([^`]+)`", cell)


def language(heading: str, chosen: Any) -> Language[Any]:
    edition, expansions, variants = chosen
    rules = rules_of(GAMES[heading]).choose(edition, expansions, variants, {})
    found = language_of(rules, ["ana", "ben"])
    assert isinstance(found, Language)
    return found


def forms_of(cell: str, chosen: Any) -> list[str]:
    """The forms of a cell, those of an expansion where it is chosen."""
    plain, *more = re.split("(?:; |, )with ", cell)
    for part in more:
        name, *forms = quoted(part)
        if name in chosen[1]:
            return forms
    return quoted(plain)


@each_set
def test_subjects(heading: str, chosen: Any) -> None:
    told = {}
    for name, kinds, where, passes, forms in tables(heading)["subject"]:
        if where == "all" or set(quoted(where)) & {chosen[0], *chosen[1], *chosen[2]}:
            told[quoted(name)[0]] = (quoted(kinds), bool(passes), forms_of(forms, chosen))
    step = re.findall("STEP stands for `(.*)`", PAGE)[0]
    assert told == {
        name: (
            list(subject.kinds),
            subject.passes,
            [
                form.replace("(", "").replace(")", "").replace(step, "STEP")
                for form in subject.forms
            ],
        )
        for name, subject in language(heading, chosen).subjects.items()
    }


@each_game
def test_tests(heading: str) -> None:
    told = [name for row in tables(heading)["test"] for name in quoted(row[0])]
    spoken = language(heading, SETS[heading][0])
    assert told == [test.replace("(", "").replace(")", "") for test in spoken.tests]


def names_of(heading: str, cell: str, spoken: Language[Any]) -> set[str] | None:
    """The names that a cell tells one by one, with those of other rows; None for another."""
    if re.search("a (card|colour|production|seat)", cell):
        return None
    if numbers := re.fullmatch("([0-9]+) to ([0-9]+)", cell):
        return {str(number) for number in range(int(numbers[1]), int(numbers[2]) + 1)}
    found = set(quoted(cell))
    for other in re.findall("[A-Z]{3,}", cell):
        found |= set(spoken.vocabularies[other].names)
    if "but" in cell:
        found.discard("crane")
    return found


@each_set
def test_names(heading: str, chosen: Any) -> None:
    spoken = language(heading, chosen)
    told = {}
    for what, cell in tables(heading)["name"]:
        for name in what.split(", "):
            told[name] = names_of(heading, cell, spoken)
    missing = {name for name in told if name not in spoken.vocabularies}
    assert missing <= {"EVENT", "VISIT"}
    assert {*told, "BOT", "PLAY", "SUBJECT"} >= set(spoken.vocabularies)
    for name, names in told.items():
        have = set(spoken.vocabularies[name].names) if name not in missing else names
        if name == "FREE":
            assert (have or set()) <= (names or set())
        elif names is not None:
            assert have == names, name


def test_limits() -> None:
    for number, said in (
        (plans.MAX_CLAUSES, "at most {} clauses"),
        (plans.MAX_LENGTH, "at most {} characters"),
        (grammar.MAX_WORDS, "{} words"),
        (plans.MAX_WISHES, "{} wishes together"),
    ):
        assert said.format(number) in PAGE
    assert f"version {Language.version} of each" in PAGE


def examples() -> Iterator[tuple[str, str, list[str], str]]:
    for heading in GAMES:
        for head, rows in tables(heading).items():
            if head.startswith("clauses of "):
                for clauses, answer in rows:
                    yield heading, head.split()[2], quoted(clauses), answer


def position(heading: str) -> Match:
    text = PAGE.split(f"\n## {heading}\n")[1].split("    [position]\n")[1].split("\n\n")[0]
    document = tomllib.loads(f"[position]\n{text}")["position"]
    match = Match.from_position({"game": GAMES[heading], **document})
    if heading == "San Juan":
        match.play_row("ana: role builder")
    return match


@pytest.mark.parametrize(("heading", "seat", "clauses", "answer"), list(examples()), ids=str)
def test_examples(heading: str, seat: str, clauses: list[str], answer: str) -> None:
    match = position(heading)
    spoken: PlanLanguage = language_of(match.rules, match.seats)
    if answer == "refused":
        with pytest.raises(NotUnderstood):
            spoken.check(clauses)
        return
    spoken.check(clauses)
    found = spoken.evaluate(clauses, match.view(seat))
    assert found == (None if answer == "asked" else quoted(answer)[0])
