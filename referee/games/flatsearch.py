"""Looking ahead as far as it is the same in all games on a flat core."""

from __future__ import annotations

from typing import Any, TypeVar

from referee.games.flat import Action, FlatState, FlatView
from referee.games.search import Search

V = TypeVar("V", bound=FlatView[Any])
W = TypeVar("W", bound=FlatState)


class FlatSearch(Search[V, W]):
    """Looking ahead in worlds that are states of a flat core."""

    def seat(self, view: V) -> int:
        """Return the number of the seat that the view belongs to."""
        return view.index

    def play(self, view: V, answer: Action) -> str:
        """Return the canonical play of an answer."""
        return view.play_of(answer)

    def copy(self, world: W) -> W:
        """Return an independent world."""
        return world.copy()
