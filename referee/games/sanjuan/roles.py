"""The choice of a role: who chooses when, and the library that goes with it."""

from __future__ import annotations

from referee.games.sanjuan import flow
from referee.games.sanjuan.cards import bit
from referee.games.sanjuan.flow import Action
from referee.games.sanjuan.state import CHOICE, ROLE, ROLES, ROUND_START, State

LIBRARY = bit("library")


def turns(st: State) -> int:
    """How many roles are taken in a round: with two players the governor takes a second one."""
    return 3 if len(st.seats) == 2 else len(st.seats)


def has_library(st: State, seat: int) -> bool:
    """Whether the seat could use its library with a role named now (L1)."""
    return bool(st.own[seat] & LIBRARY) and not st.spent >> seat & 1


def ask(st: State) -> None:
    """Let the chooser choose."""
    st.phase = CHOICE
    st.kind = ROLE
    st.serial = True
    st.actor = st.chooser


def _next_choice(st: State) -> None:
    st.library = False
    if st.turn >= turns(st):
        flow.begin(st, ROUND_START)
        return
    st.turn += 1
    st.chooser = (st.governor + st.turn - 1) % len(st.seats)
    ask(st)


def _choose(st: State, action: Action) -> None:
    role, keep_library = action
    seat = st.chooser
    st.used |= 1 << role
    if st.own[seat] & LIBRARY and not keep_library and not st.spent >> seat & 1:
        st.library = True
        st.spent |= 1 << seat
    if st.log is not None:
        library = " library" if st.library else " no-library" if keep_library else ""
        st.say(f"role {st.seats[seat]} {ROLES[role]}{library}")
    flow.begin(st, role)


def _refuse(st: State, seat: int, action: Action) -> str:
    if not action:
        return "a role must be chosen"
    role, keep_library = action
    if st.used >> role & 1:
        return f"the {ROLES[role]} is taken in this round"
    if keep_library and not has_library(st, seat):
        return "you have no library that you could keep for later"
    return ""


flow.BEGIN[CHOICE] = _next_choice
flow.APPLY[ROLE] = _choose
flow.REFUSE[ROLE] = _refuse
