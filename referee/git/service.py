"""The referee's side: apply every note on a branch, commit what follows, and win every race."""

from __future__ import annotations

import os
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from referee.games.interface import NotUnderstood
from referee.git.added import added
from referee.git.answers import ENDING, is_too_long
from referee.git.box import Box
from referee.git.history import newest_of
from referee.git.repo import GitFailed, Repo
from referee.git.turn import MOVES
from referee.table import chain, commit
from referee.table.errors import AlreadyApplied, Damaged, Newer, OtherRules, Stale
from referee.table.filetext import parse
from referee.table.gamefile import MAX_FILE, Entry, GameFile
from referee.table.ledger import Ledger
from referee.table.storage import NotRead, read_limited, scratch
from referee.table.transfer import is_transfer

if TYPE_CHECKING:
    from referee.git.box import Answers
    from referee.table.apply import Verdict
    from referee.table.keys import PrivateKey

TRIES = 50
MOST_NOTES = 5000


class Duty(NamedTuple):
    """Which game is refereed, on which branch, how.

    `path` is the game file in the repository. `remote` is fetched from and pushed to; without one
    the branch of this repository is set. Where `ledger` is None it is the default one;
    `branch_is_ledger` forgets it afterwards, and goes by what the branch has.
    """

    path: str
    branch: str
    remote: str
    now: datetime
    ledger: Path | None = None
    branch_is_ledger: bool = False
    any_time: bool = False


class Done(NamedTuple):
    """What a run did: the new commit (or ""), its message, verdicts by file, and remarks."""

    commit: str
    message: str
    verdicts: list[Verdict]
    remarks: list[str]
    file: GameFile


def referee(repo: Repo, duty: Duty, key: PrivateKey) -> Done:
    """Apply all notes that are new on the branch, again and again until nobody was faster.

    Raises GitFailed, and like `commit.desk` and `commit.apply_notes`.
    """
    for _ in range(TRIES):
        tip = repo.fetch(duty.remote, duty.branch) if duty.remote else repo.branch_tip(duty.branch)
        if not tip:
            raise GitFailed(f"there is no branch {duty.branch}", "name it with --branch")
        with scratch() as folder:
            done, changes = _judge(repo, duty, key, tip, folder)
        if not changes:
            return done
        new = repo.commit(tip, changes, done.message)
        if duty.remote:
            moved = repo.push(duty.remote, new, duty.branch) is not None
        else:
            moved = repo.advance(duty.branch, new, tip)
        if moved:
            return done._replace(commit=new)
    raise GitFailed("others push all the time", "run it again later; nothing is lost")


def _judge(
    repo: Repo, duty: Duty, key: PrivateKey, tip: str, folder: Path
) -> tuple[Done, dict[str, bytes | None]]:
    """What has to change on top of `tip`."""
    there = repo.blob(tip, duty.path, MAX_FILE)
    moves = str(Path(duty.path).parent / MOVES)
    blobs = repo.files(tip, moves + "/")
    if len(blobs) > 2 * MOST_NOTES:
        raise NotUnderstood(f"{moves}/ has more than {MOST_NOTES} notes", "remove what is no note")
    long = {one for one in blobs if is_too_long(one)}
    changes: dict[str, bytes | None] = dict.fromkeys(long)
    blobs = {one: blob for one, blob in blobs.items() if one not in long}
    path = folder / "game.toml"
    ledger = folder / "ledger" if duty.branch_is_ledger else duty.ledger
    remarks: list[str] = []
    base = _base(repo, duty, key, tip, there, remarks)
    path.write_bytes(base)
    newest = repo.run("hash-object", "--stdin", given=base).stdout.decode().strip()
    box = Box(repo, blobs, key, added(repo, tip, duty.path, newest))
    desk, done, before = _apply(path, key, ledger, box, duty, remarks)
    data = read_limited(path, MAX_FILE)
    if data != there:
        changes[duty.path] = data
    mended = ["put the newest game file back"] if remarks else []
    remarks += desk.undone
    if long:
        mended.append("remove what has too long a name")
    if repo.kind(tip, moves) not in ("", "tree"):
        changes[f"{moves}/.gitkeep"] = b""
        mended.append(f"make {moves} a directory again")
        remarks.append(f"{moves} was no directory; it is one again")
    changes |= done.changes
    if changes:
        changes |= done.again
    fresh = [one for note, one in done.verdicts if note + ENDING in done.changes]
    verdicts = [one for _, one in done.verdicts]
    message = _message(desk.file, before, verdicts, fresh, mended)
    return Done("", message, verdicts, remarks, desk.file), changes


