"""The public table: what everybody sees, written for people and read back for views."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from referee.games.errors import NotUnderstood
from referee.games.fields import Fields
from referee.games.flat import unshuffled
from referee.games.sanjuan import flow, scoring, trader
from referee.games.sanjuan.cards import EVENTS, HOLDERS, KINDS, NAMES, TILES, Cards
from referee.games.sanjuan.state import (
    EMPTY,
    KIND_NAMES,
    KINDS_OF,
    MINE,
    NOTHING,
    OVER,
    PHASES,
    ROLES,
    TRADER,
    State,
)
from referee.games.values import Held


def write(st: State) -> dict[str, Any]:
    """Write the public state as strings, numbers, lists and tables."""
    seats = st.seats
    over = st.kind == NOTHING
    table: dict[str, Any] = {
        "round": st.round,
        "governor": seats[st.governor],
        "turn": st.turn,
        "chooser": seats[st.chooser],
        "phase": PHASES[st.phase],
        "used": [role for number, role in enumerate(ROLES) if st.roles_used >> number & 1],
    }
    if not over:
        table["asking"] = KIND_NAMES[st.kind]
        table["waiting"] = [seats[seat] for seat in flow.waiting(st)]
    table["doubled"] = st.library
    table["library-used"] = [name for seat, name in enumerate(seats) if st.library_used >> seat & 1]
    if st.phase == TRADER:
        table["tile"] = TILES[trader.current_tile(st)]
    table["deck"] = len(st.deck) - st.next
    table["discards"] = len(st.discards)
    _write_expansions(st, table)
    table["seats"] = [_write_seat(st, seat) for seat in range(len(seats))]
    if over:
        for row, score in zip(table["seats"], scoring.scores(st), strict=True):
            row |= {"points": score.points, "tie": score.tie, "wins": score.wins}
    return table


def _write_expansions(st: State, table: dict[str, Any]) -> None:
    """Write what only some rule sets have on the table."""
    names = st.cards.name
    if st.turned:
        table["turned"] = [names(card) for card in st.turned]
    if st.cards.events():
        table["events"] = [names(card) for card in st.face_up]
        table["events-in-deck"] = st.events_left
    if st.cards.beside:
        table["beside"] = [names(card) for card in st.beside]
        table["bank-used"] = [
            seat for index, seat in enumerate(st.seats) if st.bank_used >> index & 1
        ]
    if st.removed:
        table["removed"] = [names(card) for card in st.removed]


def _write_seat(st: State, seat: int) -> dict[str, Any]:
    names = st.cards.name
    drawn = st.drawn[seat]
    row: dict[str, Any] = {"name": st.seats[seat], "hand": len(st.hand[seat]) - drawn}
    if drawn:
        row["drawn"] = drawn
    city: list[dict[str, Any]] = []
    full = st.full_mask[seat]
    for plot, card in enumerate(st.city[seat]):
        if card == EMPTY:
            continue
        building: dict[str, Any] = {"plot": plot + 1, "card": names(card)}
        if HOLDERS >> st.cards.kind_of[card] & 1:
            building["good"] = bool(full >> plot & 1)
        if st.over:
            below = [names(c) for owner, spot, c in st.over if owner == seat and spot == plot]
            if below:
                building["over"] = below
        city.append(building)
    if st.city[seat][-1:] == [EMPTY]:
        row["plots"] = len(st.city[seat])
    row["city"] = city
    return row


def read(
    cards: Cards, seats: Sequence[str], table: Mapping[str, Any], seat: str, hand: Sequence[Held]
) -> State:
    """Read the state as one seat may know it: its own hand, and any cards for hidden ones.

    Raises NotUnderstood, naming the key, when this is not a table of San Juan.
    """
    fields = Fields(table, "table")
    names = list(seats)
    if seat not in names:
        raise NotUnderstood(f"there is no seat {seat!r}")
    st = State.opening(cards, names, unshuffled)
    st.round = fields.number("round", 0, 99_999)
    st.governor = fields.one_of("governor", names)
    st.turn = fields.number("turn", 0, 99)
    st.chooser = fields.one_of("chooser", names)
    st.phase = fields.one_of("phase", PHASES)
    st.roles_used = sum(1 << role for role in fields.some_of("used", ROLES))
    st.library = fields.flag("doubled")
    st.library_used = sum(1 << index for index in fields.some_of("library-used", names))
    if st.phase == TRADER:
        st.tiles = (fields.one_of("tile", TILES),)
        st.tile = 1
    st.deck = (0,) * fields.number("deck", 0, cards.total)
    st.discards = [0] * fields.number("discards", 0, cards.total)
    _read_expansions(st, fields)
    rows = fields.rows("seats", 8)
    if len(rows) != len(names):
        raise fields.wrong("seats")
    for index, row in enumerate(rows):
        if row.table.get("name") != names[index]:
            raise row.wrong("name")
        _read_seat(st, index, row)
    _read_asked(st, fields)
    own = names.index(seat)
    if len(hand) != len(st.hand[own]):
        raise NotUnderstood(f"table.seats.hand says {len(st.hand[own])}, the hand has {len(hand)}")
    st.hand[own] = [_card(cards, card.name) for card in hand]
    return st


def _read_expansions(st: State, fields: Fields) -> None:
    first = st.cards.first
    apart = [NAMES[st.cards.kind_of[card]] for card in st.cards.beside]
    events = EVENTS if st.cards.events() else ()
    if events:
        st.face_up = tuple(st.cards.events()[event] for event in fields.some_of("events", events))
        st.events_left = fields.number("events-in-deck", 0, len(events))
    if apart:
        st.beside = tuple(st.cards.beside[place] for place in fields.some_of("beside", apart))
        st.bank_used = sum(1 << index for index in fields.some_of("bank-used", st.seats))
    gone = [*events, *apart]
    cards = (*st.cards.events(), *st.cards.beside)
    st.removed = tuple(cards[place] for place in fields.some_of("removed", gone, ()))
    # Nearly always nothing is turned over.
    if "turned" in fields.table:
        dealt = [name for kind, name in enumerate(NAMES) if st.cards.deals(kind)]
        turned = fields.some_of("turned", dealt)
        st.turned = tuple(first[KINDS[dealt[place]]] for place in turned)


def _card(cards: Cards, name: object) -> int:
    first = cards.first[KINDS[name]] if isinstance(name, str) and name in KINDS else -1
    if first < 0:
        raise NotUnderstood(f"there is no card {name!r} in this game")
    return first


def _read_seat(st: State, seat: int, row: Fields) -> None:
    total = st.cards.total
    drawn = row.number("drawn", 0, total, 0)
    st.drawn[seat] = drawn
    st.hand[seat] = [0] * (row.number("hand", 0, total) + drawn)
    plots = row.number("plots", 0, 99, 0)
    for building in row.rows("city", 99):
        plot = building.number("plot", 0, 99) - 1
        if plot < len(st.city[seat]):
            raise building.wrong("plot")
        st.clear(seat, plot)
        card = _card(st.cards, building.table.get("card"))
        good = building.flag("good", False)
        if good and not HOLDERS >> st.cards.kind_of[card] & 1:
            raise building.wrong("good")
        st.lay(seat, card, 0 if good else EMPTY)
        below = building.table.get("over", [])
        if not isinstance(below, list | tuple):
            raise building.wrong("over")
        st.over += tuple((seat, plot, _card(st.cards, name)) for name in below)
    st.clear(seat, plots)


def _read_asked(st: State, fields: Fields) -> None:
    if st.phase == OVER:
        st.kind = NOTHING
        return
    st.kind = fields.one_of("asking", KIND_NAMES)
    if st.kind not in KINDS_OF[st.phase]:
        raise fields.wrong("asking")
    waiting = fields.some_of("waiting", st.seats)
    if not waiting:
        raise fields.wrong("waiting")
    if (st.kind == MINE) != bool(st.turned):
        raise fields.wrong("turned")
    st.actor = waiting[0]
    st.asked = sum(1 << seat for seat in waiting)


def prices(tile: str) -> str:
    """Return the prices of a tile in words: `indigo 1, sugar 1, …`."""
    goods = (name.partition("-")[0] for name in NAMES)
    return ", ".join(f"{good} {price}" for good, price in zip(goods, tile, strict=False))
