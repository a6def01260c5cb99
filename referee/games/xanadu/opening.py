"""The cards laid to begin with: at the start, and again whenever no building is left in play.

An action is the places of the cards that are laid, ascending.
"""

from __future__ import annotations

from referee.games.xanadu import ending, pile
from referee.games.xanadu.state import AFTER, HAND, OPENING, TURN, State

Places = tuple[int, ...]


def ask(st: State, kind: int, need: int) -> None:
    """Let all who have cards choose, secretly and at the same time."""
    st.asked = sum(1 << seat for seat, hand in enumerate(st.hand) if hand)
    st.kind = kind
    st.need = need
    if st.asked:
        st.actor = st.waiting()[0]
    else:
        _go_on(st)


def begin_anew(st: State, kind: int) -> None:
    """Begin anew without buildings: all draw up to seven, then choose one card (AMB-3, AMB-4)."""
    st.say("reset")
    for seat in st.clockwise():
        if pile.draw(st, seat, HAND - len(st.hand[seat])):
            ending.end(st, "end")
            return
    ask(st, kind, 1)


def _go_on(st: State) -> None:
    st.kind = TURN if st.kind == OPENING else AFTER
    st.actor = st.active
    st.asked = 1 << st.active
    st.need = 0


def lay_count(st: State, seat: int) -> int:
    """Return the number of cards that the seat lays."""
    return min(st.need, len(st.hand[seat]))


def ranks(st: State, seat: int) -> list[int]:
    """Return the colours of the seat's hand by their order: brown before blue, … (AMB-2)."""
    colour = st.cards.colour
    return [colour[card] for card in st.hand[seat]]


def refuse(st: State, seat: int, places: Places) -> str:
    """Say why the seat may not begin with these cards; "" when it may."""
    have = ranks(st, seat)
    least = -1
    for place in places:
        if not least < place < len(have):
            return "the cards to begin with are not in order"
        least = place
    size = lay_count(st, seat)
    if len(places) != size:
        return f"you begin with {'one card' if size == 1 else 'two cards'}"
    if sorted(have[place] for place in places) != sorted(have)[:size]:
        first, *others = st.cards.colours
        then = ", then ".join(others)
        return f"you begin with {first} cards, and where you have too few, with {then}"
    return ""


def apply(st: State, places: Places) -> None:
    """Lay the actor's cards, the lowest number first; after the last seat the turn goes on."""
    seat = st.actor
    hand = st.hand[seat]
    for card in sorted(hand[place] for place in places):
        plot = st.lay(seat, card)
        if st.log is not None:
            st.say(f"lay {st.seats[seat]} {st.cards.names[card]} plot {plot}")
    for place in reversed(places):
        del hand[place]
    st.asked &= ~(1 << seat)
    if st.asked:
        st.actor = st.waiting()[0]
    else:
        _go_on(st)
