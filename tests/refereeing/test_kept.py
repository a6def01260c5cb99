"""A process that stays goes on from what it has written as it would from the file."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest

from referee.errors import Stale
from referee.notes.finding import find
from referee.refereeing.commit import apply_notes, let_bots_go_on, open_game
from referee.refereeing.judging import Judge, Verdict
from referee.refereeing.kept import Kept
from referee.refereeing.ledger import Ledger
from referee.storage import NotWritten
from referee.table import opening
from referee.table.clock import bots_think, owed_decisions
from referee.table.gamefile import GameFile, file_document
from referee.table.planreplay import texts_of
from referee.table.plans import plan_behind
from referee.table.replay import Session
from tests.table.tables import NOON, REFEREE, Table, load

PLAN = {"ana": "always role: best", "ben": "builder: pass"}


class Desk:
    """A table on disk, and how often its referee has replayed it."""

    def __init__(self, folder: Path, table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
        self.path = folder / "game.toml"
        self._ledger = folder / "ledger"
        self.path.write_text(table.text)
        self.table = table
        self.replays = 0
        replay = Session.replay

        def counted(*what: object, **how: object) -> Session:
            self.replays += 1
            return replay(*what, **how)  # type: ignore[arg-type]

        monkeypatch.setattr(Session, "replay", counted)

    def apply(self, kept: Kept | None, *notes: str, dry_run: bool = False) -> list[Verdict]:
        found = [("note", one) for note in notes for one in find(note)]
        with open_game(
            self.path, REFEREE, ledger=self._ledger, kept=kept, dry_run=dry_run
        ) as opened:
            verdicts = apply_notes(opened, found, NOON)
        self.table.text = self.path.read_text()
        return verdicts

    def answer(self, kept: Kept | None, *, dry_run: bool = False) -> None:
        decision = owed_decisions(self.table.file)[0]
        seat = decision.rpartition(".")[2]
        note = self.table.note(decision, self.table.view(seat).suggest())
        assert [one.error for one in self.apply(kept, note, dry_run=dry_run)] == [None]


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    return Desk(tmp_path, Table(3, plans=True).join_all(), monkeypatch)


def facts(session: Session) -> object:
    """All of a session that somebody can see, beside what is sealed anew each time."""
    file = session.file
    body = file_document(file) | {"hands": {}, "plans": [], "pending": []}
    waiting = [(one.decision, one.commitment, one.number, one.plan) for one in file.pending]
    plans = [(one.seat, one.number, one.clauses, bool(one.sealed)) for one in file.plans]
    hands = [session.hand(seat, file.step) for seat in file.seating]
    return body, waiting, plans, hands, session.decisions(), session.head, session.over


def test_a_game_goes_on_from_what_is_kept(desk: Desk) -> None:
    kept = Kept()
    table = desk.table
    while (file := table.file).step < 70:
        if file.step in (4, 40):
            plans = [table.plan(seat, PLAN[seat], number=file.step) for seat in PLAN]
            assert not any(one.error for one in desk.apply(kept, *plans))
        desk.answer(kept)
        if table.file.step % 7 == 0:
            session = kept.take(desk.path, desk.path.read_bytes())
            assert session is not None
            kept.put(desk.path, desk.path.read_bytes(), session)
            before = desk.replays
            fresh = load(table.text)
            secret = opening.deal_secret(fresh, REFEREE)
            again = Session.replay(fresh, secret, texts_of(fresh, REFEREE))
            assert facts(again) == facts(session)
            desk.replays = before
    assert desk.replays == 1
    assert any(plan_behind(entry) for entry in table.file.log)


def test_a_file_that_somebody_else_has_written_is_read(desk: Desk) -> None:
    kept = Kept()
    desk.answer(kept)
    desk.answer(None)
    desk.answer(kept)
    assert desk.replays == 3
    desk.answer(kept)
    assert desk.replays == 3


def test_an_older_file_is_refused_all_the_same(desk: Desk) -> None:
    kept = Kept()
    desk.answer(kept)
    older = desk.path.read_text()
    desk.answer(kept)
    desk.answer(kept)
    desk.path.write_text(older)
    with pytest.raises(Stale):
        desk.apply(kept)


def test_what_was_not_written_is_not_kept(desk: Desk) -> None:
    kept = Kept()
    desk.answer(kept)
    assert desk.replays == 1
    desk.answer(kept, dry_run=True)
    desk.answer(kept)
    assert desk.replays == 2


def test_a_session_that_is_ahead_of_its_file_is_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bots have answered, and the file with their answers could not be written."""
    monkeypatch.setattr(Judge.__init__, "__defaults__", (0.0,))
    bots = {"ben": "easy-1", "carl": "easy-1"}
    desk = Desk(tmp_path, Table(3, "slow", bots=bots).join_all(), monkeypatch)
    kept, record = Kept(), Ledger.record
    for _ in range(4):
        written = 0

        def once(ledger: Ledger, file: GameFile, text: str) -> None:
            nonlocal written
            written += 1
            if written > 2:
                raise NotWritten("the disk is full; nothing was changed")
            record(ledger, file, text)

        monkeypatch.setattr(Ledger, "record", once)
        note = desk.table.note(owed_decisions(desk.table.file)[0], desk.table.view("ana").suggest())
        found = [("note", one) for one in find(note)]
        with (
            suppress(NotWritten),
            open_game(desk.path, REFEREE, ledger=tmp_path / "ledger", kept=kept) as opened,
        ):
            apply_notes(opened, found, NOON)
            let_bots_go_on(opened, NOON)
        data = desk.path.read_bytes()
        session = kept.take(desk.path, data)
        assert session is None or session.file.step == load(data.decode()).step
        monkeypatch.setattr(Ledger, "record", record)
        while bots_think(load(desk.path.read_text())):
            desk.apply(None)
        desk.table.text = desk.path.read_text()


def test_only_the_newest_are_kept(desk: Desk) -> None:
    kept = Kept(most=1)
    desk.answer(kept)
    session = kept.take(desk.path, desk.path.read_bytes())
    assert session is not None
    kept.put(desk.path, b"1", session)
    kept.put(desk.path.with_name("other"), b"2", session)
    assert kept.take(desk.path, b"1") is None
    assert kept.take(desk.path.with_name("other"), b"2") is session
