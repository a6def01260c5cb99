"""Notes about seats at the desk of the app: signed as on a terminal, and taken by a referee."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest

from referee.phone import seats
from referee.playing import player
from referee.table.times import policy
from tests.phone.test_desk import ask, refusal
from tests.table.tables import NOON, Table, key_of

Document = dict[str, Any]
CLOCK = policy(72, "wait", 0, 28, "", 0)


@pytest.fixture(autouse=True)
def _noon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seats, "current_time", lambda: NOON)


@pytest.fixture
def table() -> Table:
    """A game of three that has begun, with a clock."""
    return Table(3, clock=CLOCK).join_all()


def key(name: str) -> str:
    return key_of(name).openssh().decode()


def say(
    table: Table, who: str, kind: str, *, notes: Sequence[Document] = (), **words: Any
) -> Document:
    """The note that somebody signs."""
    return ask("seat_note", text=table.text, key=key(who), kind=kind, notes=list(notes), **words)


def take(table: Table, note: Document) -> None:
    """Let the referee apply a note."""
    (verdict,) = table.apply(note["text"])
    assert verdict.error is None


def look(table: Table, who: str) -> Document:
    return ask("seats", text=table.text, key=key(who))


def waiting_at(table: Table, who: str) -> Any:
    """The seats that are to get another key, as the table of somebody says."""
    return ask("table", text=table.text, key=key(who), lang="en")["transfers"]


def test_days_away_are_signed_and_counted(table: Table) -> None:
    assert look(table, "ana")["away"] == {
        "most": 28,
        "taken": 0,
        "spans": [],
        "today": "2026-03-01",
    }
    note = say(table, "ana", "vacation", first="2026-03-02", until="2026-03-05")
    take(table, note)
    away = look(table, "ana")["away"]
    assert (away["taken"], away["spans"]) == (4, [["2026-03-02", "2026-03-05"]])
    assert look(table, "ben")["away"]["taken"] == 0


@pytest.mark.parametrize(
    ("first", "until", "said"),
    [
        ("2026-03-05", "2026-03-02", "the last day is before the first one"),
        ("2026-02-02", "2026-02-05", "2026-02-05 is in the past"),
        ("2026-03-02", "2026-12-24", "days away for ana"),
        ("", "2026-12-24", "say the first day and the last one"),
        ("2026-03-02", "24 December", "say the first day and the last one"),
    ],
)
def test_days_that_cannot_be_are_said(table: Table, first: str, until: str, said: str) -> None:
    given = {"text": table.text, "key": key("ana"), "kind": "vacation"}
    assert said in refusal("seat_note", **given, first=first, until=until)


def test_a_table_without_a_clock_has_no_days_away() -> None:
    assert look(Table(2).join_all(), "ana")["away"] is None


def test_leaving_coming_back_and_voting(table: Table) -> None:
    found = look(table, "ana")
    assert (found["leave"], found["vote"]) == ("leave", "end")
    take(table, say(table, "ana", "vote", back=False))
    found = look(table, "ana")
    assert (found["voting"], found["vote"]) == (["ana"], "go-on")
    take(table, say(table, "ana", "vote", back=True))
    take(table, say(table, "ana", "leave", back=False))
    found = look(table, "ben")
    assert (found["left"], found["voting"], found["leave"]) == (["ana"], [], "leave")
    assert look(table, "ana")["leave"] == "back"
    given = {"text": table.text, "key": key("ana"), "kind": "leave"}
    assert "has left already" in refusal("seat_note", **given, back=False)
    take(table, say(table, "ana", "leave", back=True))
    assert look(table, "ana")["left"] == []


def test_what_may_be_on_its_way_is_not_signed_anew(table: Table) -> None:
    leaves: Document = {"kind": "leave", "back": False}
    first = say(table, "ana", **leaves)
    table.apply(table_move(table))
    again = say(table, "ana", notes=[first], **leaves)
    assert (again["text"], again["again"]) == (first["text"], True)
    take(table, again)
    take(table, say(table, "ana", "leave", notes=[first], back=True))
    # The first note has had its effect.
    anew = say(table, "ana", notes=[first], **leaves)
    assert "again" not in anew
    take(table, anew)


def table_move(table: Table) -> str:
    """The next answer at a table, whoever gives it."""
    asked = table.file.asked[0]
    play = table.view(asked.seat).suggest()
    return player.move_text(table.file, key_of(asked.seat), asked.id, play, sealed=False)


def test_nobody_else_is_asked_where_the_old_key_has_signed(table: Table) -> None:
    new = key_of("phone").public
    take(table, say(table, "ana", "transfer", seat="ana", to=new.text))
    assert waiting_at(table, "ana") == waiting_at(table, "ben") == []
    (waits,) = look(table, "ben")["transfers"]
    assert (waits["needs_new"], waits["needs_mine"]) == (True, False)


def test_a_seat_moves_to_another_key_and_both_sign(table: Table) -> None:
    new = key_of("phone")
    first = say(table, "phone", "transfer", seat="ana")
    take(table, first)
    (waits,) = look(table, "ana")["transfers"]
    assert waits["to"] == new.public.text
    assert (waits["needs_new"], waits["needs_mine"]) == (False, True)
    assert "the old key of ana" in waits["missing"][0]
    # The tables of all who could sign and have not say that it waits.
    assert waiting_at(table, "ana") == waiting_at(table, "ben") == ["ana"]
    assert waiting_at(table, "phone") == []
    take(table, say(table, "ben", "transfer", seat="ana", to=new.public.text))
    assert waiting_at(table, "ben") == []
    again = say(table, "phone", "transfer", seat="ana", notes=[first])
    assert again["text"] == first["text"]
    # Whoever has both keys in one app signs with each.
    own = say(table, "ana", "transfer", seat="ana", to=new.public.text, notes=[first])
    assert "again" not in own
    take(table, own)
    assert look(table, "phone")["seat"] == "ana"
    assert look(table, "ana")["seat"] == ""


def test_a_lost_key_is_replaced_by_all_the_others(table: Table) -> None:
    for who in ("phone", "ben", "carl"):
        to = f"# carl says\n{key_of('phone').public.text} carl's phone\n"
        take(table, say(table, who, "transfer", seat="ana", to=to))
    assert look(table, "phone")["seat"] == "ana"


def sealed_to(table: Table, name: str) -> str:
    """The recipient of a seat's hands, if it is another than its key."""
    seat = table.file.seat(name)
    assert seat is not None
    return seat.holder_seal


