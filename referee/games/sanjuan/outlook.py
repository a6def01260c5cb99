"""What an answer would cost or bring, as far as whoever gives it can know."""

from __future__ import annotations

from collections.abc import Sequence

from referee.games.interface import Choice
from referee.games.sanjuan import builder, plays, producer, roles, trader
from referee.games.sanjuan.cards import CITY, KINDS, bit
from referee.games.sanjuan.state import (
    BUILD,
    BUILDER,
    COUNCILLOR,
    EMPTY,
    PRODUCER,
    PROSPECTOR,
    ROLE,
    ROLES,
    SELL,
    TRADER,
    State,
)

_CARPENTER, _POOR_HOUSE, _PREFECTURE = bit("carpenter"), bit("poor-house"), bit("prefecture")
_OTHERWISE = {"over", "goods", "decline"}
"""Words of a build whose price is not the plain one."""


def outlook(st: State, seat: int, choice: Choice, letters: Sequence[str]) -> str:
    """The note of a choice, with what would come of it."""
    words = choice.play.split(" ")
    if st.kind == ROLE and words[0] == "role":
        return _role(st, seat, ROLES.index(words[1]), "no-library" in words)
    if st.kind == SELL and choice.exact and words[0] == "sell":
        sold = plays.parse(st, seat, choice.play, letters)
        count = len(st.hand[seat]) + trader.worth(st, seat, sold)
        return f"{choice.note}, then hold {count}"
    if st.kind == BUILD and words[0] == "build" and not _OTHERWISE.intersection(words):
        built = _build(st, seat, KINDS[words[1]])
        pay = choice.note if choice.note.startswith("pay") else ""
        return f"{built}; {pay}" if pay else built
    return choice.note


def _role(st: State, seat: int, role: int, plain: bool) -> str:
    library = not plain and roles.has_library(st, seat)
    more = 2 if library else 1
    keep = 2 if st.own[seat] & _PREFECTURE else 1
    said = {
        BUILDER: f"build for {more} less",
        PRODUCER: f"{more} more good{'s' if library else ''}",
        TRADER: f"sell {more} more",
        COUNCILLOR: f"draw {8 if library else 5}, keep {keep}",
        PROSPECTOR: f"draw {more}",
    }[role]
    said = f"{said}, with the library" if library else said
    # A role that brings its chooser nothing may be chosen all the same, to keep it from others.
    if role == TRADER and not st.full[seat]:
        return f"{said}; you have no good"
    if role == PRODUCER and not producer.empty(st, seat):
        return f"{said}; you have no room for one"
    return said


def _build(st: State, seat: int, kind: int) -> str:
    """`for 4, leaves 1 card; poor house then draws 1`."""
    price = builder.price(st, seat, kind)
    own = 0 if kind in builder.beside(st) else 1
    left = len(st.hand[seat]) - price - own
    said = f"for {price or 'nothing'}, leaves {left} card{'' if left == 1 else 's'}"
    works = builder.works(st, seat, EMPTY)
    if works & _CARPENTER and CITY >> kind & 1:
        said += "; carpenter draws 1"
        left += 1
    if works & _POOR_HOUSE and left <= 1:
        said += "; poor house then draws 1"
    return said
