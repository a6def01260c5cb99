"""`--notify`: the reader's own command, run for each new question."""

from __future__ import annotations

import os
import subprocess
import sys
from time import monotonic
from typing import TYPE_CHECKING

from referee.crypto.keyplace import without_keys
from referee.render.text import terminal
from referee.table.times import format_time

if TYPE_CHECKING:
    from collections.abc import Collection

    from referee.cli.gamelist import Look, Question

PATIENCE = 10
"""So many seconds a list that is watched stands still for the commands of one look."""
MOST = 10
"""So many commands run at a time; where they do not end, further questions wait for them."""


class Caller:
    """Runs a command for questions, one after the other.

    After `patience` seconds it goes on without those that have not ended, and asks later how they
    did. What they print is kept out of a list for programs.
    """

    def __init__(self, command: str, patience: float | None = None, *, json: bool = False) -> None:
        self._command = command
        self._patience = patience
        self._json = json
        self._running: list[subprocess.Popen[bytes]] = []
        self._put_off: set[Question] = set()

    def call(self, look: Look, known: Collection[Question]) -> None:
        """Run the command for each question that waits and is not `known`, or was put off.

        It learns of game and question by its environment alone.
        """
        until = None if self._patience is None else monotonic() + self._patience
        self._end(0)
        put_off, self._put_off = self._put_off, set()
        for name, (game, question) in look.waiting().items():
            if name in known and name not in put_off:
                continue
            if len(self._running) >= MOST:
                self._put_off.add(name)
            else:
                due = game.due.get(str(question))
                about = {
                    "SANJUAN_TITLE": game.title,
                    "SANJUAN_SEAT": question.seat,
                    "SANJUAN_QUESTION": str(question),
                    "SANJUAN_GAME": str(game.path.absolute()),
                    "SANJUAN_DUE": format_time(due) if due else "",
                }
                self._running.append(_started(self._command, about, json=self._json))
                self._end(None if until is None else max(0.0, until - monotonic()), last=True)
        if self._put_off and not put_off:
            terminal.warn(
                "note",
                f"{MOST} commands of --notify have not ended; it is run for what is new after them",
            )

    def _end(self, seconds: float | None, *, last: bool = False) -> None:
        """Wait for the commands that run, or the last of them, and tell which have failed."""
        for one in self._running[-1:] if last else list(self._running):
            try:
                code = one.wait(seconds)
            except subprocess.TimeoutExpired:
                continue
            self._running.remove(one)
            if code:
                terminal.warn("note", f"the command of --notify ended with {code}")


def _started(command: str, about: dict[str, str], *, json: bool) -> subprocess.Popen[bytes]:
    """Start a command, with standard error as its standard output where a program reads ours."""
    env, out = (
        without_keys(os.environ) | {name: _as_told(text) for name, text in about.items()},
        (sys.__stderr__ or subprocess.DEVNULL) if json else None,
    )
    return subprocess.Popen(command, shell=True, env=env, stdout=out)  # noqa: S602 - the reader's


def _as_told(text: str) -> str:
    """Return a text with `?` for what the encoding of this environment cannot say."""
    try:
        os.fsencode(text)
    except UnicodeEncodeError:
        encoding = sys.getfilesystemencoding()
        return text.encode(encoding, "replace").decode(encoding)
    return text
