"""Trees of a repository: each is read once, however often it is part of others.

A push of a thousand bytes can hold trees within trees that have billions of paths, which git would
visit one by one in `ls-tree -r`, a diff, a merge or a checkout.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from referee.git.objects import Objects
from referee.git.repo import GitFailed
from referee.records import NamedTuple

TREE, LINK, MODULE = "40000", "120000", "160000"
FILE, PROGRAM = "100644", "100755"
# Bytes of one tree: some hundred thousand files.
LARGEST = 1 << 22
# Trees that are read at most, and their bytes on average, whatever was pushed.
MAX_TREES, BYTES_A_TREE = 20_000, 800
DEEPEST = 64
FOR_GIT = (".", "..", ".git")


class Row(NamedTuple):
    """An entry of a tree: one of the five modes that git writes, and the object."""

    mode: str
    oid: str

    @property
    def is_file(self) -> bool:
        """Return True for a file, which is neither link nor module."""
        return self.mode in (FILE, PROGRAM)

    @property
    def is_tree(self) -> bool:
        return self.mode == TREE


def mode_of(digits: bytes) -> str:
    """Return the mode that git makes of any octal number, which a push can contain."""
    number = int(digits, 8)
    match number & 0o170000:
        case 0o100000:
            return PROGRAM if number & 0o100 else FILE
        case 0o120000:
            return LINK
        case 0o040000:
            return TREE
    return MODULE


class Size(NamedTuple):
    """The size of a tree and all below it: names, files (links and modules too), and depth."""

    names: int
    files: int
    depth: int


class Endless(GitFailed):
    """Error for a tree that is broken, or larger or deeper than any of a game."""

    reason = "endless-tree"


class Trees:
    """Reads trees, each once."""

    def __init__(self, objects: Objects, most: int = MAX_TREES) -> None:
        self.objects = objects
        self._most = most
        self._rows: dict[str, dict[str, Row]] = {}
        self._sizes: dict[str, Size] = {}
        self._read_bytes = 0

    @property
    def is_spent(self) -> bool:
        """Return True if the limit of reading is reached."""
        return len(self._rows) > self._most or self._read_bytes > self._most * BYTES_A_TREE

    def rows(self, oid: str) -> dict[str, Row]:
        """Return what lies in a tree, by name. Raises Endless."""
        known = self._rows.get(oid)
        if known is None:
            known = self._rows[oid] = self._read(oid)
        return known

    def _read(self, oid: str) -> dict[str, Row]:
        there = self.objects.look(oid)
        if there is None or there.kind != "tree":
            raise Endless(f"git has no tree {oid}", "git fsck")
        if there.size > LARGEST:
            raise Endless(f"the tree {oid} has more files than any game")
        data, length, at = self.objects.read(there), len(oid) // 2, 0
        form = re.compile(rb"([0-7]+) ([^\0/]+)\0(.{%d})" % length, re.DOTALL)
        rows: dict[str, Row] = {}
        while at < len(data):
            match = form.match(data, at)
            if match is None:
                raise Endless(f"the tree {oid} is broken", "git fsck")
            # Of two rows with one name git takes the first.
            rows.setdefault(os.fsdecode(match[2]), Row(mode_of(match[1]), match[3].hex()))
            at = match.end()
        self._read_bytes += len(data)
        return rows

    def root(self, commit: str) -> str:
        """Return the tree of a commit. Raises GitFailed."""
        there = self.objects.look(f"{commit}^{{tree}}")
        if there is None:
            raise GitFailed(f"git has no tree of {commit}", "git fsck")
        return there.oid

    def at(self, commit: str, path: str) -> Row | None:
        """Return what lies at a path of a commit. Raises GitFailed."""
        return self.under(self.root(commit), path)

    def under(self, tree: str, path: str) -> Row | None:
        """Return what lies at a path below a tree. Raises GitFailed."""
        row: Row | None = Row(TREE, tree)
        for name in path.split("/"):
            if row is None or not row.is_tree:
                return None
            row = self.rows(row.oid).get(name)
        return row

    def size(self, oid: str) -> Size:
        """Return the size of a tree that somebody has pushed. Raises Endless."""
        todo = [(oid, iter(self._below(oid)))]
        while oid not in self._sizes:
            here, below = todo[-1]
            inner = next((tree for tree in below if tree not in self._sizes), None)
            if inner is not None:
                todo.append((inner, iter(self._below(inner))))
                if len(todo) > DEEPEST:
                    raise Endless(f"a tree is over {DEEPEST} deep")
                continue
            rows = self.rows(here).values()
            sizes = [self._sizes[row.oid] for row in rows if row.is_tree]
            self._sizes[here] = Size(
                len(rows) + sum(size.names for size in sizes),
                sum(not row.is_tree for row in rows) + sum(size.files for size in sizes),
                1 + max([size.depth for size in sizes], default=0),
            )
            todo.pop()
        if self._sizes[oid].depth > DEEPEST:
            raise Endless(f"a tree is over {DEEPEST} deep")
        return self._sizes[oid]

    def _below(self, oid: str) -> list[str]:
        """Return the trees in a tree. Raises Endless."""
        if self.is_spent:
            raise Endless("there are trees without end")
        rows = self.rows(oid)
        if any(name.casefold() in FOR_GIT for name in rows):
            raise Endless(f"the tree {oid} has a name that no clone could write")
        return [row.oid for row in rows.values() if row.is_tree]

    def files(self, oid: str, prefix: str) -> Iterator[tuple[str, Row]]:
        """Yield the files in a tree and below it, links and modules too, by path. Raises Endless.

        Check the `size` first: it limits how many there are.
        """
        todo = [(prefix, oid)]
        while todo:
            place, tree = todo.pop()
            for name, row in self.rows(tree).items():
                if not row.is_tree:
                    yield place + name, row
                elif self.size(row.oid).files:
                    todo.append((f"{place}{name}/", row.oid))

    def new(self, there: str, here: str) -> Iterator[Row]:
        """Yield the files in a tree that differ from those at the same path in another one, or "".

        Links and modules too. Check the `size` of the trees that differ first. Raises Endless.
        """
        todo = [(there, here)]
        while todo:
            new, old = todo.pop()
            known = self.rows(old) if old else {}
            for name, row in self.rows(new).items():
                was = known.get(name)
                if row == was:
                    continue
                if row.is_tree:
                    todo.append((row.oid, was.oid if was is not None and was.is_tree else ""))
                else:
                    yield row
