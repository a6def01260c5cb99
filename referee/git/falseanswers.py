"""Finding false answers of a referee, by the note and the game file alone.

If a play is refused as illegal, nobody else sees the hand. But everybody sees whether a note is in
the game, whether a question was open, and whether a signature is right.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from referee.crypto.keys import PublicKey
from referee.errors import OTHER_GAME, Damaged, Newer, Stale
from referee.git.answers import NO_ROOM, SO_ON, TOO_LARGE
from referee.git.evidence import PublicNotes, Trace
from referee.notes.kinds import AnyNote, Join, Move, Transfer, Vacation
from referee.table import chain
from referee.table.decisions import DecisionId
from referee.table.replay import join_of
from referee.table.transfer import keys_of, since

if TYPE_CHECKING:
    from collections.abc import Sequence

    from referee.git.answers import Answer
    from referee.notes.finding import Found
    from referee.notes.signed import SignedNote
    from referee.table.gamefile import GameFile

CLAIM = re.compile(r"^([a-z-]+) \(\d+\)(?:: (.*))?$", re.MULTILINE)


class Facts:
    """Public facts of a game file, by which answers to notes are checked."""

    def __init__(self, file: GameFile, heads: Sequence[bytes], shown: PublicNotes) -> None:
        self._file = file
        self._heads = heads
        self._shown = shown

    def check(self, name: str, answer: Answer, found: Sequence[Found]) -> None:
        """Raise Stale if an answer to a file with these things cannot be true.

        It has a claim about each thing, in their order, except those that visibly count.
        """
        said = answer.said.removesuffix(NO_ROOM)
        claims: list[tuple[str, str]] = CLAIM.findall(said)
        reached = {0}
        for thing in found:
            after = set(reached) if self._goes_without_saying(thing) else set()
            for at in reached:
                if at == len(claims):
                    after |= {at} if said.endswith(SO_ON) else set()
                elif not self._is_false(claims[at], thing, answer):
                    after.add(at + 1)
            reached = after
        if len(claims) not in reached or not claims:
            raise Stale(
                f"the answer to {name} is false by what the game file says: "
                f"{said.partition(chr(10))[0] or 'it says nothing'}",
                "the referee has signed both; show them to the others, and ask it why",
                reason="false-answer",
            )

    def _goes_without_saying(self, found: Found) -> bool:
        """Return True if a thing in a note file needs no claim although others there have one."""
        if found.signed is None:
            return found.sealed is None
        shown = self._shown.shows(Trace.of(found, self._file.game))
        # Signatures under a transfer leave the game file with it.
        return shown or isinstance(found.signed.note, Transfer) or self._is_over

    @property
    def _is_over(self) -> bool:
        return self._file.status in ("finished", "abandoned")

    def _is_false(self, claim: tuple[str, str], found: Found, answer: Answer) -> bool:
        """Return True if a claim about one thing in a note file cannot be true.

        False in doubt, also if another version of the program might understand the thing.
        """
        reason, words = claim
        if words.startswith(TOO_LARGE):
            return True
        signed = found.signed
        if signed is None:
            readable = found.sealed is not None or isinstance(found.error, Newer)
            return reason == "already-applied" and not readable
        if signed.note.game != self._file.game:
            return reason == "already-applied"
        if words.startswith(OTHER_GAME):
            return True
        # A note without a final answer is judged again whenever the game has gone on.
        step = answer.step if answer.final else self._file.step
        match reason:
            case "already-applied":
                return not self._counts(signed.note, signed)
            case "game-over":
                return not self._is_over
            case "bad-signature" | "not-yours":
                return self._is_rightly_signed(signed, step)
            case "fork" | "ahead":
                return self._has_seen_this_game(signed.note, step)
            case "seen-too-early":
                opened = self._opened(signed.note)
                late_enough = signed.note.step >= max(opened, self._since(signed.note))
                return late_enough and not isinstance(signed.note, Join)
            case "not-open":
                return self._is_rightly_signed(signed, step) and self._was_open(signed.note, step)
            case "answered-otherwise":
                return isinstance(signed.note, Move) and not self._is_otherwise(signed.note, found)
            case "seat-taken" | "other-salt":
                return isinstance(signed.note, Join) and not any(
                    seat.name == signed.note.seat and seat.joined for seat in self._file.seats
                )
        return False

    def _counts(self, note: AnyNote, signed: SignedNote) -> bool:
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
                seat = file.seat(note.seat)
                if seat is None or not seat.joined:
                    return False
                same = join_of(file, seat)
                return (same.key, same.salt, same.seal) == (note.key, note.salt, note.seal)
            case Vacation():
                mine = [away for away in file.vacations if away.seat == note.seat]
                return any((away.first, away.last) == note.days for away in mine)
            case Transfer():
                key = PublicKey.parse(note.key)
                if file.seat(note.seat) is None:
                    return False
                waits = any(
                    (transfer.seat, transfer.key) == (note.seat, key)
                    and signed.signature.public in [by.key for by in transfer.consents]
                    for transfer in file.transfers
                )
                # Signatures that waited go when the seat changes hands, perhaps in the same run.
                gone = self._is_over or since(file.log, note.seat) > note.step
                return waits or gone or key in keys_of(file, note.seat)

    def _is_rightly_signed(self, signed: SignedNote, step: int) -> bool:
        """Return True if a note has the signature of the key that held its seat at a step."""
        note, file, public = signed.note, self._file, signed.signature.public
        seat = file.seat(_seat_of(note))
        if seat is None or not signed.holds():
            return False
        match note:
            case Join():
                others = [other.name for other in file.seats if other is not seat]
                sat = any(public in keys_of(file, name) for name in others)
                return note.key == public.hex and not sat and not seat.reserved
            case Transfer():
                # Other seats may have had to consent then.
                return False
            case _:
                held = since(file.log, seat.name) <= note.step <= step
                return seat.joined and public == seat.holder and held

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

    def _since(self, note: AnyNote) -> int:
        return since(self._file.log, _seat_of(note))

    def _was_open(self, note: AnyNote, step: int) -> bool:
        """Return True if a note was asked for at the step that its author had seen."""
        if isinstance(note, Join):
            return self._file.status == "open"
        if not isinstance(note, Move):
            return 1 <= note.step <= step
        asked = self._opened(note) <= note.step <= step
        return asked and all(entry.decision != note.turn for entry in self._file.log[:step])

    def _is_otherwise(self, move: Move, found: Found) -> bool:
        """Return True if a question has a different answer, or may have."""
        done = next((entry for entry in self._file.log if entry.decision == move.turn), None)
        if done is not None:
            return done.play != move.play or chain.number_of(done) > move.number
        waiting = self._file.waiting_answer(move.turn)
        if waiting is None or waiting.number < move.number:
            return self._is_over
        return not self._shown.shows(Trace.of(found, self._file.game))


def _seat_of(note: AnyNote) -> str:
    return DecisionId.parse(note.turn).seat if isinstance(note, Move) else note.seat
