"""The answers of `status()` about impossible positions of expansions, events and running phases."""

from __future__ import annotations

from typing import Any

import pytest

from referee.games.errors import NotUnderstood
from referee.games.sanjuan import position

ANA, BEN = {"name": "ana"}, {"name": "ben"}
NEW = {"expansions": ["new-buildings"]}
EVENTS = {"expansions": ["events"]}
FOUR = ["quarry", "smithy", "tobacco-storage", "library"]
MINE = {"phase": "prospector", "waiting": ["ana"], "turned": FOUR}


def seats(**ana: Any) -> dict[str, Any]:
    """Two seats, the first of which has something."""
    return {"seats": [{**ANA, **ana}, BEN]}


def city(*buildings: Any) -> dict[str, Any]:
    """Two seats, the first of which has this city."""
    return seats(city=list(buildings))


IMPOSSIBLE: list[tuple[dict[str, Any], str]] = [
    (seats(hand=["tavern"]), "ana, hand: there is no card 'tavern'"),
    (NEW | seats(hand=["cathedral"]), "ana, hand: there is no card 'cathedral'"),
    (NEW | {"deck": ["cathedral"]}, "deck: there is no card 'cathedral'"),
    (NEW | {"discards": ["cathedral"]}, "discards: there is no card 'cathedral'"),
    (city("cathedral"), "ana, cathedral: there is no card 'cathedral'"),
    (EVENTS | seats(hand=["taxes"]), "ana, hand: there is no card 'taxes'"),
    (EVENTS | {"discards": ["taxes"]}, "discards: there is no card 'taxes'"),
    (EVENTS | {"events": ["taxes", "taxes"]}, "taxes is used more than once"),
    (EVENTS | {"events": ["taxes"], "deck": ["taxes"]}, "taxes is used more than once"),
    (EVENTS | {"events": ["well"]}, "events: there is no card 'well'"),
    ({"events": ["taxes"]}, "events: there is no card 'taxes'"),
    ({"deck": ["taxes"]}, "deck: there is no card 'taxes'"),
    ({"removed": ["taxes"]}, "removed: there is no card 'taxes'"),
    (NEW | {"removed": ["well"]}, "removed: there is no card 'well'"),
    ({"beside": ["cathedral"]}, "beside: there is no card 'cathedral'"),
    (NEW | {"beside": ["well"]}, "beside: there is no card 'well'"),
    (
        NEW | {"beside": ["cathedral"]} | city("indigo-plant", "cathedral"),
        "cathedral is used more than once",
    ),
    ({"bank-used": ["ana"]}, "bank-used: there is no bank in this game"),
    (NEW | {"bank-used": ["zoe"]}, "bank-used: there is no seat 'zoe'"),
    ({"phase": "taxes"}, "there is no phase 'taxes'"),
    ({"phase": "draft"}, "there is no phase 'draft'"),
    (
        {"variants": ["draft-start"], "phase": "draft", "round": 2},
        "the first round has no round start, and no other one a draft",
    ),
    ({"phase": "round-start", "round": 2, "turn": 1}, "turn is 0 at the start of a round"),
    (city(), "ana: city must be a list of buildings"),
    (city(7), "ana: a building is the name of a card, or { card = NAME, plot = 2 }"),
    (city({"card": "well", "unseen": ["hero"]}), "ana, well: no good goes under anything here"),
    (
        NEW | city({"card": "bank", "unseen": ["hero"]}),
        "ana, bank: no good goes under anything here",
    ),
    (NEW | city({"card": "harbor", "under": ["hero"]}), "ana, harbor: nothing can be tucked away"),
    (
        city({"card": "well", "over": ["well"]}),
        "ana, well: a building is never built over with the same building",
    ),
    (
        city({"card": "hero", "over": ["well", "households"]}),
        "ana, hero: a building is never built over with the same building",
    ),
    (city({"card": "well", "plot": 0}), "ana, well: plot must be a number from 1 to 99"),
    (city("well", {"card": "crane", "plot": 1}), "ana, crane: plots must ascend"),
    (NEW | city({"card": "park", "good": True}), "ana, park: this building holds no good"),
    (seats(hand=["well"], drawn=1), "drawn is for a phase that has begun, with waiting"),
    (seats(hand=["well"], drawn=2), "ana: drawn must be a number from 0 to 1"),
    ({"turned": FOUR}, "turned and asking are for a phase that has begun, with waiting"),
    ({"asking": "role"}, "turned and asking are for a phase that has begun, with waiting"),
    ({"phase": "builder"} | seats(built=2), "ana: built must be 1"),
    (
        {"phase": "builder"} | seats(built=2, city=["well", {"card": "crane", "plot": 3}]),
        "ana: there is no building on the plot that was just built",
    ),
    (MINE | {"asking": "mine"}, "'mine' is not asked in the phase prospector"),
    (
        {"edition": "2004", **MINE, "turned": []},
        "cards lie turned over exactly while somebody takes one of them",
    ),
    (
        {"phase": "trader", "waiting": ["ana"], "turned": FOUR},
        "cards lie turned over exactly while somebody takes one of them",
    ),
    ({"phase": "trader", "waiting": ["ana"], "asking": "build"}, "'build' is not asked in the"),
    ({"phase": "builder", "waiting": ["ana", "ben"]}, "one seat waits where it goes one by one"),
    ({"waiting": ["ana", "ben"]}, "one seat waits where it goes one by one"),
    ({"phase": "trader", "waiting": []}, "waiting must name seats in clockwise order"),
    (EVENTS | {"turn": 2}, "it cannot be turn 2 with 0 roles taken"),
    (EVENTS | {"turn": 3, "removed": ["taxes"]}, "it cannot be turn 3 with 0 roles taken"),
    (
        EVENTS | {"turn": 1, "used": ["trader"], "removed": ["taxes"]},
        "it cannot be turn 1 with 1 roles taken",
    ),
    (
        EVENTS | {"phase": "taxes", "library": True} | city("library"),
        "no library is in use while no role is carried out",
    ),
    ({"edition": "2009"}, "San Juan has no edition '2009'"),
    ({"expansions": ["seas"]}, "San Juan has no expansion 'seas'"),
    ({"seats": [ANA, ANA]}, "two seats have the same name"),
    (
        {"seats": [ANA, BEN, {"name": 3}]},
        "there must be 2 to 4 seats, each named below its own [[seats]]",
    ),
    (city(*["indigo-plant"] * 8, "well", "hero", "crane", "tower"), "ana has 12 buildings"),
    (
        {"phase": "builder", "waiting": ["ben"]}
        | city(*["indigo-plant"] * 8, "well", "hero", "crane", "tower", "chapel"),
        "ana has 13 buildings",
    ),
]

