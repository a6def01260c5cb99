"""What a hint advises is possible, and what a message says is true: one case for each."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.cli.main import main
from tests.cli.world import lay_out

MISSPELT = """
[[seats]]
name = "ana"
city = ["smity"]
hand = ["libary"]
[[seats]]
name = "ben"
"""
CASES = [
    ("show .", ". is a folder, not a file", "name the game file in it: ./game.toml"),
    ("try odd.toml", "has no key 'format'", ""),
    (
        "try game.toml",
        "this is a game file, not a position",
        "`sanjuan-ref position game.toml -o FILE` writes a position from it",
    ),
    ("log game.toml --note 99", "there is no step 99: the log ends at step ", ""),
    ("log game.toml --since 99", "there is no step 99: the log ends at step ", ""),
    (
        "move game.toml --key ana.key --pass -o nodir/ana.move",
        "the folder nodir does not exist",
        "make it, or choose another with -o",
    ),
    (
        "move game.toml --key ana.key --pay a",
        "pay needs build",
        "--build CARD",
    ),
    (
        "join game.toml --seat ana --key stranger.key",
        "the seat ana is taken, and so is every other seat: the cards have been dealt",
        "",
    ),
    ("apply game.toml game.toml", "there is no key", "a new key will not work"),
    ("new x.toml --seat ana --seat ben", "there is no key", "--make FILE"),
    ("move game.toml --key ana.key --pass --commit", "not in a git clone", "leave the option out"),
    ("vacation game.toml --key ana.key --until 2020-01-01", "is in the past", ""),
    ("mail out game.toml --games . --eml x", "GAME and --games exclude each other", "mail out --"),
    ("mail out", "name the game file, or the folder of the games", "mail out --help"),
    (
        "mail out game.toml --eml x --to-maildir y",
        "--eml and --to-maildir exclude each other",
        "mail out --help",
    ),
    ("mail out game.toml --eml x", "cannot read addresses.toml", "[referee], address ="),
    (
        "apply game.toml ana.key.pub --referee-key referee.key",
        "this is a public key",
        "a note is a",
    ),
    ("move game.toml --pass --key steps", "steps is a folder, not a key file", "name the private"),
    ("move game.toml --pass --key ana.key -o steps", "steps is a folder; nothing", "a file in it"),
    ("show game.toml --seat Ana", "there is no seat", "did you mean ana?"),
    (
        "new x.toml --seat ana --seat ana --referee-key referee.key",
        "the seat ana is given twice",
        "a name of its own",
    ),
    (
        "new x.toml --seat ana --seat pass --referee-key referee.key",
        "because notes and logs use that word",
        "pass-2; not free",
    ),
    (
        "new x.toml --game xanadu --deck odd.toml --seat ana --seat ben --referee-key referee.key",
        "error: this deck cannot be used: the deck has no key 'format' the deck: schema",
        "`sanjuan-ref new --deck-template` prints a deck",
    ),
]


@pytest.mark.parametrize(("command", "message", "hint"), CASES)
def test_a_hint(
    command: str,
    message: str,
    hint: str,
    workplace: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    lay_out(workplace, "building")
    Path("addresses.toml").unlink(missing_ok=True)
    Path("steps").mkdir()
    Path("odd.toml").write_text('format = "x"\n')
    assert main(command.split()) != 0
    error = " ".join(capsys.readouterr().err.split())
    assert message in error
    assert hint in error


def test_a_misspelt_position_is_not_taken_for_another_game(
    workplace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("slip.toml").write_text(MISSPELT)
    assert main(["try", "slip.toml"]) == 13
    error = capsys.readouterr().err
    assert "Xanadu" not in error
    assert "libary" in error


def test_a_key_that_the_environment_names_is_said_to_be_named_there(
    workplace: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lay_out(workplace, "building")
    for name, message in (
        ("gone.key", "there is no key file gone.key (named by $SANJUAN_KEY)"),
        ("stranger.key", "the key stranger.key (named by $SANJUAN_KEY) (SHA256:"),
        ("game.toml", "game.toml (named by $SANJUAN_KEY) is not a"),
    ):
        monkeypatch.setenv("SANJUAN_KEY", name)
        assert main(["move", "game.toml", "--pass"]) != 0
        assert message in capsys.readouterr().err
