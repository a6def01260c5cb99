"""Commands that are printed are there to be pasted: names in them mean nothing to a shell."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from referee.cli.main import main
from tests.cli.world import lay_out

NAME = "it's $(touch pwned);touch pwned;x"
COMMANDS = [
    ("nothing", "new new.toml --seat ana --seat ben --referee-key referee.key"),
    ("open", "join game.toml --seat ana --key ana.key -o ana.join"),
    ("open", "join game.toml --key ana.key"),
    ("open", "show game.toml --key ana.key"),
    ("building", "show game.toml --key ana.key"),
    ("building", "move game.toml --key ana.key"),
    ("building", "move game.toml --key ana.key --play 'build palace'"),
    ("building", "move game.toml --key ana.key --pass -o ana.move"),
    ("building", "page game.toml -o game.svg"),
    ("building", "abandon game.toml --referee-key referee.key --yes"),
    ("finished", "show game.toml --key ana.key"),
    ("building", "try game.toml"),
]


@pytest.mark.parametrize(("state", "line"), COMMANDS)
def test_printed_commands_run_no_other(
    state: str, line: str, workplace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = workplace / NAME
    place.mkdir()
    lay_out(place, state)
    for name in ("referee", "ana", "ben", "stranger"):
        (place / f"{name}.key").rename(place / f"{NAME}{name}.key")
    for file in place.glob("game.toml"):
        file.rename(place / f"{NAME}game.toml")
    words = re.findall(r"'[^']*'|\S+", line)
    main([_placed(place, word.strip("'")) for word in words])
    said = capsys.readouterr()
    text = said.out + said.err
    printed = re.findall(r"sanjuan-ref [a-z][^`\n]*", text)
    assert printed or "-o game.svg" in line
    # What follows a command on its line is a note in words.
    for command in printed:
        script = f"sanjuan-ref() {{ :; }}\n{command.partition('  ')[0]}\n"
        done = subprocess.run(
            ["bash", "-c", script], cwd=workplace, capture_output=True, text=True, check=False
        )
        assert not done.stderr, command
        assert not [*workplace.rglob("pwned")], command


def _placed(place: Path, word: str) -> str:
    if word.endswith((".toml", ".key", ".join", ".move", ".svg", ".tom")):
        return str(place / f"{NAME}{word}")
    return word


def test_a_position_prints_no_command_that_it_names(
    workplace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = """
    [[seats]]
    name = "a'; touch pwned; '"
    [[seats]]
    name = "ben"
    """
    for game in ("", 'game = "xanadu"\n'):
        Path("position.toml").write_text(game + text)
        assert main(["try", "position.toml"]) == 13
        assert "cannot be the name of a seat" in capsys.readouterr().err


def test_a_seat_that_was_named_is_named_again(
    workplace: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where two keys sit at the table a command without it would not know which one is meant."""
    lay_out(workplace, "building")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(workplace))
    (workplace / "sanjuan-ref").mkdir()
    for name in ("ana", "ben"):
        (workplace / f"{name}.key").rename(workplace / "sanjuan-ref" / f"{name}.key")
    assert main(["show", "game.toml", "--seat", "ana"]) == 0
    said = capsys.readouterr().out
    printed = re.search("sanjuan-ref (move game.toml .*?) and one of", said)
    assert printed is not None, said
    assert main([*printed[1].split(), "--pass", "--dry-run"]) == 0
