"""The schema of positions and `status()` agree on types, names and keys."""

from __future__ import annotations

import copy
import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from referee.games.sanjuan import position
from referee.games.sanjuan.cards import ALIASES, EVENTS, KINDS, TILES
from referee.games.sanjuan.state import KIND_NAMES, PHASES, ROLES
from tests.games.sanjuan.casefile import CASES, EXAMPLES, read
from tests.games.sanjuan.randomly import Turn, deal
from tests.games.sanjuan.rule_sets import EVERY, RuleSet

SCHEMA = json.loads((Path(__file__).parents[3] / "schemas/position.schema.json").read_text())
VALID = Draft202012Validator(SCHEMA)
POSITIONS = [
    read(path).position
    for root in (CASES, EXAMPLES)
    for path in sorted(root.rglob("*"))
    if path.suffix == ".toml"
]
WRONG: tuple[Any, ...] = (True, 7, -1, 1.5, "zzz", [], ["zzz"], [7], [[]], {}, {"zzz": 1})
OF_TYPES = re.compile(
    r"must be a list of names|must be true or false|is not a key that|is the name of a card"
    r"|there must be|seats must be"
    r"|there is no (card|role|tile|phase) 'zzz'|(round|round_limit|turn|reshuffles|plots) must be"
)
"""Messages of `status()` on types, of names that no rule set knows, and of numbers whose range is
always the same."""


def test_the_schema_is_one() -> None:
    Draft202012Validator.check_schema(SCHEMA)


def test_the_schema_knows_the_names_of_the_engine() -> None:
    defs, keys = SCHEMA["$defs"], SCHEMA["properties"]
    assert set(defs["card"]["enum"]) == {*KINDS, *ALIASES} - {*EVENTS}
    assert set(defs["event"]["enum"]) == set(EVENTS)
    assert set(defs["role"]["enum"]) == set(ROLES)
    assert set(keys["phase"]["enum"]) == set(PHASES)
    assert set(keys["asking"]["enum"]) == set(KIND_NAMES)
    assert set(keys["tiles"]["items"]["enum"]) == set(TILES)


def test_every_position_fits() -> None:
    for document in POSITIONS:
        VALID.validate(document)
        assert position.status(document) == []


def test_example_files_fit_as_they_stand() -> None:
    for path in EXAMPLES.rglob("*.toml"):
        VALID.validate(tomllib.loads(path.read_text("utf-8")))


@pytest.mark.parametrize("which", EVERY, ids=str)
def test_every_dump_fits(which: RuleSet) -> None:
    rng = Random(str(which))
    game = deal(rng.choice((2, 3, 4)), rng, rules=which)
    while not game.over:
        if rng.random() < 0.05:
            VALID.validate(position.dump(game))
        turn = Turn(game, rng)
        turn.take(turn.pick())
    VALID.validate(position.dump(game))


def test_any_good_is_a_card_that_is_nowhere_else() -> None:
    city = [{"card": "indigo-plant", "good": True}, {"card": "customs-office", "good": True}]
    document = {
        "expansions": ["new-buildings"],
        "seats": [{"name": "ana", "city": city}, {"name": "ben", "hand": ["well"]}],
    }
    dumped = position.dump(position.load(document))
    goods = [entry["good"] for entry in dumped["seats"][0]["city"]]
    assert all(isinstance(name, str) for name in goods)
    assert len(dumped["deck"]) == 110 + 33 - 2 - 2 - 1 - 1


def places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to every value of a document."""
    if at:
        yield at
    if isinstance(value, dict):
        for key in value:
            yield from places(value[key], (*at, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from places(item, (*at, index))


def shape(at: tuple[Any, ...]) -> tuple[Any, ...]:
    """The way without the numbers in lists."""
    return tuple("#" if isinstance(step, int) else step for step in at)


def varied() -> Iterator[tuple[dict[str, Any], tuple[Any, ...]]]:
    """A document and a place in it, every shape of place a few times."""
    seen: dict[tuple[Any, ...], int] = {}
    documents = [*POSITIONS, *_running()]
    for document in documents:
        for at in places(document):
            seen[shape(at)] = seen.get(shape(at), 0) + 1
            if seen[shape(at)] <= 3:
                yield copy.deepcopy(dict(document)), at


def _running() -> Iterator[dict[str, Any]]:
    """Positions in the middle of phases, with every key that a dump can write."""
    rng = Random(1)
    for which in EVERY[-2:]:
        game = deal(4, rng, rules=which)
        while not game.over:
            if rng.random() < 0.1:
                yield position.dump(game)
            turn = Turn(game, rng)
            turn.take(turn.pick())


def agree(document: dict[str, Any], what: object) -> None:
    """Check that all that the schema refuses is impossible, and that it refuses a wrong type."""
    faults = position.status(document)
    if not VALID.is_valid(document):
        assert faults, what
    else:
        told = [fault for fault in faults if OF_TYPES.search(fault)]
        assert told == [], what


def test_a_value_of_a_wrong_type_is_refused_by_both() -> None:
    for document, at in varied():
        *way, last = at
        place: Any = document
        for step in way:
            place = place[step]
        before = place[last]
        for wrong in WRONG:
            place[last] = wrong
            agree(document, (at, wrong))
        place[last] = before


def test_a_missing_or_unknown_key_is_refused_by_both() -> None:
    for document, at in varied():
        *way, last = at
        place: Any = document
        for step in way:
            place = place[step]
        if isinstance(place, dict):
            before = place.pop(last)
            agree(document, ("without", at))
            place[last] = before
            place["zzz"] = 1
            assert not VALID.is_valid(document)
            agree(document, ("zzz at", at))
