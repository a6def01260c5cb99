"""What a player may type, what it is completed to, and what is said when it cannot be taken."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from referee.games.interface import GameError, Incomplete, NotUnderstood, letter
from referee.games.sanjuan import position
from referee.games.sanjuan.cards import ALIASES, NAMES
from tests.games.sanjuan.readings import (
    is_not_canonical,
    is_refused,
    leaves_open,
    means,
    only_mistakes,
    seen,
    view,
)
from tests.games.sanjuan.test_engine_core import deal

BUILD = {
    "phase": "builder",
    "seats": [
        {
            "name": "ana",
            "hand": ["library", "well", "well", "tower", "tobacco-storage", "statue"],
            "city": [
                "indigo-plant",
                "crane",
                {"card": "sugar-mill", "good": True},
                "black-market",
                "smithy",
            ],
        },
        {"name": "ben"},
    ],
}
TIDY = {
    "phase": "round-start",
    "round": 2,
    "governor": "ana",
    "seats": [
        {
            "name": "ana",
            "city": ["indigo-plant", "chapel"],
            "hand": [*BUILD["seats"][0]["hand"], "chapel", "crane", "hero"],  # type: ignore[index]
        },
        {"name": "ben"},
    ],
}
SELL = {
    "phase": "trader",
    "seats": [
        {
            "name": "ana",
            "city": [
                {"card": "indigo-plant", "good": True},
                {"card": "silver-smelter", "good": True},
                {"card": "silver-smelter", "good": True},
                "silver-smelter",
            ],
        },
        {"name": "ben", "city": [{"card": "indigo-plant", "good": True}]},
    ],
}
KEEP = {
    "phase": "councillor",
    "deck": ["well", "archive", "archive", "hero", "well", "tower", "tower", "..."],
    "seats": [
        {"name": "ana", "hand": ["well"], "city": ["indigo-plant", "archive"]},
        {"name": "ben", "hand": ["library"]},
    ],
}
ROLE = {"seats": [{"name": "ana", "city": ["indigo-plant", "library"]}, {"name": "ben"}]}


@pytest.mark.parametrize(
    ("document", "text", "play"),
    [
        (BUILD, "pass", "pass"),
        (BUILD, "  BUILD Library,  pay e d c b ", "build library pay b c d e"),
        (BUILD, "pay well pay well pay tower pay stat build lib", "build library pay b c d f"),
        (BUILD, "build a pay b c d e", "build library pay b c d e"),
        (BUILD, "build households pay well", "build well pay b"),
        (BUILD, "build well pay c", "build well pay c"),
        (BUILD, "build well over sugar", "build well over 3"),
        (BUILD, "goods sugar build library pay b c d", "build library goods 3 pay b c d"),
        (BUILD, "build statue decline p pay a b c", "build statue pay a b c decline privilege"),
        (
            BUILD,
            "build tob decline warden-house pay a b",
            "build tobacco-storage pay a b decline smithy",
        ),
        (TIDY, "chapel chapel discard well", "chapel g discard b"),
        (TIDY, "discard b chapel a", "chapel a discard b"),
        (SELL, "sell silver", "sell 2"),
        (SELL, "sell silver silver", "sell 2 3"),
        (SELL, "sell 3, 1", "sell 1 3"),
        (SELL, "sell tomato-plant 2", "sell 1 2"),
        (KEEP, "discard well arch arch hero", "discard a c d e"),
        (ROLE, "no-library role trad", "role trader no-library"),
    ],
)
def test_tolerant_reading(document: dict[str, Any], text: str, play: str) -> None:
    means(document, text, play)


def test_what_has_one_answer_is_filled_in() -> None:
    hand = ["well", "tower", "tower"]
    one = {"phase": "builder", "seats": [{"name": "ana", "hand": hand}, {"name": "ben"}]}
    assert view(one).read("build well") == "build well pay b"
    assert view(one).read("build tower") == "build tower pay a b"
    game = position.load(KEEP)
    game.take("1.1.keep.ana", "discard a b c d", [letter(place) for place in range(6)])
    mine = seen(game, "ben")
    assert [held.name for held in mine.hand] == ["library", "tower", "tower"]
    assert mine.read("keep") == "keep b"
    one_good = {**SELL, "governor": "ben"}
    assert view(one_good, "ben").read("sell") == "sell 1"


@pytest.mark.parametrize(
    ("document", "text", "count"),
    [
        (BUILD, "build library", 4),
        (BUILD, "build well", 5),
        (BUILD, "build library goods 3", 7),
        (TIDY, "discard", 29),
        (TIDY, "chapel a", 7),
        (SELL, "sell", 6),
        (KEEP, "discard", 5),
        (ROLE, "role", 10),
    ],
)
def test_what_has_several_answers_lists_them(
    document: dict[str, Any], text: str, count: int
) -> None:
    leaves_open(document, text, count)


@pytest.mark.parametrize(
    ("document", "text", "message"),
    [
        (BUILD, "build library pay b c d", "library costs 4 here; you pay 3"),
        (BUILD, "build library pay a b c d", "the library cannot pay for itself"),
        (BUILD, "build quarry", "there is no quarry in your hand"),
        (BUILD, "build statue pay z", "you hold no card z"),
        (BUILD, "build tower over 2", "a crane cannot be built over"),
        (BUILD, "build tower over 9", "you have no building on plot 9"),
        (BUILD, "build well over 3 goods 3", "there is no good to give up on plot 3"),
        (BUILD, "build well pay a b decline smithy", "to decline the smithy changes nothing here"),
        (BUILD, "build well over 3 decline smithy", "to decline the smithy changes nothing here"),
        (TIDY, "pass", "you may keep 7 cards: discard 2, not 0"),
        (TIDY, "chapel hero discard hero", "you hold no further hero for discard"),
        (TIDY, "chapel a discard a", "a card can go to one place only"),
        (SELL, "sell 1 2 3", "you may sell 2 here, not 3"),
        (SELL, "sell 4", "there is no good on plot 4"),
        (SELL, "sell -1", "you have no building on plot -1"),
        (SELL, "sell 0", "you have no building on plot 0"),
        (SELL, "sell 1.5", "you have no building on plot 1.5"),
        (KEEP, "keep a", "here you say which cards you discard"),
        (KEEP, "discard a b", "you discard exactly 4 here, not 2"),
    ],
)
def test_refusals_name_the_cause_and_the_choices(
    document: dict[str, Any], text: str, message: str
) -> None:
    is_refused(document, text, message)


@pytest.mark.parametrize(
    "text", ["", "foo", "build", "pass pass", "build t", "build nothing", "build well over x", "9"]
)
def test_what_is_not_understood(text: str) -> None:
    with pytest.raises(GameError) as refusal:
        view(BUILD).read(text)
    assert isinstance(refusal.value, NotUnderstood | Incomplete)


@pytest.mark.parametrize(
    "play",
    [
        "",
        " pass",
        "pass ",
        "Pass",
        "build  well pay b",
        "build well pay b b",
        "build library pay c b d e",
        "build library pay b c d e pay f",
        "pay b build well",
        "build well pay well",
        "build wel pay b",
        "build households pay b",
        "build well goods 03",
        "build well pay",
        "build library goods",
        "build statue pay a b c decline privilege privilege",
        "build well over 3 4",
        "sell 1",
        "build well\npay b",
    ],
)
def test_only_canonical_plays_are_checked(play: str) -> None:
    is_not_canonical(BUILD, play)


_CLAUSES = "build over goods pay decline produce sell keep discard chapel role no-library pass"
_POOL = (
    *NAMES,
    *ALIASES,
    *_CLAUSES.split(),
    *("privilege", "smithy", "quarry", "trader", "a", "b", "c", "d", "e", "f", "aa"),
    *("1", "2", "3", "4", "12", "0", "-1", "999999999999", "é", "\u0661", "x" * 300, "pay,", "*"),
)


def test_nothing_that_is_typed_is_more_than_a_mistake() -> None:
    """Any text is a play or a GameError, and what `read` gives `check` and the game take."""
    only_mistakes((deal(2 + seed % 3, seed) for seed in range(6)), Random(4), _POOL, 8)


def test_what_a_play_takes_out_of_the_hand() -> None:
    assert view(BUILD).spends("build library pay b c d e") == ["a", "b", "c", "d", "e"]
    assert view(BUILD).spends("build well pay b") == ["b", "c"]
    assert view(BUILD).spends("pass") == []
    assert view(TIDY).spends("chapel a discard b") == ["a", "b"]
    assert view(KEEP).spends("discard a b c d") == ["a", "b", "c", "d"]
    assert view(SELL).spends("sell 1") == []
    assert view(ROLE).spends("role trader") == []
    keep = {**KEEP, "governor": "ben"}
    assert view(keep, "ben").spends("keep c") == ["b", "d", "e", "f"]
