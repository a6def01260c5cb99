"""`--dry-run`: everything is checked, and not a byte is written, here or in a repository."""

from __future__ import annotations

import shlex
import subprocess
from pathlib import Path

import pytest

from referee.cli.app import Commands
from referee.cli.commands import COMMANDS
from referee.cli.main import main
from tests.cli.world import lay_out

TRIED = {
    "dealt": [
        "move game.toml --role trader --key ana.key",
        "move game.toml --role trader --key ana.key --referee-key referee.key",
        "move game.toml --role trader --key ana.key -o ana.move",
        "transfer game.toml --seat ana --to stranger.key.pub --key ana.key",
        "abandon game.toml --referee-key referee.key",
        "leave game.toml --key ana.key",
        "vote game.toml --key ana.key --referee-key referee.key",
        "apply previous.toml ben.join --referee-key referee.key",
        "new next.toml --seat ana --seat ben --referee-key referee.key",
    ],
    "open": ["join game.toml --seat ben --key ben.key"],
    "timed": [
        "vacation game.toml --until 2026-12-24 --key ana.key --now 2026-11-28T09:00:00Z",
        "expire game.toml --referee-key referee.key --now 2026-03-09T12:00:00Z",
        "expire --games . --referee-key referee.key --now 2026-03-09T12:00:00Z",
    ],
    "planning": ["plan game.toml --builder 'library, else pass' --key ben.key"],
}


def everything(folder: Path) -> dict[str, tuple[int, bytes]]:
    """All files below a folder, locks and the insides of git too."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path): (path.stat().st_mtime_ns, path.read_bytes()) for path in files}


@pytest.mark.parametrize(
    ("state", "command"), [(state, command) for state, some in TRIED.items() for command in some]
)
def test_nothing_is_written(workplace: Path, state: str, command: str) -> None:
    lay_out(workplace, state)
    (workplace / "ben.join").write_text("sanjuan-ref/1 join\n")
    (workplace / "ana.move").write_text("sanjuan-ref/1 move\n")
    before = everything(workplace.parent)
    assert main([*shlex.split(command), "--dry-run"]) in (0, 13)
    assert everything(workplace.parent) == before
    # What is tried without a ledger does not make one.
    for path in (workplace.parent / "state").rglob("*"):
        path.unlink() if path.is_file() else None
    before = everything(workplace.parent)
    main([*shlex.split(command), "--dry-run", "--json"])
    assert everything(workplace.parent) == before


def test_nothing_is_fetched_committed_or_pushed(
    workplace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lay_out(workplace, "dealt")
    for words in (["init", "-q", "-b", "main"], ["add", "game.toml"], ["commit", "-qm", "deal"]):
        who = ["-c", "user.name=ana", "-c", "user.email=ana@example.org"]
        subprocess.run(["git", *who, *words], check=True, cwd=workplace)
    move = ["move", "game.toml", "--role", "trader", "--key", "ana.key", "--dry-run"]
    before = everything(workplace)
    assert main([*move, "--commit"]) == 0
    assert "committed in moves/, for you to push. Nothing was written" in unfolded(capsys)
    assert main([*move, "--push"]) == 1
    assert "there is nowhere to push to" in unfolded(capsys)
    assert everything(workplace) == before


def unfolded(capsys: pytest.CaptureFixture[str]) -> str:
    said = capsys.readouterr()
    return " ".join((said.out + said.err).split())


def test_every_command_that_signs_by_hand_can_be_tried() -> None:
    group = Commands(name="sanjuan-ref")
    for name in COMMANDS:
        options = {opt for one in group.get_command(None, name).params for opt in one.opts}
        if {"--commit", "--referee-key"} & options and "--ledger" in options:
            assert "--dry-run" in options, name
