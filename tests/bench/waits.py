"""Counts how often a game by email waits: `python -m tests.bench.waits [GAMES] [SEED]`, and what
planning costs: `python -m tests.bench.waits wins [SECONDS]`.

A wait is a question for whose answer everything stands still. *One by one*: every seat is asked
when the one before has answered, so every question is one. *In parallel*: questions that are open
together are one wait. Means over so many games between greedy choosers.

Then the same with plans. All plan when the cards are dealt; then whoever is asked answers, and
plans by what the table's bot would write just then: `phases` all but turns (San Juan's roles);
`ahead 1` the next in turn plans its turn while the one before is asked; `ahead all` all plan their
turns when the first of a round is asked.
*Firm*: what was planned counts. *Guarded*: the seat is asked wherever it would now answer
otherwise. `same` is the share of planned answers which the seat would have given when asked.

`wins` plays games in pairs, from the same deal: one seat plans firmly among others that do not, and
then does not either. It prints by how much of a game it wins less often, with an interval of 95 %.

Measured with greedy-1 (60 games of the first three rows, 6 of the others, so these say little):

                                  firm  guarded   same
    sanjuan 2014, 4   phases      49.8     52.2   0.98     of 131 asked in parallel
                      ahead 1     25.3     28.4   0.98
                      ahead all   13.3     17.6   0.97
    sanjuan 2014, 3   phases      44.3     46.0   0.98
                      ahead 1     25.0     26.0   0.95
                      ahead all   16.7     19.8   0.96
    sanjuan 2014, 2   phases      37.3     38.0   0.98
                      ahead 1     20.5     21.5   0.96
    sanjuan 2004, 3   phases      42.7     44.2   0.99
                      ahead 1     21.3     24.7   0.97
    sanjuan 2004, 2   phases      40.0     39.0   0.99
                      ahead 1     18.8     21.7   0.96
    xanadu, 4         phases      29.5     29.5   1.00     nothing but turns is asked
                      ahead 1     15.2     16.3   0.90
                      ahead all    8.0      9.5   0.92

A seat that plans its phases in San Juan 2014 with four wins by -0.004 +- 0.016 less (801 pairs).
"""

from __future__ import annotations

import sys
from random import Random
from statistics import mean, stdev
from time import process_time
from typing import NamedTuple

from referee.games import rules_of
from referee.games.interface import Rules, View
from referee.games.match import Match
from referee.games.plans import language_of
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
    """The number of waits in a game, asked one by one and in parallel."""

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


MODES = PHASES, AHEAD_1, AHEAD_ALL = "phases", "ahead 1", "ahead all"
WIDE = 56


class Planned(NamedTuple):
    """A game with plans: its waits, how many answers plans gave, how many of them late ones would
    have been, and who has won."""

    waits: int
    answers: int
    same: int
    winners: list[str]


class Planners:
    """The seats of a match that plan, and what they have planned."""

    def __init__(self, match: Match, mode: str, seats: set[str]) -> None:
        self.match = match
        self.language = language_of(match.rules, match.seats)
        self.turn = self.language.turn_kind
        self._mode = mode
        self._seats = seats
        self._phases = {seat: self._suggested(seat) for seat in seats}
        self._turns: dict[str, list[str]] = {}

    def answer(self, view: View) -> str:
        """Return what the plan of a seat answers, or nothing."""
        assert view.decision is not None
        mine = self._turns if view.decision.kind == self.turn else self._phases
        clauses = mine.get(view.decision.seat, [])
        if mine is self._turns:
            mine.pop(view.decision.seat, None)
        return self.language.evaluate(clauses, view) or ""

    def write(self, asked: str, turn: bool) -> None:
        """Let a seat plan that is asked, and others who plan their turns meanwhile."""
        if asked in self._seats:
            self._phases[asked] = self._suggested(asked)
        after = self.match.rules.next_turns(self.match.game.table())
        many = {PHASES: 0, AHEAD_1: 1, AHEAD_ALL: len(after)}[self._mode]
        for seat in after[:many] if turn else ():
            if seat in self._seats and seat not in self._turns:
                self._phases[seat] = self._turns[seat] = self._suggested(seat)

    def _suggested(self, seat: str) -> list[str]:
        return self.language.suggest(self.match.view(seat))


def planned(
    rules: Rules, seats: int, seed: str, mode: str, firm: bool, who: set[str] | None = None
) -> Planned:
    """Play a game with plans of all seats, or of those alone."""
    match = Match.deal(rules, NAMES[:seats], seed)
    plans = Planners(match, mode, set(match.seats) if who is None else who)
    waits = answers = same = 0
    while batch := match.game.decisions():
        asked = []
        for decision in batch:
            view = match.view(decision.seat)
            late, early = view.suggest(), plans.answer(view)
            used = bool(early) and (firm or early == late)
            answers, same = answers + used, same + (used and early == late)
            match.waiting[decision.id] = early if used else late
            if not used:
                asked.append(decision)
        waits += bool(asked)
        for decision in asked:
            plans.write(decision.seat, decision.kind == plans.turn)
        for decision in batch:
            match._take(decision)
    won = [score.seat for score in match.scores() if score.wins]
    return Planned(waits, answers, same, won)


def print_planned(name: str, rules: Rules, seats: int, games: int, seed: int) -> None:
    """Print the rows of a rule set with plans."""
    for mode in MODES:
        found = {
            firm: [planned(rules, seats, f"{seed} {game}", mode, firm) for game in range(games)]
            for firm in (True, False)
        }
        firm, guarded = (sum(game.waits for game in found[kind]) / games for kind in (True, False))
        answers = sum(game.answers for game in found[True])
        same = sum(game.same for game in found[True]) / max(1, answers)
        print(f"{name}, {seats} seats, {mode}".ljust(WIDE), end="")
        print(f"{firm:12.1f}{guarded:12.1f}{same:8.3f}", flush=True)


def price(rules: Rules, seats: int, mode: str, seconds: float) -> None:
    """Print what a seat loses by planning, of as many pairs of games as fit into the time."""
    costs: list[float] = []
    begun = process_time()
    while process_time() < begun + seconds or len(costs) < 2:
        seed = f"price {len(costs)}"
        # The seats take turns, for where one sits counts too.
        seat = NAMES[len(costs) % seats]
        shares = []
        for planners in ({seat}, set()):
            won = planned(rules, seats, seed, mode, True, planners).winners
            shares.append((seat in won) / len(won))
        costs.append(shares[1] - shares[0])
    half = 1.96 * stdev(costs) / len(costs) ** 0.5
    print(f"{mean(costs):12.3f} +- {half:.3f} of {len(costs)} games", flush=True)


def main_wins(seconds: float = 600) -> None:
    """Print a row for each way to plan, San Juan 2014 and Xanadu with four seats."""
    for name in ("sanjuan 2014", "xanadu"):
        for mode in MODES:
            print(f"{name}, 4 seats, {mode}".ljust(WIDE), end="")
            price(SETS[name], 4, mode, seconds / 6)


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
    print(f"{'with plans':56}{'firm':>12}{'guarded':>12}{'same':>8}")
    for name, rules in SETS.items():
        for seats in rules.seats:
            if not rules.fits(seats):
                print_planned(name, rules, seats, games, seed)


if __name__ == "__main__":
    if sys.argv[1:2] == ["wins"]:
        main_wins(*map(float, sys.argv[2:]))
    else:
        main(*map(int, sys.argv[1:]))
