"""Prints the odds of a gold mine and how games of the greedy bot go, beside what is expected.

    python -m tests.bench.play_statistics [GAMES] [SEED]

The odds are exact; the games measure the bot as much as the rules.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Mapping
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
BANDS: Mapping[tuple[str, int], Mapping[str, str]] = {
    ("greedy", 4): {
        "rounds": "12 to 14",
        "winner's points": "32 to 36",
        "seat 1 wins": "0.29 to 0.36",
        "tied on points": "0.05 to 0.09",
        "tied after the tie-break": "about 0.01",
    },
    ("greedy", 2): {"rounds": "12 to 17", "seat 1 wins": "0.54 to 0.62"},
    ("random", 4): {"rounds": "about 18", "winner's points": "29 to 30"},
    ("random", 3): {"rounds": "about 25", "winner's points": "29 to 30"},
    ("random", 2): {"rounds": "about 25", "winner's points": "29 to 30"},
}
"""What the rules page expects: wide bands, of sensible greedy play and of uniform random play."""


def gold_mine(which: RuleSet) -> Fraction:
    """The chance that four cards of the full deck all cost different, by counting every way."""
    of_cost: Counter[int] = Counter()
    for name, (cost, _, copies) in which.cards.items():
        of_cost[cost] += copies if name != "cathedral" else 0
    ways = sum(prod(of_cost[cost] for cost in four) for four in combinations(of_cost, 4))
    return Fraction(ways, comb(of_cost.total(), 4))


def figures(
    which: RuleSet, seats: int, games: int, seed: int, bot: Callable[[State, Random], Action]
) -> Counter[str]:
    """The sums over so many games, each of them dealt from its own seed."""
    found: Counter[str] = Counter()
    for number in range(games):
        rng = Random(f"{seed} {seats} {number}")
        game = deal(seats, rng, rules=which)
        state = game.state
        while not game.over:
            flow.apply(state, bot(state, rng))
        scores = game.scores()
        best = max(score.points for score in scores)
        won = [score.wins for score in scores]
        found["rounds"] += state.round
        found["winner's points"] += best
        found["seat 1 wins"] += won[0]
        found["tied on points"] += sum(score.points == best for score in scores) > 1
        found["tied after the tie-break"] += sum(won) > 1
    return found


def version() -> str:
    """A short hash of the greedy bot's program."""
    parts = [Path(str(module.__file__)).read_bytes() for module in (greedy, mind)]
    return sha256(b"".join(parts)).hexdigest()[:8]


def main(games: int = 1000, seed: int = 1) -> None:
    """Print everything."""
    for which, expected in ODDS.items():
        print(f"gold mine, {which}: {float(gold_mine(which)):.4f} (expected {expected})")
    bots: dict[str, tuple[Callable[[State, Random], Action], tuple[RuleSet, ...]]] = {
        "greedy": (lambda state, rng: greedy.choose(state, state.actor), EVERY[:8] + EVERY[-2:]),
        "random": (random_play, tuple(NAMED.values())),
    }
    for name, (bot, sets) in bots.items():
        for which in sets:
            for seats in (2, 3, 4):
                print(f"{name} bot {version()}, seed {seed}, {games} games of {seats}, {which}")
                for what, total in figures(which, seats, games, seed, bot).items():
                    band = BANDS.get((name, seats), {}).get(what)
                    note = f"  (expected {band})" if band else ""
                    print(f"  {what:25} {total / games:7.3f}{note}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
