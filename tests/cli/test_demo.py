"""The demo: a game through the commands, whose files hold what they promise."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from referee.cli import demotable
from referee.cli.main import main
from referee.table.signing import load


def test_demo(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "demo"
    few = ["--seats", "2", "--option", "round_limit=3"]
    assert main(["demo", str(folder), *few, "--seed", "1"]) == 0
    said = capsys.readouterr().out
    assert "the scores are right" in said
    assert "wins" in said
    file, _ = load(folder / "game.toml")
    assert file.status == "finished"
    notes = sorted((folder / "notes").iterdir())
    # Two joins, and a move for every entry of the log but the deal.
    assert len(notes) == file.step + 1
    commands = (folder / "commands.txt").read_text().splitlines()
    assert sum(" move " in line for line in commands) == file.step - 1
    for step in (folder / "steps").iterdir():
        assert load(step)[0].step == int(step.stem)
    name = file.seats[0].name
    first = str(folder / "steps" / "0001.toml")
    assert main(["show", first, "--key", str(folder / "keys" / name)]) == 0
    assert main(["demo", str(folder)]) == 1
    capsys.readouterr()


def test_demo_of_any_rules(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The flags of `new` choose what is played, and a deck of one's own is left with the game."""
    folder = tmp_path / "demo"
    rules = ["--edition", "2004", "--expansion", "events", "--variant", "draft-start"]
    few = ["--seats", "2", "--option", "round_limit=2"]
    assert main(["demo", str(folder), *rules, *few]) == 0
    file, _ = load(folder / "game.toml")
    assert file.terms["edition"] == "2004"
    assert file.terms["expansions"] == ["events"]
    assert file.terms["variants"] == ["draft-start"]
    folder = tmp_path / "xanadu"
    deck = Path("referee/games/xanadu/deck.toml")
    own = tmp_path / "mine.toml"
    own.write_text(deck.read_text().replace("substitute", "mine"))
    assert main(["demo", str(folder), "--game", "xanadu", "--deck", str(own), *few[:2]]) == 0
    assert "--deck deck.toml" in (folder / "commands.txt").read_text()
    # A position says of which game and deck it is, so that `try` can go on from it.
    place = str(tmp_path / "place.toml")
    game = str(folder / "game.toml")
    assert main(["position", game, "--step", "5", "-o", place]) == 0
    assert main(["try", place]) == 0
    assert main(["demo", str(tmp_path / "no"), "--edition", "1066"]) == 2
    assert not (tmp_path / "no").exists()
    capsys.readouterr()


@pytest.mark.parametrize(
    "fails",
    [
        "referee.storage._write_new",
        "referee.storage.move_over",
        "referee.cli.demotable.copyfile",
        "commands.txt",
        "DIR",
    ],
)
def test_a_full_disk_is_no_bug(
    fails: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    if fails == "commands.txt":
        monkeypatch.setattr(demotable, "COMMANDS", Path("/dev/full"))
    elif fails == "DIR":
        monkeypatch.setattr(Path, "mkdir", full)
    else:
        monkeypatch.setattr(fails, full)
    words = ["demo", str(tmp_path / "demo"), "--seats", "2", "--option", "round_limit=2"]
    assert main(words) == 1
    said = capsys.readouterr().err
    assert said.startswith("error: cannot write ")
    assert said.splitlines()[1:] == ["hint: make room, then give another folder"]
