"""Terminals of other systems: encodings that lack our signs, and line ends and marks in files."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from referee.cli.main import main
from referee.manual import pages
from referee.render.text.alike import in_ascii
from tests.cli.world import lay_out
from tests.mail.office import Office, run
from tests.table.tables import load

ENCODINGS = ["ascii", "cp1252", "cp437", "latin-1", "utf-8"]
COMMANDS = [
    ("building", "show game.toml --key ana.key"),
    ("building", "log game.toml"),
    ("xanadu", "show game.toml --key ana.key"),
    ("xanadu", "rules --game xanadu --lang de"),
    ("xanadu", "log game.toml"),
    ("planned", "plan game.toml --key ana.key"),
    ("finished", "score game.toml"),
    *(("nothing", f"help {topic}") for topic in pages()),
    ("nothing", "rules --lang de"),
    ("nothing", "--help"),
]


@pytest.mark.parametrize("colours", ["", "1"])
@pytest.mark.parametrize(("state", "line"), COMMANDS)
def test_every_encoding_will_do(
    state: str, line: str, colours: str, workplace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lay_out(workplace, state)
    monkeypatch.setenv("FORCE_COLOR", colours)
    said = {}
    for encoding in ENCODINGS:
        streams = [io.TextIOWrapper(io.BytesIO(), encoding=encoding) for _ in range(2)]
        with monkeypatch.context() as patch:
            patch.setattr(sys, "stdout", streams[0])
            patch.setattr(sys, "stderr", streams[1])
            assert main(line.split(" ")) in (0, 2), encoding
        for stream in streams:
            stream.flush()
            stream.seek(0)
        said[encoding] = "".join(stream.read() for stream in streams)
    # A page of the manual says that there are signs which nothing stands for.
    marks = {encoding: text.count("?") + text.count("😀") for encoding, text in said.items()}
    assert marks == dict.fromkeys(ENCODINGS, marks["utf-8"])


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("┌─┬┐", "+-++"),
        ("│║╎", "|||"),
        ("╔══╗", "+--+"),
        ("╴╵", "-|"),
        ("█▒", "##"),
        ("→ …", "-> ..."),
        ("●○", "*o"),
        ("Größe", "Grosse"),
        ("naïve “quotes” — dashes", 'naive "quotes" - dashes'),
        ("2²⁵⁵ 10³", "2^255 10^3"),
        ("½ 数", "1/2 ?"),
    ],
)
def test_what_is_read_in_place_of_it(text: str, plain: str) -> None:
    assert in_ascii(text) == plain


ENDS = {
    "CRLF": lambda data: data.replace(b"\n", b"\r\n"),
    "mark": lambda data: b"\xef\xbb\xbf" + data,
    "both": lambda data: b"\xef\xbb\xbf" + data.replace(b"\n", b"\r\n"),
}


@pytest.fixture(params=ENDS.values(), ids=list(ENDS))
def office(request: pytest.FixtureRequest, workplace: Path) -> Office:
    """A table every file of which was saved by an editor of another system."""
    made = Office(workplace, "planning")
    Path("ana.move").write_text(made.note("ana"))
    Path("ana.mail").write_bytes(made.mail("ana", made.note("ana")))
    Path("plan.txt").write_text("# what I like\nalways builder: best\n")
    Path("position.toml").write_text('[[seats]]\nname = "ana"\n[[seats]]\nname = "ben"\n')
    for path in workplace.iterdir():
        if path.name != "ana.mail" or request.param is ENDS["CRLF"]:
            path.write_bytes(request.param(path.read_bytes()))
    return made


HOST = ("--referee-key", "referee.key")


def test_a_note_and_its_game(office: Office) -> None:
    done = run("apply", "game.toml", "ana.move", *HOST)
    assert done.code == 0, done.err
    assert office.file.step == 2


def test_a_note_from_standard_input(office: Office) -> None:
    done = run("apply", "game.toml", "-", *HOST, given=Path("ana.move").read_bytes())
    assert done.code == 0, done.err


def test_an_email_and_the_address_book(office: Office) -> None:
    done = office.take(Path("ana.mail").read_bytes())
    assert done.code == 0, done.err
    assert office.kinds()


def test_a_plan_a_position_and_keys(office: Office) -> None:
    key = ("--key", "ana.key")
    done = run("plan", "game.toml", "--file", "plan.txt", *key, "-o", "ana.plan")
    assert done.code == 0, done.err
    assert run("apply", "game.toml", "ana.plan", *HOST).code == 0
    assert load(Path("game.toml").read_text()).plans
    assert run("try", "position.toml").code == 0
    words = ("--seat", "ana=ana.key.pub", "--seat", "ben")
    done = run("new", "new.toml", *words, *HOST)
    assert done.code == 0, done.err


def test_a_deck_of_ones_own(office: Office) -> None:
    text = run("new", "--game", "xanadu", "--deck-template").out.encode()
    Path("deck.toml").write_bytes(b"\xef\xbb\xbf" + text.replace(b"\n", b"\r\n"))
    words = ("--game", "xanadu", "--deck", "deck.toml", "--seat", "ana", "--seat", "ben")
    done = run("new", "new.toml", *words, *HOST)
    assert done.code == 0, done.err
