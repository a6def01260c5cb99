"""The cost of a message among many tables, in files opened, and an index that is never believed."""

from __future__ import annotations

import os
import sqlite3
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from referee.mail import index
from referee.refereeing.statefolder import default_folder
from tests.mail.conftest import Open
from tests.mail.office import BOOK, HOST, NOW, Done, Office, letter, names, run
from tests.table.tables import Table

MANY = 40
GAME = '#:schema game.schema.json\nformat = "sanjuan-ref/1"\nstep = 1\n\n[game]\nid = "{:016x}"\n'
STRANGERS = BOOK.replace("ana", "eva").replace("ben", "udo")
WORDS = ("mail", "in", "--games", ".", *HOST, "--now", NOW)

_events: list[tuple[str, str]] | None = None


def _hook(event: str, about: tuple[object, ...]) -> None:
    if _events is not None and event in ("open", "os.scandir") and about:
        _events.append((event, str(about[0])))


sys.addaudithook(_hook)


@contextmanager
def watched() -> Iterator[list[tuple[str, str]]]:
    """Enter with the list of files that are opened, and folders that are listed, meanwhile."""
    global _events
    _events = []
    try:
        yield _events
    finally:
        _events = None


def opened(events: list[tuple[str, str]]) -> set[str]:
    """The game files and address books that were opened, those of this folder."""
    paths = {Path(path) for event, path in events if event == "open" and path.endswith(".toml")}
    return {str(path) for path in paths if not path.is_absolute()}


def walks(events: list[tuple[str, str]]) -> int:
    return sum(event == "os.scandir" and path == "." for event, path in events)


@pytest.fixture
def crowd(office: Open, monkeypatch: pytest.MonkeyPatch) -> Office:
    """A game among many others, which counts as so many that not all are looked at each time."""
    at = office("dealt")
    Path("previous.toml").unlink()
    for number in range(MANY):
        folder = Path(f"t{number:02}")
        folder.mkdir()
        (folder / "game.toml").write_text(GAME.format(number))
        (folder / "addresses.toml").write_text(STRANGERS)
    age()
    monkeypatch.setattr(index, "FEW", 10)
    monkeypatch.setattr(index, "ROUTINE_WAIT", 1000.0)
    monkeypatch.setattr(index, "ASKED_WAIT", 0.0)
    assert run(*WORDS, given=at.mail("zoe", "Hello\n")).code == 0
    return at


def age() -> None:
    """Let all files be older than a tick of the clock."""
    for path in Path().rglob("*.toml"):
        os.utime(path, (1, path.stat().st_mtime - 100))


def take(mail: bytes) -> tuple[Done, list[tuple[str, str]]]:
    with watched() as events:
        done = run(*WORDS, given=mail)
    return done, events


def database() -> Path:
    (found,) = (default_folder() / "index").glob("*.db")
    return found


def test_a_note_opens_the_files_of_its_game_only(crowd: Office) -> None:
    done, events = take(crowd.mail("ana", crowd.note("ana")))
    assert "1.1.role.ana: applied as step 2" in done.out, done.err
    assert opened(events) == {"game.toml", "addresses.toml"}
    assert walks(events) == 0


@pytest.mark.parametrize("way", ["References", "In-Reply-To", "To", "Delivered-To", "From"])
def test_what_says_no_game_opens_no_more(crowd: Office, way: str) -> None:
    """By its thread, by the address to which it went, and by its sender."""
    game = crowd.file.game
    values = {"To": f"Table+{game}@example.org", "Delivered-To": f"table+{game}@example.org"}
    fields = {way: values.get(way, f"<{game}.ana.x@example.org>")} if way != "From" else {}
    done, events = take(letter("ana@example.org", "Hello\n", 5, **fields))
    assert done.code == 0
    assert [name[:8] for name in names("mails")] == [game[:8]]
    assert opened(events) == {
        "game.toml",
        "addresses.toml",
    }
    assert walks(events) == 0


def test_the_address_to_which_a_mail_went_tells_tables_apart(office: Open) -> None:
    at = office("dealt")
    table = Table(2, "another").join_all()
    Path("two").mkdir()
    Path("two/game.toml").write_text(table.text)
    for game in (table.file.game, at.file.game):
        assert run(*WORDS, given=at.mail("ana", "Hello\n", To=f"x+{game}@example.org")).code == 0
        assert any(name.startswith(game[:8]) for name in names("mails"))