POSSIBLE: list[dict[str, Any]] = [
    NEW | {"beside": []},
    NEW | {"removed": ["cathedral"]},
    NEW | city("cathedral"),
    NEW | city({"card": "well", "over": ["harbor"], "unseen": ["hero"]}),
    NEW | city({"card": "well", "over": ["bank", "hero", "chapel"], "under": ["hero"]}),
    EVENTS | city(),
    EVENTS | {"turn": 2, "removed": ["taxes"]},
    EVENTS | {"turn": 3, "used": ["trader"], "removed": ["taxes"]},
    EVENTS | {"phase": "taxes"},
    EVENTS | {"phase": "general-amnesty", "waiting": ["ana"]} | seats(hand=["well"]),
    {"edition": "2004", **MINE},
    {"variants": ["draft-start"]},
    {"phase": "builder", "waiting": ["ben"]}
    | city(*["indigo-plant"] * 8, "well", "hero", "crane", "tower"),
    {"phase": "over"} | city(*["indigo-plant"] * 8, "well", "hero", "crane", "tower"),
    {"phase": "councillor", "waiting": ["ana"]} | seats(hand=["well", "hero"], drawn=2),
]


@pytest.mark.parametrize(("document", "fault"), IMPOSSIBLE)
def test_status_names_the_fault(document: dict[str, Any], fault: str) -> None:
    document = {"seats": [ANA, BEN], **document}
    found = position.status(document)
    assert any(text.startswith(fault) for text in found), found
    with pytest.raises(NotUnderstood, match="this position is impossible: "):
        position.load(document)


@pytest.mark.parametrize("document", POSSIBLE)
def test_status_finds_nothing_wrong(document: dict[str, Any]) -> None:
    document = {"seats": [ANA, BEN], **document}
    assert position.status(document) == []
    position.load(document)
