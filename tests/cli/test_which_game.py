"""The game may be left out, or be an email, a mailbox, a folder or in another repository."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
from email.message import EmailMessage
from pathlib import Path
from shlex import quote

import pytest

from referee.cli.locating import REMOTE, locate, renew
from referee.cli.main import main
from referee.playing.shared import is_shared
from referee.render.text import prompt, terminal
from referee.system import FLAGS
from referee.table.source import read_game
from tests.cli.world import KEYS, lay_out, other_game, text_of
from tests.table.tables import Table, load

Capture = pytest.CaptureFixture[str]


SEEN = f"1{FLAGS}2,S"
"""The name of a message that was seen."""


@pytest.fixture
def place(workplace: Path) -> Path:
    """An empty folder, with the key of ana where ours is looked for."""
    home = workplace.parent / "home" / ".config" / "sanjuan-ref"
    home.mkdir(parents=True)
    KEYS["ana"].save(home / "key")
    return workplace


def mailed(text: str, name: str = "game.toml") -> bytes:
    """An email of the referee's to which a game file is attached."""
    mail = EmailMessage()
    mail["From"] = "table@example.org"
    mail["Subject"] = "your turn"
    mail.set_content("Your turn.\n")
    mail.add_attachment(text.encode(), maintype="application", subtype="toml", filename=name)
    return bytes(mail)


def test_the_only_game_here_is_meant(place: Path, capsys: Capture) -> None:
    assert main(["show"]) == 2
    assert "there is no game file here" in capsys.readouterr().err
    (place / "table.toml").write_text(text_of("building"))
    (place / "notes.toml").write_text('title = "shopping"\n')
    assert main(["show"]) == 0
    assert "sanjuan-ref move table.toml" in capsys.readouterr().out
    assert main(["move", "--pass"]) == 0
    (note,) = place.glob("*.move")
    (place / "other.toml").write_text(other_game().text)
    assert main(["show"]) == 2
    assert "several games are here: other.toml, table.toml" in capsys.readouterr().err
    assert note.exists()


def test_junk_beside_the_only_game_is_no_game(place: Path, capsys: Capture) -> None:
    """Anybody can push it."""
    (place / "junk.toml").write_text("#:schema game.schema.json\nx\n")
    assert main(["show"]) != 0
    assert "junk.toml" in capsys.readouterr().err
    (place / "table.toml").write_text(text_of("building"))
    assert main(["show"]) == 0
    # One that is damaged may be the one that is meant.
    (place / "other.toml").write_text(other_game().text[:-300])
    capsys.readouterr()
    assert main(["show"]) == 2
    assert "several games are here: other.toml, table.toml" in capsys.readouterr().err


def made_up(text: str) -> str:
    """An unsigned file that says it is of the same game, much newer, and of another referee."""
    text = re.sub(r"(?m)^step = \d+", "step = 99", text, count=1)
    key = KEYS["stranger"].public.text
    return re.sub(r'(\[referee\]\nkey = )"[^"]*"', rf'\1"{key}"', text, count=1)


@pytest.mark.parametrize("kind", ["folder", "Maildir", "mbox"])
def test_a_game_that_somebody_has_made_up_is_not_asked_about(
    kind: str, place: Path, capsys: Capture
) -> None:
    texts = [text_of("building"), made_up(text_of("building"))]
    at = place / kind
    if kind == "mbox":
        mails = [b"From table now\n" + mailed(text) for text in texts]
        at.write_bytes(b"\n".join(mails))
    else:
        for name in ("new", "cur", "tmp") if kind == "Maildir" else ("",):
            (at / name).mkdir(parents=True)
        for number, text in enumerate(texts):
            if kind == "Maildir":
                (at / "new" / str(number)).write_bytes(mailed(text))
            else:
                (at / f"{number}.toml").write_text(text)
    assert main(["due", str(at)]) == 0
    assert "build.ana" in capsys.readouterr().out
    if kind != "mbox":
        assert main(["games", str(at), "--json"]) == 0
        assert len(json.loads(capsys.readouterr().out)["games"]) == 1


