"""Programs of others as players: a line of JSON with a view goes in, a line with a play comes out.

schemas/ENGINE.md says the same for those who write such a program.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from io import BufferedReader, RawIOBase
from queue import Empty, Full, Queue
from threading import Thread
from time import monotonic
from typing import IO, TYPE_CHECKING, Any, Self, cast

from referee.games.errors import GameError, NotUnderstood
from referee.records import NamedTuple
from referee.system import end_family, interrupts_later, split_command, start_family

if TYPE_CHECKING:
    from referee.games.interface import Rules, View

PROTOCOL = "sanjuan-ref/engine-1"
LIMIT = 10.0
"""Seconds that an engine may take for an answer, unless somebody gives it another time."""
START = 10.0
"""Seconds more for its first answer, as it has to start."""
LONGEST = 65_536
"""Bytes of its longest line."""
LONGEST_PLAY = 4096
LISTED = 500
"""The most plays that are listed for an engine; of more it is told the patterns alone."""
FAREWELL = 1.0
"""Seconds that an engine has to end by itself, once it is told that nothing more will come."""
REMARKS = 2000
PRIVATE = "SANJUAN_"
"""The beginning of variables that may hold keys: an engine is not given any of them."""


class EngineFailed(GameError):
    """An engine did not give a legal play within its time."""

    exit_code = 19
    reason = "engine"

    @property
    def report(self) -> str:
        """The error with the engine's own last words, in one line."""
        return f"{self.message} ({self.hint})" if self.hint else self.message


class Question(NamedTuple):
    """All that an engine is told: the view of one seat, and what it is made of."""

    rules: Rules
    seats: Sequence[str]
    table: Mapping[str, Any]
    view: View
    seed: bytes


def words_of(command: str) -> list[str]:
    """Return a command as a list of words. Raises NotUnderstood."""
    try:
        words = split_command(command)
    except ValueError as error:
        raise NotUnderstood(f"the command of an engine cannot be read: {error}") from None
    if not words:
        raise NotUnderstood("the command of an engine is empty")
    return words


def request(question: Question, number: int, limit: float) -> dict[str, Any]:
    """Return what an engine is asked, as schemas/engine.schema.json describes it.

    Raises NotUnderstood where the seat is not asked anything.
    """
    rules, seats, table, view, seed = question
    decision = view.decision
    if decision is None:
        raise NotUnderstood(f"nothing is asked of {view.seat}")
    return {
        "protocol": PROTOCOL,
        "id": number,
        "limit": int(limit * 1000),
        "game": rules.module,
        "rules": rules.version,
        "terms": rules.terms(),
        "seats": list(seats),
        "seat": view.seat,
        "decision": {"id": decision.id, "kind": decision.kind, "may": list(decision.may)},
        "table": table,
        "hand": [{"letter": card.letter, "card": card.name} for card in view.hand],
        "suggested": view.suggest(),
        "plays": view.plays(LISTED),
        "choices": [
            {"play": choice.play, "note": choice.note, "exact": choice.exact}
            for choice in view.choices()
        ],
        "seed": seed.hex(),
    }


