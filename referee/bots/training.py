"""Makes the networks of a game from games that programs play against themselves.

    python -m referee.bots.training GAME --seats 2 --seed 1 --out DIR

needs numpy (`pip install sanjuan-ref[train]`) and some time. In generation 0 the greedy player
plays, with random answers among its own, and the first network learns what came of each table. In
each further generation the players look ahead with the last network, and the fit goes on from its
weights: alone, a generation of a thousand games makes a worse network than the one before.

The same command makes the same file, bit for bit, on every machine and for any number of jobs. All
that is added up in an order that a library is free to choose (products of matrices) is a whole
number of small steps, so that no order changes the sum; everything else is done cell by cell with
the operations that IEEE 754 rounds in one way only. Random numbers come from `random.Random`. With
`--straight` this holds on machines of one kind only, as numbers are rounded there as they come.

What is done stays in DIR/steps, by the digest of all that it depends on but for the program, so a
run that was stopped goes on where it was. Empty that folder when the program changes.
"""

from __future__ import annotations

import argparse
import logging
import os
from array import array
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from hashlib import sha256
from math import fsum
from pathlib import Path
from random import Random
from struct import Struct
from types import ModuleType
from typing import Any

from referee.bots.hard import Effort, choose
from referee.games import part
from referee.games.interface import Game, Rules
from referee.games.network import Network, dump
from referee.games.search import OVER, WHOLE
from referee.games.values import Held, letter
from referee.records import NamedTuple
from referee.system import worker_pool

_log = logging.getLogger(__name__)
EXPLORE = (0.0, 0.05, 0.1, 0.2)
"""Shares of random answers, one of which counts for a game."""
LAMBDA = 0.92
"""The weight of what came of the next table in what came of a table; the rest is the weight of what
the last network thinks of it."""
SCALE = 1 << 10
"""The number that stands for 1 in the weights of both layers; in the output it is SCALE²."""
BATCH = 2048
EASE = 50
"""Keeps the weights of a straight line small where few tables speak for them."""
STEEP = 2
"""The line's weights are so many times as large in the units, to be rounded less."""
CHUNK = 50
"""The games that are played, and kept, together."""
WEIGHT, UNIT, SLOPE = 2.0**30, 2.0**10, 2.0**24
"""The steps to 1 of weights, of hidden units, and of slopes and results. A sum of products of two
of them is exact in 53 bits while it stays below 2²³ for features, 2¹³ for units and 2¹⁹ for slopes
of units."""
_COUNTS = Struct("<QQ")


class Samples:
    """Features of tables, one list after the other, with the result that came of each."""

    def __init__(self) -> None:
        self.features = array("H")
        self.sizes = array("H")
        self.results = array("f")

    def add(self, features: Sequence[int], result: float) -> None:
        """Add a table."""
        self.features.extend(features)
        self.sizes.append(len(features))
        self.results.append(result)

    def extend(self, more: Samples) -> None:
        """Add all tables of other samples."""
        self.features.extend(more.features)
        self.sizes.extend(more.sizes)
        self.results.extend(more.results)

    def dump(self) -> bytes:
        """Return the samples as bytes, for this machine."""
        counts = _COUNTS.pack(len(self.features), len(self.sizes))
        return counts + self.features.tobytes() + self.sizes.tobytes() + self.results.tobytes()

    @classmethod
    def load(cls, data: bytes) -> Samples:
        """Read samples that `dump` wrote."""
        found = cls()
        at = _COUNTS.size
        features, tables = _COUNTS.unpack_from(data)
        for values, count in (
            (found.features, features),
            (found.sizes, tables),
            (found.results, tables),
        ):
            end = at + count * values.itemsize
            values.frombytes(data[at:end])
            at = end
        return found


class Games(NamedTuple):
    """Games that programs play: which, with which numbers, from which seed, and how.

    They take the numbers of `seats` in turn. `net` is the network they look ahead with as bytes,
    none for the greedy player. `worlds` are those in which a role is tried, and `decay` is the
    weight of the next table's result.
    """

    game: str
    seats: tuple[int, ...]
    seed: str
    numbers: range
    net: bytes
    worlds: int
    decay: float


