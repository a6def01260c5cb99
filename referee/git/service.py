"""The referee's run on a branch: apply every new note, commit the new file, and push it."""

from __future__ import annotations

import os
from datetime import datetime
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

from referee.errors import OtherRules, Stale, counted
from referee.git.answers import ENDING, is_call
from referee.git.checkpoint import newest, trailer
from referee.git.history import Finder, Newest, first_game
from referee.git.notequeue import Before, NoteQueue
from referee.git.notesfolder import (
    MAX_FOLDER_FILES,
    NotesFolder,
    folder_of,
    notes_beside,
    notes_in,
    pushed_notes,
)
from referee.git.objects import Object, Objects
from referee.git.repo import GitFailed, NoBranch, Repo
from referee.git.trees import Endless, Row, Trees
from referee.git.writing import write_commit, write_tree
from referee.notes.mime import printable_line
from referee.records import NamedTuple
from referee.refereeing import commit
from referee.refereeing.ledger import Ledger
from referee.refereeing.refusals import meaning_of
from referee.storage import NotRead, read_limited, scratch
from referee.table import chain
from referee.table.ahead import invited
from referee.table.decisions import DecisionId
from referee.table.gamefile import MAX_FILE, Entry, GameFile
from referee.table.plans import is_plan, plan_behind
from referee.table.standing import is_standing
from referee.table.transfer import is_transfer, resealings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from referee.crypto.keys import PrivateKey
    from referee.git.checkpoint import Checkpoint
    from referee.git.notequeue import Answers
    from referee.git.writing import Change
    from referee.refereeing.judging import Verdict

TRIES = 50
# Seconds after which the verdicts so far are committed, in case the machine stops the run.
PORTION = 20.0
# After so many commits without a note the referee commits that it has seen them.
MANY = 100
SET_BACK = "the branch was set back; it goes on from the newest file that was signed here"
MISSED = (
    "so much was pushed that only the first part was looked at for notes that somebody has "
    "changed or taken away; whoever misses one has to push it again"
)
MAX_LINES = 50


