"""`mail in`: every message is dealt with once, whoever sent it and however it comes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from referee.mail import mailer
from referee.mail.journal import Journal
from referee.notes.finding import find_in_bytes
from referee.playing import player
from tests.cli.world import KEYS
from tests.mail.conftest import Open
from tests.mail.office import BOOK, HOST, NOW, Office, attached, letter, names, run, text_of
from tests.table.tables import Table, key_of


def test_a_note_is_applied_and_answered(office: Open) -> None:
    at = office("dealt")
    done = at.take(at.mail("ana", at.note("ana", "role builder")))
    assert done.code == 0, done.err
    assert at.file.step == 2
    # She builds next, and the answer asks her: there is no second mail that says the same.
    assert at.kinds() == ["ana answer"]
    (text,) = at.texts("ana answer")
    assert "Your note: applied as step 2." in text
    assert "> turn 1.1.role.ana\n> play role builder\n" in text
    assert "\n\nYour turn, ana: build.\n" in text
    (mail,) = at.mails().values()
    assert attached(mail) == Path("game.toml").read_bytes()
    assert mail["To"] == "ana@example.org"
    assert mail["In-Reply-To"] == "<1.ana@mua.example.org>"
    assert mail["Auto-Submitted"] == "auto-replied"


def test_who_is_next_is_asked_too_unless_only_answers_are_wanted(office: Open) -> None:
    at = office("building")
    done = at.take(at.mail("ana", at.note("ana")), "--answers-only")
    assert (done.code, at.kinds()) == (0, ["ana answer"])
    assert at.send().code == 0
    assert at.kinds() == ["ana answer", "ben prompt"]


@pytest.mark.parametrize(
    ("play", "kind"),
    [("role mayor", "not understood"), ("build library", "not understood"), ("pass", "illegal")],
)
def test_a_refused_note_is_answered_with_the_kind_of_refusal(
    office: Open, play: str, kind: str
) -> None:
    at = office("dealt")
    before = Path("game.toml").read_bytes()
    done = at.take(at.mail("ana", at.note("ana", play)))
    assert (done.code, at.kinds()) == (0, ["ana refusal"])
    assert Path("game.toml").read_bytes() == before
    (text,) = at.texts("ana refusal")
    assert "Your note was refused: " in text
    assert kind in text.replace("\n", " ")
    # It asks again, so that she need not look for an earlier mail.
    assert "\n\nYour turn, ana: choose a role.\n" in text


def test_a_mail_without_a_note_is_answered(office: Open) -> None:
    at = office("dealt")
    assert at.take(at.mail("ana", "When do we begin?\n")).code == 0
    (text,) = at.texts("ana refusal")
    assert text.startswith("There was no note in your mail.\nA note is what `move`")


@pytest.mark.parametrize(
    "head",
    [
        "From: ana+games@example.org\n",
        "From: Friends <friends@lists.example.org>\nReply-To: ana@example.org\n",
        "From: ana@example.org\nFrom: ben@example.org\n",
        "From: ana@example.org, ben@example.org\n",
        "Sender: ana@example.org\n",
    ],
    ids=["plus", "list", "two fields", "two addresses", "none"],
)
@pytest.mark.parametrize("good", [True, False])
def test_a_note_from_anywhere_is_answered_to_its_seat(office: Open, head: str, good: bool) -> None:
    at = office("keeping")
    note = at.note("ana", "" if good else "keep library", sealed=True)
    done = at.take(f"{head}To: table@example.org\n\n{note}".encode(), "--answers-only")
    assert done.code == 0, done.err
    ((name, mail),) = at.mails().items()
    assert name.startswith("ana-answer" if good else "ana-refusal")
    assert mail["To"] == "ana@example.org"
    said = text_of(mail)
    assert said.startswith("Your sealed note")
    assert "\n\nThis came from an address that is not known as yours; " in said
    assert ("Your sealed note: accepted" in said) == good
    # What is no seat's own goes to nobody.
    done = at.take(f"{head}To: table@example.org\n\nHello\n".encode())
    assert "not answered: " in done.err


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_a_header_without_end_is_answered(office: Open, end: bytes) -> None:
    at = office("dealt")
    mail = at.mail("ana", "", Received="x" * 90).replace(
        b"\n\n", b"\n" + b"X-A: b\n" * 40_000 + b"\n"
    )
    done = at.take(mail.replace(b"\n", end), "--answers-only")
    assert (done.code, at.kinds()) == (0, ["ana refusal"])
    said = at.texts("ana refusal")[0].partition("\n\n")[0].replace("\n", " ")
    assert "the header of the email is over 256 kB" in said
    assert "Write a new mail with nothing but the note in it." in said


def test_a_note_of_another_seat_is_answered_to_that_one(office: Open) -> None:
    at = office("keeping")
    note = at.note("ben", "keep library", sealed=True)
    done = at.take(at.mail("ana", note), "--answers-only")
    assert (done.code, at.kinds()) == (0, ["ana refusal", "ben refusal"])
    (said,) = at.texts("ana refusal")
    assert said.startswith(
        "There is a note of ben's in your mail. It goes by its signature: ben is\ntold of it.\n\n"
    )
    (said,) = at.texts("ben refusal")
    assert "Your sealed note was refused: not understood." in said
    # Beside it a note of her own.
    both = at.note("ben", sealed=True) + at.note("ana", sealed=True)
    assert at.take(at.mail("ana", both), "--answers-only").code == 0
    (said,) = at.texts("ana answer")
    assert "There is a note of ben's" in said
    assert "Your sealed note: applied" in said
    assert "Your sealed note: a" in at.texts("ben answer")[0]


def test_a_note_of_a_seat_without_an_address(office: Open) -> None:
    at = office("keeping", BOOK.replace('ben = ["ben@example.org", "ben@work.example.org"]\n', ""))
    assert at.take(at.mail("ana", at.note("ben", sealed=True)), "--answers-only").code == 0
    (said,) = at.texts("ana refusal")
    assert "ben, who has no address here, is not told of it" in said.replace("\n", " ")


@pytest.mark.parametrize(
    "sender", ["", "ana@example.org, ben@example.org", "table@example.org", "ana <>", '"x"@y z']
)
def test_nobody_in_particular_gets_no_answer(office: Open, sender: str) -> None:
    at = office("dealt")
    done = at.take(at.mail("ana", "Hello\n", From=sender), "--answers-only")
    assert (done.code, at.kinds()) == (0, [])
    assert done.err


def test_a_second_address_of_a_seat_is_answered_and_the_first_asked(office: Open) -> None:
    at = office("keeping")
    note = at.note("ben", sealed=True)
    done = at.take(at.mail("ben", note, From="BEN@work.example.org"))
    assert done.code == 0
    to = {name.split(".")[0]: mail["To"] for name, mail in at.mails().items()}
    assert to == {"ben-answer": "ben@work.example.org", "ana-prompt": "ana@example.org"}


def test_the_same_message_twice_is_answered_once(office: Open) -> None:
    at = office("building")
    mail = at.mail("ana", at.note("ana"))
    at.take(mail)
    there = at.kinds()
    # The copy that came by a list has a footer, and other fields.
    again = b"List-Id: <games.example.org>\n" + mail + b"\n-- \nour list\n"
    done = at.take(again)
    assert (done.code, at.kinds()) == (0, there)
    assert "answered before" in done.err


def test_the_same_note_in_another_message_is_answered_again(office: Open) -> None:
    at = office("building")
    note = at.note("ana")
    at.take(at.mail("ana", note))
    at.take(at.mail("ana", note))
    (text,) = at.texts("ana refusal")
    assert "already applied. It counts" in text


def test_messages_in_any_order_give_the_same(office: Open) -> None:
    at = office("keeping")
    mails = [at.mail(seat, at.note(seat, sealed=True)) for seat in ("ana", "ben")]
    assert [at.take(mail).code for mail in reversed(mails)] == [0, 0]
    assert at.file.step == 7
    assert "accepted; waiting for ana (keep)." in at.texts("ben answer")[0]


def test_a_sealed_note_is_not_echoed(office: Open) -> None:
    at = office("keeping")
    play = at.view("ben").suggest()
    at.take(at.mail("ben", at.note("ben", play, sealed=True)))
    (text,) = at.texts("ben answer")
    assert text.startswith("Your sealed note: accepted; waiting for ana (keep).\n")
    assert play not in text
    bad = at.note("ana", "keep library keep", sealed=True)
    at.take(at.mail("ana", bad))
    (text,) = at.texts("ana refusal")
    first = text.partition("\n\n")[0]
    assert first.startswith("Your sealed note was refused: not understood.\n")
    assert "keep" not in first


def test_a_wrong_seat_and_a_wrong_key_are_told_apart(office: Open) -> None:
    at = office("dealt")
    head = "From: ben@example.org\nMessage-ID: <9@x.example.org>\n\n"
    at.take((head + at.note("ana").replace("role.ana", "role.ben")).encode())
    (text,) = at.texts("ben refusal")
    assert "signature or key wrong" in text or "not this seat's" in text


def test_an_outbox_that_cannot_be_written_means_try_again(office: Open) -> None:
    at = office("building")
    Path("mails").write_text("in the way")
    mail = at.mail("ana", at.note("ana"))
    done = at.take(mail)
    assert done.code == 75
    assert "cannot write" in done.err
    # Her note has been applied; what is owed are the mails.
    Path("mails").unlink()
    done = at.take(mail)
    assert done.code == 0
    assert at.kinds() == ["ana answer", "ben prompt"]
    assert "already applied. It counts" in at.texts("ana answer")[0]


@pytest.mark.parametrize("moment", ["before the answer", "before it is remembered"])
def test_killed_between_apply_and_answer(
    office: Open, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    at = office("building")
    mail = at.mail("ana", at.note("ana"))
    with monkeypatch.context() as patch:

        def stop(*_: object, **__: object) -> None:
            raise KeyboardInterrupt

        if moment == "before the answer":
            patch.setattr(mailer, "put", stop)
        else:
            patch.setattr(Journal, "record", stop)
        assert at.take(mail).code == 130
    assert at.file.step == 3
    assert at.take(mail).code == 0
    assert {"ana answer", "ben prompt"} <= set(at.kinds())


def test_killed_by_the_program_that_sends(office: Open) -> None:
    at = office("building")
    mail = at.mail("ana", at.note("ana"))
    Path("kill").write_text("#!/bin/sh\nkill -9 $PPID\n")
    Path("kill").chmod(0o755)
    words = ("mail", "in", "game.toml", *HOST, "--now", NOW, "--pipe", "./kill")
    done = subprocess.run(
        [sys.executable, "-m", "referee", *words], input=mail, capture_output=True, check=False
    )
    assert done.returncode == -9
    assert at.file.step == 3
    assert at.take(mail).code == 0
    assert at.kinds() == ["ana answer", "ben prompt"]
    assert at.take(mail).code == 0
    assert at.kinds() == ["ana answer", "ben prompt"]


def test_mails_go_to_a_directory_beside_the_book_from_wherever_we_run(
    office: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = office("building")
    mail = at.mail("ana", at.note("ana"))
    monkeypatch.chdir("/")
    words = (str(at.folder / "game.toml"), "--referee-key", str(at.folder / "referee.key"))
    assert run("mail", "in", *words, "--now", NOW, given=mail).code == 0
    assert at.kinds() == ["ana answer", "ben prompt"]


@pytest.mark.parametrize(
    "spoil",
    [
        lambda: Path("referee.key").unlink(),
        lambda: Path("game.toml").unlink(),
        lambda: Path("game.toml").write_text("#:schema game.schema.json\n"),
        lambda: Path("addresses.toml").unlink(),
        lambda: Path("addresses.toml").write_text("[seats]\n"),
        lambda: Path("game.toml").write_bytes(Path("older.toml").read_bytes()),
    ],
    ids=["key", "game", "damaged", "book", "bad book", "older"],
)
def test_what_is_wrong_here_is_not_the_senders_fault(office: Open, spoil: object) -> None:
    at = office("keeping")
    mail = at.mail("ben", at.note("ben"))
    assert callable(spoil)
    spoil()
    done = at.take(mail)
    assert (done.code, at.kinds()) == (75, [])
    assert done.err.startswith("error: ")


def test_usage_is_usage(office: Open) -> None:
    office("dealt")
    for words in (
        [],
        ["game.toml", "--games", "."],
        ["game.toml", "--mbox", "a", "--maildir", "b"],
    ):
        assert run("mail", "in", *words).code == 2
    assert run("mail", "in", "--games", ".", "--ledger", "x").code == 2
    assert run("mail", "out", "game.toml", "--eml", "a", "--pipe", "b").code == 2


def another_game(at: Office) -> str:
    """Lay another game, at which ana sits, into a folder of its own; its id."""
    table = Table(2, "another").join_all()
    (at.folder / "two").mkdir()
    (at.folder / "two" / "game.toml").write_text(table.text)
    return table.file.game


def test_a_pipe_that_is_called_like_a_game(office: Open) -> None:
    """Nobody writes to it, so that reading it would take for ever."""
    at = office("keeping")
    os.mkfifo("friday.toml")
    Path("saturday.toml").symlink_to("friday.toml")
    words = ("mail", "in", "--games", ".", *HOST, "--now", NOW)
    assert run(*words, given=at.mail("ana", at.note("ana"))).code == 0
    assert len(at.file.pending) == 1


def test_a_copy_of_what_has_counted(office: Open) -> None:
    """Its seat has another key by now, but nobody reads that the note is refused."""
    at = office("building")
    note = at.note("ana")
    assert at.take(at.mail("ana", note)).code == 0
    pair = (KEYS["ana"], key_of("eve"))
    moved = [player.sign_transfer(at.file, "ana", key, pair[1].public).armoured for key in pair]
    assert at.take(at.mail("ana", "\n\n".join(moved))).code == 0
    done = at.take(letter("ana@example.org", note, 77))
    assert "has counted already" in done.err
    assert "refused" not in done.err
    (said,) = at.texts("ana refusal")
    assert said.startswith("Your note: already applied. It counts, and nothing has changed.\n")


def rewritten(text: str) -> list[str]:
    """Other files that say the same, as editors and email leave them."""
    return [
        f"\ufeff{text}",
        text.replace("\n", "\r\n"),
        f"{text}\n\n",
    ]


@pytest.mark.parametrize("number", range(3))
def test_a_game_is_found_however_its_file_is_laid_out(office: Open, number: int) -> None:
    """Whatever `show` reads is a game that mail may be about."""
    at = office("dealt")
    note = at.mail("ana", at.note("ana"))
    text = rewritten(Path("game.toml").read_text())[number]
    Path("game.toml").write_bytes(text.encode())
    assert run("show", "game.toml", "--key", "ana.key").code == 0
    words = ("--games", ".", "--now", NOW)
    assert run("mail", "out", *words).code == 0
    assert at.kinds() == ["ana prompt"]
    done = run("mail", "in", *words, *HOST, given=note)
    assert (done.code, at.file.step) == (0, 2), done.err
    # Nor is it a note, or something else that is damaged.
    (found,) = find_in_bytes(text.encode())
    assert found.error is not None
    assert found.error.message == "this is a game file, not a note"


def test_two_games_in_one_directory(office: Open) -> None:
    at = office("dealt")
    game = another_game(at)
    before = Path("two/game.toml").read_bytes()
    words = ("mail", "in", "--games", ".", *HOST, "--now", NOW, "--answers-only")
    done = run(*words, given=at.mail("ana", at.note("ana")))
    assert "1.1.role.ana: applied as step 2" in done.out, done.err
    assert Path("two/game.toml").read_bytes() == before
    # What says no game is about the one in whose thread it is.
    reply = at.mail("ana", "Hello\n", References=f"<{game}.ana@example.org>")
    assert run(*words, given=reply).code == 0
    written = names("mails")
    assert [name[:8] for name in written] == sorted([at.file.game[:8], game[:8]])
    # Mails that are due are those of all games, each once.
    done = run("mail", "out", "--games", ".", "--now", NOW)
    assert done.code == 0
    assert run("mail", "out", "--games", ".", "--now", NOW).out == ""


@pytest.mark.parametrize("linked", [False, True])
def test_games_lie_as_deep_as_for_every_other_command(office: Open, linked: bool) -> None:
    """Hidden files and what the referee remembers are no games; a link leads on once."""
    at = office("dealt")
    note, game, book = at.note("ana"), Path("game.toml"), Path("addresses.toml")
    deep = Path("far/on" if linked else "2026/autumn/friday")
    deep.mkdir(parents=True)
    for path in (game, book):
        path.rename(deep / path.name)
    Path("previous.toml").unlink()
    Path("2026").mkdir(exist_ok=True)
    if linked:
        Path("2026/autumn").symlink_to(Path("far").absolute())
    for hidden in ("2026/.hidden/game.toml", "2026/x.ledger.newest.toml", "2026/cur/game.toml"):
        Path(hidden).parent.mkdir(exist_ok=True)
        Path(hidden).write_text("#:schema game.schema.json\n")
    Path("2026/new").mkdir()
    words = ("--games", "2026", "--now", NOW)
    done = run("mail", "in", *words, *HOST, given=at.mail("ana", note))
    assert "1.1.role.ana: applied as step 2" in done.out, done.err
    assert run("mail", "out", *words).code == 0
    if not linked:
        assert f"{deep / 'game.toml'}: " in run("due", *words).out


def test_a_sealed_note_finds_its_game(office: Open) -> None:
    at = office("keeping")
    another_game(at)
    mail = at.mail("ben", at.note("ben", sealed=True))
    done = run("mail", "in", "--games", ".", *HOST, "--now", NOW, given=mail)
    assert "1.2.keep.ben: accepted; waiting for 1.2.keep.ana" in done.out, done.err


def test_a_game_that_is_damaged_does_not_stop_the_other(office: Open) -> None:
    at = office("dealt")
    another_game(at)
    note = at.note("ana")
    text = Path("two/game.toml").read_text()
    Path("two/game.toml").write_text(text.replace('title = "A test"', 'title = "B test"'))
    words = ("mail", "in", "--games", ".", *HOST, "--now", NOW)
    done = run(*words, given=at.mail("ana", note))
    assert (done.code, at.file.step) == (0, 2), done.err
    done = run("mail", "out", "--games", ".", "--now", NOW)
    assert done.code == 15
    assert "two/game.toml" in done.err
    # What cannot be read at all may be the game that a message is about.
    Path("two/game.toml").write_text("#:schema game.schema.json\n")
    assert run(*words, given=at.mail("zoe", "Hello\n")).code == 75
    assert run(*words, given=at.mail("ana", "Hello\n")).code == 0
    Path("two/game.toml").unlink()
    Path("game.toml").unlink()
    assert run(*words, given=at.mail("ana", "Hello\n")).code == 75


def test_a_note_of_no_game_here_is_said_to_be_one(office: Open) -> None:
    at = office("dealt")
    note = Table(2, "far away").join_all().note("1.1.role.ana", "role builder")
    done = run("mail", "in", "--games", ".", *HOST, "--now", NOW, given=at.mail("ana", note))
    assert done.code == 0
    assert "this note is for game" in at.texts("ana refusal")[0]
    another_game(at)
    mail = at.mail("zoe", note)
    done = run("mail", "in", "--games", ".", *HOST, "--now", NOW, given=mail)
    assert done.code == 0
    assert "about no game here, and from zoe@example.org" in done.err


def test_an_mbox_is_read_whole_and_its_order_does_not_matter(office: Open) -> None:
    at = office("keeping")
    mails = [at.mail(seat, at.note(seat, sealed=True)) for seat in ("ben", "ana")]
    broken = b"From: \xff\xfe\nContent-Type: multipart/mixed; boundary=\n\n--\n"
    lines = [b"From somebody Sat Nov 28 09:00:00 2026\n" + one + b"\n" for one in mails]
    lines.insert(1, b"From x Sat Nov 28 09:00:00 2026\n" + broken + b"\n")
    Path("box").write_bytes(b"".join(lines))
    done = run("mail", "in", "game.toml", "--mbox", "box", *HOST, "--now", NOW)
    assert done.code == 0, done.err
    assert at.file.step == 7
    assert {"ana answer", "ben answer"} <= set(at.kinds())
    there = at.kinds()
    assert run("mail", "in", "game.toml", "--mbox", "box", *HOST, "--now", NOW).code == 0
    assert at.kinds() == there


def test_a_maildir_is_read_and_marked(office: Open) -> None:
    at = office("building")
    for name in ("new", "cur", "tmp"):
        (at.folder / "box" / name).mkdir(parents=True)
    Path("box/new/1.a.host").write_bytes(at.mail("ana", at.note("ana")))
    Path("box/new/2.b.host").write_bytes(b"\x00\xff")
    words = ("mail", "in", "game.toml", "--maildir", "box", *HOST, "--now", NOW)
    Path("mails").write_text("in the way")
    assert run(*words).code == 75
    assert "1.a.host" in names("box/new")
    Path("mails").unlink()
    assert run(*words).code == 0
    assert names("box/cur") == ["1.a.host:2,S", "2.b.host:2,S"]
    assert names("box/new") == []
    assert "ben prompt" in at.kinds()


def test_answers_go_into_a_maildir_or_a_command(office: Open) -> None:
    at = office("building", BOOK.replace('eml = "mails"', 'maildir = "out"'))
    assert at.take(at.mail("ana", at.note("ana"))).code == 0
    assert len(names("out/new")) == 2
    at.take(at.mail("ben", "Hello\n"), "--pipe", "tee piped")
    assert "There was no note in your mail." in Path("piped").read_text()
    done = at.take(at.mail("ben", "Hello!\n"), "--pipe", "false")
    assert done.code == 75
    assert "the command `false` failed (exit code 1)" in done.err


def test_what_never_ends_is_not_answered_for_ever(office: Open) -> None:
    at = office("dealt")
    for _ in range(12):
        done = at.take(at.mail("ana", "I am away until Monday.\n"))
        assert done.code == 0
    assert len(at.kinds()) == 10
    assert "not answered: ana was told what is wrong" in done.err
    at.take(at.mail("ana", "I am away.\n"), now="2026-11-29T10:00:00Z")
    assert len(at.kinds()) == 11


def test_that_a_note_counts_is_said_whatever_went_wrong_before(
    office: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The confirmation of a note is no fruitless mail; said a second time it is one."""
    at = office("dealt")
    for _ in range(10):
        at.take(at.mail("ana", "I am away until Monday.\n"))
    mail = at.mail("ana", at.note("ana"))
    with monkeypatch.context() as patch:

        def stop(*_: object, **__: object) -> None:
            raise KeyboardInterrupt

        patch.setattr(mailer, "put", stop)
        assert at.take(mail).code == 130
    note = mail.partition(b"\n\n")[2].decode()
    assert at.take(mail).code == 0
    (text,) = at.texts("ana answer")
    assert "already applied. It counts" in text
    there = at.kinds()
    done = at.take(at.mail("ana", note))
    assert "not answered: ana was told what is wrong" in done.err
    assert at.kinds() == there


