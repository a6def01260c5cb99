"""What was mailed: a journal beside the ledger of a game, so that nothing is said twice.

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

from referee.table import clock
from referee.table.errors import Damaged
from referee.table.ledger import default_folder
from referee.table.storage import append, locked, make_private, read_limited

NOTHING = "-"
MAX_JOURNAL = 20_000_000
LINE = re.compile(r"(\S{20}) ([a-z]+) ([a-z0-9-]+) (\d{1,9}) (\S+) (\S+)")


class Sent(NamedTuple):
    """A mail that went out.

    `topic` is what it asks or says: a decision, `join`, `end`. An answer has the `mark` of what it
    answers; where that counts, a comma and a mark of its words follow.
    """

    time: datetime
    kind: str
    seat: str
    step: int
    topic: str
    mark: str = ""


def journal_of(game: str, ledger: Path | None) -> Path:
    """Where the journal of a game is, `ledger` being another place than the default."""
    ledger = ledger or default_folder() / f"{game}.ledger"
    return ledger.with_name(ledger.name + ".mail")


class Memory:
    """The mails of one game that went out, oldest first."""

    def __init__(self, path: Path, sent: list[Sent], size: int) -> None:
        self._path = path
        self.sent = sent
        self._size = size

    @classmethod
    @contextmanager
    def open(cls, path: Path) -> Iterator[Memory]:
        """The journal at `path`, locked against a second mail command.

        Raises NotWritten when it cannot be locked, Damaged when it is none.
        """
        make_private(path.parent)
        with locked(path.with_name(path.name + ".lock")):
            data = read_limited(path, MAX_JOURNAL) if path.exists() else b""
            # What has no line end was being written when the machine stopped.
            whole = data[: data.rfind(b"\n") + 1]
            lines = whole.decode("ascii", "replace").splitlines()
            yield cls(path, [_read(line, path) for line in lines], len(whole))

    def told(self, seat: str, topic: str) -> datetime | None:
        """When a seat was first told of a topic."""
        return next((one.time for one in self.sent if (one.seat, one.topic) == (seat, topic)), None)

    def has(self, kind: str, seat: str, topic: str) -> bool:
        """Whether a mail of that kind went to the seat about that topic."""
        return any((one.kind, one.seat, one.topic) == (kind, seat, topic) for one in self.sent)

    def answered(self, mark: str) -> bool:
        """Whether the message of that mark was answered."""
        return bool(mark) and any(one.mark.partition(",")[0] == mark for one in self.sent)

    def confirmed(self, words: str) -> bool:
        """Whether it was said of these notes that they count."""
        return bool(words) and any(one.mark.partition(",")[2] == words for one in self.sent)

    def since(self, time: datetime, kind: str, seat: str) -> int:
        """How many mails of that kind went to the seat after a time."""
        return sum((one.kind, one.seat) == (kind, seat) and one.time > time for one in self.sent)

    def count(self, kind: str, seat: str, step: int) -> int:
        """How many mails of that kind went to the seat at that step."""
        return sum((one.kind, one.seat, one.step) == (kind, seat, step) for one in self.sent)

    def record(self, one: Sent) -> None:
        """Remember a mail. Raises NotWritten."""
        words = (
            clock.shown(one.time),
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
        return clock.read(text)
    except ValueError:
        return None
