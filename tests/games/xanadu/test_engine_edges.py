"""The edges of the engine: positions and tables that may be made by hand or in malice."""

from __future__ import annotations

import copy
from random import Random
from typing import Any

import pytest

from referee.games import rules_of, words
from referee.games.errors import GameError, Illegal, NotUnderstood
from referee.games.values import Held, letter
from referee.games.xanadu import flow, position
from referee.games.xanadu.chance import random_play
from referee.games.xanadu.rules import RULES
from referee.games.xanadu.words import WORDS
from tests.games.golden import board_lines
from tests.games.xanadu.randomly import SEATS
from tests.games.xanadu.test_engine_core import deal


def test_the_game_is_in_the_registry() -> None:
    assert rules_of("xanadu") is RULES
    assert {word.name for word in WORDS} <= set(words())
    reserved = {"game", "turn", "seen", "play", "seat", "key", "seal", "salt"}
    assert not reserved & {word.name for word in WORDS}


def test_status_lists_everything_that_is_impossible() -> None:
    document = {
        "foo": 1,
        "round": True,
        "active": "zoe",
        "asking": "what",
        "idle": -1,
        "deck": ["barracks", "barracks"],
        "end": ["map-room"],
        "discards": "map-room",
        "seats": [
            {"name": "ana", "x": 1, "hand": ["nope", "jade-gate"], "coins": "many"},
            {
                "name": "ben",
                "city": [
                    "jade-gate",
                    "oil-press",
                    {"card": "tea-house", "plot": 1},
                    {"card": "rope-walk", "workers": 4},
                    {"card": "lime-pit", "workers": [{"card": "saddlery", "by": "zoe"}]},
                    {"card": "felt-maker", "workers": ["felt-maker"]},
                    3,
                ],
            },
        ],
    }
    found = position.status(document)
    assert found[:4] == [
        "'foo' is not a key that the position can have",
        "'x' is not a key that seat ana can have",
        "ana: coins must be a number from 0 to 1000000",
        "ana, hand: there is no card 'nope'",
    ]
    for text in (
        "ben, tea-house: plots must ascend",
        "ben, rope-walk: workers must be at most 3 cards, or how many",
        "ben, lime-pit: there is no seat 'zoe'",
        "ben, felt-maker, workers: felt-maker is there twice",
        "ben: a building is the name of a card, or { card = NAME, plot = 2 }",
        "deck: barracks is there twice",
        "discards must be a list of names",
        "end must hold end-of-game once",
        "round must be a number from 1 to 10000",
        "idle must be a number from 0 to 3",
        "active: there is no seat 'zoe'",
        "there is no question 'what'",
    ):
        assert text in found, found
    with pytest.raises(NotUnderstood, match="there is no question"):
        position.load(document)


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"seats": []}, "there must be 2 to 6 seats, each named below its own [[seats]]"),
        ({"seats": [{"name": "ana"}, {"name": "ana"}]}, "two seats have the same name"),
        ({"variants": ["x"]}, "Xanadu has no variant 'x'"),
        ({"variants": 3}, "variants must be a list of names"),
        ({"passes": 4}, "passes must be a number from 2 to 3"),
        ({"stall_guard": 1}, "stall_guard must be true or false"),
        ({"edition": 1}, "edition must be a name"),
        ({"own-deck": {}}, "this deck cannot be used"),
        ({"reshuffles": 1}, "end is there in the last pass and only then"),
        ({"reshuffles": 2}, "reshuffles must be a number from 0 to 1"),
        ({"end": ["end-of-game"], "reshuffles": 0}, "end is there in the last pass"),
        ({"asking": "opening", "waiting": ["cleo"]}, "waiting must name seats with cards"),
        ({"asking": "opening", "waiting": ["ben", "ana"]}, "waiting must name seats with cards"),
        ({"asking": "opening", "need": 3}, "need must be a number from 1 to 2"),
        (
            {"asking": "turn", "seats": [{"name": "ana", "hand": ["barracks"]}, {"name": "ben"}]},
            "no building is in play: everybody begins anew",
        ),
        (
            {"seats": [{"name": name, "city": []} for name in SEATS], "variants": ["advanced"]},
            "the advanced rules are for 2 to 4 players",
        ),
        (
            {
                "seats": [
                    {
                        "name": "ana",
                        "city": ["oil-press", "rope-walk", "map-room", "tea-house", "tea-stall",
                                 "jade-gate"],
                    },
                    {"name": "ben"},
                ]
            },
            "ana has more than 5 buildings",
        ),
        (
            {
                "seats": [
                    {
                        "name": "ana",
                        "hand": ["oil-press", "rope-walk", "map-room", "tea-house", "tea-stall",
                                 "jade-gate", "barracks", "cart-shed"],
                        "city": ["meeting-room"],
                    },
                    {"name": "ben"},
                ]
            },
            "ana holds more than 7 cards",
        ),
    ],
)  # fmt: skip
def test_status_names_the_fault(change: dict[str, Any], fault: str) -> None:
    seats = [
        {"name": "ana", "hand": ["felt-maker"], "city": ["timber-yard"]},
        {"name": "ben", "hand": ["grain-store"]},
    ]
    found = position.status({"seats": seats, **change})
    assert any(text.startswith(fault) for text in found), found


