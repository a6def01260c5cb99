"""Handing over a signed note: as a file for the referee, or through a shared git repository."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from referee.notes.kinds import AnyNote, Move
from referee.records import NamedTuple
from referee.storage import replaced, write_named
from referee.table.source import folder_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from referee.notes.signed import SignedNote
    from referee.table.gamefile import GameFile

BEGINNINGS = (b"sanjuan-ref/1 ", b"-----BEGIN AGE ENCRYPTED FILE-----")
"""Beginnings of note files; any other file is somebody's work and stays."""
COUNTS = "if you have sent the one before, that one counts"


class Outgoing(NamedTuple):
    """A signed note on its way to the referee, `sealed` if nobody else may read it.

    `name` is what the names of its files say that it is about, `about` the same for programs.
    `plan` is a plan that goes with an answer, in the same file.
    """

    signed: SignedNote
    name: str
    about: Mapping[str, Any]
    sealed: str = ""
    plan: Outgoing | None = None

    @property
    def alone(self) -> str:
        """Text of this note without its plan."""
        return self.sealed or self.signed.armoured

    @property
    def text(self) -> str:
        """Text that is handed over."""
        return self.alone + (self.plan.alone if self.plan is not None else "")

    @property
    def parts(self) -> list[Outgoing]:
        """The notes in it, each alone."""
        return [self._replace(plan=None), *([self.plan] if self.plan is not None else [])]

    def beside(self, game: Path) -> Path:
        """Return the path of the note: beside its game file, or here if that came in an email."""
        # The number of a plan is sealed, and the next one must be higher. No seat has a dot in it.
        plan = f".plan{self.plan.about['number']}" if self.plan is not None else ""
        name = f"{self.signed.note.game[:8]}-{self.name}{plan}.{self.signed.kind}"
        return folder_of(game) / name


def name_of(decision: str, number: int) -> str:
    """Return what the name of a note's file says of an answer."""
    return decision if number == 1 else f"{decision}.{number}"


def write(note: Outgoing, path: Path, *, named: bool) -> bytes:
    """Write a note to a path that the user has `named` or we have made; return another one's bytes
    that it replaces, if any.

    Any other file is left alone. Raises NotWritten.
    """
    data = note.text.encode()
    # Where we have made the name, somebody else may have pushed a link of that name.
    old = write_named(path, data, "note", _is_note, named=named)
    return old if old != data else b""


def in_place(note: Outgoing, path: Path, *, named: bool) -> bytes:
    """Return the bytes of another note that `write` would replace, if any. Raises NotWritten."""
    old = replaced(path, "note", _is_note, named=named)
    return old if old != note.text.encode() else b""


def _is_note(data: bytes) -> bool:
    return data.startswith(BEGINNINGS)


def fate_of(old: bytes, note: Outgoing, file: GameFile) -> str:
    """Return what a player should know of an older note in whose place `note` was written.

    Nothing where the game knows what became of it, or asks its question no more.
    """
    # The reader of mails is slow to import, and seldom is a note replaced.
    from referee.notes.finding import find_in_bytes
    from referee.table.provenance import public_signatures

    new = note.signed.note
    for found in find_in_bytes(old):
        if found.sealed is not None and note.sealed and isinstance(new, Move):
            # Only the referee can read what it is about.
            return (
                f"if it has another answer to {new.turn}, and you have sent it, that one counts "
                f"unless this one has a higher number: --number {new.number + 1}"
            )
        if found.signed is None:
            continue
        earlier = found.signed.note
        if earlier.game != file.game:
            return f"it held a note for another game, {earlier.game}"
        if found.signed.raw64 in public_signatures(file):
            continue
        if _subject(earlier) == _subject(new):
            if isinstance(earlier, Move) and isinstance(new, Move) and earlier.number < new.number:
                continue
            return COUNTS if earlier.kind in ("move", "join") else f"{COUNTS} too"
        if not isinstance(earlier, Move):
            return f"it held a note about {_subject(earlier)}, which this game does not have yet"
    return ""


def _subject(note: AnyNote) -> str:
    """Return the question that a note answers, or else its kind and seat."""
    return note.turn if isinstance(note, Move) else f"the {note.kind} of {note.seat}"
