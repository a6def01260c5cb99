"""Players that look at what lies before them, and at nothing that may come."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from referee.games.errors import GameError, Incomplete

if TYPE_CHECKING:
    from referee.games.interface import View

SLIPS = 3
"""Answers out of ten that an easy player picks at random."""
FEW = 50
"""An easy player picks among its plays only where they are no more than these."""


class Medium:
    """The plain greedy player of the game, which needs no seed."""

    def __init__(self, name: str) -> None:
        self.name = name

    def answer(self, view: View, seed: bytes) -> str:
        """Return the play that a plain greedy player would make."""
        return view.suggest()


class Easy:
    """A player that plays sensibly most of the time, and at times anything that is allowed."""

    name = "easy-1"

    def answer(self, view: View, seed: bytes) -> str:
        """Return the greedy play, or at times any one; the seed says when and which."""
        drawn = hashlib.shake_256(seed).digest(16)
        if int.from_bytes(drawn[:8], "big") % 10 < SLIPS and (plays := view.plays(FEW)):
            return plays[int.from_bytes(drawn[8:], "big") % len(plays)]
        return view.suggest()


class RandomPlayer:
    """A player that plays anything, against which others are measured."""

    name = "random-1"
    _most = 500

    def answer(self, view: View, seed: bytes) -> str:
        """Return any play; where they are too many to list, one of any pattern."""
        draws = iter(hashlib.shake_256(seed).digest(64))
        plays = view.plays(self._most)
        if plays:
            return plays[(next(draws) * 256 + next(draws)) % len(plays)]
        choices = view.choices()
        for _ in range(10):
            choice = choices[next(draws) % len(choices)]
            if choice.exact:
                return choice.play
            begin = choice.play.partition(" [")[0].split()
            while begin and not begin[-1].islower():
                begin.pop()
            try:
                return view.read(" ".join(begin))
            except Incomplete as error:
                left = [more.play for more in error.choices if more.exact]
                if left:
                    return left[next(draws) % len(left)]
            except GameError:
                continue
        return view.suggest()
