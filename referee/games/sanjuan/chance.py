"""Random play on the core: a legal answer without writing out every subset of cards.

Every legal answer can come up. Kinds of answers (a role, a card to build, how many goods to sell)
are about equally likely, and so are the subsets of one size.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from referee.games.sanjuan import builder, councillor, producer, roles, round_start, trader
from referee.games.sanjuan.cards import CITY
from referee.games.sanjuan.flow import Action, plots_of
from referee.games.sanjuan.state import (
    BUILD,
    EMPTY,
    KEEP,
    KIND_NAMES,
    PRODUCE,
    ROLE,
    ROLES,
    SELL,
    TIDY,
    State,
)

_ALL_ROLES = (1 << len(ROLES)) - 1


def some(rng: Random, among: Sequence[int], count: int) -> tuple[int, ...]:
    """`count` of the values, in their order, every subset equally likely."""
    left = len(among)
    if count >= left:
        return tuple(among)
    random = rng.random
    if count == 1:
        return (among[int(random() * left)],)
    if not count:
        return ()
    picked = []
    for value in among:
        if random() * left < count:
            picked.append(value)
            count -= 1
            if not count:
                break
        left -= 1
    return tuple(picked)


def _role(st: State, seat: int, rng: Random) -> Action:
    free = plots_of(_ALL_ROLES & ~st.used)
    role = free[int(rng.random() * len(free))]
    keep = st.own[seat] and roles.has_library(st, seat) and rng.random() < 0.25
    return role, bool(keep)


def _build(st: State, seat: int, rng: Random) -> Action:
    hand = st.hand[seat]
    held = len(hand)
    if not held:
        return ()
    random = rng.random
    start = int(random() * (held + 1))
    if start == held:
        return ()
    kind_of = st.cards.kind_of
    own = st.own[seat] & CITY
    tools = st.own[seat] & (builder.CRANE | builder.BLACK_MARKET)
    for step in range(held):
        place = start + step
        if place >= held:
            place -= held
        kind = kind_of[hand[place]]
        if own >> kind & 1:
            continue
        over = EMPTY
        if tools & builder.CRANE and random() < 0.5:
            covers = builder.coverable(st, seat, kind)
            if covers:
                over = covers[int(random() * len(covers))]
        price = builder.price(st, seat, kind, over)
        declined = 0
        if random() < 0.02:
            declined = 1 << int(random() * len(builder.DISCOUNTS))
            dearer = builder.price(st, seat, kind, over, declined)
            if dearer == price:
                declined = 0
            price = dearer
        goods: tuple[int, ...] = ()
        if tools & builder.BLACK_MARKET and price:
            plots = plots_of(builder.goods_for(st, seat, over))
            count = min(len(plots), 2, price)
            least = max(0, price - held + 1)
            if least > count:
                continue
            goods = some(rng, plots, least + int(random() * (count - least + 1)))
            pay = price - len(goods)
        else:
            pay = price
        if pay >= held:
            continue
        first = builder.place_of(st, seat, kind, ()) if random() < 0.5 else place
        others = [spot for spot in range(held) if spot != first]
        return kind, over, goods, some(rng, others, pay), declined
    return ()


def _produce(st: State, seat: int, rng: Random) -> Action:
    return some(rng, plots_of(producer.empty(st, seat)), producer.most(st, seat))


def _sell(st: State, seat: int, rng: Random) -> Action:
    plots = plots_of(st.full[seat])
    most = min(len(plots), trader.most(st, seat))
    return some(rng, plots, int(rng.random() * (most + 1)))


def _keep(st: State, seat: int, rng: Random) -> Action:
    held = len(st.hand[seat])
    drawn = st.drawn[seat]
    kept = councillor.kept(st, seat)
    if st.own[seat] & councillor.ARCHIVE:
        return some(rng, range(held), drawn - kept)
    return some(rng, range(held - drawn, held), kept)


def _tidy(st: State, seat: int, rng: Random) -> Action:
    left: Sequence[int] = range(len(st.hand[seat]))
    tucked: list[tuple[int, ...]] = []
    for tuck in round_start.TUCKS:
        most = min(tuck.most(st, seat), len(left))
        places = some(rng, left, int(rng.random() * (most + 1)))
        left = [place for place in left if place not in places]
        tucked.append(places)
    discard = some(rng, left, max(0, len(left) - round_start.hand_limit(st, seat)))
    return (*tucked, discard) if discard or any(tucked) else ()


_BY_KIND: list[Callable[[State, int, Random], Action]] = [_role] * len(KIND_NAMES)
for _kind, _chance in (
    (ROLE, _role),
    (BUILD, _build),
    (PRODUCE, _produce),
    (SELL, _sell),
    (KEEP, _keep),
    (TIDY, _tidy),
):
    _BY_KIND[_kind] = _chance


def random_play(st: State, rng: Random) -> Action:
    """A legal answer of the first open decision."""
    return _BY_KIND[st.kind](st, st.actor, rng)
