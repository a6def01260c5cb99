"""The journal of emails beside a game's ledger, so that nothing is said twice.

One line for each mail that went out, `TIME KIND SEAT STEP TOPIC MARK`; `-` is nothing. It is
written when the mail has been handed over: a machine that stops in between sends it once more
under the same Message-ID, and never not at all.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from referee.errors import Damaged
from referee.refereeing.ledger import default_folder
from referee.storage import append, locked, make_private, read_limited, replace
from referee.table import times

NOTHING = "-"
FAILED = "failed"
MAX_JOURNAL = 4_000_000
LINE = re.compile(r"(\S{20}) ([a-z]+) ([a-z0-9-]+) (\d{1,9}) (\S+) (\S+)")


class Sent(NamedTuple):
    """A mail that went out.

    `topic` is what it asks or says: a decision, `join`, `end`. An answer has the `mark` of what it
    answers; behind it, after commas, what it says of the seat's own signed notes. A mail that was
    refused for good has a mark of what was to be sent where.
    """

    time: datetime
    kind: str
    seat: str
    step: int
    topic: str
    mark: str = ""


def journal_of(game: str, ledger: Path | None) -> Path:
    """Return the place of a game's journal; `ledger` is another place than the default."""
    ledger = ledger or default_folder() / f"{game}.ledger"
    return ledger.with_name(ledger.name + ".mail")


class Memory:
    """The mails of one game that went out, oldest first."""

    def __init__(self, path: Path, sent: list[Sent], size: int) -> None:
        self._path = path
        self.sent = sent
        self._size = size
        self._said = {(one.seat, word) for one in sent for word in one.mark.split(",")[1:]}

    @classmethod
    @contextmanager
    def open(cls, path: Path) -> Iterator[Memory]:
        """The journal at `path`, locked against a second mail command.

        Raises NotWritten when it cannot be locked, Damaged when it is none.
        """
        make_private(path.parent)
        with locked(path.with_name(path.name + ".lock")):
            data = _shortened(path) if path.exists() else b""
            # What has no line end was being written when the machine stopped.
            whole = data[: data.rfind(b"\n") + 1]
            lines = whole.decode("ascii", "replace").splitlines()
            yield cls(path, [_read(line, path) for line in lines], len(whole))

    def told(self, seat: str, topic: str) -> datetime | None:
        """When a seat was first told of a topic."""
        return next((one.time for one in self.sent if (one.seat, one.topic) == (seat, topic)), None)

    def has(self, kind: str, seat: str, topic: str) -> bool:
        """Return True if an email of that kind went to the seat about that topic."""
        return any((one.kind, one.seat, one.topic) == (kind, seat, topic) for one in self.sent)

    def wrote(self, seat: str, step: int) -> bool:
        """Return whether a mail went to the seat with the file of that step or a later one."""
        return any(
            one.seat == seat and one.step >= step and one.kind != FAILED for one in self.sent
        )

    def answered(self, seat: str, mark: str) -> bool:
        """Return True if the seat got an answer to the message of that mark."""
        return any((one.seat, one.mark.partition(",")[0]) == (seat, mark) for one in self.sent)

    def said(self, seat: str, word: str) -> bool:
        """Return True if that was said to the seat of one of its signed notes."""
        return (seat, word) in self._said

    def failed(self, seat: str, mark: str, after: datetime) -> bool:
        """Return True if what has that mark was refused for good after a time."""
        return any(
            (one.kind, one.seat, one.mark) == (FAILED, seat, mark) and one.time > after
            for one in self.sent
        )

    def since(self, time: datetime, kind: str, seat: str, *, signed: bool) -> int:
        """Count the emails of that kind that went to the seat after a time.

        Either those that answered notes that the seat has signed, or all others.
        """
        return sum(
            (one.kind, one.seat, "," in one.mark) == (kind, seat, signed) and one.time > time
            for one in self.sent
        )

    def count(self, kind: str, seat: str, step: int) -> int:
        """Count the emails of that kind that went to the seat at that step."""
        return sum((one.kind, one.seat, one.step) == (kind, seat, step) for one in self.sent)

    def record(self, one: Sent) -> None:
        """Remember a mail. Raises NotWritten."""
        words = (
            times.format_time(one.time),
            one.kind,
            one.seat,
            str(one.step),
            one.topic or NOTHING,
            one.mark or NOTHING,
        )
        line = " ".join(words) + "\n"
        append(self._path, line, self._size)
        self._size += len(line.encode())
        self.sent.append(one)
        self._said.update((one.seat, word) for word in one.mark.split(",")[1:])


def _shortened(path: Path) -> bytes:
    """The bytes of a journal, of which the older half is dropped once it is very long.

    Somebody may have worked at that for months; what is asked now stands at its end.
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
    time = _time(match[1]) if match else None
    if match is None or time is None:
        raise Damaged(
            f"the journal {path} has a line that is none of its own",
            "restore it from a backup, or move it away: then mails are sent once more",
        )
    topic, mark = ("" if word == NOTHING else word for word in (match[5], match[6]))
    return Sent(time, match[2], match[3], int(match[4]), topic, mark)


def _time(text: str) -> datetime | None:
    try:
        return times.parse_time(text)
    except ValueError:
        return None
