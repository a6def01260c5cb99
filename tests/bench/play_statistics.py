"""Prints the odds of a gold mine and how games of the greedy bot go, beside what is expected.

    python -m tests.bench.play_statistics [GAMES] [SEED]

The odds are exact; the games measure the bot as much as the rules.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from hashlib import sha256
from itertools import combinations
from math import comb, prod
from pathlib import Path
from random import Random

from referee.games.sanjuan import flow, greedy, mind
from referee.games.sanjuan.chance import random_play
from referee.games.sanjuan.flow import Action
from referee.games.sanjuan.state import State
from tests.games.sanjuan.randomly import deal
from tests.games.sanjuan.rule_sets import EVERY, NAMED, RuleSet

ODDS = {NAMED["2004"]: "0.2503", NAMED["2014"]: "0.2552", NAMED["new-buildings"]: "0.2505"}
"""How often a gold mine succeeds on a full random deck, by the rules page."""
COLUMNS = ("rounds", "winner's points", "seat 1 wins", "tied on points", "shared wins")
BANDS: Mapping[str, Mapping[int, tuple[str, ...]]] = {
    "greedy": {
        2: ("12 to 17", "", "0.54 to 0.62", "", ""),
        3: ("", "", "", "", ""),
        4: ("12 to 14", "32 to 36", "0.29 to 0.36", "0.05 to 0.09", "about 0.01"),
    },
    "random": {
        2: ("about 25", "29 to 30", "", "", ""),
        3: ("about 25", "29 to 30", "", "", ""),
        4: ("about 18", "29 to 30", "", "", ""),
    },
}
"""What the rules page expects of sensible greedy play, and of random play with all rule sets."""


def gold_mine(which: RuleSet) -> Fraction:
    """The chance that four cards of the full deck all cost different, by counting every way."""
    of_cost: Counter[int] = Counter()
    for name, (cost, _, copies) in which.cards.items():
        of_cost[cost] += copies if name != "cathedral" else 0
    ways = sum(prod(of_cost[cost] for cost in four) for four in combinations(of_cost, 4))
    return Fraction(ways, comb(of_cost.total(), 4))


def figures(
    which: RuleSet, seats: int, games: int, seed: int, bot: Callable[[State, Random], Action]
) -> list[float]:
    """The means over so many games, each dealt from its own seed, in the order of COLUMNS."""
    sums = [0] * len(COLUMNS)
    for number in range(games):
        rng = Random(f"{seed} {seats} {number}")
        game = deal(seats, rng, rules=which)
        state = game.state
        while not game.over:
            flow.apply(state, bot(state, rng))
        scores = game.scores()
        best = max(score.points for score in scores)
        tied = sum(score.points == best for score in scores) > 1
        won = [score.wins for score in scores]
        for column, found in enumerate((state.round, best, won[0], tied, sum(won) > 1)):
            sums[column] += found
    return [total / games for total in sums]


def version() -> str:
    """A short hash of the greedy bot's program."""
    parts = [Path(str(module.__file__)).read_bytes() for module in (greedy, mind)]
    return sha256(b"".join(parts)).hexdigest()[:8]


def row(name: str, cells: Sequence[str]) -> str:
    """One line of a table."""
    return f"{name:42}" + "".join(f"{cell:>16}" for cell in cells)


def main(games: int = 1000, seed: int = 1) -> None:
    """Print everything."""
    for which, expected in ODDS.items():
        print(f"gold mine, {which}: {float(gold_mine(which)):.4f} (expected {expected})")
    bots: dict[str, tuple[Callable[[State, Random], Action], tuple[RuleSet, ...]]] = {
        "greedy": (lambda state, rng: greedy.choose(state, state.actor), EVERY),
        "random": (random_play, tuple(NAMED.values())),
    }
    for name, (bot, sets) in bots.items():
        for seats in (2, 3, 4):
            print(f"\n{name} bot {version()}, seed {seed}, {seats} players, {games} games a row")
            print(row("", COLUMNS))
            print(row("expected", BANDS[name][seats]))
            for which in sets:
                means = figures(which, seats, games, seed, bot)
                print(row(str(which), [f"{mean:.3f}" for mean in means]), flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
