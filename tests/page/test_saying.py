"""Answers in the words of people, in every language."""

from __future__ import annotations

import pytest

from referee.games import GAMES, rules_of
from referee.games.values import Choice
from referee.render.page.language import Language, codes
from referee.render.page.model import speaker
from referee.render.page.saying import Speaker
from tests.page.worlds import all_kinds

HELD = {"a": "well", "b": "crane", "c": "gold-mine"}
CITY = {("ana", "1"): "indigo-plant", ("ana", "3"): "silver-smelter"}
XANADU_HELD = {"a": "tea-house", "b": "map-room"}
XANADU_CITY = {("ana", "1"): "rope-walk", ("ben", "2"): "oil-press"}


def san_juan(code: str) -> Speaker:
    rules = rules_of("sanjuan").choose(None, ["new-buildings", "events"], [], {})
    words = {word.name: word for word in rules.words}
    return Speaker(Language(code, rules), words, "ana", HELD, CITY)


def xanadu(code: str) -> Speaker:
    rules = rules_of("xanadu").whole()
    words = {word.name: word for word in rules.words}
    return Speaker(Language(code, rules), words, "ana", XANADU_HELD, XANADU_CITY)


@pytest.mark.parametrize(
    ("play", "english", "german"),
    [
        ("role builder", "Builder", "Baumeister"),
        (
            "role trader no-library",
            "Trader, without the library",
            "Händler, ohne die Bibliothek",
        ),
        (
            "build statue pay LETTER LETTER LETTER",
            "Build Statue, 3 cards",
            "Statue bauen, 3 Karten",
        ),
        ("build well pay LETTER", "Build Well, 1 card", "Brunnen bauen, 1 Karte"),
        (
            "build chapel pay a b",
            "Build Chapel, pay Well, Crane",
            "Kapelle bauen, dafür Brunnen, Kran",
        ),
        (
            "build palace over PLOT pay LETTER…",
            "Build Palace, over a building, cards",
            "Palast bauen, über einem Gebäude, Karten",
        ),
        (
            "sell 1 3",
            "Sell Indigo plant, Silver smelter",
            "Indigoküperei, Silberschmelze verkaufen",
        ),
        ("keep c", "Keep Gold mine", "Goldmine behalten"),
        ("discard LETTER LETTER", "Discard 2 cards", "2 Karten abwerfen"),
        ("chapel a", "Well under the Chapel", "Brunnen unter die Kapelle"),
        ("pass", "Pass", "Passen"),
    ],
)
def test_answers_of_san_juan(play: str, english: str, german: str) -> None:
    assert [san_juan(code).title(play) for code in ("en", "de")] == [english, german]


@pytest.mark.parametrize(
    ("play", "english", "german"),
    [
        ("open a b", "Begin with Tea House, Map Room", "Mit Tea House, Map Room beginnen"),
        ("sell 1", "Sell Rope Walk", "Rope Walk verkaufen"),
        (
            "work a ben 2 build map-room",
            "Tea House works on Oil Press (ben), build Map Room",
            "Tea House arbeitet an Oil Press (ben), Map Room bauen",
        ),
        ("work LETTER ana 1", "Work on Rope Walk", "An Rope Walk arbeiten"),
        (
            "sell PLOT… work LETTER SEAT PLOT build CARD",
            "Sell buildings, work on a building, build a card",
            "Gebäude verkaufen, an einem Gebäude arbeiten, eine Karte bauen",
        ),
    ],
)
def test_answers_of_xanadu(play: str, english: str, german: str) -> None:
    assert [xanadu(code).title(play) for code in ("en", "de")] == [english, german]


def test_of_two_of_a_kind_the_plot_is_said() -> None:
    say = san_juan("en")
    say.city = {**CITY, ("ana", "4"): "silver-smelter", ("ben", "1"): "indigo-plant"}
    assert say.title("sell 1 3") == "Sell Indigo plant, Silver smelter (3)"


def test_what_the_title_says_is_not_said_again() -> None:
    say = san_juan("en")
    assert say.note(Choice("build well pay LETTER", "price 1", exact=False)) == ""
    assert say.note(Choice("sell 1", "sell indigo-plant; draw 2")) == "draw 2"
    assert say.note(Choice("pass", "build nothing")) == "build nothing"
    assert xanadu("en").note(Choice("sell 1", "sell rope-walk for 4; draw 1")) == (
        "sell Rope Walk for 4; draw 1"
    )


@pytest.mark.parametrize("code", codes())
def test_every_answer_is_said_in_words(code: str) -> None:
    for asked in all_kinds().values():
        language = asked.model.languages[code]
        say = speaker(asked.model, language)
        names = asked.model.faces
        for choice in asked.view.choices():
            title = say.title(choice.play)
            assert title[:1].isupper() or not title[:1].isalpha(), title
            assert not {"LETTER", "PLOT", "CARD", "SEAT", "▢", "{"} & set(title.split()), title
            assert not {name for name in names if "-" in name and name in title}, title


@pytest.mark.parametrize("code", codes())
@pytest.mark.parametrize("module", GAMES)
def test_every_word_of_a_play_is_said(module: str, code: str) -> None:
    rules = rules_of(module).whole()
    says = Language(code, rules).says
    assert {word.name for word in rules.words} <= set(says)
