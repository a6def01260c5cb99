"""Random play on the core: a legal answer without writing out every order of workers.

Every legal answer can come up; a build is likely to be found where one is possible.
"""

from __future__ import annotations

from random import Random

from referee.games.xanadu import opening
from referee.games.xanadu.state import AFTER, FULL, OPENING, RESET, State
from referee.games.xanadu.turn import Action, leaves_nothing

_SELL = 0.3
_WORK = 0.75
_MORE = 0.7
_BUILD = 0.9
"""Chances that a seat sells something, uses its hand at all, places one more worker, and builds
what it can pay for."""


def _opening(st: State, seat: int, rng: Random) -> Action:
    have = opening.ranks(st, seat)
    chosen: list[int] = []
    for rank in sorted(have)[: opening.lay_count(st, seat)]:
        places = [p for p, found in enumerate(have) if found == rank and p not in chosen]
        chosen.append(places[int(rng.random() * len(places))])
    return tuple(sorted(chosen))


def _turn(st: State, seat: int, rng: Random) -> Action:
    random = rng.random
    city = st.city[seat]
    sells: tuple[int, ...] = ()
    if city and st.kind != AFTER and random() < _SELL:
        share = random()
        sells = tuple([plot for plot in city if random() < share])
        if sells and leaves_nothing(st, seat, sells):
            return sells, ()
    steps = _steps(st, seat, sells, rng) if st.hand[seat] and random() < _WORK else ()
    return (sells, steps) if sells or steps else ()


def _steps(st: State, seat: int, sells: tuple[int, ...], rng: Random) -> tuple[Action, ...]:
    random = rng.random
    steps: list[Action] = []
    cards = st.cards
    hand = st.hand[seat]
    cost = cards.cost
    income = cards.income
    guard = cards.guard
    places = list(range(len(hand)))
    pool = 0
    crews: list[list[int]] = []
    for owner, city in enumerate(st.city):
        mine = owner == seat
        for plot, (card, crew) in city.items():
            if mine:
                if plot in sells:
                    continue
                pool += income[card][len(crew)]
            crews.append([owner, plot, card, len(crew)])
    rows = len(st.city[seat]) - len(sells)
    room = st.city_limit - rows if st.many_builds else min(1, st.city_limit - rows)
    while places:
        if room:
            cover = pool | guard
            start = int(random() * len(places))
            for at in range(start - len(places), start):
                place = places[at]
                if cover - cost[hand[place]] & guard == guard:
                    if random() < _BUILD:
                        steps.append((place,))
                        pool += income[hand[place]][0] - cost[hand[place]]
                        room -= 1
                        del places[at]
                    break
            if not places:
                break
        if not crews or (steps and random() > _MORE):
            break
        number = int(random() * len(crews))
        entry = crews[number]
        owner, plot, card, size = entry
        place = places.pop(int(random() * len(places)))
        steps.append((place, owner, plot))
        pool += cards.gives[card][size]
        if owner == seat:
            pool += cards.favours[card][size]
        if size + 1 == FULL:
            del crews[number]
        else:
            entry[3] = size + 1
    return tuple(steps)


def random_play(st: State, rng: Random) -> Action:
    """Return a legal answer to the first open decision."""
    if st.kind in (OPENING, RESET):
        return _opening(st, st.actor, rng)
    return _turn(st, st.actor, rng)
