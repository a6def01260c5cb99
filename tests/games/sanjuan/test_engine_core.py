"""What the flat core promises: copies are independent, and every way of playing comes out equal."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from referee.games.interface import Event, Held, Shuffle, letter
from referee.games.sanjuan import flow, plays, roles, scoring, table
from referee.games.sanjuan.cards import NAMES
from referee.games.sanjuan.chance import random_play
from referee.games.sanjuan.choices import every
from referee.games.sanjuan.game import SanJuan
from referee.games.sanjuan.rules import RULES
from referee.games.sanjuan.state import FREE_BUILD, NOTHING, State
from tests.games.sanjuan.rule_sets import EVERY

SEATS = ("ana", "ben", "cleo", "dan")
SETS = [which.rules for which in EVERY]


def shuffler(seed: int) -> Shuffle:
    """A shuffle that depends on the seed and the epoch alone, so that twins draw alike."""

    def shuffle(pile: str, epoch: int, cards: Sequence[int]) -> Sequence[int]:
        order = sorted(cards)
        Random(f"{seed} {pile} {epoch}").shuffle(order)
        return order

    return shuffle


def deal(seats: int, seed: int, which: int = 0) -> SanJuan:
    """A new game of one of all rule sets; the first is that of the 2014 edition."""
    return SETS[which % len(SETS)].start(SEATS[:seats], shuffler(seed))[0]


def everything(st: State) -> dict[str, Any]:
    """All that a state holds, but for what it shares."""
    shared = ("cards", "shuffle", "log")
    return {name: getattr(st, name) for name in State.__slots__ if name not in shared}


def frozen(st: State) -> str:
    """All that a state holds, as a text."""
    return repr(everything(st))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_copies_share_nothing(seats: int) -> None:
    rng = Random(seats)
    for seed in range(len(SETS)):
        st = deal(seats, seed, seed).state
        while st.kind != NOTHING:
            before = frozen(st)
            twin = st.copy()
            assert frozen(twin) == before
            for name, value in everything(st).items():
                mine = getattr(twin, name)
                if isinstance(value, list):
                    assert mine is not value
                    assert not any(
                        isinstance(inner, list) and inner is value[index]
                        for index, inner in enumerate(mine)
                    )
            for _ in range(3):
                if twin.kind != NOTHING:
                    flow.apply(twin, random_play(twin, rng))
            assert frozen(st) == before
            flow.apply(st, random_play(st, rng))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_take_equals_the_core_with_and_without_listeners(seats: int) -> None:
    rng = Random(seats)
    for seed in range(len(SETS)):
        game = deal(seats, seed, seed)
        core = game.state.copy()
        while not game.over:
            action = random_play(core, rng)
            letters = [letter(place) for place in range(len(core.hand[core.actor]))]
            rng.shuffle(letters)
            text = plays.render(core, core.actor, action, letters)
            events: list[Event] = game.take(game.decisions()[0].id, text, letters)
            flow.apply(core, action)
            assert frozen(core) == frozen(game.state)
            assert core.log is None
            assert all(len(event) > 0 for event in events)
        assert scoring.scores(core) == game.scores()


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_view_judges_as_the_state_does(seats: int) -> None:
    rng = Random(seats)
    for seed in range(len(SETS)):
        game = deal(seats, seed, seed)
        st = game.state
        while not game.over:
            seen = game.table()
            for decision in game.decisions():
                seat = SEATS.index(decision.seat)
                letters = [letter(place) for place in range(len(st.hand[seat]))]
                rng.shuffle(letters)
                hand = [
                    Held(text, st.cards.name(card))
                    for text, card in zip(letters, st.hand[seat], strict=True)
                ]
                view = game.rules.view(SEATS[:seats], seen, decision.seat, hand)
                assert view.decision == decision
                known = every(st, seat, 200)
                assert view.plays(200) == (
                    None
                    if known is None
                    else [plays.render(st, seat, action, letters) for action in known]
                )
                for _ in range(5):
                    strange = _strange(st, seat, rng)
                    assert flow.refuse(view.state, seat, strange) == flow.refuse(st, seat, strange)
            flow.apply(st, random_play(st, rng))


def _strange(st: State, seat: int, rng: Random) -> flow.Action:
    """An action of the right shape, most often illegal."""

    def few(below: int) -> tuple[int, ...]:
        return tuple(sorted(rng.sample(range(below), min(below, rng.randrange(4)))))

    held, plots = len(st.hand[seat]), len(st.city[seat])
    kind = plays.GRAMMAR[st.kind][0][0]
    if kind == "role":
        event = rng.choice([*roles.face_up(st), -1, rng.randrange(6)])
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


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_table_reads_back_as_it_was_written(seats: int) -> None:
    rng = Random(seats)
    for seed in range(len(SETS)):
        game = deal(seats, seed, seed)
        st = game.state
        while not game.over:
            written = game.table()
            for seat in range(seats):
                hand = [Held("a", st.cards.name(card)) for card in st.hand[seat]]
                again = table.read(st.cards, st.seats, written, st.seats[seat], hand)
                # Whether seats are asked one by one is no matter of a single seat's view.
                again.serial = st.serial
                assert table.write(again) == written
            flow.apply(st, random_play(st, rng))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_same_deal_and_plays_give_the_same_game(seats: int) -> None:
    ends = []
    for _ in range(2):
        rng = Random(7)
        st = deal(seats, 7, 7).state
        while st.kind != NOTHING:
            flow.apply(st, random_play(st, rng))
        ends.append(frozen(st))
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
