"""The order of things: where phases and decisions register, and how play goes round the table.

A phase module fills in what begins when its phase does and what an answer to its decisions does.
When a phase is over it calls `begin` for the next one, so no phase knows another.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from referee.games.sanjuan.state import KIND_NAMES, NOTHING, PHASES, State

Action = tuple[Any, ...]
"""An answer in numbers; `()` is to pass. Each phase module says what its own look like."""

BEGIN: list[Callable[[State], None]] = [lambda st: None] * len(PHASES)
"""By phase: starts it, and goes on until somebody is asked."""

APPLY: list[Callable[[State, Action], None]] = [lambda st, action: None] * len(KIND_NAMES)
"""By kind of decision: what the actor's legal answer does, up to the next question."""

REFUSE: list[Callable[[State, int, Action], str]] = [lambda st, seat, action: ""] * len(KIND_NAMES)
"""By kind of decision: why the seat may not answer this, or "" when it may. Looks only at what
the seat may know: the public table and its own hand."""


def begin(st: State, phase: int) -> None:
    """Start a phase."""
    st.phase = phase
    BEGIN[phase](st)


def apply(st: State, action: Action) -> None:
    """Answer the first open decision with a legal action."""
    APPLY[st.kind](st, action)


def refuse(st: State, seat: int, action: Action) -> str:
    """Why this is no legal answer of the seat's open decision; "" when it is."""
    return REFUSE[st.kind](st, seat, action)


_PLOTS: dict[int, tuple[int, ...]] = {}


def plots_of(mask: int) -> tuple[int, ...]:
    """The plots of a mask, ascending."""
    found = _PLOTS.get(mask)
    if found is None:
        found = tuple(plot for plot in range(mask.bit_length()) if mask >> plot & 1)
        _PLOTS[mask] = found
    return found


def take_out(hand: list[int], places: tuple[int, ...]) -> list[int]:
    """Remove the cards at these ascending places from a hand; returns them."""
    return [hand.pop(place) for place in reversed(places)]


def ascending(places: tuple[int, ...], below: int) -> bool:
    """Whether places are in range, in order and all different."""
    last = -1
    for place in places:
        if place <= last:
            return False
        last = place
    return last < below


def after(st: State, seat: int) -> int:
    """The next seat clockwise."""
    seat += 1
    return seat if seat < len(st.seats) else 0


def clockwise(st: State) -> list[int]:
    """All seats, from the one whose turn it is."""
    seats = list(range(len(st.seats)))
    return seats[st.chooser :] + seats[: st.chooser]


def go_round(
    st: State, unasked: Callable[[State, int], None], end: Callable[[State], None]
) -> None:
    """A parallel decision begins: those before the first who is asked act without a question."""
    first = st.chooser
    if st.asked >> first & 1:
        st.actor = first
        return
    unasked(st, first)
    st.actor = first
    go_on(st, unasked, end)


def go_on(st: State, unasked: Callable[[State, int], None], end: Callable[[State], None]) -> None:
    """The actor of a parallel decision has finished: the others act, up to one who is asked."""
    count = len(st.seats)
    first = st.chooser
    asked = st.asked
    seat = st.actor + 1
    while True:
        if seat == count:
            seat = 0
        if seat == first:
            end(st)
            return
        if asked >> seat & 1:
            st.actor = seat
            return
        unasked(st, seat)
        seat += 1


def waiting(st: State) -> list[int]:
    """The seats that are asked now, in the order in which their answers take effect."""
    if st.kind == NOTHING:
        return []
    if st.serial:
        return [st.actor]
    order = clockwise(st)
    return [seat for seat in order[order.index(st.actor) :] if st.asked >> seat & 1]
