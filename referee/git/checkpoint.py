"""Checkpoints: commits of the referee, each of which says that everything before it was judged.

So no push has to be judged twice. The statement is signed for the commit's parent and tree, so a
copy on another commit is worthless.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import TYPE_CHECKING

from referee.crypto import sshsig
from referee.crypto.hashing import b64, unb64
from referee.git.objects import LARGEST
from referee.records import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from referee.crypto.keys import PrivateKey, PublicKey
    from referee.git.objects import Objects

NAMESPACE = "commit@sanjuan-ref"
LAST = re.compile(
    rb"\n\nJudged: ([0-9a-f]{16})\n((?:Waiting: (?:[0-9a-f]{40}|[0-9a-f]{64})\n)*)"
    rb"Signed: ([A-Za-z0-9+/]{86})\n\Z"
)


class Checkpoint(NamedTuple):
    """A commit of the referee's, with its tree and the game that it is about.

    `waiting` are the notes that were not judged for good, as objects.
    """

    commit: str
    tree: str
    game: str
    waiting: frozenset[str]


def trailer(
    key: PrivateKey, game: str, parent: str, tree: str, waiting: Collection[str] = ()
) -> str:
    """Return the lines that end the message of a commit of the referee's."""
    text = _signed(game, parent, tree, sorted(waiting))
    lines = [f"Judged: {game}", *(f"Waiting: {oid}" for oid in sorted(waiting))]
    return "\n".join([*lines, f"Signed: {b64(sshsig.sign(key, NAMESPACE, text))}", ""])


def _signed(game: str, parent: str, tree: str, waiting: Iterable[str]) -> bytes:
    return "".join([f"{game} {parent} {tree}\n", *(f"{oid}\n" for oid in waiting)]).encode("ascii")


class _Commit(NamedTuple):
    tree: str
    parents: list[str]
    data: bytes


def _read(objects: Objects, oid: str) -> _Commit:
    """Return a commit; only its parents if it is too large to be the referee's."""
    there = objects.look(oid)
    if there is None or there.kind != "commit":
        # A shallow clone has no older commits.
        return _Commit("", [], b"")
    if there.size > LARGEST:
        return _Commit("", objects.repo.text("rev-parse", f"{oid}^@").split(), b"")
    data = objects.read(there)
    first, _, _ = data.partition(b"\nauthor ")
    rows = [line.split(" ") for line in first.decode("ascii", "replace").splitlines()]
    parents = [row[1] for row in rows if row[0] == "parent" and len(row) == 2]
    tree = rows[0][1] if rows and rows[0][0] == "tree" and len(rows[0]) == 2 else ""
    return _Commit(tree, parents, data)


def _checkpoint(oid: str, commit: _Commit, referee: PublicKey) -> Checkpoint | None:
    """Return the checkpoint in a commit, if it is this referee's."""
    match = LAST.search(commit.data) if len(commit.parents) == 1 else None
    if match is None:
        return None
    game = match[1].decode()
    waiting = [line.split(" ")[1] for line in match[2].decode().splitlines()]
    try:
        signature = unb64(match[3].decode(), 64)
    except ValueError:
        return None
    text = _signed(game, commit.parents[0], commit.tree, waiting)
    if not sshsig.verify(referee, NAMESPACE, text, signature):
        return None
    return Checkpoint(oid, commit.tree, game, frozenset(waiting))


def checkpoints(
    objects: Objects, commits: Sequence[str], referee: PublicKey, game: str
) -> Iterator[str]:
    """Yield those of these commits that are checkpoints of a game."""
    for oid in commits:
        checkpoint = _checkpoint(oid, _read(objects, oid), referee)
        if checkpoint is not None and checkpoint.game == game:
            yield oid


def newest(
    objects: Objects, tip: str, referee: PublicKey, first_game: Callable[[], str]
) -> list[Checkpoint]:
    """Return the newest checkpoints up to `tip`, none of which is before another; mostly one.

    All are of the same game as the newest along the first parents; if there is none, of the
    `first_game` there.
    """
    found: list[Checkpoint] = []
    sides: list[str] = []
    seen = set()
    oid = tip
    while oid and not found:
        seen.add(oid)
        commit = _read(objects, oid)
        checkpoint = _checkpoint(oid, commit, referee)
        found += [checkpoint] if checkpoint is not None else []
        sides += commit.parents[1:]
        oid = commit.parents[0] if commit.parents else ""
    game = found[0].game if found else first_game()
    while sides:
        oid = sides.pop()
        if oid in seen:
            continue
        seen.add(oid)
        commit = _read(objects, oid)
        checkpoint = _checkpoint(oid, commit, referee)
        if checkpoint is not None and checkpoint.game == game:
            found.append(checkpoint)
        else:
            sides += commit.parents
    return found if len(found) < 2 else _last(objects, found)


def _last(objects: Objects, found: Sequence[Checkpoint]) -> list[Checkpoint]:
    """Return the checkpoints that are before no other one of these."""
    words = ("merge-base", "--independent", *(checkpoint.commit for checkpoint in found))
    left = objects.repo.text(*words).split()
    return [checkpoint for checkpoint in found if checkpoint.commit in left]
