"""A note's way through a git checkout: committed, pushed, and answered by the referee."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.crypto.hashing import H
from referee.git import sync
from referee.git.evidence import Evidence, PublicNotes, Trace, note_fingerprint
from referee.notes.finding import Found
from referee.records import NamedTuple
from referee.table.signing import load

if TYPE_CHECKING:
    from pathlib import Path

    from referee.notes.signed import SignedNote
    from referee.playing.outgoing import Outgoing
    from referee.table.gamefile import GameFile


class Committed(NamedTuple):
    """A committed note: its path, the referee's refusal if any, and remarks on the push.

    `is_new` says that it was not committed before.
    """

    path: Path
    is_new: bool
    refusal: str
    remarks: list[str]


def begin(game: Path, *, push: bool) -> str:
    """See that notes can be committed beside a game, and get what others have pushed.

    Returns a remark where that has undone a change of one's own to the game file. Raises NoBranch,
    GitFailed and NotWritten.
    """
    sync.ready(game)
    if push:
        edited = sync.is_edited(game)
        sync.pull(game)
        if edited and not sync.is_edited(game):
            return f"you had changed {game}: the newest game file has replaced it"
    return ""


def commit(note: Outgoing, game: Path, *, push: bool) -> Committed:
    """Commit a note, and push it if asked to. Raises GitFailed and NotWritten."""
    mark = note_fingerprint(note.signed.text, note.signed.raw64)
    path, is_new = sync.save(game, _file_name(note, game, mark), note.alone)
    remarks: list[str] = []
    if note.plan is not None:
        plan = note.plan
        planned = _file_name(plan, game, note_fingerprint(plan.signed.text, plan.signed.raw64))
        also, also_new = sync.save(game, planned, plan.alone)
        is_new = is_new or also_new
    if push:
        if not sync.refusal(game, path, note.signed) and counted(note.signed, game) is None:
            sync.call(game, mark)
        remarks = sync.push(game)
        sync.pull(game)
    refusal = sync.refusal(game, path, note.signed)
    if note.plan is not None and not refusal:
        refusal = sync.refusal(game, also, note.plan.signed)
    return Committed(path, is_new, refusal, remarks)


def counted(signed: SignedNote, game: Path) -> GameFile | None:
    """Return the game file if it shows by now that a note counts."""
    file, heads = load(game)
    shown = PublicNotes(file, heads).evidence("", [Trace.of(Found(signed), file.game)])
    return file if shown is Evidence.COUNTS else None


def _file_name(note: Outgoing, game: Path, mark: str) -> str:
    """Return the name of a note's file: the one that it was written to before, if there is any.

    What is sealed is another text on each machine, and two texts never have one name.
    """
    kind = note.signed.kind
    written = (game.parent / sync.MOVES).glob(f"{note.name}-{mark}*.{kind}")
    known = sorted(path.name for path in written if path.is_file())
    own = f"{mark}.{H('sealed', note.sealed).hex()[:8]}" if note.sealed else mark
    return known[0] if known else sync.name_of(note.name, own, kind)
