"""The core's promises: copies are independent, and every way of playing comes out equal."""

from __future__ import annotations

from random import Random

import pytest

from referee.games.sanjuan import flow, plays, roles, scoring, table
from referee.games.sanjuan.cards import NAMES
from referee.games.sanjuan.chance import random_play
from referee.games.sanjuan.choices import legal_actions
from referee.games.sanjuan.game import SanJuan
from referee.games.sanjuan.rules import RULES
from referee.games.sanjuan.state import FREE_BUILD, NOTHING, State
from referee.games.values import Held
from tests.games import cores
from tests.games.cores import Core, shuffler
from tests.games.sanjuan.rule_sets import EVERY

SEATS = ("ana", "ben", "cleo", "dan")
SETS = [which.rules for which in EVERY]


def deal(seats: int, seed: int, which: int = 0) -> SanJuan:
    """A new game of one of all rule sets; the first is that of the 2014 edition."""
    return SETS[which % len(SETS)].start(SEATS[:seats], shuffler(seed))[0]


def _strange(st: State, seat: int, rng: Random) -> flow.Action:
    """An action of the right shape, most often illegal."""

    def few(below: int) -> tuple[int, ...]:
        return tuple(sorted(rng.sample(range(below), min(below, rng.randrange(4)))))

    held, plots = len(st.hand[seat]), len(st.city[seat])
    kind = plays.GRAMMAR[st.kind][0][0]
    if kind == "role":
        event = rng.choice([*roles.open_events(st), -1, rng.randrange(6)])
        return rng.randrange(-1, 5), rng.random() < 0.5, event
    if kind == "build":
        if st.kind == FREE_BUILD:
            return (rng.randrange(len(NAMES)),)
        over = rng.randrange(-1, plots + 1)
        return rng.randrange(len(NAMES)), over, few(plots), few(held), rng.randrange(8)
    if kind == "take":
        return (rng.randrange(len(NAMES)),)
    if kind == "chapel":
        return few(held)[:1], few(held), few(held)
    return few(plots if kind in ("produce", "sell", "lose") else held)


CORE = Core(flow, plays, NOTHING, scoring.scores, random_play, legal_actions, _strange)


each_set = pytest.mark.parametrize("number", range(len(SETS)), ids=map(str, EVERY))


def game_of(number: int) -> tuple[SanJuan, Random]:
    """A game of a rule set, for two, three or four, and chance to play it."""
    return deal(2 + number % 3, number, number), Random(number)


@each_set
def test_copies_share_nothing(number: int) -> None:
    game, rng = game_of(number)
    cores.copies_share_nothing(CORE, game.state, rng)


@each_set
def test_take_equals_the_core_with_and_without_listeners(number: int) -> None:
    cores.take_equals_the_core(CORE, *game_of(number))


@each_set
def test_a_view_judges_as_the_state_does(number: int) -> None:
    cores.a_view_judges_as_the_state_does(CORE, *game_of(number))


@each_set
def test_the_table_reads_back_as_it_was_written(number: int) -> None:
    game, rng = game_of(number)
    st = game.state
    while not game.over:
        written = game.table()
        for seat, name in enumerate(st.seats):
            hand = [Held("a", st.cards.name(card)) for card in st.hand[seat]]
            again = table.read(st.cards, st.seats, written, name, hand)
            # Whether seats are asked one by one is no matter of a single seat's view.
            again.serial = st.serial
            assert table.write(again) == written
        flow.apply(st, random_play(st, rng))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_same_deal_and_plays_give_the_same_game(seats: int) -> None:
    ends = [CORE.end(deal(seats, 7, 7).state, Random(7)) for _ in range(2)]
    assert ends[0] == ends[1]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_round_limit_ends_the_game(seats: int) -> None:
    """After the last round the game is scored as it stands (G7)."""
    rng = Random(seats)
    game, _ = RULES.choose(None, [], [], {"round_limit": "3"}).start(SEATS[:seats], shuffler(1))
    assert isinstance(game, SanJuan)
    while not game.over:
        flow.apply(game.state, random_play(game.state, rng))
    assert game.table()["round"] == 3
    assert game.decisions() == []
    assert any(score.wins for score in game.scores())
