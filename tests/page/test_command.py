"""The command `page`: whose page it is, where it goes, and what it leaves alone."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from referee.table import chain
from referee.table.signing import signed_text
from tests.cli.world import lay_out, text_of
from tests.mail.office import run
from tests.table.tables import REFEREE, load


@pytest.fixture(autouse=True)
def _place(workplace: Path) -> None:
    lay_out(workplace, "building")


def mode(path: str) -> int:
    return Path(path).stat().st_mode & 0o777


def test_with_a_key_it_holds_a_hand_and_the_command_to_answer() -> None:
    done = run("page", "game.toml", "--key", "ana.key")
    assert done.code == 0
    assert "It holds the hand of ana; for a page that others may see: --public" in done.out
    text = Path("game.html").read_text()
    assert 'id="hand"' in text
    assert '"command":"sanjuan-ref move game.toml","more":"--key ana.key"' in text
    assert mode("game.html") == 0o600


def test_with_a_key_it_plans_where_plans_are_taken() -> None:
    Path("game.toml").write_text(text_of("planning"))
    for more, holds in (((), True), (("--public",), False)):
        assert run("page", "game.toml", "--key", "ana.key", *more).code == 0
        text = Path("game.html").read_text()
        assert ('"plan":{"command":"sanjuan-ref plan game.toml"' in text) == holds
        assert ('data-subject="' in text) == holds


def test_a_public_page_becomes_private_with_a_hand() -> None:
    assert run("page", "game.toml", "-o", "a.html").code == 0
    assert mode("a.html") & 0o044
    before = Path("a.html").read_text()
    assert run("page", "game.toml", "-o", "a.html", "--key", "ana.key").code == 0
    assert mode("a.html") == 0o600
    assert run("page", "game.toml", "-o", "b.html", "--key", "ana.key", "--public").code == 0
    assert Path("b.html").read_text() == before
    assert "ana.key" not in before


def test_a_page_on_standard_output_in_german() -> None:
    done = run("page", "game.toml", "-o", "-", "--lang", "de")
    assert done.out.startswith('<!doctype html>\n<html lang="de">')
    assert "Das Spiel bisher" in done.out


def test_pictures_never_hold_a_hand() -> None:
    assert run("page", "game.toml", "--image", "t.svg").code == 0
    assert run("page", "game.toml", "--image", "u.svg", "--key", "ana.key").code == 0
    assert Path("t.svg").read_text() == Path("u.svg").read_text()
    done = run("page", "game.toml", "--image", "t.png", "--json")
    said = json.loads(done.out)
    assert said == {
        "exit": 0,
        "file": "t.png",
        "bytes": Path("t.png").stat().st_size,
        "seat": None,
    }


def test_the_library_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cairosvg", None)
    done = run("page", "game.toml", "--image", "t.png")
    assert done.code == 1
    assert f"hint: {sys.executable} -m pip install cairosvg, or" in done.err
    assert not Path("t.png").exists()


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("-o", "game.toml"), 1, "game.toml already exists and is not a page or picture"),
        (("-o", "nowhere/a.html"), 1, "cannot write nowhere/a.html"),
        (("-o", "a.html", "--image", "a.svg"), 2, "so name one of them"),
        (("--image", "a.gif"), 2, "must end in .svg or .png"),
        (("-o", "a.png"), 2, "a picture goes to --image: --image a.png"),
        (("-o", "a b.SVG", "--key", "ana.key"), 2, "--image 'a b.svg'"),
        (("-o", "x y.pdf"), 2, "a page, which is HTML: -o 'x y.html'"),
        (("-o", "x.html.gz"), 2, "which is HTML"),
        (("-o", "x.json", "--key", "ana.key"), 2, "which is HTML: -o x.html"),
        (("--lang", "xx"), 2, "languages: en, de"),
        (("--key", "stranger.key"), 12, "holds none of the seats"),
    ],
)
def test_what_goes_wrong_is_said_and_nothing_written(
    words: tuple[str, ...], code: int, said: str
) -> None:
    before = {path: path.read_bytes() for path in Path().iterdir()}
    done = run("page", "game.toml", *words)
    assert (done.code, said in done.err) == (code, True), done.err
    assert {path: path.read_bytes() for path in Path().iterdir()} == before


def test_before_the_deal_there_is_a_page_but_no_picture() -> None:
    Path("game.toml").write_text(text_of("open"))
    assert run("page", "game.toml").code == 0
    done = run("page", "game.toml", "--image", "t.svg")
    assert (done.code, "nothing has been dealt yet" in done.err) == (11, True)
    assert "when all have joined" in done.err


@pytest.mark.parametrize(
    ("plot", "says"),
    [
        ('"><img src=x onerror=alert(1)>', "holds something a game file cannot have there"),
        (40, "table.seats.ana.city.1.plot is 40, and by the log 1"),
    ],
)
def test_a_table_that_its_referee_made_up_is_a_damaged_file(plot: object, says: str) -> None:
    file = load(Path("game.toml").read_text())
    file.table["seats"][0]["city"][0]["plot"] = plot
    hands = [file.hands[name].commitment for name in file.seating]
    file.log[-1].root = chain.step_root(file.table, file.asked, chain.deal_hash(file), hands)
    file.head = chain.heads(file)[-1]
    Path("game.toml").write_text(signed_text(file, REFEREE))
    for words in (("-o", "a.html"), ("--image", "a.svg"), ("-o", "a.html", "--key", "ana.key")):
        done = run("page", "game.toml", *words)
        assert done.code == 16
        assert says in done.err
    assert not Path("a.html").exists()
    assert not Path("a.svg").exists()
