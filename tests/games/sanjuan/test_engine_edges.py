"""The edges of the engine: card data and terms, positions, and tables that others may have made."""

from __future__ import annotations

import copy
from random import Random
from typing import Any

import pytest

from referee.games.interface import GameError, Held, Illegal, NotUnderstood
from referee.games.sanjuan import flow, position
from referee.games.sanjuan.cards import ALIASES, KINDS, TILES, Cards
from referee.games.sanjuan.chance import random_play
from referee.games.sanjuan.rules import RULES
from tests.games.sanjuan.test_engine_core import SEATS, deal


def test_the_card_data_are_those_of_the_rules_page() -> None:
    """Section 1.1: copies, and the cards that an edition or expansion changes."""
    base = Cards("2014")
    assert base.total == len(base.kind_of) == 110
    assert Cards("2004").total == 110
    assert Cards("2004", ["new-buildings"]).total == 143
    assert (base.cost[KINDS["prefecture"]], Cards("2004").cost[KINDS["prefecture"]]) == (4, 3)
    assert base.first[KINDS["tavern"]] == -1
    assert set(ALIASES.values()) <= set(KINDS)
    assert not set(ALIASES) & set(KINDS)
    assert TILES == ("11122", "11222", "11223", "12223", "12233")
    digests = {
        Cards(edition, expansions).digest
        for edition in ("2004", "2014")
        for expansions in ([], ["new-buildings"])
    }
    assert len(digests) == 4


def test_terms_load_again_and_notice_other_card_data() -> None:
    rules = RULES.choose(None, [], [], {"round_limit": "20"})
    terms = rules.terms()
    assert terms["edition"] == "2014"
    assert RULES.load(terms).terms() == terms
    with pytest.raises(Illegal):
        RULES.load({**terms, "cards": "0" * 64})
    for wrong in ({"edition": 3}, {"expansions": "x"}, {"options": {"round_limit": 5}}):
        with pytest.raises(NotUnderstood):
            RULES.load({**terms, **wrong})


@pytest.mark.parametrize(
    "chosen",
    [
        ("2010", [], [], {}),
        (None, ["moon"], [], {}),
        (None, [], ["blind"], {}),
        (None, [], [], {"speed": "1"}),
        (None, [], [], {"round_limit": "0"}),
        (None, [], [], {"round_limit": "-1"}),
        (None, [], [], {"round_limit": "1" * 30}),
        (None, [], [], {"round_limit": "\u0661"}),
    ],
)
def test_unknown_choices_are_not_understood(chosen: tuple[Any, ...]) -> None:
    with pytest.raises(NotUnderstood):
        RULES.choose(*chosen)


def test_status_lists_everything_that_is_impossible() -> None:
    document = {
        "foo": 1,
        "round": True,
        "governor": "zoe",
        "used": ["thief"],
        "tiles": ["99999", "11222", "11222"],
        "library": "yes",
        "seats": [
            {"name": "ana", "x": 1, "hand": ["nope", "palace", "palace", "palace"]},
            {
                "name": "ben",
                "city": [
                    "chapel",
                    "chapel",
                    {"card": "well", "good": True},
                    {"card": "library", "over": ["crane"], "under": ["well"]},
                    {"card": "hero", "plot": 2},
                ],
            },
        ],
    }
    found = position.status(document)
    assert found == [
        "the position has no key 'foo'",
        "seat ana has no key 'x'",
        "ben has two of chapel in play",
        "ben, well: this building holds no good",
        "ben, library: a crane is never built over",
        "ben, library: nothing can be tucked away here",
        "ben, hero: plots must ascend",
        "ana, hand: there is no card 'nope'",
        "there are more than 2 of palace",
        "there is no tile '99999'",
        "tile 11222 is there twice",
        "round must be a number from 1 to 10000",
        "governor: there is no seat 'zoe'",
        "there is no role 'thief'",
        "library must be true or false",
    ]
    with pytest.raises(NotUnderstood, match="more than 2 of palace"):
        position.load(document)


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"seats": []}, "seats must be 2 to 4 tables, each with a name"),
        ({"phase": "round-start"}, "the first round has no round start"),
        ({"phase": "round-start", "round": 2, "used": ["trader"]}, "no role is used at the start"),
        ({"turn": 2}, "it cannot be turn 2 with 0 roles taken"),
        ({"used": ["builder", "trader", "producer"]}, "there are 3 turns in a round"),
        ({"chooser": "ben"}, "it is the turn of ana by governor and turn"),
        ({"round": 7, "round_limit": 6}, "the round is beyond round_limit"),
        ({"library": True}, "no library is in use while no role is carried out"),
        ({"phase": "trader", "library": True}, "ana has no library to use"),
        ({"waiting": ["ben", "ana"]}, "waiting must name seats in clockwise order"),
        ({"phase": "prospector", "waiting": ["ana"]}, "waiting must name seats"),
        ({"deck": ["hero"] * 4}, "there are more than 3 of hero"),
    ],
)
def test_status_names_the_fault(change: dict[str, Any], fault: str) -> None:
    found = position.status({"seats": [{"name": "ana"}, {"name": "ben"}], **change})
    assert any(text.startswith(fault) for text in found), found


