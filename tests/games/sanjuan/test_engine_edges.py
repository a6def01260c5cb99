"""The edges of the engine: card data and terms, positions, and tables that others may have made."""

from __future__ import annotations

import copy
from random import Random
from typing import Any

import pytest

from referee.games.errors import GameError, Illegal, NotUnderstood, OtherVersion
from referee.games.sanjuan import flow, position
from referee.games.sanjuan.cards import ALIASES, KINDS, TILES, Cards
from referee.games.sanjuan.chance import random_play
from referee.games.sanjuan.rules import RULES
from referee.games.sanjuan.view import SanJuanView
from referee.games.values import Held
from tests.games.sanjuan.rule_sets import EVERY
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
        for expansions in ([], ["new-buildings"], ["events"], ["new-buildings", "events"])
    }
    assert len(digests) == 8
    assert Cards("2014", ["events"]).total == 116
    assert Cards("2014", ["new-buildings", "events"]).total == 149
    assert Cards("2014", ["new-buildings"]).beside == (143,)
    digest = "521bb8b315d7d8b7d006f706c399f6dd925a25c6f40fae39c40c72457153e2f7"
    assert base.digest == digest, "games are being played with these cards"


def test_terms_load_again_and_notice_other_card_data() -> None:
    rules = RULES.choose(None, [], [], {"round_limit": "20"})
    for which in EVERY:
        assert RULES.load(which.rules.terms()).terms() == which.rules.terms()
    terms = rules.terms()
    assert terms["edition"] == "2014"
    assert RULES.load(terms).terms() == terms
    with pytest.raises(OtherVersion):
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
        "'foo' is not a key that the position can have",
        "'x' is not a key that seat ana can have",
        "ben has two of chapel in play",
        "ben, well: this building holds no good",
        "ben, library: a crane is never built over",
        "ben, library: nothing can be tucked away here",
        "ben, hero: plots must ascend",
        "ana, hand: there is no card 'nope'",
        "palace is used more than twice; there are only 2",
        "there is no tile '99999'",
        "tile 11222 is there twice",
        "round must be a number from 1 to 10000",
        "governor: there is no seat 'zoe'",
        "there is no role 'thief'",
        "library must be true or false",
    ]
    with pytest.raises(NotUnderstood, match="palace is used more than twice"):
        position.load(document)


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (
            {"seats": []},
            "there must be 2 to 4 seats, each named below its own [[seats]]",
        ),
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
        ({"deck": ["hero"] * 4}, "hero is used more than 3 times"),
        ({"events": ["taxes"]}, "events: there is no card 'taxes'"),
        ({"expansions": ["events"], "events": ["taxes"] * 2}, "taxes is used more than once"),
        ({"expansions": ["events"], "discards": ["taxes"]}, "discards: there is no card 'taxes'"),
        ({"expansions": ["new-buildings"], "deck": ["cathedral"]}, "deck: there is no card"),
        ({"expansions": ["new-buildings"], "removed": ["well"]}, "removed: there is no card"),
        ({"phase": "earthquake"}, "there is no phase 'earthquake'"),
        ({"phase": "draft"}, "there is no phase 'draft'"),
        (
            {"variants": ["draft-start"], "phase": "draft", "round": 2},
            "the first round has no round start, and no other one a draft",
        ),
        ({"expansions": ["events"], "phase": "governor-visit"}, "there is no phase"),
        ({"expansions": ["events"], "phase": "taxes", "turn": 3}, "it cannot be turn 3"),
        (
            {"expansions": ["events"], "phase": "taxes", "events": ["taxes"]},
            "taxes is carried out: it does not lie face up",
        ),
        ({"bank-used": ["ana"]}, "bank-used: there is no bank in this game"),
        ({"asking": "office"}, "turned and asking are for a phase that has begun"),
        (
            {"phase": "round-start", "round": 2, "waiting": ["ben"], "asking": "sell"},
            "'sell' is not asked in the phase round-start",
        ),
        (
            {"edition": "2004", "phase": "prospector", "waiting": ["ana"]},
            "cards lie turned over exactly while somebody takes one of them",
        ),
        (
            {"edition": "2004", "phase": "prospector", "turned": ["well", "crane", "hero"]},
            "the cards turned over to choose from are four of four costs",
        ),
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


def test_what_lies_on_a_plot_may_have_names_of_its_own() -> None:
    """Only under a chapel or bank, be it covered, may the owner look; nobody under a harbor."""

    def faults(plot: dict[str, Any]) -> list[str]:
        seats = [{"name": "ana", "city": [plot]}, {"name": "ben"}]
        return position.status({"expansions": ["new-buildings"], "seats": seats})

    assert faults({"card": "harbor", "over": ["bank"], "under": ["well"], "unseen": ["hero"]}) == []
    assert faults({"card": "harbor", "under": ["well"]}) == [
        "ana, harbor: nothing can be tucked away here"
    ]
    assert faults({"card": "bank", "unseen": ["well"]}) == [
        "ana, bank: no good goes under anything here"
    ]


def test_events_wait_at_the_bottom_of_a_deck_that_does_not_name_them() -> None:
    seats = [{"name": "ana"}, {"name": "ben"}]
    document = {"expansions": ["new-buildings", "events"], "events": ["taxes"], "seats": seats}
    found = position.dump(position.load({**document, "deck": ["hero", "..."]}))
    assert found["deck"][0] == "hero"
    rest = ["earthquake", "debt-relief", "general-amnesty", "free-build", "governor-visit"]
    assert found["deck"][-5:] == rest
    assert found["beside"] == ["cathedral"]
    assert found["removed"] == []
    running = position.dump(position.load({**document, "phase": "earthquake", "events": []}))
    assert running["removed"] == ["earthquake"]


def test_a_plot_number_is_never_used_twice() -> None:
    """The last building falls, and the next one gets a new number, from the file on as well."""
    seats = [{"name": "ana", "hand": ["well"], "city": ["indigo-plant", "tower"]}, {"name": "ben"}]
    game = position.load({"expansions": ["events"], "phase": "earthquake", "seats": seats})
    game.take(game.decisions()[0].id, "lose 2", ["a"])
    table, document = game.table(), position.dump(game)
    assert [row.get("plots") for row in table["seats"]] == [2, 1]
    assert [row.get("plots") for row in document["seats"]] == [2, 1]
    assert position.load(document).table() == table
    hand = [Held("a", "well")]
    view = game.rules.view(("ana", "ben"), table, "ana", hand)
    assert isinstance(view, SanJuanView)
    assert len(view.state.city[0]) == 2


def test_positions_round_trip() -> None:
    """At every decision of random games of every rule set, and after their end."""
    rng = Random(2)
    for seed in range(len(EVERY)):
        game = deal(2 + seed % 3, seed, seed)
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
    for seed in range(48):
        game = deal(2 + seed % 3, seed, seed)
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
