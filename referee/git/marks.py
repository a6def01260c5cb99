"""By what the files of notes are known that a game file holds, so that none is dealt with twice."""

from __future__ import annotations

import re
from collections.abc import Collection

from referee.git.answers import digest
from referee.table.gamefile import GameFile
from referee.table.keys import PrivateKey
from referee.table.mail import find
from referee.table.provenance import move_of, vacation_note
from referee.table.replay import join_of
from referee.table.sealing import unseal
from referee.table.transfer import is_transfer, note_of, notes_of

# What is sealed is other bytes each time, and its name says which.
MARK = re.compile(r"-([0-9a-f]{16})(?:\.[0-9a-f]{8})?\.(?:move|join|vacation|transfer)$")


def is_marked(path: str, marks: Collection[str]) -> bool:
    """Whether the name of a file is that of a note with one of these marks."""
    found = MARK.search(path)
    return found is not None and found[1] in marks


def marks_of(file: GameFile, heads: list[bytes]) -> set[str]:
    """By what the files of all notes are known that the game file holds."""
    marks = {digest(join_of(file, seat).text, seat.signature) for seat in file.seats if seat.joined}
    for entry in file.log:
        if is_transfer(entry.decision):
            marks |= {digest(note.text, by.signature) for note, by in notes_of(file, entry, heads)}
        elif entry.signature:
            marks.add(digest(move_of(file, entry, heads).text, entry.signature))
    for move in file.transfers:
        for by in move.consents:
            note = note_of(file, move.seat, move.key, move.seal, by.seen, heads)
            marks.add(digest(note.text, by.signature))
    for away in file.vacations:
        marks.add(digest(vacation_note(file, away, heads).text, away.signature))
    return marks


def marks_waiting(file: GameFile, key: PrivateKey) -> set[str]:
    """By what the files of the answers that wait are known, which only the referee can open."""
    marks = set()
    for one in file.pending:
        for found in find(unseal(one.sealed, key)):
            if found.note is not None and found.signature is not None:
                marks.add(digest(found.note.text, found.signature.raw64))
    return marks
