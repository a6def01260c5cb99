"""Answers that were written while they could not be committed, pushed or taken by the referee."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from referee.cli.main import main
from referee.git import sync
from tests.cli.test_play import answers, waiting
from tests.cli.test_terminal import typed
from tests.git.club import Club, seated
from tests.git.test_pushes import hook

CHANGE = "y changes it: "
BOT = ("bot", "game.toml", "--push")
MOVE = ("move", "game.toml", "--role", "trader", "--push")


@pytest.fixture
def club(tmp_path: Path) -> Club:
    return seated(tmp_path, hook=True)


def declined(club: Club, words: tuple[str, ...]) -> None:
    hook(club, "pre-receive", "exit 1\n")
    assert "declines the push" in club.ref(*words, at=club.folder / "ana", fine=False)
    (club.bare / "hooks" / "pre-receive").unlink()


def locked(club: Club, words: tuple[str, ...]) -> None:
    at = club.folder / "ana"
    club.git("pull", "--quiet", "--rebase", at=at)
    (at / ".git" / "index.lock").touch()
    club.ref(*words, at=at, fine=False)
    (at / ".git" / "index.lock").unlink()
    assert club.git("status", "--short", at=at).startswith("??")


def interrupted(club: Club, words: tuple[str, ...]) -> None:
    path = club.bare / "hooks" / "post-receive"
    text = path.read_text()
    path.write_text("#!/bin/sh\nexit 1\n")
    club.ref(*words, at=club.folder / "ana")
    path.write_text(text)


STATES = (declined, locked, interrupted)


@pytest.mark.parametrize("state", STATES)
def test_a_bot_sends_what_was_not_sent(
    state: Callable[[Club, tuple[str, ...]], None], club: Club
) -> None:
    at = club.folder / "ana"
    state(club, BOT)
    assert club.file().step == 1
    assert "The referee has it" in club.ref(*BOT, at=at)
    assert club.file().step == 2
    assert "[ahead" not in club.git("status", "-sb", at=at)
    assert club.subjects().count("answer 1.1.role.ana") == 1


@pytest.mark.parametrize("state", STATES)
def test_an_answer_that_is_left_as_it_is_is_sent(
    state: Callable[[Club, tuple[str, ...]], None], club: Club
) -> None:
    at = club.folder / "ana"
    state(club, MOVE)
    env = club.env | {"SANJUAN_KEY": str(club.folder / "ana.key"), "NO_COLOR": "1"}
    said = typed(at, ["play", "game.toml", "--push"], (CHANGE, ""), otherwise=None, **env)
    assert "1.1.role.ana: role trader" in said
    assert "The referee has it" in said
    assert said.endswith("[0]")
    assert club.subjects().count("answer 1.1.role.ana") == 1


@pytest.fixture
def ana(club: Club, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The clone of ana, in which commands run here."""
    at = club.folder / "ana"
    for name, value in (club.env | {"SANJUAN_KEY": str(club.folder / "ana.key")}).items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(at)
    return at


