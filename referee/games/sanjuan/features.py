"""Features of a table, as numbers, from which a network tells how a seat stands.

The table is taken as it will lie when the next role is chosen, so tables in the middle of a phase
can be compared too. Of the other seats' hands only the size counts.
"""

from __future__ import annotations

from collections.abc import Sequence

from referee.games.sanjuan import roles, scoring
from referee.games.sanjuan.cards import CITY, FIRST_EVENT, NAMES
from referee.games.sanjuan.state import CHOICE, DRAFTING, EMPTY, ROUND_START, State

_KINDS = len(NAMES)
_SIZES, _BUILT, _LEADS = 16, 13, 41
_MIDDLE = _LEADS // 2

_city, _good, _hand = 0, _KINDS, 2 * _KINDS
HAND = _hand
"""From here on, by kind, the cards of the seat's own hand."""
UNKNOWN = 3 * _KINDS
"""A card of the seat's own hand that it has not seen yet."""
_twice = UNKNOWN + 1
_size = _twice + 1
_built = _size + _SIZES
_their_city = _built + _BUILT
_their_good = _their_city + _KINDS
_their_size = _their_good + _KINDS
_their_built = _their_size + _SIZES
_most_built = _their_built + _BUILT
_lead = _most_built + _BUILT
_turn = _lead + _LEADS
_used = _turn + 16
_library = _used + 20
_their_library = _library + 1
_bank = _their_library + 1
_events = _bank + 1
_edition = _events + 6
_set = _edition + 1
COUNT = _set + 2
"""The number of features."""

SIZE = _size
"""From here on the number of cards in the seat's own hand, up to LARGEST."""
LARGEST = _SIZES - 1


def of(st: State, seat: int, coming: int = 0) -> list[int]:
    """Return the features of a table for a seat, `coming` cards of which are still to be drawn."""
    kind_of = st.cards.kind_of
    city, good = st.city[seat], st.good[seat]
    own = st.own_mask[seat]
    found = [kind_of[card] for card in city if card != EMPTY]
    built = len(found)
    if st.full_mask[seat]:
        found += [_good + kind_of[city[plot]] for plot in range(len(city)) if good[plot] != EMPTY]
    found += hand_features(st, seat, st.hand[seat])
    held = len(st.hand[seat]) + coming
    if coming:
        found += [UNKNOWN] * coming
    found.append(_size + (held if held < _SIZES else LARGEST))
    found.append(_built + (built if built < _BUILT else _BUILT - 1))
    most, best = built, -99
    for other, theirs in enumerate(st.city):
        if other == seat:
            continue
        count = len(theirs)
        for card in theirs:
            if card == EMPTY:
                count -= 1
            else:
                found.append(_their_city + kind_of[card])
        if st.full_mask[other]:
            goods = st.good[other]
            found += [
                _their_good + kind_of[theirs[plot]]
                for plot in range(len(theirs))
                if goods[plot] != EMPTY
            ]
        size = len(st.hand[other])
        found.append(_their_size + (size if size < _SIZES else LARGEST))
        found.append(_their_built + (count if count < _BUILT else _BUILT - 1))
        if count > most:
            most = count
        points = scoring.points(st, other)
        if points > best:
            best = points
        if st.own_mask[other] & roles.LIBRARY and not st.library_used >> other & 1:
            found.append(_their_library)
    found.append(_most_built + (most if most < _BUILT else _BUILT - 1))
    lead = scoring.points(st, seat) - best + _MIDDLE
    found.append(_lead + (0 if lead < 0 else lead if lead < _LEADS else _LEADS - 1))
    if own & roles.LIBRARY and not st.library_used >> seat & 1:
        found.append(_library)
    if st.bank_used >> seat & 1:
        found.append(_bank)
    _add_turn(st, seat, found)
    cards = st.cards
    for card in st.face_up:
        found.append(_events + kind_of[card] - FIRST_EVENT)
    if cards.edition == "2004":
        found.append(_edition)
    if cards.beside:
        found.append(_set)
    if cards.total > cards.plain:
        found.append(_set + 1)
    return found


def hand_features(st: State, seat: int, cards: Sequence[int]) -> list[int]:
    """Return a feature for each card of a hand that the seat might hold, in its order."""
    kind_of = st.cards.kind_of
    seen = st.own_mask[seat] & CITY
    found = []
    for card in cards:
        kind = kind_of[card]
        if seen >> kind & 1:
            found.append(_twice)
        else:
            found.append(_hand + kind)
            seen |= 1 << kind & CITY
    return found


def _add_turn(st: State, seat: int, found: list[int]) -> None:
    """Add whose turn comes next, which one of the round it is, and the roles that are gone."""
    seats = len(st.seats)
    turn, chooser, used = st.turn, st.chooser, st.roles_used
    if st.phase != CHOICE:
        if turn >= roles.turns_in_round(seats):
            turn, chooser, used = 1, st.governor + 1, 0
        elif st.phase == ROUND_START or st.phase == DRAFTING:
            turn, chooser = 1, st.governor
        else:
            turn, chooser = turn + 1, st.governor + turn
    place = (chooser - seat) % seats
    found.append(_turn + 4 * place + (turn - 1 & 3))
    for role in range(5):
        if used >> role & 1:
            found.append(_used + 4 * role + place)
