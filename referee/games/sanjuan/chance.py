"""Random play on the core: a legal answer without writing out every subset of cards.

Every legal answer can come up. Kinds of answers (a role, a card to build, how many goods to sell)
are about equally likely, and so are the subsets of one size.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from referee.games.sanjuan import builder, flow, roles, round_start
from referee.games.sanjuan.cards import CITY, FIRST_EVENT
from referee.games.sanjuan.flow import Action, plots_of
from referee.games.sanjuan.state import (
    BUILD,
    EMPTY,
    KIND_NAMES,
    ROLE,
    ROLES,
    TIDY,
    VISIT,
    State,
)

_ALL_ROLES = (1 << len(ROLES)) - 1


def sample(rng: Random, among: Sequence[int], count: int) -> tuple[int, ...]:
    """Return `count` of the values, in their order, every subset equally likely."""
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
    free = plots_of(_ALL_ROLES & ~st.roles_used)
    event = -1
    choice = int(rng.random() * (len(free) + len(st.face_up)))
    if choice >= len(free):
        event = st.cards.kind_of[st.face_up[choice - len(free)]] - FIRST_EVENT
        if event != VISIT:
            return -1, False, event
        if st.roles_used:
            free = plots_of(st.roles_used)
        else:
            event = -1
        choice = int(rng.random() * len(free))
    keep = roles.may_use_library(st, seat) and rng.random() < 0.25
    return free[choice], keep, event


def _build(st: State, seat: int, rng: Random) -> Action:
    hand = st.hand[seat]
    held = len(hand)
    cards = [*hand, *st.beside] if st.beside else hand
    offered = len(cards)
    random = rng.random
    start = int(random() * (offered + 1))
    if start == offered:
        return ()
    kind_of = st.cards.kind_of
    own = st.own_mask[seat] & CITY
    tools = st.own_mask[seat] & (builder.CRANE | builder.BLACK_MARKET)
    for step in range(offered):
        place = start + step
        if place >= offered:
            place -= offered
        kind = kind_of[cards[place]]
        if own >> kind & 1:
            continue
        rest = held - 1 if place < held else held
        over = EMPTY
        if tools & builder.CRANE and random() < 0.5:
            covers = builder.coverable_plots(st, seat, kind)
            if covers:
                over = covers[int(random() * len(covers))]
        price = builder.price(st, seat, kind, over)
        declined = 0
        if random() < 0.02:
            declined = 1 << int(random() * (len(builder.DISCOUNTS) + 1))
            dearer = builder.price(st, seat, kind, over, declined)
            if dearer == price:
                declined = 0
            price = dearer
        goods: tuple[int, ...] = ()
        if tools & builder.BLACK_MARKET and price:
            plots = plots_of(builder.payable_goods(st, seat, over))
            count = min(len(plots), 2, price)
            least = max(0, price - rest)
            if least > count:
                continue
            goods = sample(rng, plots, least + int(random() * (count - least + 1)))
            pay = price - len(goods)
        else:
            pay = price
        if pay > rest:
            continue
        first = builder.place_of(st, seat, kind) if place < held and random() < 0.5 else place
        others = [spot for spot in range(held) if spot != first]
        return kind, over, goods, sample(rng, others, pay), declined
    return ()


def _pick(st: State, seat: int, rng: Random) -> Action:
    among, least, most = flow.SELECT[st.kind](st, seat)
    if least < most:
        least += int(rng.random() * (most - least + 1))
    return sample(rng, among, least)


def _tidy(st: State, seat: int, rng: Random) -> Action:
    left: Sequence[int] = range(len(st.hand[seat]))
    tucked: list[tuple[int, ...]] = []
    for tuck in round_start.TUCKS:
        places: tuple[int, ...] = ()
        if st.own_mask[seat] >> tuck.kind & 1:
            most = min(tuck.most(st, seat), len(left))
            places = sample(rng, left, int(rng.random() * (most + 1)))
            left = [place for place in left if place not in places]
        tucked.append(places)
    discard = sample(rng, left, max(0, len(left) - round_start.hand_limit(st, seat)))
    return (*tucked, discard) if discard or any(tucked) else ()


_BY_KIND: list[Callable[[State, int, Random], Action]] = [_pick] * len(KIND_NAMES)
_BY_KIND[ROLE] = _role
_BY_KIND[BUILD] = _build
_BY_KIND[TIDY] = _tidy


def random_play(st: State, rng: Random) -> Action:
    """Return a legal answer to the first open decision."""
    return _BY_KIND[st.kind](st, st.actor, rng)
