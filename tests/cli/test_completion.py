"""What a shell completes from the game file, and that it never asks, fails or complains."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.world import lay_out, locked, text_of

ROOT = str(Path(__file__).parents[2])


def completed(place: Path, line: str, shell: str = "bash", **more: str) -> list[str]:
    """What the shell gets for a command line that ends where the cursor is."""
    words = line.split(" ")
    env = {
        "PATH": os.defpath,
        "HOME": str(place),
        "PYTHONPATH": ROOT,
        "_SANJUAN_REF_COMPLETE": f"complete_{shell}",
        "COMP_WORDS": line,
        "COMP_CWORD": str(len(words) - 1),
        "_TYPER_COMPLETE_ARGS": line,
        "_TYPER_COMPLETE_FISH_ACTION": "get-args",
        **more,
    }
    done = subprocess.run(
        [sys.executable, "-m", "referee"],
        cwd=place,
        env=env,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        timeout=30,
        check=False,
        start_new_session=True,
    )
    assert done.stderr == ""
    return done.stdout.split("\n")[:-1] if done.stdout.strip() else []


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path


def test_roles_that_are_free(place: Path) -> None:
    lay_out(place, "dealt")
    roles = ["builder", "producer", "trader", "councillor", "prospector"]
    assert completed(place, "sanjuan-ref move game.toml --role ") == roles
    assert completed(place, "sanjuan-ref move game.toml --key ana.key --role p") == roles[1::3]
    fish = completed(place, "sanjuan-ref move game.toml --key ana.key --role ", "fish")
    assert fish[0] == "builder\tbuild for 1 less"
    zsh = completed(place, "sanjuan-ref move game.toml --key ana.key --role ", "zsh")
    assert "producer" in "".join(zsh)


def test_cards_in_your_hand(place: Path) -> None:
    lay_out(place, "building")
    build = "sanjuan-ref move game.toml --key {} --build "
    mine = ["chapel", "smithy", "coffee-roaster", "quarry"]
    assert completed(place, build.format("ana.key")) == mine
    pay = completed(place, build.format("ana.key") + "chapel --pay ")
    assert sorted(pay) == sorted(mine)
    assert completed(place, build.format("ana.key").replace("--key ana.key ", "")) == []
    assert completed(place, build.format("referee.key")) == []


def test_a_passphrase_is_not_asked_for(place: Path) -> None:
    lay_out(place, "building")
    (place / "locked.key").write_bytes(locked("ana", "secret"))
    assert completed(place, "sanjuan-ref move game.toml --key locked.key --build ") == []
    (place / "game.toml").write_text(text_of("dealt"))
    role = "sanjuan-ref move game.toml --key locked.key --role t"
    assert completed(place, role) == ["trader"]


def test_plots_with_goods(place: Path) -> None:
    lay_out(place, "selling")
    assert completed(place, "sanjuan-ref move game.toml --sell ") == ["1", "3"]
    assert completed(place, "sanjuan-ref move game.toml --key ben.key --sell ") == ["1"]


def test_other_games_complete_too(place: Path) -> None:
    lay_out(place, "xanadu")
    assert completed(place, "sanjuan-ref move game.toml --key ana.key --sell ") == ["2", "3"]
    named = completed(place, "sanjuan-ref move game.toml --key ana.key --build g")
    assert "grain-store" in named


def test_seats_cards_and_commands(place: Path) -> None:
    lay_out(place, "dealt")
    assert completed(place, "sanjuan-ref show game.toml --seat ") == ["ana", "ben"]
    assert completed(place, "sanjuan-ref show game.toml --card lib") == ["library"]
    assert completed(place, "sanjuan-ref pl") == ["play"]


@pytest.mark.parametrize("text", [None, "", "nothing", "[table]\n"])
def test_what_is_wrong_is_not_said(place: Path, text: str | None) -> None:
    if text is not None:
        (place / "game.toml").write_text(text)
    assert completed(place, "sanjuan-ref move game.toml --role ") == []
    assert completed(place, "sanjuan-ref move --role ") == []


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("log game.toml --seat ", ["ana", "ben"]),
        ("rules cr", ["crane"]),
        ("rules --lang ", ["en", "de"]),
        ("new game.toml --late ", ["wait", "pass", "bot"]),
        ("new game.toml --expansion ", ["new-buildings", "events"]),
    ],
)
def test_what_else_has_names(place: Path, line: str, found: list[str]) -> None:
    lay_out(place, "dealt")
    assert sorted(completed(place, f"sanjuan-ref {line}")) == sorted(found)
