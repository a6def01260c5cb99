"""A board is drawn in colour within the width, in ASCII elsewhere, and read out in words."""

from __future__ import annotations

import itertools
import re
import sys
from collections.abc import Iterator
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest

from referee.cli.main import main
from referee.games import rules_of
from referee.games.board import Board, Building, Fact, Item, Mark, Place, Row
from referee.render.text import board, fancy, terminal
from referee.render.text.overview import in_order
from referee.table.hands import Card, Hand
from referee.table.rules import rules_for
from tests.cli.world import lay_out, text_of
from tests.table.tables import load

SGR = re.compile(r"\x1b\[[0-9;]*m")
HOSTILE = Board(
    "Round \x1b[2J1",
    1,
    (Row("", "Roles\x07", (Item("builder\x1b[31m", "", "a\rna", False), Item("producer"))),),
    (
        Place(
            "ana\x1b[0m",
            (Mark("", "gov\x1bernor"),),
            (Fact("", 4, "hand \u202e4"),),
            (Building(1, "we\x1bll", "2/\x1b1", "no-colour", 1, 1, "good", "over \x1bx"),),
        ),
    ),
)


class Screen(TextIOWrapper):
    """Standard output that says it is a terminal."""

    def __init__(self, encoding: str = "utf-8") -> None:
        super().__init__(BytesIO(), encoding=encoding, errors="backslashreplace")

    def isatty(self) -> bool:
        return True

    @property
    def shown(self) -> str:
        self.flush()
        assert isinstance(self.buffer, BytesIO)
        return self.buffer.getvalue().decode(self.encoding)


