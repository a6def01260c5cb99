"""The process around a command: bugs, streams that are gone, completion."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from referee.cli.advice import advise
from referee.cli.main import main
from referee.games.errors import GameError
from tests.cli.world import lay_out

ROOT = str(Path(__file__).parents[2])


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("PYTHONPATH", ROOT)
    monkeypatch.chdir(tmp_path)
    lay_out(tmp_path, "selling")
    return tmp_path


def shell(line: str) -> subprocess.CompletedProcess[str]:
    """A line of shell in which `sanjuan-ref` is the program, in a session without a terminal."""
    text = line.replace("sanjuan-ref", f"{sys.executable} -m referee")
    return subprocess.run(
        ["bash", "-c", text], capture_output=True, text=True, start_new_session=True
    )


def test_a_bug_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], place: Path
) -> None:
    def broken(path: Path) -> None:
        raise ZeroDivisionError("\x1b[31mred")

    monkeypatch.setattr("referee.table.signing.load", broken)
    assert main(["log", "game.toml"]) == 70
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("bug: this is a bug in sanjuan-ref: ZeroDivisionError at ")
    assert "Traceback" not in said.err
    assert "\x1b" not in said.err
    monkeypatch.setenv("SANJUAN_DEBUG", "1")
    assert main(["log", "game.toml"]) == 70
    assert "Traceback" in capsys.readouterr().err


def test_an_error_of_the_system_is_one_too(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], place: Path
) -> None:
    def broken(path: Path) -> None:
        raise OSError(5, "Input/output error", "game.toml")

    monkeypatch.setattr("referee.table.signing.load", broken)
    assert main(["log", "game.toml"]) == 1
    assert capsys.readouterr().err == "error: game.toml: Input/output error\n"


def test_an_interrupt_is_no_bug(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], place: Path
) -> None:
    def interrupted(path: Path) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("referee.table.signing.load", interrupted)
    assert main(["log", "game.toml"]) == 130
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("sanjuan-ref log game.toml >/dev/full", 1),
        ("sanjuan-ref show game.toml >/dev/full", 1),
        ("sanjuan-ref show game.toml >&-", 0),
        ("sanjuan-ref show nothing.toml 2>&-", 2),
        ("sanjuan-ref apply game.toml --referee-key referee.key <&-", 13),
        ("sanjuan-ref show - <game.toml", 0),
        ("sanjuan-ref apply - --referee-key referee.key <game.toml", 13),
        ("sanjuan-ref apply /dev/null --referee-key referee.key", 13),
        ("sanjuan-ref move game.toml --pass --key ana.key -o /dev/null && [ -c /dev/null ]", 0),
        ("PYTHONIOENCODING=ascii sanjuan-ref show game.toml --key ana.key", 0),
        ("set -o pipefail; sanjuan-ref log game.toml | true", None),
        ("sanjuan-ref show game.toml --key ana.key | cat", 0),
    ],
)
def test_streams_that_are_gone(place: Path, line: str, code: int | None) -> None:
    done = shell(line)
    assert "Traceback" not in done.stderr
    assert "bug:" not in done.stderr
    assert "Exception" not in done.stderr
    if code is not None:
        assert done.returncode == code, done.stderr


def test_what_was_done_is_done_though_nobody_could_be_told(place: Path) -> None:
    assert shell("sanjuan-ref move game.toml --pass --key ana.key -o n").returncode == 0
    done = shell("sanjuan-ref apply game.toml n --referee-key referee.key >/dev/full")
    assert done.returncode == 1
    assert "error: cannot write the output: No space left on device\nhint: what" in done.stderr
    assert shell("sanjuan-ref apply game.toml n --referee-key referee.key").returncode == 10


def test_completion(place: Path) -> None:
    env = {"_SANJUAN_REF_COMPLETE": "complete_bash", "COMP_CWORD": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "referee"],
        env={**os.environ, **env, "COMP_WORDS": "sanjuan-ref co"},
        capture_output=True,
        text=True,
    )
    assert done.stdout.split() == ["compare"]


@pytest.mark.parametrize(
    ("message", "hint"),
    [
        ("git rev-parse failed: fatal: not a git repository", "`sanjuan-ref git init DIR`"),
    ],
)
def test_what_to_do_about_what_does_not_say_it(message: str, hint: str) -> None:
    error = GameError(message)
    advise(error, "")
    assert error.hint.startswith(hint)
