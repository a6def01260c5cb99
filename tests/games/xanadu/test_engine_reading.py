"""Plays as a player may type them, their completion, and the answer when one cannot be taken."""

from __future__ import annotations

from typing import Any

import pytest

from referee.games.errors import Ambiguous, Illegal, Incomplete, NotUnderstood
from referee.games.interface import View
from referee.games.values import Held, Phrase, letter
from referee.games.xanadu import position


def view(document: dict[str, Any], seat: str = "ana") -> View:
    """The view of a seat in a position, its letters in deal order."""
    game = position.load(document)
    names = [game.rules.card_name("deck", card) for card in game.hand(seat)]
    hand = [Held(letter(place), name) for place, name in enumerate(names)]
    return game.rules.view(game.state.seats, game.table(), seat, hand)


TURN: dict[str, Any] = {
    "seats": [
        {
            "name": "ana",
            "hand": ["felt-maker", "tea-house", "meeting-room", "map-room", "stone-cutter"],
            "city": ["tailors-shop", "rope-walk", {"card": "jade-gate", "workers": 1}],
        },
        {
            "name": "ben",
            "hand": ["oil-press"],
            "city": ["lime-pit", {"card": "barracks", "workers": 1}],
        },
        {"name": "work", "city": ["saddlery"]},
    ],
}
OPENING: dict[str, Any] = {
    "asking": "opening",
    "need": 2,
    "seats": [
        {"name": "ana", "hand": ["felt-maker", "barracks", "tailors-shop", "rope-walk"]},
        {"name": "ben", "hand": ["oil-press", "map-room", "jade-gate"]},
    ],
}


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("pass", "pass"),
        ("PASS", "pass"),
        ("  sell   1 ", "sell 1"),
        ("sell 2, 1", "sell 1 2"),
        ("sell 2 sell 1", "sell 1 2"),
        ("sell rope-walk", "sell 2"),
        ("sell jade tail", "sell 1 3"),
        ("work a ben 2", "work a ben 2"),
        ("work felt-maker ben 2", "work a ben 2"),
        ("work felt ben 2", "work a ben 2"),
        ("work a barracks", "work a ben 2"),
        ("work a barr", "work a ben 2"),
        ("work a ben barracks", "work a ben 2"),
        ("work a ben barr", "work a ben 2"),
        ("work a ana jade", "work a ana 3"),
        ("work a ben 2 d ana 3", "work a ben 2 work d ana 3"),
        ("work a d ben 2", "work a ben 2 work d ben 2"),
        ("work a work 1", "work a work 1"),
        ("work a work saddlery", "work a work 1"),
        ("work a work 1 work b work 1", "work a work 1 work b work 1"),
        ("build stone-cutter", "build stone-cutter"),
        ("build stone", "build stone-cutter"),
        ("build e", "build stone-cutter"),
        ("build Stone Cutter", "build stone-cutter"),
        ("work Map Room ben Lime Pit", "work d ben 1"),
        ("work map room, felt maker lime pit", "work d ben 1 work a ben 1"),
        (
            "work a ben 2 sell 1 build e work d ben 2",
            "sell 1 work a ben 2 work d ben 2 build stone",
        ),
        (
            "build meeting work a d e ben 2",
            "work a ben 2 work d ben 2 work e ben 2 build meeting-room",
        ),
        ("build e work a ben 1", "build stone-cutter work a ben 1"),
    ],
)
def test_turns_are_read_as_they_are_meant(typed: str, meant: str) -> None:
    seen = view(TURN)
    if meant.startswith("sell 1 work a"):
        # Without the tailor's shop there is no wood for the stone cutter but the lime pit's.
        with pytest.raises(Illegal, match="stone-cutter still needs wood"):
            seen.read(typed)
        return
    assert seen.read(typed) == meant
    seen.check(meant)


@pytest.mark.parametrize(
    ("typed", "reason"),
    [
        ("", "there is no play here"),
        ("open a", "'open' is not part of this answer"),
        ("felt-maker", "'felt-maker' is not part of this answer"),
        ("pass now", "'now' is not part of this answer"),
        ("pass sell 1", "pass cannot be combined with anything else"),
        ("sell 1 1", "a plot is sold twice"),
        ("sell nothing", "there is no building 'nothing'"),
        ("build " + "x" * 500, "there is no card"),
        ("build zzz", "there is no card 'zzz'"),
        ("build xanadu", "there is no card 'xanadu'"),
    ],
)
def test_what_is_not_understood(typed: str, reason: str) -> None:
    with pytest.raises(NotUnderstood) as error:
        view(TURN).read(typed)
    assert reason in error.value.message
    assert len(error.value.message) < 200


