"""Every command on a game in every state, for everybody: an answer or a sentence, never a bug."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from referee.cli.main import main
from referee.errors import Damaged
from tests.cli.world import SEATS, lay_out, story

STATES = ("open", "joined", "left", "dealt", "keeping", "answered", "finished", "abandoned")
"""`joined` lacks a seat, `left` was abandoned then; `answered` waits for another answer."""
READERS: tuple[list[str], ...] = (
    [],
    ["--key", "ana.key"],
    ["--key", "ben.key"],
    ["--key", "referee.key"],
    ["--key", "x"],
)
HOST = ["--referee-key", "referee.key"]
KNOWN = {0, 2, 10, 11, 12, 13, 14, 15, 18}


def run(*words: str) -> int:
    return main(list(words))


def lay(workplace: Path, state: str) -> None:
    """Lay out a game in one of STATES."""
    made = {"joined": "open", "left": "open", "answered": "keeping", "abandoned": "keeping"}
    lay_out(workplace, made.get(state, state))
    (workplace / "x").write_bytes((workplace / "stranger.key").read_bytes())
    if state in ("joined", "left"):
        assert run("join", "game.toml", "--seat", "ana", "--key", "ana.key", "-o", "n") == 0
        assert run("apply", "game.toml", "n", *HOST) == 0
    elif state == "answered":
        assert run("move", "game.toml", "--keep", "a", "--key", "ana.key", "-o", "n") == 0
        assert run("apply", "game.toml", "n", *HOST) == 0
    if state in ("left", "abandoned"):
        assert run("abandon", "game.toml", *HOST, "--yes") == 0


def commands(reader: Sequence[str]) -> list[list[str]]:
    return [
        ["show", "game.toml", *reader],
        ["show", "game.toml", *reader, "--seat", "ana"],
        ["verify", "game.toml", *reader],
        ["compare", "game.toml", "game.toml", *reader],
        ["move", "game.toml", *reader, "-o", "-"],
        ["move", "game.toml", *reader, "--pass", "-o", "-"],
        ["move", "game.toml", *reader, "--build", "well", "-o", "-"],
        ["join", "game.toml", *reader, "-o", "-"],
        ["join", "game.toml", *reader, "--seat", "ben", "-o", "-"],
    ]


OTHERS = [
    ["log", "game.toml"],
    ["log", "game.toml", "--since", "1"],
    ["log", "game.toml", "--raw"],
    ["log", "game.toml", "--note", "1"],
    ["audit", "game.toml"],
    ["audit", "game.toml", *HOST],
    ["position", "game.toml"],
    ["position", "game.toml", *HOST],
    ["try", "game.toml"],
    ["key", "--allowed-signers", "game.toml"],
    ["apply", "game.toml", "game.toml", *HOST],
    ["apply", "game.toml", "ana.key", "--referee-key", "ana.key"],
]


@pytest.mark.parametrize("state", STATES)
def test_no_command_fails_on_any_state(
    workplace: Path, state: str, capsys: pytest.CaptureFixture[str]
) -> None:
    lay(workplace, state)
    before = (workplace / "game.toml").read_bytes()
    for words in [*OTHERS, *(words for reader in READERS for words in commands(reader))]:
        for more in ([], ["--json"]):
            capsys.readouterr()
            code = run(*words, *more)
            said = capsys.readouterr()
            about = f"{words} {more} {said.out[-300:]} {said.err}"
            # A position is asked for there.
            assert code in KNOWN or (words[0], code) == ("try", Damaged.exit_code), about
            assert "bug" not in said.err, about
            assert bool(code) <= bool(said.err or more), about
            if more:
                assert json.loads(said.out)["exit"] == code, about
    assert (workplace / "game.toml").read_bytes() == before
    assert run("abandon", "game.toml", *HOST, "--yes") in (0, 11)


def test_nothing_but_commands_is_wide(
    workplace: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    lay_out(workplace, "finished")
    texts = story().texts[2:]
    for text in [*texts[::7], texts[-1]]:
        (workplace / "game.toml").write_text(text)
        for seat in SEATS:
            assert run("show", "game.toml", "--key", f"{seat}.key") == 0
        assert run("log", "game.toml") == 0
        for line in capsys.readouterr().out.splitlines():
            assert len(line) <= 80 or line.startswith("    --"), line
