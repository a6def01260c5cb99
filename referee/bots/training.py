"""Makes the networks of a game from games that programs play against themselves.

    python -m referee.bots.training GAME --seats 2 --seed 1 --out DIR

needs numpy (`pip install sanjuan-ref[train]`) and some time. In generation 0 the greedy player
plays, with random answers among its own, and the first network learns what came of each table. In
each further generation the players look ahead with the last network. The same seed plays the same
games; the last bits of a weight may differ from machine to machine, so the weights that come with
the program are data and are not made anew.
"""

from __future__ import annotations

import argparse
import logging
import os
from array import array
from collections.abc import Sequence
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

from referee.bots.hard import Effort, choose
from referee.games import part
from referee.games.interface import Game, Rules
from referee.games.network import Network, dump
from referee.games.search import OVER, WHOLE
from referee.games.values import Held, letter

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


def collect(
    course: ModuleType,
    seats: Sequence[int],
    games: int,
    seed: str,
    net: Network | None,
    worlds: int,
    decay: float = LAMBDA,
) -> Samples:
    """Play games and return every table at which a turn began, as each seat saw it.

    The games take the numbers of seats in turn.
    """
    samples = Samples()
    for number in range(games):
        random = Random(f"{seed} {number}")
        _play(course, seats[number % len(seats)], random, net, worlds, decay, samples)
    return samples


def _play(
    course: ModuleType,
    seats: int,
    random: Random,
    net: Network | None,
    worlds: int,
    decay: float,
    samples: Samples,
) -> None:
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
            search = course.search(rules, net)
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
            hopes[seat] += (1 - decay) * (guess - hopes[seat])
    for (_, features), hope in zip(seen, reversed(later), strict=True):
        samples.add(features, hope)


def _view(rules: Rules, game: Game, seat: str) -> Any:
    names = [rules.card_name(rules.hand_piles[0], card) for card in game.hand(seat)]
    held = [Held(letter(index), name) for index, name in enumerate(names)]
    seats = [row["name"] for row in game.table()["seats"]]
    return rules.view(seats, game.table(), seat, held)


class Fit:
    """Fits the weights of a network to samples, by Adam on the square of the error."""

    def __init__(self, features: int, hidden: int, seed: int) -> None:
        import numpy as np

        self.np = np
        self.features = features
        self.random = np.random.default_rng(seed)
        self.weights = [
            self.random.normal(0, 0.15, (features, hidden)).astype(np.float32),
            np.zeros(hidden, np.float32),
            self.random.normal(0, 0.2, hidden).astype(np.float32),
            np.zeros(1, np.float32),
        ]

    def straighten(self, samples: Samples) -> None:
        """Begin from the straight line that fits best, as few tables teach little else.

        The first two units have it, above and below even; the others begin with little to say.
        """
        np = self.np
        results = np.frombuffer(samples.results, np.float32)
        sizes = np.frombuffer(samples.sizes, np.uint16).astype(np.int64)
        starts = np.concatenate([[0], np.cumsum(sizes)])
        flat = np.frombuffer(samples.features, np.uint16)
        squares = EASE * np.eye(self.features + 1)
        products = np.zeros(self.features + 1)
        for at in range(0, len(results), BATCH):
            rows = np.arange(at, min(len(results), at + BATCH))
            inputs = self._inputs(flat, starts, sizes, rows)
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
        """Go through the samples `epochs` times, but for the last twentieth.

        Returns the mean square error there.
        """
        np = self.np
        results = np.frombuffer(samples.results, np.float32)
        sizes = np.frombuffer(samples.sizes, np.uint16).astype(np.int64)
        starts = np.concatenate([[0], np.cumsum(sizes)])
        flat = np.frombuffer(samples.features, np.uint16)
        cut = len(results) * 19 // 20
        moments = [(np.zeros_like(w), np.zeros_like(w)) for w in self.weights]
        steps = max(1, epochs * (cut // BATCH))
        step = 0
        for _ in range(epochs):
            order = self.random.permutation(cut)
            for at in range(0, cut - BATCH + 1, BATCH):
                rows = order[at : at + BATCH]
                inputs = self._inputs(flat, starts, sizes, rows)
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
        error = 0.0
        for at in range(cut, len(results), BATCH):
            rows = np.arange(at, min(len(results), at + BATCH))
            shares = self._forward(self._inputs(flat, starts, sizes, rows))[-1]
            error += float(((shares - results[rows]) ** 2).sum())
        return error / max(1, len(results) - cut)

    def _inputs(self, flat: Any, starts: Any, sizes: Any, rows: Any) -> Any:
        np = self.np
        counts = sizes[rows]
        ends = np.cumsum(counts)
        places = np.repeat(starts[rows] - ends + counts, counts) + np.arange(ends[-1])
        cells = np.repeat(np.arange(len(rows)), counts) * self.features + flat[places]
        table = np.bincount(cells, minlength=len(rows) * self.features)
        return table.reshape(len(rows), self.features).astype(np.float32)

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

    def dump(self, course: ModuleType) -> bytes:
        """Return the network as the program reads it, in whole numbers."""
        np = self.np
        rows = np.array(course.completed(self.weights[0].tolist()))
        whole = np.clip(np.rint(rows * SCALE), -(1 << 15), (1 << 15) - 1).astype(int)
        biases, out = (np.rint(w * SCALE).astype(int).tolist() for w in self.weights[1:3])
        return dump(whole.tolist(), biases, out, round(float(self.weights[3][0]) * SCALE * SCALE))


def main() -> None:
    """Make the network for one number of seats, or for several."""
    parser = argparse.ArgumentParser(description="make the network of a game")
    parser.add_argument("game")
    parser.add_argument("--seats", type=int, nargs="+", default=[2])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--games", type=int, nargs="+", default=[15000, 1500, 3000, 5000])
    parser.add_argument(
        "--worlds",
        type=int,
        default=4,
        help="worlds to look ahead in; 0 plays at a quick first sight",
    )
    parser.add_argument(
        "--together", type=int, default=2, help="generations whose games are learned together"
    )
    parser.add_argument(
        "--decay", type=float, default=LAMBDA, help="how much the next table counts for a table"
    )
    parser.add_argument("--hidden", type=int, default=32)
    parser.add_argument(
        "--straight", action="store_true", help="begin each fit from the straight line that is best"
    )
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--rate", type=float, default=2e-3, help="the first step of a fit")
    parser.add_argument("--out", type=Path, default=Path())
    given = parser.parse_args()
    # Several threads could add up the same numbers in another order.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    course = part(given.game, "selfplay")
    net: Network | None = None
    past: list[Samples] = []
    for generation, games in enumerate(given.games):
        seed = " ".join(map(str, [given.seed, *given.seats, generation]))
        samples = collect(course, given.seats, games, seed, net, given.worlds, given.decay)
        # Games of the greedy player teach little once programs play better.
        past = [*past, samples][-given.together :] if generation > 1 else [samples]
        both = Samples()
        for some in past:
            both.extend(some)
        fit = Fit(course.FEATURES, given.hidden, given.seed)
        if given.straight:
            fit.straighten(both)
        error = fit.learn(both, given.epochs, given.rate)
        data = fit.dump(course)
        net = Network.load(data)
        path = given.out / course.file_of(max(given.seats)).name
        path.write_bytes(data)
        _log.info("%d: %d tables, error %.5f, %s", generation, len(samples.results), error, path)


if __name__ == "__main__":
    main()
