"""Looking ahead in Xanadu: values that agree with the network, and turns that can be played."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from referee.games.search import OVER, WHOLE
from referee.games.xanadu import features, flow, greedy, options, outcome
from referee.games.xanadu.chance import random_play
from referee.games.xanadu.rules import RULES
from referee.games.xanadu.search import XanaduSearch, network
from referee.games.xanadu.state import NOTHING, TURN, State
from tests.bench.engine import shuffler
from tests.table.tables import NAMES

PLAIN = RULES.choose(None, [], [], {})
ADVANCED = RULES.choose(None, [], ["advanced"], {})
each_table = pytest.mark.parametrize(
    ("rules", "seats"), [(PLAIN, 2), (ADVANCED, 2), (PLAIN, 4), (PLAIN, 3)]
)


def states(rules: RULES, seats: int, seed: int = 1) -> Iterator[State]:
    """Every table of a game at which somebody is asked; half of the answers are any."""
    rng = Random(seed)
    search = XanaduSearch(rules.cards)
    st = rules.start(NAMES[:seats], shuffler(rng))[0].state
    while st.kind != NOTHING:
        yield st
        guess = rng.random() < 0.5
        flow.apply(st, search.guess(st, st.actor, 1) if guess else random_play(st, rng))


def sums(st: State) -> outcome.Outcome:
    """The network that a table is valued with."""
    seats = len(st.seats)
    return outcome.outcome(network(seats), st.cards, st.bonus, seats, st.many_builds)


@each_table
def test_a_table_is_worth_what_the_network_says_of_its_features(rules: RULES, seats: int) -> None:
    for st in states(rules, seats):
        if st.kind == TURN:
            for seat in range(seats):
                assert sums(st).table(st, seat) == network(seats).value(features.of(st, seat))


@each_table
def test_the_turns_looked_at_are_legal_and_none_comes_twice(rules: RULES, seats: int) -> None:
    for st in states(rules, seats, 2):
        found = XanaduSearch(rules.cards).candidates(st, st.actor, 7)
        assert 1 <= len(found) <= 7
        assert len(set(found)) == len(found)
        assert [flow.refuse(st, st.actor, action) for action in found] == [""] * len(found)


def test_a_turn_that_draws_nothing_is_worth_what_the_table_is_after_it() -> None:
    checked = 0
    for seed in range(4):
        for st in states(PLAIN, 2, seed):
            seat = st.actor
            if st.kind != TURN or len(st.hand[seat]) < 7 or sum(map(len, st.city)) < 2:
                continue
            look = options.Options(st, seat, sums(st), options.QUICK)
            for at in look.mine:
                then = st.copy()
                flow.apply(then, ((look.spots[at][1],), ()))
                if then.kind == TURN:
                    expected = outcome.hope(sums(then).table(then, seat))
                    assert look.weigh(((at,), look.none, ())) == expected
                    checked += 1
    assert checked


def test_at_a_large_table_all_play_as_the_greedy_player() -> None:
    search = XanaduSearch(PLAIN.cards)
    for st in states(PLAIN, 5):
        assert search.candidates(st, st.actor, 6) == [greedy.choose(st, st.actor)]
        assert 0 <= search.value(st, st.actor) <= WHOLE
        if st.round > 2:
            return


def test_nobody_passes_where_that_brings_nothing() -> None:
    for st in states(PLAIN, 2, 5):
        if st.kind == TURN and len(st.hand[st.actor]) == 7:
            found = XanaduSearch(PLAIN.cards).candidates(st, st.actor, 50)
            assert () not in found


def test_the_end_is_worth_most_to_whoever_has_won() -> None:
    for st in states(PLAIN, 3):
        last = st
    search = XanaduSearch(PLAIN.cards)
    assert search.asked(last) == OVER
    values = [search.value(last, seat) for seat in range(3)]
    assert values.index(max(values)) == last.coins.index(max(last.coins))
    assert max(values) > 3 * WHOLE // 4
    last.coins = [9, 9, 4]
    first, second, third = (search.value(last, seat) for seat in range(3))
    assert first == second == (7 * WHOLE // 2 + WHOLE // 2) // 8
    assert third < WHOLE // 8
