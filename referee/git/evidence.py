"""Evidence in a game file of the notes that count, for the referee and for `git verify`."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from enum import Enum

from referee.crypto.hashing import H
from referee.crypto.keys import PrivateKey
from referee.crypto.sealing import unseal
from referee.notes.finding import Found, find
from referee.notes.kinds import Move
from referee.records import NamedTuple
from referee.table.dealing import pending_commitment
from referee.table.gamefile import GameFile
from referee.table.joins import join_of
from referee.table.plans import is_plan
from referee.table.plans import note_of as plan_note
from referee.table.provenance import move_of, vacation_note, waiting_plan_note
from referee.table.standing import is_standing
from referee.table.standing import note_of as standing_note
from referee.table.transfer import is_transfer, note_of, notes_of

# A sealed note has different bytes each time; the name tells the files apart.
MARK = re.compile(
    r"-([0-9a-f]{16})(?:\.[0-9a-f]{8})?\.(?:move|join|vacation|transfer|plan|vote|leave)$"
)


def note_fingerprint(text: str, signature: bytes) -> str:
    """Return the fingerprint of a note, sealed or not; nobody can guess the signature in it."""
    return H("note-file", text, signature).hex()[:16]


class Trace(NamedTuple):
    """The trace that a thing in a note file leaves in a game file if it counts.

    `mark` is the fingerprint of a note that everybody can read; `waits` its decision and
    commitment while it waits for other answers.
    """

    sealed: bool
    mark: str
    waits: tuple[str, bytes]

    @classmethod
    def of(cls, found: Found, game: str) -> Trace:
        signed = found.signed
        if signed is None:
            return cls(found.sealed is not None, "", ("", b""))
        waits = ("", b"")
        if isinstance(signed.note, Move):
            turn = signed.note.turn
            waits = turn, pending_commitment(game, turn, signed.text, signed.raw64)
        return cls(False, note_fingerprint(signed.text, signed.raw64), waits)


class Evidence(Enum):
    """Evidence about a note file: all in it counts; or does if it is a waiting answer; or none."""

    COUNTS = "counts"
    MAY_WAIT = "may wait"
    NONE = "none"


class PublicNotes:
    """The notes that a game file shows to everybody.

    `lasting` are the fingerprints of those that stay in it, `passing` those of others.
    """

    def __init__(self, file: GameFile, heads: list[bytes]) -> None:
        self.game = file.game
        self.lasting = _lasting(file, heads)
        self.passing = set()
        for move in file.transfers:
            for by in move.consents:
                note = note_of(file, move.seat, move.key, move.seal, by.seen, heads)
                self.passing.add(note_fingerprint(note.text, by.signature))
        for plan in file.plans:
            if plan.waits:
                text = waiting_plan_note(file, plan, heads).text
                self.passing.add(note_fingerprint(text, plan.signature))
        self.marks = self.lasting | self.passing
        self._pending = {(answer.decision, answer.commitment) for answer in file.pending}
        self.waiting = sum(1 for answer in file.pending if answer.sealed)

    def shows(self, trace: Trace) -> bool:
        """Return True if a note that is not sealed is in the game file."""
        return trace.mark in self.marks or trace.waits in self._pending

    def evidence(self, path: str, traces: Sequence[Trace]) -> Evidence:
        """Return the evidence about a file of this name with these traces."""
        if not all(trace.sealed or self.shows(trace) for trace in traces):
            return Evidence.NONE
        # Only the referee can open what is sealed in a file of such a name.
        if is_marked(path, self.marks) or not any(trace.sealed for trace in traces):
            return Evidence.COUNTS
        return Evidence.MAY_WAIT

    def lasts(self, path: str, traces: Sequence[Trace]) -> bool:
        """Return True if the game file will always show that all in a note file counts."""
        plain = all(trace.sealed or trace.mark in self.lasting for trace in traces)
        return plain and (
            is_marked(path, self.lasting) or not any(trace.sealed for trace in traces)
        )


def is_marked(path: str, marks: Collection[str]) -> bool:
    """Return True if the name of a file has one of these fingerprints."""
    found = MARK.search(path)
    return found is not None and found[1] in marks


def _lasting(file: GameFile, heads: list[bytes]) -> set[str]:
    """Return the fingerprints of the joins, of all notes in the log, and of the vacations."""
    marks = {
        note_fingerprint(join_of(file, seat).text, seat.signature)
        for seat in file.seats
        if seat.joined
    }
    for entry in file.log:
        if is_transfer(entry.decision):
            marks |= {
                note_fingerprint(note.text, by.signature)
                for note, by in notes_of(file, entry, heads)
            }
        elif is_plan(entry.decision):
            marks.add(note_fingerprint(plan_note(file, entry, heads).text, entry.signature))
        elif is_standing(entry.decision):
            marks.add(note_fingerprint(standing_note(file, entry, heads).text, entry.signature))
        elif entry.signature:
            marks.add(note_fingerprint(move_of(file, entry, heads).text, entry.signature))
    for away in file.vacations:
        marks.add(note_fingerprint(vacation_note(file, away, heads).text, away.signature))
    return marks


def waiting_fingerprints(file: GameFile, key: PrivateKey) -> set[str]:
    """Return the fingerprints of the answers that wait, which only the referee can open."""
    marks = set()
    # A planned answer has no note.
    for answer in (answer for answer in file.pending if answer.sealed):
        for found in find(unseal(answer.sealed, key)):
            if found.signed is not None:
                marks.add(note_fingerprint(found.signed.text, found.signed.raw64))
    return marks
