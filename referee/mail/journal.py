"""The journal of emails beside a game's ledger, so that nothing is said twice.

One line for each email that went out, `TIME KIND SEAT STEP TOPIC MARK`; `-` stands for nothing. It
is written when the email has been handed over, so a machine that stops in between sends the email
again, under the same Message-ID, and never loses it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from referee.errors import Damaged
from referee.records import NamedTuple
from referee.refereeing.statefolder import memory_of
from referee.storage import append, locked, make_private, read_limited, replace
from referee.table import times

NOTHING = "-"
FAILED = "failed"
ANSWERS = ("answer", "refusal")
MAX_JOURNAL = 4_000_000
LINE = re.compile(r"(\S{20}) ([a-z]+) ([a-z0-9-]+) (\d{1,9}) (\S+) (\S+)")


class Sent(NamedTuple):
    """An email that went out.

    `topic` is what it asks or says: a decision, `join`, `end`. The `mark` of an answer is that of
    the message, and after commas what was said of the seat's own signed notes. The `mark` of any
    other email is a hash of the address, and of one that was refused for good of what was to be
    sent where.
    """

    time: datetime
    kind: str
    seat: str
    step: int
    topic: str
    mark: str = ""


def journal_of(game: str, ledger: Path | None) -> Path:
    """Return the place of a game's journal; `ledger` is another place than the default."""
    if ledger is None:
        return memory_of(game, ".ledger.mail")
    return ledger.with_name(ledger.name + ".mail")


class Journal:
    """The emails of one game that went out, oldest first."""

    def __init__(self, path: Path, sent: list[Sent], size: int) -> None:
        self._path = path
        self.sent = sent
        self._size = size
        self._said = {(mail.seat, word) for mail in sent for word in mail.mark.split(",")[1:]}

    @classmethod
    @contextmanager
    def open(cls, path: Path) -> Iterator[Journal]:
        """Enter the journal at `path`, locked against a second mail command.

        Raises NotWritten if it cannot be locked, Damaged if it is not a journal.
        """
        make_private(path.parent)
        with locked(path.with_name(path.name + ".lock")):
            data = _shortened(path) if path.exists() else b""
            # A line without an end was being written when the machine stopped.
            whole = data[: data.rfind(b"\n") + 1]
            lines = whole.decode("ascii", "replace").splitlines()
            yield cls(path, [_read(line, path) for line in lines], len(whole))

    def told(self, seat: str, topic: str, mark: str) -> datetime | None:
        """Return when a seat was first told of a topic where it gets its email now.

        That is the address of this mark. An answer goes to whoever has written, and counts like an
        email to that address.
        """
        return next((mail.time for mail in self._to(seat, mark) if mail.topic == topic), None)

    def has(self, kind: str, seat: str, topic: str, mark: str) -> bool:
        """Return True if an email of that kind about that topic went to the seat, as in `told`."""
        return any((mail.kind, mail.topic) == (kind, topic) for mail in self._to(seat, mark))

    def wrote_since(self, seat: str, step: int, mark: str) -> Iterator[Sent]:
        """Yield the emails to the seat with the file of a step or a later one, as in `told`."""
        yield from (mail for mail in self._to(seat, mark) if mail.step >= step)

    def _to(self, seat: str, mark: str) -> Iterator[Sent]:
        for mail in self.sent:
            at_it = mail.mark in ("", mark) or mail.kind in ANSWERS
            if mail.seat == seat and at_it and mail.kind != FAILED:
                yield mail

    def answered(self, seat: str, mark: str) -> bool:
        """Return True if the seat got an answer to the message of that mark."""
        return any((mail.seat, mail.mark.partition(",")[0]) == (seat, mark) for mail in self.sent)

    def said(self, seat: str, word: str) -> bool:
        """Return True if the seat was told this `word` about one of its signed notes."""
        return (seat, word) in self._said

    def failed(self, seat: str, mark: str, after: datetime) -> bool:
        """Return True if an email of that mark was refused for good after a time."""
        return any(
            (mail.kind, mail.seat, mail.mark) == (FAILED, seat, mark) and mail.time > after
            for mail in self.sent
        )

    def since(self, time: datetime, kind: str, seat: str, *, signed: bool) -> int:
        """Count the emails of that kind that went to the seat after a time.

        Either those that answered notes that the seat has signed, or all others.
        """
        return sum(
            (mail.kind, mail.seat, "," in mail.mark) == (kind, seat, signed) and mail.time > time
            for mail in self.sent
        )

    def count(self, kind: str, seat: str, step: int) -> int:
        """Count the emails of that kind that went to the seat at that step."""
        return sum((mail.kind, mail.seat, mail.step) == (kind, seat, step) for mail in self.sent)

    def record(self, mail: Sent) -> None:
        """Add an email to the journal. Raises NotWritten."""
        topic, mark = mail.topic or NOTHING, mail.mark or NOTHING
        line = (
            f"{times.format_time(mail.time)} {mail.kind} {mail.seat} {mail.step} {topic} {mark}\n"
        )
        append(self._path, line, self._size)
        self._size += len(line.encode())
        self.sent.append(mail)
        self._said.update((mail.seat, word) for word in mail.mark.split(",")[1:])


def _shortened(path: Path) -> bytes:
    """Return the bytes of a journal; drop its older half once it is very long.

    Somebody may have filled it on purpose; what is asked now stands at its end.
    """
    data = read_limited(path, 2 * MAX_JOURNAL)
    if len(data) <= MAX_JOURNAL:
        return data
    data = data[-MAX_JOURNAL // 2 :]
    data = data[data.find(b"\n") + 1 :]
    replace(path, data)
    return data


def _read(line: str, path: Path) -> Sent:
    match = LINE.fullmatch(line)
    try:
        time = times.parse_time(match[1] if match else "")
    except ValueError:
        match = None
    if match is None:
        raise Damaged(
            f"the journal {path} has a line that is none of its own",
            "restore it from a backup, or move it away: then mails are sent once more",
        )
    topic, mark = ("" if word == NOTHING else word for word in (match[5], match[6]))
    return Sent(time, match[2], match[3], int(match[4]), topic, mark)
