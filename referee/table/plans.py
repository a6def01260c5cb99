"""Plans in the log: which one a question is put under, and what of it is alive (PROTOCOL 18)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from referee.errors import Damaged
from referee.games.interface import PlanLanguage
from referee.notes.kinds import Leave, Plan
from referee.records import NamedTuple
from referee.table.chain import DEAL, REFEREE, Asking, Planned, head_seen, read_line
from referee.table.decisions import DecisionId
from referee.table.gamefile import Entry, GameFile
from referee.table.standing import is_standing
from referee.table.transfer import is_transfer, read_play

KIND = "plan"
MAX_IN_A_ROW = 24
"""The most answers that a plan gives for a seat before the seat is asked: until then its owner
checks them all together."""
MAX_PLANS = 60
"""The most plans of a seat in the log. All are kept to the end of the game."""
FIRST_NUMBERS, NUMBERS_A_STEP = 8, 4


def is_plan(decision: str) -> bool:
    """Return True if a log entry of this id is a plan."""
    if f".{KIND}." not in decision:
        return False
    return re.fullmatch(rf"0\.[0-9]+\.{KIND}\.\S+", decision) is not None


def decision_id(log: Iterable[Entry], seat: str) -> str:
    """Return the id of the next plan after a log: `0.NUMBER.plan.SEAT`."""
    return f"0.{1 + sum(is_plan(entry.decision) for entry in log)}.{KIND}.{seat}"


def play_of(number: int, clauses: bytes) -> str:
    """Return the play of a plan in the log."""
    return f"{KIND} {number} {clauses.hex()}"


def read_plan(play: str) -> tuple[int, bytes]:
    """Return number and hash of a plan's play; raise Damaged."""
    found = re.fullmatch(rf"{KIND} ([1-9][0-9]{{0,5}}) ([0-9a-f]{{64}})", play)
    if found is None:
        raise Damaged("the play of a plan names no plan")
    return int(found[1]), bytes.fromhex(found[2])


def note_of(file: GameFile, entry: Entry, heads: Sequence[bytes]) -> Plan:
    """Return the note behind a plan in the log, rebuilt word for word; raise Damaged."""
    number, clauses = read_plan(entry.play)
    head = head_seen(heads, entry, entry.seen)
    return Plan(file.game, entry.by, number, entry.seen, head, clauses.hex())


def highest_number(seen: int) -> int:
    """Return the highest number of a plan whose author has seen so many steps."""
    return FIRST_NUMBERS + NUMBERS_A_STEP * seen


def plan_behind(entry: Entry) -> int:
    """Return the number of the plan that gave an answer, or 0 if none did."""
    return plan_number(entry.then)


def is_by_bot(entry: Entry) -> bool:
    """Return True for an answer that a bot gave: nobody has signed it, and no plan."""
    return not (entry.signature or entry.by == REFEREE or plan_behind(entry))


def plan_number(lines: Sequence[str]) -> int:
    """Return the number of the plan that gave an answer with these lines, or 0."""
    line = read_line(lines[0]) if lines and lines[0].startswith("plan ") else None
    return line.number if isinstance(line, Planned) else 0


class InForce(NamedTuple):
    """The plan under which a question is put; `turn_alive` says if its turn clauses still hold."""

    number: int
    turn_alive: bool


class _Turn:
    """A question of the kind by which turns are counted; `plan` is that of its answer, or 0."""

    __slots__ = ("answered", "decision", "opened", "plan")

    def __init__(self, decision: str, opened: int) -> None:
        self.decision = decision
        self.opened = opened
        self.answered = False
        self.plan = 0


class _SeatPlans:
    """The newest plan of a seat, and what has become of it."""

    def __init__(self, key: bytes) -> None:
        self.key = key
        self.number = 0
        self.seen = 0
        self.highest = 0
        self.count = 0
        self.in_row = 0
        self.turns: list[_Turn] = []
        self.noted = 0
        self.answers: list[PlannedAnswer] = []

    def note(self, seen: int) -> None:
        """Take down that the seat has signed something, and what it had seen."""
        self.in_row = 0
        self.noted = max(self.noted, seen)
        self.answers = [one for one in self.answers if one.step > self.noted]


class PlannedAnswer(NamedTuple):
    """An answer that a plan gave: of which number, at which step, to what."""

    number: int
    step: int
    decision: str