class Engine:
    """A running program that answers; closing it ends it and all that it has started."""

    def __init__(self, command: str, limit: float = LIMIT) -> None:
        self.command = command
        self.limit = limit
        self._number = 0
        self._lines: Queue[bytes] = Queue(4)
        self._said = b""
        words = words_of(command)
        given = {
            name: value
            for name, value in os.environ.items()
            if not name.upper().startswith(PRIVATE)
        }
        try:
            self._process = start_family(words, given)
        except (OSError, ValueError) as error:
            why = error.strerror if isinstance(error, OSError) else str(error)
            hint = "is the command right? `--engine 'python3 bot.py'` goes through no shell"
            raise EngineFailed(f"{words[0]} cannot be started: {why}", hint) from None
        self._stopped = False
        streams = self._process.stdout, self._process.stderr
        self._readers = [
            Thread(target=read, args=[stream], daemon=True)
            for read, stream in zip((self._read, self._read_remarks), streams, strict=True)
        ]
        for reader in self._readers:
            reader.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _read(self, stream: IO[bytes]) -> None:
        lines = BufferedReader(cast(RawIOBase, stream))
        with suppress(OSError, ValueError):
            while line := lines.readline(LONGEST + 1):
                self._keep(line)
                if len(line) > LONGEST:
                    break
        self._keep(b"")

    def _keep(self, line: bytes) -> None:
        # Whoever writes without being asked waits here, and not in our memory.
        while not self._stopped:
            with suppress(Full):
                self._lines.put(line, timeout=0.2)
                return

    def _read_remarks(self, stream: IO[bytes]) -> None:
        with suppress(OSError, ValueError):
            while part := os.read(stream.fileno(), LONGEST):
                self._said = (self._said + part)[-REMARKS:]

    def answer(self, question: Question) -> str:
        """Return the engine's play in its canonical form.

        Raises EngineFailed, after which the engine has ended.
        """
        view = question.view
        self._number += 1
        allowed = self.limit + (START if self._number == 1 else 0)
        document = request(question, self._number, self.limit)
        ends = monotonic() + allowed
        line = (json.dumps(document, separators=(",", ":")) + "\n").encode()
        # An engine that does not read must not hold us up either.
        Thread(target=self._write, args=[line], daemon=True).start()
        text = self._play(self._line(ends, allowed))
        try:
            return view.read(text)
        except GameError as error:
            raise self._failed(f"answered {text[:80]!r}: {error.message}") from None

    def _write(self, line: bytes) -> None:
        stream, left = self._process.stdin, memoryview(line)
        assert stream is not None
        # A pipe without a buffer takes a part at a time, and can be closed meanwhile.
        with suppress(OSError, ValueError):
            while left:
                left = left[stream.write(left) :]

    def _line(self, ends: float, allowed: float) -> bytes:
        line = b"\n"
        while line and not line.strip():
            try:
                line = self._lines.get(timeout=max(0.0, ends - monotonic()))
            except Empty:
                code = self._process.poll()
                # A child that it left may hold its output, and could still have answered.
                ended = "" if code is None else f"ended with {code}, and what it had started "
                raise self._failed(f"{ended}did not answer within {allowed:g} seconds") from None
        if len(line) > LONGEST:
            raise self._failed(f"wrote a line of more than {LONGEST} bytes")
        if not line:
            raise self._failed("")
        return line

    def _play(self, line: bytes) -> str:
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError):
            said = line[:80].decode("utf-8", "replace").strip()
            raise self._failed(f"answered {said!r}, which is not JSON") from None
        play = answer.get("play") if isinstance(answer, dict) else None
        if not isinstance(play, str):
            raise self._failed("answered without a text as `play`")
        if len(play) > LONGEST_PLAY:
            raise self._failed(f"answered with more than {LONGEST_PLAY} characters")
        # True and 1.0 are equal to 1, and no such number in JSON.
        if type(answer.get("id")) is not int or answer["id"] != self._number:
            raise self._failed(
                f"answered question {str(answer.get('id'))[:20]}, not {self._number}"
            )
        return play

    def _failed(self, what: str) -> EngineFailed:
        """End the engine, and return the error that says what it did; without that it has ended."""
        code = self._end(0.5 if not what else 0.0)
        if not what:
            what = "closed its output" if code is None else f"ended with {code} before it answered"
        last = self._said.decode("utf-8", "replace").strip().rpartition("\n")[2].strip()
        hint = f"its last line on standard error: {last[:200]}" if last else ""
        return EngineFailed(f"the engine {self.command!r} {what}", hint)

    def _end(self, patience: float) -> int | None:
        """End the engine and its children; return the code with which it had ended by itself."""
        process, code = self._process, None
        with interrupts_later():
            self._stopped = True
            with suppress(subprocess.TimeoutExpired):
                code = process.wait(patience) if patience else None
            end_family(process)
            process.wait()
            for reader in self._readers:
                # A child that left the family may hold the other end.
                reader.join(0.5)
        return code

    def close(self) -> None:
        """Tell the engine that nothing more will come, and end it if it goes on all the same."""
        if self._stopped:
            return
        assert self._process.stdin is not None
        with suppress(OSError, ValueError):
            self._process.stdin.close()
        self._end(FAREWELL)
