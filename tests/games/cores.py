"""The promises of flat cores: copies are independent, and all ways of playing come out equal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, NamedTuple, Protocol

from referee.games.flat import Action, FlatGame
from referee.games.values import Held, Score, Shuffle, letter


class Flow(Protocol):
    """The part of a game's module `flow` that is needed here."""

    def apply(self, st: Any, action: Action) -> object: ...

    def refuse(self, st: Any, seat: int, action: Action) -> str: ...


class Plays(Protocol):
    """The part of a game's module `plays` that is needed here."""

    def render(self, st: Any, seat: int, action: Any, letters: Sequence[str]) -> str: ...

    def parse(self, st: Any, seat: int, text: str, letters: Sequence[str]) -> Any: ...


class Core(NamedTuple):
    """The parts of one game's core."""

    flow: Flow
    plays: Plays
    over: int
    """The kind of a state in which nobody is asked any more."""
    scores: Callable[[Any], Sequence[Score]]
    random_play: Callable[[Any, Random], Action]
    every: Callable[[Any, int, int], Sequence[Action] | None]
    strange: Callable[[Any, int, Random], Action]
    """An action of the right shape, most often illegal."""

    def step(self, st: Any, rng: Random) -> None:
        """A random play."""
        self.flow.apply(st, self.random_play(st, rng))

    def end(self, st: Any, rng: Random) -> str:
        """Play on at random, and return the end of the game."""
        while st.kind != self.over:
            self.step(st, rng)
        return frozen(st)


def shuffler(seed: int) -> Shuffle:
    """A shuffle that depends on the seed and the epoch alone, so that twins draw alike."""

    def shuffle(pile: str, epoch: int, cards: Sequence[int]) -> Sequence[int]:
        order = sorted(cards)
        Random(f"{seed} {pile} {epoch}").shuffle(order)
        return order

    return shuffle


def everything(st: Any) -> dict[str, Any]:
    """All that a state holds, but for what it shares."""
    shared = ("cards", "shuffle", "log")
    return {name: getattr(st, name) for name in st.__slots__ if name not in shared}


def frozen(st: Any) -> str:
    """All that a state holds, as a text."""
    return repr(everything(st))


def lettered(game: FlatGame[Any], seat: int, rng: Random) -> list[Held]:
    """The hand of a seat under letters in any order."""
    hand = game.state.hand[seat]
    letters = [letter(place) for place in range(len(hand))]
    rng.shuffle(letters)
    names = [game.rules.card_name("deck", card) for card in hand]
    return [Held(*pair) for pair in zip(letters, names, strict=True)]


def copies_share_nothing(core: Core, st: Any, rng: Random) -> None:
    """At every moment of a game a copy is equal, and what becomes of it does not matter."""
    while st.kind != core.over:
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
            if twin.kind != core.over:
                core.step(twin, rng)
        assert frozen(st) == before
        core.step(st, rng)


def take_equals_the_core(core: Core, game: FlatGame[Any], rng: Random) -> None:
    """Plays as texts, told to listeners, do what the actions do without any."""
    st = game.state.copy()
    while not game.over:
        action = core.random_play(st, rng)
        letters = [held.letter for held in lettered(game, st.actor, rng)]
        text = core.plays.render(st, st.actor, action, letters)
        assert core.plays.parse(st, st.actor, text, letters) == action
        events = game.take(game.decisions()[0].id, text, letters)
        core.flow.apply(st, action)
        assert frozen(st) == frozen(game.state)
        assert st.log is None
        assert all(len(event) > 0 for event in events)
    assert core.scores(st) == game.scores()


def a_view_judges_as_the_state_does(core: Core, game: FlatGame[Any], rng: Random) -> None:
    """A player who only sees the table and an own hand finds the same plays legal."""
    st = game.state
    while not game.over:
        seen = game.table()
        for decision in game.decisions():
            seat = st.seats.index(decision.seat)
            hand = lettered(game, seat, rng)
            letters = [held.letter for held in hand]
            view: Any = game.rules.view(st.seats, seen, decision.seat, hand)
            assert view.decision == decision
            known = core.every(st, seat, 200)
            assert view.plays(200) == (
                None
                if known is None
                else [core.plays.render(st, seat, action, letters) for action in known]
            )
            for _ in range(10):
                strange = core.strange(st, seat, rng)
                said = core.flow.refuse(st, seat, strange)
                assert core.flow.refuse(view.state, seat, strange) == said
        core.step(st, rng)