def test_an_answer_elsewhere_is_not_the_question(office: Open) -> None:
    """A seat whose note came in an email of another has not been asked by the answer to that."""
    at = office("dealt")
    for number in range(1, 9):
        (asked,) = {one.seat for one in at.file.asked}
        sender = "ben@work.example.org" if asked == "ana" else "ben@example.org"
        before = set(at.mails())
        assert at.take(letter(sender, at.note(asked), number)).code == 0
        new = [mail["To"] for name, mail in at.mails().items() if name not in before]
        if asked == "ana" and "ben" in [one.seat for one in at.file.asked]:
            assert sorted(new) == ["ana@example.org", "ben@example.org", "ben@work.example.org"]
            return
    raise AssertionError


def test_programs_get_it_as_json(office: Open) -> None:
    import json

    at = office("building")
    done = at.take(at.mail("ana", at.note("ana")), "--json")
    found = json.loads(done.out)
    assert found["exit"] == 0
    assert found["messages"][0]["sender"] == "ana@example.org"
    assert found["messages"][0]["notes"][0]["result"] == "applied as step 3"
    assert [one["kind"] for one in found["mails"]] == ["answer", "prompt"]
    Path("addresses.toml").unlink()
    done = at.take(at.mail("ana", "x"), "--json")
    assert json.loads(done.out)["exit"] == done.code == 75


