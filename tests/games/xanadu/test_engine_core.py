"""What the flat core promises: copies are independent, and every way of playing comes out equal."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from referee.games.interface import Event, Held, Shuffle, Shuffled, letter
from referee.games.xanadu import ending, flow, plays, table
from referee.games.xanadu.chance import random_play
from referee.games.xanadu.choices import every
from referee.games.xanadu.game import Xanadu
from referee.games.xanadu.rules import RULES
from referee.games.xanadu.state import NOTHING, State
from tests.games.xanadu.randomly import KINDS, SEATS


def shuffler(seed: int) -> Shuffle:
    """A shuffle that depends on the seed and the epoch alone, so that twins draw alike."""

    def shuffle(pile: str, epoch: int, cards: Sequence[int]) -> Sequence[int]:
        order = sorted(cards)
        Random(f"{seed} {pile} {epoch}").shuffle(order)
        return order

    return shuffle


def deal(kind: tuple[int, bool], seed: int) -> Xanadu:
    """A new game."""
    count, advanced = kind
    rules = RULES.choose(None, [], ["advanced"] if advanced else [], {})
    return rules.start(SEATS[:count], shuffler(seed))[0]


def everything(st: State) -> dict[str, Any]:
    """All that a state holds, but for what it shares."""
    shared = ("cards", "shuffle", "log")
    return {name: getattr(st, name) for name in State.__slots__ if name not in shared}


def frozen(st: State) -> str:
    """All that a state holds, as a text."""
    return repr(everything(st))


@pytest.mark.parametrize("kind", KINDS)
def test_copies_share_nothing(kind: tuple[int, bool]) -> None:
    rng = Random(1)
    for seed in range(3):
        st = deal(kind, seed).state
        while st.kind != NOTHING:
            before = frozen(st)
            twin = st.copy()
            assert frozen(twin) == before
            for name, value in everything(st).items():
                mine = getattr(twin, name)
                if isinstance(value, list):
                    assert mine is not value
                    assert not any(
                        isinstance(inner, list | dict) and inner is value[index]
                        for index, inner in enumerate(mine)
                    )
            for _ in range(3):
                if twin.kind != NOTHING:
                    flow.apply(twin, random_play(twin, rng))
            assert frozen(st) == before
            flow.apply(st, random_play(st, rng))


@pytest.mark.parametrize("kind", KINDS)
def test_take_equals_the_core_with_and_without_listeners(kind: tuple[int, bool]) -> None:
    rng = Random(2)
    for seed in range(4):
        game = deal(kind, seed)
        core = game.state.copy()
        while not game.over:
            action = random_play(core, rng)
            letters = [letter(place) for place in range(len(core.hand[core.actor]))]
            rng.shuffle(letters)
            text = plays.render(core, core.actor, action, letters)
            assert plays.parse(core, core.actor, text, letters) == action
            events: list[Event] = game.take(game.decisions()[0].id, text, letters)
            flow.apply(core, action)
            assert frozen(core) == frozen(game.state)
            assert core.log is None
            assert all(len(event) > 0 for event in events)
        assert ending.scores(core) == game.scores()


@pytest.mark.parametrize("kind", KINDS)
def test_a_view_judges_as_the_state_does_and_its_table_reads_back(kind: tuple[int, bool]) -> None:
    rng = Random(3)
    game = deal(kind, 3)
    st = game.state
    while not game.over:
        seen = game.table()
        for decision in game.decisions():
            seat = SEATS.index(decision.seat)
            letters = [letter(place) for place in range(len(st.hand[seat]))]
            rng.shuffle(letters)
            hand = [
                Held(text, st.cards.names[card])
                for text, card in zip(letters, st.hand[seat], strict=True)
            ]
            view = game.rules.view(st.seats, seen, decision.seat, hand)
            assert view.decision == decision
            assert table.write(view.state) == seen
            known = every(st, seat, 200)
            assert view.plays(200) == (
                None
                if known is None
                else [plays.render(st, seat, action, letters) for action in known]
            )
            for _ in range(10):
                strange = _strange(st, seat, rng)
                assert flow.refuse(view.state, seat, strange) == flow.refuse(st, seat, strange)
        flow.apply(st, random_play(st, rng))


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
            steps.append((rng.randrange(held), owner, rng.randrange(1, st.laid[owner] + 2)))
    some = range(1, st.laid[seat] + 2)
    sells = tuple(sorted(rng.sample(some, min(len(some), rng.randrange(3)))))
    return sells, tuple(steps)


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_deal_and_plays_give_the_same_game(kind: tuple[int, bool]) -> None:
    ends = []
    for _ in range(2):
        rng = Random(7)
        st = deal(kind, 7).state
        while st.kind != NOTHING:
            flow.apply(st, random_play(st, rng))
        ends.append(frozen(st))
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
    """What the protocol is asked to shuffle is what the log says, pile, epoch and size."""
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