def test_a_sealed_answer_is_sent_as_it_was_sealed(
    club: Club, ana: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    declined(club, (*MOVE, "--seal"))
    (note,) = (ana / "moves").glob("1.1.role.ana-*.move")
    before = note.read_bytes()
    assert main(list(BOT)) == 0
    said = capsys.readouterr().out
    assert "1.1.role.ana: role trader" in said
    assert "The referee has it" in said
    assert club.file().step == 2
    words = ("log", "--diff-filter=A", "--format=%H", "main", "--", f"moves/{note.name}")
    (made,) = club.git(*words, at=club.bare).split()
    assert club.show(f"{made}:moves/{note.name}") == before


def test_a_bot_that_runs_often_calls_the_referee_less_and_less(
    club: Club, ana: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (club.bare / "hooks" / "post-receive").unlink()
    calls = []
    for minute in (0, 5, 10, 15, 20, 35, 40, 75, 80):
        now, before = 1_800_000_000 + 60 * minute, len(club.subjects())
        monkeypatch.setenv("GIT_COMMITTER_DATE", f"{now} +0000")
        monkeypatch.setattr(sync, "time", lambda now=now: now)
        code = main(list(BOT))
        calls += [minute] if len(club.subjects()) > before else []
        assert code == (0 if minute in calls else 1)
    assert calls == [0, 5, 10, 20, 40, 80]
    assert "your answer is on its way" in capsys.readouterr().err


def test_own_changes_that_do_not_fit_are_put_aside(
    club: Club, ana: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The commit that was pushed changes two files and removes a third."""
    ben, names = club.folder / "ben", ("game.toml", "README.md", ".gitattributes")
    club.git("pull", "--quiet", at=ben)
    club.git("pull", "--quiet", "--rebase", at=ana)
    (ana / "README.md").write_text("theirs\n")
    club.git("rm", "--quiet", ".gitattributes", at=ana)
    club.git("commit", "--quiet", "--all", "-m", "x", at=ana)
    club.turn("ana")
    for name in names:
        with (ben / name).open("a") as file:
            file.write("# mine\n")
    monkeypatch.chdir(ben)
    monkeypatch.setenv("SANJUAN_KEY", str(club.folder / "ben.key"))
    assert main(list(BOT)) == 1
    said = capsys.readouterr().err
    assert f"what you had changed in {', '.join(sorted(names))} does not fit" in said
    assert club.git("ls-files", "--unmerged", at=ben) == ""
    assert (ben / "README.md").read_text() == "theirs\n"
    assert club.file(ben).step == 2
    kept = "".join(club.git("show", f"stash@{{0}}:{name}", at=ben) for name in names)
    assert kept.count("# mine") == len(names)
    # The next pull has news again.
    club.turn("ana")
    assert "error" not in club.ref(*BOT, at=ben)
    assert club.file(ben).step > 2


def test_a_conflict_that_is_there_is_told_of_with_what_to_do(
    club: Club, ana: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    club.git("pull", "--quiet", at=ana)
    club.turn("ana")
    club.git("reset", "--quiet", "--hard", "HEAD~2", at=ana)
    club.git("stash", "--quiet", at=ana, fine=False)
    blob = club.git("hash-object", "-w", "game.toml", at=ana)
    rows = "".join(f"100644 {blob} {stage}\tgame.toml\n" for stage in (1, 2, 3))
    rows = f"0 {'0' * 40}\tgame.toml\n{rows}"
    (club.folder / "rows").write_text(rows)
    club.run(["sh", "-c", "git update-index --index-info <../rows"], ana)
    assert main(list(BOT)) == 1
    said = capsys.readouterr().err
    assert "there are conflicts in game.toml" in said
    assert "hint: `git checkout HEAD -- game.toml`" in said
    club.git("checkout", "HEAD", "--", "game.toml", at=ana)
    assert main(list(BOT)) == 0


def test_a_locked_index_is_told_of_with_what_to_do(
    club: Club, ana: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    club.git("pull", "--quiet", "--rebase", at=ana)
    (ana / ".git" / "index.lock").touch()
    assert main(list(MOVE)) == 1
    said = capsys.readouterr().err
    assert "index.lock': File exists" in said
    assert "hint: another git is at work in the clone" in said


@pytest.mark.parametrize("state", ["declined", "locked"])
def test_play_that_waits_sends_later_what_could_not_be_sent(
    state: str,
    club: Club,
    ana: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    club.git("pull", "--quiet", "--rebase", at=ana)
    wrong = ana / ".git" / "index.lock"
    if state == "declined":
        hook(club, "pre-receive", "exit 1\n")
        wrong = club.bare / "hooks" / "pre-receive"
    else:
        wrong.touch()
    pauses = waiting(monkeypatch, lambda: None, wrong.unlink)
    # The builder is asked as soon as the referee has the answer.
    left = answers(monkeypatch, "builder", "q")
    assert main(["play", "game.toml", "--push", "--wait"]) == 1
    said = capsys.readouterr()
    assert not left
    assert len(pauses) == 2
    assert said.err.count("it is tried again") == 1
    assert "The referee has it" in said.out
    assert club.subjects().count("answer 1.1.role.ana") == 1