def test_a_position_may_bring_its_own_deck() -> None:
    rules = RULES.choose(None, [], [], {})
    deck = copy.deepcopy(rules.cards.document)
    deck["deck"] = "mine"
    deck["card"][0]["name"] = "Palace of Mirrors"
    seats = [{"name": "ana", "city": ["palace-of-mirrors"]}, {"name": "ben"}]
    game = position.load({"own-deck": deck, "seats": seats})
    assert game.rules.terms()["deck"] == "mine"
    document = position.dump(game)
    assert position.dump(position.load(document)) == document


def middle(seed: int = 1) -> Any:
    """A three-player game after some turns."""
    rng = Random(seed)
    game = deal((3, False), seed)
    for _ in range(15):
        flow.apply(game.state, random_play(game.state, rng))
    return game


def test_a_table_that_is_none_is_refused_with_the_key() -> None:
    game = middle()
    seat = game.decisions()[0].seat
    hand = [
        Held(letter(place), game.rules.card_name("deck", card))
        for place, card in enumerate(game.hand(seat))
    ]
    table = game.table()
    game.rules.view(SEATS[:3], table, seat, hand)
    strange: list[Any] = [None, -1, 10**9, True, "x", [], ["x"], {}, [[]], [None], {"a": 1}, 1.5]
    changed = 0
    for key in table:
        for value in strange:
            other = {**copy.deepcopy(table), key: value}
            changed += _refused(game, other, seat, hand)
    for number, row in enumerate(table["seats"]):
        for key in row:
            for value in strange:
                other = copy.deepcopy(table)
                other["seats"][number][key] = value
                changed += _refused(game, other, seat, hand)
        for at, building in enumerate(row["city"]):
            for key in building:
                for value in strange:
                    other = copy.deepcopy(table)
                    other["seats"][number]["city"][at][key] = value
                    changed += _refused(game, other, seat, hand)
    assert changed > 300
    for hands in ([], [*hand, Held("z", "barracks")], [Held("a", "nope") for _ in hand]):
        assert _refused(game, table, seat, hands)
    if len(hand) > 1:
        assert _refused(game, table, seat, [hand[0]] * len(hand))
    assert _refused(game, table, "zoe", hand)


def _refused(game: Any, table: Any, seat: str, hand: list[Held]) -> bool:
    """Return True if a table is refused; if it is not, a view of it must work all the same."""
    try:
        view = game.rules.view(SEATS[:3], table, seat, hand)
    except NotUnderstood as error:
        return any(word in error.message for word in ("table", "seat", "card"))
    view.choices()
    if view.decision is not None:
        view.check(view.suggest())
    return False


def test_a_game_takes_only_the_next_decision() -> None:
    game = deal((3, False), 5)
    first, second = game.decisions()[:2]
    letters = list("abcdefg")
    with pytest.raises(Illegal, match="is not the next decision"):
        game.take(second.id, "open a", letters)
    with pytest.raises(NotUnderstood, match="letters"):
        game.take(first.id, "open a", letters[:3])
    rng = Random(5)
    while not game.over:
        flow.apply(game.state, random_play(game.state, rng))
    with pytest.raises(Illegal, match="over"):
        game.take(first.id, "pass", letters)
    assert game.decisions() == []


def test_messages_are_one_clear_sentence() -> None:
    rng = Random(6)
    game = middle(6)
    state = game.state
    for _ in range(300):
        seat = state.actor
        held = len(state.hand[seat])
        steps = tuple(
            (rng.randrange(held + 1), rng.randrange(3), rng.randrange(1, 8))
            if rng.random() < 0.7
            else (rng.randrange(held + 1),)
            for _ in range(3)
        )
        reason = flow.refuse(state, seat, ((), steps))
        assert reason == reason.strip()
        assert not reason.endswith(".")
        assert "\n" not in reason


def test_the_table_as_text() -> None:
    seats = [
        {"name": "ana", "coins": 3, "city": [{"card": "barracks", "workers": 1}, "tailors-shop"]},
        {"name": "ben", "hand": ["oil-press"], "city": ["salt-store"]},
    ]
    game = position.load(
        {"deck": ["map-room"], "end": ["jade-gate", "end-of-game"], "idle": 1, "seats": seats}
    )
    assert board_lines(game.rules.board(game.table())) == [
        "Round 1: it is ana's turn",
        "Cards: draw pile 3 (pass 2 of 2, the End card among the last), discards 0",
        "Idle: nothing has happened for a turn",
        "ana: to move, 3 tong bao, hand 0, buildings 2",
        "   1 barracks 6 → 4: jade 1 of 4 worker",
        "   2 tailors-shop 0 → 1: wood, silk 0 of 4 worker owner has wood",
        "ben: 0 tong bao, hand 1, buildings 1",
        "   1 salt-store 1 → 1: wood, clay + clay 0 of 4 worker",
    ]
    game.take("1.1.turn.ana", "pass", [])
    assert game.over
    lines = board_lines(game.rules.board(game.table()))
    assert lines[0] == "The game ended in round 1"
    assert lines[2] == "ana: wins, 9 tong bao, hand 2, buildings 0"


def test_errors_are_game_errors() -> None:
    for play in ("work a", "sell", "build", "x"):
        with pytest.raises(GameError):
            middle().take(middle().decisions()[0].id, play, list("abcdefg"))
