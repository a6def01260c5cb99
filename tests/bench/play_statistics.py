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
from math import comb
from pathlib import Path
from random import Random

from referee.games.sanjuan import flow, greedy
from referee.games.sanjuan.chance import random_play
from referee.games.sanjuan.flow import Action
from referee.games.sanjuan.state import State
from tests.games.sanjuan.plain_rules import CARDS
from tests.games.sanjuan.randomly import deal

BANDS: Mapping[tuple[str, int], Mapping[str, str]] = {
    ("greedy", 4): {
        "rounds": "12 to 14",
        "winner's points": "32 to 36",
        "seat 1 wins": "0.29 to 0.36",
        "tied on points": "0.05 to 0.09",
        "tied after the tie-break": "about 0.01",
    },
    ("greedy", 2): {"rounds": "12 to 17", "seat 1 wins": "0.54 to 0.62"},
    ("random", 4): {"rounds": "about 18"},
    ("random", 3): {"rounds": "about 25"},
    ("random", 2): {"rounds": "about 25"},
}
"""What the rules page expects: wide bands, of sensible greedy play and of uniform random play."""


def gold_mine() -> Fraction:
    """The chance that four cards of the full deck all cost different."""
    of_cost: Counter[int] = Counter()
    for cost, _, copies in CARDS.values():
        of_cost[cost] += copies
    ways = [1, 0, 0, 0, 0]
    for cards in of_cost.values():
        for chosen in range(4, 0, -1):
            ways[chosen] += ways[chosen - 1] * cards
    return Fraction(ways[4], comb(of_cost.total(), 4))


def figures(
    seats: int, games: int, seed: int, bot: Callable[[State, Random], Action]
) -> Counter[str]:
    """The sums over so many games, each of them dealt from its own seed."""
    found: Counter[str] = Counter()
    for number in range(games):
        rng = Random(f"{seed} {seats} {number}")
        game = deal(seats, rng)
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


def main(games: int = 1000, seed: int = 1) -> None:
    """Print everything."""
    print(f"gold mine, 2014 base game: {float(gold_mine()):.4f} (expected 0.2552)")
    version = sha256(Path(greedy.__file__).read_bytes()).hexdigest()[:8]
    bots: dict[str, Callable[[State, Random], Action]] = {
        "greedy": lambda state, rng: greedy.choose(state, state.actor),
        "random": random_play,
    }
    for name, bot in bots.items():
        for seats in (2, 3, 4):
            print(f"{name} bot {version}, seed {seed}, {games} games of {seats}")
            for what, total in figures(seats, games, seed, bot).items():
                band = BANDS.get((name, seats), {}).get(what)
                note = f"  (expected {band})" if band else ""
                print(f"  {what:25} {total / games:7.3f}{note}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
