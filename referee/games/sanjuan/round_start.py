"""Round start: the next governor, the cards tucked away, the hand limit."""

from __future__ import annotations

from collections.abc import Callable

from referee.games.sanjuan import flow
from referee.games.sanjuan.cards import KINDS, bit
from referee.games.sanjuan.flow import Action, ascending
from referee.games.sanjuan.state import CHOICE, OVER, ROUND_START, TIDY, State

HAND_LIMIT = 7

LIMITS: list[Callable[[State, int, int], int]] = []
"""What changes a seat's hand limit, in this order: takes the limit so far, returns the next."""


class Tuck:
    """A building under which cards go at round start; `most` says how many may go now."""

    __slots__ = ("kind", "most", "word")

    def __init__(self, word: str, most: Callable[[State, int], int]) -> None:
        self.word = word
        self.kind = KINDS[word]
        self.most = most


TUCKS: list[Tuck] = []
"""In the order of a `tidy` play, whose action has the places of the cards for each, then those of
the discards."""


def hand_limit(st: State, seat: int) -> int:
    """How many cards the seat may keep at the start of a round."""
    limit = HAND_LIMIT
    for change in LIMITS:
        limit = change(st, seat, limit)
    return limit


_TOWER = bit("tower")


def _tower(st: State, seat: int, limit: int) -> int:
    return 12 if st.own[seat] & _TOWER else limit


LIMITS.append(_tower)

_CHAPEL = bit("chapel")


def _chapel(st: State, seat: int) -> int:
    return 1 if st.own[seat] & _CHAPEL and st.hand[seat] else 0


TUCKS.append(Tuck("chapel", _chapel))


def _next_round(st: State) -> None:
    """Hand the roles back and the governor on, unless the last round is over (G7)."""
    if st.round >= st.limit:
        flow.begin(st, OVER)
        return
    st.round += 1
    st.governor = st.chooser = flow.after(st, st.governor)
    st.turn = st.used = st.spent = 0
    if st.log is not None:
        st.say(f"round {st.round} governor {st.seats[st.governor]}")
    st.kind = TIDY
    st.serial = False
    st.asked = 0
    for seat, hand in enumerate(st.hand):
        if len(hand) > hand_limit(st, seat) or any(tuck.most(st, seat) for tuck in TUCKS):
            st.asked |= 1 << seat
    if st.asked:
        flow.go_round(st, _nothing, _end)
    else:
        _end(st)


def _nothing(st: State, seat: int) -> None:
    pass


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
                _put_under(st, seat, tuck.kind, [hand[place] for place in places])
        for place in sorted(gone, reverse=True):
            card = hand.pop(place)
            if place in discard:
                st.discards.append(card)
        if discard and st.log is not None:
            st.say(f"discard {st.seats[seat]} {len(discard)}")
    flow.go_on(st, _nothing, _end)


def _put_under(st: State, seat: int, kind: int, cards: list[int]) -> None:
    kind_of = st.cards.kind_of
    plot = next(
        plot for plot, card in enumerate(st.city[seat]) if card >= 0 and kind_of[card] == kind
    )
    st.under += tuple((seat, plot, card) for card in cards)


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
                return f"you have no {tuck.word} to put cards under"
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
flow.APPLY[TIDY] = _tidy
flow.REFUSE[TIDY] = _refuse_tidy
