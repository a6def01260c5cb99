"""Times, days and the terms of a clock, as a game file says them (PROTOCOL 14)."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta

from referee.games.errors import NotUnderstood
from referee.records import NamedTuple

WAIT, PASS, BOT = "wait", "pass", "bot"


POLICIES = (WAIT, PASS, BOT)


MAX_DAYS = 366


DAY = timedelta(days=1)


class Clock(NamedTuple):
    """The terms about time that players accept by joining.

    An answer is due after `days`. A seat that still owes it `grace` days later is treated as
    `late` says: `wait` does nothing, `bot` plays what the table's bot would, `pass` passes where
    that is legal and is `bot` elsewhere. A seat may be away for `vacation` days in all.
    """

    days: int
    late: str = WAIT
    grace: int = 0
    vacation: int = 0

    @property
    def acts(self) -> bool:
        """True if the referee answers for who is late."""
        return self.late != WAIT


class Away(NamedTuple):
    """The days `first` to `last`, both included, on which a seat's time stands still.

    `seen` and `signature` belong to the note that says so.
    """

    seat: str
    first: date
    last: date
    seen: int
    signature: bytes


def format_time(time: datetime) -> str:
    """Return a time as it is written: `2026-11-28T09:00:00Z`."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ")


def readable_time(time: datetime) -> str:
    """Write a time for people: `2026-11-28 09:00 UTC`."""
    return time.strftime("%Y-%m-%d %H:%M UTC")


def parse_time(text: str) -> datetime:
    """Return the time that a text of this form says; raises ValueError for any other text."""
    if not re.fullmatch(r"2[0-9]{3}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z", text):
        raise ValueError(text)
    return datetime.fromisoformat(text)


def current_time() -> datetime:
    """Return the time of this machine's clock."""
    return datetime.now(UTC).replace(microsecond=0)


def policy(days: int, late: str, grace: int, vacation: int) -> Clock:
    """Return a clock of these terms; raises NotUnderstood for terms that make no sense."""
    if not 1 <= days <= MAX_DAYS:
        raise NotUnderstood(f"--days must be from 1 to {MAX_DAYS}, not {days}")
    if late not in POLICIES:
        raise NotUnderstood(f"late answers cannot be treated as {late!r}", f"{', '.join(POLICIES)}")
    if not (0 <= grace <= MAX_DAYS and 0 <= vacation <= MAX_DAYS):
        raise NotUnderstood(f"--grace and --vacation must be from 0 to {MAX_DAYS}")
    if late == WAIT:
        return Clock(days, late, 0, vacation)
    return Clock(days, late, grace, vacation)
