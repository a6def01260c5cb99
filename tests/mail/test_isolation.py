"""No message touches another: one on which the program fails is set aside, once and for all."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from referee.crypto import sealing
from referee.crypto.sealing import unseal
from referee.games.errors import GameError
from referee.mail import answers, incoming, pages, setaside
from referee.notes.finding import Found, find_in_bytes
from referee.notes.kinds import Move
from referee.refereeing import commit
from referee.refereeing.judging import Judge, Verdict
from referee.table import times
from tests.mail.conftest import Open
from tests.mail.office import HOST, NOW, Done, names, run
from tests.table.tables import REFEREE


class Panic(BaseException):
    """An exception as a library in Rust raises it."""


ERRORS = [
    *(RecursionError(), MemoryError(), ValueError("x"), Panic("y")),
    UnicodeDecodeError("utf-8", b"\xff", 0, 1, "z"),
]
BAD = "BOOM"


def maildir(*mails: bytes) -> None:
    """A Maildir with these messages, called 0, 1, …"""
    for name in ("new", "cur", "tmp"):
        Path("box", name).mkdir(parents=True, exist_ok=True)
    for number, data in enumerate(mails):
        Path("box/new", str(number)).write_bytes(data)


def mbox(*mails: bytes) -> None:
    Path("mbox").write_bytes(
        b"".join([b"From x Sat Nov 28 09:00:00 2026\n" + one + b"\n\n" for one in mails])
    )


def read(*more: str) -> Done:
    return run("mail", "in", "game.toml", *HOST, "--now", NOW, *more)


def kept() -> list[Path]:
    """The messages that were set aside."""
    return sorted(setaside.place_of(b"").parent.glob("*.eml"))


def fail(monkeypatch: pytest.MonkeyPatch, where: object, name: str, when: Callable[..., bool],
         error: BaseException) -> None:  # fmt: skip
    """Let a function raise when its arguments are such."""
    true = getattr(where, name)

    def failing(*args: object, **more: object) -> object:
        if when(*args):
            raise error
        return true(*args, **more)

    monkeypatch.setattr(where, name, failing)


@pytest.mark.parametrize("char", ["(", ":", "<", '"'])
def test_no_sender_stops_the_mail(office: Open, char: str) -> None:
    at = office("keeping")
    good = at.mail("ben", at.note("ben", sealed=True))
    maildir(at.mail("ana", at.note("ana", sealed=True), From=char * 1200), good)
    done = read("--maildir", "box")
    assert (done.code, at.file.step) == (0, 7), done.err
    assert names("box/new") == []
    assert kept() == []


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_a_message_that_cannot_be_read_is_set_aside(
    office: Open, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    at = office("keeping")
    fail(monkeypatch, incoming, "find_in_bytes", lambda data: BAD.encode() in data, error)
    bad = at.mail("ana", BAD)
    mails = [at.mail(seat, at.note(seat, sealed=True)) for seat in ("ben", "ana")]
    maildir(bad, mails[0])
    mbox(mails[1], bad)
    done = read("--maildir", "box")
    assert done.code == 0, done.err
    assert f"error: box/new/0: this is a bug in sanjuan-ref: {type(error).__name__}" in done.err
    assert len(at.file.pending) == 1
    assert names("box/new") == []
    (path,) = kept()
    assert path.read_bytes() == bad
    assert f"the message is set aside as {path}" in done.err
    # It is said once, also where it lies to be read for ever.
    for said in (1, 0):
        done = read("--mbox", "mbox")
        assert (done.code, at.file.step) == (0, 7)
        assert done.err.count("this is a bug in sanjuan-ref") == said
    # Given on purpose it is tried again.
    with monkeypatch.context() as patch:
        patch.setattr(incoming, "find_in_bytes", find_in_bytes)
        done = at.take(bad)
    assert "there is no note in it" in done.err


def test_a_message_from_a_server_is_kept_too(office: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    at = office("keeping")
    fail(monkeypatch, incoming, "find_in_bytes", lambda _: True, RecursionError())
    done = at.take(at.mail("ana", BAD))
    assert done.code == 0
    assert len(kept()) == 1
    # Where it cannot be kept the server keeps it.
    monkeypatch.setattr(setaside, "MAX_KEPT", 1)
    done = at.take(at.mail("ana", "another"))
    assert done.code == 75
    assert "over 1 messages are set aside in" in done.err
    folder = kept()[0].parent
    kept()[0].unlink()
    folder.rmdir()
    folder.write_text("in the way")
    assert at.take(at.mail("ana", BAD)).code == 75


@pytest.mark.parametrize("alone", [True, False])
def test_a_note_that_cannot_be_judged_is_set_aside(
    office: Open, monkeypatch: pytest.MonkeyPatch, alone: bool
) -> None:
    at = office("keeping")
    mails = [at.mail(seat, at.note(seat, sealed=True)) for seat in ("ana", "ben")]

    def when(judge: Judge, move: Move, _: object) -> bool:
        return move.turn.endswith("ben") and (alone or len(judge._waiting) > 0)

    fail(monkeypatch, Judge, "_move", when, RecursionError())
    maildir(*mails)
    done = read("--maildir", "box")
    assert done.code == 0
    assert "error: box/new/1: this is a bug in sanjuan-ref" in done.err
    assert len(at.file.pending) == 1
    assert at.kinds() == ["ana answer", "ben prompt"]
    assert [path.read_bytes() for path in kept()] == [mails[1]]


def test_a_mistake_about_the_game_leaves_all_messages(
    office: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = office("keeping")
    maildir(at.mail("ana", at.note("ana")), at.mail("ben", "Hello\n"))
    fail(monkeypatch, commit, "apply_notes", lambda *_: True, RecursionError())
    done = read("--maildir", "box")
    assert done.code == 75
    assert "error: game.toml: this is a bug in sanjuan-ref" in done.err
    assert names("box/new") == ["0", "1"]
    assert kept() == []


def test_an_answer_that_cannot_be_written_stops_no_other(
    office: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = office("keeping")
    mails = [at.mail(seat, at.note(seat, sealed=True)) for seat in ("ana", "ben")]
    fail(monkeypatch, answers, "report", lambda _, seat, *more: seat == "ana", UnicodeError())
    maildir(*mails)
    done = read("--maildir", "box")
    assert (done.code, at.file.step) == (0, 7)
    assert "ben answer" in at.kinds()
    assert len(kept()) == 1
    assert names("box/new") == []


def test_a_block_that_cannot_be_opened_stops_no_other(
    office: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = office("keeping")
    mails = [at.mail(seat, at.note(seat, sealed=True)) for seat in ("ana", "ben")]
    block = find_in_bytes(mails[0])[0].sealed

    fail(monkeypatch, sealing, "unseal", lambda text, _: text == block, Panic())
    maildir(*mails)
    done = run("mail", "in", "--games", ".", *HOST, "--now", NOW, "--maildir", "box")
    assert (done.code, len(at.file.pending)) == (0, 1), done.err
    assert len(kept()) == 1


def test_a_prompt_that_cannot_be_written_stops_no_other(
    office: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = office("keeping")
    fail(monkeypatch, pages, "page", lambda file, rules, seat, *_: seat == "ana", RecursionError())
    done = at.send()
    assert (done.code, at.kinds()) == (70, ["ben prompt"])
    assert "this is a bug in sanjuan-ref" in done.err


def test_a_verdict_is_the_same_after_a_rehearsal(office: Open) -> None:
    """A failure is found by doing all of it but the writing."""

    at = office("keeping")
    before = Path("game.toml").read_bytes()
    notes = [("x", one) for one in find_in_bytes(at.note("ana").encode())]
    with commit.open_game(Path("game.toml"), REFEREE) as desk:
        commit.rehearse(desk, notes, times.parse_time(NOW))
    assert Path("game.toml").read_bytes() == before
    with commit.open_game(Path("game.toml"), REFEREE) as desk:
        verdicts: list[Verdict] = commit.apply_notes(desk, notes, times.parse_time(NOW))
    assert [one.error for one in verdicts] == [None]


def test_a_block_with_a_crowd_of_recipients_is_not_opened() -> None:
    """A library takes time quadratic in them: a second for 45 kB."""

    raw = sealing.dearmour(sealing.seal("hello\n", [REFEREE.public.text] * 16))
    # Perhaps the library has added a stanza of its own.
    head, mark, rest = raw.partition(b"\n-> ")
    for count in (0, 1):
        more = sealing.armour(head + (mark + b"x y\n" + b"A" * 43) * count + mark + rest)
        found = Found(sealed=more)
        assert found.sealed is not None
        if count or raw.count(mark) > 16:
            with pytest.raises(GameError, match="more than 16 keys"):
                unseal(found.sealed, REFEREE)
        else:
            assert unseal(found.sealed, REFEREE) == "hello\n"
