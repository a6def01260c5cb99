"""schemas/san-juan.md has the cards of every rule set, all kinds of questions, and real rulings."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from referee.games.sanjuan.cards import EVENTS, KINDS, TILES
from referee.games.sanjuan.rules import RULES
from tests.games.sanjuan.rule_sets import EVERY, RuleSet
from tests.games.sanjuan.test_cases import RULINGS

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "schemas" / "san-juan.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| (\d+) \| `(.+)` \| (.+) \| (.+) \| (\d) \| (\d*) ?\| (.+) \|$", PAGE, re.M)


def cards(rule_set: RuleSet) -> dict[str, tuple[int, int, int]]:
    """Cost, points and copies of the cards, by the page."""
    found = {}
    for _, name, _, cost, points, few, many in ROWS:
        copies = many.replace("beside", "1") if rule_set.new_buildings else few
        plain, _, other = cost.partition(", in `2004` ")
        if copies:
            price = other if other and rule_set.edition == "2004" else plain
            found[name] = (int(price), int(points), int(copies))
    return found


@pytest.mark.parametrize("rule_set", EVERY, ids=str)
def test_the_page_has_the_cards(rule_set: RuleSet) -> None:
    assert cards(rule_set) == rule_set.cards
    have, page = rule_set.rules.cards, cards(rule_set)
    assert {
        name: (have.cost[kind], have.points[kind], have.copies[kind])
        for name, kind in KINDS.items()
        if have.copies[kind]
    } == page
    assert [KINDS[name] for name in page if KINDS[name] not in have.dealt] == [
        have.kind_of[card] for card in have.beside
    ]


def test_the_page_numbers_the_cards() -> None:
    assert {name: int(number) for number, name, *_ in ROWS} == KINDS
    kinds = {
        kind: [row[1] for row in ROWS if row[2] == kind] for kind in ("production", "monument")
    }
    assert kinds == {
        "production": list(KINDS)[:5],
        "monument": ["statue", "victory-column", "hero"],
    }


def test_the_page_has_tiles_and_events() -> None:
    tiles = PAGE.split("the order of the production buildings: ")[1].split(". The good")[0]
    assert tuple(re.findall("`(.+?)`", tiles)) == TILES
    events = PAGE.split("one card each of ")[1].split(", in this order")[0]
    assert tuple(re.findall("`(.+?)`", events)) == EVENTS


def test_the_page_says_who_is_asked() -> None:
    rows = PAGE.split("| kind | asked is | not asked |\n|---|---|---|\n")[1].split("\n\n")[0]
    assert sorted(re.findall("^\\| `(.+?)`", rows, re.M)) == sorted(RULES.kinds)


def test_the_page_cites_rulings_that_there_are() -> None:
    named = set(re.findall(r"\b[A-Z]\d\b", PAGE))
    assert named
    assert named <= RULINGS
