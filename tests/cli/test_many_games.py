"""`due`, `expire` and `audit` take all games below a folder with --games."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from referee.cli import longwork
from referee.cli.main import main
from referee.table.clock import bots_think, owed_decisions
from tests.cli.world import KEYS, story, text_of, timed_game
from tests.table.tables import Table, load

Capture = pytest.CaptureFixture[str]
LATER = "2026-03-09T12:00:00Z"


@pytest.fixture
def shelf(workplace: Path) -> Path:
    """Two games of one referee's, one of them with a clock, one that is over and a damaged one."""
    KEYS["referee"].save(workplace / "referee.key")
    for name, text in (
        ("a/timed.toml", timed_game().text),
        ("b/other.toml", Table(2, "no clock").join_all().text),
        ("b/over.toml", text_of("finished")),
    ):
        path = workplace / "games" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return workplace


def told(capsys: Capture, *words: str) -> dict[str, Any]:
    code = main([*words, "--games", "games", "--json"])
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert found["exit"] == code
    return found


@pytest.mark.parametrize("at_once", [-1.0, 60.0])
@pytest.mark.parametrize("command", ["due --games games", "audit --games games", "results games"])
def test_what_takes_long_shows_how_far_it_is_and_says_the_same(
    shelf: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch, command: str, at_once: float
) -> None:
    steps: list[str] = []

    @contextmanager
    def progress(count: int, what: str) -> Iterator[Callable[[], None]]:
        yield lambda: steps.append(what)

    assert main([*command.split(" "), "--json"]) == 0
    said = capsys.readouterr().out
    monkeypatch.setattr(longwork, "AT_ONCE", at_once)
    monkeypatch.setattr(longwork, "progress", progress)
    assert main([*command.split(" "), "--json"]) == 0
    assert capsys.readouterr().out == said
    assert steps.count("files") == (3 if at_once < 0 else 0)


def test_who_is_late_comes_first(shelf: Path, capsys: Capture) -> None:
    found = told(capsys, "due", "--now", LATER)
    assert [row["path"] for row in found["games"]] == ["games/a/timed.toml", "games/b/other.toml"]
    assert found["games"][0]["owed"][0]["late"]
    assert not found["games"][1]["owed"][0]["late"]
    assert main(["due", "--games", "games", "--now", LATER]) == 0
    assert "(overdue since 2026-03-04 12:00 UTC)" in capsys.readouterr().out


def test_the_late_are_answered_for_in_every_game(shelf: Path, capsys: Capture) -> None:
    key = ("--referee-key", "referee.key")
    before = (shelf / "games/b/other.toml").read_bytes()
    assert main(["expire", "--games", "games", *key, "--now", "2026-03-02T12:00:00Z"]) == 0
    assert "Nobody is answered for" in capsys.readouterr().out
    found = told(capsys, "expire", *key, "--now", LATER)
    assert [row["path"] for row in found["games"]] == ["games/a/timed.toml"]
    assert found["games"][0]["answered"][0]["decision"] == "1.1.role.ana"
    assert (shelf / "games/b/other.toml").read_bytes() == before
    assert main(["expire", "--games", "games", *key, "--ledger", "x"]) == 2


