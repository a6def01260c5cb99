"""What was pushed since the referee's last word, be it there still or not: no note gets lost.

Whoever can push can take away, rename or change a note of another before the referee has come.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing
from itertools import islice
from typing import NamedTuple

from referee.git.answers import ENDING, LIMIT, Answer, is_other, is_too_long, read
from referee.git.repo import FILE_MODES, Blob, Repo
from referee.git.turn import MOVES
from referee.table.gamefile import GameFile

# Of more than that the first count.
MOST_COMMITS = 2000
MOST_FILES = 5000


class Added(NamedTuple):
    """What was added since the newest game file: `fresh` are paths with their objects.

    `gone` are those that do not lie there now, by names that are made of their objects: where each
    was, and what. `answers` are what was said of notes at these paths.
    """

    fresh: frozenset[tuple[str, str]]
    gone: dict[str, tuple[str, Blob]]
    answers: dict[str, list[Blob]]

    def said(self, repo: Repo, file: GameFile, name: str) -> list[Answer]:
        """What the referee has said of a note that is gone, while it was there."""
        path, blob = self.gone[name]
        there = {one.oid: one for one in self.answers.get(path, ())}
        texts = (data for _, data in repo.contents(there))
        found = (read(data, file.referee, file.game, blob.oid) for data in texts)
        return [one for one in found if one is not None]


def folder_of(path: str) -> str:
    """Where the notes for a game file are, with the slash."""
    folder = path.rpartition("/")[0]
    return f"{folder}/{MOVES}/" if folder else f"{MOVES}/"


def added(repo: Repo, tip: str, path: str, newest: str) -> Added:
    """What notes came in the commits that do not belong to the first one with the game file.

    `newest` is the object of that file. Raises GitFailed.
    """
    moves = folder_of(path)
    base = _base(repo, tip, path, newest)
    before = repo.files(base, moves) if base else {}
    known = {(name, blob.oid) for name, blob in before.items()}
    pairs = dict.fromkeys(
        pair for pair in islice(_pairs(repo, tip, base, moves), MOST_FILES) if pair not in known
    )
    sizes = _sizes(repo, [oid for _, oid in pairs])
    there = {
        blob.oid
        for name, blob in repo.files(tip, moves).items()
        if not is_other(name) and not is_too_long(name)
    }
    gone: dict[str, tuple[str, Blob]] = {}
    answers: dict[str, list[Blob]] = {}
    for name, oid in pairs:
        blob = sizes[oid]
        if name.endswith(ENDING) and blob.size <= LIMIT:
            answers.setdefault(name.removesuffix(ENDING), []).append(blob)
        if not is_other(name) and oid not in there:
            gone.setdefault(f"{moves}gone-{oid[:16]}", (name, blob))
    return Added(frozenset(pairs), gone, answers)


def _base(repo: Repo, tip: str, path: str, newest: str) -> str:
    """The first commit that has the game file; empty where none has."""
    words = ("rev-list", "--topo-order", "--full-history", tip, "--", f":(top,literal){path}")
    commits = repo.text(*words).split()
    blobs = zip(commits, repo.each(commits, path), strict=True)
    return next((one for one, blob in reversed(list(blobs)) if blob and blob.oid == newest), "")


def _pairs(repo: Repo, tip: str, base: str, moves: str) -> Iterator[tuple[str, str]]:
    """Path and object of each file that a commit has put there, the oldest commits first."""
    since = [f"^{base}"] if base else []
    place = ("--", f":(top,literal){moves}")
    words = ("rev-list", "--topo-order", "--full-history", "--reverse", tip, *since, *place)
    commits = repo.text(*words).split()[:MOST_COMMITS]
    # Of a merge, what none of its parents has.
    form = ("diff-tree", "--stdin", "--root", "-r", "-c", "-z", "--no-commit-id", "--no-renames")
    listed = "".join([f"{one}\n" for one in commits]).encode()
    seen = set()
    with closing(repo.rows(*form, *place, given=listed)) as rows:
        for row in rows:
            parents = len(row) - len(row.lstrip(b":"))
            if not parents:
                continue
            marks = row.lstrip(b":").decode("ascii").split(" ")
            name, mode, oid = os.fsdecode(next(rows)), marks[parents], marks[2 * parents + 1]
            if mode in FILE_MODES and (name, oid) not in seen:
                seen.add((name, oid))
                yield name, oid


def _sizes(repo: Repo, oids: list[str]) -> dict[str, Blob]:
    form = "--batch-check=%(objectname) %(objectsize)"
    given = "".join([f"{oid}\n" for oid in oids]).encode()
    out = repo.run("cat-file", form, given=given).stdout.decode("ascii") if oids else ""
    rows = (row.split(" ") for row in out.splitlines())
    return {oid: Blob(oid, int(size)) for oid, size in rows}
