"""The variant draft-start: everybody has been dealt more cards and keeps four, in parallel.

An action is the places in the hand of the cards kept.
"""

from __future__ import annotations

from referee.games.sanjuan import flow
from referee.games.sanjuan.flow import Action, Selection, pop_places
from referee.games.sanjuan.state import CHOICE, DRAFT, DRAFTING, State

HAND = 4
"""Cards in every hand when round 1 begins."""


def deal_size(seat: int) -> int:
    """Return the number of cards that the seat chooses from: 5, 6, 7, 8 by seat."""
    return HAND + 1 + seat


def _begin(st: State) -> None:
    st.kind = DRAFT
    st.serial = False
    st.turn = 0
    st.asked = sum(1 << seat for seat, hand in enumerate(st.hand) if len(hand) > HAND)
    if st.asked:
        flow.start_parallel(st, flow.do_nothing, _end)
    else:
        _end(st)


def _end(st: State) -> None:
    flow.begin(st, CHOICE)


def discarded(st: State, seat: int, action: Action) -> Action:
    """Return the places of the cards that an action discards."""
    return tuple([place for place in range(len(st.hand[seat])) if place not in action])


def _keep(st: State, action: Action) -> None:
    seat = st.actor
    if st.log is not None:
        st.say(f"keep {st.seats[seat]} {len(action)}")
    st.discards += pop_places(st.hand[seat], discarded(st, seat, action))
    flow.continue_parallel(st, flow.do_nothing, _end)


def _pick(st: State, seat: int) -> Selection:
    return range(len(st.hand[seat])), HAND, HAND


flow.BEGIN[DRAFTING] = _begin
flow.SELECT[DRAFT] = _pick
flow.APPLY[DRAFT] = _keep