def _base(
    repo: Repo, duty: Duty, key: PrivateKey, tip: str, there: bytes | None, remarks: list[str]
) -> bytes:
    """The game file to go on from: that of the branch, unless somebody has changed it."""
    newest = newest_of(repo, tip, duty.path, key.public, there, whole=duty.branch_is_ledger)
    if newest is None:
        _check_not_newer(there)
        raise NotRead(f"there is no {duty.path} of this referee's on {duty.branch}")
    if newest != there:
        remarks.append(
            f"{duty.path} was not the newest that the referee has signed; that has been put back"
        )
    return newest


def _check_not_newer(there: bytes | None) -> None:
    """Raise Newer if a file is one of a later version of this program."""
    try:
        parse(there or b"")
    except Newer:
        raise
    except Damaged:
        return


def _apply(
    path: Path,
    key: PrivateKey,
    ledger: Path | None,
    box: Box,
    duty: Duty,
    remarks: list[str],
) -> tuple[commit.Desk, Answers, int]:
    """Apply notes to the file; where the branch was set back, to the newest one that is known."""
    try:
        with commit.desk(path, key, ledger=ledger, any_time=duty.any_time) as desk:
            return _settled(desk, box, duty)
    except Stale as error:
        if error.reason != "older-file":
            raise
    known = _known(path, ledger)
    remarks.append("the branch was set back; it goes on from the newest file that was signed here")
    path.write_bytes(known)
    with commit.desk(path, key, ledger=ledger, any_time=duty.any_time) as desk:
        return _settled(desk, box, duty)


def _settled(desk: commit.Desk, box: Box, duty: Duty) -> tuple[commit.Desk, Answers, int]:
    before = desk.file.step
    done = box.settle(desk, duty.now)
    if desk.file.status == "playing":
        try:
            commit.expire(desk, duty.now)
        except OtherRules as error:
            # Who is late stays late; that is no reason to keep the others' moves back.
            desk.undone.append(error.message)
    return desk, done, before


def _known(path: Path, ledger: Path | None) -> bytes:
    """The newest file of the ledger, which knows more than the branch has."""
    with Ledger.open(commit.loaded(path.read_bytes()), ledger) as book:
        return read_limited(book.newest_path, MAX_FILE)


def _message(
    file: GameFile, before: int, verdicts: list[Verdict], answered: list[Verdict], mended: list[str]
) -> str:
    """A commit message that reads as a history of the game."""
    lines = [_told(entry) for entry in file.log[before:]]
    logged = {entry.decision for entry in file.log[before:]}
    for one in verdicts:
        if one.error is None and one.what not in logged:
            lines.append(f"{one.what}: {one.word}")
    lines += sorted({_why(one) for one in answered if one.error})
    lines += mended
    if file.status in ("finished", "abandoned") and before < file.step:
        lines.append(f"the game is {file.status}")
    title = lines[0] if lines else "answer notes"
    if len(lines) > 1:
        title = f"{title[:60]} (and {len(lines) - 1} more)"
    return "\n".join([title, "", *lines] if len(lines) > 1 else [title]) + "\n"


def _why(one: Verdict) -> str:
    if isinstance(one.error, AlreadyApplied):
        return f"{one.what}: counts already"
    return f"refused: {one.what}: {one.error.reason}" if one.error else ""


def _told(entry: Entry) -> str:
    if entry.decision == chain.DEAL:
        return "the cards are dealt"
    if entry.decision == chain.ABANDON:
        return "the referee ends the game"
    if is_transfer(entry.decision):
        return f"{entry.by} has another key"
    place, _, seat = entry.decision.rpartition(".")
    late = " (late)" if entry.by == chain.REFEREE else ""
    return f"{place.rpartition('.')[0]} {seat}: {entry.play}{late}"


def protection(repo: Repo, duty: Duty) -> str:
    """What can be told of whether the branch is safe from being rewritten; "" when it is."""
    if os.environ.get("GITHUB_REF_PROTECTED") == "true":
        return ""
    where = f"branch {duty.branch}"
    if os.environ.get("GITHUB_REF_PROTECTED") == "false":
        return f"{where} is not protected, so whoever can push can take moves back"
    if duty.remote:
        return f"whether {where} is protected against being rewritten cannot be told from here"
    if repo.bare and repo.flag("receive.denyNonFastForwards"):
        return ""
    return f"{where} can be rewritten by a push: git config receive.denyNonFastForwards true"