PUSHED = BOOK.replace('eml = "mails"', "pipe = \"sh -c 'touch pushed; cat >/dev/null'\"")


def clone(folder: str) -> Path:
    """A folder that git calls its own, with an address book that somebody has pushed."""
    at = Path(folder)
    (at / ".git").mkdir(parents=True)
    (at / "addresses.toml").write_text(PUSHED)
    return at


def test_no_address_book_in_a_clone_is_obeyed(office: Open) -> None:
    at = office("dealt")
    Path("game.toml").rename(clone("t1") / "game.toml")
    for other in set(Path().glob("*.toml")) - {Path("addresses.toml")}:
        other.unlink()
    done = run("mail", "out", "--games", ".", "--now", NOW)
    assert (done.code, at.kinds()) == (0, ["ana prompt"]), done.err
    Path("addresses.toml").rename("mine.toml")
    for words in (["--games", "."], ["t1/game.toml"]):
        done = run("mail", "out", *words, "--now", NOW)
        assert done.code == 16
        assert "t1/addresses.toml lies in a git clone" in done.err
        assert "--addresses" in done.err
    assert not Path("pushed").exists()
    done = run("mail", "out", "t1/game.toml", "--addresses", "mine.toml", "--now", NOW)
    assert done.code == 0, done.err


