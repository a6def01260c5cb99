"""Counts how often a game by email waits: `python -m tests.bench.waits [GAMES] [SEED]`.

A wait is a question for whose answer everything stands still. *One by one*: every seat is asked
when the one before has answered, so every question is one. *In parallel*: questions that are open
together are one wait. Means over so many games between greedy choosers.

Then the same with plans. All plan when the cards are dealt; then whoever is asked answers, and
plans by what the table's bot would write just then: `phases` all but turns (San Juan's roles);
`ahead 1` the next in turn plans its turn while the one before is asked; `ahead all` all plan their
turns when the first of a round is asked.
*Firm*: what was planned counts. *Guarded*: the seat is asked wherever it would now answer
otherwise. `same` is the share of planned answers which the seat would have given when asked,
`wins` the wins of one seat that plans firmly among others that do not, as a multiple of the fair
share.
"""

from __future__ import annotations

import sys
from random import Random
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


PHASES, AHEAD_1, AHEAD_ALL = "phases", "ahead 1", "ahead all"


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


def planned(rules: Rules, seats: int, seed: str, mode: str, firm: bool, one: bool) -> Planned:
    """Play a game with plans of all seats, or of `one` alone."""
    match = Match.deal(rules, NAMES[:seats], seed)
    plans = Planners(match, mode, {"ana"} if one else set(match.seats))
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
    for mode in (PHASES, AHEAD_1, AHEAD_ALL):
        found = {
            (firm, one): [
                planned(rules, seats, f"{seed} {game}", mode, firm, one) for game in range(games)
            ]
            for firm, one in ((True, False), (False, False), (True, True))
        }
        firm, guarded = (
            sum(game.waits for game in found[kind, False]) / games for kind in (True, False)
        )
        answers = sum(game.answers for game in found[True, False])
        same = sum(game.same for game in found[True, False]) / max(1, answers)
        wins = sum(("ana" in game.winners) / len(game.winners) for game in found[True, True])
        print(f"{name}, {seats} seats, {mode}".ljust(56), end="")
        print(f"{firm:12.1f}{guarded:12.1f}{same:8.2f}{wins * seats / games:8.2f}", flush=True)


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
    print(f"{'with plans':56}{'firm':>12}{'guarded':>12}{'same':>8}{'wins':>8}")
    for name, rules in SETS.items():
        for seats in rules.seats:
            if not rules.fits(seats):
                print_planned(name, rules, seats, games, seed)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
