"""The producer phase: everybody produces, in parallel. An action is the plots that get goods."""

from __future__ import annotations

from collections.abc import Callable

from referee.games.sanjuan import flow
from referee.games.sanjuan.cards import bit
from referee.games.sanjuan.flow import Action, Selection, ascending, plots_of
from referee.games.sanjuan.state import CHOICE, PRODUCE, PRODUCER, TABLE, State

MORE: list[tuple[int, int]] = [(bit("aqueduct"), 1)]
"""Kinds (as mask) that let their owner produce more goods, and how many more."""

AFTER: list[tuple[int, Callable[[State, int, int], int]]] = []
"""Kinds (as mask) that let their owner draw cards, and how many, given how many goods were really
placed."""


def _well(st: State, seat: int, placed: int) -> int:
    return 1 if placed >= 2 else 0


AFTER.append((bit("well"), _well))


def production_limit(st: State, seat: int) -> int:
    """Return the number of goods that the seat may produce in this phase (P1)."""
    count = 1
    if seat == st.chooser:
        count += 2 if st.library else 1
    own = st.own_mask[seat]
    for need, more in MORE:
        if own & need:
            count += more
    return count


def empty_mask(st: State, seat: int) -> int:
    """Return the plots (as mask) of the seat's production buildings without a good."""
    return st.prod_mask[seat] & ~st.full_mask[seat]


def _begin(st: State) -> None:
    st.kind = PRODUCE
    st.serial = False
    asked = 0
    for seat, prod in enumerate(st.prod_mask):
        spots = (prod & ~st.full_mask[seat]).bit_count()
        if spots > 1 and spots > production_limit(st, seat):
            asked |= 1 << seat
    st.asked = asked
    flow.start_parallel(st, _unasked, _end)


def _unasked(st: State, seat: int) -> None:
    spots = st.prod_mask[seat] & ~st.full_mask[seat]
    if spots:
        _place(st, seat, plots_of(spots))


def _place(st: State, seat: int, plots: tuple[int, ...]) -> None:
    placed = min(len(plots), st.left())
    if placed and st.log is not None:
        spots = " ".join(str(plot + 1) for plot in plots[:placed])
        st.say(f"produce {st.seats[seat]} {spots}")
    good = st.good[seat]
    full = st.full_mask[seat]
    for plot, card in zip(plots, st.draw(len(plots), TABLE), strict=False):
        good[plot] = card
        full |= 1 << plot
    st.full_mask[seat] = full
    own = st.own_mask[seat]
    for need, count in AFTER:
        if own & need and (drawn := count(st, seat, placed)):
            st.deal(seat, drawn)


def _end(st: State) -> None:
    flow.begin(st, CHOICE)


def _produce(st: State, action: Action) -> None:
    _place(st, st.actor, action)
    flow.continue_parallel(st, _unasked, _end)


def _refuse(st: State, seat: int, action: Action) -> str:
    may = empty_mask(st, seat)
    if not ascending(action, len(st.city[seat])):
        return "you have no building on that plot"
    for plot in action:
        if not may >> plot & 1:
            return f"there is no empty production building on plot {plot + 1}"
    if len(action) != production_limit(st, seat):
        return f"you produce exactly {production_limit(st, seat)} here, not {len(action)}"
    return ""


def _pick(st: State, seat: int) -> Selection:
    count = production_limit(st, seat)
    return plots_of(empty_mask(st, seat)), count, count


flow.BEGIN[PRODUCER] = _begin
flow.SELECT[PRODUCE] = _pick
flow.APPLY[PRODUCE] = _produce
flow.REFUSE[PRODUCE] = _refuse
