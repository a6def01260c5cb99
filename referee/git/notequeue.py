"""The notes on a branch: judging them, and writing the answers beside them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from referee.errors import Mistake, attempt
from referee.games.errors import NotUnderstood
from referee.git.answers import (
    ENDING,
    MAX_NOTE,
    NO_ROOM,
    TOO_LARGE,
    Answer,
    Judged,
    answer_to,
    moment,
)
from referee.git.evidence import MARK, Evidence, PublicNotes, Trace, is_marked, waiting_fingerprints
from referee.notes.finding import Found, find_in_bytes
from referee.notes.mime import printable_line
from referee.records import NamedTuple
from referee.refereeing import commit
from referee.refereeing.judging import Verdict
from referee.table import chain

if TYPE_CHECKING:
    from datetime import datetime

    from referee.crypto.keys import PrivateKey
    from referee.git.notesfolder import NotesFolder, PushedNotes
    from referee.git.trees import Row, Trees
    from referee.git.writing import Change
    from referee.table.gamefile import GameFile

# Bytes and things found that are judged at once, before the verdicts can be committed.
BATCH, MAX_AT_ONCE = 1 << 22, 1000
A_LARGE_FILE = Found(error=NotUnderstood(TOO_LARGE, "give the note alone"))
# Files that may wait for a later step, and things in one of them; each is judged at every move.
MAX_WAITING, MAX_IN_ONE_FILE = 50, 20


Batch = list[tuple[str, list[Found]]]
"""Note files by their paths, with what was found in each."""


def _found(data: bytes) -> list[Found]:
    """Return what is in a note file; if the program fails on it, the Mistake alone."""
    found = attempt(partial(find_in_bytes, data), known=(), public=True)
    return [Found(error=found)] if isinstance(found, Mistake) else found


class Before(NamedTuple):
    """The result of the referee's last run: files among the notes, and objects of waiting notes."""

    files: Mapping[str, Row]
    waiting: frozenset[str]


class Answers(NamedTuple):
    """The outcome for all notes: verdicts with the path of each, and the files that change.

    `waiting` are the objects of notes that are judged again at a later step.
    """

    verdicts: list[tuple[str, Verdict]]
    changes: dict[str, Change]
    waiting: set[str]