def test_strangers_make_one_walk_and_read_nothing(crowd: Office) -> None:
    for folder in ("new", "cur", "tmp"):
        (Path("box") / folder).mkdir(parents=True)
    note = Table(2, "far away").join_all().note("1.1.role.ana", "role builder")
    threads = " ".join(f"<{number:016x}.ana@example.org>" for number in range(1000, 3000))
    for number in range(30):
        body, fields = (note, {}) if number % 2 else ("Hello\n", {"References": threads})
        mail = letter("zoe@example.org", body, number, **fields)
        (Path("box/new") / f"{number}").write_bytes(mail)
    with watched() as events:
        done = run(*WORDS, "--maildir", "box")
    assert (done.code, done.err.count("about no game here")) == (0, 30), done.err
    assert walks(events) == 1
    assert not opened(events)


def test_who_asks_among_many_waits_for_the_next_walk(
    crowd: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[float] = []
    monkeypatch.setattr(index, "ASKED_WAIT", 0.5)
    monkeypatch.setattr(time, "sleep", waits.append)
    assert run(*WORDS, given=crowd.mail("zoe", "Hello\n")).code == 0
    assert len(waits) == 1
    assert 0 < waits[0] <= 0.5 * (2 * MANY + 10)
    assert run(*WORDS, given=crowd.mail("ana", crowd.note("ana"))).code == 0
    assert len(waits) == 1


@pytest.mark.parametrize("harm", ["moved", "gone", "nonsense", "liar", "new"])
def test_an_index_that_is_wrong_loses_nothing(crowd: Office, harm: str) -> None:
    mail = crowd.mail("ana", crowd.note("ana"))
    game = "game.toml"
    if harm == "moved":
        Path("t99").mkdir()
        game = str(Path(game).rename("t99/game.toml"))
    elif harm == "gone":
        database().unlink()
    elif harm == "nonsense":
        database().write_bytes(b"nonsense" * 1000)
    elif harm == "liar":
        with closing(sqlite3.connect(database())) as db:
            db.execute("UPDATE files SET game = ? WHERE game != ''", ("0" * 16,))
            db.execute("DELETE FROM seated")
            db.commit()
    else:
        text = Path(game).read_text()
        Path(game).unlink()
        assert run(*WORDS, given=crowd.mail("zoe", "Hello\n")).code == 0
        Path("t98").mkdir()
        game = "t98/game.toml"
        Path(game).write_text(text)
    done = run(*WORDS, given=mail)
    assert "1.1.role.ana: applied as step 2" in done.out, done.err
    assert "step = 2\n" in Path(game).read_text()


def test_an_index_lets_nobody_in_who_does_not_sit_there(crowd: Office) -> None:
    with closing(sqlite3.connect(database())) as db:
        db.execute(
            "UPDATE OR IGNORE seated SET address = 'zoe@example.org', game = ?", (crowd.file.game,)
        )
        db.commit()
    done = run(*WORDS, given=crowd.mail("zoe", "Hello\n"))
    assert "about no game here, and from zoe@example.org" in done.err
    assert not Path("mails").exists()


def test_a_book_that_was_changed_counts_at_once(crowd: Office) -> None:
    Path("addresses.toml").write_text(BOOK.replace("ana@", "zoe@"))
    done = run(*WORDS, given=crowd.mail("zoe", "Hello\n"))
    assert done.code == 0
    assert len(names("mails")) == 1
    done = run(*WORDS, given=crowd.mail("ana", "Hello\n"))
    assert "about no game here" in done.err


def test_a_walk_reads_what_has_changed(crowd: Office) -> None:
    Path("t07/game.toml").write_text(GAME.format(777))
    _, events = take(crowd.mail("zoe", "Hello\n"))
    assert walks(events) == 1
    assert opened(events) == {
        "t07/game.toml",
        "t07/addresses.toml",
    }


def test_the_index_is_for_its_owner(crowd: Office) -> None:
    assert database().stat().st_mode & 0o777 == 0o600
    assert database().parent.stat().st_mode & 0o777 == 0o700
