"""The log as a story: every line has its sentence, and the sums of a result are right."""

from __future__ import annotations

import re
from random import Random

import pytest

from referee.games import rules_of
from referee.games.interface import Narrator
from referee.games.match import Match
from referee.games.values import Score
from referee.render.text import story
from referee.table.rules import rules_for
from tests.cli import world
from tests.games.sanjuan.randomly import Turn, deal
from tests.games.sanjuan.rule_sets import NAMED
from tests.table.tables import load

NAMES = {"ana", "ben"}


@pytest.mark.parametrize("name", NAMED)
def test_every_line_of_san_juan_has_its_sentence(name: str) -> None:
    kinds = set()
    for seed in range(12):
        rng = Random(f"{name} {seed}")
        game = deal(3, rng, rules=NAMED[name])
        line = Match.__new__(Match)
        line.rules = game.rules
        narrator = game.rules.narrator()
        while not game.over:
            turn = Turn(game, rng)
            play = turn.pick() if rng.random() < 0.5 else turn.view().suggest()
            for words in line.lines(game.take(turn.decision.id, play, turn.letters)):
                kinds.add(words.split(" ")[0])
                told = narrator.tell(words)
                assert told != words
                assert not re.search(r"(?<!on )(?<!\()plot|\(\d+[),]", told), (words, told)
        _sums_are_right(game.rules.result(game.table()), game.scores())
    assert {"role", "build", "produce", "sell", "keep", "tile", "score", "round"} <= kinds


def _sums_are_right(lines: list[str], scores: list[Score]) -> None:
    assert len(lines) == 1 + len(scores)
    for line, score in zip(lines[1:], scores, strict=True):
        head, _, parts = line.partition(":")
        assert head.split() == [score.seat, str(score.points)]
        sums = [int(part) for part in re.findall(r" (\d+)(?=,|  )", parts)]
        assert sum(sums) == score.points, line
        assert line.endswith(f"(cards and goods {score.tie})")
        assert (score.seat in lines[0].split(" like ")[0]) == score.wins


def test_a_result_says_how_it_was_won() -> None:
    rules = rules_of("sanjuan").choose(None, [], [], {})
    city = [{"plot": 1, "card": "indigo-plant", "good": False}]

    def won(*rows: tuple[str, int, int, bool]) -> str:
        seats = [
            {"name": name, "hand": tie, "city": city, "points": points, "tie": tie, "wins": wins}
            for name, points, tie, wins in rows
        ]
        table = load(world.text_of("finished")).table | {"seats": seats}
        table |= {"governor": "ana", "chooser": "ana", "library-used": []}
        return rules.result(table)[0]

    assert won(("ana", 1, 2, True), ("ben", 0, 9, False)) == "ana wins with 1 point"
    assert (
        won(("ana", 1, 2, False), ("ben", 1, 3, True))
        == "ben wins: 1 point like ana, but more cards and goods"
    )
    assert (
        won(("ana", 1, 2, True), ("ben", 1, 2, True))
        == "ana and ben share the victory with 1 point each"
    )
    assert rules.result(load(world.text_of("dealt")).table) == []
    assert rules.result({}) == []


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (["ana draws 1 card"], ["ana draws 1 card"]),
        (["ana sells a", "ana draws 1 card"], ["ana sells a and draws 1 card"]),
        (["ana a", "ana b", "ana c", "ben d"], ["ana a, b and c", "ben d"]),
        (["turned over: a", "turned over: b", "ana c"], ["turned over: a, b", "ana c"]),
        (["the deck is shuffled", "the deck is shuffled"], ["the deck is shuffled"] * 2),
    ],
)
def test_sentences_about_one_seat_are_put_together(found: list[str], said: list[str]) -> None:
    assert story.together(found, NAMES) == said


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("draw ana deck 1", "ana draws 1 card"),
        ("draw ana coins 3", "ana draws 3 cards of coins"),
        ("draw table deck 3", ""),
        ("shuffle deck 0 90", ""),
        ("shuffle deck 1 60", "the deck of 60 cards is shuffled"),
        ("open deck library", "turned over: library"),
        ("take ana deck library", "ana takes library"),
        ("dance ana 3", "dance ana 3"),
    ],
)
def test_what_every_game_has_is_told_for_all(words: str, told: str) -> None:
    assert Narrator().tell(words) == told


def test_a_story_has_an_entry_for_every_step() -> None:
    file = load(world.story().text)
    told = list(story.story_entries(file, rules_for(file)))
    assert [one.step for one in told] == list(range(1, file.step + 1))
    assert all(one.sentences for one in told)
    rounds = [heading for one in told for heading in one.headings]
    assert rounds[0] == "Round 1, ana is the governor"
    assert len(rounds) == file.table["round"]
    for one in told:
        if one.entry.play == "pass":
            assert one.sentences[0].startswith(f"{one.entry.by} passes (")


def test_hostile_lines_are_told_too() -> None:
    narrator = rules_of("sanjuan").choose(None, [], [], {}).narrator()
    for words in (
        "build",
        "build ana",
        "sell ana",
        "role",
        "produce",
        "keep ana",
        "tile",
        "lose x",
    ):
        assert isinstance(narrator.tell(words), str)
