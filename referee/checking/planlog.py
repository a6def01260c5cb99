"""Checks of the plans in a log, which anybody can make: whose they are, and which was in force."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.crypto.sealing import is_sealed_to
from referee.errors import BadSignature, Damaged
from referee.notes.kinds import Leave
from referee.notes.plantext import KEPT_BLOCK
from referee.table.planreplay import recipients, texts_of
from referee.table.plans import (
    MAX_PLANS,
    PlanBook,
    decision_id,
    highest_number,
    is_plan,
    note_of,
    plan_behind,
    read_plan,
)
from referee.table.provenance import waiting_plan_note

if TYPE_CHECKING:
    from referee.notes.kinds import Plan
    from referee.table.gamefile import Entry, GameFile
    from referee.table.standing import Standing
    from referee.table.transfer import Holders


class PlanVerifier:
    """The plans of a log from its beginning, and of the file at its end."""

    def __init__(
        self, file: GameFile, heads: list[bytes], holders: Holders, standing: Standing
    ) -> None:
        self.standing = standing
        self.file = file
        self.heads = heads
        self.holders = holders
        self.book = PlanBook(file)
        self.planned = 0
        self._group: list[Entry] = []

    def before(self, entry: Entry, where: str) -> None:
        """Raise Damaged for an entry that stands between a plan and the next answer."""
        if is_plan(entry.decision):
            return
        if self._group and entry.decision.startswith("0."):
            raise Damaged(f"{where}: it stands between a plan and the next answer")
        self._group = []

    def plan(self, step: int, entry: Entry, *, may_stand: bool, where: str) -> None:
        """Check a plan in the log, which `may_stand` where no answer of a batch came before it."""
        file, first = self.file, step - len(self._group)
        if not file.plan_language or entry.then or entry.by not in file.seating:
            raise Damaged(f"{where}: no plan of a seat can stand there")
        if not may_stand:
            raise Damaged(f"{where}: it does not stand before the first answer to a question")
        if entry.decision != decision_id(file.log[: step - 1], entry.by):
            raise Damaged(f"{where}: it is not the next plan")
        places = [file.seating.index(one.by) for one in (*self._group, entry)]
        if len(places) > 1 and places[-1] <= places[-2]:
            raise Damaged(f"{where}: the plans do not stand in the order of the seats")
        if not 0 < entry.seen < first:
            raise Damaged(f"{where}: its author had not seen the deal, or what nobody had seen")
        self._check(note_of(file, entry, self.heads), entry.signature, where)
        if self.book.count(entry.by) >= MAX_PLANS:
            raise Damaged(f"{where}: {entry.by} has planned too often")
        self._group.append(entry)

    def is_planned(self, entry: Entry, where: str) -> bool:
        """Return True for an answer that follows from a plan; raise Damaged if that cannot be."""
        number = plan_behind(entry)
        if not number:
            return False
        under = self.book.under.get(entry.decision)
        if under is None or under.number != number or entry.signature:
            raise Damaged(f"{where}: no such plan was in force when the question was put")
        self.planned += 1
        return True

    def _check(self, note: Plan, signature: bytes, where: str) -> None:
        """Raise Damaged or BadSignature unless a plan is its seat's and newer than the others."""
        key = self.holders.at(note.seat, note.step)
        if key is None or note.step < self.holders.held_since(note.seat):
            raise Damaged(f"{where}: it was signed before the seat changed hands")
        gone = note.seat in self.standing.left
        if gone or note.step < self.standing.last(Leave.kind, note.seat):
            raise Damaged(f"{where}: {note.seat} has left since, or again")
        if not self.book.highest(note.seat) < note.number <= highest_number(note.step):
            raise Damaged(f"{where}: the plan cannot have the number {note.number}")
        if not note.verify(key, signature):
            raise BadSignature(f"{where}: {note.seat} did not sign this plan")

    def finish(self) -> None:
        """Check planned answers that wait, plans that wait, and the texts of those in the log."""
        file = self.file
        if self._group:
            raise Damaged("the log ends with a plan that no answer follows")
        for answer in file.pending:
            under = self.book.under.get(answer.decision)
            if answer.plan and (under is None or under.number != answer.plan):
                raise Damaged(f"{answer.decision} was not put under plan {answer.plan}")
        self._kept()
        if not file.asked:
            texts_of(file)
            return
        for plan in file.plans:
            to = recipients(file, self.book, plan)
            if not is_sealed_to(plan.sealed, to, KEPT_BLOCK):
                raise Damaged(
                    f"plan {plan.number} of {plan.seat} is not sealed to the referee and its seat"
                )

    def _kept(self) -> None:
        """Raise Damaged unless the file has each plan of the log, and what can wait beside it."""
        file, over = self.file, not self.file.asked
        order = [seat.name for seat in file.seats]
        logged = [
            (order.index(entry.by), read_plan(entry.play)[0])
            for entry in file.log
            if is_plan(entry.decision)
        ]
        kept = [(order.index(one.seat), one.number) for one in file.plans if not one.waits]
        if kept != sorted(logged):
            raise Damaged("plans: they are not those of the log")
        if any(bool(one.sealed) == over for one in file.plans):
            raise Damaged("plans: their texts are sealed until the game is over, and open then")
        waiting = [one for one in file.plans if one.waits]
        if len({one.seat for one in waiting}) < len(waiting) or (waiting and over):
            raise Damaged("plans: one waits that cannot")
        for one in waiting:
            where = f"plan {one.number} of {one.seat}"
            if not file.plan_language or not 0 < one.seen < len(self.heads):
                raise Damaged(f"{where}: it was not signed at a step of this game")
            self._check(waiting_plan_note(file, one, self.heads), one.signature, where)
