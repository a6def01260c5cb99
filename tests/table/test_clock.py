"""Time: when an answer is due, who is late, what the referee may then do, and what it may not."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from referee.checking.audit import audit
from referee.checking.compare import compare
from referee.checking.verify import verify
from referee.cli.showing import tell_time
from referee.errors import Damaged, Fork, OtherRules, Stale
from referee.games import rules_of
from referee.games.errors import GameError, Illegal
from referee.notes.kinds import Vacation
from referee.playing import player
from referee.refereeing.ledger import ledger_line
from referee.table import chain, clock, opening, times, views
from referee.table.decisions import DecisionId
from referee.table.filetext import parse
from referee.table.gamefile import GameFile
from referee.table.replay import Session
from referee.table.signing import signed_text
from referee.table.times import DAY, Away, Clock
from tests.table.tables import NOON, REFEREE, Table, key_of, laid_out, load

VECTORS = tomllib.loads((Path(__file__).parents[1] / "vectors" / "clock.toml").read_text())
BOT = Clock(3, "bot", 1, 28)
PASS = Clock(3, "pass", 0, 28)
WAIT = Clock(3, "wait", 0, 28)
LATE = NOON + 4 * DAY + timedelta(seconds=1)


def away(seat: str, first: str, last: str) -> Away:
    return Away(seat, date.fromisoformat(first), date.fromisoformat(last), 1, b"")


@pytest.mark.parametrize("case", VECTORS["due"], ids=lambda case: case["why"])
def test_due_times(case: dict[str, Any]) -> None:
    vacations = [away("ana", *days) for days in case["vacations"]]
    terms = Clock(
        case.get("days", 0) or case["hours"],
        hourly="hours" in case,
        skip=case.get("skip", ""),
        offset=case.get("offset", 0),
    )
    due = clock.due_after(terms, times.parse_time(case["opened"]), vacations)
    assert times.format_time(due) == case["due"]


def vacation(table: Table, seat: str, first: str, last: str) -> str:
    """The note as a program signs it that checks nothing."""
    file, key = table.file, key_of(seat)
    days = date.fromisoformat(first), date.fromisoformat(last)
    note = Vacation(file.game, seat, file.step, file.head.hex(), *days)
    return note.armoured(key.public, note.sign(key))


def parallel(file: GameFile) -> bool:
    return len(file.asked) > 2 and not file.pending


def batch(terms: Clock = BOT) -> Table:
    """A game of four in which several are asked at once, now."""
    return Table(4, "batch", clock=terms).join_all().play(parallel)


def test_every_question_has_its_time_from_the_apply_that_asked() -> None:
    table = Table(2, clock=BOT).join_all()
    first = table.file
    assert first.due == {first.asked_ids()[0]: NOON + 3 * DAY}
    table.now += 5 * DAY
    table.answer(first.asked_ids()[0])
    second = table.file
    assert second.due == {second.asked_ids()[0]: NOON + 8 * DAY}
    assert second.now == table.now


def test_late_is_who_owes_an_answer_and_nobody_else() -> None:
    table = batch()
    ids = table.file.asked_ids()
    table.answer(ids[1])
    assert clock.owed_decisions(table.file) == [ids[0], *ids[2:]]
    assert clock.overdue_decisions(table.file, NOON + 3 * DAY) == []
    assert clock.overdue_decisions(table.file, LATE) == [ids[0], *ids[2:]]
    assert set(table.file.due) == {ids[0], *ids[2:]}


def test_the_referee_answers_for_who_is_late_and_keeps_what_has_arrived() -> None:
    table = batch()
    ids = table.file.asked_ids()
    table.answer(ids[1])
    kept = table.file.pending[0].commitment
    table.now = NOON + 4 * DAY
    assert table.expire() == []
    table.now = LATE
    suggested = {id_: table.view(DecisionId.parse(id_).seat).suggest() for id_ in ids}
    assert dict(table.expire()) == {id_: suggested[id_] for id_ in ids if id_ != ids[1]}
    file = table.file
    entries = [entry for entry in file.log if entry.decision in ids]
    assert [entry.by for entry in entries] == [
        "referee" if id_ != ids[1] else DecisionId.parse(ids[1]).seat for id_ in ids
    ]
    assert entries[0].then[0] == "late 2026-03-04T12:00:00Z 2026-03-05T12:00:01Z"
    assert verify(file, chain.heads(file))[-3].startswith(f"{len(ids) - 1} late answer")
    assert kept not in [one.commitment for one in file.pending]
    assert compare(
        load(table.texts[-2]), chain.heads(load(table.texts[-2])), file, chain.heads(file)
    ).done[1:] == [
        "1 waiting answer took effect as accepted",
        f"{len(ids) - 1} late answers came after the time was over",
    ]


def test_a_batch_waits_for_whoever_has_time_yet() -> None:
    """Their answers take effect together, so acting for one alone would win nothing."""
    table = Table(4, "batch", clock=BOT).join_all()
    table.apply(vacation(table, "ben", "2026-03-01", "2026-03-10"))
    table.play(parallel)
    assert "ben" in {DecisionId.parse(id_).seat for id_ in table.file.asked_ids()}
    table.now = LATE
    assert clock.overdue_decisions(table.file, table.now)
    assert table.expire() == []


def test_a_pass_where_passing_is_legal_and_the_bot_elsewhere() -> None:
    table = Table(2, clock=PASS).join_all()
    table.now = NOON + 3 * DAY + timedelta(seconds=1)
    suggested = table.view(table.file.asked[0].seat).suggest()
    assert table.expire()[0][1] == suggested
    table.play(lambda file: ".build." in file.asked_ids()[0])
    table.now += 3 * DAY + timedelta(seconds=1)
    assert table.expire()[0][1] == "pass"


def test_a_table_that_waits() -> None:
    table = Table(2, clock=WAIT).join_all()
    table.now = NOON + 30 * DAY
    assert clock.overdue_decisions(table.file, table.now)
    assert table.expire() == []


def test_a_whole_game_of_nobody_is_audited() -> None:
    """The referee plays it alone, as agreed on, and the audit finds every play to be the bot's."""
    table = Table(2, clock=BOT).join_all()
    while table.file.asked:
        table.now += 4 * DAY + timedelta(seconds=1)
        assert table.expire()
    file = table.file
    assert file.status == "finished"
    assert not file.due
    assert any("the scores are right" in line for line in audit(file, chain.heads(file)))


