"""Work that takes long: several things at once, and a bar that shows how far it is."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, TypeVar

from referee.render.text import terminal
from referee.system import worker_pool

if TYPE_CHECKING:
    from referee.games.interface import Rules
    from referee.table.bots import BotAnswer

T = TypeVar("T")
R = TypeVar("R")
AT_ONCE = 1.0
"""Seconds of work before other processes are worth their start."""


def mapped(
    function: Callable[[T], R], items: Sequence[T], jobs: int | None, what: str
) -> Iterator[R]:
    """Yield the results of a function in the order of its items, `jobs` at once if it takes long.

    Without `jobs` all processors are used. The function and its items travel between processes.
    """
    began = monotonic()
    for number, item in enumerate(items):
        if monotonic() - began > AT_ONCE:
            yield from _mapped_at_once(function, items[number:], jobs, what)
            return
        yield function(item)


def _mapped_at_once(
    function: Callable[[T], R], items: Sequence[T], jobs: int | None, what: str
) -> Iterator[R]:
    workers = min(len(items), jobs or os.cpu_count() or 1)
    with progress(len(items), what) as step:
        if workers < 2:
            yield from _counted(map(function, items), step)
            return
        with worker_pool(workers) as pool:
            yield from _counted(pool.map(function, items), step)


def shown(items: Sequence[T], what: str) -> Iterator[T]:
    """Yield items, and show on a terminal how far that is if it takes long."""
    began = monotonic()
    for number, item in enumerate(items):
        if monotonic() - began > AT_ONCE:
            with progress(len(items) - number, what) as step:
                for one in items[number:]:
                    yield one
                    step()
            return
        yield item


def compared(
    answers: Sequence[BotAnswer], rules: Rules, jobs: int | None
) -> Iterator[tuple[BotAnswer, bool]]:
    """Yield answers of bots, each with True if it is right, by several processes if it takes long.

    Raises OtherRules for a bot that this program does not have.
    """
    right = mapped(partial(_holds, rules), answers, jobs, "answers of bots")
    yield from zip(answers, right, strict=True)


def _holds(rules: Rules, answer: BotAnswer) -> bool:
    return answer.holds(rules)


def _counted(results: Iterable[R], step: Callable[[], None]) -> Iterator[R]:
    for result in results:
        step()
        yield result


@contextmanager
def progress(count: int, what: str) -> Iterator[Callable[[], None]]:
    """Show on a terminal how far a long work is."""
    if not terminal.asks() or count < 2:
        yield lambda: None
        return
    # Slow to import, and needed at a terminal alone.
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=count)
        yield lambda: bar.advance(task)