class RefereeJob(NamedTuple):
    """Job of a run: the game to referee, its branch, and the settings.

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


class Outcome(NamedTuple):
    """The outcome of a run: the new commit (or ""), its message, the verdicts, and remarks."""

    commit: str
    message: str
    verdicts: list[Verdict]
    remarks: list[str]
    file: GameFile


def referee(repo: Repo, job: RefereeJob, key: PrivateKey) -> Outcome:
    """Apply all new notes on the branch, again and again until no push came in between.

    Raises GitFailed, and like `commit.open_game` and `commit.apply_notes`.
    """
    for _ in range(TRIES):
        tip = _fetch_tip(repo, job)
        with scratch() as folder, Objects(repo) as objects:
            visit = _Visit(Trees(objects), job, key, tip, folder)
            try:
                done = visit.judge()
                if not visit.changes and not visit.worth_keeping:
                    return done
                return done._replace(commit=visit.keep(done.message))
            except _Outrun:
                continue
    raise GitFailed("others push all the time", "run it again later; nothing is lost")


def _fetch_tip(repo: Repo, job: RefereeJob) -> str:
    """Return the newest commit of the branch. Raises NoBranch and GitFailed."""
    tip = repo.fetch(job.remote, job.branch) if job.remote else repo.branch_tip(job.branch)
    if not tip:
        raise NoBranch(f"there is no branch {job.branch}", "name it with --branch")
    return tip


class _Outrun(Exception):
    """Raised if somebody else has pushed in the meantime."""


class _Visit:
    """One run on a branch: the notes that came, and the `changes` to commit on top of its tip."""

    def __init__(
        self, trees: Trees, job: RefereeJob, key: PrivateKey, tip: str, folder: Path
    ) -> None:
        self._trees = trees
        self._objects = trees.objects
        self._job = job
        self._key = key
        self._tip = tip
        self._folder = folder
        self._moves = folder_of(job.path)
        self._game = ""
        self._known = newest(trees.objects, tip, key.public, self._first_game)
        self._game = self._known[0].game if self._known else self._first_game()
        self._past = trees.objects.repo.past(tip, [checkpoint.commit for checkpoint in self._known])
        self._are_small = trees.objects.small(self._past.commits) == self._past.commits
        self._remarks: list[str] = []
        self._mended: list[str] = []
        self._waiting: set[str] = set()
        self._vain = 0
        self._is_put_back = self._missed = False
        self._has_kept = False
        self._kept_at = monotonic()
        self._step = 0
        self.changes: dict[str, Change] = {}

    @property
    def worth_keeping(self) -> bool:
        """Return True if so much was looked at that a commit should say so."""
        many = len(self._past.commits) > MANY or not self._are_small or self._missed
        return many or self._vain > 0 or self._is_put_back or self._has_kept

    def judge(self) -> Outcome:
        """Judge the notes that came, and collect the changes to commit."""
        self._root = self._readable_root()
        row = self._trees.under(self._root, self._job.path)
        there = self._objects.look(row.oid) if row is not None and row.is_file else None
        if there is not None and there.size > MAX_FILE:
            there = None
        found = self._newest(there)
        self._step = found.step
        last = next((known for known in self._known if self._game_in(known) == found.oid), None)
        last = last or next(iter(self._known), None)
        here = self._notes_folder(last)
        self._tell_misplaced(last)
        before = Before(*self._left(last))
        new = pushed_notes(self._objects, self._past, self._moves, here)
        if new.missed:
            self._missed = True
            self._mended.append("look at the first part only of what was pushed: it is too much")
            self._remarks.append(MISSED)
        path = self._folder / "game.toml"
        path.write_bytes(found.data or b"")

        def keep_portion(opened: commit.OpenGame) -> None:
            if monotonic() - self._kept_at > PORTION:
                self._keep_portion(
                    queue.refused_for_good(opened.file), path, opened.file, here.large
                )

        queue = NoteQueue(self._trees, self._key, here, new, before, keep_portion)
        moved = last is None or self._game_in(last) != found.oid
        opened = self._apply(path, queue, moved=moved)
        answers = queue.answered(opened.file)
        data = read_limited(path, MAX_FILE)
        if there is None or there.oid != found.oid or data != found.data:
            self.changes[self._job.path] = data
        self.changes |= answers.changes
        self._waiting = answers.waiting
        if self.changes or self.worth_keeping:
            # The calls have done their work.
            self.changes |= {path: None for path in here.files if is_call(path)}
        if self._vain:
            self._mended.append(f"pass over what else was pushed as {self._job.path}")
        fresh = [pair for pair in answers.verdicts if pair[0] + ENDING in answers.changes]
        verdicts = [verdict for _, verdict in answers.verdicts]
        self._remarks += opened.undone
        message = _message(opened.file, self._step, verdicts, fresh, self._mended)
        return Outcome("", message, verdicts, self._remarks, opened.file)

    def keep(self, message: str) -> str:
        """Commit the changes as a checkpoint, and return the commit. Raises _Outrun."""
        tree = write_tree(self._trees, self._root, self.changes, self._folder)
        end = trailer(self._key, self._game, self._tip, tree, self._waiting)
        return self._commit(tree, f"{message}\n{end}")

    def _keep_portion(
        self, answers: Answers, path: Path, file: GameFile, large: Sequence[str]
    ) -> None:
        """Commit the verdicts that are final by now. Raises _Outrun.

        If the run is stopped, the next one goes on from there.
        """
        later = dict.fromkeys(large)
        now = {path: what for path, what in self.changes.items() if path not in later}
        now |= answers.changes | {self._job.path: read_limited(path, MAX_FILE)}
        tree = write_tree(self._trees, self._root, now, self._folder)
        if tree != self._root:
            self._commit(tree, _message(file, self._step, [], answers.verdicts, []))
            # A fresh reader has a fresh limit: there is little left to read.
            self._trees, self._root, self._step = Trees(self._objects), tree, file.step
            self.changes, self._has_kept = {**later}, True
        self._kept_at = monotonic()

    def _commit(self, tree: str, message: str) -> str:
        """Put a commit on the branch. Raises _Outrun where somebody else was faster."""
        repo, job = self._objects.repo, self._job
        new = write_commit(repo, self._tip, tree, message)
        if job.remote:
            moved = repo.push(job.remote, new, job.branch) is not None
        else:
            moved = repo.advance(job.branch, new, self._tip)
        if not moved:
            raise _Outrun
        self._tip = new
        return new

    def _first_game(self) -> str:
        """Return the game with which the branch began."""
        if not self._game:
            public = self._key.public
            self._game = first_game(self._objects, self._tip, self._job.path, public)
        return self._game

    def _readable_root(self) -> str:
        root = self._trees.root(self._tip)
        try:
            self._trees.rows(root)
        except Endless:
            self._mend("put back all files, which nobody could read any more")
            self._is_put_back = True
            return self._known[0].tree if self._known else self._last_readable()
        return root

    def _last_readable(self) -> str:
        """Return the tree of the newest commit before the tip that has one. Raises Endless."""
        for past in reversed(self._objects.repo.commits(self._tip, "--first-parent")):
            root = self._trees.root(past)
            try:
                self._trees.rows(root)
            except Endless:
                continue
            return root
        raise Endless(f"nobody can read the files on {self._job.branch}", "git fsck")

    def _mend(self, what: str, remark: str = "") -> None:
        """Note a change for the commit message, and a remark for the referee."""
        self._mended.append(what)
        self._remarks.append(remark or f"somebody has pushed what no game has; done: {what}")

    def _game_in(self, checkpoint: Checkpoint) -> str:
        row = self._trees.under(checkpoint.tree, self._job.path)
        return row.oid if row is not None else ""

    def _newest(self, there: Object | None) -> Newest:
        """Return the newest game file: that at the tip, unless somebody has changed it."""
        job, public = self._job, self._key.public
        finder = Finder(self._trees, job.path, self._game, public, self._known)
        found = finder.find(there, self._past, whole=job.branch_is_ledger)
        self._vain = found.vain
        if found.unread:
            self._remarks.append(
                f"of what was pushed as {job.path}, {counted(found.unread, 'file')} had to be left "
                "out, as so many others were none"
            )
        if found.data is None:
            finder.check_readable(self._past)
            raise NotRead(f"there is no {job.path} on {job.branch}", "name it with --game")
        if there is None or found.oid != there.oid:
            other = f"{job.path} was not the newest that the referee has signed"
            self._mend("put the newest game file back", f"{other}; that has been put back")
        return found

    def _notes_folder(self, last: Checkpoint | None) -> NotesFolder:
        """Return the notes at the tip, and change what does not belong there."""
        folder = self._moves[:-1]
        here = notes_in(self._trees, self._root, self._moves)
        row = self._trees.under(self._root, folder)
        if row is not None and not row.is_tree:
            self.changes[f"{self._moves}.gitkeep"] = b""
            self._mend(f"make {folder} a folder again", f"{folder} was no folder; it is one again")
        if here.wild == [folder]:
            self._mend(f"put {folder} back, which has more than {MAX_FOLDER_FILES} files")
            left = self._trees.under(last.tree, folder) if last is not None else None
            self.changes[folder] = left
            if left is None:
                self.changes[f"{self._moves}.gitkeep"] = b""
            return notes_in(self._trees, last.tree, self._moves) if last else NotesFolder({}, [])
        if here.wild:
            self.changes |= dict.fromkeys(here.wild)
            self._mended.append("remove what is not a file, has too long a name, or no end")
        if here.large:
            self.changes |= dict.fromkeys(here.large)
            self._mended.append("remove what is larger than any note")
        return here

    def _tell_misplaced(self, last: Checkpoint | None) -> None:
        """Remark on notes beside their folder, until the referee's next commit."""
        known = notes_beside(self._trees, last.tree, self._moves).items() if last else ()
        found = notes_beside(self._trees, self._root, self._moves)
        new = [path for path, row in found.items() if (path, row) not in known]
        if not new:
            return
        names = ", ".join(printable_line(path)[:LONGEST_NAME] for path in new[:MAX_NAMED])
        more = f" and {len(new) - MAX_NAMED} more" if len(new) > MAX_NAMED else ""
        self._remarks.append(
            f"{names}{more}: no note is read that lies beside {self._moves}; move it in there "
            "(`git mv`), commit and push"
        )

    def _left(self, last: Checkpoint | None) -> tuple[dict[str, Row], frozenset[str]]:
        """Return the files among the notes after the referee's last run, and which notes wait."""
        if last is None:
            return {}, frozenset()
        row = self._trees.under(last.tree, self._moves[:-1])
        files = dict(self._trees.files(row.oid, self._moves)) if row and row.is_tree else {}
        return files, last.waiting

    def _apply(self, path: Path, queue: NoteQueue, *, moved: bool) -> commit.OpenGame:
        """Apply notes to the file; if the branch was set back, to the newest in the ledger."""
        job = self._job
        ledger = self._folder / "ledger" if job.branch_is_ledger else job.ledger
        try:
            with commit.open_game(path, self._key, ledger=ledger, any_time=job.any_time) as opened:
                if opened.restored:
                    self._remarks.append(SET_BACK)
                _settle(opened, queue, job, moved=moved or opened.restored)
                return opened
        except Stale as error:
            if error.reason != "older-file":
                raise
        known = _known(path, ledger)
        self._mend("put the newest game file back", SET_BACK)
        path.write_bytes(known)
        with commit.open_game(path, self._key, ledger=ledger, any_time=job.any_time) as opened:
            _settle(opened, queue, job, moved=True)
            return opened


