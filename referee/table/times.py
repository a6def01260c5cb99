"""Times, days and the terms of a clock, as a game file says them (PROTOCOL 14)."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta

from referee.games.errors import NotUnderstood
from referee.records import NamedTuple

WAIT, PASS, BOT = "wait", "pass", "bot"


POLICIES = (WAIT, PASS, BOT)


WEEKENDS = "weekends"
"""The one kind of days on which the time of a table can stand still for all."""


MAX_DAYS = 366


HOUR = timedelta(hours=1)
DAY = timedelta(days=1)


EAST, WEST, QUARTER = 14 * 60, -12 * 60, 15
"""The offsets from UTC that there are on earth, in minutes, and what they are multiples of."""


class Clock(NamedTuple):
    """The terms about time that players accept by joining.

    An answer is due after `length`. A seat that still owes it `grace` later is treated as
    `late` says: `wait` does nothing, `bot` plays what the table's bot would, `pass` passes where
    that is legal and is `bot` elsewhere. Both are in days, or in hours where the clock is `hourly`.
    A seat may be away for `vacation` days in all, and the time of all stands still on what `skip`
    names. Days begin at midnight `offset` minutes east of UTC.
    """

    length: int
    late: str = WAIT
    grace: int = 0
    vacation: int = 0
    hourly: bool = False
    skip: str = ""
    offset: int = 0

    @property
    def unit(self) -> timedelta:
        """The unit in which `length` and `grace` count."""
        return HOUR if self.hourly else DAY

    @property
    def time(self) -> timedelta:
        """The time for an answer."""
        return self.length * self.unit

    @property
    def midnight(self) -> timedelta:
        """The time of day, by UTC, at which the days of the table begin; it can be before 0:00."""
        return -timedelta(minutes=self.offset)

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


def check_clock_terms(clock: Clock) -> None:
    """Raise NotUnderstood for terms that make no sense, or that are written in another way."""
    most = MAX_DAYS * DAY // clock.unit
    if not 1 <= clock.length <= most:
        text = f"1 to {MAX_DAYS}" if not clock.hourly else f"1h to {MAX_DAYS}"
        raise NotUnderstood(f"--days must be from {text}, not {clock.length}{_h(clock)}")
    if clock.late not in POLICIES:
        raise NotUnderstood(
            f"late answers cannot be treated as {clock.late!r}", f"{', '.join(POLICIES)}"
        )
    if not (0 <= clock.grace <= most and 0 <= clock.vacation <= MAX_DAYS):
        raise NotUnderstood(f"--grace and --vacation must be from 0 to {MAX_DAYS}")
    if clock.skip not in ("", WEEKENDS):
        raise NotUnderstood(f"--skip takes {WEEKENDS}, not {clock.skip[:40]!r}")
    if not WEST <= clock.offset <= EAST or clock.offset % QUARTER:
        raise NotUnderstood("--utc-offset must be from -12:00 to +14:00, in quarters of an hour")
    if clock.hourly and not (clock.length % 24 or clock.grace % 24):
        raise NotUnderstood("a clock of whole days does not count hours")
    if clock.grace and not clock.acts:
        raise NotUnderstood("nobody is answered for after the time of grace")


def policy(hours: int, late: str, grace: int, vacation: int, skip: str, offset: int) -> Clock:
    """Return a clock of these terms, an answer and its grace in hours.

    Raises NotUnderstood for terms that make no sense.
    """
    grace = 0 if late == WAIT else grace
    hourly = bool(hours % 24 or grace % 24)
    unit = 1 if hourly else 24
    clock = Clock(hours // unit, late, grace // unit, vacation, hourly, skip, offset)
    check_clock_terms(clock)
    return clock


def _h(clock: Clock) -> str:
    return "h" if clock.hourly else ""


def format_offset(minutes: int) -> str:
    """Return an offset from UTC as it is written: `+01:00`."""
    hours, rest = divmod(abs(minutes), 60)
    return f"{'-' if minutes < 0 else '+'}{hours:02}:{rest:02}"


def parse_offset(text: str) -> int:
    """Return the minutes that an offset says; raises NotUnderstood for any other text."""
    match = re.fullmatch("([+-])([0-9]{2}):([0-9]{2})", text)
    if not match or int(match[3]) > 59:
        raise NotUnderstood(f"an offset from UTC is written as +01:00, not as {text[:40]!r}")
    minutes = int(match[2]) * 60 + int(match[3])
    return -minutes if match[1] == "-" else minutes
