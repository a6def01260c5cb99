"""The end of the game: everything still in play is sold, and the most tong bao win."""

from __future__ import annotations

from collections.abc import Collection

from referee.games.values import Score
from referee.games.xanadu import sale
from referee.games.xanadu.state import NOTHING, State


def end(st: State, word: str, full: Collection[tuple[int, int]] = ()) -> None:
    """End the game at once (AMB-10): all is sold but what was sold in this turn already.

    `full` are (seat, plot) of the compulsory sales of the running turn; `word` says why it ends.
    """
    st.kind = NOTHING
    st.asked = st.need = 0
    st.say(word)
    for seat, city in enumerate(st.city):
        for plot in list(city):
            if (seat, plot) not in full:
                sale.pay(st, seat, plot)
            sale.clear(st, seat, plot)
    if st.log is not None:
        for name, coins in zip(st.seats, st.coins, strict=True):
            st.say(f"score {name} {coins}")


def scores(st: State) -> list[Score]:
    """Return the result in seat order; a tie is a shared win (AMB-11)."""
    best = max(st.coins)
    return [
        Score(name, coins, 0, coins == best) for name, coins in zip(st.seats, st.coins, strict=True)
    ]
