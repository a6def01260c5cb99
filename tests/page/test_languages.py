"""The languages are whole: every word that a page needs is there, for both games."""

from __future__ import annotations

import random
import tomllib
from functools import partial

import pytest

from referee.bots.names import LEVELS
from referee.games import GAMES, rules_of
from referee.games.interface import View
from referee.render.page.language import FOLDER, Language, codes
from referee.render.page.model import badges, shown_rows
from referee.render.text import story
from referee.table import opening
from referee.table.replay import Session
from tests.games.test_contract import RULE_SETS
from tests.page.worlds import all_kinds
from tests.table.tables import REFEREE, Table

FILES = {code: tomllib.loads((FOLDER / f"{code}.toml").read_text()) for code in codes()}


def test_the_fallback_comes_first() -> None:
    assert codes()[:2] == ["en", "de"]


@pytest.mark.parametrize("code", FILES)
def test_a_language_has_every_text_with_its_blanks(code: str) -> None:
    for part in ("text", "story", "status"):
        assert set(FILES[code][part]) == set(FILES["en"][part])
        for key, said in FILES[code][part].items():
            blanks = {word for word in said.split() if "{" in word}
            assert len(blanks) <= len(FILES["en"][part][key].split("{")), key
            assert said


@pytest.mark.parametrize("code", FILES)
@pytest.mark.parametrize("level", LEVELS)
def test_a_bot_of_each_level_has_a_name(level: str, code: str) -> None:
    said = Language(code, RULE_SETS["sanjuan-2014"]).bot(f"{level}-1/40")
    assert FILES[code]["text"][f"level-{level}"] in said
    assert "40" in said


def test_the_name_of_a_bot_is_in_the_language_of_the_page() -> None:
    assert Language("en", RULE_SETS["sanjuan-2014"]).bot("greedy-1") == "medium bot (version 1)"
    assert Language("de", RULE_SETS["sanjuan-2014"]).bot("greedy-1") == "Bot (mittel, Version 1)"


@pytest.mark.parametrize("code", FILES)
@pytest.mark.parametrize("name", RULE_SETS)
def test_every_card_has_a_title_a_text_and_a_picture(name: str, code: str) -> None:
    rules = RULE_SETS[name]
    drawn = rules.data("icons.toml")
    assert rules.faces()
    for card, face in rules.faces().items():
        assert len(rules.card_title(card, code)) > 1
        assert len(rules.text(card, code)) > 20
        assert len(drawn[face.icon]) == 2
        assert " ".join(rules.text_lines(card, code)) == rules.text(card, code)
        if rules.module == "sanjuan":
            assert card in rules.texts(code)["cards"]
    icons_ = {str(drawn[face.icon]) for face in rules.faces().values()}
    assert len(icons_) == len(rules.faces())


@pytest.mark.parametrize("code", FILES)
@pytest.mark.parametrize("module", GAMES)
def test_all_that_may_be_asked_has_a_word(module: str, code: str) -> None:
    assert set(rules_of(module).kinds) == set(rules_of(module).texts(code)["kinds"])


@pytest.mark.parametrize("name", RULE_SETS)
def test_everything_that_is_told_is_told_in_every_language(name: str) -> None:
    rules = RULE_SETS[name]
    languages = [Language(code, rules) for code in codes()]
    for seats in (2, 4):
        chance = random.Random(f"{name} {seats}")
        table = Table(seats, f"told {name}", rules=rules).join_all()
        table.rush(partial(_choose, chance))
        for language in languages:
            missed: set[str] = set()
            heard = _Listener(language, missed)
            for one in story.story_entries(table.file, rules, heard):
                assert one.sentences
            assert missed == set()
        # The script of a page puts them into each other's places.
        headings = [
            [len(one.headings) for one in story.story_entries(table.file, rules, language)]
            for language in languages
        ]
        assert headings.count(headings[0]) == len(languages)
        _labels(table, languages)


