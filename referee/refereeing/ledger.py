"""The referee's memory against branching: which files it has signed, the newest kept whole.

A player must not send move A, look at the cards drawn, and then send the older file with move B.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from referee.crypto.hashing import H, b64
from referee.errors import Damaged, Fork, Newer, Stale
from referee.notes.recognising import name_kind
from referee.refereeing.statefolder import kept_memory_of, memory_of, places_of
from referee.storage import (
    NotRead,
    append,
    locked,
    read_limited,
    replace,
    sweep,
)
from referee.table.arrivals import lost_arrival
from referee.table.chain import heads
from referee.table.filetext import parse
from referee.table.gamefile import MAX_FILE, GameFile

LIMIT = 64 * MAX_FILE
NEWEST = ".newest.toml"
LINE = re.compile(r"\d{1,9} [0-9a-f]{64}(?: [A-Za-z0-9+/=]{1,99})*")
CUT = r"(?:\d{1,9}(?: [0-9a-f]{0,64}|(?: [0-9a-f]{64})(?: [A-Za-z0-9+/=]{0,99})*)?)?\0*"


def last_signed(game: str) -> GameFile | None:
    """Return the newest file of a game that was signed on this machine, if there is one."""
    for path in places_of(game, f".ledger{NEWEST}"):
        with suppress(NotRead, Damaged):
            return parse(read_limited(path, MAX_FILE))[0]
    return None


def ledger_line(file: GameFile) -> str:
    """Return the line of a file: step, head, and what came in since (joins, waiting answers).

    Planned answers that wait follow from the log.
    """
    waiting = [b64(one.commitment) for one in file.pending if not one.plan]
    waiting += [b64(H("waiting-plan", one.seat, one.signature)) for one in file.plans if one.waits]
    if file.status == "open":
        waiting += [
            b64(H("joined", seat.name, seat.key.raw, seat.signature))
            for seat in file.seats
            if seat.joined and seat.key is not None
        ]
    waiting += [b64(H("vacation", one.seat, one.signature)) for one in file.vacations]
    waiting += [
        b64(H("consent", one.seat, one.key.raw, one.seal, by.key.raw, by.signature))
        for one in file.transfers
        for by in one.consents
    ]
    return " ".join((str(file.step), file.head.hex(), *sorted(waiting)))


def _continues(new: GameFile, old: GameFile) -> bool:
    """Return whether `new` has the history of `old`, and all that came in beside it."""
    if new.step < old.step:
        return False
    line = heads(new)
    return line[old.step] == old.head and not lost_arrival(old, new, line)


def _check_named(path: Path) -> None:
    """Raise NotRead if what a user has named as a ledger is something else."""
    if path.is_dir():
        raise NotRead(f"{path} is a folder; --ledger needs a file", "name a file in it")
    if path.is_file():
        _read_lines(path)


def _read_lines(path: Path) -> list[str]:
    """Return the lines of a ledger. Raises NotRead for any other file: lines would be added to it.

    A last line without its end was being written when the machine stopped; its file never left it.
    """
    data = read_limited(path, LIMIT)
    *lines, cut = data.decode("ascii", "replace").split("\n")
    whole = len(data) <= LIMIT and all(map(LINE.fullmatch, lines))
    if not whole or (cut and not re.fullmatch(CUT, cut)):
        kind = name_kind(data)
        what = f"is {kind}, not a ledger" if kind else "is not a ledger"
        raise NotRead(f"{path} {what}; nothing was changed", "give another name with --ledger")
    return lines


class Ledger:
    """The ledger of one game: a file of lines, and beside it the newest game file."""

    def __init__(self, path: Path, *, named: bool) -> None:
        self.path = path
        self._named = named
        self.newest_path = path.with_name(path.name + NEWEST)
        self._lines: list[str] = []
        self._newest: bytes | None = None
        self._newest_file: GameFile | None = None
        self._mark = ""
        self._new = not path.exists() and not self.newest_path.exists()
        self.ahead = False

    @classmethod
    @contextmanager
    def open(
        cls, file: GameFile, path: Path | None, data: bytes = b"", *, dry_run: bool = False
    ) -> Iterator[Ledger]:
        """Open the ledger of the game of `file`, locked against a second `apply`.

        `path` is the user's own choice; by default it lies in the state folder. `data` are the
        bytes of `file`, if they are at hand: mostly they are the newest, which then need not be
        parsed. In a `dry_run` it is only read, without a lock.
        """
        named = path is not None
        if path is None:
            path = (kept_memory_of if dry_run else memory_of)(file.game, ".ledger")
        else:
            _check_named(path)
        if dry_run:
            yield cls._opened(path, file, data, named=named)
            return
        with locked(path.with_name(path.name + ".lock")):
            sweep(path.with_name(path.name + NEWEST))
            yield cls._opened(path, file, data, named=named)

    @classmethod
    def _opened(cls, path: Path, file: GameFile, data: bytes, *, named: bool) -> Ledger:
        ledger = cls(path, named=named)
        for one in (path, ledger.newest_path):
            if one.exists() and not one.is_file():
                raise NotRead(f"{one} is not a file, so it is not a ledger")
        ledger._load(file, data)
        return ledger

    def _load(self, file: GameFile, data: bytes) -> None:
        if self.path.exists():
            self._lines = _read_lines(self.path)
        if self.newest_path.exists():
            self._newest = read_limited(self.newest_path, MAX_FILE)
            newest = file if self._newest == data else self._parsed(self._newest)
            if newest.game != file.game:
                raise Damaged(
                    f"the ledger {self.path} is that of game {newest.game}",
                    "give another --ledger",
                )
            self._newest_file, self._mark = newest, ledger_line(newest)

    def _parsed(self, data: bytes) -> GameFile:
        try:
            return parse(data)[0]
        except Newer:
            raise
        except Damaged as error:
            raise Damaged(
                f"the referee's own copy {self.newest_path} is damaged: {error.message}",
                "restore it from a backup, or remove it together with the ledger",
            ) from None

    @property
    def known(self) -> bool:
        """True if the ledger knows the game at all."""
        return self._newest is not None

    def judge(self, file: GameFile) -> bytes | None:
        """None to go on from `file`; the newest file's bytes when `file` precedes it.

        A file that continues the newest one was signed elsewhere with the same key, and is gone on
        from (`ahead`). Raises Stale for an older file, Fork for one of another history.
        """
        newest = self._newest_file
        here = ledger_line(file)
        if newest is None:
            # The newest file's copy is gone, but the lines still tell an older one.
            if here in self._lines[:-1] and here != self._lines[-1]:
                raise Stale(
                    "this game file is older than the newest one that was signed here",
                    "ask the players for the file that they had last",
                    reason="older-file",
                )
            return None
        if here == self._mark:
            return None
        if _continues(newest, file):
            lines = [line for line in self._lines if line != self._mark]
            if lines and here == lines[-1]:
                return self._newest
            raise Stale(
                f"this game file is older than the newest one (step {newest.step})",
                f"use that file: copy {self.newest_path} over this one, then run this again",
                reason="older-file",
            )
        if _continues(file, newest):
            self.ahead = True
            return None
        raise Fork(
            "this game file and the newest one that was signed here have diverged: each has "
            "something the other lacks",
            f"the newest is kept in {self.newest_path}; to go on from this file instead, and give "
            "up the other, add --override-ledger",
        )

    def holds(self, file: GameFile) -> bool:
        """Return True if `file` is the newest that the ledger knows."""
        return self._mark == ledger_line(file)

    def keeps(self, text: str) -> bool:
        """Return True if these are the bytes of the newest file, from which a run goes on."""
        return self._newest == text.encode()

    def record(self, file: GameFile, text: str) -> None:
        """Remember a file that is about to be handed out.

        Raises NotWritten; the file counts all the same where the ledger `keeps` it.
        """
        # The whole file first: if the machine stops in between, the next run finds it and goes on
        # from there, and the line is written then.
        if self._mark and (not self._lines or self._lines[-1] != self._mark):
            self._append(self._mark)
        replace(self.newest_path, text, private=True)
        self._newest, self._newest_file, self._mark = text.encode(), file, ledger_line(file)
        self._append(self._mark)

    def forget(self) -> None:
        """Undo the first record of a game whose file was not made."""
        if self._new:
            for path in (self.newest_path, self.path):
                with suppress(OSError):
                    path.unlink(missing_ok=True)

    def _append(self, line: str) -> None:
        whole = sum(len(one) + 1 for one in self._lines)
        append(self.path, f"{line}\n", whole, named=self._named)
        self._lines.append(line)
