"""Phase 3: the active seat draws, full buildings go, and the next seat's turn begins."""

from __future__ import annotations

from collections.abc import Sequence

from referee.games.xanadu import ending, opening, pile, sale
from referee.games.xanadu.state import HAND, OPENING, TURN, State

AFTER_SALE = 3
AFTER_OTHER = 1

STALLED = 2
"""Turns of each seat in which nothing happens until the game ends (AMB-19)."""


def draw_count(held: int, sold: bool, acted: bool) -> int:
    """Return the number of cards that a seat with `held` draws, within the limit of a hand."""
    room = HAND - held
    if sold:
        return room if room < AFTER_SALE else AFTER_SALE
    if acted:
        return room if room < AFTER_OTHER else AFTER_OTHER
    return room


def finish(st: State, count: int, acted: bool, full: Sequence[tuple[int, int]]) -> None:
    """Draw `count` cards and end the turn; `full` are (seat, plot) of its compulsory sales.

    The full buildings go only then, so a pile that this draw exhausts is made without them.
    """
    hand = st.hand[st.active]
    if count > 0:
        before = len(hand)
        if pile.draw(st, st.active, count):
            ending.end(st, "end", full)
            return
        acted = acted or len(hand) > before
    for seat, plot in full:
        if st.log is not None:
            st.say(f"clear {st.seats[seat]} {st.cards.names[st.city[seat][plot][0]]} plot {plot}")
        sale.clear(st, seat, plot)
    if acted:
        st.idle_turns = 0
    elif st.stall_guard:
        st.idle_turns += 1
        if st.idle_turns >= STALLED * len(st.seats):
            ending.end(st, "stall")
            return
    st.active += 1
    if st.active == len(st.seats):
        st.active = 0
        st.round += 1
        if st.log is not None:
            st.say(f"round {st.round}")
    if any(st.city):
        st.kind = TURN
        st.actor = st.active
        st.asked = 1 << st.active
    else:
        opening.begin_anew(st, OPENING)
