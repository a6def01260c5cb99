"""schemas/GREEDY.md says what `greedy-1` plays: compared in games of every rule set."""

from __future__ import annotations

from functools import partial
from random import Random
from typing import Any

import pytest

from referee.games import rules_of
from referee.games.interface import Rules
from tests.games.randomly import Asked, shuffle_with
from tests.games.sanjuan import plain_greedy as plain_sanjuan
from tests.games.sanjuan.plain_rules import Seen
from tests.games.sanjuan.rule_sets import EVERY, RuleSet
from tests.games.xanadu import plain_greedy as plain_xanadu
from tests.once import once
from tests.table.tables import NAMES


def disagreements(
    rules: Rules, seats: int, seed: str, answer: Any, first: str = ""
) -> tuple[list[str], set[str]]:
    """Return where the page plays otherwise, in a game in which one in four answers is any.

    `first` is what is played in the turns of the first round.
    """
    rng = Random(seed)
    game: Any = rules.start(NAMES[:seats], shuffle_with(rng, rules))[0]
    wrong, kinds = [], set()
    while not game.over:
        one: Asked[Any] = Asked(game, rng)
        view = one.view()
        ours, page = view.suggest(), answer(game.table(), one.seat, one.hand, one.kind)
        kinds.add(one.kind)
        if ours != page:
            wrong.append(f"{one.decision.id}: {ours!r}, by the page {page!r}")
        some = view.plays(30) if rng.random() < 0.25 else None
        if first and one.kind == "turn" and game.table()["round"] == 1:
            some = [first]
        one.take(rng.choice(some) if some else ours)
    return wrong, kinds


@once
def san_juan(rule_set: RuleSet) -> tuple[list[str], set[str]]:
    def answer(table: Any, *asked: Any) -> str:
        return plain_sanjuan.answer(Seen(rule_set, table), *asked)

    found = [
        disagreements(rule_set.rules, seats, f"{rule_set} {seats}", answer) for seats in (2, 4)
    ]
    return [text for wrong, _ in found for text in wrong], set().union(*(k for _, k in found))


@pytest.mark.parametrize("rule_set", EVERY, ids=str)
def test_san_juan(rule_set: RuleSet) -> None:
    assert san_juan(rule_set)[0] == []


def test_every_question_of_san_juan_was_put() -> None:
    kinds = set().union(*(san_juan(rule_set)[1] for rule_set in EVERY))
    assert kinds == set(rules_of("sanjuan").kinds)


def opening(rules: Rules, seats: int) -> tuple[str, ...]:
    game: Any = rules.start(NAMES[:seats], shuffle_with(Random(0), rules))[0]
    may: tuple[str, ...] = game.decisions()[0].may
    return may


@pytest.mark.parametrize("advanced", [False, True])
@pytest.mark.parametrize("seats", [2, 4, 6])
def test_xanadu(seats: int, advanced: bool) -> None:
    rules = rules_of("xanadu").choose(None, [], ["advanced"] if advanced else [], {})
    if rules.fits(seats):
        pytest.skip("the advanced game is for four at most")
    answer = partial(plain_xanadu.answer, advanced=advanced)
    # If all sell what they began with, all begin anew, and the last turn goes on.
    first = "sell 1 2" if "open LETTER LETTER" in opening(rules, seats) else "sell 1"
    wrong, kinds = disagreements(rules, seats, f"{seats} {advanced}", answer, first)
    assert wrong == []
    assert kinds == set(rules.kinds)
