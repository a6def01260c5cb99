"""Round start: the next governor, hand cards exchanged, then cards tucked away and the hand limit.

An action of `office` is the places of the cards exchanged, one of `tidy` is described at TUCKS.
"""

from __future__ import annotations

from collections.abc import Callable

from referee.games.sanjuan import flow
from referee.games.sanjuan.cards import KINDS, bit
from referee.games.sanjuan.flow import Action, Selection, ascending
from referee.games.sanjuan.state import CHOICE, OFFICE, OVER, ROUND_START, TIDY, State

HAND_LIMIT = 7

EXCHANGES: list[tuple[int, int]] = [(bit("office-building"), 2)]
"""Kinds (as mask) that let their owner exchange hand cards before all else, and how many."""

LIMITS: list[Callable[[State, int, int], int]] = []
"""Changes of a seat's hand limit, in this order: each takes the limit so far, returns the next."""


class Tuck:
    """A building under which its owner may put a hand card at round start, or `several`.

    What goes there `once` in a game only is noted in `bank_used`.
    """

    __slots__ = ("kind", "need", "once", "several", "word")

    def __init__(self, word: str, several: bool = False, once: bool = False) -> None:
        self.word = word
        self.kind: int = KINDS[word]
        self.need = bit(word)
        self.several = several
        self.once = once

    def most(self, st: State, seat: int) -> int:
        """Count the cards that the seat may put there now."""
        if not st.own_mask[seat] & self.need or (self.once and st.bank_used >> seat & 1):
            return 0
        held = len(st.hand[seat])
        return held if self.several or not held else 1


TUCKS: list[Tuck] = [Tuck("chapel"), Tuck("bank", several=True, once=True)]
"""In the order of a `tidy` play, whose action has the places of the cards for each, then those of
the discards. The bank takes cards once (K1)."""


def hand_limit(st: State, seat: int) -> int:
    """Return the number of cards that the seat may keep at the start of a round."""
    limit = HAND_LIMIT
    for change in LIMITS:
        limit = change(st, seat, limit)
    return limit


_GUARD_ROOM = bit("guard-room")


def _guard_room(st: State, seat: int, limit: int) -> int:
    """Take one card off the limit of all who have none, while anybody has one."""
    return limit - 1 if st.anywhere & _GUARD_ROOM and not st.own_mask[seat] & _GUARD_ROOM else limit


_TOWER = bit("tower")


def _tower(st: State, seat: int, limit: int) -> int:
    return 12 if st.own_mask[seat] & _TOWER else limit


LIMITS += [_guard_room, _tower]


def exchanges(st: State, seat: int) -> int:
    """Return the number of hand cards that the seat may exchange now."""
    return min(flow.added(st.own_mask[seat], EXCHANGES), len(st.hand[seat]))


def _next_round(st: State) -> None:
    """Return the roles and pass the governor on, unless the last round is over (G7)."""
    if st.round >= st.limit:
        flow.begin(st, OVER)
        return
    st.round += 1
    st.governor = st.chooser = flow.next_seat(st, st.governor)
    st.turn = st.roles_used = st.library_used = 0
    if st.log is not None:
        st.say(f"round {st.round} governor {st.seats[st.governor]}")
    st.kind = OFFICE
    st.serial = False
    st.asked = 0
    for need, _ in EXCHANGES:
        for seat in flow.owners(st, need):
            if st.hand[seat]:
                st.asked |= 1 << seat
    if st.asked:
        flow.start_parallel(st, flow.do_nothing, _tidy_up)
    else:
        _tidy_up(st)


def _office(st: State, action: Action) -> None:
    flow.exchange(st, st.actor, action)
    flow.continue_parallel(st, flow.do_nothing, _tidy_up)


def _tidy_up(st: State) -> None:
    st.kind = TIDY
    st.asked = 0
    tucks = [tuck for tuck in TUCKS if st.anywhere & tuck.need]
    for seat, hand in enumerate(st.hand):
        if len(hand) > hand_limit(st, seat):
            st.asked |= 1 << seat
            continue
        for tuck in tucks:
            if tuck.most(st, seat):
                st.asked |= 1 << seat
    if st.asked:
        flow.start_parallel(st, flow.do_nothing, _end)
    else:
        _end(st)


def _end(st: State) -> None:
    flow.begin(st, CHOICE)


def _tidy(st: State, action: Action) -> None:
    if action:
        seat = st.actor
        hand = st.hand[seat]
        *tucked, discard = action
        gone = list(discard)
        for tuck, places in zip(TUCKS, tucked, strict=True):
            if places:
                gone += places
                if st.log is not None:
                    st.say(f"{tuck.word} {st.seats[seat]} {len(places)}")
                plot = st.plot_of(seat, tuck.kind)
                st.under += tuple([(seat, plot, hand[place]) for place in places])
                if tuck.once:
                    st.bank_used |= 1 << seat
        for place in sorted(gone, reverse=True):
            card = hand.pop(place)
            if place in discard:
                st.discards.append(card)
        if discard and st.log is not None:
            st.say(f"discard {st.seats[seat]} {len(discard)}")
    flow.continue_parallel(st, flow.do_nothing, _end)


def _refuse_tidy(st: State, seat: int, action: Action) -> str:
    held = len(st.hand[seat])
    limit = hand_limit(st, seat)
    tucked: list[tuple[int, ...]] = [()] * len(TUCKS)
    discard: tuple[int, ...] = ()
    if action:
        *tucked, discard = action
    gone: tuple[int, ...] = discard
    for tuck, places in zip(TUCKS, tucked, strict=True):
        gone += places
        if places:
            most = tuck.most(st, seat)
            if not most:
                return f"you have no {tuck.word} that you could put cards under now"
            if len(places) > most:
                return f"no more than {most} may go under the {tuck.word}"
    if not all(ascending(places, held) for places in (*tucked, discard)):
        return "the cards are not in order"
    if len(set(gone)) < len(gone):
        return "a card can go to one place only"
    excess = max(0, held - (len(gone) - len(discard)) - limit)
    if len(discard) != excess:
        if not excess:
            return f"you are within the limit of {limit} cards and discard nothing"
        return f"you may keep {limit} cards: discard {excess}, not {len(discard)}"
    return ""


flow.BEGIN[ROUND_START] = _next_round


def _pick_office(st: State, seat: int) -> Selection:
    return range(len(st.hand[seat])), 0, exchanges(st, seat)


flow.SELECT[OFFICE] = _pick_office
flow.APPLY[OFFICE] = _office
flow.APPLY[TIDY] = _tidy
flow.REFUSE[TIDY] = _refuse_tidy