def _settle(opened: commit.OpenGame, queue: NoteQueue, job: RefereeJob, *, moved: bool) -> None:
    """Apply the notes, and answer for overdue seats."""
    queue.settle(opened, job.now, moved=moved)
    if opened.file.status != "playing":
        return
    before = opened.file.step
    try:
        commit.expire(opened, job.now)
    except OtherRules as error:
        # The overdue seats have to wait; the moves of the others need not.
        opened.undone.append(error.message)
        return
    if opened.file.step > before:
        queue.settle(opened, job.now, moved=True)


def _known(path: Path, ledger: Path | None) -> bytes:
    """Return the newest file of the ledger, which is ahead of the branch."""
    with Ledger.open(commit.parse_signed(path.read_bytes()), ledger) as book:
        return read_limited(book.newest_path, MAX_FILE)


def _message(
    file: GameFile,
    before: int,
    verdicts: list[Verdict],
    answered: Sequence[tuple[str, Verdict]],
    mended: list[str],
) -> str:
    """Return a commit message that reads as a history of the game."""
    resealed = resealings(file)
    lines = [
        _entry_line(entry, is_resealed=step in resealed)
        for step, entry in enumerate(file.log[before:], before + 1)
    ]
    logged = {entry.decision for entry in file.log}
    for verdict in verdicts:
        if verdict.error is None and verdict.what not in logged:
            lines.append(verdict.said)
    lines += sorted({_refusal_line(note, verdict) for note, verdict in answered if verdict.error})
    lines += mended
    if file.status in ("finished", "abandoned") and before < file.step:
        lines.append(f"the game is {file.status}")
    if len(lines) > MAX_LINES:
        lines[MAX_LINES:] = [f"and {len(lines) - MAX_LINES} more"]
    title = lines[0] if lines else "look at what was pushed"
    refused = {note for note, verdict in answered if verdict.error and not verdict.is_repeat}
    if title.startswith(REFUSED) and len(refused) > 1:
        title = (
            f"{len(refused)} notes refused; see {next(iter(refused)).partition('/')[0]}/*{ENDING}"
        )
    elif len(lines) > 1:
        title = f"{title[:60]} (and {len(lines) - 1} more)"
    planners = list(invited(file))
    more = [f"{' and '.join(planners)} may be asked next, and can plan"] if planners else []
    told = [*(lines if len(lines) > 1 else []), *more]
    return "\n".join([title, "", *told] if told else [title]) + "\n"


