"""The notes on a branch: judging them, and writing the answers beside them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
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
"""Objects of note files, with what was found in each."""


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
    """The notes on a branch; only those are read that may need a verdict.

    A file is judged once, under however many names it lies there, and answered alike at each.
    """

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
        self._first: dict[str, str] = {}
        for path, oid in self._notes.items():
            self._first.setdefault(oid, path)
        self._judged: dict[str, list[Judged]] = {}
        self._todo: dict[str, None] = {}
        self._said: dict[str, Answer] = {}
        self._answers: dict[tuple[str, bool, bool], Answer] = {}
        self._texts: dict[tuple[str, Answer], bytes] = {}
        self._begun = False

    def settle(self, opened: commit.OpenGame, now: datetime, *, moved: bool) -> None:
        """Apply all notes that may count, in any order. Raises like `apply_notes`.

        `moved` says that the game has gone on since the referee's last run.
        """
        if not self._begun:
            self._begun = True
            moved = commit.let_bots_go_on(opened, now) or moved
            fresh = [path for path in self._notes if not self._is_old(path)]
            self._said = self._answers_to(opened.file, fresh)
            todo = [path for path in fresh if not self._is_done(opened.file, path)]
            came = {self._notes[path] for path in todo} & self._before.waiting
            alike = [path for path in self._notes if self._notes[path] in came]
            alike = [path for path in alike if self._is_old(path)]
            self._said |= self._answers_to(opened.file, alike)
            todo += alike
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
        judged = self._judged.get(self._notes[path])
        if judged is not None and path in self._todo:
            return any(not note.final for note in judged)
        return self._is_old(path) and self._notes[path] in self._before.waiting

    def _answers_to(self, file: GameFile, paths: Sequence[str]) -> dict[str, Answer]:
        """Return the answers of this referee to notes that are unchanged."""
        return self._there.answers_to(
            self._trees, file, {path: self._notes[path] for path in paths}
        )

    def _contents(self, paths: Iterable[str]) -> Iterator[tuple[str, bytes | None]]:
        """Yield the objects of these notes with their bytes, one at a time; None for one that is
        too large."""
        objects = self._trees.objects
        oids = list(dict.fromkeys(self._notes[path] for path in paths))
        for oid, there in zip(oids, list(objects.look_all(oids)), strict=True):
            if there is not None:
                yield oid, objects.read(there) if there.size <= MAX_NOTE else None

    def _round(self, opened: commit.OpenGame, todo: Sequence[str], now: datetime) -> bool:
        """Judge the notes in these files, and return whether any was accepted."""
        before = moment(opened.file)
        self._todo |= dict.fromkeys(todo)
        for batch in self._batches(todo):
            for oid, new in self._judge(opened, batch, now):
                old = self._judged.get(oid, new)
                # A note that was accepted in an earlier round is now a repeat.
                self._judged[oid] = [
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
        """Yield the verdicts on the notes in these files, with their objects.

        A file on which the program fails is refused, and does not affect the others.
        """
        sources = {oid: self._first[oid] for oid, _ in batch}
        verdicts = commit.try_notes(
            opened, [(sources[oid], found) for oid, notes in batch for found in notes], now
        )
        game = opened.file.game
        if not isinstance(verdicts, Mistake):
            rest = iter(verdicts)
            for oid, notes in batch:
                yield oid, [Judged.of(found, next(rest), game) for found in notes]
        elif len(batch) > 1:
            half = len(batch) // 2
            yield from self._judge(opened, batch[:half], now)
            yield from self._judge(opened, batch[half:], now)
        else:
            [(oid, notes)] = batch
            path = sources[oid]
            opened.undone.append(f"{printable_line(self._name(path))}: {verdicts.message}")
            failed = partial(Verdict, path, "note", verdicts.reason, verdicts)
            told = [Judged.of(found, failed(), game) for found in notes]
            for one in told:
                one.verdict.step = opened.file.step
            yield oid, told

    def _batches(self, todo: Sequence[str]) -> Iterator[Batch]:
        """Yield the notes in these files, a limited number at once."""
        batch: Batch = []
        size = 0
        for oid, data in self._contents(todo):
            batch.append((oid, [A_LARGE_FILE] if data is None else _found(data)))
            size += len(data or b"")
            if size > BATCH or sum(len(found) for _, found in batch) >= MAX_AT_ONCE:
                yield batch
                batch, size = [], 0
        if batch:
            yield batch

    def refused_for_good(self, file: GameFile) -> Answers:
        """Return the answers that stay the same, whatever is judged later."""
        self._answers.clear()
        changes: dict[str, Change] = {}
        for path in self._todo:
            judged = self._judged.get(self._notes[path], [])
            final = bool(judged) and all(note.final for note in judged)
            if final and not all(note.counts for note in judged):
                self._say(file, path, changes)
        refused = [path for path in self._todo if path + ENDING in changes]
        return Answers(self._verdicts(refused), changes, set())

    def answered(self, file: GameFile) -> Answers:
        """Return the answers to all notes, once all have been judged."""
        self._answers.clear()
        shown = PublicNotes(file, chain.heads(file))
        changes = self._mended()
        waiting = set(self._before.waiting.intersection(self._notes.values()))
        waiting -= self._judged.keys()
        own = waiting_fingerprints(file, self._key)
        todo = [path for path in self._todo if self._notes[path] in self._judged]
        of_object = {oid: [note.trace for note in judged] for oid, judged in self._judged.items()}
        traces = {path: of_object[self._notes[path]] for path in todo}
        evidence = {path: shown.evidence(self._name(path), traces[path]) for path in traces}
        waits: set[tuple[str, ...]] = set()
        left = shown.waiting
        if Evidence.MAY_WAIT in evidence.values():
            left -= self._waiting_still(shown)
        # For each answer that waits, one file gets no refusal. Nobody else can tell sealed files
        # apart, so prefer the one whose name will show that it counted.
        order = {path: (not is_marked(self._name(path), own), path) for path in todo}
        for path in sorted(order, key=lambda path: (not self._is_old(path), order[path])):
            judged = self._judged[self._notes[path]]
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
                    self._say(file, path, changes, final=True)
                else:
                    self._unsaid(path, changes)
                    waiting.add(self._notes[path])
                    waits.add(marks)
                continue
            final = all(note.final for note in judged)
            full = len(judged) > MAX_IN_ONE_FILE or (
                len(waiting) >= MAX_WAITING and self._notes[path] not in waiting
            )
            self._say(file, path, changes, full=full and not final)
            if not final and not full and path not in self._new.gone:
                waiting.add(self._notes[path])
        return Answers(self._verdicts(todo, changes), changes, waiting)

    def _verdicts(
        self, paths: Iterable[str], changes: Collection[str] = ()
    ) -> list[tuple[str, Verdict]]:
        """Return the verdicts on the notes at these paths, each object's once.

        It is named by a path whose answer is among the `changes`, if there is any.
        """
        named: dict[str, str] = {}
        for path in sorted(paths, key=lambda path: path + ENDING not in changes):
            named.setdefault(self._notes[path], path)
        judged = ((named[oid], self._judged[oid]) for oid in self._judged if oid in named)
        return [(path, note.verdict) for path, notes in judged for note in notes]

    def _waiting_still(self, shown: PublicNotes) -> int:
        """Return how many sealed notes wait that were not judged again and have no answer."""
        old = [
            path
            for path in self._notes
            if path not in self._todo and self._is_open(path)
            if path + ENDING not in self._before.files
        ]
        traces = {
            oid: [Trace.of(found, shown.game) for found in _found(data or b"")]
            for oid, data in self._contents(old)
        }
        return sum(
            shown.evidence(path, traces.get(self._notes[path], [])) is Evidence.MAY_WAIT
            for path in old
        )

    def _say(
        self,
        file: GameFile,
        path: str,
        changes: dict[str, Change],
        *,
        full: bool = False,
        final: bool = False,
    ) -> None:
        """Answer a note unless the same answer is there; if there is no room to wait, for good."""
        oid = self._notes[path]
        judged = self._judged[oid]
        final = final or full or all(note.final for note in judged)
        answer = self._answers.get((oid, final, full))
        if answer is None:
            answer = answer_to(judged, final=final)
            if full:
                answer = answer._replace(said=answer.said + NO_ROOM)
            self._answers[oid, final, full] = answer
        old = self._said.get(path)
        if old is None or not old.says(answer):
            if (oid, answer) not in self._texts:
                self._texts[oid, answer] = answer.text(self._key, file.game, oid)
            changes[path + ENDING] = self._texts[oid, answer]
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
