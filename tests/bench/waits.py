"""Counts how often a game by mail waits for somebody: `python -m tests.bench.waits [GAMES] [SEED]`.

A wait is a question for whose answer everything stands still. *One by one*: every seat is asked
when the one before has answered, so every question is one. *In parallel*: questions that are open
together are one wait. Means over so many games between greedy choosers.
"""

from __future__ import annotations

import sys
from random import Random
from typing import NamedTuple

from referee.games import rules_of
from referee.games.interface import Rules
from referee.games.sanjuan import flow as sanjuan_flow
from referee.games.sanjuan import greedy as sanjuan_greedy
from referee.games.sanjuan.rules import SanJuanRules
from referee.games.xanadu import flow as xanadu_flow
from referee.games.xanadu import greedy as xanadu_greedy
from referee.games.xanadu.rules import XanaduRules
from tests.bench.engine import shuffler

NAMES = ("ana", "ben", "carl", "dora", "emil", "fay")
SETS: dict[str, Rules] = {
    " ".join(["sanjuan", edition, *expansions, *variants]): rules_of("sanjuan").choose(
        edition, expansions, variants, {}
    )
    for edition, expansions, variants in (
        ("2014", [], []),
        ("2004", [], []),
        ("2014", ["new-buildings"], []),
        ("2014", ["events"], []),
        ("2014", [], ["draft-start"]),
        ("2014", ["new-buildings", "events"], ["draft-start"]),
    )
} | {
    " ".join(["xanadu", *variants]): rules_of("xanadu").choose(None, [], variants, {})
    for variants in ([], ["advanced"])
}


class Waits(NamedTuple):
    """How many waits a game takes, asked one by one and in parallel."""

    serial: int
    parallel: int


def waits(rules: Rules, seats: int, rng: Random) -> Waits:
    """The waits of one game between greedy choosers."""
    game, _ = rules.start(NAMES[:seats], shuffler(rng))
    state = game.state  # type: ignore[attr-defined] # the flat core, for its speed
    serial = parallel = 0
    while batch := game.decisions():
        serial += len(batch)
        parallel += 1
        for _ in batch:
            if isinstance(rules, SanJuanRules):
                sanjuan_flow.apply(state, sanjuan_greedy.choose(state, state.actor))
            elif isinstance(rules, XanaduRules):
                xanadu_flow.apply(state, xanadu_greedy.choose(state, state.actor))
    return Waits(serial, parallel)


def main(games: int = 200, seed: int = 1) -> None:
    """Print a row for each rule set and number of seats."""
    print(f"{rules_of('sanjuan').bot} choosers, seed {seed}, {games} games a row; waits a game")
    print(f"{'':56}{'one by one':>12}{'in parallel':>12}{'ratio':>8}")
    for name, rules in SETS.items():
        for seats in rules.seats:
            if rules.fits(seats):
                continue
            rng = Random(f"{seed} {seats}")
            found = [waits(rules, seats, rng) for _ in range(games)]
            serial = sum(one.serial for one in found) / games
            parallel = sum(one.parallel for one in found) / games
            print(f"{name}, {seats} seats".ljust(56), end="")
            print(f"{serial:12.1f}{parallel:12.1f}{parallel / serial:8.2f}", flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
