"""Runs of the referee that are stopped in the middle, and keep what was judged by then."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path

import pytest

from referee.errors import Mistake
from referee.git import notequeue, service
from referee.git.repo import Repo
from referee.notes.finding import Found
from referee.refereeing import commit
from referee.refereeing.judging import Verdict
from referee.table.times import current_time
from tests.git.club import Club, seated
from tests.git.pushed import push, put, turn
from tests.git.test_attacks import refusals, verify
from tests.table.tables import REFEREE

JUNK = 6
MODES = pytest.mark.parametrize("forgets", [False, True], ids=["ledger", "branch"])


class Runs:
    """Runs in which notes are judged one at a time; `before_note` is called before each."""

    def __init__(self, club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
        self.club = club
        self.judged: list[str] = []
        self.before_note: Callable[[], None] = lambda: None
        try_notes = commit.try_notes

        def watched(
            desk: commit.OpenGame, notes: Sequence[tuple[str, Found]], now: datetime
        ) -> list[Verdict] | Mistake:
            self.before_note()
            self.judged += [name for name, _ in notes]
            return try_notes(desk, notes, now)

        monkeypatch.setattr(commit, "try_notes", watched)
        monkeypatch.setattr(service, "PORTION", 0.0)
        monkeypatch.setattr(notequeue, "MAX_AT_ONCE", 1)

    def run(self, *, forgets: bool = False) -> service.Outcome:
        """The referee here and now, who begins to count what it judges."""
        self.judged = []
        ledger = None if forgets else self.club.folder / "ledger"
        duty = service.RefereeJob("game.toml", "main", "", current_time(), ledger, forgets)
        return service.referee(Repo.at(self.club.bare), duty, REFEREE)

    def stop_after(self, notes: int) -> None:
        def stop() -> None:
            if len(self.judged) == notes:
                raise KeyboardInterrupt

        self.before_note = stop


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Runs:
    """A table at which ana has moved, and somebody has pushed notes that are none."""
    club = seated(tmp_path)
    turn(club, "ana")
    junk = {f"0{one}.note": b"sanjuan-ref/1 move\n%d\n" % one for one in range(JUNK)}
    push(club, {"moves": dict(junk)})
    return Runs(club, monkeypatch)


def check_settled(runs: Runs, *, forgets: bool) -> None:
    assert runs.club.file().step == 2
    assert len(refusals(runs.club)) == JUNK
    assert "none of them ignored" in verify(runs.club)
    assert not runs.run(forgets=forgets).commit
    assert runs.judged == []


@MODES
def test_a_run_that_is_stopped_again_and_again_comes_to_an_end(runs: Runs, forgets: bool) -> None:
    runs.stop_after(3)
    for kept in (3, 6):
        with pytest.raises(KeyboardInterrupt):
            runs.run(forgets=forgets)
        assert len(refusals(runs.club)) == kept
        assert "has not been dealt with yet" in verify(runs.club)
    # The move comes last by its name, and is the first that is left.
    assert runs.run(forgets=forgets).commit
    assert len([name for name in runs.judged if name.endswith(".note")]) == 0
    check_settled(runs, forgets=forgets)


def test_notes_that_somebody_has_taken_away_are_not_judged_again(runs: Runs) -> None:
    before = runs.club.git("rev-parse", "main~1^{tree}", at=runs.club.bare)
    put(runs.club, before)
    runs.stop_after(4)
    with pytest.raises(KeyboardInterrupt):
        runs.run()
    runs.stop_after(-1)
    runs.run()
    # The move was judged among the first four. It counts, which no answer says.
    assert len(runs.judged) == JUNK - 3 + 1
    check_settled(runs, forgets=False)


@MODES
def test_somebody_pushes_while_portions_are_kept(runs: Runs, forgets: bool) -> None:
    pushed = [0]

    def race() -> None:
        if pushed[0] < 3:
            pushed[0] += 1
            push(runs.club, {"hello": b"%d" % pushed[0]})

    runs.before_note = race
    assert runs.run(forgets=forgets).commit
    runs.before_note = lambda: None
    check_settled(runs, forgets=forgets)


def test_each_refusal_is_told_in_one_commit(runs: Runs) -> None:
    runs.run()
    kept = [line for line in runs.club.subjects() if "refused" in line]
    assert len(kept) == JUNK
    # The move too, in whichever portion it was.
    messages = runs.club.git("log", "--format=%B", "main", at=runs.club.bare)
    assert messages.count("1.1 ana: ") == 1
    assert "1.1.role.ana: " not in messages
    check_settled(runs, forgets=False)


def test_a_short_run_makes_one_commit(runs: Runs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    count = len(runs.club.subjects())
    runs.run()
    assert len(runs.club.subjects()) == count + 1