@pytest.mark.parametrize(
    ("typed", "reason"),
    [
        ("sell 4", "you have no building on plot 4"),
        ("sell -1", "you have no building on plot -1"),
        ("work a ben 0", "ben has no building on plot 0"),
        ("sell barracks", "there is no barracks in your city"),
        ("sell b", "nothing in your city has a name that begins with b"),
        ("work z ben 2", "you hold no card z"),
        ("work barracks ben 1", "which card works there?"),
        ("work oil-press ben 1", "there is no oil-press in your hand"),
        ("work a ben 3", "ben has no building on plot 3"),
        ("work a ana 9", "you have no building on plot 9"),
        ("work a ben jade-gate", "there is no jade-gate in the city of ben"),
        ("work a ben 2 work a ben 1", "a card can be used only once"),
        ("build oil-press", "there is no oil-press in your hand"),
        ("build q", "you hold no card q"),
        ("work a d e b ben 2", "all fields of barracks are covered"),
        ("sell 1 2 3 build stone", "stone-cutter still needs wood here: which workers bring it?"),
    ],
)
def test_what_is_illegal(typed: str, reason: str) -> None:
    with pytest.raises(Illegal) as error:
        view(TURN).read(typed)
    assert reason in error.value.message
    assert error.value.choices
    for choice in error.value.choices:
        if choice.exact:
            view(TURN).check(choice.play)


@pytest.mark.parametrize(
    ("typed", "question"),
    [
        ("sell", "sell what?"),
        ("build", "build what?"),
        ("work", "on which building?"),
        ("work a", "work a on which building?"),
        ("work a ben", "work a ben on which building?"),
        ("work ben 2", "which card works there?"),
        ("build meeting-room", "meeting-room still needs stone, 2 bronze, jade here"),
        ("build map", "map-room still needs"),
    ],
)
def test_what_is_incomplete_is_asked_for(typed: str, question: str) -> None:
    seen = view(TURN)
    with pytest.raises(Incomplete) as error:
        seen.read(typed)
    assert question in error.value.message
    assert 0 < len(error.value.choices) <= 50
    for choice in error.value.choices:
        if choice.exact:
            assert seen.read(choice.play) == choice.play


TAKEN_NAMES: dict[str, Any] = {
    "seats": [
        {
            "name": "ana",
            "hand": ["felt-maker", "tea-house", "meeting-room"],
            "city": ["tailors-shop"],
        },
        {"name": "b", "city": ["barracks", "oil-press"]},
        {"name": "build", "city": ["saddlery"]},
    ],
}


def test_a_turn_with_two_readings_is_refused_with_both() -> None:
    """A seat may be called like a card's letter, or like a word."""
    seen = view(TAKEN_NAMES)
    with pytest.raises(Ambiguous) as question:
        seen.read("work a b barracks")
    assert question.value.message == (
        "this can be read in 2 ways: work a, b barracks | work a, b, b 1"
    )
    assert [choice.play for choice in question.value.choices] == [
        "work a b 1",
        "work a b 1 work b b 1",
    ]
    assert seen.read("", [Phrase("work", "a b 1")]) == "work a b 1"


def test_one_building_and_one_card_need_no_names() -> None:
    document = {
        "seats": [
            {"name": "ana", "hand": ["oil-press"], "city": ["tailors-shop"]},
            {"name": "ben", "city": ["rope-walk"]},
        ]
    }
    assert view(document).read("sell") == "sell 1"
    assert view(document).read("work ben 1") == "work a ben 1"
    assert view(document).read("work rope") == "work a ben 1"


def test_workers_are_filled_in_where_there_is_one_way() -> None:
    document: dict[str, Any] = {
        "seats": [
            {"name": "ana", "hand": ["oil-press", "map-room"], "city": ["fan-maker"]},
            {"name": "ben", "city": ["lime-pit"]},
        ]
    }
    assert view(document).read("build oil-press") == "work b ben 1 build oil-press"
    document["seats"][1]["city"].append("oil-press")
    document["seats"][0]["hand"][0] = "saddlery"
    with pytest.raises(Incomplete) as error:
        view(document).read("build saddlery")
    assert [choice.play for choice in error.value.choices] == [
        "work b ben 1 build saddlery",
        "work b ben 2 build saddlery",
    ]
    assert view(document).read("build saddlery work map ben 2") == "work b ben 2 build saddlery"


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("open a c", "open a c"),
        ("open c a", "open a c"),
        ("open tailors felt", "open a c"),
        ("open rope a", "open a d"),
    ],
)
def test_openings_are_read_as_they_are_meant(typed: str, meant: str) -> None:
    assert view(OPENING).read(typed) == meant


