"""The public table as a board, and cards in a line: what a player wants to see of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.games.board import Board, Building, Item, Place, Row, Sheet
from referee.games.xanadu.deck import Deck
from referee.games.xanadu.state import FULL

_COLOURS = {
    "brown": "red",
    "blue": "blue",
    "yellow": "yellow",
    "green": "green",
    "red": "magenta",
    "purple": "magenta",
    "orange": "yellow",
    "turquoise": "cyan",
}
_OTHER = "white"


def board(cards: Deck, table: Mapping[str, Any]) -> Board:
    """The table of a game."""
    rest = table["deck"] + table.get("last", 0)
    last = ", the End card among the last" if table.get("last") else ""
    rows = [
        Row(
            "Cards",
            (
                Item(f"draw pile {rest} (pass {table['pass']} of {table['passes']}{last})"),
                Item(f"discards {len(table['discards'])}"),
            ),
        )
    ]
    over = "asking" not in table
    if table["idle"] and not over:
        turns = "a turn" if table["idle"] == 1 else f"{table['idle']} turns"
        rows.append(Row("Idle", (Item(f"nothing has happened for {turns}"),)))
    heading = (
        f"The game ended in round {table['round']}"
        if over
        else f"Round {table['round']}, turn of {table['active']}"
    )
    active = "" if over else table["active"]
    places = tuple(_place(cards, row, active) for row in table["seats"])
    return Board(heading, tuple(rows), places)


def _place(cards: Deck, row: Mapping[str, Any], active: str) -> Place:
    marks = ("active",) if row["name"] == active else ()
    if row.get("wins"):
        marks = ("wins",)
    facts = (f"{row['coins']} tong bao", f"hand {row['hand']}", f"buildings {len(row['city'])}")
    return Place(row["name"], marks, facts, tuple(_building(cards, one) for one in row["city"]))


def _building(cards: Deck, building: Mapping[str, Any]) -> Building:
    """`6 → 4: bronze, stone`: the price now and with one more worker, and what that one gains."""
    card = cards.number[building["card"]]
    crew = len(building["workers"])
    price = building["price"]
    then = price - cards.prices[card][crew] + cards.prices[card][crew + 1]
    gain = cards.told(cards.gives[card][crew])
    favour = cards.favours[card][crew]
    more = f" + {cards.told(favour)}" if favour else ""
    owned = cards.income[card][crew]
    return Building(
        building["plot"],
        building["card"],
        f"{price} → {then}: {gain}{more}",
        colour(cards, building["card"]),
        crew,
        FULL,
        "worker",
        f"owner has {cards.told(owned)}" if owned else "",
    )


def colour(cards: Deck, name: str) -> str:
    """The colour of a card on a board; "" when there is no such card."""
    card = cards.number.get(name, cards.end)
    return "" if card == cards.end else _COLOURS.get(cards.colours[cards.colour[card]], _OTHER)


def sheets(table: Mapping[str, Any]) -> list[Sheet]:
    """What every seat has, and what its buildings would sell for as the table lies."""
    found = []
    for row in table["seats"]:
        parts = [("tong bao", row["coins"])]
        if row["city"]:
            parts.append(("buildings as priced now", sum(one["price"] for one in row["city"])))
        found.append(Sheet(row["name"], tuple(parts), sum(count for _, count in parts)))
    return found


def facts(cards: Deck, name: str) -> str:
    """What is printed on a card, in one line; "" when there is no such card.

    Colour, cost, passive resource; then price and yield of each field from the bottom up, with the
    favour after a `+`; then the price when all fields are covered.
    """
    card = cards.number.get(name, cards.end)
    if card == cards.end:
        return ""
    fields = []
    for price, gives, favour in zip(
        cards.prices[card], cards.gives[card], cards.favours[card], strict=False
    ):
        gain = f" {cards.told(gives)}" if gives else ""
        more = f" + {cards.told(favour)}" if favour else ""
        fields.append(f"{price}{gain}{more}")
    owned = cards.income[card][0]
    passive = f", gives {cards.told(owned)} each turn" if owned else ""
    return (
        f"{cards.colours[cards.colour[card]]}, costs {cards.told(cards.cost[card])}{passive}: "
        f"{' | '.join(fields)} | {cards.prices[card][FULL]}"
    )
