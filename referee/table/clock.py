"""The clock of a game: when an answer is due, what stops the time, who is late (PROTOCOL 14).

Times are UTC, to the second, written as RFC 3339 with a `Z`; days are of 24 hours, and begin at
midnight UTC or at the offset from it that the table has agreed on.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING

from referee.errors import Damaged, Stale, not_dealt
from referee.games.errors import GameError, Illegal
from referee.table.capacity import MAX_VACATIONS_PER_SEAT
from referee.table.chain import asking_step
from referee.table.decisions import DecisionId
from referee.table.standing import for_bots, game_over
from referee.table.times import DAY, PASS, Away, Clock, format_time, readable_time

if TYPE_CHECKING:
    from referee.games.interface import View
    from referee.table.gamefile import GameFile

JUMP = timedelta(days=31)
"""The longest rest of a game after the time for every answer that is owed is over."""


def _midnight(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=UTC)


def _spans(vacations: Iterable[Away]) -> list[tuple[datetime, datetime]]:
    """Return the times of vacations in order, none of them overlapping, as if days began at UTC."""
    out: list[tuple[datetime, datetime]] = []
    for one in sorted(vacations, key=lambda one: one.first):
        begin, end = _midnight(one.first), _midnight(one.last) + DAY
        if out:
            begin = max(begin, out[-1][1])
        if begin < end:
            out.append((begin, end))
    return out


def days_away(vacations: Iterable[Away]) -> int:
    """Return the number of days that vacations of one seat take, a day in two of them once."""
    return sum((end - begin).days for begin, end in _spans(vacations))


def due_after(clock: Clock, opened: datetime, vacations: Iterable[Away]) -> datetime:
    """Return when the answer to a decision of a seat with these vacations is due."""
    return _passed(clock, opened, clock.time, _spans(vacations))


def grace_end(clock: Clock, due: datetime) -> datetime:
    """Return when the time of grace of an answer that was due is over."""
    return _passed(clock, due, clock.grace * clock.unit, ())


def today(clock: Clock | None, now: datetime) -> date:
    """Return which day it is at a table."""
    return (now - (clock.midnight if clock is not None else timedelta())).date()


def _passed(
    clock: Clock,
    begun: datetime,
    time: timedelta,
    away: Sequence[tuple[datetime, datetime]],
) -> datetime:
    """Return when so much time is over from `begun` on, that in which it stands still left out."""
    now = begun - clock.midnight
    while True:
        still = [span for span in away if span[1] > now]
        if clock.skip:
            # Of a Sunday it is the one that has begun the day before.
            saturday = _midnight(now.date()) + (5 - now.weekday()) * DAY
            still.append((saturday, saturday + 2 * DAY))
        begin, end = min(still, default=(now + time, now))
        if begin >= now + time:
            return now + time + clock.midnight
        # What stands still for two reasons does so once.
        time -= max(begin, now) - now
        now = end


def due_of(file: GameFile, decision: str) -> datetime | None:
    """Return when the answer is due, or None if there is no clock or nobody owes the answer."""
    return file.due.get(decision)


def still_due(file: GameFile, seat: str, now: datetime) -> str:
    """Return the end of a sentence about a vacation: when an answer is due whatever it says.

    Nothing where no answer of the seat has a due time.
    """
    owed = [id_ for id_ in owed_decisions(file) if DecisionId.parse(id_).seat == seat]
    return "".join(
        f"; the answer to {id_} {'is still' if now <= due else 'was'} due on {readable_time(due)}"
        for id_ in owed
        if (due := due_of(file, id_)) is not None
    )


def owed_decisions(file: GameFile) -> list[str]:
    """Return the open decisions to which a player owes an answer that has not arrived."""
    others = {one.decision for one in file.pending} | for_bots(file)
    return [one.id for one in file.asked if one.id not in others]


def bots_think(file: GameFile) -> bool:
    """Return True if nobody but bots has to answer, which they do at the referee's next run."""
    return bool(file.asked) and not owed_decisions(file)


def overdue_decisions(file: GameFile, now: datetime, *, grace: bool = False) -> list[str]:
    """Return the decisions whose owed answer was due before `now`, or `grace` before that."""
    clock = file.clock
    if clock is None:
        return []
    ends = {id_: grace_end(clock, due) if grace else due for id_, due in file.due.items()}
    return [id_ for id_ in owed_decisions(file) if id_ in ends and ends[id_] < now]


