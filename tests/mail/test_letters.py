"""Outgoing emails: threads, and nothing that is a note, or that somebody else wrote."""

from __future__ import annotations

import re
from email import message_from_bytes
from email.policy import default
from pathlib import Path

import pytest

from referee.games import rules_of
from referee.mail.incoming import Incoming, is_nothing
from referee.mail.letters import Letter, Thread
from referee.mail.pages import title_of
from referee.notes.finding import find_in_bytes
from referee.notes.forms import A_TITLE
from referee.table import times
from referee.table.gamefile import GameFile
from tests.cli.world import story
from tests.mail.conftest import Open
from tests.mail.office import BOOK, HOST, NOW, attached, letter, run, text_of
from tests.table.tables import load

NASTY = (
    "x\r\nBcc: zoe@example.org",
    "x\nX: y\n\nbody",
    "=?utf-8?q?x=0d=0aBcc:_zoe=40example.org?=",
    "\u2028\u2029\x85\x0b\x0c\x1c",
    "a" * A_TITLE.most,
    "ä" * A_TITLE.most,
    "日" * A_TITLE.most,
    "sanjuan-ref/1 move",
    "\uff53anjuan-ref/1 move",
    "-----BEGIN AGE ENCRYPTED FILE-----",
    "We - BEGIN  AGE ENCRYPTED FILE - now",
    "\u202egnirts",
    "",
)


def titled(title: str) -> GameFile:
    file = load(story().texts[0])
    file.title = title
    return file


def written() -> list[bytes]:
    """All mails as they were written."""
    return [path.read_bytes() for path in sorted(Path("mails").glob("*.eml"))]


@pytest.mark.parametrize("title", NASTY)
def test_a_title_writes_no_header_and_no_note(office: Open, title: str) -> None:
    office("open")
    rules = rules_of("sanjuan").choose(None, [], [], {})
    said = title_of(titled(title), rules)
    thread = Thread("0" * 16, "ana", said, "table@example.org")
    letter = Letter(
        thread, "p.1", "ana@example.org", times.parse_time("2026-11-28T09:00:00Z"), "", b"", "g"
    )
    text = letter.text
    assert text.isascii()
    mail = message_from_bytes(text.encode(), policy=default)
    assert "Bcc" not in mail
    assert "X" not in mail
    assert mail["To"] == "ana@example.org"
    assert mail["Subject"].strip() == f"{said} (ana, 00000000)"
    assert text.count("\nSubject:") == 1
    assert all(len(word) <= 75 for word in re.findall(r"=\?\S+\?=", text))
    if title.isprintable():
        seats = ("--seat", "ana", "--seat", "ben")
        assert run("new", "titled.toml", *seats, "--title", title, *HOST).code == 0
        assert run("mail", "out", "titled.toml", "--now", NOW).code == 0
        assert len(written()) == 2
        for data in written():
            assert [is_nothing(one) for one in find_in_bytes(data)] == [True]


def test_all_mails_of_a_seat_are_one_thread(office: Open) -> None:
    at = office("open")
    at.send()
    at.take(at.mail("ana", "Hello\n"))
    at.send("--again", "ana")
    at.send("--again", "ana")
    at.send("--again", "ben")
    game = at.file.game
    root = f"<{game}.ana@example.org>"
    ana = [mail for name, mail in at.mails().items() if name.startswith("ana-")]
    assert len(ana) == 4
    assert all(mail["References"].split()[0] == root for mail in ana)
    # An inbox says what each is about; what follows is the same.
    assert [mail["Subject"] for mail in ana] == [
        f"{about}: A test (ana, {game[:8]})"
        for about in ("Invitation", "Invitation", "Invitation", "Re: Not accepted")
    ]
    ids = [mail["Message-ID"] for mail in at.mails().values()]
    assert len(set(ids)) == len(ids)
    assert all(
        re.fullmatch(rf"<{game}\.[a-z]+\.[a-z]+\.0[0-9a-f-]*@example\.org>", id_) for id_ in ids
    )
    for name, mail in at.mails().items():
        assert mail["Auto-Submitted"] == ("auto-replied" if "refusal" in name else "auto-generated")
        assert mail["X-Sanjuan-Ref"] == game
        assert mail["From"] == "San Juan referee <table@example.org>"
        assert mail["Reply-To"] == "table@example.org"
        assert mail["Date"] == "Sat, 28 Nov 2026 09:00:00 +0000"
        assert len(mail.get_all("To", [])) == 1


