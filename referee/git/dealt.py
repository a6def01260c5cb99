"""Whether every note of a branch has been dealt with, as anybody can tell who has the branch."""

from __future__ import annotations

from collections.abc import Collection

from referee.git.added import Added, added, folder_of
from referee.git.answers import ENDING, LIMIT, MAX_NOTE, digest, is_other, read
from referee.git.marks import is_marked, marks_of
from referee.git.repo import Repo
from referee.table.dealing import pending_commitment
from referee.table.errors import Stale
from referee.table.gamefile import GameFile
from referee.table.mail import Found, found_in
from referee.table.notes import Move


def all_dealt_with(
    repo: Repo, tip: str, path: str, newest: str, now: tuple[GameFile, list[bytes]]
) -> int:
    """How many notes lie at the tip; each is in the log, waits, or has been answered.

    So is each that lay there since the newest game file came, the object `newest`.
    """
    blobs = repo.files(tip, folder_of(path))
    new = added(repo, tip, path, newest)
    known = marks_of(*now)
    notes = {name: blob for name, blob in blobs.items() if not is_other(name)}
    count = len(notes)
    notes |= {name: blob for name, (_, blob) in new.gone.items()}
    small = {
        note: blobs[note + ENDING]
        for note in notes
        if note + ENDING in blobs and blobs[note + ENDING].size <= LIMIT
    }
    file = now[0]
    answered = {
        note
        for note, data in repo.contents(small)
        if read(data, file.referee, file.game, notes[note].oid)
    }
    answered |= {name for name in new.gone if new.said(repo, file, name)}
    waiting = len(file.pending)
    rest = {
        name: blob
        for name, blob in notes.items()
        if name not in answered and (not is_marked(name, known) or (name, blob.oid) in new.fresh)
    }
    for name, blob in rest.items():
        if blob.size > MAX_NOTE:
            raise _ignored(name, new)
    for name, data in repo.contents(rest):
        found = found_in(data)
        sealed = all(one.sealed is not None for one in found)
        # What is sealed under such a name only the referee can tell.
        if sealed and is_marked(name, known):
            continue
        if all(_is_in(file, known, one) for one in found):
            continue
        # A sealed answer that waits for others shows in the file as no more than that one waits.
        if waiting and sealed:
            waiting -= 1
            continue
        raise _ignored(name, new)
    return count


def _is_in(file: GameFile, known: Collection[str], found: Found) -> bool:
    """Whether a note that everybody can read is in the game, or waits."""
    note, signature = found.note, found.signature
    if note is None or signature is None:
        return False
    if isinstance(note, Move):
        waits = pending_commitment(file.game, note.turn, note.text, signature.raw64)
        if any((one.decision, one.commitment) == (note.turn, waits) for one in file.pending):
            return True
    return digest(note.text, signature.raw64) in known


def _ignored(name: str, new: Added) -> Stale:
    if name in new.gone:
        name = f"{new.gone[name][0]}, which somebody has changed or taken away,"
    return Stale(
        f"{name} has not been dealt with yet",
        "run `sanjuan-ref git referee`, or wait for it",
        reason="not-dealt-with",
    )
