"""Finding false answers of a referee, by the note and the game file alone.

If a play is refused as illegal, nobody else sees the hand. But everybody sees whether a note is in
the game, whether a question was open, and whether a signature is right.
"""

from __future__ import annotations

import re
from functools import cache, partial
from typing import TYPE_CHECKING

from referee.crypto.keys import PublicKey
from referee.errors import (
    AlreadyApplied,
    BadSignature,
    Damaged,
    Fork,
    Mistake,
    Newer,
    NoKey,
    NotYours,
    OtherGame,
    Stale,
)
from referee.games.errors import GameError, Illegal, NotUnderstood
from referee.git.answers import CLAIM, MAX_SAID, NO_ROOM, SO_ON, TOO_LARGE
from referee.git.evidence import PublicNotes, Trace
from referee.notes.finding import Found
from referee.notes.kinds import AnyNote, Join, Leave, Move, Plan, Transfer, Vacation, Vote
from referee.notes.mime import printable_line
from referee.table import chain
from referee.table.capacity import (
    MAX_SIZE_FOR_ANSWERS,
    MAX_SIZE_FOR_NOTES,
    MAX_STANDINGS_PER_SEAT,
    MAX_TRANSFERS_BY_NEW_KEYS,
    MAX_TRANSFERS_PER_SEAT,
    MAX_TRANSFERS_SIGNED,
)
from referee.table.clock import check_vacation, today
from referee.table.decisions import DecisionId
from referee.table.joins import join_of
from referee.table.opening import is_backup
from referee.table.plans import MAX_PLANS, is_plan, read_plan
from referee.table.standing import Standing
from referee.table.times import current_time
from referee.table.transfer import is_transfer, keys_of, read_play, signed_alike, since

if TYPE_CHECKING:
    from collections.abc import Sequence

    from referee.git.answers import Answer
    from referee.notes.signed import SignedNote
    from referee.table.gamefile import GameFile

FAILURE = re.compile(r"the program fails on this note: \w+( +at [^ ]+:\d+)*")
REASONS = {
    **dict.fromkeys(
        (
            *("game-over", "not-open", "answered-otherwise", "ahead", "seen-too-early", "over"),
            *("seat-taken", "other-salt", "older-plan", "left"),
        ),
        Stale.exit_code,
    ),
    "already-applied": AlreadyApplied.exit_code,
    "not-yours": NotYours.exit_code,
    **dict.fromkeys(("not-understood", "no-note", OtherGame.reason), NotUnderstood.exit_code),
    **dict.fromkeys(("illegal", "full", "no-room"), Illegal.exit_code),
    **dict.fromkeys(("bad-signature", "bad-key"), BadSignature.exit_code),
    **dict.fromkeys(("damaged", "newer"), Damaged.exit_code),
    "fork": Fork.exit_code,
    **dict.fromkeys(("no-key", "not-sealed-to-you"), NoKey.exit_code),
    "bug": Mistake.exit_code,
}
"""The reasons of all answers, each with its number."""
OF_ALL = frozenset({"already-applied", "not-yours", "bad-signature", "fork", "not-open"})
OF_SEATED = OF_ALL | {"game-over", "ahead", "seen-too-early", "full", "illegal"}
CLAIMS: dict[type, frozenset[str]] = {
    Move: OF_SEATED | {"answered-otherwise", "not-understood", "left"},
    Vote: OF_SEATED | {"left"},
    Leave: OF_SEATED,
    Join: OF_ALL | {"seat-taken", "other-salt"},
    Vacation: OF_SEATED | {"over", "not-understood"},
    Transfer: OF_SEATED | {"no-room"},
    Plan: OF_SEATED | {"older-plan", "not-understood", "left"},
}
"""The reasons for which a readable note of this game can be refused."""