def test_who_waits_is_not_held_up_by_a_game_that_somebody_has_made_up(place: Path) -> None:
    at = place / "mbox"
    mails = [b"From table now\n" + mailed(text_of("dealt"))]
    at.write_bytes(b"\n".join(mails))
    path = locate(at)
    file = load(read_game(path).decode())
    fake, newer = made_up(text_of("building")), text_of("building")
    for more in (fake, newer, fake):
        mails.append(b"From table now\n" + mailed(more))
    at.write_bytes(b"\n".join(mails))
    renew(path, file)
    assert read_game(path).decode() == newer


def test_in_a_clone_the_table_s_own_game_is_meant(place: Path, capsys: Capture) -> None:
    for name in (".git", "moves"):
        (place / name).mkdir()
    (place / "game.toml").write_text(text_of("building"))
    (place / "x.toml").write_text(other_game().text)
    (place / "y.toml").write_text(other_game().text[:-300])
    shared = [is_shared(Path(name)) for name in ("game.toml", "x.toml", "y.toml", ".")]
    assert shared == [True, False, False, False]
    assert main(["due"]) == 0
    assert "build.ana" in capsys.readouterr().out


def test_a_variable_names_the_game(
    place: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    (place / "far").mkdir()
    (place / "far" / "x.toml").write_text(text_of("building"))
    monkeypatch.setenv("SANJUAN_GAME", "far/x.toml")
    assert main(["due"]) == 0
    assert "build.ana" in capsys.readouterr().out
    assert main(["due", "far"]) == 0
    assert "build.ana" in capsys.readouterr().out


def test_an_email_is_answered_and_the_note_goes_to_this_folder(
    place: Path, capsys: Capture
) -> None:
    for name in ("new", "cur", "tmp"):
        (place / "Maildir" / name).mkdir(parents=True)
    turn = place / "Maildir" / "cur" / SEEN
    turn.write_bytes(mailed(text_of("building")))
    for named in (str(Path("Maildir", "cur", SEEN)), "Maildir"):
        assert main(["show", named]) == 0
        assert f"sanjuan-ref move {quote(named)}" in capsys.readouterr().out
        assert main(["move", named, "--pass"]) == 0
        (note,) = place.glob("*.move")
        assert (
            f"Reply to the email in which the game came, with {note.name} attached."
            in capsys.readouterr().out
        )
        note.unlink()
    assert [path.name for path in (place / "Maildir").rglob("*") if path.is_file()] == [SEEN]
    assert main(["verify", "Maildir"]) == 0


def test_of_a_mailbox_the_newest_file_of_its_game_counts(place: Path, capsys: Capture) -> None:
    states = ("dealt", "building", "open")
    mails = [b"From table Sat Nov 28 10:00:00 2026\n" + mailed(text_of(state)) for state in states]
    (place / "mbox").write_bytes(b"\n".join(mails))
    assert main(["due", "mbox"]) == 0
    assert "build.ana" in capsys.readouterr().out


def test_of_several_games_in_a_mailbox_none_is_taken_unasked(place: Path, capsys: Capture) -> None:
    mails = [mailed(text_of("building")), mailed(other_game().text)]
    (place / "mbox").write_bytes(b"\n".join(b"From table now\n" + mail for mail in mails))
    assert main(["show", "mbox"]) == 2
    told = " ".join(capsys.readouterr().err.split())
    assert told.startswith("error: mbox holds 2 games: A test: ana (")
    assert "A test: ana (build) (waiting" in told
    assert "since" not in told
    assert "(waiting for you)" in told


def test_of_several_games_in_a_maildir_the_messages_can_be_named(
    place: Path, capsys: Capture
) -> None:
    for name in ("new", "cur", "tmp"):
        (place / "Maildir" / name).mkdir(parents=True)
    mails = {f"cur/{SEEN}": text_of("finished"), "new/2": other_game().text, "new/3": ""}
    for name, text in mails.items():
        (place / "Maildir" / name).write_bytes(mailed(text))
    os.utime(place / "Maildir/new/2", (1767312000, 1767312000))
    assert main(["show", "Maildir"]) == 2
    told = " ".join(capsys.readouterr().err.split())
    first, second = (quote(str(Path("Maildir", *at))) for at in (("new", "2"), ("cur", SEEN)))
    assert "since 2026-01-02 00:00 UTC" in told
    assert told.index(f"{first} has") < told.index(f"{second} has A test:")
    assert main(["games"]) in (0, 1)
    assert f"{first} " in capsys.readouterr().out
    assert main(["show", "Maildir/new/2"]) == 0


def test_standard_input_may_be_a_game_or_an_email(
    place: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    for data in (text_of("building").encode(), mailed(text_of("building"))):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        assert main(["move", "-", "--pass", "-o", "-"]) == 0
        assert "BEGIN SSH SIGNATURE" in capsys.readouterr().out
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"Subject: hello\n\nhello\n")))
    assert main(["show", "-"]) == 2
    assert "there is no game file in standard input" in capsys.readouterr().err