class NoteQueue:
    """The notes on a branch; only those are read that may need a verdict."""

    def __init__(
        self,
        trees: Trees,
        key: PrivateKey,
        there: NotesFolder,
        new: PushedNotes,
        before: Before,
        after_batch: Callable[[commit.OpenGame], None],
    ) -> None:
        self._trees = trees
        self._key = key
        self._new = new
        self._there = there
        self._before = before
        self._after_batch = after_batch
        notes = {path: row.oid for path, row in there.notes.items()}
        self._notes = notes | {name: oid for name, (_, oid) in new.gone.items()}
        self._judged: dict[str, list[Judged]] = {}
        self._said: dict[str, Answer] = {}
        self._begun = False

    def settle(self, opened: commit.OpenGame, now: datetime, *, moved: bool) -> None:
        """Apply all notes that may count, in any order. Raises like `apply_notes`.

        `moved` says that the game has gone on since the referee's last run.
        """
        if not self._begun:
            self._begun = True
            fresh = [path for path in self._notes if not self._is_old(path)]
            self._said = self._answers_to(opened.file, fresh)
            todo = [path for path in fresh if not self._is_done(opened.file, path)]
            if todo and self._round(opened, todo, now):
                moved = True
        again = [path for path in self._notes if self._is_open(path)]
        if not moved or not again:
            return
        self._said |= self._answers_to(opened.file, [path for path in again if self._is_old(path)])
        while again and self._round(opened, again, now):
            again = [path for path in again if self._is_open(path)]

    def _name(self, path: str) -> str:
        """Return the path at which a note was pushed, even if it is gone."""
        return self._new.gone[path][0] if path in self._new.gone else path

    def _is_old(self, path: str) -> bool:
        """Return True if a note was there already in the referee's last run."""
        row = self._before.files.get(path)
        return row is not None and row.oid == self._notes[path]

    def _is_done(self, file: GameFile, path: str) -> bool:
        """Return True if the referee has answered a note for good."""
        said = [self._said[path]] if path in self._said else []
        if path in self._new.gone:
            said += self._new.said(self._trees, file, path)
        return any(answer.final for answer in said)

    def _is_open(self, path: str) -> bool:
        """Return True if a note could be judged otherwise once the game has gone on."""
        if path in self._judged:
            return any(not note.final for note in self._judged[path])
        return self._is_old(path) and self._notes[path] in self._before.waiting

    def _answers_to(self, file: GameFile, paths: Sequence[str]) -> dict[str, Answer]:
        """Return the answers of this referee to notes that are unchanged."""
        return self._there.answers_to(
            self._trees, file, {path: self._notes[path] for path in paths}
        )

    def _contents(self, notes: Mapping[str, str]) -> Iterator[tuple[str, bytes | None]]:
        """Yield the bytes of these notes, one at a time; None for one that is too large."""
        objects = self._trees.objects
        looked = list(objects.look_all(list(notes.values())))
        for path, there in zip(notes, looked, strict=True):
            if there is not None:
                yield path, objects.read(there) if there.size <= MAX_NOTE else None

    def _round(self, opened: commit.OpenGame, todo: Sequence[str], now: datetime) -> bool:
        """Judge the notes in these files, and return whether any was accepted."""
        before = moment(opened.file)
        for batch in self._batches(todo):
            for path, new in self._judge(opened, batch, now):
                old = self._judged.get(path, new)
                # A note that was accepted in an earlier round is now a repeat.
                self._judged[path] = [
                    first if first.verdict.error is None else again
                    for first, again in zip(old, new, strict=True)
                ]
            for judged in self._judged.values():
                for one in judged:
                    one.verdict.follow(opened.file)
            self._after_batch(opened)
        return moment(opened.file) != before

    def _judge(
        self, opened: commit.OpenGame, batch: Batch, now: datetime
    ) -> Iterator[tuple[str, list[Judged]]]:
        """Yield the verdicts on the notes in these files.

        A file on which the program fails is refused, and does not affect the others.
        """
        verdicts = commit.try_notes(
            opened, [(path, found) for path, notes in batch for found in notes], now
        )
        game = opened.file.game
        if not isinstance(verdicts, Mistake):
            rest = iter(verdicts)
            for path, notes in batch:
                yield path, [Judged.of(found, next(rest), game) for found in notes]
        elif len(batch) > 1:
            half = len(batch) // 2
            yield from self._judge(opened, batch[:half], now)
            yield from self._judge(opened, batch[half:], now)
        else:
            [(path, notes)] = batch
            opened.undone.append(f"{printable_line(self._name(path))}: {verdicts.message}")
            failed = partial(Verdict, path, "note", verdicts.reason, verdicts)
            yield path, [Judged.of(found, failed(), game) for found in notes]

    def _batches(self, todo: Sequence[str]) -> Iterator[Batch]:
        """Yield the notes in these files, a limited number at once."""
        batch: Batch = []
        size = 0
        for path, data in self._contents({path: self._notes[path] for path in todo}):
            batch.append((path, [A_LARGE_FILE] if data is None else _found(data)))
            size += len(data or b"")
            if size > BATCH or sum(len(found) for _, found in batch) >= MAX_AT_ONCE:
                yield batch
                batch, size = [], 0
        if batch:
            yield batch

    def refused_for_good(self, file: GameFile) -> Answers:
        """Return the answers that stay the same, whatever is judged later."""
        known = PublicNotes(file, chain.heads(file)).marks | waiting_fingerprints(file, self._key)
        changes: dict[str, Change] = {}
        verdicts = []
        for path, judged in self._judged.items():
            if all(note.final for note in judged) and not all(note.counts for note in judged):
                self._say(file, path, known, changes)
            if path + ENDING in changes:
                verdicts += [(path, note.verdict) for note in judged]
        return Answers(verdicts, changes, set())

    def answered(self, file: GameFile) -> Answers:
        """Return the answers to all notes, once all have been judged."""
        shown = PublicNotes(file, chain.heads(file))
        changes = self._mended()
        waiting = set(self._before.waiting.intersection(self._notes.values()))
        waiting -= {self._notes[path] for path in self._judged}
        own = waiting_fingerprints(file, self._key)
        traces = {path: [note.trace for note in judged] for path, judged in self._judged.items()}
        evidence = {path: shown.evidence(self._name(path), traces[path]) for path in traces}
        waits: set[tuple[str, ...]] = set()
        left = shown.waiting
        if Evidence.MAY_WAIT in evidence.values():
            left -= self._waiting_still(shown)
        # For each answer that waits, one file gets no refusal. Nobody else can tell sealed files
        # apart, so prefer the one whose name will show that it counted.
        order = {path: (not is_marked(self._name(path), own), path) for path in self._judged}
        for path in sorted(order, key=lambda path: (not self._is_old(path), order[path])):
            judged = self._judged[path]
            counts = all(note.counts for note in judged)
            if counts and evidence[path] is Evidence.MAY_WAIT and left > 0:
                left -= 1
                evidence[path] = Evidence.COUNTS
            if counts and evidence[path] is Evidence.COUNTS:
                if shown.lasts(self._name(path), traces[path]) or path in self._new.gone:
                    self._unsaid(path, changes)
                    continue
                # Anybody can push what another has signed, as often as he likes.
                name = MARK.search(self._name(path))
                sealed = name[1] if name is not None else path
                marks = tuple(trace.mark or sealed for trace in traces[path])
                copied = marks in waits or len(waiting) >= MAX_WAITING
                if copied:
                    self._say(file, path, frozenset(), changes, final=True)
                else:
                    self._unsaid(path, changes)
                    waiting.add(self._notes[path])
                    waits.add(marks)
                continue
            final = all(note.final for note in judged)
            full = len(waiting) >= MAX_WAITING or len(judged) > MAX_IN_ONE_FILE
            self._say(file, path, shown.marks | own, changes, full=full and not final)
            if not final and not full and path not in self._new.gone:
                waiting.add(self._notes[path])
        verdicts = [
            (path, note.verdict) for path, judged in self._judged.items() for note in judged
        ]
        return Answers(verdicts, changes, waiting)

    def _waiting_still(self, shown: PublicNotes) -> int:
        """Return how many sealed notes wait that were not judged again and have no answer."""
        old = {
            path: oid
            for path, oid in self._notes.items()
            if path not in self._judged and self._is_open(path)
            if path + ENDING not in self._before.files
        }
        files = ((path, _found(data or b"")) for path, data in self._contents(old))
        traces = (
            (path, [Trace.of(found, shown.game) for found in things]) for path, things in files
        )
        return sum(shown.evidence(path, some) is Evidence.MAY_WAIT for path, some in traces)

    def _say(
        self,
        file: GameFile,
        path: str,
        known: Collection[str],
        changes: dict[str, Change],
        *,
        full: bool = False,
        final: bool = False,
    ) -> None:
        """Answer a note unless the same answer is there; if there is no room to wait, for good."""
        judged = self._judged[path]
        told = [note for note in judged if not note.counts or note.trace.mark not in known]
        final = final or full or all(note.final for note in judged)
        answer = answer_to(told or judged, file.step, final=final)
        if full:
            answer = answer._replace(said=answer.said + NO_ROOM)
        old = self._said.get(path)
        if old is None or not old.says(answer):
            text = answer.text(self._key, file.game, self._notes[path])
            changes[path + ENDING] = text
            self._said[path] = answer
        else:
            changes.pop(path + ENDING, None)

    def _unsaid(self, path: str, changes: dict[str, Change]) -> None:
        """Remove the answer beside a note that counts."""
        if path + ENDING in self._there.files:
            changes[path + ENDING] = None
        else:
            changes.pop(path + ENDING, None)

    def _mended(self) -> dict[str, Change]:
        """Return the answers to old notes that somebody has changed, as they were."""
        changes: dict[str, Change] = {}
        for path in self._notes:
            if self._is_old(path):
                left = self._before.files.get(path + ENDING)
                if left != self._there.files.get(path + ENDING):
                    changes[path + ENDING] = left
        return changes