def test_twelve_buildings_end_a_game() -> None:
    city = ["indigo-plant"] * 8 + ["well", "tower", "chapel", "crane"]
    document = {"seats": [{"name": "ana", "city": city}, {"name": "ben"}]}
    assert position.status(document) == ["ana has 12 buildings: the game has ended"]
    assert position.load({**document, "phase": "over"}).scores()[0].points == 14


def test_positions_round_trip() -> None:
    """At every decision of random games, and after their end."""
    rng = Random(2)
    for seed in range(6):
        game = deal(2 + seed % 3, seed)
        while True:
            document = position.dump(game)
            again = position.load(document)
            assert position.dump(again) == document
            assert again.table() == game.table()
            assert again.decisions() == game.decisions()
            if game.over:
                break
            flow.apply(game.state, random_play(game.state, rng))


def _spots(value: Any) -> list[tuple[Any, Any]]:
    """Every place in a document, as container and key."""
    found: list[tuple[Any, Any]] = []
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, inner in list(items):
        found.append((value, key))
        if isinstance(inner, dict | list):
            found += _spots(inner)
    return found


_JUNK: tuple[Any, ...] = (
    None,
    True,
    -1,
    0,
    1,
    7,
    10**30,
    1.5,
    "",
    "ana",
    "library",
    "role",
    [],
    {},
    [[]],
    ["a"],
)


def test_a_damaged_table_or_position_is_not_understood() -> None:
    """Whatever stands in a table, reading it gives a view that works or NotUnderstood."""
    rng = Random(9)
    damaged = 0
    for seed in range(40):
        game = deal(2 + seed % 3, seed)
        for _ in range(rng.randrange(150)):
            if not game.over:
                flow.apply(game.state, random_play(game.state, rng))
        seats = game.state.seats
        seat = seats[game.state.actor]
        hand = [Held("a", game.rules.card_name("deck", card)) for card in game.hand(seat)]
        for original in (game.table(), position.dump(game)):
            for _ in range(60):
                document = copy.deepcopy(original)
                for _ in range(rng.choice((1, 1, 3))):
                    container, key = rng.choice(_spots(document))
                    if rng.random() < 0.3:
                        del container[key]
                    else:
                        container[key] = copy.deepcopy(rng.choice(_JUNK))
                try:
                    if "deck" in original and isinstance(original["deck"], int):
                        view = game.rules.view(seats, document, seat, hand)
                        view.choices()
                        view.plays()
                        assert view.decision is None or view.suggest()
                    else:
                        position.load(document)
                except NotUnderstood:
                    damaged += 1
    assert damaged > 1000


def test_a_seat_that_is_not_asked_may_look() -> None:
    game = deal(3, 1)
    hand = [Held("a", game.rules.card_name("deck", card)) for card in game.hand("ben")]
    view = game.rules.view(SEATS[:3], game.table(), "ben", hand)
    assert view.decision is None
    assert view.choices() == []
    assert view.plays() == []
    for ask in (lambda: view.read("pass"), lambda: view.check("pass"), view.suggest):
        with pytest.raises(Illegal):
            ask()


def test_hostile_plays_change_nothing() -> None:
    game = deal(2, 3)
    before = position.dump(game)
    letters = ["a", "b", "c", "d"]
    for decision, play, names in (
        ("1.1.role.ben", "role trader", letters),
        ("1.2.role.ana", "role trader", letters),
        ("1.1.role.ana", "role thief", letters),
        ("1.1.role.ana", "role trader no-library", letters),
        ("1.1.role.ana", "pass", letters),
        ("1.1.role.ana", "role trader", letters[:3]),
        ("1.1.role.ana", "\0" * 4000, letters),
    ):
        with pytest.raises(GameError):
            game.take(decision, play, names)
        assert position.dump(game) == before
