"""The cost and gain of an answer, as far as whoever gives it can know."""

from __future__ import annotations

from collections.abc import Sequence

from referee.games.sanjuan import builder, choices, councillor, flow, plays, producer, roles, trader
from referee.games.sanjuan.cards import KINDS, name_of
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
from referee.games.values import Choice

_OTHERWISE = {"over", "goods", "decline"}
"""Words of a build at another price than usual."""


def outlook(st: State, seat: int, choice: Choice, letters: Sequence[str]) -> str:
    """Return the note of a choice, with what would come of it."""
    words = choice.play.split(" ")
    if st.kind == ROLE and words[0] == "role":
        return _role(st, seat, ROLES.index(words[1]), "no-library" in words)
    if st.kind == SELL and choice.exact and words[0] == "sell":
        sold = plays.parse(st, seat, choice.play, letters)
        count = len(st.hand[seat]) + choices.sale_draw(st, seat, sold)
        return f"{choice.note}, then hold {count}"
    if st.kind == BUILD and words[0] == "build" and not _OTHERWISE.intersection(words):
        built = _build(st, seat, KINDS[words[1]])
        pay = choice.note if choice.note.startswith("pay") else ""
        return f"{built}; {pay}" if pay else built
    return choice.note


def _role(st: State, seat: int, role: int, plain: bool) -> str:
    library = not plain and roles.may_use_library(st, seat)
    more = 2 if library else 1
    gain = {
        BUILDER: f"build for {more} less",
        PRODUCER: f"{more} more good{'s' if library else ''}",
        TRADER: f"sell {more} more",
        COUNCILLOR: _council(st, seat, library),
        PROSPECTOR: f"draw {min(more, st.left()) or 'nothing'}",
    }[role]
    gain = f"{gain}, with the library" if library else gain
    # A role that brings its chooser less, or nothing, may be chosen to keep it from others.
    short = {PRODUCER: _little_room, TRADER: _few_goods}.get(role)
    lack = short(st, seat, 1 + more) if short else ""
    return f"{gain}; {lack}" if lack else gain


def _few_goods(st: State, seat: int, most: int) -> str:
    """Say how few goods the seat has, if it could sell more."""
    goods = st.full_mask[seat].bit_count()
    if goods >= most + flow.added(st.own_mask[seat], trader.MORE):
        return ""
    return f"you have only {_count(goods, 'good')}" if goods else "you have no good"


def _little_room(st: State, seat: int, most: int) -> str:
    """Say how little room or how few cards there are, if the seat could produce more."""
    room, cards = producer.empty_mask(st, seat).bit_count(), st.left()
    if not room:
        return "you have no room for one"
    if min(room, cards) >= most + flow.added(st.own_mask[seat], producer.MORE):
        return ""
    return (
        f"the piles have {_count(cards, 'card')} only"
        if cards < room
        else f"you have room for {room} only"
    )


def _count(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"


def _council(st: State, seat: int, library: bool) -> str:
    """Say what the councillor draws: first of all, but after the goods of buildings (C1, C2)."""
    goods = sum(
        councillor.lacks_good(st, owner, kind)
        for kind in councillor.STOCKED
        for owner in range(len(st.seats))
    )
    share = councillor.LIBRARY_SHARE if library else councillor.SHARE
    drawn = min(share, max(0, st.left() - goods))
    keep = min(drawn, councillor.keep_limit(st, seat))
    return f"draw {drawn}, keep {keep}" if drawn else "draw nothing"


def _build(st: State, seat: int, kind: int) -> str:
    """Return the likes of `for 4, leaves 1 card; poor house then draws 1`."""
    price = builder.price(st, seat, kind)
    own = 0 if kind in builder.beside(st) else 1
    left = len(st.hand[seat]) - price - own
    gain = f"for {price or 'nothing'}, leaves {_count(left, 'card')}"
    # What is paid lies in the discards before anything is drawn.
    cards = st.left() + price
    works = builder.working_mask(st, seat, EMPTY)
    for need, count, verb in builder.AFTER:
        drawn = min(count(st, seat, kind, left), cards) if works & need else 0
        if drawn:
            gain += f"; {name_of(need).replace('-', ' ')} {verb} {drawn}"
            left += drawn
            cards -= drawn
    return gain
