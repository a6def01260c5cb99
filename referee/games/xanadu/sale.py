"""Sales of every kind: coins to the owner, the building and its workers to the discards."""

from __future__ import annotations

from referee.games.values import Shown
from referee.games.xanadu.pile import pile_of
from referee.games.xanadu.state import State


def pay(st: State, seat: int, plot: int, word: str = "sell") -> None:
    """Pay the owner the price of a building as it is now."""
    building = st.city[seat][plot]
    price = st.price(building)
    st.coins[seat] += price
    if st.log is not None:
        st.say(f"{word} {st.seats[seat]} {st.cards.names[building[0]]} plot {plot} for {price}")


def clear(st: State, seat: int, plot: int) -> None:
    """Discard a building; its workers come to light with it."""
    card, crew = st.city[seat].pop(plot)
    discards = st.discards
    discards.append(card)
    for placed in crew:
        discards.append(placed >> 3)
    if st.log is not None:
        st.log += [Shown(pile_of(st, placed >> 3), placed >> 3) for placed in crew]
