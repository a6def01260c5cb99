"""The draw pile: drawing from it, shuffling it again, and the End card under it."""

from __future__ import annotations

from referee.games.values import Drawn, Shown, Shuffled
from referee.games.xanadu.state import State

BESIDE_END = 10
"""Cards that are shuffled with the End card."""


def cards_left(st: State) -> int:
    """Count the cards in the draw pile, the End card included."""
    return len(st.deck) - st.next + len(st.end_pile) - st.end_next


def draw(st: State, seat: int, count: int) -> bool:
    """Draw up to `count` cards into a hand; True if the End card came instead of one.

    The pile is shuffled again as soon as its last card has gone, or when a card is needed if there
    was none to shuffle (AMB-9). Fewer are drawn when pile and discards are both empty.
    """
    while count:
        first = st.next
        rest = len(st.deck) - first
        if rest:
            size = count if count < rest else rest
            st.next = first + size
            st.hand[seat].extend(st.deck[first : first + size])
            if st.log is not None:
                st.log.append(Drawn(st.seats[seat], "deck", st.epoch, first, size))
            count -= size
            if size == rest and not st.end_pile:
                _exhausted(st)
        elif st.end_pile:
            return _draw_last(st, seat, count)
        elif not _exhausted(st):
            break
    return False


def _draw_last(st: State, seat: int, count: int) -> bool:
    first = st.end_next
    size = min(count, st.end_place - first)
    st.end_next = first + size
    st.hand[seat].extend(st.end_pile[first : first + size])
    if st.log is not None and size:
        st.log.append(Drawn(st.seats[seat], "end", 0, first, size))
    if size == count:
        return False
    st.end_next += 1
    if st.log is not None:
        st.log += [Drawn("table", "end", 0, st.end_place, 1), Shown("end", st.cards.end)]
    return True


def _exhausted(st: State) -> bool:
    """Make the discards the pile, if there are any; in the last pass with the End card (AMB-15)."""
    cards = st.discards
    if not cards:
        return False
    st.discards = []
    st.epoch += 1
    st.deck = tuple(st.shuffle("deck", st.epoch, cards))
    st.next = 0
    if st.log is not None:
        st.log.append(Shuffled("deck", st.epoch, len(cards)))
        st.say(f"pass {st.epoch + 1} of {st.passes}")
    if st.epoch == st.passes - 1:
        _bury_end(st)
    return True


def _bury_end(st: State) -> None:
    """Shuffle ten cards of the new pile, or all there are, with the End card under the rest.

    The ten are those on top, so that a pile is only ever drawn from the top; their order was
    secret, so they are any ten.
    """
    ten = st.deck[:BESIDE_END]
    st.next = len(ten)
    bury(st, tuple(st.shuffle("end", 0, (*ten, st.cards.end))))
    if st.log is not None:
        st.log.append(Drawn("table", "deck", st.epoch, 0, len(ten)))
        st.log.append(Shuffled("end", 0, len(st.end_pile)))


def bury(st: State, cards: tuple[int, ...]) -> None:
    """Put these cards, the End card among them, under the pile."""
    st.end_pile = cards
    st.end_next = 0
    st.end_place = cards.index(st.cards.end)
    st.end_mask = sum(1 << card for card in cards)


def pile_of(st: State, card: int) -> str:
    """Return the pile from which a card that is out of it was dealt."""
    return "end" if st.end_mask >> card & 1 else "deck"
