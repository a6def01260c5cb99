"""The events: what each of them does once a seat has taken it instead of a role (E3).

An action is the plot of the building lost, the places of the cards discarded, or the kind built.
"""

from __future__ import annotations

from collections.abc import Callable

from referee.games.sanjuan import builder, flow
from referee.games.sanjuan.cards import EVENTS, NAMES
from referee.games.sanjuan.flow import Action, Selection, pop_places
from referee.games.sanjuan.state import (
    AMNESTY,
    CHOICE,
    EARTHQUAKE,
    EMPTY,
    EVENT_PHASE,
    FREE_BUILD,
    TAXES,
    State,
)

FREE = 4
"""The highest cost of a building that is built for nothing."""
RELIEF = 3


def _end(st: State) -> None:
    flow.begin(st, CHOICE)


def _ask(st: State, kind: int, asked: int, unasked: Callable[[State, int], None]) -> None:
    """Ask the seats of the mask in parallel."""
    st.kind = kind
    st.serial = False
    st.asked = asked
    flow.start_parallel(st, unasked, _end)


def _debt_relief(st: State) -> None:
    for seat in flow.clockwise(st):
        st.deal(seat, RELIEF)
    _end(st)


# Earthquake: every seat loses a building.


def standing_plots(st: State, seat: int) -> list[int]:
    """Return the plots on which the seat has a building in play."""
    return [plot for plot, card in enumerate(st.city[seat]) if card != EMPTY]


def _earthquake(st: State) -> None:
    asked = sum(1 << seat for seat in range(len(st.seats)) if st.buildings(seat) > 1)
    _ask(st, EARTHQUAKE, asked, _fall)


def _fall(st: State, seat: int) -> None:
    for plot in standing_plots(st, seat):
        destroy(st, seat, plot)


def _lose(st: State, action: Action) -> None:
    destroy(st, st.actor, action[0])
    flow.continue_parallel(st, _fall, _end)


def destroy(st: State, seat: int, plot: int) -> None:
    """Discard a building and all that lies on its plot; what lay beside the deck is removed."""
    top = st.city[seat][plot]
    if st.log is not None:
        st.say(f"lose {st.seats[seat]} {st.cards.name(top)} plot {plot + 1}")
    cards = [top]
    if st.full_mask[seat] >> plot & 1:
        cards.append(st.take_good(seat, plot))
    st.over, below = _without(st.over, seat, plot)
    st.under, tucked = _without(st.under, seat, plot)
    st.unseen, stored = _without(st.unseen, seat, plot)
    for card in cards + below + tucked + stored:
        if card in st.cards.beside:
            st.removed += (card,)
        else:
            st.discards.append(card)
    st.put_top(seat, plot, EMPTY)


_Piles = tuple[tuple[int, int, int], ...]


def _without(piles: _Piles, seat: int, plot: int) -> tuple[_Piles, list[int]]:
    """Split piles into those elsewhere and the cards on this plot."""
    lost = [card for owner, spot, card in piles if (owner, spot) == (seat, plot)]
    return tuple([row for row in piles if row[:2] != (seat, plot)]), lost


def _pick_lost(st: State, seat: int) -> Selection:
    return standing_plots(st, seat), 1, 1


def _refuse_lost(st: State, seat: int, action: Action) -> str:
    reason = flow.refuse_count(st, seat, action)
    if not reason and action[0] not in standing_plots(st, seat):
        reason = f"you have no building on plot {action[0] + 1}"
    return reason


# Taxes: all others discard a card. General amnesty: everybody may exchange cards.


def _taxes(st: State) -> None:
    asked = sum(1 << seat for seat, hand in enumerate(st.hand) if len(hand) > 1)
    _ask(st, TAXES, asked & ~(1 << st.chooser), _pay_last)


def _pay_last(st: State, seat: int) -> None:
    if seat != st.chooser and st.hand[seat]:
        _discard(st, seat, (0,))


def _pay(st: State, action: Action) -> None:
    _discard(st, st.actor, action)
    flow.continue_parallel(st, _pay_last, _end)


def _discard(st: State, seat: int, places: Action) -> None:
    if st.log is not None:
        st.say(f"discard {st.seats[seat]} {len(places)}")
    st.discards += pop_places(st.hand[seat], places)


def _pick_tax(st: State, seat: int) -> Selection:
    return range(len(st.hand[seat])), 1, 1


def _general_amnesty(st: State) -> None:
    asked = sum(1 << seat for seat, hand in enumerate(st.hand) if hand)
    _ask(st, AMNESTY, asked, flow.do_nothing)


def _exchange(st: State, action: Action) -> None:
    flow.exchange(st, st.actor, action)
    flow.continue_parallel(st, flow.do_nothing, _end)


def _pick_exchange(st: State, seat: int) -> Selection:
    held = len(st.hand[seat])
    return range(held), 0, held


# Free build: one by one, everybody may build something cheap.


def _free_build(st: State) -> None:
    st.kind = FREE_BUILD
    st.serial = True
    _from(st, st.chooser)


def _from(st: State, seat: int) -> None:
    """Ask this seat or the next one that has a card."""
    while not st.hand[seat]:
        seat = flow.next_seat(st, seat)
        if seat == st.chooser:
            builder.finish(st)
            return
    st.actor = seat


def _build(st: State, action: Action) -> None:
    seat = st.actor
    if action:
        if st.log is not None:
            st.say(builder.build_line(st, seat, action[0], EMPTY))
        st.lay(seat, st.hand[seat].pop(builder.place_of(st, seat, action[0])))
    seat = flow.next_seat(st, seat)
    if seat == st.chooser:
        builder.finish(st)
    else:
        _from(st, seat)


def free_kinds(st: State, seat: int) -> list[int]:
    """Return the kinds in the seat's hand that it may build for nothing."""
    kinds = sorted({st.cards.kind_of[card] for card in st.hand[seat]})
    return [kind for kind in kinds if not _refuse_kind(st, seat, kind)]


def _pick_built(st: State, seat: int) -> Selection:
    return free_kinds(st, seat), 0, 1


def _refuse_kind(st: State, seat: int, kind: int) -> str:
    if builder.place_of(st, seat, kind) < 0:
        return f"you hold no {NAMES[kind]}"
    if not builder.may_build(st, seat, kind):
        return f"you have a {NAMES[kind]} already"
    cost = st.cards.cost[kind]
    return f"{NAMES[kind]} costs {cost}: no more than {FREE} is free" if cost > FREE else ""


def _refuse_built(st: State, seat: int, action: Action) -> str:
    return flow.refuse_count(st, seat, action) or "".join(
        _refuse_kind(st, seat, kind) for kind in action
    )


for _name, _begin in (
    ("earthquake", _earthquake),
    ("debt-relief", _debt_relief),
    ("taxes", _taxes),
    ("general-amnesty", _general_amnesty),
    ("free-build", _free_build),
):
    flow.BEGIN[EVENT_PHASE + EVENTS.index(_name)] = _begin
flow.SELECT |= {
    EARTHQUAKE: _pick_lost,
    TAXES: _pick_tax,
    AMNESTY: _pick_exchange,
    FREE_BUILD: _pick_built,
}
flow.APPLY[EARTHQUAKE] = _lose
flow.REFUSE[EARTHQUAKE] = _refuse_lost
flow.APPLY[TAXES] = _pay
flow.APPLY[AMNESTY] = _exchange
flow.APPLY[FREE_BUILD] = _build
flow.REFUSE[FREE_BUILD] = _refuse_built
