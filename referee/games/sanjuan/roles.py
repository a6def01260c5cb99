"""The choice of a role: who chooses when, and the library that goes with it.

An action is (role or -1, whether the library is kept for later, number of the event or -1): an
event is taken instead of a role, or (governor-visit) with one that was used before.
"""

from __future__ import annotations

from referee.games.sanjuan import flow
from referee.games.sanjuan.cards import EVENTS, FIRST_EVENT, bit
from referee.games.sanjuan.flow import Action
from referee.games.sanjuan.state import (
    CHOICE,
    EVENT_PHASE,
    ROLE,
    ROLES,
    ROUND_START,
    VISIT,
    State,
)

LIBRARY = bit("library")


def turns_in_round(seats: int) -> int:
    """Return the number of roles in a round: with two players the governor takes a second one."""
    return 3 if seats == 2 else seats


def may_use_library(st: State, seat: int) -> bool:
    """Return True if the seat can use its library with a role that it names now (L1)."""
    return bool(st.own_mask[seat] & LIBRARY) and not st.library_used >> seat & 1


def ask(st: State) -> None:
    """Let the chooser choose."""
    st.phase = CHOICE
    st.kind = ROLE
    st.serial = True
    st.actor = st.chooser


def _next_choice(st: State) -> None:
    st.library = False
    if st.turn >= turns_in_round(len(st.seats)):
        flow.begin(st, ROUND_START)
        return
    st.turn += 1
    st.chooser = (st.governor + st.turn - 1) % len(st.seats)
    ask(st)


def open_events(st: State) -> list[int]:
    """Return the numbers of the events that lie face up."""
    return [st.cards.kind_of[card] - FIRST_EVENT for card in st.face_up]


def _choose(st: State, action: Action) -> None:
    role, keep_library, event = action
    seat = st.chooser
    if event >= 0:
        _take_event(st, event)
        if role < 0:
            flow.begin(st, EVENT_PHASE + event)
            return
    st.roles_used |= 1 << role
    if st.own_mask[seat] & LIBRARY and not keep_library and not st.library_used >> seat & 1:
        st.library = True
        st.library_used |= 1 << seat
    if st.log is not None:
        library = " library" if st.library else " no-library" if keep_library else ""
        st.say(f"role {st.seats[seat]} {ROLES[role]}{library}")
    flow.begin(st, role)


def _take_event(st: State, event: int) -> None:
    """Remove the event from the game (E2)."""
    card = st.cards.events()[event]
    st.face_up = tuple([other for other in st.face_up if other != card])
    st.removed += (card,)
    if st.log is not None:
        st.say(f"event {st.seats[st.chooser]} {EVENTS[event]}")


def _refuse(st: State, seat: int, action: Action) -> str:
    role, keep_library, event = action or (-1, False, -1)
    if role < 0 and event < 0:
        return "a role must be chosen"
    if event >= 0:
        if event not in open_events(st):
            return f"{EVENTS[event]} does not lie face up"
        if event != VISIT:
            return "" if role < 0 and not keep_library else "no role goes with this event"
        if role < 0:
            return "governor-visit needs a role that was used in this round"
        if not st.roles_used >> role & 1:
            return f"the {ROLES[role]} has not been used in this round"
    elif st.roles_used >> role & 1:
        return f"the {ROLES[role]} is taken in this round"
    if keep_library and not may_use_library(st, seat):
        return "you have no library that you could keep for later"
    return ""


flow.BEGIN[CHOICE] = _next_choice
flow.APPLY[ROLE] = _choose
flow.REFUSE[ROLE] = _refuse
