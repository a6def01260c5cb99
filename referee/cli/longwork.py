"""Work that takes long: several things at once, and a bar that shows how far it is."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, TypeVar

from referee.render.text import terminal

if TYPE_CHECKING:
    from referee.games.interface import Rules
    from referee.table.bots import BotAnswer

T = TypeVar("T")
R = TypeVar("R")
AT_ONCE = 1.0
"""So many seconds of work are not worth another process."""


def mapped(
    function: Callable[[T], R], items: Sequence[T], jobs: int | None, what: str
) -> Iterator[R]:
    """Yield what a function makes of items, in their order, `jobs` of them at once.

    Without `jobs` all processors are used. The function and its items travel between processes.
    """
    workers = min(len(items), jobs or os.cpu_count() or 1)
    with progress(len(items), what) as step:
        if workers < 2:
            yield from _counted(map(function, items), step)
            return
        # Slow to import, and seldom is there more than one thing to do.
        from concurrent.futures import ProcessPoolExecutor

        with ProcessPoolExecutor(workers) as pool:
            yield from _counted(pool.map(function, items), step)


def compared(
    answers: Sequence[BotAnswer], rules: Rules, jobs: int | None
) -> Iterator[tuple[BotAnswer, bool]]:
    """Yield answers of bots, each with True if it is right, by several processes if it takes long.

    Raises OtherRules for a bot that this program does not have.
    """
    holds = partial(_holds, rules)
    began = monotonic()
    for number, answer in enumerate(answers):
        if monotonic() - began > AT_ONCE:
            left = answers[number:]
            yield from zip(left, mapped(holds, left, jobs, "answers of bots"), strict=True)
            return
        yield answer, holds(answer)


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
    # Slow to import, and only for who looks on.
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=count)
        yield lambda: bar.advance(task)