def test_another_bot_than_agreed_on_does_not_act(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = rules_of("sanjuan")
    monkeypatch.setattr(rules, "bot", "greedy-2")
    table = Table(2, clock=BOT).join_all()
    monkeypatch.undo()
    table.now = LATE
    with pytest.raises(OtherRules, match="greedy-2") as error:
        table.expire()
    assert error.value.exit_code == 16


def test_vacations() -> None:
    table = Table(2, clock=BOT).join_all()
    first = table.file.seating[0]
    asked = table.file.asked_ids()[0]
    before = ledger_line(table.file)
    verdicts = table.apply(vacation(table, first, "2026-03-02", "2026-03-05"))
    assert verdicts[0].error is None
    assert table.file.due[asked] == NOON + 3 * DAY  # never that of the decision already open
    assert ledger_line(table.file) != before
    table.answer(asked)
    while table.file.asked[0].seat != first:
        table.answer(table.file.asked_ids()[0])
    assert table.file.due[table.file.asked_ids()[0]] == NOON + 7 * DAY
    verify(table.file, chain.heads(table.file))


@pytest.mark.parametrize("together", [True, False])
def test_a_vacation_counts_that_is_known_when_the_question_is_put(together: bool) -> None:
    """It was signed before. If it comes with the answer that brings the question, it counts; if it
    comes later, the time has been set."""
    table = Table(2, clock=BOT).join_all()
    asked, seat = table.file.asked_ids()[0], table.file.seating[0]
    away = vacation(table, seat, "2026-03-02", "2026-03-05")
    answer = table.note(asked, table.view(seat).suggest())
    for notes in [[answer, away]] if together else [[answer], [away]]:
        assert not any(one.error for one in table.apply(*notes))
    file = table.file
    assert (file.step, file.asked[0].seat) == (2, seat)
    assert list(file.due.values()) == [NOON + (7 if together else 3) * DAY]
    verify(file, chain.heads(file))


@pytest.mark.parametrize(
    ("first", "last", "code"),
    [
        ("2026-03-02", "2026-03-29", 0),
        ("2026-03-02", "2026-03-30", 14),
        ("2026-03-04", "2026-03-03", 14),
        ("2026-02-01", "2026-02-28", 11),
        ("2026-02-10", "2026-03-02", 0),
        ("2026-02-10", "2026-03-01", 0),
        ("2026-02-10", "2026-02-28", 11),
    ],
)
def test_which_vacations_are_taken(first: str, last: str, code: int) -> None:
    table = Table(2, clock=BOT).join_all()
    assert table.apply(vacation(table, "ana", first, last))[0].exit_code == code


def test_a_vacation_that_cannot_be_is_not_signed() -> None:
    ana, march = key_of("ana"), (date(2026, 3, 2), date(2026, 3, 5))

    def sign(table: Table, first: date, last: date) -> str:
        seat = table.file.seat("ana")
        assert seat is not None
        return player.sign_vacation(table.file, seat, ana, first, last).armoured

    table = Table(2, clock=BOT).join_all()
    assert table.apply(sign(table, *march))[0].error is None
    for wrong in ((march[1], march[0]), (march[0], date(2026, 4, 2))):
        with pytest.raises(Illegal):
            sign(table, *wrong)
    with pytest.raises(Illegal, match="no deadlines"):
        sign(Table(2).join_all(), *march)
    with pytest.raises(Stale):
        sign(Table(2, clock=BOT), *march)


def test_vacations_do_not_fill_the_file() -> None:
    table = Table(2, clock=BOT).join_all()
    spans = [(first, last) for first in range(2, 8) for last in range(first, 8)][:17]
    notes = [vacation(table, "ana", f"2026-03-0{a}", f"2026-03-0{b}") for a, b in spans]
    assert [one.exit_code for one in table.apply(*notes)] == [0] * 16 + [14]


def test_a_vacation_is_its_seats_own_and_of_a_game_with_a_clock() -> None:
    table = Table(2, clock=BOT).join_all()
    note = vacation(table, "ana", "2026-03-02", "2026-03-05")
    assert table.apply(note.replace("seat ana", "seat ben"))[0].exit_code == 15
    assert [table.apply(note)[0].exit_code for _ in range(2)] == [0, 10]
    other = Table(2, "other", clock=None).join_all()
    assert other.apply(vacation(other, "ana", "2026-03-02", "2026-03-05"))[0].exit_code == 14


SECOND = timedelta(seconds=1)


@pytest.mark.parametrize(
    ("terms", "latest"),
    [
        (WAIT, 3 * DAY),
        (BOT, 4 * DAY),
        (BOT._replace(length=30), 31 * DAY),
        (BOT._replace(length=366, grace=366), 732 * DAY),
    ],
)
def test_a_clock_that_goes_back_or_jumps(terms: Clock, latest: timedelta) -> None:
    """A month may pass beyond the moment by which something was to happen; see `latest`."""
    file = Table(2, clock=terms).join_all().file
    for after in (timedelta(0), latest + SECOND, latest + 31 * DAY):
        clock.check_clock_sane(file, NOON + after)
    for after in (-SECOND, latest + 31 * DAY + SECOND):
        with pytest.raises(Stale) as error:
            clock.check_clock_sane(file, NOON + after)
        assert error.value.reason == "clock"


def test_a_file_from_the_future_is_noticed(capsys: pytest.CaptureFixture[str]) -> None:
    """Nobody else can tell that the referee's word for *now* is wrong."""
    file = Table(2, clock=WAIT).join_all().file
    assert not clock.runs_ahead(file, NOON - DAY)
    assert clock.runs_ahead(file, NOON - DAY - SECOND)
    assert not clock.runs_ahead(Table(2).join_all().file, NOON - 9 * DAY)
    for years in (0, 800):
        file.now = times.current_time() + timedelta(days=365 * years)
        tell_time(file)
        assert ("still to come" in " ".join(capsys.readouterr().err.split())) == (years > 0)


def test_a_month_counts_from_the_file_where_its_answers_were_due_before() -> None:
    table = Table(2, clock=BOT).join_all()
    table.now = written = NOON + 30 * DAY
    table.apply(vacation(table, "ana", "2026-04-12", "2026-04-13"))
    assert table.file.now == written
    clock.check_clock_sane(table.file, written + 31 * DAY)
    with pytest.raises(Stale):
        clock.check_clock_sane(table.file, written + 31 * DAY + SECOND)


@pytest.mark.parametrize("days", [1, 30, 366])
def test_the_referee_can_always_answer_for_who_is_late(days: int) -> None:
    """Whatever the terms are, and however long somebody is away."""
    terms = BOT._replace(length=days, vacation=60)
    table = Table(2, clock=terms).join_all()
    for name in table.file.seating:
        table.apply(vacation(table, name, "2026-03-02", "2026-04-30"))
    for _ in range(3):
        file = table.file
        table.now = max(file.due.values()) + terms.grace * DAY + SECOND
        clock.check_clock_sane(file, table.now)
        assert table.expire()


def test_the_time_of_a_game_stands_still_where_the_clock_goes_back() -> None:
    """As with --override-clock: nobody has less time than a file has promised."""
    table = Table(2, clock=BOT).join_all()
    before, table.now = table.file, NOON - 10 * DAY
    table.answer(before.asked_ids()[0])
    after = table.file
    assert (after.now, *after.due.values()) == (NOON, NOON + 3 * DAY)
    verify(after, chain.heads(after))
    compare(before, chain.heads(before), after, chain.heads(after))
    table.now = LATE
    table.apply(vacation(table, "ana", "2026-03-12", "2026-03-12"))
    table.now = NOON
    table.expire()
    assert table.file.log[-1].then[0] == RIGHT


def test_a_file_with_more_vacations_than_are_taken_is_refused() -> None:
    file = Table(2, clock=BOT).join_all().file
    days = [away("ana", f"2026-03-0{a}", f"2026-03-0{b}") for a in range(2, 8) for b in range(a, 8)]
    file.vacations = days[:16]
    clock.check_vacations(file)
    file.vacations = days[:17]
    with pytest.raises(Damaged):
        clock.check_vacations(file)


def test_nobody_is_pressed_before_the_deal_or_after_the_end() -> None:
    """Players may take their time to join."""
    table = Table(2, clock=BOT)
    table.apply(opening.sign_join(table.file, "ana", key_of("ana")).armoured)
    assert (table.file.status, table.file.now) == ("open", NOON)
    clock.check_clock_sane(table.file, NOON + 100 * DAY)
    assert not table.file.due


def test_without_a_clock_the_file_says_nothing_of_time() -> None:
    table = Table(2).join_all()
    assert "\n[time" not in table.text
    assert "clock" not in table.text
    clock.check_clock_sane(table.file, NOON - 100 * DAY)
    assert clock.overdue_decisions(table.file, NOON + 1000 * DAY) == []


def test_terms_that_make_no_sense_together() -> None:
    assert times.policy(72, "wait", 5, 28, "", 0) == WAIT
    assert times.policy(72, "bot", 6, 28, "", 0) == Clock(72, "bot", 6, 28, hourly=True)
    wrong: tuple[Clock, ...] = (
        *(BOT._replace(length=length) for length in (0, 367)),
        *(BOT._replace(grace=grace) for grace in (-1, 367)),
        BOT._replace(vacation=-1),
        WAIT._replace(grace=1),
        BOT._replace(hourly=True, length=48, grace=24),
        BOT._replace(hourly=True, length=366 * 24 + 1),
        BOT._replace(skip="mondays"),
        *(BOT._replace(offset=minutes) for minutes in (7, -735, 855)),
    )
    for terms in wrong:
        with pytest.raises(GameError):
            times.check_clock_terms(terms)


def test_the_terms_are_part_of_head_0() -> None:
    more = (BOT._replace(hourly=True), BOT._replace(skip="weekends"), BOT._replace(offset=60))
    every = (None, BOT, PASS, WAIT, *more)
    heads = {chain.first_head(Table(2, clock=terms).file) for terms in every}
    assert len(heads) == len(every)


def test_the_time_of_grace_leaves_weekends_out() -> None:
    """Asked on Tuesday noon and due on Friday noon, Ana is answered for on Monday noon."""
    terms = BOT._replace(skip="weekends", offset=60)
    table = Table(2, clock=terms).join_all()
    tuesday = NOON + 2 * DAY
    table.now = tuesday
    table.answer(table.file.asked_ids()[0])
    assert set(table.file.due.values()) == {tuesday + 3 * DAY}
    monday = tuesday + 6 * DAY
    table.now = monday
    assert clock.overdue_decisions(table.file, monday)
    assert table.expire() == []
    with pytest.raises(Stale):
        clock.check_clock_sane(table.file, monday + 31 * DAY + SECOND)
    clock.check_clock_sane(table.file, monday + 31 * DAY)
    table.now += SECOND
    assert table.expire()
    assert verify(table.file, chain.heads(table.file))
    early = table.file
    line = "late 2026-03-06T12:00:00Z 2026-03-09T12:00:00Z"
    early.log[-1].then = (line, *early.log[-1].then[1:])
    with pytest.raises(Damaged, match="was not late"):
        verify(early, chain.heads(early))


# What a referee might do about time, and which command finds it.


def referee_answers(file: GameFile, play: str, line: str) -> GameFile:
    """The next answer, given by the referee in these words."""
    session = Session.replay(file, opening.deal_secret(file, REFEREE))
    session.accept(file.asked_ids()[0], "referee", play, file.step, b"", [line])
    session.refresh()
    clock.stamp_due_times(file, LATE)
    return load(signed_text(file, REFEREE))


def acts(line: str, play: str = "", terms: Clock = BOT) -> Callable[[], tuple[GameFile, GameFile]]:
    def cheat() -> tuple[GameFile, GameFile]:
        table = Table(2, clock=terms).join_all()
        mine = play or table.view(table.file.asked[0].seat).suggest()
        return table.file, referee_answers(table.file, mine, line)

    return cheat


RIGHT = "late 2026-03-04T12:00:00Z 2026-03-05T12:00:01Z"


def turns_the_clock_back() -> tuple[GameFile, GameFile]:
    """The second of two answers is called late at an earlier time than the first."""
    table = Table(2, clock=BOT).join_all()
    table.now = NOON + 40 * DAY
    table.expire()
    before = table.file
    play = table.view(before.asked[0].seat).suggest()
    return before, referee_answers(table.file, play, RIGHT)


def signs_what_it_answers() -> tuple[GameFile, GameFile]:
    before, after = acts(RIGHT)()
    after.log[-1].signature = bytes(64)
    after.head = chain.heads(after)[-1]
    return before, load(signed_text(after, REFEREE))


def signs(change: Callable[[GameFile], object]) -> Callable[[], tuple[GameFile, GameFile]]:
    """A day after the deal ana answers and has two vacations, then this is changed."""

    def cheat() -> tuple[GameFile, GameFile]:
        table = Table(2, clock=BOT).join_all()
        for first in ("2026-03-12", "2026-03-22"):
            table.apply(vacation(table, "ana", first, f"{first[:-2]}25"))
        before = table.file
        table.now += DAY
        table.answer(before.asked_ids()[0])
        file = table.file
        change(file)
        return before, load(signed_text(file, REFEREE))

    return cheat


def due_at(time: datetime) -> Callable[[GameFile], object]:
    return lambda file: file.due.update(dict.fromkeys(file.due, time))


def due_at_another(file: GameFile) -> None:
    file.due["9.1.role.ana"] = NOON


def earlier(file: GameFile) -> None:
    """The question may have been put before the older file was written."""
    file.now = NOON - timedelta(seconds=1)
    file.due = dict.fromkeys(file.due, file.now + 3 * DAY)


def calls_late_at_once() -> tuple[GameFile, GameFile]:
    """The file in between, which said when the second answer was due, was shown to nobody."""
    table = Table(2, clock=BOT).join_all()
    before, table.now = table.file, LATE
    table.expire()
    play = table.view(table.file.asked[0].seat).suggest()
    return before, referee_answers(table.file, play, RIGHT)


def was_late_in_the_future() -> tuple[GameFile, GameFile]:
    table = Table(2, clock=BOT).join_all()
    before, table.now = table.file, LATE + DAY
    table.expire()
    file = table.file
    file.now = LATE
    file.due = dict.fromkeys(file.due, LATE + 3 * DAY)
    return before, load(signed_text(file, REFEREE))


def changes_what_was_due() -> tuple[GameFile, GameFile]:
    """In favour of the seat that has to answer, with the time that it was given anew."""
    table = Table(2, clock=BOT).join_all()
    before, file = table.file, table.file
    file.now = NOON + DAY
    file.due = dict.fromkeys(file.due, NOON + 4 * DAY)
    return before, load(signed_text(file, REFEREE))


def was_late_before_the_older_file() -> tuple[GameFile, GameFile]:
    """It was written after the answer had been due, and did not call anybody late."""
    table = Table(2, clock=BOT).join_all()
    table.now = LATE + DAY
    table.apply(vacation(table, "ben", "2026-04-02", "2026-04-05"))
    before, play = table.file, table.view(table.file.asked[0].seat).suggest()
    return before, referee_answers(table.file, play, RIGHT)


def makes_up_a_vacation() -> tuple[GameFile, GameFile]:
    table = Table(2, clock=BOT).join_all()
    before, file = table.file, table.file
    file.vacations = [away("ana", "2026-03-02", "2026-03-05")._replace(signature=bytes(64))]
    return before, load(signed_text(file, REFEREE))


def answers_before_anybody_had_time() -> tuple[GameFile, GameFile]:
    """Nobody has a file in between."""
    table = Table(2, clock=BOT)
    before = table.file
    table.join_all()
    table.now = NOON + timedelta(seconds=1)
    play = table.view(table.file.asked[0].seat).suggest()
    line = "late 2026-02-26T12:00:00Z 2026-03-01T12:00:01Z"
    return before, referee_answers(table.file, play, line)


def lets_ana_be_away_longer() -> tuple[GameFile, GameFile]:
    table = Table(2, clock=BOT).join_all()
    before, file = table.file, table.file
    days = date(2026, 3, 2), date(2026, 3, 30)
    note = Vacation(file.game, "ana", 1, file.head.hex(), *days)
    file.vacations = [Away("ana", *days, 1, note.sign(key_of("ana")))]
    return before, load(signed_text(file, REFEREE))


def counts_a_vacation_of_who_had_seen_the_question() -> tuple[GameFile, GameFile]:
    """It may have been given at any time, and nobody has a file from before."""
    table = Table(2, clock=BOT)
    before = table.file
    table.join_all()
    first = table.file.seating[0]
    table.apply(vacation(table, first, "2026-03-02", "2026-03-05"))
    file = table.file
    file.due = dict.fromkeys(file.due, NOON + 7 * DAY)
    return before, load(signed_text(file, REFEREE))


def calls_a_batch_late_at_two_times() -> tuple[GameFile, GameFile]:
    table = batch()
    before, table.now = table.file, LATE + DAY
    table.expire()
    file = table.file
    file.log[before.step].then = (RIGHT, *file.log[before.step].then[1:])
    file.head = chain.heads(file)[-1]
    return before, load(signed_text(file, REFEREE))


def audited(file: GameFile) -> None:
    audit(file, chain.heads(file), opening.deal_secret(file, REFEREE))


CHEATS: list[tuple[str, str, type[GameError], Callable[[], tuple[GameFile, GameFile]]]] = [
    ("acts before the time is over", "verify", Damaged, acts(RIGHT[:-2] + "0Z")),
    ("acts for nobody late", "verify", Damaged, acts("ask 1.1.role.ana")),
    ("calls it due earlier than it said", "compare", Fork, acts(RIGHT.replace("04T", "03T"))),
    ("plays otherwise than the bot", "audit", Damaged, acts(RIGHT, "role prospector")),
    ("turns the clock back", "verify", Damaged, turns_the_clock_back),
    ("signs what it answers", "verify", Damaged, signs_what_it_answers),
    ("calls late at once", "verify", Damaged, calls_late_at_once),
    ("was late in the future", "verify", Damaged, was_late_in_the_future),
    ("was late before", "compare", Fork, was_late_before_the_older_file),
    ("sets a time for no question", "verify", Damaged, signs(due_at_another)),
    ("answers before anybody had time", "compare", Fork, answers_before_anybody_had_time),
    ("says no time", "verify", Damaged, signs(lambda f: setattr(f, "now", None))),
    ("sets no time", "verify", Damaged, signs(lambda f: f.due.clear())),
    ("gives more time", "verify", Damaged, signs(due_at(NOON + 4 * DAY + timedelta(seconds=1)))),
    ("gives less time", "compare", Fork, signs(due_at(NOON + 3 * DAY - timedelta(seconds=1)))),
    ("writes an earlier time", "compare", Fork, signs(earlier)),
    ("changes what was due", "compare", Fork, changes_what_was_due),
    ("drops a vacation", "compare", Fork, signs(lambda f: f.vacations.pop())),
    ("says a vacation twice", "verify", Damaged, signs(lambda f: f.vacations.extend(f.vacations))),
    ("makes up a vacation", "verify", GameError, makes_up_a_vacation),
    ("lets ana be away longer", "verify", Damaged, lets_ana_be_away_longer),
    ("counts a late vacation", "verify", Damaged, counts_a_vacation_of_who_had_seen_the_question),
    ("calls late at two times", "verify", Damaged, calls_a_batch_late_at_two_times),
]  # fmt: skip


@pytest.mark.parametrize(
    ("finder", "error", "cheat"),
    [row[1:] for row in CHEATS],
    ids=[row[0] for row in CHEATS],
)
def test_a_referee_who_cheats_with_time(
    finder: str, error: type[GameError], cheat: Callable[[], tuple[GameFile, GameFile]]
) -> None:
    before, after = cheat()
    checks: dict[str, Callable[[], object]] = {
        "verify": lambda: verify(after, chain.heads(after)),
        "compare": lambda: compare(before, chain.heads(before), after, chain.heads(after)),
        "audit": lambda: audited(after),
    }
    for name, check in checks.items():
        if name == finder:
            with pytest.raises(error):
                check()
            return
        check()


def test_a_hand_is_followed_through_a_late_answer() -> None:
    """Its owner gave nothing away, but the referee did in the owner's place."""
    table = Table(2, clock=BOT).join_all()
    table.play(lambda file: ".build." in file.asked_ids()[0])
    before = table.file
    seat = before.asked[0].seat
    table.now = LATE
    table.expire()
    after = table.file
    assert after.log[-1].play != "pass"
    hands = {}
    for file in (before, after):
        mine = player.my_seat(file, key_of(seat).public)
        hands[file.step] = views.open_hand(file, mine, key_of(seat))
    done = compare(before, chain.heads(before), after, chain.heads(after), hands).done
    assert done[-1].startswith("your hand is exactly what it held")


def test_a_time_needs_a_clock() -> None:
    text = Table(2, clock=BOT).join_all().text
    body = tomllib.loads(text)
    del body["game"]["clock"]
    with pytest.raises(Damaged, match="this game has no clock"):
        parse(laid_out(body).encode())


def test_a_table_that_waits_is_not_answered_for() -> None:
    with pytest.raises(Damaged, match="not an act of the referee"):
        acts(RIGHT, terms=WAIT)()
