"""What a branch remembers: every version of the game file, and whether each fits the one before."""

from __future__ import annotations

import re
from typing import NamedTuple

from referee.games.interface import GameError
from referee.git.repo import Repo
from referee.git.turn import MOVES, digest
from referee.table.compare import NEWER, SAME, compare
from referee.table.errors import Damaged, Stale
from referee.table.filetext import parse
from referee.table.gamefile import MAX_FILE, GameFile
from referee.table.keys import PublicKey
from referee.table.mail import found_in
from referee.table.replay import join_of
from referee.table.signing import check_chain, check_signature
from referee.table.transfer import is_transfer, note_of, notes_of
from referee.table.verify import move_of, vacation_note, verify

STEP = re.compile(rb"^step = (\d{1,9})$", re.MULTILINE)
MARK = re.compile(r"-([0-9a-f]{16})\.(?:move|join|vacation|transfer)$")
REFUSED = ".refused"


def newest_of(
    repo: Repo,
    tip: str,
    path: str,
    referee: PublicKey,
    there: bytes | None,
    *,
    whole: bool,
) -> bytes | None:
    """The newest game file of a referee's in the history of a branch; None where there is none.

    `there` is the one at the tip. Unless `whole`, it is taken if it is right by itself, because a
    ledger knows whether it is the newest. Raises Fork where two histories were signed.
    """
    best = _signed(there, referee)
    if best is not None and not whole:
        return there
    data = there if best is not None else None
    for _, blob in repo.versions(tip, path):
        if blob.size > MAX_FILE:
            continue
        other = repo.run("cat-file", "blob", blob.oid).stdout
        step = STEP.search(other)
        if other == data or step is None or (best and int(step[1]) < best[0].step):
            continue
        file = _signed(other, referee)
        if file is None:
            continue
        if best is None or compare(*best, *file).relation == NEWER:
            best, data = file, other
    return data


Checked = tuple[GameFile, list[bytes]]


def _signed(data: bytes | None, referee: PublicKey | None) -> Checked | None:
    """A game file of this referee's with its heads; None for anything else."""
    if data is None:
        return None
    try:
        file, body = parse(data)
        check_signature(file, body)
        heads = check_chain(file)
    except GameError:
        return None
    return (file, heads) if referee is None or file.referee == referee else None


class Walk(NamedTuple):
    """A history that holds: so many versions of the game file in so many commits."""

    commits: int
    versions: int
    notes: int
    shallow: bool


def walk(repo: Repo, tip: str, path: str) -> Walk:
    """Check every commit: its game file is a right one and continues that of each parent.

    Then that every note at the tip has been dealt with. Raises the first thing that does not fit,
    naming the commit.
    """
    files: dict[str, Checked] = {}
    at: dict[str, str] = {}
    commits = repo.text("rev-list", "--topo-order", "--reverse", "--parents", tip).splitlines()
    for row in commits:
        commit, *parents = row.split(" ")
        blob = repo.files(commit, path).get(path)
        if blob is None:
            if any(parent in at for parent in parents):
                raise Damaged(f"commit {commit[:12]}: the game file is gone")
            continue
        at[commit] = blob.oid
        if blob.oid not in files:
            files[blob.oid] = _checked(repo, commit, path)
        for parent in parents:
            if parent in at and at[parent] != blob.oid:
                _continues(commit, files[at[parent]], files[blob.oid])
    if tip not in at:
        raise Damaged(f"there is no {path} in this history")
    notes = _all_dealt_with(repo, tip, path, files[at[tip]])
    shallow = repo.text("rev-parse", "--is-shallow-repository") == "true"
    return Walk(len(commits), len(files), notes, shallow)


def _checked(repo: Repo, commit: str, path: str) -> Checked:
    data = repo.blob(commit, path, MAX_FILE)
    try:
        if data is None:
            raise Damaged("the game file is too large")
        file, body = parse(data)
        check_signature(file, body)
        heads = check_chain(file)
        verify(file, heads)
    except GameError as error:
        error.message = f"commit {commit[:12]}: {error.message}"
        raise
    return file, heads


def _continues(commit: str, before: Checked, after: Checked) -> None:
    try:
        relation = compare(*before, *after).relation
    except GameError as error:
        error.message = f"commit {commit[:12]}: {error.message}"
        raise
    if relation not in (NEWER, SAME):
        raise Damaged(
            f"commit {commit[:12]}: the game file is older than the one before it",
            "somebody has set the game back; the referee's next run puts it right",
        )


def _all_dealt_with(repo: Repo, tip: str, path: str, now: Checked) -> int:
    """How many notes lie at the tip; each is in the log, waits, or has been answered."""
    folder = path.rpartition("/")[0]
    blobs = repo.files(tip, f"{folder}/{MOVES}/" if folder else f"{MOVES}/")
    known = _marks(*now)
    waiting = len(now[0].pending)
    count = 0
    for name, blob in blobs.items():
        if name.endswith(REFUSED) or f"{name}{REFUSED}" in blobs or blob.size > MAX_FILE:
            continue
        if name.rpartition("/")[2].startswith("."):
            continue
        count += 1
        mark = MARK.search(name)
        if mark and mark[1] in known:
            continue
        found = found_in(repo.run("cat-file", "blob", blob.oid).stdout)
        if all(
            one.note is not None
            and one.signature is not None
            and digest(one.note.text, one.signature.raw64) in known
            for one in found
        ):
            continue
        # A sealed answer that waits for others shows in the file as no more than that one waits.
        if waiting and all(one.sealed is not None for one in found):
            waiting -= 1
            continue
        raise Stale(
            f"{name} has not been dealt with yet",
            "run `sanjuan-ref git referee`, or wait for it",
            reason="not-dealt-with",
        )
    return count


def _marks(file: GameFile, heads: list[bytes]) -> set[str]:
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
