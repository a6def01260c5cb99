"""The cards and the public table of Xanadu as the terminal and the page draw them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from referee.games.board import (
    ASKED,
    Board,
    Building,
    Face,
    Fact,
    Field,
    Item,
    Mark,
    Place,
    Row,
    Sheet,
)
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


def faces(cards: Deck, colours: Mapping[str, Sequence[str]]) -> dict[str, Face]:
    """Return every card of the deck: what it costs in resources, its fields and its prices."""
    return {cards.names[card]: _face(cards, card, colours) for card in range(cards.total)}


def _face(cards: Deck, card: int, colours: Mapping[str, Sequence[str]]) -> Face:
    needs = tuple(cards.listed(cards.cost[card]))
    group = cards.colours[cards.colour[card]]
    *prices, last = map(str, cards.prices[card])
    fields = [
        Field(price, tuple(cards.listed(gains)), tuple(cards.listed(favour)))
        for price, gains, favour in zip(prices, cards.gives[card], cards.favours[card], strict=True)
    ]
    return Face(
        cost=str(len(needs)),
        points=prices[0],
        group=group,
        icon=cards.names[card],
        colours=tuple(colours.get(group, ())),
        needs=needs,
        gives=tuple(cards.listed(cards.income[card][0])),
        fields=tuple(fields),
        last=last,
    )


def text_lines(cards: Deck, card: int, texts: Mapping[str, Mapping[str, str]]) -> list[str]:
    """Return what a card says: its cost, what its owner has, each field, and the last price."""
    sentences, labels = texts["sentences"], texts["labels"]

    def listed(bundle: int) -> str:
        counts = Counter(labels.get(one, one) for one in cards.listed(bundle))
        parts = [one if many == 1 else f"{many} {one}" for one, many in counts.items()]
        return ", ".join(parts) or sentences["nothing"]

    lines = [sentences["cost"].format(listed(cards.cost[card]))]
    if cards.income[card][0]:
        lines.append(sentences["owner"].format(listed(cards.income[card][0])))
    for field in range(FULL):
        gain, favour = listed(cards.gives[card][field]), cards.favours[card][field]
        sentence = sentences["favour" if favour else "field"]
        lines.append(sentence.format(field + 1, gain, listed(favour), cards.prices[card][field]))
    return [*lines, sentences["full"].format(cards.prices[card][FULL])]


def board(cards: Deck, table: Mapping[str, Any]) -> Board:
    """Return the table of a game."""
    rest, discards = table["deck"] + table.get("last", 0), len(table["discards"])
    last = ", the End card among the last" if table.get("last") else ""
    piles = (
        Fact("pass", f"{table['pass']}/{table['passes']}"),
        Fact("deck", rest, f"draw pile {rest} (pass {table['pass']} of {table['passes']}{last})"),
        Fact("discards", discards, f"discards {discards}"),
    )
    rows = [Row("", "Cards", (), piles)]
    asking = table.get("asking", "")
    if table["idle"] and asking:
        turns = "a turn" if table["idle"] == 1 else f"{table['idle']} turns"
        rows.append(Row("", "Idle", (Item(f"nothing has happened for {turns}"),)))
    number, turn = table["round"], f"it is {table['active']}'s turn"
    heading = {
        "opening": "All choose their first cards",
        "turn": f"Round {number}: {turn}",
        "after": f"Round {number}: {turn}, after a sale",
        "reset": f"Round {number}: all choose a card to begin anew with",
    }.get(asking, f"The game ended in round {number}")
    places = tuple(_place(cards, table, row) for row in table["seats"])
    return Board(heading, table["round"], tuple(rows), places)


def _place(cards: Deck, table: Mapping[str, Any], row: Mapping[str, Any]) -> Place:
    name, coins, hand, count = row["name"], row["coins"], row["hand"], len(row["city"])
    acts = name == table["active"] and table.get("asking") in ("turn", "after")
    marks = [Mark(text="to move")] if acts else []
    marks += [Mark(ASKED)] if name in table.get("waiting", ()) else []
    marks += [Mark("wins", "wins")] if row.get("wins") else []
    facts = (
        Fact("coins", coins, f"{coins} tong bao"),
        Fact("hand", hand, f"hand {hand}"),
        Fact("buildings", count, f"buildings {count}"),
    )
    city = tuple(_building(cards, one) for one in row["city"])
    return Place(name, tuple(marks), facts, city, hand)


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
        note=f"{price} · {crew}/{FULL}",
    )


def colour(cards: Deck, name: str) -> str:
    """The colour of a card on a board; "" when there is no such card."""
    card = cards.number.get(name, cards.end)
    return "" if card == cards.end else _COLOURS.get(cards.colours[cards.colour[card]], _OTHER)


def sheets(table: Mapping[str, Any]) -> list[Sheet]:
    """Return each seat's belongings, and what its buildings would sell for as the table lies."""
    found = []
    for row in table["seats"]:
        parts = [("tong bao", row["coins"])]
        if row["city"]:
            parts.append(("buildings as priced now", sum(one["price"] for one in row["city"])))
        found.append(Sheet(row["name"], tuple(parts), sum(count for _, count in parts)))
    return found


def facts(cards: Deck, name: str) -> str:
    """Return what is printed on a card, in one line; "" when there is no such card.

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