@pytest.mark.parametrize("what", ["a junk file", "a link", "a copy"])
def test_nobody_puts_another_file_in_the_place_of_a_game(office: Open, what: str) -> None:
    at = office("dealt")
    folder, game = clone("t1"), Path("game.toml")
    match what:
        case "a junk file":
            id_ = f'[game]\nid = "{at.file.game}"\n'
            Path("junk.toml").write_text(f'format = "sanjuan-ref/1"\nstep = 999999\n{id_}')
        case "a link":
            (folder / "a.toml").symlink_to("../game.toml")
        case "a copy":
            (folder / "a.toml").write_bytes(game.read_bytes())
    step = at.file.step
    seat = at.file.asked[0].seat
    words = ("mail", "in", "--games", ".", *HOST, "--now", NOW)
    done = run(*words, given=at.mail(seat, at.note(seat)))
    assert at.file.step == step + 1, done.err
    assert not Path("pushed").exists()


def test_a_mail_with_the_note_of_another_says_so_and_whether_that_one_was_told(
    office: Open,
) -> None:
    at = office("dealt")
    note = at.note("ana", "role builder")
    at.take(at.mail("ben", note), "--answers-only")
    at.take(at.mail("ben", note, Message_ID="<second@x>"), "--answers-only")
    mails = [mail for name, mail in at.mails().items() if name.startswith("ben")]
    assert {mail["Subject"].partition(":")[2].partition(":")[0] for mail in mails} == {
        " Not your note"
    }
    said = sorted(" ".join(text_of(mail).partition("\n\n")[0].split()) for mail in mails)
    assert [text.rpartition(": ")[2] for text in said] == [
        "ana is not told of it again.",
        "ana is told of it.",
    ]