def test_hands_are_sealed_to_something_else(table: Table) -> None:
    to = "age19ljhmg68e43yx9fgm2k9lwefquc0la5y4lzvlshdjzv47kxt8d6qr9vf4p"
    take(table, say(table, "ana", "transfer", seat="ana", seal=to))
    assert sealed_to(table, "ana") == to
    given = {"text": table.text, "key": key("ana"), "kind": "transfer", "seat": "ana"}
    assert "ana has this key already" in refusal("seat_note", **given, seal=to)
    take(table, say(table, "ana", "transfer", seat="ana"))
    assert sealed_to(table, "ana") == ""


@pytest.mark.parametrize(
    ("to", "said"),
    [
        (key("phone"), "this is a private key"),
        ("?", "this is not a public key"),
        (
            f"{key_of('phone').public.text}\n{key_of('zoe').public.text}\n",
            "these are several public keys",
        ),
        (key_of("ben").public.text, "ben"),
        (key_of("ana").public.text, "ana has this key already"),
    ],
)
def test_keys_that_cannot_be_are_said(table: Table, to: str, said: str) -> None:
    given = {"text": table.text, "key": key("ana"), "kind": "transfer", "seat": "ana"}
    assert said in refusal("seat_note", **given, to=to)


def test_what_nobody_may_say_is_refused(table: Table) -> None:
    given = {"text": table.text, "key": key("stranger")}
    assert "holds none of the seats" in refusal("seat_note", **given, kind="leave")
    assert "there is no note of the kind" in refusal("seat_note", **given, kind="joke")
    assert "there is no seat zoe" in refusal("seat_note", **given, kind="transfer", seat="zoe")
    assert "make a key first" in refusal("seat_note", text=table.text, kind="leave")


def test_the_browser_s_cryptography_signs_the_same(table: Table, browsers: None) -> None:
    table.now += timedelta(hours=1)
    take(table, say(table, "ana", "leave", back=False))