def check_vacation(file: GameFile, seat: str, first: date, last: date) -> None:
    """Raise Stale or Illegal for a vacation that the table would not take at any time."""
    if file.status != "playing":
        raise not_dealt("not-open") if file.status == "open" else game_over(file)
    if file.clock is None:
        raise Illegal(
            "this game has no deadlines, so no answer can be overdue",
            "answer when you are back; with `leave` the table's bot answers until then",
        )
    if last < first:
        raise Illegal("--until is before --from: the vacation would end before it begins")
    mine = [one for one in file.vacations if one.seat == seat]
    if len(mine) >= MAX_VACATIONS_PER_SEAT:
        raise Illegal(f"{seat} has said {MAX_VACATIONS_PER_SEAT} times already that it is away")
    taken = days_away([*mine, Away(seat, first, last, 0, b"")])
    if taken > file.clock.vacation:
        raise Illegal(
            f"that would make {taken} days away for {seat}",
            f"this table allows {file.clock.vacation} per seat",
        )


def passes_late(file: GameFile, view: View) -> bool:
    """Return True if the table has agreed that a seat which is late passes, and it can do so."""
    if file.clock is None or file.clock.late != PASS:
        return False
    try:
        view.check("pass")
    except GameError:
        return False
    return True


def game_time(file: GameFile, now: datetime) -> datetime:
    """Return the time of the game when the clock says `now`: it never goes back behind a file's,
    so that nobody has less time than it promised."""
    return now if file.now is None else max(now, file.now)


def check_clock_sane(file: GameFile, now: datetime) -> None:
    """Raise Stale (`clock`) if the time since the file was written cannot be right."""
    if file.clock is None or file.now is None or file.status != "playing":
        return
    hint = "correct the clock; if it is right, add --override-clock"
    if now < file.now:
        raise Stale(
            f"the clock says {format_time(now)}, "
            f"but the file was written at {format_time(file.now)}",
            hint,
            reason="clock",
        )
    # Nothing need happen as long as somebody has time to answer, or cannot be called late yet.
    over = max([grace_end(file.clock, due) for due in file.due.values()], default=file.now)
    last, what = file.now, "the file was written"
    if over > last:
        last, what = over, "the last answer was due"
    if now - last > JUMP:
        raise Stale(
            f"the clock says {format_time(now)}, {(now - last).days} days after {what}",
            hint,
            reason="clock",
        )


def runs_ahead(file: GameFile, now: datetime) -> bool:
    """Return True if the time of a file is more than a day later than a clock that says `now`."""
    return file.now is not None and file.now - now > DAY


def stamp_due_times(file: GameFile, now: datetime) -> None:
    """Write down when the file was written, and when the answers are due that are asked now."""
    if file.clock is None:
        return
    file.now = game_time(file, now)
    file.due = {
        id_: file.due.get(id_) or due_after(file.clock, file.now, vacations_before(file, id_))
        for id_ in owed_decisions(file)
    }


def vacations_of(file: GameFile, decision: str) -> list[Away]:
    """Return the vacations of the seat that a decision asks."""
    seat = DecisionId.parse(decision).seat
    return [one for one in file.vacations if one.seat == seat]


def vacations_before(file: GameFile, decision: str) -> list[Away]:
    """The vacations of its seat that can move the due time of a decision of a file.

    Whoever had seen the question signed too late for that.
    """
    asked = asking_step(file, decision)
    return [one for one in vacations_of(file, decision) if one.seen < asked]


def check_vacations(file: GameFile) -> None:
    """Raise Damaged if the vacations in a file are more than its table has agreed on."""
    if file.clock is None:
        return
    for seat in file.seats:
        mine = [one for one in file.vacations if one.seat == seat.name]
        spans = {(one.first, one.last) for one in mine}
        if (
            days_away(mine) > file.clock.vacation
            or not len(spans) == len(mine) <= MAX_VACATIONS_PER_SEAT
        ):
            raise Damaged(f"time.vacations: {seat.name} is away longer than the table agreed on")


def check_due(file: GameFile, earliest: datetime | None) -> None:
    """Raise Damaged if due times are missing, or are none that an answer could have.

    `earliest` is a time before which nothing can have been asked that is open now.
    """
    if file.clock is None:
        return
    if file.now is None:
        raise Damaged("time.now is missing: this game has a clock")
    if set(file.due) != set(owed_decisions(file)):
        raise Damaged("time.due does not name the questions to which an answer is owed")
    for id_, due in file.due.items():
        early = earliest is not None and due < due_after(file.clock, earliest, ())
        if early or due > due_after(file.clock, file.now, vacations_before(file, id_)):
            raise Damaged(f"time.due of {id_} is not as long after it was asked as was agreed")
