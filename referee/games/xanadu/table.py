"""The public table: what everybody sees, written for programs and read back for views."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from referee.games.errors import NotUnderstood
from referee.games.fields import Fields
from referee.games.values import Held
from referee.games.xanadu import ending
from referee.games.xanadu.state import (
    FULL,
    HAND,
    KIND_NAMES,
    NOTHING,
    OPENING,
    RESET,
    State,
    worker,
)


def write(st: State) -> dict[str, Any]:
    """Write the public state as strings, numbers, lists and tables."""
    names = st.cards.names
    table: dict[str, Any] = {"round": st.round, "active": st.seats[st.active]}
    if st.kind != NOTHING:
        table["asking"] = KIND_NAMES[st.kind]
        table["waiting"] = [st.seats[seat] for seat in st.waiting()]
        if st.need:
            table["need"] = st.need
    table["passes"] = st.passes
    table["pass"] = st.epoch + 1
    table["deck"] = len(st.deck) - st.next
    if st.buried:
        table["last"] = len(st.end_pile) - st.end_next
    table["idle"] = st.idle_turns
    table["discards"] = [names[card] for card in st.discards]
    table["seats"] = [_write_seat(st, seat) for seat in range(len(st.seats))]
    if st.kind == NOTHING:
        for row, score in zip(table["seats"], ending.scores(st), strict=True):
            row["wins"] = score.wins
    return table


def _write_seat(st: State, seat: int) -> dict[str, Any]:
    city = [
        {
            "plot": plot,
            "card": st.cards.names[building[0]],
            "price": st.price(building),
            "workers": [st.seats[placed & 7] for placed in building[1]],
        }
        for plot, building in st.city[seat].items()
    ]
    return {
        "name": st.seats[seat],
        "hand": len(st.hand[seat]),
        "coins": st.coins[seat],
        "plots": st.plots_used[seat],
        "city": city,
    }


def read(st: State, table: Mapping[str, Any], seat: str, hand: Sequence[Held]) -> State:
    """Fill a fresh state with what one seat may know, and any cards for hidden ones.

    Raises NotUnderstood, naming the key, when this is not a table of Xanadu.
    """
    fields = Fields(table, "table")
    cards = st.cards
    if seat not in st.seats:
        raise NotUnderstood(f"there is no seat {seat!r}")
    st.round = fields.number("round", 1, 99_999)
    st.active = st.actor = fields.one_of("active", st.seats)
    st.passes = fields.number("passes", 2, 3)
    st.epoch = fields.number("pass", 1, st.passes) - 1
    st.deck = (0,) * fields.number("deck", 0, cards.total)
    if "last" in table:
        st.end_pile = (0,) * fields.number("last", 0, cards.total)
    st.idle_turns = fields.number("idle", 0, 99)
    st.discards = fields.many_of("discards", cards.names[: cards.total], cards.total)
    rows = fields.rows("seats", 8)
    if len(rows) != len(st.seats):
        raise fields.wrong("seats")
    for index, row in enumerate(rows):
        if row.table.get("name") != st.seats[index]:
            raise row.wrong("name")
        _read_seat(st, index, row)
    _read_asked(st, fields)
    own = st.seats.index(seat)
    if len(hand) != len(st.hand[own]):
        raise NotUnderstood(f"table.seats.hand says {len(st.hand[own])}, the hand has {len(hand)}")
    numbers = [cards.number.get(card.name, cards.end) for card in hand]
    for number, card in zip(numbers, hand, strict=True):
        if number == cards.end:
            raise NotUnderstood(f"there is no card {card.name!r} in this game")
    if len(set(numbers)) < len(numbers):
        raise NotUnderstood("a card is twice in the hand")
    st.hand[own] = numbers
    return st


def _read_seat(st: State, seat: int, row: Fields) -> None:
    cards = st.cards
    st.hand[seat] = [0] * row.number("hand", 0, HAND + 1)
    st.coins[seat] = row.number("coins", 0, 1_000_000)
    st.plots_used[seat] = row.number("plots", 0, 999)
    last = 0
    for building in row.rows("city", st.city_limit):
        plot = building.number("plot", last + 1, st.plots_used[seat])
        last = plot
        card = building.one_of("card", cards.names[: cards.total])
        crew = building.many_of("workers", st.seats, FULL - 1)
        st.city[seat][plot] = (card, tuple(worker(0, placer) for placer in crew))
        building.number("price", *[st.price(st.city[seat][plot])] * 2)


def _read_asked(st: State, fields: Fields) -> None:
    if "asking" not in fields.table:
        st.kind = NOTHING
        return
    st.kind = fields.one_of("asking", KIND_NAMES)
    waiting = fields.many_of("waiting", st.seats, len(st.seats))
    opens = st.kind in (OPENING, RESET)
    if not waiting or len(set(waiting)) < len(waiting) or not (opens or waiting == [st.active]):
        raise fields.wrong("waiting")
    st.actor = waiting[0]
    st.asked = sum(1 << seat for seat in waiting)
    if opens:
        st.need = fields.number("need", 1, 2)
