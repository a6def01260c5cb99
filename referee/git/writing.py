"""Writing a commit without a checkout: only the trees that change are written."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from referee.git.repo import COMMITTER, is_true, names_beside
from referee.git.trees import FILE, TREE, Row, Trees

if TYPE_CHECKING:
    from referee.git.repo import Repo

Change = bytes | Row | None
"""The new contents at a path: the bytes of a file, an object, or nothing."""


def write_tree(trees: Trees, tree: str, changes: Mapping[str, Change], folder: Path) -> str:
    """Return a copy of a tree with changes at these paths.

    `folder` is an empty one for temporary files. Raises GitFailed, and Endless for a tree in which
    something changes.
    """
    repo = trees.objects.repo
    oids = _written(repo, folder, [data for data in changes.values() if isinstance(data, bytes)])
    new = {
        tuple(path.split("/")): Row(FILE, next(oids)) if isinstance(what, bytes) else what
        for path, what in changes.items()
    }
    return _tree(trees, tree, new) or _new_tree(repo, {})


def _tree(trees: Trees, tree: str, changes: Mapping[tuple[str, ...], Row | None]) -> str:
    """Return a tree with these rows changed (None: removed); "" if no rows are left."""
    rows = dict(trees.rows(tree)) if tree else {}
    below: dict[str, dict[tuple[str, ...], Row | None]] = {}
    for (name, *rest), row in changes.items():
        if rest:
            below.setdefault(name, {})[tuple(rest)] = row
        elif row is None:
            rows.pop(name, None)
        else:
            rows[name] = row
    for name, inner in below.items():
        old = rows.get(name)
        there = old is not None and old.is_tree
        new = _tree(trees, old.oid if old is not None and there else "", inner)
        if new:
            rows[name] = Row(TREE, new)
        elif there:
            del rows[name]
    if not rows:
        return ""
    return _new_tree(trees.objects.repo, rows)


def _new_tree(repo: Repo, rows: Mapping[str, Row]) -> str:
    """Return a tree of these rows.

    `git mktree` would look at every object, and refuse a module whose commit is a file here.
    """
    data = {os.fsencode(name): row for name, row in rows.items()}
    order = sorted(data, key=lambda name: name + b"/" * data[name].is_tree)
    given = b"".join(
        [
            b"%s %s\0%s" % (data[name].mode.encode(), name, bytes.fromhex(data[name].oid))
            for name in order
        ]
    )
    words = ("hash-object", "-w", "-t", "tree", "--literally", "--stdin")
    return repo.run(*words, given=given).stdout.decode().strip()


def _written(repo: Repo, folder: Path, contents: Sequence[bytes]) -> Iterator[str]:
    """Return the objects of new files, made by one process."""
    if not contents:
        return iter(())
    paths = [folder / f"new{number}" for number in range(len(contents))]
    for path, data in zip(paths, contents, strict=True):
        path.write_bytes(data)
    listed = "".join([f"{path}\n" for path in paths]).encode()
    words = ("hash-object", "-w", "--no-filters", "--stdin-paths")
    return iter(repo.run(*words, given=listed).stdout.decode().split())


def write_commit(repo: Repo, parent: str, tree: str, message: str) -> str:
    """Return a commit with this tree, by the user that git knows here. Raises GitFailed."""
    settings = repo.settings(*COMMITTER, "commit.gpgsign")
    sign = ["-S"] if is_true(settings.get("commit.gpgsign", "")) else []
    words = [*names_beside(settings), "commit-tree", tree, "-p", parent, *sign, "-F", "-"]
    return repo.run(*words, given=message.encode()).stdout.decode().strip()