@pytest.fixture(autouse=True)
def _quiet(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    yield
    terminal.prepare()


def drawn(
    monkeypatch: pytest.MonkeyPatch, one: Board, columns: int, encoding: str = "utf-8"
) -> str:
    screen = Screen(encoding)
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setattr("sys.stdout", screen)
    board.draw(one, "ana", "cost/points")
    return screen.shown


def late() -> Board:
    file = load(text_of("finished"))
    return rules_for(file).board(file.table, file.log_lines())


@pytest.mark.parametrize("columns", [60, 80, 120, 200])
def test_no_line_is_wider_than_the_terminal(monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    shown = drawn(monkeypatch, late(), columns)
    assert "\x1b[" in shown
    assert "●" in shown
    lines = [SGR.sub("", line) for line in shown.splitlines()]
    assert max(map(len, lines)) <= columns
    assert len(lines) < len(drawn(monkeypatch, late(), 60).splitlines()) + 1


def test_a_head_that_is_too_long_goes_on_between_its_facts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    facts = tuple(Fact("", 0, text) for text in ("hand 12", "10 buildings", "16 points"))
    head = Board("Round 1", 1, (), (Place("ana", (), facts, ()),))
    lines = SGR.sub("", drawn(monkeypatch, head, 30)).splitlines()
    assert lines[1:] == ["ana (you)  hand 12", "    10 buildings · 16 points"]


def test_more_room_makes_fewer_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    heights = [len(drawn(monkeypatch, late(), wide).splitlines()) for wide in (60, 80, 160)]
    assert heights == sorted(heights, reverse=True)
    assert heights[0] > heights[2]


@pytest.mark.parametrize(("name", "value"), [("NO_COLOR", "1"), ("TERM", "dumb")])
def test_elsewhere_it_is_plain_ascii(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(name, value)
    shown = drawn(monkeypatch, late(), 80)
    assert shown.isascii()
    assert "\x1b" not in shown
    assert "Cities:" in shown


@pytest.mark.parametrize(
    ("name", "value", "encoding"),
    [("NO_COLOR", "1", "utf-8"), ("NO_COLOR", "", "ascii"), ("TERM", "dumb", "utf-8")],
)
@pytest.mark.parametrize("wide", range(70, 79))
def test_what_stands_for_a_sign_is_measured(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, encoding: str, wide: int
) -> None:
    monkeypatch.setenv(name, value)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr("sys.stdout", Screen(encoding))
    terminal.prepare()
    text = "work a … → " * 9
    choice, note = text[:20].strip(), text[: wide - 24].strip()
    building = Building(1, f"{choice} x", "2/1", "no-colour", 1, 1, "good", note)
    terminal.rows([(choice, note), ("1  pass", "")])
    terminal.paragraph(text[:wide])
    terminal.say(text[:wide].strip())
    board.draw(Board("Round 1", 1, (), (Place("ana", (), (), (building,) * 3),)), "ana", "")
    screen = sys.stdout
    assert isinstance(screen, Screen)
    lines = SGR.sub("", screen.shown).splitlines()
    assert "work a ... ->" in lines[0]
    assert [line for line in lines if len(line) > 80] == []


def test_symbols_only_where_they_can_be_written(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = SGR.sub("", drawn(monkeypatch, late(), 80, "latin-1"))
    assert shown.isascii()


def test_for_a_screen_reader_all_is_words(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal.read_out()
    shown = drawn(monkeypatch, late(), 80)
    assert shown.isascii()
    assert "\x1b" not in shown
    assert "  Plot 1: indigo-plant, cost 1, points 1" in shown
    assert "Cities:" not in shown
    buildings = sum(len(place.city) for place in late().places)
    assert sum("Plot " in line for line in shown.splitlines()) == buildings


@pytest.mark.parametrize("no_colour", ["", "1"])
def test_nothing_foreign_reaches_the_terminal(
    monkeypatch: pytest.MonkeyPatch, no_colour: str
) -> None:
    monkeypatch.setenv("NO_COLOR", no_colour)
    shown = SGR.sub("", drawn(monkeypatch, HOSTILE, 80))
    assert not re.search("[\x00-\x09\x0b-\x1f\u202e]", shown)


def test_a_hand_is_drawn_in_the_colours_of_its_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen()
    monkeypatch.setattr("sys.stdout", screen)
    monkeypatch.setenv("COLUMNS", "80")
    fancy.hand([fancy.Card("a", "well", "magenta", "2/1", True)] * 7)
    lines = [SGR.sub("", line) for line in screen.shown.splitlines()]
    assert lines[0].split() == ["a", "well", "2/1", "*"] * (len(lines[0].split()) // 4)
    assert max(map(len, lines)) <= 80


@pytest.mark.parametrize("no_colour", ["", "1"])
def test_on_a_low_terminal_things_move_together(
    monkeypatch: pytest.MonkeyPatch, no_colour: str
) -> None:
    monkeypatch.setenv("NO_COLOR", no_colour)
    high, low = (fitted(monkeypatch, lines) for lines in (60, 12))
    assert len(low.splitlines()) < len(high.splitlines())
    assert max(len(line) for line in low.splitlines()) <= 80
    assert "" not in low.splitlines()
    for place in late().places:
        assert place.facts[0].text in low
        for one in place.city:
            assert f"{one.plot} {one.card}" in low


def test_on_a_low_terminal_rows_stay_whole_and_signs_are_explained(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    low = fitted(monkeypatch, 12).splitlines()
    for row in late().rows:
        assert any(
            row.label in line and all(item.text in line for item in row.items) for line in low
        ), row.label
    assert any("● has a good, ○ has none" in line for line in low)


def test_on_a_low_terminal_buildings_stand_below_each_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    low = fitted(monkeypatch, 12).splitlines()
    columns = 0
    for before, line in itertools.pairwise(low):
        if re.match(r"\d+ [a-z]", before) and re.match(r"\d+ [a-z]", line):
            starts = [
                {found.start() for found in re.finditer(r"\d+ ", one)} for one in (before, line)
            ]
            columns += starts[1] <= starts[0]
    assert columns >= len(late().places) // 2


@pytest.mark.parametrize("lines", [80, 24, 20, 12])
def test_a_long_table_is_cut_short_only_where_that_makes_it_fit(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, lines: int
) -> None:
    """Whatever is left out is named, with the command that says it."""
    lay_out(tmp_path, "xanadu")
    monkeypatch.chdir(tmp_path)
    screen = Screen()
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("LINES", str(lines))
    monkeypatch.setattr("sys.stdout", screen)
    assert main(["show", "game.toml", "--key", "ana.key"]) == 0
    shown = SGR.sub("", screen.shown)
    assert (len(shown.splitlines()) < lines) == (lines > 12)
    short = lines in (24, 20)
    assert ("--pass, --work, --build, --sell; `play` asks by menus" in shown) == short
    assert ("show --cards says all of them" in shown) == short
    assert ("costs wood, stone" in shown) == (lines != 20)
    assert ("0 stone | 1 wood" in shown) != short
    assert "4 drum-tower 2 → 3" in " ".join(shown.split())


def fitted(monkeypatch: pytest.MonkeyPatch, lines: int) -> str:
    screen = Screen()
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("LINES", str(lines))
    monkeypatch.setattr("sys.stdout", screen)

    def draw() -> None:
        terminal.say("A heading")
        terminal.say()
        board.draw(late(), "ana", "cost/points")

    terminal.fitted(draw)
    assert not terminal.tight()
    return SGR.sub("", screen.shown)


def test_what_was_drawn_before_a_failure_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen()
    monkeypatch.setattr("sys.stdout", screen)

    def draw() -> None:
        terminal.say("so far")
        raise ValueError("too late")

    with pytest.raises(ValueError, match="too late"):
        terminal.fitted(draw)
    assert "so far" in screen.shown
    assert not terminal.tight()


@pytest.mark.parametrize(
    ("variables", "coloured"),
    [
        ({}, False),
        ({"FORCE_COLOR": "1"}, True),
        ({"CLICOLOR_FORCE": "1"}, True),
        ({"FORCE_COLOR": "0"}, False),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        ({"FORCE_COLOR": "1", "SANJUAN_PLAIN": "1"}, False),
    ],
)
def test_colours_where_they_are_asked_for(
    variables: dict[str, str],
    coloured: bool,
    workplace: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A pipe has none unless a variable forces them, which NO_COLOR and screen readers forbid."""
    for name in ("FORCE_COLOR", "CLICOLOR_FORCE", "NO_COLOR", "SANJUAN_PLAIN"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    lay_out(workplace, "building")
    assert main(["show", "game.toml", "--key", "ana.key"]) == 0
    assert ("\x1b[" in capsys.readouterr().out) == coloured


@pytest.mark.parametrize(
    ("rules", "ranked"),
    [
        ("sanjuan", ["indigo-plant", "silver-smelter", "crane", "library", "palace"]),
        ("xanadu", ["ferry-landing", "wheelwright", "great-bronze-bell", "peacock-court"]),
    ],
)
def test_a_hand_lies_by_kind_and_cost_with_new_cards_apart(rules: str, ranked: list[str]) -> None:
    """Whatever order it was dealt in, and with the letters that its cards have."""
    names = [*ranked, ranked[0]]
    fresh = {("deck", 0, len(ranked))}
    held = [
        Card(letter, name, "deck", 0, at, b"")
        for at, (letter, name) in enumerate(zip("cabfed", names, strict=False))
    ]
    expected = [(card.label, card.name) for card in held]
    chosen = rules_of(rules).choose(None, [], [], {})
    for cards in itertools.islice(itertools.permutations(held), 50):
        hand = Hand(1, "-", "ana", b"", cards, ())
        assert [(one.label, one.name) for one in in_order(chosen, hand, fresh)] == expected


def test_new_cards_begin_a_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lay_out(tmp_path, "finished")
    main(["show", str(tmp_path / "game.toml"), "--key", str(tmp_path / "ana.key")])
    assert "\n  silver-smelter 5/3\n  sugar-mill* 2/1\n" in capsys.readouterr().out
