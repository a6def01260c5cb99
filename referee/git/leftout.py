"""The check that no note was left out and then taken away, in all that a referee says it judged.

A commit of the referee's says, signed, that all before it was judged. Where a note that came before
it is gone by now, the whole of that commit is checked as it was.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.errors import Stale
from referee.git.answers import is_other
from referee.git.checkpoint import checkpoints
from referee.git.ignored import check_none_ignored
from referee.git.notesfolder import folder_of, notes_in, pushed_notes
from referee.git.trees import Endless, Row, Trees
from referee.records import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from referee.git.objects import Objects
    from referee.table.gamefile import GameFile


# Folders of all commits, of which each has most of what the one before it had.
MOST_TREES = 100_000


class Segment(NamedTuple):
    """The commits before a checkpoint, back to those `before` it; `is_whole` unless a clone has not
    got all of them."""

    commits: list[str]
    before: list[str]
    is_whole: bool


class Judged:
    """The word of a game's referee on the history of a branch: which commits it has judged.

    `commits` are those of the history, parents first, each with its parents.
    """

    def __init__(
        self, objects: Objects, commits: Sequence[Sequence[str]], file: GameFile, *, shallow: bool
    ) -> None:
        self._objects = objects
        self._shallow = shallow
        self._parents = {commit: parents for commit, *parents in commits}
        self._order = [commit for commit, *_ in commits]
        small = objects.small(self._order)
        self.segments: dict[str, Segment] = {}
        self._of: dict[str, str] = {}
        for commit in checkpoints(objects, small, file.referee, file.game):
            self.segments[commit] = self._segment(commit)

    def _segment(self, checkpoint: str) -> Segment:
        todo, found, before = list(self._parents[checkpoint]), [], []
        is_whole = True
        self._of.setdefault(checkpoint, checkpoint)
        while todo:
            commit = todo.pop()
            if commit in self._of or commit in self.segments:
                before.append(commit)
                continue
            self._of[commit] = checkpoint
            found.append(commit)
            parents = self._parents.get(commit, [])
            is_whole = is_whole and (bool(parents) or not self._shallow)
            todo += parents
        return Segment(found, before, is_whole)

    def before(self, commit: str) -> list[str]:
        """Return the newest checkpoints up to a commit; the commit itself if there are none."""
        todo, seen, found = [commit], {commit}, []
        while todo:
            one = todo.pop()
            if one in self.segments:
                found.append(one)
                continue
            new = [parent for parent in self._parents.get(one, []) if parent not in seen]
            seen.update(new)
            todo += new
        return found or [commit]

    def with_gone(self, tip: str, path: str) -> Iterator[str]:
        """Yield the checkpoints before which a note came that is not there any more."""
        trees, moves = Trees(self._objects, MOST_TREES), folder_of(path)
        present = {row.oid for row in notes_in(trees, trees.root(tip), moves).files.values()}
        commits = [commit for commit in self._order if commit in self._of]
        commits = self._objects.small(commits)
        looked = self._objects.look_all([f"{commit}:{moves[:-1]}" for commit in commits])
        folders = dict(zip(commits, list(looked), strict=True))
        seen: set[tuple[str, Row]] = set()
        told: set[str] = set()
        done: set[str] = set()
        for commit, folder in folders.items():
            if folder is None or folder.kind != "tree" or folder.oid in done or trees.is_spent:
                continue
            done.add(folder.oid)
            new = _rows(trees, folder.oid) - seen
            seen |= new
            checkpoint = self._of[commit]
            if checkpoint not in told and any(
                row.oid not in present and not is_other(name) for name, row in new
            ):
                told.add(checkpoint)
                yield checkpoint

    def check(
        self,
        checkpoint: str,
        path: str,
        files: Mapping[str, tuple[GameFile, list[bytes]]],
    ) -> None:
        """Raise Stale if a note before a checkpoint had no answer there, and did not count.

        `files` are the game files at the commits.
        """
        segment, game = self.segments[checkpoint], files.get(checkpoint)
        if not segment.is_whole or game is None:
            return
        past, trees = self._objects.repo.past(checkpoint, segment.before), Trees(self._objects)
        try:
            check_none_ignored(trees, checkpoint, path, past, *game)
        except Stale as error:
            if error.reason != "not-dealt-with":
                raise
            moves = folder_of(path)
            there = notes_in(trees, trees.root(checkpoint), moves)
            if pushed_notes(self._objects, past, moves, there).missed:
                # Of so much the referee looked at the first part only, and said so.
                return
            error.message = f"at commit {checkpoint[:12]} {error.message}"
            error.hint = (
                "with that commit the referee has signed that all before it was judged: ask it; "
                "whoever misses the note pushes it again"
            )
            raise


def _rows(trees: Trees, folder: str) -> set[tuple[str, Row]]:
    """Return the files that lie in a folder itself, where `move --push` puts every note."""
    try:
        return {(name, row) for name, row in trees.rows(folder).items() if row.is_file}
    except Endless:
        return set()


def check_none_left_out(
    judged: Judged,
    tip: str,
    path: str,
    files: Mapping[str, tuple[GameFile, list[bytes]]],
    is_known: Callable[[str], bool],
) -> list[str]:
    """Check each checkpoint of a history before which a note came that is gone, unless it is known
    to be right; return those that are right. Raises Stale."""
    right = []
    for checkpoint in judged.with_gone(tip, path):
        if not is_known(checkpoint):
            judged.check(checkpoint, path, files)
            right.append(checkpoint)
    return right