def collect(games: Games) -> Samples:
    """Play games and return every table at which a turn began, as each seat saw it."""
    samples = Samples()
    course = part(games.game, "selfplay")
    net = Network.load(games.net) if games.net else None
    for number in games.numbers:
        seats = games.seats[number % len(games.seats)]
        _play(course, games, seats, Random(f"{games.seed} {number}"), net, samples)
    return samples


def _play(
    course: ModuleType,
    games: Games,
    seats: int,
    random: Random,
    net: Network | None,
    samples: Samples,
) -> None:
    worlds = games.worlds
    rules: Rules = course.rules(random, seats)
    names = [letter(seat) for seat in range(seats)]

    def shuffle(pile: str, epoch: int, cards: Sequence[int]) -> Sequence[int]:
        return sorted(cards, key=lambda card: random.random())

    game, _ = rules.start(names, shuffle)
    world = course.world(game)
    explore = random.choice(EXPLORE)
    seen: list[tuple[int, list[int]]] = []
    search = course.search(rules, net)
    while (asked := search.asked(world)) != OVER:
        settled = search.settled(world)
        if settled:
            seen += [(seat, course.features_of(world, seat)) for seat in range(seats)]
        wild = random.random() < explore
        if wild and (settled or net is None):
            answer = course.random_answer(world, random)
        elif net is None:
            answer = search.guess(world, asked, 0)
        elif settled and worlds:
            view = _view(rules, game, names[asked])
            answer = choose(search, view, random.randbytes(8), Effort(((6, worlds),)))
        elif not (wild or worlds):
            answer = search.guess(world, asked, 1)
        else:
            answer = random.choice(search.candidates(world, asked, 3 if wild else 1))
        search.apply(world, answer)
    hopes = [course.result_of(world, seat) / WHOLE for seat in range(seats)]
    later: list[float] = []
    for seat, features in reversed(seen):
        later.append(hopes[seat])
        if net is not None:
            guess = course.hope_of(net.value(features)) / WHOLE
            hopes[seat] += (1 - games.decay) * (guess - hopes[seat])
    for (_, features), hope in zip(seen, reversed(later), strict=True):
        samples.add(features, hope)


def _view(rules: Rules, game: Game, seat: str) -> Any:
    names = [rules.card_name(rules.hand_piles[0], card) for card in game.hand(seat)]
    held = [Held(letter(index), name) for index, name in enumerate(names)]
    seats = [row["name"] for row in game.table()["seats"]]
    return rules.view(seats, game.table(), seat, held)