class PlanBook:
    """Follows a log, and knows under which plan each open question was put.

    `under` is that: a question without a plan is not in it. Who does not know the `language` of the
    plans does not know what of them is alive either.
    """

    def __init__(self, file: GameFile, language: PlanLanguage | None = None) -> None:
        self.under: dict[str, InForce] = {}
        self._file = file
        self._turn_kind = language.turn_kind if language is not None else ""
        self._seats: dict[str, _SeatPlans] = {}

    def follow(self, step: int, entry: Entry) -> None:
        """Go over the log's next entry."""
        if entry.decision == DEAL:
            keys = {seat.name: seat.key for seat in self._file.seats}
            self._seats = {name: _SeatPlans(key.raw) for name, key in keys.items() if key}
        seat = self._seats.get(entry.by)
        if seat is not None and is_transfer(entry.decision):
            key = read_play(entry.play)[0].raw
            # Where only the recipient has changed, the plan is still its author's.
            if key != seat.key:
                seat.key, seat.number, seat.answers = key, 0, []
            seat.note(entry.seen)
        elif seat is not None and is_standing(entry.decision):
            if entry.play == Leave.plays[0]:
                seat.number = 0
            seat.note(entry.seen)
        elif seat is not None and is_plan(entry.decision):
            seat.number, _ = read_plan(entry.play)
            seat.seen, seat.highest, seat.count = entry.seen, seat.number, seat.count + 1
            seat.note(entry.seen)
        elif not entry.decision.startswith("0."):
            self._answered(step, entry)
        line = read_line(entry.then[-1]) if entry.then and entry.then[-1][:4] == "ask " else None
        if isinstance(line, Asking):
            self.under = {}
            for decision in line.decisions:
                self._opened(decision, step)

    def _of(self, seat: str) -> _SeatPlans:
        return self._seats.get(seat) or _SeatPlans(b"")

    def in_force(self, seat: str) -> int:
        """Return the number of the plan under which the seat's next question is put, or 0."""
        return self._of(seat).number

    def highest(self, seat: str) -> int:
        """Return the highest number of the seat's plans in the log, whoever held it."""
        return self._of(seat).highest

    def count(self, seat: str) -> int:
        """Return the number of the seat's plans in the log."""
        return self._of(seat).count

    def unseen(self, seat: str) -> list[PlannedAnswer]:
        """Return the planned answers of which no note in the log shows that its holder saw them."""
        return self._of(seat).answers

    def is_alive(self, seat: str, seen: int | None = None) -> bool:
        """Return True if turn clauses hold for a question that is put to a seat next.

        They are those of its plan in force, or of one that waits, whose author has `seen` so much.
        A turn that is open now will be answered by then, and not by a plan.
        """
        mine = self._of(seat)
        since = [turn for turn in mine.turns if turn.opened > (mine.seen if seen is None else seen)]
        if seen is None and len(since) == 1 and since[0].answered:
            return since[0].plan == mine.number
        return not since

    def turns(self, seat: str) -> int:
        """Return the number of a seat's turns that have begun."""
        return len(self._of(seat).turns)

    def has_planned_turn(self, seat: str, seen: int | None = None) -> bool:
        """Return True if turn clauses of a plan would hold for the turn of a seat that comes next.

        They are those of its plan in force, or of one that waits, whose author has `seen` so much.
        """
        if seen is not None:
            return self.is_alive(seat, seen)
        mine = self._of(seat)
        return bool(mine.number) and not any(turn.opened > mine.seen for turn in mine.turns)

    def is_needed(self, seat: str, number: int) -> bool:
        """Return True if a seat has still use for the text of its plan in the log."""
        mine = self._of(seat)
        return number == mine.number or number in [one.number for one in mine.answers]

    def _answered(self, step: int, entry: Entry) -> None:
        seat = self._seats.get(DecisionId.parse(entry.decision).seat)
        if seat is None:
            return
        number = plan_behind(entry)
        if number:
            seat.in_row += 1
            seat.answers.append(PlannedAnswer(number, step, entry.decision))
        elif entry.signature:
            seat.note(entry.seen)
        for turn in seat.turns:
            if turn.decision == entry.decision:
                turn.answered, turn.plan = True, number

    def _opened(self, decision: str, step: int) -> None:
        asked = DecisionId.parse(decision)
        seat = self._seats.get(asked.seat)
        if seat is None:
            return
        if seat.number and seat.in_row < MAX_IN_A_ROW:
            of_turn = asked.kind == self._turn_kind
            self.under[decision] = InForce(seat.number, self._turn_alive(seat, of_turn))
        if asked.kind == self._turn_kind:
            seat.turns.append(_Turn(decision, step))

    def _turn_alive(self, seat: _SeatPlans, of_turn: bool) -> bool:
        """Return True if the turn clauses of a seat's plan hold for a question that is put now.

        They do until a question of its turn, put after what the plan had seen, was answered; if the
        plan has answered that itself, until the next one is put.
        """
        since = [turn for turn in seat.turns if turn.opened > seat.seen]
        if not any(turn.answered for turn in since):
            return True
        return len(since) == 1 and since[0].plan == seat.number and not of_turn
