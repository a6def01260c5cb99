"""The trader phase: a price tile is turned and everybody may sell, in parallel.

An action is the plots whose goods are sold.
"""

from __future__ import annotations

from collections.abc import Callable

from referee.games.interface import Shown
from referee.games.sanjuan import flow
from referee.games.sanjuan.cards import PRICES, TILES, bit
from referee.games.sanjuan.flow import Action, ascending
from referee.games.sanjuan.state import CHOICE, EMPTY, SELL, TRADER, State

MORE: list[tuple[int, int]] = [(bit("trading-post"), 1)]
"""Kinds (as mask) that let their owner sell more goods, and how many more."""

BONUS: list[tuple[int, int]] = [(bit("market-stand"), 2), (bit("market-hall"), 1)]
"""Kinds that bring their owner one more card, and how many goods must be sold for it."""

FIXED: dict[int, int] = {}
"""Kinds whose good has a price of its own, whatever the tile says."""

KEEPERS: list[tuple[int, Callable[[State, int, tuple[int, ...]], int]]] = []
"""Kinds that take one of the goods sold for themselves: says the plot it came from."""

AT_END: list[Callable[[State, bool], None]] = []
"""What happens at the end of the phase, told whether anything was sold."""


def tile(st: State) -> int:
    """The tile that was turned last."""
    return st.tiles[(st.tile - 1) % len(st.tiles)]


def most(st: State, seat: int) -> int:
    """How many goods the seat may sell in this phase (S1)."""
    count = 1
    if seat == st.chooser:
        count += 2 if st.library else 1
    own = st.own[seat]
    for need, more in MORE:
        if own & need:
            count += more
    return count


def worth(st: State, seat: int, plots: tuple[int, ...]) -> int:
    """How many cards the seat draws for these goods (S1)."""
    prices = PRICES[tile(st)]
    kind_of = st.cards.kind_of
    city = st.city[seat]
    count = 0
    for plot in plots:
        kind = kind_of[city[plot]]
        count += FIXED[kind] if kind in FIXED else prices[kind]
    own = st.own[seat]
    for need, least in BONUS:
        if own & need and len(plots) >= least:
            count += 1
    return count


def _begin(st: State) -> None:
    st.kind = SELL
    st.serial = False
    st.sold = False
    st.tile += 1
    if st.log is not None:
        st.log.append(Shown("tiles", tile(st)))
        st.say(f"tile {TILES[tile(st)]}")
    asked = 0
    for seat, full in enumerate(st.full):
        if full:
            asked |= 1 << seat
    st.asked = asked
    if asked:
        flow.go_round(st, _unasked, _end)
    else:
        _end(st)


def _unasked(st: State, seat: int) -> None:
    pass


def _end(st: State) -> None:
    for effect in AT_END:
        effect(st, st.sold)
    flow.begin(st, CHOICE)


def _sell(st: State, action: Action) -> None:
    if action:
        seat = st.actor
        st.sold = True
        if st.log is not None:
            st.say(f"sell {st.seats[seat]} " + " ".join(str(plot + 1) for plot in action))
        count = worth(st, seat, action)
        good = st.good[seat]
        full = st.full[seat]
        kept = EMPTY
        for need, keeper in KEEPERS:
            if st.own[seat] & need:
                kept = keeper(st, seat, action)
        for plot in action:
            if plot != kept:
                st.discards.append(good[plot])
            good[plot] = EMPTY
            full &= ~(1 << plot)
        st.full[seat] = full
        st.hand[seat].extend(st.draw(count, seat))
    flow.go_on(st, _unasked, _end)


def _refuse(st: State, seat: int, action: Action) -> str:
    if not ascending(action, len(st.city[seat])):
        return "you have no building on that plot"
    for plot in action:
        if not st.full[seat] >> plot & 1:
            return f"there is no good on plot {plot + 1}"
    if len(action) > most(st, seat):
        return f"you may sell {most(st, seat)} here, not {len(action)}"
    return ""


flow.BEGIN[TRADER] = _begin
flow.APPLY[SELL] = _sell
flow.REFUSE[SELL] = _refuse
