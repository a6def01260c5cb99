"""`join` where the seat or the key is left out: what can be meant is taken, or asked for."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from referee.cli.main import main
from referee.crypto.keys import PublicKey
from referee.render.text import prompt, terminal
from tests.cli.world import KEYS, lay_out
from tests.mail.office import BOOK
from tests.table.tables import load

Capture = pytest.CaptureFixture[str]
HOST = ["--referee-key", "referee.key"]
NAMES = ("first", "second", "third")


@pytest.fixture
def place(workplace: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A table of four, one seat kept for the third of three keys and one taken with the second."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(workplace))
    KEYS["referee"].save(workplace / "referee.key")
    (workplace / "sanjuan-ref").mkdir()
    for name in NAMES:
        assert main(["key", "--make", f"sanjuan-ref/{name}.key"]) == 0
    seats = ["ana", "ben", "carl=sanjuan-ref/third.key.pub", "dan"]
    assert main(["new", "game.toml", *(f"--seat={seat}" for seat in seats), *HOST]) == 0
    join = ["join", "game.toml", "--seat", "ana", "--key", "sanjuan-ref/second.key"]
    assert main([*join, *HOST]) == 0
    return workplace


def at_terminal(monkeypatch: pytest.MonkeyPatch, *said: str) -> list[str]:
    """Answer questions at a terminal, and return what will have been asked."""
    asked: list[str] = []
    answers = iter(said)

    def ask(question: str, *_: object) -> str:
        asked.append(question)
        return next(answers)

    monkeypatch.setattr(terminal, "asks", lambda: True)
    monkeypatch.setattr(prompt, "ask", ask)
    return asked


@pytest.mark.parametrize(
    ("words", "seat", "key"),
    [
        (["--seat", "carl"], "carl", "third"),
        (["--seat", "dan"], "dan", "first"),
        (["--seat", "ana"], "ana", "second"),
        ([], "carl", "third"),
    ],
)
def test_the_key_that_fits_the_seat_is_taken(
    words: list[str], seat: str, key: str, place: Path, capsys: Capture
) -> None:
    # Of those that could be meant, one is kept for a seat, and one has one already.
    if seat == "dan":
        (place / "sanjuan-ref" / "third.key").rename(place / "third.key")
    capsys.readouterr()
    code = main(["join", "game.toml", *words, "-o", "note.join"])
    assert code == 0, capsys.readouterr().err
    public = (place / "sanjuan-ref" / f"{key}.key.pub").read_text()
    note = (place / "note.join").read_text()
    assert f"seat {seat}\n" in note
    raw = re.search("^key ([0-9a-f]{64})", note, re.MULTILINE)
    assert raw is not None
    assert PublicKey.parse(raw[1]) == PublicKey.parse(public)
    assert ("You are carl.\n" in capsys.readouterr().out) == (not words)


def test_a_menu_of_keys_asks_again(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    assert main(["key", "--make", "sanjuan-ref/fourth.key"]) == 0
    asked = at_terminal(monkeypatch, "7", "0", "0000000015", "third", "2")
    assert main(["join", "game.toml", "--seat", "dan", "-o", "dan.join"]) == 0
    said = capsys.readouterr().err
    assert len(asked) == 5
    assert said.count("hint: type a number from 1 to 2; q leaves\n") == 4
    # Keys that sit elsewhere, or are to, are not among them.
    assert "second.key" not in said
    assert "third.key" not in said
    at_terminal(monkeypatch, "q")
    assert main(["join", "game.toml", "--seat", "dan"]) == 18
    assert "say which one with --key" in capsys.readouterr().err


def test_the_wrong_key_for_a_seat_is_said_to_be_so(place: Path, capsys: Capture) -> None:
    words = ["--seat", "carl", "--key", "sanjuan-ref/first.key"]
    assert main(["join", "game.toml", *words]) == 12
    said = capsys.readouterr().err
    assert "hint: join with the key whose public half its host was given: --key FILE\n" in said


def test_an_invitation_tells_the_seat(place: Path, capsys: Capture) -> None:
    book = BOOK.replace("[out]", 'dan = "dan@example.org"\ncarl = "carl@example.org"\n[out]')
    (place / "addresses.toml").write_text(book)
    assert main(["mail", "out", "game.toml"]) == 0
    (mail,) = (place / "mails").glob("*-dan-invite*.eml")
    key = ["--key", "sanjuan-ref/first.key"]
    capsys.readouterr()
    assert main(["join", str(mail), *key, "-o", "dan.join"]) == 0
    assert "seat dan\n" in (place / "dan.join").read_text()
    assert "You are dan.\n" in capsys.readouterr().out
    # The keys here that are another seat's do not matter, but where there is no other.
    assert main(["join", str(mail), "-o", "found.join"]) == 0
    assert "You are dan.\n" in capsys.readouterr().out
    assert (place / "found.join").read_text() == (place / "dan.join").read_text()
    (place / "sanjuan-ref" / "first.key").rename(place / "away.key")
    (place / "sanjuan-ref" / "second.key").unlink()
    assert main(["join", str(mail), "-o", "none.join"]) == 15
    assert "already holds the seat carl" in capsys.readouterr().err
    assert main(["join", str(mail), "--key", "sanjuan-ref/third.key", "-o", "carl.join"]) == 0
    assert "You are carl.\n" in capsys.readouterr().out
    (place / "away.key").rename(place / "sanjuan-ref" / "first.key")
    # A mailbox may hold those of others, and any email can be passed on without its header.
    (place / "box").write_bytes(
        b"From x@example.org Sat Nov 28 09:00:00 2026\n" + mail.read_bytes()
    )
    assert main(["join", "box", *key, "-o", "it is.join"]) == 2
    said = capsys.readouterr().err
    assert "error: which seat? ben and dan are free\n" in said
    hint = re.search("hint: `sanjuan-ref (.*)`, or --seat dan\n", said)
    assert hint is not None
    assert hint[1] == "join box --key sanjuan-ref/first.key -o 'it is.join' --seat ben"
    assert main(shlex.split(hint[1])) == 0
    assert "seat ben\n" in (place / "it is.join").read_text()


def test_who_takes_the_last_seat_is_told_which(place: Path, capsys: Capture) -> None:
    for seat, name in (("carl", "third"), ("dan", "first")):
        key = ["--key", f"sanjuan-ref/{name}.key"]
        assert main(["join", "game.toml", "--seat", seat, *key, *HOST]) == 0
    assert main(["key", "--make", "ben.key"]) == 0
    capsys.readouterr()
    assert main(["join", "game.toml", "--key", "ben.key", *HOST]) == 0
    assert capsys.readouterr().out.startswith("You are ben.\n")
    assert load((place / "game.toml").read_text()).status == "playing"


def test_a_key_that_waits_for_a_seat_is_told_who_has_still_to_sign(
    workplace: Path, capsys: Capture
) -> None:
    lay_out(workplace, "dealt")
    assert main(["key", "--make", "new.key"]) == 0
    words = ["transfer", "game.toml", "--seat", "ana", "--key", "new.key"]
    assert main([*words, *HOST]) == 0
    capsys.readouterr()
    main(["show", "game.toml", "--key", "new.key", "--hint"])
    said = capsys.readouterr().err
    assert "holds none of the seats: ana, ben\n" in said
    assert "hint: it waits for the seat of ana; still to sign: the old key of ana, or else " in said
