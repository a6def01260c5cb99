"""The trader phase: a price tile is turned and everybody may sell, in parallel.

An action is the plots whose goods are sold.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from referee.games.sanjuan import flow
from referee.games.sanjuan.cards import FIXED_PRICES, KINDS, NAMES, PRICES, TILES, bit
from referee.games.sanjuan.flow import Action, Selection, ascending, plots_of
from referee.games.sanjuan.state import CHOICE, SELL, TRADER, State
from referee.games.values import Shown

MORE: list[tuple[int, int]] = [(bit("trading-post"), 1)]
"""Kinds (as mask) that let their owner sell more goods, and how many more."""

BONUS: list[tuple[int, int]] = [(bit("market-stand"), 2), (bit("market-hall"), 1)]
"""Kinds that bring their owner one more card, and how many goods must be sold for it."""

KEEPERS: list[int] = [KINDS["harbor"]]
"""Kinds under which one of the goods sold goes, that from the lowest plot; nobody looks at it (S2,
G5)."""

AT_END: list[tuple[int, Callable[[State, int], int]]] = []
"""Kinds (as mask) that let their owner draw cards at the end of the phase, clockwise, and how many;
`sold` tells whether anybody has sold anything."""


def _hut(st: State, seat: int) -> int:
    return 0 if st.sold else 1


AT_END.append((bit("hut"), _hut))


def current_tile(st: State) -> int:
    """Return the tile that was turned last."""
    return st.tiles[(st.tile - 1) % len(st.tiles)]


def sale_limit(st: State, seat: int) -> int:
    """Return the number of goods that the seat may sell in this phase (S1)."""
    count = 1
    if seat == st.chooser:
        count += 2 if st.library else 1
    own = st.own_mask[seat]
    for need, more in MORE:
        if own & need:
            count += more
    return count


def good_price(kind: int, prices: Sequence[int]) -> int:
    """Return the price of the good of a kind under these prices of a tile."""
    return FIXED_PRICES[kind] if kind in FIXED_PRICES else prices[kind]


def sale_value(st: State, seat: int, plots: tuple[int, ...]) -> int:
    """Return the number of cards that the seat draws for these goods (S1)."""
    prices = PRICES[current_tile(st)]
    kind_of = st.cards.kind_of
    city = st.city[seat]
    count = 0
    for plot in plots:
        count += good_price(kind_of[city[plot]], prices)
    own = st.own_mask[seat]
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
        st.log.append(Shown("tiles", current_tile(st)))
        st.say(f"tile {TILES[current_tile(st)]}")
    asked = 0
    for seat, full in enumerate(st.full_mask):
        if full:
            asked |= 1 << seat
    st.asked = asked
    if asked:
        flow.start_parallel(st, flow.do_nothing, _end)
    else:
        _end(st)


def _end(st: State) -> None:
    for need, count in AT_END:
        for seat in flow.owners(st, need):
            st.deal(seat, count(st, seat))
    flow.begin(st, CHOICE)


def _sell(st: State, action: Action) -> None:
    if action:
        seat = st.actor
        st.sold = True
        if st.log is not None:
            st.say(f"sell {st.seats[seat]} " + " ".join(str(plot + 1) for plot in action))
        count = sale_value(st, seat, action)
        goods = [st.take_good(seat, plot) for plot in action]
        for kind in KEEPERS:
            if goods and st.own_mask[seat] >> kind & 1:
                st.unseen += ((seat, st.plot_of(seat, kind), goods.pop(0)),)
                if st.log is not None:
                    st.say(f"{NAMES[kind]} {st.seats[seat]} 1")
        st.discards += goods
        st.deal(seat, count)
    flow.continue_parallel(st, flow.do_nothing, _end)


def _pick(st: State, seat: int) -> Selection:
    plots = plots_of(st.full_mask[seat])
    return plots, 0, min(len(plots), sale_limit(st, seat))


def _refuse(st: State, seat: int, action: Action) -> str:
    if not ascending(action, len(st.city[seat])):
        return "you have no building on that plot"
    for plot in action:
        if not st.full_mask[seat] >> plot & 1:
            return f"there is no good on plot {plot + 1}"
    if len(action) > sale_limit(st, seat):
        return f"you may sell {sale_limit(st, seat)} here, not {len(action)}"
    return ""


flow.BEGIN[TRADER] = _begin
flow.SELECT[SELL] = _pick
flow.APPLY[SELL] = _sell
flow.REFUSE[SELL] = _refuse
