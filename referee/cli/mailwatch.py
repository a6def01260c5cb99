"""`mail in --watch`: a worker that deals with what comes into a Maildir until it is stopped."""

from __future__ import annotations

import gc
import select
import signal
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from referee.cli.mailbag import MailReport, MailRun, Message, maildir_messages
from referee.games.errors import GameError
from referee.mail.claims import Claims
from referee.render.text import terminal
from referee.storage import NotRead

if TYPE_CHECKING:
    from referee.cli.options import RefereeOptions
    from referee.crypto.keys import PrivateKey
    from referee.mail.places import Place

AT_ONCE = 20
"""The most messages that are taken at once; others are left to other workers meanwhile."""
REST = 60.0
"""Seconds until a message is tried again that could not be dealt with."""
LOOK, SHARE = 60.0, 50
"""Seconds between two looks for games that go on without a message; each is a share of them."""
SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Stop:
    """A wish that the process end, which interrupts a wait and nothing else."""

    def __init__(self, woken: socket.socket) -> None:
        self._woken = woken
        self.wished = False

    def wish(self, *_: object) -> None:
        """Take note of a signal."""
        self.wished = True

    def wait(self, seconds: float) -> None:
        """Wait until the time is over or a signal has come."""
        if not self.wished:
            select.select([self._woken], [], [], seconds)


@contextmanager
def stopped_by_signals() -> Iterator[Stop]:
    """Give a Stop that SIGTERM and Ctrl-C wish for, instead of ending the process."""
    woken, waker = socket.socketpair()
    with woken, waker:
        waker.setblocking(False)
        stop = Stop(woken)
        before: dict[int, Any] = {number: signal.signal(number, stop.wish) for number in SIGNALS}
        # A signal between a look at `wished` and the wait that follows must end that wait too.
        woken_before = signal.set_wakeup_fd(waker.fileno())
        try:
            yield stop
        finally:
            signal.set_wakeup_fd(woken_before)
            for number, handler in before.items():
                signal.signal(number, handler)


def watch(
    maildir: Path,
    every: float,
    new_run: Callable[[], tuple[MailRun, MailReport]],
    key: PrivateKey,
    options: RefereeOptions,
    *,
    answers_only: bool,
) -> int:
    """Deal with the messages of a Maildir, and look again every `every` seconds.

    In between, seats that are late are answered for, and bots go on, one game at a time. Several
    may do so in one Maildir, and over the same games. Raises NotRead if it is none.
    """
    resting: dict[str, float] = {}
    late: list[Place] = []
    unsent: list[Place] = []
    next_look = 0.0
    is_first = True
    with stopped_by_signals() as stop:
        while not stop.wished:
            now = time.monotonic()
            resting = {source: until for source, until in resting.items() if until > now}
            run, report = new_run()
            bag: list[Message] = []
            with closing(Claims(maildir)) as claims:
                try:
                    bag = _some(maildir, claims, resting)
                    left = run.deal(iter(bag), key, options, answers_only=answers_only)
                except (GameError, OSError) as error:
                    if is_first and not bag:
                        raise
                    report.fault(error)
                    left = {message.source for message in bag}
            resting |= dict.fromkeys(left, time.monotonic() + REST)
            if late and not stop.wished:
                at = late.pop(0)
                if not run.go_on(at, key, options, answers_only=answers_only):
                    unsent.append(at)
            elif next_look <= now:
                began = time.monotonic()
                late, unsent = [*_late_games(run, report, key), *unsent], []
                next_look = began + max(LOOK, SHARE * (time.monotonic() - began))
            report.end_round()
            terminal.flush()
            if is_first:
                # The process began without a collector, as those do that soon end.
                gc.collect()
                gc.freeze()
                gc.enable()
                is_first = False
            if not bag and not late:
                stop.wait(every)
    return 0


def _late_games(run: MailRun, report: MailReport, key: PrivateKey) -> list[Place]:
    try:
        return run.late_games(key)
    except NotRead:
        # A worker may be there before the first game.
        return []
    except (GameError, OSError) as error:
        report.fault(error)
        return []


def _some(maildir: Path, claims: Claims, resting: dict[str, float]) -> list[Message]:
    return list(islice(maildir_messages(maildir, claims, resting), AT_ONCE))
