"""Measures how long bots think: `python -m tests.bench.thinking [GAMES] [LEVEL] [RULE-SET…]`.

Milliseconds of processor time for each decision, in games of bots of one level
against each other: the median, what nine and ninety-nine of a hundred do not exceed, and the worst.
The last two columns are the worst in a game, in the mean over games, and as a ratio to a fixed loop
in plain Python timed in the same run, so that figures of different machines can be compared.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from statistics import mean
from time import process_time

from referee.bots import player
from referee.bots.names import LEVELS
from referee.games.interface import Rules
from referee.games.match import Match
from tests.bench.engine import SEATS, reference
from tests.games.test_contract import RULE_SETS


def game(rules: Rules, seats: int, level: str, seed: int) -> list[float]:
    """The milliseconds of each decision of a game."""
    match = Match.deal(rules, SEATS[:seats], seed)
    bot = player(level, rules)
    times = []
    while not match.over:
        decision, seat = match.missing()[0], match.seats_asked[0]
        view = match.view(seat)
        start = process_time()
        play = bot.answer(view, f"{seed} {decision}".encode())
        times.append((process_time() - start) * 1000)
        match.play(seat, play)
    return times


def share(times: list[float], percent: int) -> float:
    """The time that so many decisions of a hundred do not exceed."""
    return sorted(times)[min(len(times) - 1, len(times) * percent // 100)]


def main(games: int, levels: Sequence[str], names: Sequence[str]) -> None:
    """Print a row for each level in each rule set and number of seats."""
    print(f"milliseconds of processor time a decision, {games} games a row")
    print(
        f"{'':62}{'n':>6}{'median':>8}{'90 %':>8}{'99 %':>8}{'worst':>8}{'a game':>8}{'ratio':>8}"
    )
    for level in levels:
        for name in names:
            rules = RULE_SETS[name]
            for seats in (2, 4):
                if rules.fits(seats):
                    continue
                played = [game(rules, seats, level, seed) for seed in range(games)]
                times = [time for one in played for time in one]
                worst = mean(max(one) for one in played)
                row = (*(share(times, percent) for percent in (50, 90, 99)), max(times), worst)
                print(f"{level}, {name}, {seats} seats".ljust(62) + f"{len(times):6}", end="")
                print("".join(f"{value:8.1f}" for value in row), end="")
                print(f"{worst / 1000 / reference():8.1f}", flush=True)


if __name__ == "__main__":
    words = sys.argv[1:]
    main(int(words[0]) if words else 2, words[1:2] or LEVELS, words[2:] or list(RULE_SETS))
