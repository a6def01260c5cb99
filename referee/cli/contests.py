"""A contest on this machine or on many: several deals at once, each kept as soon as it is over."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import signal
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from contextlib import contextmanager
from functools import partial
from itertools import islice
from pathlib import Path
from statistics import mean, quantiles
from time import monotonic, sleep
from typing import Any

from referee.bots.contest import (
    LONGEST_FAILURE,
    Contest,
    Deal,
    Entrant,
    Result,
    Tally,
    play_deal,
    rows,
)
from referee.bots.engine import EngineFailed, words_of
from referee.bots.names import PLAYERS
from referee.cli.longwork import progress
from referee.cli.usage import Usage, check_level
from referee.errors import Damaged, counted
from referee.games.errors import GameError
from referee.records import NamedTuple
from referee.render.text import terminal
from referee.standings import RATINGS
from referee.storage import (
    NotRead,
    append,
    exists,
    is_file,
    is_folder,
    locked_if_free,
    read_limited,
)
from referee.system import interrupt_main, worker_pool

NAMED = re.compile(r"([a-z][a-z0-9-]{0,15})=(.+)", re.DOTALL)
MAX_RESUMED = 256_000_000
AHEAD = 3
"""Deals that are handed out at once for each worker."""
LEAVING = 5.0
"""Seconds that a worker has to end its deal, once nobody waits for it."""
DISTRIBUTED = "sanjuan-ref[distributed]"


class Workers(NamedTuple):
    """Players of the deals: `jobs` processes of this machine, or the Dask cluster at an address."""

    jobs: int | None = None
    dask: str | None = None


def entrants(levels: Sequence[str], engines: Sequence[str]) -> tuple[Entrant, ...]:
    """Return the players that options name. Raises Usage."""
    for level in levels:
        check_level("--seat", level, PLAYERS, hint="a program of yours is an --engine")
    found = [Entrant(level, level) for level in levels]
    for text in engines:
        named = NAMED.fullmatch(text)
        name, command = (named[1], named[2]) if named else (text, text)
        one = Entrant(name, "", command)
        if any(other.name == name and other != one for other in found):
            raise Usage(f"two different players are called {name!r}", hint="use --engine NAME=CMD")
        words_of(command)
        found.append(one)
    return tuple(found)


def play(tally: Tally, resume: Path | None, workers: Workers) -> None:
    """Play until the tally has enough; deals that `resume` has already are not played again.

    Raises EngineFailed, Damaged, NotRead, NotWritten and Usage.
    """
    with _kept_in(resume, tally.contest) as kept:
        _play_on(tally, kept, workers)


def _play_on(tally: Tally, kept: Kept | None, workers: Workers) -> None:
    done = dict(kept.deals) if kept is not None else {}
    first = tally.contest.orders(0)
    with progress(-(-tally.most // len(first)), "deals") as step:

        def count() -> None:
            while not tally.enough and (deal := done.pop(len(tally.deals), None)) is not None:
                if not deal.number and (said := tally.contest.remark(deal)):
                    raise EngineFailed(
                        said, "it failed in every game of the first deal, so no other was played"
                    )
                tally.add(deal)
                step()

        count()
        missing = (number for number in tally.numbers() if number not in done)
        with _results(tally.contest, missing, workers) as results:
            while not tally.enough:
                deal = next(results)
                if kept is not None:
                    kept.keep(deal)
                done[deal.number] = deal
                count()


@contextmanager
def _results(
    contest: Contest, numbers: Iterator[int], workers: Workers
) -> Iterator[Iterator[Deal]]:
    """Give deals as they are over, whichever comes first."""
    jobs = workers.jobs or os.cpu_count() or 1
    if workers.dask is None and jobs < 2:
        yield map(partial(play_deal, contest), numbers)
        return
    function = partial(play_deal if workers.dask is not None else _Worker.play, contest)
    with _executor(workers, jobs) as (pool, size):
        try:
            yield _as_they_come(pool, function, numbers, size * AHEAD)
        finally:
            # Nobody waits for deals that do not count.
            if workers.dask is None:
                pool.shutdown(cancel_futures=True)
            else:
                pool.shutdown(wait=False)


@contextmanager
def _executor(workers: Workers, jobs: int) -> Iterator[tuple[Executor, int]]:
    if workers.dask is None:
        yield worker_pool(jobs, _Worker.prepare, _Worker.leave), jobs
        return
    try:
        # Few have it.
        from distributed import Client
    except ImportError:
        hint = f"install it: pip install '{DISTRIBUTED}'"
        raise Usage("--dask needs the package distributed", hint=hint) from None
    try:
        client = Client(workers.dask, timeout=10)
    except (OSError, ValueError, TimeoutError) as error:
        raise Usage(
            f"there is no Dask scheduler at {workers.dask}: {error}",
            hint="its address looks like tcp://192.168.1.5:8786",
        ) from None
    with client:
        size = sum(client.nthreads().values()) or 1
        yield client.get_executor(pure=False), size


class _Worker:
    """One of several processes: an interrupt ends the deal that it plays, with its engines."""

    busy = False
    stopped = False

    @classmethod
    def prepare(cls) -> None:
        """Take interrupts, which come to all processes of a command at a terminal."""
        signal.signal(signal.SIGINT, cls._stop)

    @classmethod
    def _stop(cls, *_: object) -> None:
        cls.stopped = True
        # Between two deals it would end the process, and with a traceback.
        if cls.busy:
            raise KeyboardInterrupt

    @classmethod
    def leave(cls) -> None:
        """End the deal, with its engines, because nobody waits for it any more."""
        cls.stopped = True
        ends = monotonic() + LEAVING
        if cls.busy:
            interrupt_main()
        while cls.busy and monotonic() < ends:
            sleep(0.05)

    @classmethod
    def play(cls, contest: Contest, number: int) -> Deal:
        """Play a deal, unless it has been interrupted before."""
        if cls.stopped:
            raise KeyboardInterrupt
        cls.busy = True
        try:
            return play_deal(contest, number)
        finally:
            cls.busy = False


def _as_they_come(
    pool: Executor, function: Callable[[int], Deal], numbers: Iterator[int], most: int
) -> Iterator[Deal]:
    waiting: set[Future[Deal]] = {pool.submit(function, one) for one in islice(numbers, most)}
    while waiting:
        over, waiting = wait(waiting, return_when=FIRST_COMPLETED)
        waiting |= {pool.submit(function, one) for one in islice(numbers, len(over))}
        for future in over:
            yield future.result()


@contextmanager
def _kept_in(path: Path | None, contest: Contest) -> Iterator[Kept | None]:
    """Open a file of --resume, which no second run may write to meanwhile."""
    if path is None:
        yield None
        return
    if exists(path) and not (is_file(path) or is_folder(path)):
        # To read a pipe would wait until somebody writes, and nothing could be kept there.
        raise NotRead(f"{path} is not a plain file", "name a file of --resume, or a new one")
    # Beside the file itself, where the user has named a link to it.
    target = Path(os.path.realpath(path))
    lock = target.with_name(target.name + ".lock")
    with locked_if_free(lock, 0.0, "") as free:
        if not free:
            raise Usage(
                f"another run keeps its deals in {path}",
                hint="wait until it is over, or name another file",
            )
        yield Kept(path, contest)


class Kept:
    """A file of deals that are over, a line each, after one that says what was played."""

    def __init__(self, path: Path, contest: Contest) -> None:
        self.path = path
        self.deals: dict[int, Deal] = {}
        self._whole = 0
        head = contest.document()
        if not exists(path):
            self._append(head)
            return
        data = read_limited(path, MAX_RESUMED)
        if len(data) > MAX_RESUMED:
            raise Damaged(f"{path} is too large for a file of --resume")
        # An unfinished last line was being written when somebody stopped the run.
        lines = data[: data.rfind(b"\n") + 1].splitlines(keepends=True)
        if not lines:
            if not _line(head).encode().startswith(data):
                raise self._damaged(1)
            self._append(head)
            return
        for number, line in enumerate(lines, 1):
            try:
                document = json.loads(line)
                if number > 1:
                    deal = _deal(document, contest)
                    self.deals[deal.number] = deal
                elif not isinstance(document, dict) or "contest" not in document:
                    raise self._damaged(number)
            except (ValueError, TypeError, KeyError, RecursionError):
                raise self._damaged(number) from None
            if number == 1 and document != head:
                raise Usage(
                    f"{path} is of another contest: {_difference(document, head)}",
                    hint="name another file, or repeat the options with which it was begun",
                )
        self._whole = sum(map(len, lines))

    def _damaged(self, line: int) -> GameError:
        return Damaged(
            f"line {line} of {self.path} is not what --resume keeps",
            "name a file that does not exist yet, or one of a contest",
        )

    def _append(self, document: dict[str, Any]) -> None:
        line = _line(document)
        append(self.path, line, self._whole, named=True)
        self._whole += len(line.encode())

    def keep(self, deal: Deal) -> None:
        """Write a deal after the others. Raises NotWritten."""
        games = [game._asdict() for game in deal.games]
        failure = {"failure": deal.failure} if deal.failure else {}
        self._append({"deal": deal.number, "games": games, **failure})


def _line(document: dict[str, Any]) -> str:
    return json.dumps(document, separators=(",", ":")) + "\n"


def _difference(old: dict[str, Any], new: dict[str, Any]) -> str:
    key = next(key for key in {**new, **old} if old.get(key) != new.get(key))
    if key == "seats" and isinstance(old[key], list):
        said = [str(one.get("player", ""))[:40] for one in old[key] if isinstance(one, dict)]
        return f"there {', '.join(said)} play"
    return f"there {key} is {json.dumps(old.get(key))[:80]}"


def _deal(document: dict[str, Any], contest: Contest) -> Deal:
    """Return a deal that was kept. Raises KeyError, TypeError or ValueError."""
    number = document["deal"]
    games = tuple(
        Result(*(tuple(game[key]) for key in Result._fields)) for game in document["games"]
    )
    seats = [tuple(one.name for one in order) for order in contest.orders(number)]
    # In JSON, true is no number.
    if type(number) is not int or number < 0 or [game.seats for game in games] != seats:
        raise ValueError("not a deal of this contest")
    for game in games:
        types = ((int, game.points), (bool, game.wins), (bool, game.failed), (int, game.places))
        if any(
            len(values) != len(game.seats) or any(type(one) is not kind for one in values)
            for kind, values in types
        ):
            raise ValueError("not a result")
        if not game.is_possible:
            raise ValueError("no game ends like this")
    failure = document.get("failure", "")
    if not isinstance(failure, str) or len(failure) > LONGEST_FAILURE:
        raise ValueError("not what an engine did")
    return Deal(number, games, {}, failure)


def tell(tally: Tally, form: str, *, times: bool) -> None:
    """Print the result: as text, `json` or `csv`."""
    contest, rules = tally.contest, tally.contest.rules()
    found = rows(contest, tally.deals)
    took = {row.name: _took(tally.deals, row.name) for row in found} if times else {}
    documents = [
        {
            "name": row.name,
            "games": row.games,
            "wins": round(row.wins, 4),
            **{key: round(getattr(row, key), 4) for key in ("share", "low", "high", "points")},
            "failures": row.failures,
            "rating": round(row.rating.strength, 2) if row.rating else None,
            "doubt": round(row.rating.doubt, 2) if row.rating else None,
            **took.get(row.name, {}),
        }
        for row in found
    ]
    if form == "json":
        about = {"module": contest.module, "terms": dict(contest.terms), "seed": contest.seed}
        counts = {"games": tally.games, "deals": len(tally.deals)}
        terminal.document({**about, **counts, "seats": documents})
        return
    if form == "csv":
        text = io.StringIO()
        writer = csv.DictWriter(text, list(documents[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(documents)
        terminal.verbatim(text.getvalue())
        return
    games, deals = counted(tally.games, "game"), counted(len(tally.deals), "deal")
    terminal.say(
        f"{games} of {rules.title}: {deals} (seed {contest.seed}), "
        f"each played {_times(len(contest.orders(0)))} with the same cards"
    )
    wide = max(len(row.name) for row in found)
    for row in found:
        share = f"{row.share:6.1%} ({row.low:.1%} to {row.high:.1%})".replace("%", " %")
        rated = f", rating {row.rating.strength:.1f}" if row.rating else ""
        failed = f", failed in {row.failures}" if row.failures else ""
        terminal.say(
            f"  {row.name:<{wide}}  {share}: won {row.wins:g} of {row.games}, "
            f"{row.points:.1f} points{rated}{failed}"
        )
        if row.name in took:
            said = ", ".join(f"{name} {value:g}" for name, value in took[row.name].items())
            terminal.say(f"  {'':<{wide}}  milliseconds an answer: {said}")
    if found[0].rating is None:
        terminal.warn("hint", f"with ratings: pip install '{RATINGS}'")
    failure = next((deal.failure for deal in tally.deals if deal.failure), "")
    if failure:
        terminal.warn("warning", f"{failure}; such a game is lost")


def _times(count: int) -> str:
    return "once" if count == 1 else "twice" if count == 2 else f"{count} times"


def _took(deals: Iterable[Deal], name: str) -> dict[str, float]:
    """Return figures of the time that a player's answers took, in milliseconds."""
    found = [time for deal in deals for time in deal.times.get(name, ())]
    if len(found) < 2:
        return {}
    parts = quantiles(found, n=100)
    values = {"mean": mean(found), "median": parts[49], "p95": parts[94], "worst": max(found)}
    return {key: round(value, 2) for key, value in values.items()}