class Facts:
    """Public facts of a game file, by which answers to notes are checked."""

    def __init__(self, file: GameFile, heads: Sequence[bytes], shown: PublicNotes) -> None:
        self._file = file
        self._heads = heads
        self._shown = shown

    def check(self, name: str, answer: Answer, found: Sequence[Found]) -> None:
        """Raise Stale if an answer to a file with these things cannot be true."""
        # Nobody has judged anything at a step to which the game has not got.
        if answer.first <= answer.step <= self._file.step and self._can_be_true(answer, found):
            return
        raise Stale(
            f"the answer to {printable_line(name)} is false by what the game file says: "
            f"{answer.said.partition(chr(10))[0] or 'it says nothing'}",
            "the referee has signed both; show them to the others, and ask it why",
            reason="false-answer",
        )

    def is_outdated(self, answer: Answer, found: Sequence[Found]) -> bool:
        """Return True if an answer which is not for good would be another one by now."""
        step = self._file.step
        now = answer._replace(step=step, since=step)
        return not answer.final and not self._can_be_true(now, found)

    def _can_be_true(self, answer: Answer, found: Sequence[Found]) -> bool:
        """Return True unless public facts disprove an answer at all steps that it names.

        It has a claim about each thing, in their order. Another version of the program may see
        more, or less, in what is no note.
        """
        said = answer.said.removesuffix(NO_ROOM)
        claims: list[tuple[str, str, str]] = CLAIM.findall(said)
        # Only a long answer is cut.
        is_cut = said.endswith(SO_ON) and len(said) > MAX_SAID // 2
        reached = {0}
        for thing in found:
            after = set(reached) if thing.signed is None and thing.sealed is None else set()
            is_false = cache(partial(self._is_false, found=thing, answer=answer))
            for at in reached:
                if at == len(claims):
                    after |= {at} if is_cut else set()
                elif not is_false(claims[at]):
                    after.add(at + 1)
            reached = after
        return bool(claims) and len(claims) in reached

    @property
    def _is_over(self) -> bool:
        return self._file.status in ("finished", "abandoned")

    def _is_false(self, claim: tuple[str, str, str], found: Found, answer: Answer) -> bool:
        """Return True if a claim about one thing in a note file cannot be true.

        False in doubt, also if another version of the program might understand the thing.
        """
        reason, code, words = claim
        if REASONS.get(reason) != int(code) or words.startswith(TOO_LARGE):
            return True
        signed = found.signed
        if signed is None:
            readable = found.sealed is not None or isinstance(found.error, Newer)
            return reason == "already-applied" and not readable
        if reason == "bug":
            return bool(words) and FAILURE.fullmatch(words) is None
        if signed.note.game != self._file.game:
            return reason != OtherGame.reason
        if reason not in CLAIMS[type(signed.note)]:
            return True
        note, seen = signed.note, signed.note.step
        early = reason != "already-applied" and seen > answer.first
        if early and _is_for_good(answer) and signed.holds():
            # Who has signed that a step was seen is refused for good from that step on only. A head
            # can be known before the branch has it: the referee may have sent the file elsewhere.
            if seen > answer.step:
                return True
            answer = answer._replace(since=seen)
        match reason:
            case "already-applied":
                return not self._counts(note, signed, answer)
            case "game-over":
                return not self._is_over or answer.step < self._file.step
            case "bad-signature" | "not-yours":
                return self._is_rightly_signed(signed, answer, reason)
            case "ahead":
                return signed.note.step <= answer.first
            case "fork":
                return self._has_seen_this_game(signed.note, answer.step)
            case "seen-too-early":
                held = since(self._file.log[: answer.step], _seat_of(signed.note))
                opened = max(self._opened(signed.note), self._said(signed.note, answer.step))
                return signed.note.step >= max(opened, held)
            case "not-open":
                return self._was_open(signed, answer)
            case "left":
                return not self._had_left(signed.note, answer)
            case "answered-otherwise":
                return isinstance(signed.note, Move) and not self._is_otherwise(signed.note, found)
            case _:
                return self._is_refused_falsely(reason, signed, found, answer)

    def _is_refused_falsely(
        self, reason: str, signed: SignedNote, found: Found, answer: Answer
    ) -> bool:
        """Return True if a reason for which the note itself matters little cannot be true."""
        file, note, step = self._file, signed.note, answer.step
        match reason, note:
            case "full", _:
                most = MAX_SIZE_FOR_ANSWERS if isinstance(note, Move) else MAX_SIZE_FOR_NOTES
                planned = (entry for entry in file.log[:step] if is_plan(entry.decision))
                if (
                    isinstance(note, Plan)
                    and sum(entry.by == note.seat for entry in planned) >= MAX_PLANS
                ):
                    return False
                # Things that wait leave the file again, and may have been as much as the rest; at
                # the end hands go, and sealed plans become short texts.
                return not self._is_over and file.size * 2 < most
            case "no-room", Transfer():
                moved = any(is_transfer(entry.decision) for entry in file.log[answer.first :])
                signer = signed.signature.public
                may_lack_room = moved or self._is_over or self._lacks_room(note, signer)
                # There may be room later, so by itself it is never for good.
                return _is_for_good(answer) or not may_lack_room
            case (("illegal" | "not-understood"), Move()):
                # Only the hand decides it; but what is in the log was legal.
                return self._shown.shows(Trace.of(found, file.game))
            case "older-plan", Plan():
                return not self._may_be_older(note, answer.first)
            case "illegal", Plan():
                return file.plan_language > 0
            case "illegal", Vote() | Leave():
                count = Standing.after(file, step).count(note.kind, note.seat)
                return count < MAX_STANDINGS_PER_SEAT
            case "illegal", Transfer():
                moves = (entry for entry in file.log[:step] if is_transfer(entry.decision))
                return sum(entry.by == note.seat for entry in moves) < MAX_TRANSFERS_PER_SEAT
            case (("illegal" | "not-understood" | "over"), Vacation()):
                return self._is_false_of_days(reason, note)
            case "seat-taken", Join():
                seat = file.seat(note.seat)
                return seat is None or seat.is_free or self._is_this_join(note)
            case "other-salt", Join():
                seat = file.seat(note.seat)
                mine = seat is not None and seat.referee and seat.key is not None
                same = mine and seat is not None and seat.key == PublicKey.parse(note.key)
                return not same or self._is_this_join(note)
        return False

    def _lacks_room(self, note: Transfer, signer: PublicKey) -> bool:
        """Return True if other transfers may keep out one that is signed by a key.

        One that only its new key had signed then may have more signatures now.
        """
        wanted = note.seat, note.key, note.seal or ""
        others = [
            one for one in self._file.transfers if (one.seat, one.key.hex, one.seal) != wanted
        ]
        alike = signed_alike(self._file, others, signer, note.seat)
        if alike is not None:
            return len(alike) >= MAX_TRANSFERS_SIGNED
        by_new = sum(one.key in [by.key for by in one.consents] for one in others)
        return by_new >= MAX_TRANSFERS_BY_NEW_KEYS

    def _is_false_of_days(self, reason: str, note: Vacation) -> bool:
        """Return True if the days of a vacation are no reason to refuse it so.

        Vacations stay in the file, so what it has room for now it had room for at any time.
        """
        try:
            first, last = note.days
        except NotUnderstood:
            return reason != "not-understood"
        if reason == "over":
            # By the clock of the reader's machine, which the referee's may be somewhat ahead of.
            now = current_time() if self._file.now is None else max(current_time(), self._file.now)
            return last > today(self._file.clock, now)
        if reason == "illegal":
            try:
                check_vacation(self._file, note.seat, first, last)
            except GameError:
                return False
        return True

    def _may_have_planned(self, note: Plan) -> bool:
        """Return True if the game has a plan, or may have had it: one that waits leaves no trace
        when another takes its place, its seat changes hands or leaves, or the game ends."""
        plans = self._plans_of(note.seat)
        replaced = any(number > note.number for number, _ in plans)
        moved = since(self._file.log, note.seat) > note.step
        moved = moved or self._said(note, self._file.step) > note.step
        return (note.number, note.clauses) in plans or replaced or moved or self._is_over

    def _may_be_older(self, note: Plan, first: int) -> bool:
        """Return True if the seat has, or may have had, another plan that a new one must outnumber.

        One that waited from step `first` on is gone without a trace if the seat has changed hands
        or left.
        """
        plans = self._plans_of(note.seat)
        others = any(
            number > note.number or (number == note.number and clauses != note.clauses)
            for number, clauses in plans
        )
        gone = max(since(self._file.log, note.seat), self._said(note, self._file.step)) > first
        return others or gone or self._is_over

    def _plans_of(self, seat: str) -> list[tuple[int, bytes]]:
        """Return number and hash of each plan of a seat, in the log or waiting."""
        logged = [
            read_plan(entry.play)
            for entry in self._file.log
            if is_plan(entry.decision) and entry.by == seat
        ]
        waiting = [one for one in self._file.plans if one.seat == seat and one.waits]
        return [*logged, *((one.number, one.clauses) for one in waiting)]

    def _is_this_join(self, note: Join) -> bool:
        """Return True if a seat was joined with just these terms."""
        seat = self._file.seat(note.seat)
        if seat is None or not seat.joined:
            return False
        same = join_of(self._file, seat)
        return (same.key, same.salt, same.seal) == (note.key, note.salt, note.seal)

    def _said(self, note: AnyNote, step: int) -> int:
        """Return the step that a note had to see because of what its seat had said, or 0."""
        match note:
            case Vote() | Leave():
                return Standing.after(self._file, step).since(note.seat)
            case Plan():
                return Standing.after(self._file, step).last(Leave.kind, note.seat)
        return 0

    def _had_left(self, note: AnyNote, answer: Answer) -> bool:
        """Return True if a seat had left at a step at which its note can have been judged."""
        seat = _seat_of(note)
        if not isinstance(note, Move):
            walk = Standing.during(self._file, answer.first, answer.step)
            return any(seat in standing.left for standing in walk)
        return Standing.after(self._file, answer.step).left_at(seat, self._opened(note)) > 0

    def _counts(self, note: AnyNote, signed: SignedNote, answer: Answer) -> bool:
        """Return True if the game file has a note or an equal one, or may have it."""
        file = self._file
        match note:
            case Move():
                done = next((entry for entry in file.log if entry.decision == note.turn), None)
                # A note that was replaced while it waited may have counted before.
                if done is not None:
                    return done.play == note.play or chain.number_of(done) > note.number
                waiting = file.waiting_answer(note.turn)
                # A note that waits when the game ends is in no log.
                return self._is_over or (waiting is not None and waiting.number >= note.number)
            case Join():
                return self._is_this_join(note)
            case Vacation():
                days = (note.fields["from"], note.fields["until"])
                mine = [away for away in file.vacations if away.seat == note.seat]
                return any((str(away.first), str(away.last)) == days for away in mine)
            case Plan():
                return self._may_have_planned(note)
            case Vote() | Leave():
                walk = Standing.during(file, self._since(note, answer), answer.step)
                logged = any(entry.signature == signed.raw64 for entry in file.log)
                return logged or any(one.stands(note.kind, note.seat) == note.play for one in walk)
            case Transfer():
                wanted = PublicKey.parse(note.key), note.seal or ""
                if file.seat(note.seat) is None:
                    return False
                waits = any(
                    (transfer.seat, transfer.key, transfer.seal) == (note.seat, *wanted)
                    and signed.signature.public in [by.key for by in transfer.consents]
                    for transfer in file.transfers
                )
                # Signatures that waited go when the seat changes hands, perhaps in the same run.
                gone = self._is_over or since(file.log, note.seat) > note.step
                since_seen = self._since(note, answer)
                return waits or gone or wanted in self._hands(note.seat, since_seen, answer.step)

    def _is_rightly_signed(self, signed: SignedNote, answer: Answer, claim: str) -> bool:
        """Return True if a note has the signature of a key that could sign it, at every step at
        which it can have been judged. `claim` is the reason for which it was refused.
        """
        note, file, public = signed.note, self._file, signed.signature.public
        seat = file.seat(_seat_of(note))
        # Nobody signs for a bot.
        if seat is None or seat.bot:
            return False
        if claim == "not-yours" and not isinstance(note, Move):
            key = seat.key if isinstance(note, Join) and seat.reserved else None
            return key is None or key == PublicKey.parse(note.fields["key"])
        if not signed.holds():
            return False
        first, step = answer.first, answer.step
        others = [other.name for other in file.seats if other is not seat]
        match note:
            case Join():
                sat = any(public in keys_of(file, name) for name in others)
                may_not = public == file.referee or is_backup(file, seat, public)
                return note.key == public.hex and not (sat or seat.reserved or may_not)
            case Transfer():
                key = PublicKey.parse(note.key)
                if any(key in self._held(name, first, step) for name in others):
                    return False
                if is_backup(file, seat, key):
                    return False
                seats = [one.name for one in file.seats]
                sits = any(self._held(name, first, step) == {public} for name in seats)
                return sits or public in (key, file.referee)
            case _:
                held = self._held(seat.name, first, step) == {public}
                return seat.joined and held and note.step <= first

    def _held(self, seat: str, first: int, last: int) -> set[PublicKey]:
        """Return the keys that held a seat at any of these steps; those of a bot's are none."""
        return {key for key, _ in self._hands(seat, first, last)}

    def _hands(self, name: str, first: int, last: int) -> set[tuple[PublicKey, str]]:
        """Return the keys that held a seat at any of these steps, each with where it had its hands
        sealed to, if not to itself."""
        log, seat = self._file.log, self._file.seat(name)
        begun = [(0, (seat.key, seat.seal))] if seat is not None and seat.key is not None else []
        begun += [
            (step, read_play(entry.play))
            for step, entry in enumerate(log, 1)
            if is_transfer(entry.decision) and entry.by == name
        ]
        ends = [*(step for step, _ in begun[1:]), len(log) + 1]
        return {
            held
            for (step, held), end in zip(begun, ends, strict=False)
            if step <= last and first < end
        }

    def _since(self, note: AnyNote, answer: Answer) -> int:
        """Return the first step at which a note can have been judged.

        Nobody knows the head of a step that is to come; so one that is on the chain was seen.
        """
        seen = note.step if self._has_seen_this_game(note, answer.step) else 0
        return max(answer.first, seen)

    def _has_seen_this_game(self, note: AnyNote, step: int) -> bool:
        """Return True if the head that the author had seen is on the chain, by a certain step."""
        return note.step <= min(step, len(self._heads) - 1) and (
            bytes.fromhex(note.head) == self._heads[note.step]
        )

    def _opened(self, note: AnyNote) -> int:
        """Return the first step at which a note could be written."""
        if not isinstance(note, Move):
            return 1
        try:
            return chain.asking_step(self._file, note.turn)
        except Damaged:
            return self._file.step + 1

    def _was_open(self, signed: SignedNote, answer: Answer) -> bool:
        """Return True if a note was asked for at every step at which it can have been judged."""
        note, first, last = signed.note, answer.first, answer.step
        if isinstance(note, Vacation | Transfer | Plan | Vote | Leave):
            return first > 0
        if not self._is_rightly_signed(signed, answer, "not-open"):
            return False
        if isinstance(note, Join):
            return last == 0
        asked = self._opened(note) <= note.step <= first
        return asked and all(entry.decision != note.turn for entry in self._file.log[:last])

    def _is_otherwise(self, move: Move, found: Found) -> bool:
        """Return True if a question has a different answer, or may have."""
        done = next((entry for entry in self._file.log if entry.decision == move.turn), None)
        if done is not None:
            return done.play != move.play or chain.number_of(done) > move.number
        waiting = self._file.waiting_answer(move.turn)
        if waiting is None or waiting.number < move.number:
            return self._is_over
        return not self._shown.shows(Trace.of(found, self._file.game))


def _is_for_good(answer: Answer) -> bool:
    """Return True for an answer that is for good by itself, and not as too many notes wait."""
    return answer.final and not answer.said.endswith(NO_ROOM)


def _seat_of(note: AnyNote) -> str:
    return DecisionId.parse(note.turn).seat if isinstance(note, Move) else note.seat
