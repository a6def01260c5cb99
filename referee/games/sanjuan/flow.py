"""The order of things: where phases and decisions register, and how play goes round the table.

A phase module fills in what begins when its phase does and what an answer to its decisions does.
When a phase is over it calls `begin` for the next one, so no phase knows another.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from referee.games.sanjuan.state import KIND_NAMES, NOTHING, PHASES, State

Action = tuple[Any, ...]
"""An answer in numbers; `()` is to pass. Each phase module describes its own."""

BEGIN: list[Callable[[State], None]] = [lambda st: None] * len(PHASES)
"""By phase: the function that starts it and goes on until somebody is asked."""

Selection = tuple[Sequence[int], int, int]
"""Numbers in ascending order, and the fewest and the most of them that may be selected."""

SELECT: dict[int, Callable[[State, int], Selection]] = {}
"""By kind of decision whose action is some of certain numbers, in ascending order: those numbers
(plots, places in the hand, kinds of cards). Other kinds have functions of their own in `choices`
and `chance`."""

APPLY: list[Callable[[State, Action], None]] = [lambda st, action: None] * len(KIND_NAMES)
"""By kind of decision: carries out the actor's legal answer, up to the next question."""


def refuse_count(st: State, seat: int, action: Action) -> str:
    """Say why so many numbers may not be selected; "" when they may."""
    _, least, most = SELECT[st.kind](st, seat)
    if least and not action:
        return "you cannot pass here"
    if least <= len(action) <= most:
        return ""
    return f"name {'exactly' if least == most else 'at most'} {most} here, not {len(action)}"


def refuse_places(st: State, seat: int, action: Action) -> str:
    """Say why these places of the hand may not be selected; "" when they may."""
    if not ascending(action, len(st.hand[seat])):
        return "the cards are not in order"
    return refuse_count(st, seat, action)


REFUSE: list[Callable[[State, int, Action], str]] = [refuse_places] * len(KIND_NAMES)
"""By kind of decision: says why the seat may not answer this, or "" when it may. Looks only at what
the seat may know: the public table and its own hand."""


def begin(st: State, phase: int) -> None:
    """Start a phase."""
    st.phase = phase
    BEGIN[phase](st)


def apply(st: State, action: Action) -> None:
    """Answer the first open decision with a legal action."""
    APPLY[st.kind](st, action)


def refuse(st: State, seat: int, action: Action) -> str:
    """Say why this is not a legal answer to the seat's open decision; "" when it is."""
    return REFUSE[st.kind](st, seat, action)


_PLOTS: dict[int, tuple[int, ...]] = {}


def plots_of(mask: int) -> tuple[int, ...]:
    """Return the plots of a mask, ascending."""
    found = _PLOTS.get(mask)
    if found is None:
        found = tuple(plot for plot in range(mask.bit_length()) if mask >> plot & 1)
        _PLOTS[mask] = found
    return found


def pop_places(hand: list[int], places: tuple[int, ...]) -> list[int]:
    """Remove the cards at these ascending places from a hand, and return them."""
    return [hand.pop(place) for place in reversed(places)]


def exchange(st: State, seat: int, places: tuple[int, ...]) -> None:
    """Discard these hand cards, then draw as many."""
    if places:
        if st.log is not None:
            st.say(f"discard {st.seats[seat]} {len(places)}")
        st.discards += pop_places(st.hand[seat], places)
        st.deal(seat, len(places))


def ascending(places: tuple[int, ...], below: int) -> bool:
    """Return True if places are in range, in order and all different."""
    last = -1
    for place in places:
        if place <= last:
            return False
        last = place
    return last < below


def next_seat(st: State, seat: int) -> int:
    """Return the next seat clockwise."""
    seat += 1
    return seat if seat < len(st.seats) else 0


def clockwise(st: State) -> list[int]:
    """Return all seats, from the one whose turn it is."""
    seats = list(range(len(st.seats)))
    return seats[st.chooser :] + seats[: st.chooser]


def owners(st: State, need: int) -> list[int]:
    """Return the seats that have a kind (as mask) in play, from the one whose turn it is."""
    if not st.anywhere & need:
        return []
    return [seat for seat in clockwise(st) if st.own_mask[seat] & need]


def added(own: int, more: Sequence[tuple[int, int]]) -> int:
    """Sum up what a seat's kinds add, by a list of kinds (as masks) with what each of them adds."""
    total = 0
    for need, count in more:
        if own & need:
            total += count
    return total


def do_nothing(st: State, seat: int) -> None:
    """Do nothing, as a seat that is not asked does in most phases."""


def start_parallel(
    st: State, unasked: Callable[[State, int], None], end: Callable[[State], None]
) -> None:
    """Begin a parallel decision: those before the first who is asked act without a question."""
    first = st.chooser
    if st.asked >> first & 1:
        st.actor = first
        return
    unasked(st, first)
    st.actor = first
    continue_parallel(st, unasked, end)


def continue_parallel(
    st: State, unasked: Callable[[State, int], None], end: Callable[[State], None]
) -> None:
    """Go on after the actor of a parallel decision: the others act, up to one who is asked."""
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
    """Return the seats that are asked now, in the order in which their answers take effect."""
    if st.kind == NOTHING:
        return []
    if st.serial:
        return [st.actor]
    order = clockwise(st)
    return [seat for seat in order[order.index(st.actor) :] if st.asked >> seat & 1]
