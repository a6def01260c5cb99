"""The notes of a branch: what lies there, and what was pushed since the referee was there.

Whoever can push can take away, rename or change a note of another before the referee comes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from referee.git.answers import ENDING, LIMIT, MAX_NOTE, Answer, is_other, is_too_long, read
from referee.git.sync import MOVES
from referee.git.trees import Endless, Row, Size, Trees

if TYPE_CHECKING:
    from referee.git.objects import Object
    from referee.git.repo import Past
    from referee.table.gamefile import GameFile

# Only the first of these are looked at.
MAX_COMMITS = 2000
MAX_NEW_FILES = 5000
# Notes and answers at the tip.
MAX_FOLDER_FILES = 10_000
# Their bytes, an object counted once for each of its names.
MAX_BYTES = 1 << 25


class NotesFolder(NamedTuple):
    """The files among the notes, by path.

    `wild` are paths of things that no game has, and the referee removes: folders without end,
    links, names that no clone could write, and the largest files if there are too many bytes; or
    the whole folder if it has too many files. `large` are files larger than any note, which the
    referee removes when it has answered them.
    """

    files: dict[str, Row]
    wild: list[str]
    large: Sequence[str] = ()

    @property
    def notes(self) -> dict[str, Row]:
        return {path: row for path, row in self.files.items() if not is_other(path)}

    def answers_to(
        self, trees: Trees, file: GameFile, notes: Mapping[str, str]
    ) -> dict[str, Answer]:
        """Return the referee's answers beside notes, if they are about just these objects."""
        beside = {
            path: self.files[path + ENDING].oid for path in notes if path + ENDING in self.files
        }
        looked = trees.objects.look_all(list(beside.values()))
        found = {
            path: _answer(trees, file, there, notes[path])
            for path, there in zip(beside, looked, strict=True)
        }
        return {path: answer for path, answer in found.items() if answer is not None}


class PushedNotes(NamedTuple):
    """Files that were pushed among the notes: `fresh` are pairs of path and object.

    `gone` are the pairs of those that are no longer there, by names made of their objects.
    `answers` are the objects of answers, by the path of the note.
    """

    fresh: frozenset[tuple[str, str]]
    gone: dict[str, tuple[str, str]]
    answers: dict[str, list[str]]

    def said(self, trees: Trees, file: GameFile, name: str) -> list[Answer]:
        """Return the referee's answers to a note that is gone, from when it was there."""
        path, oid = self.gone[name]
        looked = trees.objects.look_all(self.answers.get(path, []))
        found = [_answer(trees, file, there, oid) for there in looked]
        return [answer for answer in found if answer is not None]


def _answer(trees: Trees, file: GameFile, there: Object | None, note: str) -> Answer | None:
    """Return the referee's answer to a note, if it is in this object."""
    if there is None or there.size > LIMIT:
        return None
    return read(trees.objects.read(there), file.referee, file.game, note)


def folder_of(path: str) -> str:
    """Return the folder of the notes for a game file, with the slash."""
    folder = path.rpartition("/")[0]
    return f"{folder}/{MOVES}/" if folder else f"{MOVES}/"


def notes_in(trees: Trees, tree: str, moves: str) -> NotesFolder:
    """Return the files in the folder of the notes. Raises GitFailed."""
    row = trees.under(tree, moves[:-1])
    if row is None or not row.is_tree:
        return NotesFolder({}, [])
    try:
        rows = trees.rows(row.oid)
    except Endless:
        return NotesFolder({}, [moves[:-1]])
    wild: list[str] = []
    sizes: dict[str, Size] = {}
    for name, inner in rows.items():
        if inner.is_tree:
            try:
                sizes[name] = trees.size(inner.oid)
            except Endless:
                wild.append(moves + name)
    left = MAX_FOLDER_FILES - sum(not inner.is_tree for inner in rows.values())
    if left < 0:
        return NotesFolder({}, [moves[:-1]])
    files = {moves + name: inner for name, inner in rows.items() if not inner.is_tree}
    for name in sorted(sizes, key=lambda name: sizes[name]):
        left -= sizes[name].names
        if left < 0:
            wild.append(moves + name)
        else:
            files |= trees.files(rows[name].oid, f"{moves}{name}/")
    wild += [path for path, inner in files.items() if not inner.is_file or is_too_long(path)]
    for path in wild:
        files.pop(path, None)
    large, too_much = _by_weight(trees, files)
    for path in too_much:
        del files[path]
    return NotesFolder(files, wild + too_much, large)


def _by_weight(trees: Trees, files: Mapping[str, Row]) -> tuple[list[str], list[str]]:
    """Return the files larger than any note, and those that exceed the limit of all bytes."""
    oids = list({row.oid for row in files.values()})
    there = dict(zip(oids, trees.objects.look_all(oids), strict=True))
    weights, too_much, large = [], [], []
    for path, row in files.items():
        blob = there[row.oid]
        if blob is None:
            continue
        if blob.kind != "blob":
            too_much.append(path)
        elif blob.size > MAX_NOTE:
            large.append(path)
        else:
            weights.append((blob.size, path))
    left = MAX_BYTES
    for size, path in sorted(weights):
        left -= size
        if left < 0:
            too_much.append(path)
    return sorted(large), sorted(too_much)


def pushed_notes(trees: Trees, past: Past, moves: str, there: NotesFolder) -> PushedNotes:
    """Return the files that came among the notes in the commits of the past. Raises GitFailed."""
    pairs = list(_new(trees, past, moves))
    still = {row.oid for row in there.notes.values()}
    gone: dict[str, tuple[str, str]] = {}
    answers: dict[str, list[str]] = {}
    for path, oid in pairs:
        if path.endswith(ENDING):
            answers.setdefault(path.removesuffix(ENDING), []).append(oid)
        if not is_other(path) and oid not in still:
            gone.setdefault(f"{moves}gone-{oid[:16]}", (path, oid))
    return PushedNotes(frozenset(pairs), gone, answers)


def _new(trees: Trees, past: Past, moves: str) -> Iterator[tuple[str, str]]:
    """Yield path and object of each file that was not there before, the oldest commits first."""
    before = trees.objects.small(past.before)
    commits = trees.objects.small(past.commits[:MAX_COMMITS])
    names = [f"{commit}:{moves[:-1]}" for commit in (*before, *commits)]
    seen: set[tuple[str, str]] = set()
    found = 0
    for number, tree in enumerate(list(trees.objects.look_all(names))):
        if tree is None or tree.kind != "tree" or trees.is_spent:
            continue
        for pair in _unseen(trees, tree.oid, moves, seen):
            if number >= len(before):
                yield pair
                found += 1
                if found == MAX_NEW_FILES:
                    return


def _unseen(
    trees: Trees, oid: str, place: str, seen: set[tuple[str, str]]
) -> Iterator[tuple[str, str]]:
    """Yield the files of a tree that are not `seen` yet, and add them and their trees to it."""
    todo = [(place, oid)]
    while todo:
        place, oid = todo.pop()
        try:
            rows = trees.rows(oid)
        except Endless:
            continue
        for name, row in rows.items():
            pair = (place + name, row.oid)
            if pair in seen:
                continue
            seen.add(pair)
            if row.is_file:
                yield pair
            elif row.is_tree and _has_notes(trees, row.oid):
                todo.append((f"{pair[0]}/", row.oid))


def _has_notes(trees: Trees, oid: str) -> bool:
    """Return True if a folder has files, but not too many."""
    try:
        size = trees.size(oid)
    except Endless:
        return False
    return size.files > 0 and size.names <= MAX_FOLDER_FILES
