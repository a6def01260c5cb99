"""Whom nobody answers: machines, ourselves, and bounces, each with a note that it quotes."""

from __future__ import annotations

import mailbox
from pathlib import Path

import pytest

from referee.mail.incoming import Incoming
from tests.mail.conftest import Open
from tests.mail.office import HOST, NOW, Done, Office, run

REPORT = 'multipart/report; report-type=delivery-status; boundary="b"'
MACHINES = {
    "vacation": {"Auto-Submitted": "auto-replied"},
    "vacation with a comment": {"Auto-Submitted": "auto-replied; owner-email=ana@example.org"},
    "cron": {"Auto-Submitted": "auto-generated"},
    "notified": {"Auto-Submitted": "Auto-Notified"},
    "bulk": {"Precedence": "bulk"},
    "junk": {"Precedence": " Junk"},
    "old vacation": {"Precedence": "auto_reply"},
    "null path": {"Return-Path": "<>"},
    "daemon": {"From": "MAILER-DAEMON@mx.example.org (Mail Delivery System)"},
    "daemon by name": {"From": "Mail Delivery Subsystem <mailer-daemon@example.org>"},
    "daemon without address": {"From": "MAILER-DAEMON (Mail Delivery System)"},
    "path of a daemon": {"Return-Path": "<MAILER-DAEMON@mx.example.org>"},
    "bounce": {"Content-Type": REPORT},
    "delivery status": {"Content-Type": "message/delivery-status"},
    "read receipt": {"Content-Type": "message/disposition-notification"},
    "bounce of exim": {"X-Failed-Recipients": "table@example.org"},
    "autoreply": {"X-Autoreply": "yes"},
    "autorespond": {"X-Autorespond": "away"},
}
PEOPLE = {
    "plain": {},
    "says no": {"Auto-Submitted": "no"},
    "says no with a comment": {"Auto-Submitted": "no; a person"},
    "list": {"Precedence": "list", "List-Id": "<games.example.org>"},
    "path": {"Return-Path": "<ana@example.org>"},
    "first class": {"Precedence": "first-class"},
    "exchange": {"X-Auto-Response-Suppress": "DR, OOF, AutoReply"},
    "exchange, all": {"X-Auto-Response-Suppress": "All"},
}


@pytest.mark.parametrize("fields", MACHINES.values(), ids=list(MACHINES))
def test_a_machine_is_not_answered_though_its_note_counts(
    office: Open, fields: dict[str, str]
) -> None:
    at = office("dealt")
    body = "I am away. You wrote:\n\n> " + at.note("ana", "role builder").replace("\n", "\n> ")
    if "multipart" in fields.get("Content-Type", ""):
        body = f"--b\n\n{body}\n--b--\n"
    done = at.take(at.mail("ana", body, **fields), "--answers-only")
    assert (done.code, at.kinds()) == (0, [])
    assert "not answered: " in done.err
    # Whoever carried it: the signature is ana's.
    assert at.file.step == 2


@pytest.mark.parametrize("fields", PEOPLE.values(), ids=list(PEOPLE))
def test_people_are_answered(office: Open, fields: dict[str, str]) -> None:
    at = office("dealt")
    done = at.take(at.mail("ana", "Hello\n", **fields), "--answers-only")
    assert (done.code, at.kinds()) == (0, ["ana refusal"]), done.err


@pytest.mark.parametrize(
    "line", ["From MAILER-DAEMON Sat Nov 28 09:00:00 2026", "From <> Sat Nov 28 09:00:00 2026"]
)
def test_the_envelope_sender_of_a_pipe_counts(office: Open, line: str) -> None:
    at = office("dealt")
    at.take(f"{line}\n".encode() + at.mail("ana", "Hello\n"), "--answers-only")
    assert at.kinds() == []
    at.take(b"From ana@example.org Sat Nov 28 09:00:00 2026\n" + at.mail("ana", "Hello\n"))
    assert at.kinds() == ["ana refusal"]


def take_mbox(at: Office, *mails: bytes) -> Done:
    """Read messages of an mbox as Python's `mailbox` writes it: that makes up a daemon."""
    box = mailbox.mbox("box")
    for one in mails:
        box.add(one)
    box.close()
    assert Path("box").read_bytes().startswith(b"From MAILER-DAEMON ")
    done = run("mail", "in", "game.toml", "--mbox", "box", "--answers-only", *HOST, "--now", NOW)
    Path("box").unlink()
    assert done.code == 0, done.err
    return done


