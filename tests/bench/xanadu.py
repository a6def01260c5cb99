"""Measures Xanadu's engine: `python tests/bench/xanadu.py [GAMES]`; with `--balance`, its deck.

Every figure stands beside its ratio to a fixed loop in plain Python timed in the same run, so that
figures of different machines can be compared.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from pathlib import Path
from random import Random
from statistics import mean

sys.path.insert(0, str(Path(__file__).parents[2]))

from referee.games.values import Said
from referee.games.xanadu import flow, greedy, plays
from referee.games.xanadu.chance import random_play
from referee.games.xanadu.deckfile import COLOURS
from referee.games.xanadu.rules import RULES, XanaduRules
from referee.games.xanadu.state import NOTHING, State
from tests.bench.engine import copying, reference, replaying, shuffler

SEATS = ("ana", "ben", "cleo", "dan", "eve", "fay")


def game(rules: XanaduRules, count: int, rng: Random) -> State:
    """A dealt game, as its flat state."""
    return rules.start(SEATS[:count], shuffler(rng))[0].state


def random_games(rules: XanaduRules, count: int, games: int) -> tuple[float, int, int]:
    """Seconds, decisions and single acts (sales, workers, builds) of games of random play."""
    rng = Random(1)
    decisions = 0
    start = time.process_time()
    for _ in range(games):
        st = game(rules, count, rng)
        while st.kind != NOTHING:
            flow.apply(st, random_play(st, rng))
            decisions += 1
    seconds = time.process_time() - start
    rng = Random(1)
    acts = 0
    for _ in range(games):
        st = game(rules, count, rng)
        while st.kind != NOTHING:
            action = random_play(st, rng)
            acts += len(action) if flow.is_opening(st) else sum(map(len, action))
            flow.apply(st, action)
    return seconds, decisions, acts


def middle(rules: XanaduRules) -> State:
    """A four-player state in the middle of a game."""
    rng = Random(3)
    st = game(rules, 4, rng)
    while st.kind != NOTHING and st.round < 6:
        flow.apply(st, random_play(st, rng))
    return st


def greedily(st: State, names: list[str]) -> str:
    """The greedy player's play, with letters for the cards of its hand."""
    return plays.render(st, st.actor, greedy.choose(st, st.actor), names)


def balance(rules: XanaduRules, count: int, games: int) -> str:
    """Tell what greedy players make of the deck."""
    rng = Random(1)
    words: Counter[str] = Counter()
    builds: Counter[int] = Counter()
    paid: dict[int, list[int]] = {colour: [] for colour in range(len(COLOURS))}
    coins: list[int] = []
    rounds: list[int] = []
    first = 0.0
    for _ in range(games):
        st = game(rules, count, rng)
        while st.kind != NOTHING:
            st.log = []
            flow.apply(st, greedy.choose(st, st.actor))
            for event in st.log:
                if isinstance(event, Said):
                    told = event.words.split()
                    words[told[0]] += 1
                    if told[0] in ("build", "sell", "full"):
                        colour = st.cards.colour[st.cards.number[told[2]]]
                        if told[0] == "build":
                            builds[colour] += 1
                        else:
                            paid[colour].append(int(told[-1]))
        coins += st.coins
        rounds.append(st.round)
        best = max(st.coins)
        first += (st.coins[0] == best) / st.coins.count(best)
    built = "/".join(f"{builds[colour] / games:.1f}" for colour in paid)
    mean_paid = "/".join(f"{mean(prices):.1f}" for prices in paid.values())
    return (
        f"{count} players: turns {mean(rounds):.1f}, coins {mean(coins):.1f} (most {max(coins)}), "
        f"builds {built}, paid {mean_paid}, compulsory {words['full'] / games:.1f}, "
        f"resets {words['reset'] / games:.2f}, stalled {words['stall']}, "
        f"first seat wins {first / games:.0%}"
    )


def _per_loop(unit: float, seconds: float) -> str:
    return f"{unit / seconds:8.2f} per reference loop"


def main() -> None:
    """Print the figures."""
    numbers = [int(word) for word in sys.argv[1:] if word.isdigit()]
    rules = RULES.choose(None, [], [], {})
    if "--balance" in sys.argv:
        games = numbers[0] if numbers else 400
        print(f"{games} games between greedy players; per game, brown/blue/yellow/green")
        for count in range(2, 7):
            print(balance(rules, count, games), flush=True)
        return
    games = numbers[0] if numbers else 1000
    unit = reference()
    print(f"reference loop           {unit * 1e3:9.2f} ms")
    for chosen in (rules, RULES.choose(None, [], ["advanced"], {})):
        for count in range(2, 5 if chosen.advanced else 7):
            random_games(chosen, count, games // 10 + 1)
            seconds, decisions, acts = random_games(chosen, count, games)
            name = f"{count} players{' advanced' if chosen.advanced else ''}, random"
            print(
                f"{name:<27} {games / seconds:6.0f} games/s   {_per_loop(unit, seconds / games)}; "
                f"{decisions / games:.0f} decisions"
            )
            step, act = seconds / decisions, seconds / acts
            print(f"  play and apply         {step * 1e6:9.2f} µs        {_per_loop(unit, step)}")
            print(f"  a sale, worker, build  {act * 1e6:9.2f} µs        {_per_loop(unit, act)}")
    seconds = copying(middle(rules))
    print(f"state copy               {seconds * 1e6:9.2f} µs        {_per_loop(unit, seconds)}")
    seconds, count = replaying(rules, SEATS[:4], greedily)
    print(
        f"replay of {count} plays       {seconds * 1e3:9.2f} ms        {_per_loop(unit, seconds)}; "
        f"{seconds / count * 1e6:.1f} µs a play"
    )


if __name__ == "__main__":
    main()