def _choose(chance: random.Random, view: View) -> str:
    plays = view.plays(200)
    return chance.choice(plays) if plays and chance.random() < 0.3 else view.suggest()


class _Listener(story.Voice):
    def __init__(self, language: Language, missed: set[str]) -> None:
        self.language = language
        self.missed = missed

    def game(self, sentence: str) -> str:
        if all(pattern.match(sentence) is None for pattern in self.language._story):
            self.missed.add(sentence)
        return self.language.game(sentence)


def _labels(table: Table, languages: list[Language]) -> None:
    """Every word on the table has a label."""
    file = table.file
    rules = languages[0].rules
    session = Session.replay(file, opening.deal_secret(file, REFEREE))
    assert session.game is not None
    board = rules.board(session.game.table(), file.log_lines())
    words = [*board.numbers]
    for row in shown_rows(board):
        words += [row.key, *(item.word for item in row.items)]
    for place in board.places:
        words += [*place.numbers, *badges(place)]
    for one in rules.sheets(session.game.table(), file.log_lines()):
        words += [label.removeprefix("under ") for label, _ in one.parts]
        words += [one.tie[0]] if one.tie else []
    for language in languages:
        for word in words:
            assert word in language.labels or word in language.cards, word


def test_every_note_of_a_choice_is_told_in_every_language() -> None:
    for asked in all_kinds().values():
        for language in asked.model.languages.values():
            for choice in asked.view.choices():
                for part in choice.note.split("; ") if choice.note else []:
                    known = [one for one in language._notes if one.match(part) is not None]
                    assert known, (asked.kind, part)


def test_german_is_spoken() -> None:
    asked = all_kinds()["build"]
    language = asked.model.languages["de"]
    assert language.game(
        "ana builds well on plot 3 over gold-mine for 1 card and goods of crane (plot 2),"
        " well (plot 4) and plot 5"
    ) == (
        "ana baut Brunnen auf Bauplatz 3 über Goldmine für 1 Karte und die Waren von Kran"
        " (Bauplatz 2), Brunnen (Bauplatz 4) und Bauplatz 5"
    )
    assert language.note("pay gold-mine, well; draw 2") == "zahlt Goldmine und Brunnen; zieht 2"
    assert language.note("plot 2 to pay 1; plot 3 to pay 0") == (
        "Bauplatz 2: 1 zu zahlen; Bauplatz 3: 0 zu zahlen"
    )
    assert language.game("ana loses well on plot 3") == "ana verliert Brunnen auf Bauplatz 3"
    assert language.game("ana gets nothing from the gold-mine") == "ana geht leer aus (Goldmine)"
    assert language.note("something new") == "something new"


def test_the_last_pass_is_told_without_names_of_piles() -> None:
    rules = rules_of("xanadu").whole()
    narrator = rules.narrator()
    german = Language("de", rules)
    lines = ["draw ana end 2", "draw table end 1", "open end end-of-game", "end"]
    told = [sentence for line in lines if (sentence := narrator.tell(line))]
    assert told == ["ana draws 2 cards", "the End card is drawn, and the game is over"]
    assert [german.game(sentence) for sentence in told] == [
        "ana zieht 2 Karten",
        "die Endkarte ist gezogen, das Spiel ist zu Ende",
    ]
    assert german.game(narrator.tell("shuffle deck 1 9")) == "die Karten werden neu gemischt (9)"
    assert german.note("draw 1; the End card comes") == "zieht 1; die Endkarte kommt"


@pytest.mark.parametrize("name", RULE_SETS)
def test_how_a_game_is_played_is_said_in_german(name: str) -> None:
    rules = RULE_SETS[name]
    terms = rules.terms()
    language = Language("de", rules)
    for word in (*terms["expansions"], *terms["variants"]):
        assert language.term(word) != word.replace("-", " ")
    assert language.term("2014") == "2014"
