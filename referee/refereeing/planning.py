"""Judging plans: each waits for the next answers to take effect, and is logged before them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.errors import AlreadyApplied, Stale, has_left
from referee.games.errors import Illegal, NotUnderstood
from referee.notes.kinds import Leave
from referee.notes.plantext import PlanText, text_beside
from referee.refereeing.seatnotes import playing_seat
from referee.table import plans
from referee.table.capacity import MAX_SIZE_FOR_NOTES, Full, check_room
from referee.table.gamefile import KeptPlan
from referee.table.provenance import check_signed_by, has_seen
from referee.table.standing import Standing

if TYPE_CHECKING:
    from referee.notes.finding import Found
    from referee.notes.kinds import Plan
    from referee.notes.signed import SignedNote
    from referee.table.replay import Session


class PlanJudge:
    """Keeps the plans of a game that the referee has replayed."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.file = session.file

    def take(self, note: Plan, signed: SignedNote, found: Found) -> str:
        """Let a plan wait in place of the one before; the word for it.

        Raises any mistake of the protocol. None of them says anything that depends on the clauses.
        """
        file = self.file
        seat = playing_seat(file, note)
        assert seat.holder is not None
        check_signed_by(seat.holder, note, signed.signature)
        if not file.plan_language:
            raise Illegal("this table takes no plans")
        standing = Standing.after(file)
        if seat.name in standing.left:
            raise has_left(seat.name, "it plans nothing")
        opened = max(1, standing.last(Leave.kind, seat.name))
        has_seen(
            file, self.session.heads, note, seat.name, opened, "the deal, or that the seat is back"
        )
        most = plans.highest_number(note.step)
        if note.number > most:
            raise NotUnderstood(
                f"this plan has the number {note.number}, and after step {note.step} "
                f"the highest is {most}",
                "plan again: the program numbers plans itself",
            )
        self._check_newest(note)
        text = self._text(note, signed, found)
        if self.session.plans.book.count(seat.name) >= plans.MAX_PLANS:
            raise Full(
                f"{seat.name} has planned {plans.MAX_PLANS} times, which is as often as a game "
                "file holds",
                "the last plan stays in force; what it leaves open is asked",
            )
        check_room(file, MAX_SIZE_FOR_NOTES, "plan")
        waits = KeptPlan(
            seat.name,
            note.number,
            seen=note.step,
            clauses=note.clauses,
            signature=signed.raw64,
        )
        others = [one for one in file.plans if one.seat != seat.name or not one.waits]
        order = [one.name for one in file.seats]
        file.plans = sorted([*others, waits], key=lambda one: (order.index(one.seat), one.number))
        self.session.plans.texts[seat.name, note.number] = text
        return f"{seat.name} has planned: plan {note.number} holds from the next question on"

    def _check_newest(self, note: Plan) -> None:
        """Raise AlreadyApplied or Stale unless a plan is newer than all others of its seat."""
        mine = [one for one in self.file.plans if one.seat == note.seat]
        waiting = next((one for one in mine if one.waits), None)
        highest = waiting.number if waiting else self.session.plans.book.highest(note.seat)
        if note.number > highest:
            return
        if note.number < highest:
            raise Stale(
                f"{note.seat} has a newer plan already, plan {highest}", reason="older-plan"
            )
        logged = (one for one in self.file.log if plans.is_plan(one.decision))
        known = waiting.clauses if waiting else None
        for entry in logged:
            if entry.by == note.seat and plans.read_plan(entry.play)[0] == highest:
                known = plans.read_plan(entry.play)[1]
        if known == note.clauses:
            raise AlreadyApplied(f"plan {highest} of {note.seat} was taken before; nothing changed")
        raise Stale(
            f"another plan of {note.seat} has the number {highest}",
            "plan again: then it gets a higher number",
            reason="older-plan",
        )

    def _text(self, note: Plan, signed: SignedNote, found: Found) -> PlanText:
        """Return what the hash in a plan stands for. Raises NotUnderstood, without a reason."""
        try:
            text = text_beside(signed, found.whole)
            text.check_size()
            assert self.session.plans.language is not None
            self.session.plans.language.check(text.clauses)
            right = text.hash(note.game, note.seat, note.number) == note.clauses
        except NotUnderstood:
            right = False
        if not right:
            raise NotUnderstood(
                "this plan is not understood",
                "make it with `sanjuan-ref plan`, of the version that the referee has",
            )
        return text

    def log(self) -> None:
        """Put the plans that wait into the log, in playing order."""
        file = self.file
        for name in file.seating:
            for one in file.plans:
                if one.seat == name and one.waits:
                    decision = plans.decision_id(file.log, name)
                    play = plans.play_of(one.number, one.clauses)
                    self.session.accept(decision, name, play, one.seen, one.signature)
                    one.seen, one.clauses, one.signature = 0, b"", b""
