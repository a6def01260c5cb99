"""The notes of a branch: what lies there, and what was pushed since the referee was there.

Whoever can push can take away, rename or change a note of another before the referee comes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from referee.git.answers import ENDING, GONE, LIMIT, MAX_NOTE, Answer, is_other, is_too_long, read
from referee.git.sync import MOVES
from referee.git.trees import TREE, Endless, Row, Size, Trees
from referee.notes.kinds import KINDS
from referee.records import NamedTuple

if TYPE_CHECKING:
    from referee.git.objects import Object, Objects
    from referee.git.repo import Past
    from referee.table.gamefile import GameFile

# Endings of the names of notes.
ENDINGS = tuple(f".{kind}" for kind in KINDS)
# Only the first of these are looked at: states of the folder, and notes that are gone from it.
MAX_FOLDERS = 2000
MAX_NEW_FILES = 5000
# Files in the place of answers to those: a signature is checked for each note and each of them.
MAX_ANSWERS = 20_000
# Files of one commit that are taken before others of it have to wait for those of other commits.
AT_ONCE = 20
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
        pairs = list(dict.fromkeys((oid, notes[path]) for path, oid in beside.items()))
        looked = trees.objects.look_all([oid for oid, _ in pairs])
        found = {
            pair: _answer(trees, file, there, pair[1])
            for pair, there in zip(pairs, looked, strict=True)
        }
        answers = {path: found[oid, notes[path]] for path, oid in beside.items()}
        return {path: answer for path, answer in answers.items() if answer is not None}


class PushedNotes(NamedTuple):
    """Files that were pushed among the notes: `fresh` are pairs of path and object.

    `gone` are the pairs of those that are no longer there, by names made of their objects, which no
    note can have. `answers` are the objects of what may be their answers. `has_all_answers` says
    that no answer can have been missed, `missed` that something else may have been: it was so much
    that only the first part was looked at.
    """

    fresh: frozenset[tuple[str, str]]
    gone: dict[str, tuple[str, str]]
    answers: dict[str, list[str]]
    has_all_answers: bool
    missed: bool

    def said(self, trees: Trees, file: GameFile, name: str) -> list[Answer]:
        """Return the referee's answers to a note that is gone, now or when it was there."""
        _, oid = self.gone[name]
        looked = trees.objects.look_all(self.answers.get(name, []))
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


def notes_beside(trees: Trees, tree: str, moves: str) -> dict[str, Row]:
    """Return what lies beside the folder of the notes and is called like a note, by path."""
    folder = moves[:-1].rpartition("/")[0]
    try:
        row = trees.under(tree, folder) if folder else Row(TREE, tree)
        rows = trees.rows(row.oid) if row is not None and row.is_tree else {}
    except Endless:
        return {}
    place = f"{folder}/" if folder else ""
    named = {name: row for name, row in rows.items() if row.is_file and name.endswith(ENDINGS)}
    return {place + name: row for name, row in named.items()}


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


def pushed_notes(objects: Objects, past: Past, moves: str, there: NotesFolder) -> PushedNotes:
    """Return the files that came among the notes in the commits of the past. Raises GitFailed."""
    search = _Search(objects, moves)
    search.look(past)
    still = {row.oid for row in there.notes.values()}
    gone: dict[str, tuple[str, str]] = {}
    for path, oid in search.found:
        if not is_other(path) and oid not in still:
            gone.setdefault(f"{moves}{GONE}{oid}", (path, oid))
    first = dict(islice(gone.items(), MAX_NEW_FILES))
    answers, has_all = _answers_in(search.found, first)
    missed = not search.is_whole or len(first) < len(gone)
    return PushedNotes(frozenset(search.found), first, answers, search.is_whole and has_all, missed)


def _answers_in(
    found: Iterable[tuple[str, str]], gone: Mapping[str, tuple[str, str]]
) -> tuple[dict[str, list[str]], bool]:
    """Return what may be answers to the notes that are gone, and whether that is all of it."""
    by_path: dict[str, list[str]] = {}
    for path, oid in found:
        if path.endswith(ENDING):
            by_path.setdefault(path.removesuffix(ENDING), []).append(oid)
    answers: dict[str, list[str]] = {}
    left = MAX_ANSWERS
    for name, (path, _) in gone.items():
        # Those under its own name are few: nobody else's answers stand there.
        oids = [*by_path.get(name, ()), *by_path.get(path, ())]
        left -= len(oids)
        if left < 0:
            return answers, False
        answers[name] = oids
    return answers, True


class _Search:
    """The files `found` that were not there before; `is_whole` unless a limit was reached.

    Those of the folder itself come before those of folders in it, and the first of each commit
    before the rest of any, so that no one commit keeps the others from being looked at. The limits
    are its own: what lies at the tip does not use them up.
    """

    def __init__(self, objects: Objects, moves: str) -> None:
        self._objects = objects
        self._moves = moves
        self._seen: set[tuple[str, str]] = set()
        self.found: list[tuple[str, str]] = []
        self.is_whole = True

    def look(self, past: Past) -> None:
        """Look at the commits of the past."""
        before, commits = self._folders(past.before), self._folders(past.commits)
        self._files(before)
        self.is_whole = True
        new = [oid for oid in commits if oid not in before]
        ranked = self._files(new[:MAX_FOLDERS])
        self.is_whole = self.is_whole and len(new) <= MAX_FOLDERS
        self.found = [pair for _, pair in sorted(ranked, key=lambda one: one[0])]

    def _folders(self, commits: Sequence[str]) -> list[str]:
        """Return the folders of the notes in these commits, each once."""
        small = self._objects.small(commits)
        roots = dict.fromkeys(self._objects.look_all([f"{one}^{{tree}}" for one in small]))
        names = [f"{one.oid}:{self._moves[:-1]}" for one in roots if one is not None]
        found = dict.fromkeys(self._objects.look_all(names))
        return [one.oid for one in found if one is not None and one.kind == "tree"]

    def _files(self, folders: Sequence[str]) -> list[tuple[int, tuple[str, str]]]:
        """Return the files in these folders that are not seen yet.

        Each comes with its rank: how many times `AT_ONCE` others of its folder are before it.
        """
        trees = Trees(self._objects)
        files: list[tuple[int, tuple[str, str]]] = []
        layer = [(self._moves, oid) for oid in folders]
        while layer:
            below: list[tuple[str, str]] = []
            for place, oid in layer:
                if place != self._moves and not _has_notes(trees, oid):
                    self.is_whole = self.is_whole and not trees.is_spent
                    continue
                if trees.is_spent:
                    self.is_whole = False
                    break
                new = self._unseen(trees, place, oid)
                files += [(n // AT_ONCE, pair) for n, (pair, row) in enumerate(new) if row.is_file]
                below += [(f"{pair[0]}/", row.oid) for pair, row in new if row.is_tree]
            layer = below
        return files

    def _unseen(self, trees: Trees, place: str, oid: str) -> list[tuple[tuple[str, str], Row]]:
        """Return what lies in a folder and was not seen yet, and add it to what was."""
        try:
            rows = trees.rows(oid)
        except Endless:
            return []
        pairs = [((place + name, row.oid), row) for name, row in rows.items()]
        new = [one for one in pairs if one[0] not in self._seen]
        self._seen.update(pair for pair, _ in new)
        return new


def _has_notes(trees: Trees, oid: str) -> bool:
    """Return True if a folder has files, but not too many."""
    try:
        size = trees.size(oid)
    except Endless:
        return False
    return size.files > 0 and size.names <= MAX_FOLDER_FILES
