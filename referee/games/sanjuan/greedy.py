"""A plain greedy player: looks one answer ahead, from what its seat may know."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from referee.games.sanjuan import builder, councillor, events, flow, roles, round_start, trader
from referee.games.sanjuan.cards import PRICES
from referee.games.sanjuan.flow import Action, plots_of
from referee.games.sanjuan.mind import AVERAGE, LAST, Mind
from referee.games.sanjuan.state import (
    AMNESTY,
    BUILD,
    DRAFT,
    EARTHQUAKE,
    FREE_BUILD,
    KEEP,
    MINE,
    OFFICE,
    PRODUCE,
    ROLE,
    ROLES,
    SELL,
    TAXES,
    TIDY,
    VISIT,
    State,
)


def _role(st: State, seat: int) -> Action:
    mind = Mind(st, seat)
    free = [role for role in range(len(ROLES)) if not st.roles_used >> role & 1]
    values = [(mind.role(role), -role) for role in free]
    best, role = max(values)
    action: Action = (-role, False, -1)
    for event in roles.open_events(st):
        if event != VISIT:
            value, role = mind.event(event), -1
        elif st.roles_used:
            value, role = max((mind.role(role), role) for role in plots_of(st.roles_used))
        else:
            continue
        if value > best:
            best, action = value, (role, False, event)
    return action


def _build(st: State, seat: int) -> Action:
    mind = Mind(st, seat)
    _, action = mind.builds()
    if not action:
        return ()
    kind, over, goods, count, declined = action
    built = builder.place_of(st, seat, kind)
    rest = [place for place in range(len(mind.hand)) if place != built]
    return kind, over, goods, mind.cheapest(rest, count), declined


def _best_plots(st: State, seat: int, price: Callable[[int], int]) -> Action:
    """Select as many plots as may be, those whose kinds have the best prices."""
    plots, _, most = flow.SELECT[st.kind](st, seat)
    kind_of = st.cards.kind_of
    city = st.city[seat]
    order = sorted(plots, key=lambda plot: (-price(kind_of[city[plot]]), plot))
    return tuple(sorted(order[:most]))


def _produce(st: State, seat: int) -> Action:
    return _best_plots(st, seat, AVERAGE.__getitem__)


def _sell(st: State, seat: int) -> Action:
    tile = PRICES[trader.current_tile(st)]
    return _best_plots(st, seat, lambda kind: trader.good_price(kind, tile))


def _keep(st: State, seat: int) -> Action:
    mind = Mind(st, seat)
    held = len(mind.hand)
    drawn = st.drawn[seat]
    gone = drawn - councillor.keep_limit(st, seat)
    if st.own_mask[seat] & councillor.ARCHIVE:
        return mind.cheapest(list(range(held)), gone)
    among = list(range(held - drawn, held))
    lost = mind.cheapest(among, gone)
    return tuple(place for place in among if place not in lost)


def _tidy(st: State, seat: int) -> Action:
    mind = Mind(st, seat)
    left = list(range(len(mind.hand)))
    tucked: list[tuple[int, ...]] = []
    for tuck in round_start.TUCKS:
        places: tuple[int, ...] = ()
        if tuck.several:
            places = mind.cheapest(left, min(tuck.most(st, seat), _savings(st, seat, mind, left)))
        elif tuck.most(st, seat) and (len(left) > 2 or 10 * mind.left < 3 * LAST):
            places = mind.cheapest(left, 1)
        left = [place for place in left if place not in places]
        tucked.append(places)
    discard = mind.cheapest(left, max(0, len(left) - round_start.hand_limit(st, seat)))
    return (*tucked, discard) if discard or any(tucked) else ()


def _savings(st: State, seat: int, mind: Mind, left: Sequence[int]) -> int:
    """Count the cards better put now under a building that takes many, but once."""
    if 10 * mind.left < 2 * LAST:
        return max(0, len(left) - 2)
    excess = len(left) - round_start.hand_limit(st, seat)
    return excess if excess > 2 else 0


def _draft(st: State, seat: int) -> Action:
    held = list(range(len(st.hand[seat])))
    _, _, most = flow.SELECT[DRAFT](st, seat)
    lost = Mind(st, seat).cheapest(held, len(held) - most)
    return tuple(place for place in held if place not in lost)


def _poor_cards(st: State, seat: int) -> Action:
    among, _, most = flow.SELECT[st.kind](st, seat)
    return Mind(st, seat).poor(list(among), most)


def _mine(st: State, seat: int) -> Action:
    mind = Mind(st, seat)
    kinds, _, _ = flow.SELECT[MINE](st, seat)
    return (max(kinds, key=lambda kind: (mind.hold(kind), kind)),)


def _earthquake(st: State, seat: int) -> Action:
    mind = Mind(st, seat)
    plots, _, _ = flow.SELECT[EARTHQUAKE](st, seat)
    return (min(plots, key=lambda plot: (mind.standing(seat, plot), plot)),)


def _taxes(st: State, seat: int) -> Action:
    return Mind(st, seat).cheapest(list(range(len(st.hand[seat]))), 1)


def _free_build(st: State, seat: int) -> Action:
    mind = Mind(st, seat)
    best, kind = max(
        ((mind.worth(kind), kind) for kind in events.free_kinds(st, seat)), default=(0, 0)
    )
    return (kind,) if best > 0 else ()


_BY_KIND: dict[int, Callable[[State, int], Action]] = {
    ROLE: _role,
    BUILD: _build,
    PRODUCE: _produce,
    SELL: _sell,
    KEEP: _keep,
    TIDY: _tidy,
    DRAFT: _draft,
    OFFICE: _poor_cards,
    MINE: _mine,
    EARTHQUAKE: _earthquake,
    TAXES: _taxes,
    AMNESTY: _poor_cards,
    FREE_BUILD: _free_build,
}


def choose(st: State, seat: int) -> Action:
    """Return a legal answer to the seat's open decision, the same one each time."""
    return _BY_KIND[st.kind](st, seat)