def test_an_opening_with_one_answer_is_filled_in() -> None:
    assert view(OPENING, "ben").read("open") == "open a b"
    assert view(OPENING, "ben").read("open map") == "open a b"
    with pytest.raises(Incomplete) as error:
        view(OPENING).read("open a")
    assert [choice.play for choice in error.value.choices] == ["open a c", "open a d"]


@pytest.mark.parametrize(
    ("typed", "reason"),
    [
        ("open b c", "you begin with brown cards"),
        ("open a c d", "you begin with two cards"),
        ("open b", "you begin with"),
        ("open z", "you hold no card z"),
        ("open barracks tail", "you begin with brown cards"),
    ],
)
def test_openings_that_are_illegal(typed: str, reason: str) -> None:
    with pytest.raises(Illegal, match=reason):
        view(OPENING).read(typed)


@pytest.mark.parametrize("typed", ["pass", "sell 1", "open a a", "open zzzz", ""])
def test_openings_that_are_not_understood(typed: str) -> None:
    with pytest.raises(NotUnderstood):
        view(OPENING).read(typed)


@pytest.mark.parametrize(
    "play",
    [
        *("sell", "sell 2 1", "sell 1 1", "sell 01", "sell one", "sell 1 sell 2", "sell 1 pass"),
        *("work", "work a", "work a ben", "work a ben two", "work a bea 2", "work A ben 2"),
        *("work aaaa ben 2", "work a ben 2 ", " pass", "pass pass", "build", "build  stone-cutter"),
        *("build stone", "build zzz", "work a ben 2 sell 1", "work a ben 0", "open a"),
    ],
)
def test_only_canonical_plays_pass_the_check(play: str) -> None:
    with pytest.raises(NotUnderstood):
        view(TURN).check(play)


def test_nothing_is_asked_of_the_others() -> None:
    seen = view(TURN, "ben")
    assert seen.decision is None
    assert seen.choices() == []
    assert seen.plays() == []
    for act in (lambda: seen.read("pass"), lambda: seen.check("pass"), seen.suggest):
        with pytest.raises(Illegal, match="it is not ben's turn"):
            act()


def test_what_a_play_spends() -> None:
    assert view(TURN).spends("work d ben 2 build stone-cutter") == ["d", "e"]
    assert view(TURN).spends("sell 1") == view(TURN).spends("pass") == []
    assert view(OPENING).spends("open a c") == ["a", "c"]


def test_the_listing_stays_useful_when_plays_are_too_many() -> None:
    seen = view(TURN)
    assert seen.plays(10_000) is None
    rows = {row.play: row for row in seen.choices()}
    assert rows["pass"].note == "draw 2"
    assert rows["build stone-cutter"].note == "draw 1"
    assert rows["sell 3"].note == "sell jade-gate for 6; draw 2"
    assert rows["sell 1 2 3"].exact
    assert any(play.endswith("build meeting-room") for play in rows)
    assert rows["work LETTER ben 2"].note == "barracks: jade; price 6 → 4"
    assert not rows["work LETTER ben 2"].exact
    assert rows["work LETTER ana 2"].note == "rope-walk: wood, stone; price 0 → 1; your favour ink"
    assert "sell PLOT… work LETTER SEAT PLOT build CARD" in rows


def test_the_listing_offers_a_sale_where_there_is_no_room_to_build() -> None:
    document: dict[str, Any] = {
        "seats": [
            {
                "name": "ana",
                "hand": ["stone-cutter", "map-room", "barracks"],
                "city": ["tailors-shop", "rope-walk", "jade-gate", "oil-press", "felt-maker"],
            },
            {"name": "ben", "city": ["lime-pit"]},
        ]
    }
    assert "sell 3 build stone-cutter" in {row.play for row in view(document).choices()}


def test_what_may_be_answered_is_public() -> None:
    decision = view(TURN).decision
    assert decision is not None
    assert decision.may == (
        "sell any of 1 2 3",
        "work LETTER ana 1 2 3",
        "work LETTER ben 1 2",
        "work LETTER work 1",
        "build CARD",
        "pass",
    )
