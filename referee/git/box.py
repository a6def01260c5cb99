"""The notes on a branch: which are judged, what became of them, what is said beside them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from referee.games.interface import NotUnderstood
from referee.git.answers import (
    ENDING,
    LIMIT,
    MAX_NOTE,
    Answer,
    Judged,
    answer_to,
    is_other,
    moment,
    read,
)
from referee.git.marks import is_marked, marks_of, marks_waiting
from referee.table import chain, commit
from referee.table.mail import Found, found_in

if TYPE_CHECKING:
    from datetime import datetime

    from referee.git.added import Added
    from referee.git.repo import Blob, Repo
    from referee.table.apply import Verdict
    from referee.table.gamefile import GameFile
    from referee.table.keys import PrivateKey

# So much is in memory at once.
BATCH = 1 << 22
TOO_LARGE = Found(error=NotUnderstood("the file is over 256 kB", "give the note alone"))


class Answers(NamedTuple):
    """What became of the notes: verdicts, by the path of each; and the files that change.

    `again` are those that would only say once more, at a later step, what they said before.
    """

    verdicts: list[tuple[str, Verdict]]
    changes: dict[str, bytes | None]
    again: dict[str, bytes | None]


class Box:
    """The notes on a branch, of which only those are read that may have something to say."""

    def __init__(self, repo: Repo, blobs: dict[str, Blob], key: PrivateKey, new: Added) -> None:
        self._repo = repo
        self._new = new
        self._key = key
        self._answers = {path: blob for path, blob in blobs.items() if path.endswith(ENDING)}
        self._notes = {path: blob for path, blob in blobs.items() if not is_other(path)}
        self._notes |= {name: blob for name, (_, blob) in new.gone.items()}
        self._judged: dict[str, list[Judged]] = {}

    def settle(self, desk: commit.Desk, now: datetime) -> Answers:
        """Apply all notes that may count, whatever their order. Raises like `apply_notes`."""
        said = self._said(desk.file)
        # Anybody can give a file a name; what it is has been looked at when it came.
        named = self._named(*self._marks(desk.file))
        known = {one for one in named if (one, self._notes[one].oid) not in self._new.fresh}
        done = {
            name
            for name in self._new.gone
            if any(one.final for one in self._new.said(self._repo, desk.file, name))
        }
        left = [
            path
            for path in self._notes
            if path not in known and path not in done and not _is_final(said, path)
        ]
        # Where nothing has happened since, the same would be said again.
        now_ = moment(desk.file)
        todo = [p for p in left if p not in said or (said[p].step, said[p].more) != now_]
        while todo and self._round(desk, todo, now):
            todo = [path for path in left if self._is_open(path)]
        return self._answered(desk.file, said, known)

    def _marks(self, file: GameFile) -> tuple[set[str], set[str]]:
        """The marks of the notes that everybody sees in the game, and of those that wait."""
        return marks_of(file, chain.heads(file)), marks_waiting(file, self._key)

    def _named(self, marks: set[str], waiting: set[str]) -> set[str]:
        """The files whose names are those of notes that are in the game.

        Of those that wait one file each: nobody else can tell a sealed one from another.
        """
        known = {path for path in self._notes if is_marked(path, marks)}
        for mark in waiting:
            known |= set(sorted(path for path in self._notes if is_marked(path, {mark}))[:1])
        return known

    def _is_open(self, path: str) -> bool:
        """Whether another judgement could be another one."""
        return path not in self._judged or not all(one.final for one in self._judged[path])

    def _said(self, file: GameFile) -> dict[str, Answer]:
        """What this referee has said of notes that lie there unchanged."""
        small = {
            path: blob
            for path, blob in self._answers.items()
            if path.removesuffix(ENDING) in self._notes and blob.size <= LIMIT
        }
        found = {}
        for path, data in self._repo.contents(small):
            note = path.removesuffix(ENDING)
            one = read(data, file.referee, file.game, self._notes[note].oid)
            if one is not None:
                found[note] = one
        return found

    def _round(self, desk: commit.Desk, todo: Sequence[str], now: datetime) -> bool:
        """Judge the notes in these files; whether any was accepted."""
        before = moment(desk.file)
        for batch in self._batches(todo):
            notes = [(path, found) for path, all_ in batch for found in all_]
            verdicts = iter(commit.apply_notes(desk, notes, now))
            for path, all_ in batch:
                new = [Judged.of(found, next(verdicts)) for found in all_]
                old = self._judged.get(path, new)
                # What was accepted a moment ago would now be said to count already.
                self._judged[path] = [
                    one if one.verdict.error is None else other
                    for one, other in zip(old, new, strict=True)
                ]
        return moment(desk.file) != before

    def _batches(self, todo: Sequence[str]) -> Iterator[list[tuple[str, list[Found]]]]:
        """What is found in these files, not too much at once."""
        batch, size = [(path, [TOO_LARGE]) for path in todo if self._notes[path].size > MAX_NOTE], 0
        small = {path: self._notes[path] for path in todo if self._notes[path].size <= MAX_NOTE}
        for path, data in self._repo.contents(small):
            batch.append((path, found_in(data)))
            size += len(data)
            if size > BATCH:
                yield batch
                batch, size = [], 0
        if batch:
            yield batch

    def _answered(self, file: GameFile, said: dict[str, Answer], known: set[str]) -> Answers:
        changes: dict[str, bytes | None] = {}
        again: dict[str, bytes | None] = {}
        marks, waiting = self._marks(file)
        named = self._named(marks, waiting)
        for path, all_ in self._judged.items():
            if path in named and all(one.counts for one in all_):
                answer = None
            else:
                answer = answer_to(all_, moment(file), marks | waiting)
            old = said.get(path)
            if answer is not None:
                same = old is not None and (old.said, old.final) == (answer.said, answer.final)
                text = answer.text(self._key, file.game, self._notes[path].oid)
                (again if same else changes)[path + ENDING] = text
            elif path + ENDING in self._answers:
                changes[path + ENDING] = None
        for path in known:
            # Nothing else is said beside a note but what the referee has said.
            if path + ENDING in self._answers and path not in said:
                changes[path + ENDING] = None
        verdicts = [(path, one.verdict) for path, all_ in self._judged.items() for one in all_]
        return Answers(verdicts, changes, again)


def _is_final(said: dict[str, Answer], path: str) -> bool:
    return path in said and said[path].final
