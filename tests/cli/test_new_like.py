"""`new --like` opens a table with the seats and terms of another game."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest

from referee.cli.main import main
from referee.table import chain
from referee.table.gamefile import GameFile
from referee.table.signing import signed_text
from referee.table.times import DAY, Clock
from tests.cli.world import KEYS
from tests.table.tables import REFEREE as REFEREE_KEY
from tests.table.tables import Table, load

Capture = pytest.CaptureFixture[str]
REFEREE = ("--referee-key", "referee.key")
TERMS = "--expansion events --days 3 --late bot --vacation 9 --shuffle-seats --ahead 1 --title A"


def opened(name: str) -> GameFile:
    return load(Path(name).read_text())


@pytest.fixture
def old(workplace: Path) -> GameFile:
    """A game of three with all kinds of terms, in which two have joined."""
    for name in ("referee", "ana", "ben"):
        KEYS[name].save(workplace / f"{name}.key")
    seats = "--seat ana --seat ben --seat carl"
    assert main(["new", "old.toml", *seats.split(), *TERMS.split(), *REFEREE]) == 0
    for name in ("ana", "ben"):
        words = ("--seat", name, "--key", f"{name}.key")
        assert main(["join", "old.toml", *words, *REFEREE]) == 0
    return opened("old.toml")


def test_seats_are_reserved_for_who_sat_there_and_terms_are_the_same(
    old: GameFile, capsys: Capture
) -> None:
    assert main(["new", "next.toml", "--like", "old.toml", *REFEREE]) == 0
    new = opened("next.toml")
    assert new.game != old.game
    assert new.commitment != old.commitment
    for what in ("title", "terms", "clock", "plan_language", "ahead", "shuffle_seats", "version"):
        assert getattr(new, what) == getattr(old, what), what
    assert [(seat.name, seat.key) for seat in new.seats] == [
        ("ana", KEYS["ana"].public),
        ("ben", KEYS["ben"].public),
        ("carl", None),
    ]
    assert not any(seat.joined for seat in new.seats)


def test_what_is_said_beside_it_counts(old: GameFile, capsys: Capture) -> None:
    more = "--title B --days 1 --seat dora --seat emil --no-plans"
    assert main(["new", "next.toml", "--like", "old.toml", *more.split(), *REFEREE]) == 0
    new = opened("next.toml")
    assert (new.title, [seat.name for seat in new.seats]) == ("B", ["dora", "emil"])
    assert new.clock is not None
    assert new.clock.time == DAY
    assert (new.plan_language, new.ahead) == (0, 0)
    assert new.terms == old.terms
    assert main(["new", "x.toml", "--like", "old.toml", "--edition", "2004", *REFEREE]) == 2
    assert "the rules are those of --like" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("said", "changed"),
    [
        ("--days 2", {"length": 2}),
        ("--days 36h", {"length": 36, "grace": 24, "hourly": True}),
        ("--late pass", {"late": "pass"}),
        ("--late wait", {"late": "wait", "grace": 0}),
        ("--grace 12h", {"length": 72, "grace": 12, "hourly": True}),
        ("--vacation 0", {"vacation": 0}),
        ("--skip weekends", {"skip": "weekends"}),
        ("--utc-offset +02:00", {"offset": 120}),
    ],
)
def test_a_term_of_the_clock_that_is_said_changes_no_other(
    old: GameFile, said: str, changed: dict[str, Any]
) -> None:
    assert main(["new", "next.toml", "--like", "old.toml", *said.split(), *REFEREE]) == 0
    assert old.clock is not None
    assert opened("next.toml").clock == old.clock._replace(**changed)


def test_a_table_without_a_clock_is_no_model_of_one(workplace: Path, capsys: Capture) -> None:
    KEYS["referee"].save(workplace / "referee.key")
    assert main(["new", "old.toml", "--seat", "ana", "--seat", "ben", *REFEREE]) == 0
    assert main(["new", "x.toml", "--like", "old.toml", "--late", "bot", *REFEREE]) == 2
    assert "--late needs --days" in capsys.readouterr().err


def test_who_answers_for_the_late_is_the_same_until_another_is_named(workplace: Path) -> None:
    KEYS["referee"].save(workplace / "referee.key")
    seats = ("--seat", "ana", "--seat", "ben")
    assert main(["new", "old.toml", *seats, "--days", "3", "--late", "hard", *REFEREE]) == 0
    hard = opened("old.toml").bot
    assert main(["new", "a.toml", "--like", "old.toml", "--days", "2", *REFEREE]) == 0
    assert opened("a.toml").bot == hard
    assert main(["new", "b.toml", "--like", "old.toml", "--late", "easy", *REFEREE]) == 0
    assert opened("b.toml").bot not in (hard, "")


def test_a_bot_that_nobody_has_answers_for_no_late_seat(workplace: Path, capsys: Capture) -> None:
    KEYS["referee"].save(workplace / "referee.key")
    file = Table(2, clock=Clock(3, "bot", 1, 28)).file
    file.bot = "greedy-9"
    file.head = chain.first_head(file)
    Path("old.toml").write_text(signed_text(file, REFEREE_KEY))
    assert main(["new", "next.toml", "--like", "old.toml", *REFEREE]) == 2
    said = capsys.readouterr().err
    assert "does not have the bot greedy-9" in said
    assert "another one with --late" in said
    assert not Path("next.toml").exists()
    assert main(["new", "next.toml", "--like", "old.toml", "--late", "hard", *REFEREE]) == 0


def test_a_seat_that_is_named_as_before_keeps_its_key(old: GameFile) -> None:
    other = KEYS["stranger"].public.text
    seats = ("--seat", "ana", "--seat", f"ben={other}", "--seat", "zoe")
    assert main(["new", "next.toml", "--like", "old.toml", *seats, *REFEREE]) == 0
    assert [(seat.name, seat.key) for seat in opened("next.toml").seats] == [
        ("ana", KEYS["ana"].public),
        ("ben", KEYS["stranger"].public),
        ("zoe", None),
    ]
    seats = ("--seat", "ana", "--seat", "zoe", "--bot", "ana=easy")
    assert main(["new", "bots.toml", "--like", "old.toml", *seats, *REFEREE]) == 0
    assert list(opened("bots.toml").bots) == ["ana"]


def test_a_referee_who_plays_sits_down_again(workplace: Path, capsys: Capture) -> None:
    for name in ("referee", "ana"):
        KEYS[name].save(workplace / f"{name}.key")
    play = ("--me", "ana", "--key", "ana.key")
    assert main(["new", "old.toml", "--seat", "ben", *play, *REFEREE]) == 0
    assert main(["new", "next.toml", "--like", "old.toml", "--key", "ana.key", *REFEREE]) == 0
    seats = {seat.name: seat for seat in opened("next.toml").seats}
    assert seats["ana"].referee
    assert seats["ana"].joined
    assert seats["ben"].key is None


def test_a_model_in_a_clone_may_be_an_old_one(
    old: GameFile, workplace: Path, capsys: Capture
) -> None:
    (workplace / "moves").mkdir()
    said = "seats and terms are those of old.toml at your last `git pull`"
    for name, is_told in (("a.toml", False), ("b.toml", True)):
        capsys.readouterr()
        assert main(["new", name, "--like", "old.toml", *REFEREE]) == 0
        assert (said in capsys.readouterr().err) == is_told
        subprocess.run(["git", "init", "--quiet"], check=True)


def test_a_forged_game_is_no_model(old: GameFile, capsys: Capture) -> None:
    text = Path("old.toml").read_text()
    Path("forged.toml").write_text(text.replace('title = "A"', 'title = "B"', 1))
    assert main(["new", "next.toml", "--like", "forged.toml", *REFEREE]) == 15
    assert not Path("next.toml").exists()