def test_the_line_before_a_message_of_an_mbox_says_nothing_of_its_sender(office: Open) -> None:
    at = office("dealt")
    take_mbox(at, at.mail("ben", "Hello\n"), at.mail("ana", at.note("ana", "role builder")))
    assert at.kinds() == ["ana answer", "ben refusal"]


@pytest.mark.parametrize(
    "fields", [*MACHINES.values(), {"From": "", "Subject": "undelivered"}], ids=[*MACHINES, "bare"]
)
def test_a_machine_in_an_mbox_is_not_answered(office: Open, fields: dict[str, str]) -> None:
    at = office("dealt")
    done = take_mbox(at, at.mail("ana", at.note("ana", "role builder"), **fields))
    assert at.kinds() == []
    assert "not answered: " in done.err


def test_our_own_mails_are_left_alone(office: Open) -> None:
    at = office("building")
    at.take(at.mail("ana", at.note("ana")))
    there = at.kinds()
    for mail in at.mails().values():
        done = at.take(mail.as_bytes())
        assert (done.code, at.kinds()) == (0, there)
        assert "one of our own emails" in done.err
    done = at.take(at.mail("ben", "Hello\n", From="Table <table@example.org>"))
    assert (done.code, at.kinds()) == (0, there)
    assert "our own name" in done.err
    # Sent on from the address of the table, a note counts, and its author is told.
    note = at.mail("ben", at.note("ben"), From="Table <table@example.org>")
    done = at.take(note, "--answers-only")
    assert (done.code, at.kinds()) == (0, sorted([*there, "ben answer"]))
    assert at.file.step == 4


@pytest.mark.parametrize(
    ("field", "id_"),
    [
        ("<a.b-c+d$1@mua.example.org>", "<a.b-c+d$1@mua.example.org>"),
        (" <a@b> ", "<a@b>"),
        ("a@b", ""),
        ("<a@b", ""),
        ("<a b@c>", ""),
        ("<a@b> <c@d>", ""),
        ("<=?utf-8?q?=0d=0aBcc:_x?=@b>", ""),
        (f"<{'a' * 300}@b>", ""),
        ("<é@b>", ""),
        ("", ""),
    ],
)
def test_only_a_proper_message_id_is_repeated(field: str, id_: str) -> None:
    head = f"From: ana@example.org\nMessage-ID: {field}\n\n\n"
    assert Incoming("x", head.encode()).id == id_


@pytest.mark.parametrize(
    ("field", "sender"),
    [
        ("ana@example.org", "ana@example.org"),
        ("Ana <ANA@Example.Org>", "ana@example.org"),
        ('"ben@example.org" <ana@example.org>', "ana@example.org"),
        ("=?utf-8?q?ben=40example=2Eorg?= <ana@example.org>", "ana@example.org"),
        ("=?utf-8?q?ana=40example=2Eorg?=", ""),
        ("ana@example.org, ben@example.org", ""),
        ("ana@example.org\nFrom: ben@example.org", ""),
        ("Ana <ana@example.org", "ana@example.org"),
        ("ana", ""),
        ("<>", ""),
        ("ana@example.org (ben@example.org, (you) \\) <)", "ana@example.org"),
        ('"ben@example.org, \\" <x>" <ana@example.org>', "ana@example.org"),
        ("players: ana@example.org;", "ana@example.org"),
        ("players: ana@example.org, ben@example.org;", ""),
        ("<@x.example.org,@y.example.org:ana@example.org>", ""),
        ('"ana"@example.org', ""),
        ("ana(a)@example.org", "ana@example.org"),
        (" , ana@example.org, ", "ana@example.org"),
        ("(ana@example.org", ""),
    ],
)
def test_the_sender_is_one_plain_address(field: str, sender: str) -> None:
    assert Incoming("x", f"From: {field}\nTo: x@y\n\nhello\n".encode()).sender == sender


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x00",
        b"\xff\xfe",
        b"From ",
        b"From: \n",
        b"\n\n",
        b":",
        b"From:" + b"<" * 9999,
        *(b"From:" + char * 16_000 for char in (b"(", b":", b"<", b"[", b'"', b"\\", b",", b";")),
    ],
)
def test_anything_is_a_message(data: bytes) -> None:
    mail = Incoming("x", data)
    assert (mail.sender, mail.id, mail.own) == ("", "", False)
    assert mail.found
