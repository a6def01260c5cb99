"""The councillor phase: everybody draws and keeps some, in parallel as long as cards suffice.

An action is the places in the hand of the cards kept, or with an archive of those discarded.
"""

from __future__ import annotations

from referee.games.sanjuan import flow
from referee.games.sanjuan.cards import KINDS, bit
from referee.games.sanjuan.flow import Action, Selection, ascending, pop_places
from referee.games.sanjuan.state import CHOICE, COUNCILLOR, KEEP, TABLE, State

MORE: list[tuple[int, int]] = [(bit("prefecture"), 1)]
"""Kinds (as mask) that let their owner keep more cards, and how many more."""

STOCKED: list[int] = [KINDS["customs-office"]]
"""Kinds that get a good from the draw pile if they have none, clockwise, before anybody draws."""

ARCHIVE = bit("archive")

SHARE, LIBRARY_SHARE = 5, 8
"""Cards that the councillor draws, without a library and with it (C1)."""


def lacks_good(st: State, seat: int, kind: int) -> bool:
    """Return True if the seat has a building of a kind in play and no good on it."""
    return bool(
        st.own_mask[seat] >> kind & 1 and not st.full_mask[seat] >> st.plot_of(seat, kind) & 1
    )


def draw_count(st: State, seat: int) -> int:
    """Return the number of cards that the seat draws (C1)."""
    if seat != st.chooser:
        return 2
    return LIBRARY_SHARE if st.library else SHARE


def keep_limit(st: State, seat: int) -> int:
    """Return the number of drawn cards that the seat may keep (C1)."""
    count = 1
    own = st.own_mask[seat]
    for need, more in MORE:
        if own & need:
            count += more
    return count


def _begin(st: State) -> None:
    for kind in STOCKED:
        for seat in flow.owners(st, 1 << kind):
            if lacks_good(st, seat, kind):
                _stock(st, seat, st.plot_of(seat, kind))
    st.kind = KEEP
    count = len(st.seats)
    st.drawn = [0] * count
    if st.left() < draw_count(st, st.chooser) + 2 * (count - 1):
        st.serial = True
        _from(st, st.chooser)
        return
    st.serial = False
    asked = 0
    for seat in flow.clockwise(st):
        if _deal(st, seat):
            asked |= 1 << seat
    st.asked = asked
    flow.start_parallel(st, _keep_all, _end)


def _stock(st: State, seat: int, plot: int) -> None:
    for card in st.draw(1, TABLE):
        st.good[seat][plot] = card
        st.full_mask[seat] |= 1 << plot
        if st.log is not None:
            name = st.cards.name(st.city[seat][plot])
            st.say(f"{name} {st.seats[seat]} {plot + 1}")


def _deal(st: State, seat: int) -> bool:
    """Deal the seat its share; True if it must choose from it."""
    cards = st.draw(draw_count(st, seat), seat)
    st.hand[seat].extend(cards)
    st.drawn[seat] = len(cards)
    return len(cards) > keep_limit(st, seat)


def _keep_all(st: State, seat: int) -> None:
    """Take the turn of a seat that has nothing to discard."""
    if st.drawn[seat] and st.log is not None:
        st.say(f"keep {st.seats[seat]} {st.drawn[seat]}")
    st.drawn[seat] = 0


def _from(st: State, seat: int) -> None:
    """Deal one by one (C2), from this seat on, up to one that must choose."""
    while not _deal(st, seat):
        _keep_all(st, seat)
        seat = flow.next_seat(st, seat)
        if seat == st.chooser:
            _end(st)
            return
    st.actor = seat


def _end(st: State) -> None:
    flow.begin(st, CHOICE)


def discarded(st: State, seat: int, action: Action) -> Action:
    """Return the places of the cards that an action discards."""
    if st.own_mask[seat] & ARCHIVE:
        return action
    held = len(st.hand[seat])
    return tuple([place for place in range(held - st.drawn[seat], held) if place not in action])


def _pick(st: State, seat: int) -> Selection:
    """Select what goes with an archive, else what is kept of the cards drawn."""
    held = len(st.hand[seat])
    count = keep_limit(st, seat)
    if st.own_mask[seat] & ARCHIVE:
        count = st.drawn[seat] - count
        return range(held), count, count
    return range(held - st.drawn[seat], held), count, count


def _keep(st: State, action: Action) -> None:
    seat = st.actor
    if st.log is not None:
        word = "discard" if st.own_mask[seat] & ARCHIVE else "keep"
        st.say(f"{word} {st.seats[seat]} {len(action)}")
    st.discards += pop_places(st.hand[seat], discarded(st, seat, action))
    st.drawn[seat] = 0
    if not st.serial:
        flow.continue_parallel(st, _keep_all, _end)
        return
    seat = flow.next_seat(st, seat)
    if seat == st.chooser:
        _end(st)
    else:
        _from(st, seat)


def _refuse(st: State, seat: int, action: Action) -> str:
    held = len(st.hand[seat])
    drawn = st.drawn[seat]
    if not ascending(action, held):
        return "the cards are not in order"
    if st.own_mask[seat] & ARCHIVE:
        count = drawn - keep_limit(st, seat)
        if len(action) != count:
            return f"you discard exactly {count} here, not {len(action)}"
        return ""
    if len(action) != keep_limit(st, seat):
        return f"you keep exactly {keep_limit(st, seat)} here, not {len(action)}"
    if action[0] < held - drawn:
        return "you may keep cards among those just drawn only"
    return ""


flow.BEGIN[COUNCILLOR] = _begin
flow.SELECT[KEEP] = _pick
flow.APPLY[KEEP] = _keep
flow.REFUSE[KEEP] = _refuse
