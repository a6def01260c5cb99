"""The schema of Xanadu's positions and `status()` agree on keys and types."""

from __future__ import annotations

import copy
import functools
import json
import tomllib
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from referee.games.xanadu import flow, position
from referee.games.xanadu.chance import random_play
from referee.games.xanadu.layout import KEYS, OVER, PLOT_KEYS, SEAT_KEYS, WORKER_KEYS
from referee.games.xanadu.state import KIND_NAMES
from tests.games.xanadu.randomly import KINDS, deal

SCHEMA = json.loads((Path(__file__).parents[3] / "schemas/xanadu-position.schema.json").read_text())
VALID = Draft202012Validator(SCHEMA)
CASES = sorted((Path(__file__).parent / "cases").rglob("*.toml"))
REMARKS = {"game", "title", "rulings", "example", "note", "expect"}
WRONG: tuple[Any, ...] = (True, 7.5, -1, "zzz", [7], [[]], {"zzz": 1})
WHOLE: dict[str, Any] = {
    "passes": 3,
    "stall_guard": False,
    "round": 3,
    "active": "ben",
    "asking": "reset",
    "waiting": ["ana"],
    "deck": ["..."],
    "discards": ["meeting-room"],
    "reshuffles": 1,
    "idle": 1,
    "seats": [
        {
            "name": "ana",
            "hand": ["barracks"],
            "coins": 3,
            "plots": 4,
            "city": [
                {"card": "tailors-shop", "plot": 2, "workers": [{"card": "tea-stall", "by": "ben"}]}
            ],
        },
        {"name": "ben"},
        {"name": "cleo"},
    ],
}


def fits(document: dict[str, Any]) -> bool:
    return bool(VALID.is_valid({"game": "xanadu", **document}))


def test_the_schema_knows_every_key() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    keys, seat = SCHEMA["properties"], SCHEMA["properties"]["seats"]["items"]["properties"]
    assert set(keys) == {*KEYS, *REMARKS}
    assert set(seat) == set(SEAT_KEYS)
    assert set(seat["city"]["items"]["anyOf"][1]["properties"]) == set(PLOT_KEYS)
    assert set(SCHEMA["$defs"]["worker"]["anyOf"][1]["properties"]) == set(WORKER_KEYS)
    assert set(keys["asking"]["enum"]) == {*KIND_NAMES, OVER}


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_every_case_fits(path: Path) -> None:
    document = tomllib.loads(path.read_text("utf-8"))["position"]
    assert fits(document), list(VALID.iter_errors({"game": "xanadu", **document}))


@pytest.mark.parametrize(("count", "advanced"), KINDS)
def test_every_dump_fits(count: int, advanced: bool) -> None:
    rng = Random(f"schema {count} {advanced}")
    game = deal(count, advanced, rng)
    while not game.over:
        if rng.random() < 0.2:
            assert fits(position.dump(game))
        flow.apply(game.state, random_play(game.state, rng))
    assert fits(position.dump(game))


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Paths to every key and item."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value)
    for key, inner in pairs:
        yield (*path, key)
        if isinstance(inner, dict | list):
            yield from places(inner, (*path, key))


@pytest.mark.parametrize("path", list(places(WHOLE)), ids=str)
def test_what_the_schema_refuses_the_program_refuses(path: tuple[Any, ...]) -> None:
    """And never raises anything but what is wrong with the position."""
    assert fits(WHOLE)
    assert position.status(WHOLE) == []
    for wrong in WRONG:
        document = copy.deepcopy(WHOLE)
        *up, last = path
        functools.reduce(lambda value, key: value[key], up, document)[last] = wrong
        faults = position.status(document)
        assert faults or fits(document), (path, wrong)
