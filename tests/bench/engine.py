"""Measures the rules engine: `python tests/bench/engine.py [GAMES]`.

The figures are processor time. Each stands beside its ratio to a fixed loop in plain Python timed
in the same run, so that figures of different machines can be compared.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from referee.games.interface import Rules
from referee.games.sanjuan import flow, greedy, plays
from referee.games.sanjuan.chance import random_play
from referee.games.sanjuan.rules import RULES, SanJuanRules
from referee.games.sanjuan.state import NOTHING, State
from referee.games.values import Shuffle, letter

SEATS = ("ana", "ben", "cleo", "dan")


def spent() -> float:
    """Seconds of processor time of this process and of its children that have ended.

    What else a machine does makes everything take longer, but costs a measured program nothing.
    """
    # Windows has no such thing, and the games of this module are for its tests too.
    import resource

    both = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(used.ru_utime + used.ru_stime for used in both)


def reference() -> float:
    """Seconds for a hundred thousand steps on numbers and lists, the best of five."""
    best = 1e9
    for _ in range(5):
        start = time.process_time()
        row = list(range(64))
        total = 0
        for step in range(100_000):
            place = step & 63
            row[place] = (row[place] * 5 + 1) & 255
            if row[place] & 8:
                total += row[63 - place]
        best = min(best, time.process_time() - start)
    return best


def shuffler(rng: Random) -> Shuffle:
    """A shuffle that draws its order from `rng`."""

    def shuffle(pile: str, epoch: int, cards: Sequence[int]) -> Sequence[int]:
        random = rng.random
        return sorted(cards, key=lambda card: random())

    return shuffle


def game(rules: SanJuanRules, seats: Sequence[str], rng: Random) -> State:
    """A dealt game, as its flat state."""
    return rules.start(seats, shuffler(rng))[0].state


BATCHES = 5


def random_games(rules: SanJuanRules, seats: Sequence[str], count: int) -> tuple[float, int, int]:
    """Seconds, decisions and rounds of this many games of uniform random play.

    The same games are played several times over, and the fastest time counts.
    """
    apply = flow.APPLY
    best = 1e9
    for _ in range(BATCHES):
        rng = Random(1)
        decisions = rounds = 0
        start = time.process_time()
        for _ in range(count):
            st = game(rules, seats, rng)
            while st.kind != NOTHING:
                apply[st.kind](st, random_play(st, rng))
                decisions += 1
            rounds += st.round
        best = min(best, time.process_time() - start)
    return best, decisions, rounds


def middle(rules: SanJuanRules) -> State:
    """A four-player state late in a game."""
    rng = Random(3)
    st = game(rules, SEATS, rng)
    while st.kind != NOTHING and st.round < 12:
        flow.apply(st, random_play(st, rng))
    return st


def copying(st: Any) -> float:
    """Seconds for one copy of a state."""
    count = 20_000
    start = time.process_time()
    for _ in range(count):
        st.copy()
    return (time.process_time() - start) / count


def greedily(st: State, names: list[str]) -> str:
    """The greedy player's play, with letters for the cards of its hand."""
    return plays.render(st, st.actor, greedy.choose(st, st.actor), names)


def replaying(
    rules: Rules, seats: Sequence[str], answer: Callable[[Any, list[str]], str]
) -> tuple[float, int]:
    """Seconds and plays of a whole game through `Game.take`, in which `answer` gives each play."""
    played: Any = rules.start(seats, shuffler(Random(5)))[0]
    letters = [letter(place) for place in range(100)]
    record: list[tuple[str, str, list[str]]] = []
    while not played.over:
        st = played.state
        names = letters[: len(st.hand[st.actor])]
        text = answer(st, names)
        decision = played.decisions()[0]
        record.append((decision.id, text, names))
        played.take(decision.id, text, names)
    best = 1e9
    for _ in range(5):
        again, _ = rules.start(seats, shuffler(Random(5)))
        start = time.process_time()
        for entry in record:
            again.take(*entry)
        best = min(best, time.process_time() - start)
    return best, len(record)


def _per_loop(unit: float, seconds: float) -> str:
    return f"{unit / seconds:8.2f} per reference loop"


SETS: tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...] = (
    ("2014", (), ()),
    ("2004", (), ()),
    ("2014", ("new-buildings",), ()),
    ("2014", ("events",), ()),
    ("2014", ("new-buildings", "events"), ()),
    ("2004", ("new-buildings", "events"), ("draft-start",)),
)
"""Edition, expansions and variants of the rule sets that are compared; the first is the base."""


def main() -> None:
    """Print the figures."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    unit = reference()
    print(f"reference loop           {unit * 1e3:9.2f} ms")
    base: dict[int, float] = {}
    for edition, expansions, variants in SETS:
        rules = RULES.choose(edition, expansions, variants, {})
        assert isinstance(rules, SanJuanRules)
        print(" ".join((edition, *expansions, *variants)))
        for count in (4, 3, 2):
            seconds, decisions, rounds = random_games(rules, SEATS[:count], games)
            base.setdefault(count, seconds)
            print(
                f"{count} players, random        {games / seconds:9.0f} games/s   "
                f"{_per_loop(unit, seconds / games)}; "
                f"{rounds / games:.1f} rounds, {decisions / games:.0f} decisions; "
                f"{base[count] / seconds:.2f} of the base game"
            )
            step = seconds / decisions
            print(f"  play and apply         {step * 1e6:9.2f} µs        {_per_loop(unit, step)}")
        seconds = copying(middle(rules))
        print(f"state copy               {seconds * 1e6:9.2f} µs        {_per_loop(unit, seconds)}")
        seconds, count = replaying(rules, SEATS, greedily)
        print(
            f"replay of {count} plays      {seconds * 1e3:9.2f} ms        "
            f"{_per_loop(unit, seconds)}; {seconds / count * 1e6:.1f} µs a play"
        )


if __name__ == "__main__":
    main()
