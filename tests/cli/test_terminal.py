"""Somebody at a terminal: questions, passphrases, colours, and what must never reach it."""

from __future__ import annotations

import os
import pty
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from referee.show import terminal
from tests.cli.world import lay_out, locked

ROOT = str(Path(__file__).parents[2])


def typed(place: Path, words: Sequence[str], *dialogue: tuple[str, str], **more: str) -> str:
    """What a command prints on a terminal of its own, where each prompt gets its answer.

    The exit code stands at the end.
    """
    env = {"PATH": os.defpath, "HOME": str(place), "PYTHONPATH": ROOT, "TERM": "xterm", **more}
    child, handle = pty.fork()
    if not child:
        os.chdir(place)
        os.execve(sys.executable, [sys.executable, "-m", "referee", *words], env)
    said = b""
    left = list(dialogue)
    while True:
        try:
            data = os.read(handle, 4096)
        except OSError:
            break
        if not data:
            break
        said += data
        if left and said.endswith(left[0][0].encode()):
            os.write(handle, left.pop(0)[1].encode() + b"\n")
    os.close(handle)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert not left, said.decode()
    return said.decode().replace("\r\n", "\n") + f"[{code}]"


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    lay_out(tmp_path, "building")
    (tmp_path / "locked.key").write_bytes(locked("ana", "secret"))
    return tmp_path


def test_what_is_left_open_is_asked(place: Path) -> None:
    words = ["move", "game.toml", "--build", "chapel", "--key", "ana.key", "-o", "ana.move"]
    said = typed(place, words, ("play: ", "9"), ("play: ", "2"))
    assert "chapel costs 2 here: pay with which cards?" in said
    assert said.endswith("[0]")
    assert "\nplay build chapel pay c d\n" in (place / "ana.move").read_text()


def test_a_pattern_is_typed_out(place: Path) -> None:
    words = ["move", "game.toml", "--key", "ana.key", "-o", "ana.move"]
    said = typed(place, words, ("play: ", "1"), ("play: ", "build chapel pay smithy quarry"))
    assert "with cards in place of capitals: build chapel pay LETTER LETTER" in said
    assert "\nplay build chapel pay c d\n" in (place / "ana.move").read_text()


def test_nothing_is_an_answer_too(place: Path) -> None:
    said = typed(place, ["move", "game.toml", "--key", "ana.key"], ("play: ", ""))
    assert said.endswith("[130]")


def test_a_passphrase_is_asked_for(place: Path) -> None:
    words = ["show", "game.toml", "--key", "locked.key"]
    said = typed(place, words, ("locked.key: ", "secret"))
    assert "a coffee-roaster" in said
    assert "secret" not in said
    assert said.endswith("[0]")
    assert typed(place, words, ("locked.key: ", "wrong")).endswith("[18]")


def test_abandoning_is_asked_twice(place: Path) -> None:
    before = (place / "game.toml").read_bytes()
    words = ["abandon", "game.toml", "--referee-key", "referee.key"]
    assert typed(place, words, ("yes: ", "no")).endswith("[1]")
    assert (place / "game.toml").read_bytes() == before


def test_colours_only_where_they_are_wanted(place: Path) -> None:
    words = ["show", "game.toml", "--key", "ana.key"]
    assert "\x1b[1m" in typed(place, words)
    assert "\x1b" not in typed(place, words, NO_COLOR="1")
    assert "\x1b" not in typed(place, words, TERM="dumb")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain text, é ü", "plain text, é ü"),
        ("\x1b[2Jgone", "\\x1b[2Jgone"),
        ("a\rb\nc\x07\x9b", "a\\rb\\nc\\x07\\x9b"),
        ("\u202eright to left", "\\u202eright to left"),
    ],
)
def test_control_characters_are_escaped(text: str, shown: str) -> None:
    assert terminal.clean(text) == shown
