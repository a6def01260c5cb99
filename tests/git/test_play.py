"""`play` in a shared repository: what is chosen from menus is committed, and pushed."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.cli import guide
from referee.cli.main import main
from referee.render.text import prompt
from referee.table.clock import bots_think
from tests.cli.test_play import ASKED, SIGN, answers, waiting
from tests.cli.test_terminal import typed
from tests.git.club import Club, seated


@pytest.fixture
def club(tmp_path: Path) -> Club:
    return seated(tmp_path, hook=True)


def played(club: Club, name: str, how: str) -> str:
    """Return what `play` says when somebody chooses to be the trader."""
    at = club.folder / name
    env = club.env | {"SANJUAN_KEY": str(club.folder / f"{name}.key"), "NO_COLOR": "1"}
    words = ["play", "game.toml", how]
    return typed(at, words, (ASKED, "trader"), (SIGN, ""), otherwise=None, **env)


def test_a_choice_is_pushed_and_answered(club: Club) -> None:
    said = played(club, "ana", "--push")
    assert "sanjuan-ref move game.toml --role trader --push" in said
    assert "and pushed." in said
    assert "The referee has it: step 2; waiting for ben (role)" in said
    # What the answer brought is on the table that is shown next.
    assert said.index("The referee has it") < said.index("ana is the trader; the prices are")
    last, invited, _ = said.splitlines()[-3:]
    assert last == "It is not your turn; the game waits for ben (role)."
    assert invited == "You can answer ahead: sanjuan-ref plan game.toml --push --edit"
    assert club.asked() == ["ben"]
    assert club.git("status", "--short", at=club.folder / "ana") == ""


def test_a_choice_is_committed_only(club: Club) -> None:
    at = club.folder / "ana"
    club.git("pull", "--quiet", "--rebase", at=at)
    said = played(club, "ana", "--commit")
    assert "sanjuan-ref move game.toml --role trader --commit" in said
    assert "now git push." in said
    assert said.endswith("[0]")
    assert club.asked() == ["ana"]
    club.git("push", "--quiet", at=at)
    assert club.asked() == ["ben"]


@pytest.mark.parametrize("when", ["before the last look", "after it"])
def test_an_answer_that_another_clone_has_given_first_ends_no_waiting(
    when: str,
    club: Club,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    other = club.clone("elsewhere")
    again = ("move", "game.toml", "--role", "trader", "--push", "--key", "../ana.key")

    def elsewhere(*_: object, **_more: object) -> str:
        club.ref(*again, at=other)
        return ""

    for name, value in (club.env | {"SANJUAN_KEY": str(club.folder / "ana.key")}).items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(club.folder / "ana")
    pauses = waiting(monkeypatch)
    left = answers(monkeypatch, "builder")
    if when == "after it":
        monkeypatch.setattr(guide, "check_still_asked", elsewhere)
    else:
        monkeypatch.setattr(prompt, "ask", elsewhere)
    assert main(["play", "game.toml", "--push", "--wait"]) == 0
    said = capsys.readouterr()
    assert not left
    assert len(pauses) == 1
    told = "refused: " if when == "after it" else "note: 1.1.role.ana is over: "
    assert told in said.err
    assert "It is not your turn; the game waits for" in said.out
    assert club.subjects().count("answer 1.1.role.ana") == 1 + (when == "after it")


def test_whoever_leaves_has_pushed_nothing(club: Club) -> None:
    before = club.subjects()
    at = club.folder / "ana"
    env = club.env | {"SANJUAN_KEY": str(club.folder / "ana.key")}
    words = ["play", "game.toml", "--push"]
    assert typed(at, words, (ASKED, "q"), otherwise=None, **env).endswith("[1]")
    assert club.subjects() == before
    assert club.git("status", "--short", at=at) == ""


def test_that_a_choice_has_to_be_pushed_is_said_before_any_question(club: Club) -> None:
    at = club.folder / "ana"
    club.git("pull", "--quiet", at=at)
    said = typed(at, ["play", "game.toml", "--key", "../ana.key"], otherwise=None, **club.env)
    assert said.splitlines()[0].endswith("this table goes by git: say --push")
    assert "What do you play?" not in said


def test_a_seat_leaves_comes_back_and_the_votes_end_the_game(club: Club) -> None:
    def say(name: str, *words: str) -> str:
        at = club.folder / name
        club.git("pull", "--quiet", "--rebase", at=at)
        return club.ref(*words, "--key", f"../{name}.key", "--push", at=at)

    say("ana", "leave", "game.toml")
    assert club.asked() == ["ben"]
    assert club.file().log[1].decision == "0.1.leave.ana"
    say("ana", "leave", "game.toml", "--back")
    say("ana", "vote", "game.toml")
    say("ben", "vote", "game.toml")
    file = club.file()
    assert (file.status, file.log[-1].play) == ("abandoned", "vote")
    at = club.folder / "ben"
    club.git("pull", "--quiet", "--rebase", at=at)
    assert "ok" in club.ref("git", "verify", at=at)


def test_bots_answer_in_the_run_that_takes_the_last_answer(tmp_path: Path) -> None:
    bots = ("--bot", "ben=easy", "--bot", "carl=medium")
    club = seated(tmp_path, "ana", options=bots, hook=True)
    for _ in range(4):
        before = club.file().step
        club.turn("ana")
        file = club.file()
        assert file.step > before
        assert not bots_think(file)
    assert {entry.by for entry in file.log[1:]} == {"ana", "ben", "carl"}
    at = club.folder / "ana"
    club.git("pull", "--quiet", "--rebase", at=at)
    assert "ok" in club.ref("git", "verify", at=at)
