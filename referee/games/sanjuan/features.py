"""Features of a table, as numbers, from which a network tells how a seat stands.

The table is taken as it will lie when the next role is chosen, so tables in the middle of a phase
can be compared too. Of the other seats' hands only the size counts.
"""

from __future__ import annotations

from collections.abc import Sequence

from referee.games.sanjuan import roles, scoring
from referee.games.sanjuan.cards import CITY, FIRST_EVENT, NAMES
from referee.games.sanjuan.flow import plots_of
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
    found = own_city(st, seat)
    found += hand_features(st, seat, st.hand[seat])
    found += [UNKNOWN] * coming
    found.append(size_feature(len(st.hand[seat]) + coming))
    others = [other for other in range(len(st.seats)) if other != seat]
    for other in others:
        found += other_seat(st, other)
    points = [scoring.points(st, other) for other in others]
    most = max(st.buildings(other) for other in range(len(st.seats)))
    found += comparison(most, scoring.points(st, seat) - max(points))
    return found + moment(st, seat)


def own_city(st: State, seat: int) -> list[int]:
    """Return the features of the seat's buildings and goods."""
    kind_of = st.cards.kind_of
    city = st.city[seat]
    found = [kind_of[card] for card in city if card != EMPTY]
    built = len(found)
    found += [_good + kind_of[city[plot]] for plot in plots_of(st.full_mask[seat])]
    found.append(_built + min(built, _BUILT - 1))
    return found


def other_seat(st: State, other: int) -> list[int]:
    """Return the features of what another seat has: buildings, goods, cards in hand, a library
    that is still to be used.
    """
    kind_of = st.cards.kind_of
    city = st.city[other]
    found = [_their_city + kind_of[card] for card in city if card != EMPTY]
    built = len(found)
    found += [_their_good + kind_of[city[plot]] for plot in plots_of(st.full_mask[other])]
    found.append(_their_size + min(len(st.hand[other]), LARGEST))
    found.append(_their_built + min(built, _BUILT - 1))
    if may_use_library(st, other):
        found.append(_their_library)
    return found


def comparison(most: int, lead: int) -> tuple[int, int]:
    """Return the features of the most buildings that any seat has, and of the seat's lead in
    points.
    """
    return _most_built + min(most, _BUILT - 1), _lead + max(0, min(lead + _MIDDLE, _LEADS - 1))


def size_feature(cards: int) -> int:
    """Return the feature of so many cards in the seat's own hand."""
    return SIZE + min(cards, LARGEST)


def may_use_library(st: State, seat: int) -> bool:
    """Return True if the seat has a library, and has not used it in this round."""
    return bool(st.own_mask[seat] & roles.LIBRARY) and not st.library_used >> seat & 1


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


def moment(st: State, seat: int) -> list[int]:
    """Return the features of the turn that comes next, the roles that are gone, what the seat may
    use once, the events that lie open, and the rule set.
    """
    found = _turn_features(st, seat)
    if may_use_library(st, seat):
        found.append(_library)
    if st.bank_used >> seat & 1:
        found.append(_bank)
    cards = st.cards
    found += [_events + cards.kind_of[card] - FIRST_EVENT for card in st.face_up]
    if cards.edition == "2004":
        found.append(_edition)
    if cards.beside:
        found.append(_set)
    if cards.total > cards.plain:
        found.append(_set + 1)
    return found


def _turn_features(st: State, seat: int) -> list[int]:
    """Return whose turn comes next, which one of the round it is, and the roles that are gone."""
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
    found = [_turn + 4 * place + (turn - 1 & 3)]
    found += [_used + 4 * role + place for role in range(5) if used >> role & 1]
    return found