REFUSED = "refused: "
LONGEST_NAME = 80
MAX_NAMED = 3


def _refusal_line(note: str, verdict: Verdict) -> str:
    if verdict.is_repeat:
        return f"{verdict.what}: counts already"
    # A file that cannot be read is known by its name alone.
    name = printable_line(note.rpartition("/")[2])[:LONGEST_NAME]
    what = name if verdict.what.endswith("note") else verdict.what
    error = verdict.error
    return f"{REFUSED}{what}: {meaning_of(error.reason, error.exit_code)}" if error else ""


STOOD = {
    "end": "votes for the end",
    "go-on": "does not vote for the end any more",
    "leave": "has left the table",
    "back": "is back at the table",
}


def _entry_line(entry: Entry, *, is_resealed: bool) -> str:
    if entry.decision == chain.DEAL:
        return "the cards are dealt"
    if entry.decision == chain.ABANDON:
        return f"{'all seats end' if entry.play == chain.BY_VOTE else 'the referee ends'} the game"
    if is_standing(entry.decision):
        return f"{entry.by} {STOOD[entry.play]}"
    if is_transfer(entry.decision):
        if is_resealed:
            return f"{entry.by} has its hands sealed to another key"
        return f"{entry.by} has another key"
    if is_plan(entry.decision):
        return f"{entry.by} has planned"
    round_, turn, _, seat = DecisionId.parse(entry.decision)
    late = " (late)" if entry.by == chain.REFEREE else " (planned)" if plan_behind(entry) else ""
    return f"{round_}.{turn} {seat}: {entry.play}{late}"


def protection(repo: Repo, job: RefereeJob) -> str:
    """Return a warning if the branch is not known to be safe from being rewritten; else ""."""
    if os.environ.get("GITHUB_REF_PROTECTED") == "true":
        return ""
    where = f"branch {job.branch}"
    if os.environ.get("GITHUB_REF_PROTECTED") == "false":
        return f"{where} is not protected, so whoever can push can take moves back"
    if job.remote:
        return f"whether {where} is protected against being rewritten cannot be told from here"
    if repo.bare and repo.flag("receive.denyNonFastForwards"):
        return ""
    return f"{where} can be rewritten by a push: git config receive.denyNonFastForwards true"
