"""`--notify`: the reader's own command, run for each new question."""

from __future__ import annotations

import os
import subprocess
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


class Caller:
    """Runs a command for questions, one after the other.

    After `patience` seconds it goes on without those that have not ended, and asks later how they
    did.
    """

    def __init__(self, command: str, patience: float | None = None) -> None:
        self._command = command
        self._patience = patience
        self._running: list[subprocess.Popen[bytes]] = []

    def call(self, look: Look, known: Collection[Question]) -> None:
        """Run the command for each question that waits and is not `known`.

        It learns of game and question by its environment alone.
        """
        until = None if self._patience is None else monotonic() + self._patience
        self._end(0)
        for name, (game, question) in look.waiting().items():
            if name not in known:
                due = game.due.get(str(question))
                about = {
                    "SANJUAN_TITLE": game.title,
                    "SANJUAN_SEAT": question.seat,
                    "SANJUAN_QUESTION": str(question),
                    "SANJUAN_GAME": str(game.path.absolute()),
                    "SANJUAN_DUE": format_time(due) if due else "",
                }
                self._running.append(_started(self._command, about))
                self._end(None if until is None else max(0.0, until - monotonic()), last=True)

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


def _started(command: str, about: dict[str, str]) -> subprocess.Popen[bytes]:
    env = without_keys(os.environ) | about
    return subprocess.Popen(command, shell=True, env=env)  # noqa: S602 - it is the reader's own
