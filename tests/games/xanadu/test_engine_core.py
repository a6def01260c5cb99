"""The core's promises: copies are independent, and every way of playing comes out equal."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from referee.games.values import Shuffle, Shuffled, letter
from referee.games.xanadu import ending, flow, plays, table
from referee.games.xanadu.chance import random_play
from referee.games.xanadu.choices import legal_actions
from referee.games.xanadu.game import Xanadu
from referee.games.xanadu.rules import RULES
from referee.games.xanadu.state import NOTHING, State
from tests.games import cores
from tests.games.cores import Core, lettered, shuffler
from tests.games.xanadu.randomly import KINDS, SEATS


def deal(kind: tuple[int, bool], seed: int) -> Xanadu:
    """A new game."""
    count, advanced = kind
    rules = RULES.choose(None, [], ["advanced"] if advanced else [], {})
    return rules.start(SEATS[:count], shuffler(seed))[0]


def _strange(st: State, seat: int, rng: Random) -> flow.Action:
    """An action of the right shape, most often illegal."""
    held = len(st.hand[seat]) + 1
    if flow.is_opening(st):
        return tuple(rng.randrange(held) for _ in range(rng.randrange(3)))
    steps: list[tuple[int, ...]] = []
    for _ in range(rng.randrange(5)):
        if rng.random() < 0.3:
            steps.append((rng.randrange(held),))
        else:
            owner = rng.randrange(len(st.seats))
            steps.append((rng.randrange(held), owner, rng.randrange(1, st.plots_used[owner] + 2)))
    some = range(1, st.plots_used[seat] + 2)
    sells = tuple(sorted(rng.sample(some, min(len(some), rng.randrange(3)))))
    return sells, tuple(steps)


CORE = Core(flow, plays, NOTHING, ending.scores, random_play, legal_actions, _strange)


@pytest.mark.parametrize("kind", KINDS)
def test_copies_share_nothing(kind: tuple[int, bool]) -> None:
    for seed in range(3):
        cores.copies_share_nothing(CORE, deal(kind, seed).state, Random(seed))


@pytest.mark.parametrize("kind", KINDS)
def test_take_equals_the_core_with_and_without_listeners(kind: tuple[int, bool]) -> None:
    for seed in range(4):
        cores.take_equals_the_core(CORE, deal(kind, seed), Random(seed))


@pytest.mark.parametrize("kind", KINDS)
def test_a_view_judges_as_the_state_does(kind: tuple[int, bool]) -> None:
    cores.a_view_judges_as_the_state_does(CORE, deal(kind, 3), Random(3))


@pytest.mark.parametrize("kind", KINDS)
def test_the_table_reads_back_as_it_was_written(kind: tuple[int, bool]) -> None:
    rng = Random(3)
    game = deal(kind, 3)
    while not game.over:
        seen = game.table()
        for seat, name in enumerate(game.state.seats):
            hand = lettered(game, seat, rng)
            view: Any = game.rules.view(game.state.seats, seen, name, hand)
            assert table.write(view.state) == seen
        CORE.step(game.state, rng)


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_deal_and_plays_give_the_same_game(kind: tuple[int, bool]) -> None:
    ends = [CORE.end(deal(kind, 7).state, Random(7)) for _ in range(2)]
    assert ends[0] == ends[1]


@pytest.mark.parametrize("kind", KINDS)
def test_decision_ids_are_unique(kind: tuple[int, bool]) -> None:
    rng = Random(4)
    for seed in range(5):
        game = deal(kind, seed)
        seen: set[str] = set()
        while not game.over:
            decision = game.decisions()[0]
            assert decision.id not in seen
            assert decision.kind in game.rules.kinds
            seen.add(decision.id)
            flow.apply(game.state, random_play(game.state, rng))


@pytest.mark.parametrize("kind", KINDS)
def test_every_shuffle_is_told(kind: tuple[int, bool]) -> None:
    """The log says of each shuffle the pile, epoch and size for which the protocol was asked."""
    rng = Random(8)
    for seed in range(5):
        order = shuffler(seed)
        asked: list[Shuffled] = []

        def record(
            pile: str,
            epoch: int,
            cards: Sequence[int],
            order: Shuffle = order,
            asked: list[Shuffled] = asked,
        ) -> Sequence[int]:
            asked.append(Shuffled(pile, epoch, len(cards)))
            return order(pile, epoch, cards)

        rules = RULES.choose(None, [], ["advanced"] if kind[1] else [], {})
        game, events = rules.start(SEATS[: kind[0]], record)
        told = [event for event in events if isinstance(event, Shuffled)]
        while not game.over:
            state = game.state
            letters = [letter(place) for place in range(len(state.hand[state.actor]))]
            text = plays.render(state, state.actor, random_play(state, rng), letters)
            events = game.take(game.decisions()[0].id, text, letters)
            told += [event for event in events if isinstance(event, Shuffled)]
        assert told == asked
        assert all(score.tie == 0 for score in game.scores())