def test_a_game_in_another_repository_is_read_by_git(place: Path, capsys: Capture) -> None:
    there = place / "there"
    git = ("git", "-C", str(there), "-c", "user.name=a", "-c", "user.email=a@example.org")
    subprocess.run(["git", "init", "-q", str(there)], check=True)
    (there / "table").mkdir()
    (there / "table" / "game.toml").write_text(text_of("building"))
    subprocess.run([*git, "add", "."], check=True)
    subprocess.run([*git, "commit", "-qm", "a game"], check=True)
    assert main(["due", f"{there}:table/game.toml"]) == 0
    assert "build.ana" in capsys.readouterr().out
    for named in ("there:table/game.toml", f"file://{there}:table/game.toml"):
        assert main(["due", named]) == 0
        assert "build.ana" in capsys.readouterr().out
    assert main(["due", f"{there}:table/none.toml"]) == 2
    assert "there is no game file table/none.toml" in capsys.readouterr().err
    assert main(["due", "nowhere:game.toml"]) == 2
    assert "git cannot fetch from nowhere" in capsys.readouterr().err
    assert main(["due", "https://127.0.0.1:9/x.git:game.toml"]) == 2
    assert "git cannot fetch from https://127.0.0.1:9/x.git" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("named", "parts"),
    [
        ("club:game.toml", ("club", "game.toml")),
        ("git@example.org:club.git:a/game.toml", ("git@example.org:club.git", "a/game.toml")),
        ("file:/srv/club:game.toml", ("file:/srv/club", "game.toml")),
        ("C:/Users/ana/club:a/game.toml", ("C:/Users/ana/club", "a/game.toml")),
        ("C:/Users/ana/game.toml", None),
        ("file:/C:/club:game.toml", ("file:/C:/club", "game.toml")),
        ("game.toml", None),
    ],
)
def test_a_drive_alone_is_no_repository(named: str, parts: tuple[str, str] | None) -> None:
    found = re.fullmatch(REMOTE, named)
    assert (found and found.groups()) == parts


def test_apply_writes_to_plain_files_alone(place: Path, capsys: Capture) -> None:
    (place / "turn.eml").write_bytes(mailed(text_of("building")))
    KEYS["referee"].save(place / "referee.key")
    key = ("--referee-key", "referee.key")
    before = (place / "turn.eml").read_bytes()
    assert main(["expire", "turn.eml", *key]) == 16
    assert main(["abandon", "turn.eml", *key, "--yes"]) == 16
    assert (place / "turn.eml").read_bytes() == before
    assert "turn.eml" in capsys.readouterr().err


def test_apply_takes_all_for_notes_where_the_first_is_no_game(
    workplace: Path, capsys: Capture
) -> None:
    lay_out(workplace, "building")
    for name in ("older.toml", "previous.toml"):
        (workplace / name).unlink()
    assert main(["move", "--key", "ana.key", "--pass", "-o", "ana.move"]) == 0
    assert main(["apply", "ana.move", "--referee-key", "referee.key"]) == 0
    assert "game.toml: step" in capsys.readouterr().out
    assert main(["apply", "nothing.move", "--referee-key", "referee.key"]) == 2
    assert main(["apply", "--referee-key", "referee.key", "ana.move"]) == 10