def test_an_answer_to_the_address_of_a_game_finds_it(office: Open) -> None:
    at = office("dealt", BOOK.replace("[seats]", "plus = true\n[seats]"))
    at.send()
    mail = at.mails()["ana-prompt.1"]
    assert mail["From"] == "San Juan referee <table@example.org>"
    assert mail["Reply-To"] == f"table+{at.file.game}@example.org"
    # No thread and no sender that anybody knows.
    note = letter("zoe@example.org", at.note("ana"), To=mail["Reply-To"])
    assert Incoming("", note).games == [at.file.game]


def test_the_longest_identifiers_stay_whole(office: Open) -> None:
    at = office("dealt")
    id_ = f"<{'a' * 199}@{'b' * 196}.org>"
    at.take(at.mail("ana", "Hello\n", Message_ID=id_))
    (data,) = Path("mails").glob("*.eml")
    text = data.read_text("ascii")
    assert f"\nIn-Reply-To: {id_}\n" in text
    assert f" {id_}\n" in text.partition("\nReferences: ")[2]
    assert max(map(len, text.splitlines())) < 998
    assert max(len(line) for line in text.splitlines() if id_ not in line) < 100


def quoted(text: str, mark: str = "> ") -> str:
    return "".join([f"{mark}{line}\n" for line in text.splitlines()])


@pytest.mark.parametrize("state", ["dealt", "building", "keeping", "selling", "tidying", "xanadu"])
def test_a_reply_that_quotes_us_holds_the_new_note_alone(office: Open, state: str) -> None:
    at = office(state)
    seat = at.file.asked[0].seat
    at.send()
    at.take(at.mail(seat, at.note(seat, "pass now")))
    at.take(at.mail(seat, at.note(seat, "pass now", sealed=True)))
    at.take(at.mail(seat, "sanjuan-ref/1 move\ngame 1\n"))
    note = at.note(seat)
    at.take(at.mail(seat, note))
    assert len(written()) >= 4
    for data in written():
        assert [is_nothing(one) for one in find_in_bytes(data)] == [True]
        text = text_of(message_from_bytes(data, policy=default))
        for mark in ("> ", ">", "| ", "", ">> "):
            assert all(is_nothing(one) for one in find_in_bytes(quoted(text, mark).encode()))
            for body in (note + "\n" + quoted(text, mark), quoted(text, mark) + "\n" + note):
                (found,) = find_in_bytes(at.mail(seat, body))
                assert found.signed is not None, (mark, body)
                assert found.signed.text in note
        # Forwarded as a whole, with the game file that is attached.
        whole = b"From: a@b\nContent-Type: message/rfc822\n\n" + data
        assert [is_nothing(one) for one in find_in_bytes(whole)] == [True]


def test_the_game_file_goes_out_byte_for_byte(office: Open) -> None:
    at = office("selling")
    at.send()
    for mail in at.mails().values():
        assert attached(mail) == Path("game.toml").read_bytes()
        (part,) = mail.iter_attachments()
        assert part.get_filename() == f"game-{at.file.game[:8]}-{at.file.step}.toml"


@pytest.mark.parametrize("state", ["building", "keeping", "tidying", "xanadu"])
def test_mails_say_nothing_that_the_public_does_not_know(office: Open, state: str) -> None:
    """The names in hands occur in no text, but for those that lie or were put in the open."""
    at = office(state)
    before = at.file
    at.send()
    for seat in [one.name for one in before.seats]:
        at.take(at.mail(seat, "Hello\n"))
    known = str(before.table) + str([entry.then for entry in before.log]) + str(before.asked)
    secret = {
        card.name
        for seat in ("ana", "ben")
        for card in at.view(seat).hand
        if re.search(rf"\b{card.name}\b", known) is None
    }
    assert secret
    for data in written():
        text = text_of(message_from_bytes(data, policy=default))
        assert [name for name in secret if re.search(rf"\b{name}\b", text)] == []
