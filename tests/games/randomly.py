"""Shared by random games: a shuffle from a seed, a question as it would be sent."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, Generic, TypeVar

from referee.games.errors import Illegal, NotUnderstood
from referee.games.flat import FlatGame
from referee.games.interface import Rules, View
from referee.games.values import Decision, Event, Held, Shuffle, letter

G = TypeVar("G", bound=FlatGame[Any])


def shuffle_with(rng: Random, rules: Rules) -> Shuffle:
    """A shuffle from a seed; the numbers that the engine gives to cards make no difference."""

    def shuffle(pile: str, epoch: int, cards: Sequence[int]) -> Sequence[int]:
        return rng.sample(sorted(cards, key=lambda card: rules.card_name(pile, card)), len(cards))

    return shuffle


class Asked(Generic[G]):
    """An open decision with its letters: what a referee would send and get."""

    def __init__(self, game: G, rng: Random) -> None:
        self.game = game
        self.rng = rng
        self.decision: Decision = game.decisions()[0]
        self.seat = self.decision.seat
        self.kind = self.decision.kind
        cards = game.hand(self.seat)
        self.letters = [letter(index) for index in range(len(cards))]
        rng.shuffle(self.letters)
        names = [game.rules.card_name("deck", card) for card in cards]
        self.hand = [Held(*pair) for pair in zip(self.letters, names, strict=True)]

    def view(self) -> View:
        """The view of the seat."""
        game = self.game
        return game.rules.view(game.state.seats, game.table(), self.seat, self.hand)

    def take(self, play: str) -> list[Event]:
        """Answer the decision."""
        return self.game.take(self.decision.id, play, self.letters)


def perft(game: FlatGame[Any], depth: int) -> list[int]:
    """The numbers of ways in which the next answer can go, the next two, and so on to `depth`."""
    if game.over:
        return [0] * depth
    turn = Asked(game, Random(0))
    plays = turn.view().plays(1_000_000)
    assert plays is not None
    counts = [len(plays), *[0] * (depth - 1)]
    for play in plays if depth > 1 else ():
        twin = game.copy()
        twin.take(turn.decision.id, play, turn.letters)
        assert isinstance(twin, FlatGame)
        for further, count in enumerate(perft(twin, depth - 1), 1):
            counts[further] += count
    return counts


def accepts(view: View, play: str) -> bool:
    """Return True if the seat's own program lets this play pass."""
    try:
        view.check(play)
    except (NotUnderstood, Illegal):
        return False
    return True
