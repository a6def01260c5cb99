"""The public table as text for a terminal: what a player wants to see of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.games.xanadu.deck import Deck
from referee.games.xanadu.deckfile import COLOURS
from referee.games.xanadu.state import FULL


def lines(cards: Deck, table: Mapping[str, Any], seat: str | None) -> list[str]:
    """The table of a game as text, `seat` being the reader's own."""
    rest = table["deck"] + table.get("last", 0)
    last = ", the End card among the last" if table.get("last") else ""
    text = [
        f"Round {table['round']}, turn of {table['active']}"
        if "asking" in table
        else f"The game ended in round {table['round']}",
        f"Draw pile {rest} (pass {table['pass']} of {table['passes']}{last}), "
        f"discards {len(table['discards'])}",
    ]
    if table["idle"] and "asking" in table:
        turns = "a turn" if table["idle"] == 1 else f"{table['idle']} turns"
        text.append(f"Nothing has happened for {turns}")
    for row in table["seats"]:
        mine = " (you)" if row["name"] == seat else ""
        wins = ", wins" if row.get("wins") else ""
        text.append(
            f"{row['name']}{mine}: {row['coins']} tong bao, hand {row['hand']}, "
            f"buildings {len(row['city'])}{wins}"
        )
        text += [_building(cards, building) for building in row["city"]]
    return text


def _building(cards: Deck, building: Mapping[str, Any]) -> str:
    """`1 barracks 6 → 4: bronze, stone`: the price now and with one more worker, and its gain."""
    card = cards.number[building["card"]]
    crew = len(building["workers"])
    price = building["price"]
    then = price - cards.prices[card][crew] + cards.prices[card][crew + 1]
    gain = cards.told(cards.gives[card][crew])
    favour = cards.favours[card][crew]
    more = f" + {cards.told(favour)}" if favour else ""
    owned = cards.income[card][crew]
    has = f", owner has {cards.told(owned)}" if owned else ""
    return (
        f"  {building['plot']:>2} {building['card']} {price} → {then}: {gain}{more}"
        f" ({crew} of {FULL}{has})"
    )


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
        f"{COLOURS[cards.colour[card]]}, costs {cards.told(cards.cost[card])}{passive}: "
        f"{' | '.join(fields)} | {cards.prices[card][FULL]}"
    )
