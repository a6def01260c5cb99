"""Each hint can be followed, and each message is true: one case for each."""

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
    ("show .", "several games are here: cut.toml, game.toml", "name the one you mean"),
    ("try odd.toml", "'format' is not a key that the position can have", ""),
    (
        "try game.toml",
        "game.toml is a game file, not a position",
        "`sanjuan-ref position game.toml -o FILE` writes a position from it",
    ),
    ("log game.toml --note 99", "there is no step 99: the log ends at step ", ""),
    ("log game.toml --since 99", "there is no step 99: the log ends at step ", ""),
    (
        "move game.toml --key ana.key --pass -o nodir/ana.move",
        "the folder nodir does not exist",
        "create the folder, or give another name",
    ),
    (
        "move game.toml --key ana.key --build 1",
        "there is no card '1'",
        "name a card in full, by its first letters, or by its letter in your hand",
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
    (
        "new x.toml --seat ana --seat bot1=easy --referee-key referee.key",
        "--seat bot1=easy: a seat is kept for a public key, and easy is a bot",
        "--bot bot1=easy",
    ),
    ("new x.toml --seat ana --seat b=hard/40 --referee-key referee.key", "", "--bot b=hard/40"),
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
        "error: this deck cannot be used: 'format' is not a key that the deck can have the deck: ",
        "`sanjuan-ref new --deck-template` prints a deck",
    ),
    (
        "new x.toml --game xanadu --deck game.toml --seat ana --seat ben",
        "game.toml is a game file, not a deck",
        "`sanjuan-ref new --deck-template` prints a deck",
    ),
    ("new nodir/x.toml --seat ana --seat ben --referee-key referee.key", "nodir", "create the"),
    ("move game.toml --pass", "there is no key", "you have with --key; here are ana.key, ben.key"),
    (
        "show game.toml --hint",
        "no key was found, so no hand can be seen",
        "--key FILE shows a hand",
    ),
    ("show game.toml --seat ben --hint", "no key of ben was found", "--key FILE shows a hand"),
    ("show game.toml --key nokey", "there is no key file nokey", "a new key (`sanjuan-ref key --m"),
    ("show game.toml --identity nope", "there is no age identity file nope", "age-keygen wrote"),
    (
        "show game.toml --identity ana.key.pub",
        "ana.key.pub is a public key; the private one is needed here",
        "without the .pub",
    ),
    (
        "audit game.toml --identity ana.key.pub",
        "ana.key.pub is a public key; the private one is needed here",
        "without the .pub",
    ),
    (
        "audit game.toml --identity nope",
        "there is no key or age identity file nope",
        "a private SSH key, or what age-keygen wrote",
    ),
    (
        "audit game.toml --identity ana.ke",
        "there is no key or age identity",
        "did you mean ana.key",
    ),
    ("join game.toml --seat ana --seal foo", "'foo' is neither a public key, an age recip", ""),
    (
        "new x.toml --seat ana --late never",
        "--late takes wait, pass, bot, easy, medium, hard or expert, not 'never'",
        "",
    ),
    ("log game.toml --since -1", "--since must be 0 or more, not -1", ""),
    ("move game.toml --number 9", "--number must be from 1 to 8, not 9", "move --help"),
    ("move game.toml --number 0", "--number must be from 1 to 8, not 0", ""),
    ("move game.toml --number x", "--number takes a number from 1 to 8, not 'x'", ""),
    ("apply game.toml words.txt --referee-key referee.key", "there is no note in words.txt", "a n"),
    ("apply game.toml empty.txt --referee-key referee.key", "error: empty.txt is empty", "a note"),
    ("mail in game.toml --mbox words.txt --eml x", "words.txt holds no mbox messages", "standard"),
    ("mail in game.toml --mbox nope --eml x", "cannot read nope: it does not exist", ""),
    ("git init steps", "there is no game in steps yet", "run `sanjuan-ref new steps/game.toml "),
    ("git init .", "none of the games in . (cut.toml, older.toml", "so: `mv FILE game.toml`"),
    ("show mail.eml", "there is no game file in mail.eml", "an email to which one is attached"),
    ("show cut.toml", "cut.toml is an incomplete game file", "ask the referee for the file again"),
    ("compare game.toml cut.toml", "cut.toml is an incomplete game file", "ask the referee"),
]
NO_LEDGERS = [
    ("ana.key", "ana.key is a private key, not a ledger; nothing was changed"),
    ("game.toml", "game.toml is a game file, not a ledger; nothing was changed"),
    ("mail.eml", "mail.eml is an email, not a ledger; nothing was changed"),
    ("words.txt", "words.txt is not a ledger; nothing was changed"),
    (".", ". is a folder; --ledger needs a file"),
    ("..", ".. is a folder; --ledger needs a file"),
]
MAIL = "From: ana@example.org\nSubject: my move\n\nsanjuan-ref/1 is all I know.\n"


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
    _lay_out_slips()
    if command.startswith("mail in"):
        Path("addresses.toml").write_text('referee = { address = "ref@example.org" }\nseats = {}\n')
        command += " --referee-key referee.key"
    if command.startswith("git init"):
        Path("game.toml").unlink()
    assert main(command.split()) != 0
    error = " ".join(capsys.readouterr().err.split())
    assert message in error
    assert hint in error


def _lay_out_slips() -> None:
    """Put an email and a cut-off game file beside the game."""
    text = Path("game.toml").read_text()
    Path("cut.toml").write_text(text[: text.index("[referee]") + 40])
    Path("mail.eml").write_text(MAIL)
    Path("empty.txt").touch()
    Path("words.txt").write_text("12 eggs")


@pytest.mark.parametrize(("place", "message"), NO_LEDGERS)
def test_only_a_ledger_is_written_to_as_one(
    place: str, message: str, workplace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lay_out(workplace, "building")
    _lay_out_slips()
    main(["move", "game.toml", "--key", "ana.key", "--pass", "-o", "ana.move"])
    before = {path: path.read_bytes() for path in workplace.iterdir() if path.is_file()}
    capsys.readouterr()
    words = ["apply", "game.toml", "ana.move", "--referee-key", "referee.key", "--ledger", place]
    assert main(words) == 2
    assert f"error: {message}" in capsys.readouterr().err
    assert {path: path.read_bytes() for path in workplace.iterdir() if path.is_file()} == before


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
