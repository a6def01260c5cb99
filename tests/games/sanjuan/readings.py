"""Checks of typed plays, once for all rule sets: tests bring position and text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import Any

import pytest

from referee.games.errors import Illegal, Incomplete, NotUnderstood
from referee.games.interface import View
from referee.games.sanjuan import flow, position
from referee.games.sanjuan.chance import random_play
from referee.games.sanjuan.game import SanJuan
from referee.games.values import Held, letter


def seen(game: SanJuan, seat: str) -> View:
    """The view of a seat, its letters in deal order."""
    names = [game.rules.card_name("deck", card) for card in game.hand(seat)]
    hand = [Held(letter(place), name) for place, name in enumerate(names)]
    return game.rules.view(game.state.seats, game.table(), seat, hand)


def view(document: dict[str, Any], seat: str = "ana") -> View:
    """The view of a seat in a position."""
    return seen(position.load(document), seat)


def means(document: dict[str, Any], text: str, play: str) -> None:
    """The text is read as the play, and the play is legal."""
    assert view(document).read(text) == play
    view(document).check(play)


def leaves_open(document: dict[str, Any], text: str, count: int) -> None:
    """The text has so many completions, all different and legal."""
    mine = view(document)
    with pytest.raises(Incomplete) as open_question:
        mine.read(text)
    choices = open_question.value.choices
    assert len({choice.play for choice in choices}) == len(choices) == count
    for choice in choices:
        mine.check(choice.play)


def is_refused(document: dict[str, Any], text: str, message: str) -> None:
    """The text is understood, and refused in these words with the legal choices."""
    with pytest.raises(Illegal) as refusal:
        view(document).read(text)
    assert refusal.value.message == message
    assert refusal.value.choices


def is_not_canonical(document: dict[str, Any], play: str) -> None:
    """No signed note may hold this play."""
    with pytest.raises(NotUnderstood):
        view(document).check(play)


def only_mistakes(games: Iterable[SanJuan], rng: Random, pool: Sequence[str], longest: int) -> None:
    """In every moment of the games, any text is a play or a GameError."""
    for game in games:
        while not game.over:
            mine = seen(game, game.decisions()[0].seat)
            for _ in range(longest - 2):
                text = " ".join(rng.choices(pool, k=rng.randrange(longest)))
                for reading in (mine.read, mine.check):
                    _judge(mine, reading, text)
            flow.apply(game.state, random_play(game.state, rng))


def _judge(mine: View, reading: Callable[[str], str | None], text: str) -> None:
    """A text is a mistake that lists legal choices, or a play that is legal."""
    try:
        found = reading(text)
    except Illegal as error:
        for choice in error.choices:
            if choice.exact:
                mine.check(choice.play)
    except NotUnderstood:
        pass
    else:
        mine.check(found or text)
