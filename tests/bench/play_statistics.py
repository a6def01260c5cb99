"""Prints the odds of a gold mine and how bots' games go, beside what the rules page expects.

    python -m tests.bench.play_statistics [GAMES] [SEED] [BOT ...]

The odds are exact; the games measure the bot as much as the rules. So every table names its bot, a
hash of its program and the seed. Without BOTs, all of them play.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from hashlib import sha256
from itertools import combinations
from math import comb, perm, prod, sqrt
from pathlib import Path
from random import Random
from typing import NamedTuple

from referee.games.sanjuan import builder, chance, choices, flow, greedy, mind, round_start
from referee.games.sanjuan.flow import Action, plots_of
from referee.games.sanjuan.rules import SanJuanRules
from referee.games.sanjuan.state import BUILD, EMPTY, TIDY, State
from tests.games.sanjuan.randomly import deal
from tests.games.sanjuan.rule_sets import EVERY, NAMED, RuleSet

ODDS = {NAMED["2004"]: "0.2503", NAMED["2014"]: "0.2552", NAMED["new-buildings"]: "0.2505"}
"""The chance that a gold mine succeeds on a full random deck, by the rules page."""
COLUMNS = ("rounds", "winner's points", "seat 1 wins", "tied on points", "shared wins")
Bands = Mapping[int, tuple[str, ...]]
SENSIBLE: Bands = {
    2: ("12 to 17", "", "0.54 to 0.62", "", ""),
    3: ("", "", "", "", ""),
    4: ("12 to 14", "32 to 36", "0.29 to 0.36", "0.05 to 0.09", "about 0.01"),
}
UNIFORM: Bands = {
    2: ("about 25", "29 to 30", "", "", ""),
    3: ("about 25", "29 to 30", "", "", ""),
    4: ("about 18", "29 to 30", "", "", ""),
}
"""The rules page's expectations of sensible greedy play, and of uniform random play: the latter for
all rule sets together, and without saying what is equally likely."""


class Uniform:
    """Every legal play equally likely.

    `ways` says how many plays name so many of so many cards or plots: `comb` when a play is what it
    does, `perm` when the same cards named in another order are another play. The second one builds
    what is dear more often, since its cost can be named in so many orders, and scores more.
    """

    def __init__(self, ways: Callable[[int, int], int]) -> None:
        self.ways = ways

    def __call__(self, st: State, rng: Random) -> Action:
        """An answer of the first open decision."""
        seat = st.actor
        if st.kind == BUILD:
            return self._build(st, seat, rng)
        if st.kind == TIDY:
            return self._tidy(st, seat, rng)
        if st.kind in flow.SELECT:
            among, least, most = flow.SELECT[st.kind](st, seat)
            counts = range(least, most + 1)
            weights = [self.ways(len(among), count) for count in counts]
            return chance.sample(rng, among, rng.choices(counts, weights)[0])
        return rng.choice(choices.legal_actions(st, seat, 1000) or [()])

    def _build(self, st: State, seat: int, rng: Random) -> Action:
        held = len(st.hand[seat])
        kinds = [st.cards.kind_of[card] for card in st.hand[seat]]
        offers: list[Action] = [()]
        weights = [1]
        for kind, over, goods, declined, pay in _offers(st, seat):
            payments = comb(held, pay)
            copies = kinds.count(kind)
            if kind not in builder.beside(st) and pay >= copies:
                payments -= comb(held - copies, pay - copies)
            orders = [self.ways(count, count) for count in (pay, len(goods), declined.bit_count())]
            offers.append((kind, over, goods, declined, pay))
            weights.append(payments * prod(orders))
        offer = rng.choices(offers, weights)[0]
        if not offer:
            return ()
        kind, over, goods, declined, pay = offer
        while True:
            paid = chance.sample(rng, range(held), pay)
            if kind in builder.beside(st) or builder.place_of(st, seat, kind, paid) >= 0:
                return kind, over, goods, paid, declined

    def _tidy(self, st: State, seat: int, rng: Random) -> Action:
        """Choose how many cards go where by how many ways there are, then any cards."""
        limit = round_start.hand_limit(st, seat)
        ways: dict[tuple[int, ...], int] = {(): 1}
        for tuck in round_start.TUCKS:
            ways = {
                (*counts, count): before * self.ways(left, count)
                for counts, before in ways.items()
                for left in [len(st.hand[seat]) - sum(counts)]
                for count in range(min(left, tuck.most(st, seat)) + 1)
            }
        sizes: dict[tuple[int, ...], int] = {}
        for counts, before in ways.items():
            left = len(st.hand[seat]) - sum(counts)
            gone = max(0, left - limit)
            sizes[*counts, gone] = before * self.ways(left, gone)
        rest = list(range(len(st.hand[seat])))
        chosen: list[tuple[int, ...]] = []
        for count in rng.choices([*sizes], [*sizes.values()])[0]:
            chosen.append(chance.sample(rng, rest, count))
            rest = [place for place in rest if place not in chosen[-1]]
        return tuple(chosen) if any(chosen) else ()


def _offers(st: State, seat: int) -> Iterator[tuple[int, int, tuple[int, ...], int, int]]:
    """(kind, over, goods, declined, cards to pay) of everything the seat can build."""
    for kind in choices.buildable(st, seat):
        if not builder.may_build(st, seat, kind):
            continue
        rest = builder.payable_cards(st, seat, kind)
        for over in (EMPTY, *builder.coverable_plots(st, seat, kind)):
            plots = plots_of(builder.payable_goods(st, seat, over))
            for declined in range(1 << len(builder.discounts())):
                if builder.refuse_declined(st, seat, kind, over, declined):
                    continue
                price = builder.price(st, seat, kind, over, declined)
                for count in range(max(0, price - rest), min(2, price) + 1):
                    for goods in combinations(plots, count):
                        yield kind, over, goods, declined, price - count


class Bot(NamedTuple):
    """A way to play, what it is, the files it is written in and what is expected of it."""

    play: Callable[[State, Random], Action]
    what: str
    files: tuple[str | None, ...]
    bands: Bands

    @property
    def version(self) -> str:
        """A short hash of the program."""
        program = b"".join(Path(str(name)).read_bytes() for name in self.files)
        return sha256(program).hexdigest()[:8]


BOTS = {
    "greedy": Bot(
        lambda st, rng: greedy.choose(st, st.actor),
        f"the player {SanJuanRules.bot}",
        (greedy.__file__, mind.__file__),
        SENSIBLE,
    ),
    "plays": Bot(Uniform(comb), "every legal play equally likely", (__file__,), UNIFORM),
    "orders": Bot(
        Uniform(perm),
        "every legal play equally likely, its cards named in every order",
        (__file__,),
        UNIFORM,
    ),
    "kinds": Bot(
        chance.random_play,
        "kinds of answers about equally likely, as in the random tests",
        (chance.__file__,),
        UNIFORM,
    ),
}


def gold_mine(which: RuleSet) -> Fraction:
    """The chance that four cards of the full deck all cost different, by counting every way."""
    of_cost: Counter[int] = Counter()
    for name, (cost, _, copies) in which.cards.items():
        of_cost[cost] += copies if name != "cathedral" else 0
    ways = sum(prod(of_cost[cost] for cost in four) for four in combinations(of_cost, 4))
    return Fraction(ways, comb(of_cost.total(), 4))


def figures(
    which: RuleSet, seats: int, games: int, seed: int, play: Callable[[State, Random], Action]
) -> list[float]:
    """The means over so many games, each dealt from its own seed, in the order of COLUMNS."""
    sums = [0] * len(COLUMNS)
    for number in range(games):
        rng = Random(f"{seed} {which} {seats} {number}")
        game = deal(seats, rng, rules=which)
        state = game.state
        while not game.over:
            flow.apply(state, play(state, rng))
        scores = game.scores()
        best = max(score.points for score in scores)
        tied = sum(score.points == best for score in scores) > 1
        won = [score.wins for score in scores]
        for column, found in enumerate((state.round, best, won[0], tied, sum(won) > 1)):
            sums[column] += found
    return [total / games for total in sums]


def row(name: str, cells: Sequence[str]) -> str:
    """One line of a table."""
    return f"{name:42}" + "".join(f"{cell:>16}" for cell in cells)


def table(name: str, seats: int, games: int, seed: int) -> None:
    """Print how a bot's games go with so many seats: every rule set, then all together."""
    bot = BOTS[name]
    print(f"\n{name} ({bot.what}), version {bot.version}, seed {seed}, {seats} players")
    print(row("", COLUMNS))
    print(row("expected", bot.bands[seats]))
    rows = []
    for which in EVERY:
        rows.append(figures(which, seats, games, seed, bot.play))
        print(row(str(which), [f"{mean:.3f}" for mean in rows[-1]]), flush=True)
    means = [sum(column) / len(rows) for column in zip(*rows, strict=True)]
    print(row("all together", [f"{mean:.3f}" for mean in means]))
    errors = (sqrt(means[2] * (1 - means[2]) / count) for count in (games, games * len(rows)))
    print("standard error of seat 1: {:.3f} a row, {:.3f} all together".format(*errors), flush=True)


def main(games: str = "1000", seed: str = "1", *names: str) -> None:
    """Print everything."""
    for which, expected in ODDS.items():
        print(f"gold mine, {which}: {float(gold_mine(which)):.4f} (expected {expected})")
    print(f"{games} games a row")
    for name in names or BOTS:
        for seats in (2, 3, 4):
            table(name, seats, int(games), int(seed))


if __name__ == "__main__":
    main(*sys.argv[1:])
