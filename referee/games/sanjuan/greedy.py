"""A plain greedy player: looks one answer ahead, from what its seat may know."""

from __future__ import annotations

from referee.games.sanjuan.flow import Action
from referee.games.sanjuan.state import State


def choose(st: State, seat: int) -> Action:
    """A legal answer of the seat's open decision, the same one each time."""
    from random import Random

    from referee.games.sanjuan.chance import _BY_KIND

    return _BY_KIND[st.kind](st, seat, Random(1))
