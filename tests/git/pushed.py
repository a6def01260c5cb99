"""Puts commits on the branch of a table as somebody could push them, by no way that checks."""

from __future__ import annotations

import hashlib
import os
import subprocess
import zlib
from collections.abc import Mapping

from referee.crypto.hashing import H
from referee.git.evidence import note_fingerprint
from referee.playing import player
from tests.git.club import Club
from tests.table.tables import key_of

Tree = Mapping[str, "Tree | bytes | str"]
"""The contents of a folder: folders, files, or `MODE OBJECT` as it stands."""


def git(club: Club, *words: str, given: bytes = b"") -> str:
    """A git command in the bare repository, fed with something."""
    done = subprocess.run(
        ["git", "-C", str(club.bare), *words],
        env=club.env,
        input=given,
        capture_output=True,
        check=True,
    )
    return os.fsdecode(done.stdout).strip()


def blob(club: Club, data: bytes) -> str:
    return loose(club, data, b"blob")


def tree(club: Club, rows: Tree, base: str = "") -> str:
    """A tree of these rows, and those of another one."""
    there = {}
    for line in git(club, "ls-tree", "-z", base).split("\0") if base else []:
        mark, _, name = line.partition("\t")
        there[name] = mark
    there.pop("", None)
    for name, what in rows.items():
        if isinstance(what, bytes):
            there[name] = f"100644 blob {blob(club, what)}"
        elif isinstance(what, str):
            mode, _, oid = what.partition(" ")
            kind = {"040000": "tree", "160000": "commit"}.get(mode, "blob")
            there[name] = f"{mode} {kind} {oid}"
        else:
            old = there.get(name, "").split(" ")
            below = old[2] if len(old) == 3 and old[1] == "tree" else ""
            there[name] = f"040000 tree {tree(club, what, below)}"
    text = "".join([f"{mark}\t{name}\0" for name, mark in there.items()])
    return git(club, "mktree", "-z", "--missing", given=os.fsencode(text))


def push(club: Club, rows: Tree, parents: tuple[str, ...] = ("main",)) -> str:
    """A commit on the branch that puts these rows in place."""
    new = tree(club, rows, f"{parents[0]}^{{tree}}")
    return put(club, new, parents)


def put(club: Club, new: str, parents: tuple[str, ...] = ("main",)) -> str:
    """A commit with this tree on the branch."""
    words = [word for one in parents for word in ("-p", one)]
    made = git(club, *IDENTITY, "commit-tree", new, *words, "-m", "x")
    git(club, "update-ref", "refs/heads/main", made)
    return made


IDENTITY = ("-c", "user.name=x", "-c", "user.email=x")


def endless(club: Club, depth: int = 40, width: int = 2, data: bytes | None = None) -> str:
    """A tree in which trees lie in one another, so many deep; with a file if one is given."""
    inner = tree(club, {} if data is None else {"x": data})
    for _ in range(depth):
        names = sorted(str(one) for one in range(width))
        rows = [b"40000 %s\0%s" % (name.encode(), bytes.fromhex(inner)) for name in names]
        inner = loose(club, b"".join(rows))
    return f"040000 {inner}"


def raw(club: Club, folder: str, row: bytes, name: str = "main") -> str:
    """The tree of a commit with one more entry in a folder, as it stands; "" is the top."""
    place = f"{name}:{folder}"
    words = ["git", "-C", str(club.bare), "cat-file", "tree", place]
    there = subprocess.run(words, env=club.env, capture_output=True, check=True).stdout
    made = loose(club, there + row)
    return tree(club, {folder: f"040000 {made}"}, f"{name}^{{tree}}") if folder else made


def loose(club: Club, data: bytes, kind: bytes = b"tree") -> str:
    """An object of these bytes, written as git does."""
    whole = b"%s %d\0%s" % (kind, len(data), data)
    oid = hashlib.sha1(whole, usedforsecurity=False).hexdigest()
    path = club.bare / "objects" / oid[:2] / oid[2:]
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(zlib.compress(whole))
    return oid


def note(
    club: Club, seat: str, number: int = 1, play: str = "", *, sealed: bool | None = None
) -> tuple[str, bytes]:
    """The file of an answer as `move --push` names it, and what is in it."""
    file = club.file()
    decision = next(one.id for one in file.asked if one.seat == seat)
    play = play or club.suggestion(seat, file)
    signed = player.sign_move(file, key_of(seat), decision, play, number)
    about = decision if number == 1 else f"{decision}.{number}"
    mark = note_fingerprint(signed.text, signed.raw64)
    if player.is_parallel(file, decision) if sealed is None else sealed:
        text = signed.sealed_to(file.referee)
        return f"{about}-{mark}.{H('sealed', text).hex()[:8]}.move", text.encode()
    return f"{about}-{mark}.move", signed.armoured.encode()


def turn(club: Club, seat: str) -> None:
    """Push a player's turn, whose clone has yet to pull it."""
    push(club, {"moves": dict([note(club, seat)])})
