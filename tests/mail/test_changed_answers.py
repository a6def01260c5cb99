"""An answer that is changed by email: whatever the order, the highest number counts."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path

import pytest

from referee.playing import player
from referee.table import chain
from tests.cli.world import KEYS
from tests.mail.office import HOST, NOW, Office, run

Open = Callable[[str], Office]
KEEP = "1.2.keep.ana"


def answers(at: Office) -> list[str]:
    """Ana's first answer, and two that take its place; sealed."""
    plays = at.view("ana").plays(99) or []
    return [
        player.move_text(at.file, KEYS["ana"], KEEP, plays[number % 2], True, number)
        for number in (1, 2, 3)
    ]


def counted(at: Office) -> int:
    """The number of the answer that took effect."""
    return next(chain.number_of(entry) for entry in at.file.log if entry.decision == KEEP)


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_one_mail_after_the_other(office: Open, order: tuple[int, ...]) -> None:
    at = office("keeping")
    mails = [at.mail("ana", note) for note in answers(at)]
    for index in order:
        assert at.take(mails[index]).code == 0
    assert [one.number for one in at.file.pending] == [3]
    # They come once more, by a list, and then the last of the batch.
    for index in order:
        assert at.take(b"List-Id: <games.example.org>\n" + mails[index]).code == 0
    assert at.take(at.mail("ben", at.note("ben", sealed=True))).code == 0
    assert counted(at) == 3


@pytest.mark.parametrize("last", range(4))
def test_a_mailbox_that_is_read_at_once(office: Open, last: int) -> None:
    """The mail that closes the batch lies before, between or behind the others."""
    at = office("keeping")
    mails = [at.mail("ana", note) for note in answers(at)]
    mails.insert(last, at.mail("ben", at.note("ben", sealed=True)))
    Path("box").write_bytes(b"".join(b"From x Sat Nov 28\n" + mail + b"\n\n" for mail in mails))
    done = run("mail", "in", "game.toml", "--mbox", "box", *HOST, "--now", NOW)
    assert done.code == 0, done.err
    assert counted(at) == 3


def test_what_is_told_of_it(office: Open) -> None:
    at = office("keeping")
    first, second, _ = answers(at)
    at.take(at.mail("ana", first))
    (text,) = at.texts("ana answer")
    assert "Until then you can change it: answer with `sanjuan-ref move` again" in " ".join(
        text.split()
    )
    # A reply quotes the mail before, and the note in it.
    quoted = "".join(f"> {line}\n" for line in first.splitlines())
    at.take(at.mail("ana", f"Sorry, rather this:\n\n{second}\n{quoted}"))
    said = " ".join(" ".join(at.texts("ana answer")).split())
    assert "Your sealed note: accepted in place of answer 1; waiting for ben (keep)." in said
    assert "of answers that wait the one with the highest number counts" in said
    assert at.file.pending[0].number == 2
