"""The public table as a board: what a player wants to see of it at a glance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from referee.games.board import Board, Building, Item, Place, Row, Sheet
from referee.games.sanjuan import sheet, table
from referee.games.sanjuan.cards import EVENTS, FIRST_EVENT, GOODS, HOLDERS, KINDS, Cards
from referee.games.sanjuan.state import ROLES

_COLOURS = ("blue", "white", "yellow", "red", "cyan")
"""Of the production buildings; all others are violet."""
_BESIDE = (
    ("beside", "For anyone"),
    ("turned", "Turned over"),
    ("removed", "Gone"),
)


def board(cards: Cards, table_: Mapping[str, Any], said: Sequence[str]) -> Board:
    """The table, with what the lines of the log tell more: who took which role, the last prices."""
    st = sheet.state_of(cards, table_)
    takers, tile = this_round(said)
    rows = [Row("Roles", tuple(_role(role, table_, takers) for role in ROLES))]
    if "tile" in table_ or tile:
        label = "Prices" if "tile" in table_ else "Last prices"
        rows.append(Row(label, _prices(table_.get("tile", tile))))
    rows.append(
        Row("Cards", (Item(f"deck {table_['deck']}"), Item(f"discards {table_['discards']}")))
    )
    if "events" in table_:
        hidden = Item(f"{table_['events-in-deck']} still in the deck", free=False)
        rows.append(Row("Events", (*(Item(event) for event in table_["events"]), hidden)))
    rows += [
        Row(label, tuple(Item(name, free=key != "removed") for name in table_[key]))
        for key, label in _BESIDE
        if table_.get(key)
    ]
    scored = sheet.of_state(st, said)
    places = [
        _place(cards, table_, row, one) for row, one in zip(table_["seats"], scored, strict=True)
    ]
    return Board(_heading(table_), tuple(rows), tuple(places))


def this_round(said: Sequence[str]) -> tuple[dict[str, list[str]], str]:
    """Who took which role in this round, and the tile that was turned last."""
    takers: dict[str, list[str]] = {}
    tile = ""
    running = True
    for line in reversed(said):
        word, *rest = line.split(" ")
        if word == "round":
            running = False
        elif word == "role" and running:
            takers.setdefault(rest[1], []).insert(0, rest[0])
        elif word == "tile" and not tile:
            tile = rest[0]
        if tile and not running:
            break
    return takers, tile


def _role(role: str, table_: Mapping[str, Any], takers: Mapping[str, Sequence[str]]) -> Item:
    free = role not in table_["used"]
    return Item(role, ", ".join(takers.get(role, ())) or ("" if free else "taken"), free)


def _prices(tile: str) -> tuple[Item, ...]:
    return tuple(Item(text) for text in table.prices(tile).split(", "))


def _heading(table_: Mapping[str, Any]) -> str:
    phase, who, number = table_["phase"], table_["chooser"], table_["round"]
    more = " with the library" if table_["doubled"] else ""
    if phase in ROLES:
        return f"Round {number}: {who} is the {phase}{more}"
    if phase in EVENTS:
        return f"Round {number}: {who} has taken the event {phase}"
    return {
        "role": f"Round {number}: {who} chooses a role",
        "round-start": f"Round {number} begins",
        "draft": "The draft of the opening hands",
    }.get(phase, f"The game ended in round {number}")


def _place(cards: Cards, table_: Mapping[str, Any], row: Mapping[str, Any], own: Sheet) -> Place:
    name = row["name"]
    marks = [key for key in ("governor", "chooser") if table_[key] == name and "asking" in table_]
    marks += [
        words
        for key, words in (("library-used", "library used"), ("bank-used", "bank used"))
        if name in table_.get(key, ())
    ]
    if row.get("wins"):
        marks.append("wins")
    drawn = f" + {row['drawn']} drawn" if "drawn" in row else ""
    count = len(row["city"])
    sure = "" if all(points is not None for _, points in own.parts) else " or more"
    facts = (
        f"hand {row['hand']}{drawn}",
        f"{count} building{'' if count == 1 else 's'}",
        f"{own.points} point{'' if own.points == 1 else 's'}{sure}",
    )
    city = tuple(_building(cards, building) for building in row["city"])
    return Place(name, tuple(marks), facts, city)


def colour(kind: int) -> str:
    """The colour of a kind of card: that of its good, or violet; none for events."""
    if kind < GOODS:
        return _COLOURS[kind]
    return "magenta" if kind < FIRST_EVENT else ""


def _building(cards: Cards, building: Mapping[str, Any]) -> Building:
    name = building["card"]
    kind = KINDS[name]
    over = f"over {', '.join(building['over'])}" if "over" in building else ""
    return Building(
        building["plot"],
        name,
        f"{cards.cost[kind]}/{cards.points[kind]}",
        colour(kind),
        int(building.get("good", False)),
        HOLDERS >> kind & 1,
        "good",
        over,
    )
