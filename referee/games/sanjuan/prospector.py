"""The prospector phase: a card for the prospector, then what the mines and smiths turn over."""

from __future__ import annotations

from collections.abc import Callable

from referee.games.interface import Shown, Taken
from referee.games.sanjuan import flow
from referee.games.sanjuan.cards import bit
from referee.games.sanjuan.state import CHOICE, PROSPECTOR, TABLE, State

DIGGERS: list[tuple[int, Callable[[State, int], bool]]] = []
"""Kinds (as mask) that turn cards over after the prospector's draw, one kind after the other, each
clockwise: true when the owner is asked something first and `resume` goes on from there."""


def _begin(st: State) -> None:
    seat = st.chooser
    st.hand[seat].extend(st.draw(2 if st.library else 1, seat))
    resume(st, 0)


def resume(st: State, step: int) -> None:
    """Go on from a step: the steps are all seats clockwise for each digger in turn."""
    count = len(st.seats)
    while step < count * len(DIGGERS):
        need, dig = DIGGERS[step // count]
        seat = (st.chooser + step) % count
        if st.own[seat] & need and dig(st, seat):
            return
        step += 1
    flow.begin(st, CHOICE)


def _gold_mine(st: State, seat: int) -> bool:
    """Four cards of four costs: the cheapest goes to the owner (T1)."""
    if st.left() < 4:
        return False
    turned = list(st.draw(4, TABLE))
    cards = st.cards
    costs = [cards.cost[cards.kind_of[card]] for card in turned]
    found = turned[costs.index(min(costs))] if len(set(costs)) == 4 else -1
    if st.log is not None:
        st.log += [Shown("deck", card) for card in turned]
        st.say(f"mine {st.seats[seat]} {cards.name(found) if found >= 0 else 'nothing'}")
    if found >= 0:
        if st.log is not None:
            st.log.append(Taken(st.seats[seat], "deck", found))
        turned.remove(found)
        st.hand[seat].append(found)
    st.discards += turned
    return False


DIGGERS.append((bit("gold-mine"), _gold_mine))

flow.BEGIN[PROSPECTOR] = _begin