class Fit:
    """Fits the weights of a network to samples, by Adam on the square of the error.

    Numbers are multiples of WEIGHT⁻¹, UNIT⁻¹ or SLOPE⁻¹ wherever they are added up by a library.
    """

    def __init__(self, features: int, hidden: int, seed: int) -> None:
        import numpy as np

        self.np = np
        self.features = features
        self.random = Random(seed)
        self.weights = [
            self._around_zero((features, hidden), 0.26),
            np.zeros(hidden),
            self._around_zero((hidden,), 0.35),
            np.zeros(1),
        ]

    def _around_zero(self, shape: tuple[int, ...], most: float) -> Any:
        np = self.np
        draws = [self.random.random() for _ in range(int(np.prod(shape)))]
        return self._stepped(most * (2 * np.array(draws).reshape(shape) - 1), WEIGHT)

    def _stepped(self, values: Any, steps: float) -> Any:
        """Round to whole steps, of which so many are 1."""
        return self.np.rint(values * steps) / steps

    def load(self, data: bytes) -> None:
        """Go on from weights that `save` returned."""
        np = self.np
        sizes = np.cumsum([weight.size for weight in self.weights])[:-1]
        flat = np.split(np.frombuffer(data, self.weights[0].dtype), sizes)
        self.weights = [
            some.reshape(weight.shape).copy()
            for some, weight in zip(flat, self.weights, strict=True)
        ]

    def save(self) -> bytes:
        """Return the weights as bytes, for this machine."""
        return b"".join(weight.tobytes() for weight in self.weights)

    def learn(self, samples: Samples, epochs: int, rate: float) -> float:
        """Go through the samples `epochs` times, but for the last twentieth.

        Returns the mean square error there.
        """
        np = self.np
        tables = _Tables(np, self.features, samples, np.float64)
        cut = tables.count * 19 // 20
        moments = [(np.zeros_like(w), np.zeros_like(w)) for w in self.weights]
        steps = max(1, epochs * (cut // BATCH))
        step, unmoved, unsquared = 0, 1.0, 1.0
        for _ in range(epochs):
            draws = [self.random.random() for _ in range(cut)]
            order = np.argsort(np.array(draws), kind="stable")
            for at in range(0, cut - BATCH + 1, BATCH):
                rows = order[at : at + BATCH]
                slopes = self._slopes(tables.inputs(rows), tables.results[rows])
                step += 1
                unmoved *= 0.9
                unsquared *= 0.999
                now = rate * (1 - step / steps) + 1e-5
                for index, (slope, (mean, square)) in enumerate(zip(slopes, moments, strict=True)):
                    mean += 0.1 * (slope - mean)
                    square += 0.001 * (slope * slope - square)
                    scale = np.sqrt(square / (1 - unsquared)) + 1e-8
                    weight = self.weights[index]
                    move = now * (mean / (1 - unmoved) / scale + 1e-5 * weight)
                    self.weights[index] = self._stepped(weight - move, WEIGHT)
        return self.error(tables, cut)

    def error(self, tables: _Tables, first: int) -> float:
        """Return the mean square error for all tables but the first ones."""
        np = self.np
        squares: list[float] = []
        for at in range(first, tables.count, BATCH):
            rows = np.arange(at, min(tables.count, at + BATCH))
            misses = self._forward(tables.inputs(rows))[-1] - tables.results[rows]
            squares += (misses * misses).tolist()
        return fsum(squares) / max(1, len(squares))

    def _forward(self, inputs: Any) -> tuple[Any, Any, Any]:
        first, biases, second, bias = self.weights
        units = self._stepped(self.np.maximum(inputs @ first + biases, 0), UNIT)
        output = units @ second + bias[0]
        return units, output, 0.5 + 0.5 * output / (1 + abs(output))

    def _slopes(self, inputs: Any, results: Any) -> list[Any]:
        np = self.np
        units, output, shares = self._forward(inputs)
        flat = 1 + abs(output)
        outer = self._stepped((shares - results) / (flat * flat), SLOPE)
        inner = self._stepped(outer[:, None] * self.weights[2], SLOPE) * (units > 0)
        sums = [inputs.T @ inner, inner.sum(0), units.T @ outer, np.array([outer.sum()])]
        return [slopes / len(results) for slopes in sums]

    def dump(self, course: ModuleType) -> bytes:
        """Return the network as the program reads it, in whole numbers."""
        np = self.np
        rows = np.array(course.completed(self.weights[0].tolist()))
        whole = np.clip(np.rint(rows * SCALE), -(1 << 15), (1 << 15) - 1).astype(int)
        biases, out = (np.rint(w * SCALE).astype(int).tolist() for w in self.weights[1:3])
        return dump(whole.tolist(), biases, out, round(float(self.weights[3][0]) * SCALE * SCALE))


class _Tables:
    """Samples as arrays."""

    def __init__(self, np: Any, features: int, samples: Samples, kind: Any) -> None:
        self.np = np
        self.results = np.frombuffer(samples.results, np.float32).astype(kind)
        self.count = len(self.results)
        self._features = features
        self._kind = kind
        self._sizes = np.frombuffer(samples.sizes, np.uint16).astype(np.int64)
        self._starts = np.concatenate([[0], np.cumsum(self._sizes)])
        self._flat = np.frombuffer(samples.features, np.uint16)

    def inputs(self, rows: Any) -> Any:
        """Return how often some of the tables have each feature."""
        np = self.np
        counts = self._sizes[rows]
        ends = np.cumsum(counts)
        places = np.repeat(self._starts[rows] - ends + counts, counts) + np.arange(ends[-1])
        cells = np.repeat(np.arange(len(rows)), counts) * self._features + self._flat[places]
        table = np.bincount(cells, minlength=len(rows) * self._features)
        return table.reshape(len(rows), self._features).astype(self._kind)


class StraightFit(Fit):
    """Fits that begin from the straight line that is best, as few tables teach little else.

    Numbers are rounded as they come, so the last bits of a weight differ between machines.
    """

    def __init__(self, features: int, hidden: int, seed: int) -> None:
        super().__init__(features, hidden, seed)
        np = self.np
        self._random = np.random.default_rng(seed)
        self.weights = [
            self._random.normal(0, 0.15, (features, hidden)).astype(np.float32),
            np.zeros(hidden, np.float32),
            self._random.normal(0, 0.2, hidden).astype(np.float32),
            np.zeros(1, np.float32),
        ]

    def _straighten(self, samples: Samples) -> None:
        """Begin from the straight line that fits best.

        The first two units have it, above and below even; the others begin with little to say.
        """
        np = self.np
        tables = _Tables(np, self.features, samples, np.float32)
        results = tables.results
        squares = EASE * np.eye(self.features + 1)
        products = np.zeros(self.features + 1)
        for at in range(0, len(results), BATCH):
            rows = np.arange(at, min(len(results), at + BATCH))
            inputs = tables.inputs(rows)
            inputs = np.hstack([inputs, np.ones((len(rows), 1))]).astype(np.float64)
            squares += inputs.T @ inputs
            products += inputs.T @ (4 * results[rows] - 2)
        line = np.linalg.solve(squares, products)
        first, biases, second, _ = self.weights
        second *= 0.1
        for unit, sign in ((0, 1), (1, -1)):
            first[:, unit] = sign * STEEP * line[:-1]
            biases[unit] = sign * STEEP * line[-1]
            second[unit] = sign / STEEP

    def learn(self, samples: Samples, epochs: int, rate: float) -> float:
        """Go through the samples from the line on; see Fit."""
        np = self.np
        self._straighten(samples)
        tables = _Tables(np, self.features, samples, np.float32)
        results = tables.results
        cut = len(results) * 19 // 20
        moments = [(np.zeros_like(w), np.zeros_like(w)) for w in self.weights]
        steps = max(1, epochs * (cut // BATCH))
        step = 0
        for _ in range(epochs):
            order = self._random.permutation(cut)
            for at in range(0, cut - BATCH + 1, BATCH):
                rows = order[at : at + BATCH]
                inputs = tables.inputs(rows)
                slopes = self._slopes(inputs, results[rows])
                step += 1
                now = rate * (1 - step / steps) + 1e-5
                for weight, slope, (mean, square) in zip(
                    self.weights, slopes, moments, strict=True
                ):
                    mean += 0.1 * (slope - mean)
                    square += 0.001 * (slope * slope - square)
                    scale = np.sqrt(square / (1 - 0.999**step)) + 1e-8
                    weight -= now * (mean / (1 - 0.9**step) / scale + 1e-5 * weight)
        return self.error(tables, cut)

    def _forward(self, inputs: Any) -> tuple[Any, Any, Any]:
        first, biases, second, bias = self.weights
        units = self.np.maximum(inputs @ first + biases, 0)
        output = units @ second + bias[0]
        return units, output, 0.5 + 0.5 * output / (1 + abs(output))

    def _slopes(self, inputs: Any, results: Any) -> list[Any]:
        np = self.np
        units, output, shares = self._forward(inputs)
        outer = (shares - results) / (1 + abs(output)) ** 2 / len(results)
        inner = np.outer(outer, self.weights[2]) * (units > 0)
        return [inputs.T @ inner, inner.sum(0), units.T @ outer, np.array([outer.sum()])]


class Plan(NamedTuple):
    """The generations of a training, and how each of them learns.

    Of lists with a number for each generation the last number counts for all that follow.
    """

    game: str
    seats: tuple[int, ...]
    seed: int
    games: Sequence[int]
    worlds: Sequence[int]
    together: int
    decay: float
    hidden: int
    straight: bool
    epochs: Sequence[int]
    rate: Sequence[float]


class Training:
    """A training whose steps are kept in a folder as they are done."""

    def __init__(self, plan: Plan, folder: Path, jobs: int | None = None) -> None:
        self.plan = plan
        self._course = part(plan.game, "selfplay")
        self._steps = folder / "steps"
        self._jobs = jobs or os.cpu_count() or 1

    def run(self) -> bytes:
        """Return the weights of the last generation."""
        plan = self.plan
        past: list[Samples] = []
        weights = net = b""
        self._steps.mkdir(parents=True, exist_ok=True)
        for generation, count in enumerate(plan.games):
            samples = self._played(generation, count, net)
            # Games of the greedy player teach little once programs play better.
            past = [*past, samples][-plan.together :] if generation > 1 else [samples]
            weights = self._fitted(generation, past, weights)
            net = self._fit(weights).dump(self._course)
        return net

    def _played(self, generation: int, count: int, net: bytes) -> Samples:
        plan = self.plan
        seed = " ".join(map(str, [plan.seed, *plan.seats, generation]))
        # The greedy player needs neither.
        worlds, decay = (_nth(plan.worlds, generation), plan.decay) if net else (0, 1.0)
        numbers = range(count)
        games = Games(plan.game, plan.seats, seed, numbers, net, worlds, decay)
        chunks = [games._replace(numbers=numbers[at : at + CHUNK]) for at in range(0, count, CHUNK)]
        played = Samples()
        for data in _mapped(partial(_chunk, self._steps), chunks, self._jobs):
            played.extend(Samples.load(data))
        return played

    def _fitted(self, generation: int, past: Sequence[Samples], weights: bytes) -> bytes:
        plan = self.plan
        samples = Samples()
        for some in past:
            samples.extend(some)
        epochs, rate = _nth(plan.epochs, generation), _nth(plan.rate, generation)
        begin = b"" if plan.straight else weights
        tables = sha256(samples.dump()).hexdigest()
        what = ("fit", plan.seed, plan.hidden, plan.straight, epochs, rate, begin, tables)

        def made() -> bytes:
            fit = self._fit(begin)
            error = fit.learn(samples, epochs, rate)
            _log.info("%d: %d tables, error %.5f", generation, len(samples.results), error)
            return fit.save()

        return _kept(self._steps, what, made)

    def _fit(self, weights: bytes) -> Fit:
        fit = (StraightFit if self.plan.straight else Fit)(
            self._course.FEATURES, self.plan.hidden, self.plan.seed
        )
        if weights:
            fit.load(weights)
        return fit


def _nth(values: Sequence[Any], index: int) -> Any:
    return values[min(index, len(values) - 1)]


def _chunk(folder: Path, games: Games) -> bytes:
    return _kept(folder, tuple(games), lambda: collect(games).dump())


def _mapped(
    function: Callable[[Games], bytes], items: Sequence[Games], jobs: int
) -> Iterator[bytes]:
    if jobs < 2:
        yield from map(function, items)
        return
    with worker_pool(jobs) as pool:
        yield from pool.map(function, items)


def _kept(folder: Path, what: tuple[object, ...], made: Callable[[], bytes]) -> bytes:
    """Return what a step led to, from the folder if it has been done before."""
    path = folder / sha256(repr(what).encode()).hexdigest()[:32]
    if not path.exists():
        spare = path.with_suffix(f".{os.getpid()}")
        spare.write_bytes(made())
        spare.replace(path)
    return path.read_bytes()


def main() -> None:
    """Make the network for one number of seats, or for several."""
    parser = argparse.ArgumentParser(description="make the network of a game")
    add = parser.add_argument
    add("game")
    add("--seats", type=int, nargs="+", default=[2], help="numbers of seats, which take turns")
    add("--seed", type=int, default=1)
    add("--games", type=int, nargs="+", default=[15000, 1500, 3000, 5000], help="by generation")
    add(
        "--worlds",
        type=int,
        nargs="+",
        default=[4],
        help="to look ahead in; 0: a quick first sight",
    )
    add("--together", type=int, default=2, help="generations whose games are learned together")
    add("--decay", type=float, default=LAMBDA, help="weight of the next table for a table")
    add("--hidden", type=int, default=32, help="units of the network")
    add(
        "--straight", action="store_true", help="begin each fit from the straight line that is best"
    )
    add("--epochs", type=int, nargs="+", default=[6], help="times that a fit sees each table")
    add("--rate", type=float, nargs="+", default=[2e-3], help="the first step of a fit")
    add("--jobs", type=int, help="processes that play; else one for each processor")
    add("--out", type=Path, default=Path())
    given = vars(parser.parse_args())
    # Several threads could add up the same numbers in another order.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    folder, jobs = given.pop("out"), given.pop("jobs")
    plan = Plan(**given | {"seats": tuple(given["seats"])})
    data = Training(plan, folder, jobs).run()
    path = folder / part(plan.game, "selfplay").file_of(max(plan.seats)).name
    path.write_bytes(data)
    _log.info("%s %s", sha256(data).hexdigest(), path)


if __name__ == "__main__":
    main()