def test_of_several_keys_the_one_at_the_table_plays(place: Path, capsys: Capture) -> None:
    (place / "game.toml").write_text(text_of("building"))
    own = place.parent / "home" / ".config" / "sanjuan-ref"
    (own / "key").rename(own / "club.key")
    (own / "key.pub").unlink()
    KEYS["stranger"].save(own / "key")
    assert main(["show"]) == 0
    assert "Your turn, ana" in capsys.readouterr().out
    KEYS["ben"].save(own / "second.key")
    assert main(["show"]) == 18
    told = capsys.readouterr().err
    assert "several of your keys sit at this table" in told
    assert f"--key {own / 'club.key'} for ana" in told
    assert main(["show", "--seat", "ana"]) == 0
    assert "Your turn, ana" in capsys.readouterr().out
    assert main(["show", "--key", str(own / "second.key")]) == 0
    assert "Your turn" not in capsys.readouterr().out


def test_a_seat_is_taken_with_the_key_that_somebody_says(
    place: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    (place / "game.toml").write_text(text_of("open"))
    own = place.parent / "home" / ".config" / "sanjuan-ref"
    (own / "key").unlink()
    KEYS["referee"].save(place / "r.key")
    assert main(["join", "--seat", "ana"]) == 18
    told = capsys.readouterr().err
    assert "r.key" not in told
    assert "`sanjuan-ref key --make`" in told
    KEYS["ben"].save(own / "one.key")
    KEYS["referee"].save(own / "host.key")
    assert main(["join", "--seat", "ana", "-o", "-"]) == 0
    assert f"key {KEYS['ben'].public.hex}" in capsys.readouterr().out
    KEYS["ana"].save(own / "two.key")
    assert main(["join", "--seat", "ana", "-o", "-"]) == 18
    told = capsys.readouterr().err
    assert f"several of your keys could be meant: {own / 'one.key'}, {own / 'two.key'}" in told
    assert main(["key", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    listed = [one["path"] for one in (found, *found["others"])]
    assert listed == [str(own / name) for name in ("host.key", "one.key", "two.key")]
    assert main(["key"]) == 0
    assert str(own / "two.key") in capsys.readouterr().out
    monkeypatch.setattr(terminal, "asks", lambda: True)
    monkeypatch.setattr(prompt, "ask", lambda _: "2")
    assert main(["join", "--seat", "ana", "-o", "-"]) == 0
    assert f"key {KEYS['ana'].public.hex}" in capsys.readouterr().out


def test_of_a_large_mailbox_the_end_counts(
    place: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There the newest messages are."""
    older, newer = text_of("dealt"), text_of("building")
    mails = [b"From table now\n" + mailed(older), b"From x now\n\n" + b"x\n" * 60_000]
    mails.append(b"From table now\n" + mailed(newer))
    (place / "mbox").write_bytes(b"\n".join(mails))
    monkeypatch.setattr("referee.playing.mailed.MAIL_LIMIT", 100_000)
    assert main(["show", "mbox", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["step"] == load(newer).step


def test_two_histories_in_one_mailbox_are_answered_by_nothing(place: Path, capsys: Capture) -> None:
    table = Table(2, "cli 82687").join_all()
    mine = load(text_of("building")).log[1].play
    other = next(play for play in table.view("ana").plays() or () if play != mine)
    table.apply(table.note("1.1.role.ana", other))
    for texts in ((text_of("building"), table.text), (table.text, text_of("keeping"))):
        mails = [b"From table now\n" + mailed(text) for text in texts]
        (place / "mbox").write_bytes(b"\n".join(mails))
        assert main(["move", "mbox", "--pass"]) == 17
        assert "mbox holds two histories of this game" in capsys.readouterr().err


def test_a_forged_email_hides_no_true_one(place: Path, capsys: Capture) -> None:
    lie = text_of("building").replace("step = 2", "step = 999", 1)
    mails = [b"From table now\n" + mailed(text) for text in (text_of("building"), lie)]
    (place / "mbox").write_bytes(b"\n".join(mails))
    assert main(["show", "mbox"]) == 0
    assert "Your turn, ana" in capsys.readouterr().out


def test_an_mbox_on_standard_input_is_read_from_there(
    place: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    (place / "-").write_bytes(b"From table now\n" + mailed(other_game().text))
    data = b"From table now\n" + mailed(text_of("building"))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    assert main(["due", "-"]) == 0
    assert "build.ana" in capsys.readouterr().out
