"""Answers passed on to the module that carries out their kind of decision."""

from __future__ import annotations

from referee.games.xanadu import opening, turn
from referee.games.xanadu.state import OPENING, RESET, State
from referee.games.xanadu.turn import Action

__all__ = ["Action", "apply", "is_opening", "refuse"]


def is_opening(st: State) -> bool:
    """Return True if cards to begin with are asked for, and not a turn."""
    return st.kind in (OPENING, RESET)


def apply(st: State, action: Action) -> None:
    """Answer the first open decision with a legal action."""
    if st.kind in (OPENING, RESET):
        opening.apply(st, action)
    else:
        turn.apply(st, action)


def refuse(st: State, seat: int, action: Action) -> str:
    """Say why this is not a legal answer to the seat's open decision; "" when it is."""
    if st.kind in (OPENING, RESET):
        return opening.refuse(st, seat, action)
    return turn.refuse(st, seat, action)