def test_a_stranger_expires_nothing(shelf: Path, capsys: Capture) -> None:
    KEYS["stranger"].save(shelf / "stranger.key")
    before = (shelf / "games/a/timed.toml").read_bytes()
    assert (
        main(["expire", "--games", "games", "--referee-key", "stranger.key", "--now", LATER]) == 0
    )
    assert (shelf / "games/a/timed.toml").read_bytes() == before


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_bots_go_on_and_the_late_are_answered_for_by_several_processes(
    shelf: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch, jobs: str
) -> None:
    monkeypatch.setattr(longwork, "AT_ONCE", -1.0)
    for number in range(2):
        bots = {"ben": "easy-1", "carl": "easy-1"}
        table = Table(3, f"bots {number}", bots=bots).join_all()
        while not bots_think(table.file):
            decision = owed_decisions(table.file)[0]
            table.apply(table.note(decision, table.view("ana").suggest()), thinking=0)
        (shelf / f"games/bots{number}.toml").write_text(table.text)
    key = ("--referee-key", "referee.key")
    found = told(capsys, "expire", *key, "--now", LATER, "--jobs", jobs)
    answered = {row["path"]: len(row["answered"]) for row in found["games"]}
    assert answered == {"games/a/timed.toml": 1, "games/bots0.toml": 0, "games/bots1.toml": 0}
    for number in range(2):
        assert not bots_think(load((shelf / f"games/bots{number}.toml").read_text()))
    assert main(["expire", "--games", "games", *key, "--now", LATER]) == 0
    assert "Nobody is answered for" in capsys.readouterr().out


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_all_that_are_over_are_audited_and_a_forged_one_stops_none(
    shelf: Path, capsys: Capture, jobs: str
) -> None:
    text = text_of("finished")
    (shelf / "games/b/forged.toml").write_text(text.replace(story().file.game, "0" * 16, 1))
    found = told(capsys, "audit", "--jobs", jobs)
    right, wrong = sorted(found["games"], key=lambda row: "message" in row)
    assert right["path"] == "games/b/over.toml"
    assert "the scores are right" in right["checked"][-1]
    assert wrong["path"] == "games/b/forged.toml"
    assert found["exit"] == 15


def test_an_audit_of_all_says_how_many_it_looked_at(shelf: Path, capsys: Capture) -> None:
    assert main(["audit", "--games", "games"]) == 0
    last = capsys.readouterr().out.splitlines()[-1]
    assert last == "1 game looked at; 2 not over yet and left alone."
    (shelf / "games/b/over.toml").unlink()
    assert main(["audit", "--games", "games"]) == 0
    assert capsys.readouterr().out == "No game is over; 2 not over yet and left alone.\n"


def test_games_are_listed_as_people_count(workplace: Path, capsys: Capture) -> None:
    for number in (10, 9, 2):
        path = workplace / "games" / f"g{number}.toml"
        path.parent.mkdir(exist_ok=True)
        path.write_text(Table(2, f"no clock {number}").join_all().text)
    found = told(capsys, "due")
    names = ["games/g2.toml", "games/g9.toml", "games/g10.toml"]
    assert [row["path"] for row in found["games"]] == names
    assert main(["games", "games", "--json"]) in (0, 1)
    listed = json.loads(capsys.readouterr().out)["games"]
    assert [row["path"] for row in listed] == names


@pytest.mark.parametrize("command", ["audit", "results"])
@pytest.mark.parametrize("name", ["a.toml", "z.toml"])
def test_a_bad_copy_beside_a_good_file_is_told(
    shelf: Path, capsys: Capture, command: str, name: str
) -> None:
    """One that was changed after it was signed, wherever it lies; an older one is right."""
    changed = text_of("finished").replace('title = "A test"', 'title = "B test"', 1)
    (shelf / "games/b" / name).write_text(changed)
    (shelf / "games/b/older.toml").write_text(text_of("building"))
    running = timed_game().text.replace('title = "A test"', 'title = "B test"', 1)
    (shelf / "games/a/copy.toml").write_text(running)
    words = [command, "--games", "games"] if command == "audit" else [command, "games"]
    assert main(words) == (15 if command == "audit" else 0)
    said = " ".join("".join(capsys.readouterr()).split())
    assert f"games/b/{name}: this game file was changed after the referee signed it" in said
    assert said.count("was changed") == 1
    assert "games/b/over.toml: " in said or "1 finished" in said
    assert main([*words, "--json"]) == (15 if command == "audit" else 0)
    found = json.loads(capsys.readouterr().out)
    rows = found["games"] if command == "audit" else found["faults"]
    assert [row["path"] for row in rows if "message" in row] == [f"games/b/{name}"]


def test_an_unreadable_file_is_told_and_the_others_go_on(shelf: Path, capsys: Capture) -> None:
    (shelf / "games" / "cut.toml").write_text(text_of("dealt")[:500])
    found = told(capsys, "due", "--now", LATER)
    assert found["exit"] == 16
    assert len(found["games"]) == 3
    (shelf / "nothing").mkdir()
    assert main(["due", "--games", "nothing"]) == 2
    assert "there is no game file in nothing" in capsys.readouterr().err
