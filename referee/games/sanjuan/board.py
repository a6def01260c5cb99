"""The cards and the public table of San Juan as the terminal and the page draw them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from referee.games.board import ASKED, Board, Building, Face, Fact, Item, Mark, Place, Row, Sheet
from referee.games.sanjuan import sheet
from referee.games.sanjuan.cards import (
    EVENTS,
    FIRST_EVENT,
    GOODS,
    HOLDERS,
    KINDS,
    MONUMENTS,
    NAMES,
    PRODUCTION,
    Cards,
)
from referee.games.sanjuan.state import ROLES, State

_COLOURS = ("blue", "white", "yellow", "red", "cyan")
"""Of the production buildings; all others are violet."""
_BESIDE = (
    ("beside", "For anyone"),
    ("turned", "Turned over"),
    ("removed", "Gone"),
)
_MARKS = (("library-used", "library used"), ("bank-used", "bank used"))
_BONUS_COST = 6
"""A building that is neither a monument nor cheaper than this one scores for others."""


def faces(cards: Cards, colours: Mapping[str, Sequence[str]]) -> dict[str, Face]:
    """Return every card of a rule set as it is printed, in the colours of its group."""
    kinds = [(name, kind) for name, kind in KINDS.items() if cards.first[kind] >= 0]
    printed = [
        (name, str(cards.cost[kind]), str(cards.points[kind]), _group(cards, kind))
        for name, kind in kinds
    ]
    printed += [(name, "", "", "event") for name in EVENTS if cards.events()]
    return {
        name: Face(cost, points, group, name, tuple(colours[group]))
        for name, cost, points, group in printed
    }


def _group(cards: Cards, kind: int) -> str:
    if PRODUCTION >> kind & 1:
        return _good(NAMES[kind])
    if MONUMENTS >> kind & 1:
        return "monument"
    return "bonus" if cards.cost[kind] >= _BONUS_COST else "city"


def _good(plant: str) -> str:
    """Return the good that a production building makes."""
    return plant.partition("-")[0]


def board(cards: Cards, st: State, table_: Mapping[str, Any], said: Sequence[str]) -> Board:
    """Return the table of a public state, and what the log tells: roles taken, the last prices."""
    takers, tile = this_round(said)
    rows = [Row("roles", "Roles", tuple(_role(role, table_, takers) for role in ROLES))]
    if "tile" in table_:
        rows.append(Row("prices", "Prices", _prices(table_["tile"])))
    elif tile:
        rows.append(Row("last-prices", "Last prices", _prices(tile)))
    piles = [Fact(key, table_[key], f"{key} {table_[key]}") for key in ("deck", "discards")]
    rows.append(Row("", "Cards", (), tuple(piles)))
    if "events" in table_:
        count = table_["events-in-deck"]
        hidden = Fact("events-in-deck", count, f"{count} still in the deck", free=False)
        rows.append(Row("events", "Events", tuple(map(Item, table_["events"])), (hidden,)))
    rows += [
        Row(key, label, tuple(map(Item, table_[key])), free=key != "removed")
        for key, label in _BESIDE
        if table_.get(key)
    ]
    put = sheet.put_away(said)
    away: Counter[tuple[str, str]] = Counter()
    for (seat, _, plot), count in put.items():
        away[seat, plot] += count
    places = [
        _place(cards, table_, row, own, away)
        for row, own in zip(table_["seats"], sheet.of_state(st, said, put), strict=True)
    ]
    return Board(_heading(table_), table_["round"], tuple(rows), tuple(places))


def this_round(said: Sequence[str]) -> tuple[dict[str, list[str]], str]:
    """Return who took which role in this round, and the tile that was turned last."""
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
    return Item(role, "", ", ".join(takers.get(role, ())) or ("" if free else "taken"), free)


# There are few tiles, and one of them lies on the table at each step.
@lru_cache(maxsize=16)
def _prices(tile: str) -> tuple[Item, ...]:
    return tuple(Item(_good(name), price) for name, price in zip(NAMES, tile, strict=False))


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


def _place(
    cards: Cards,
    table_: Mapping[str, Any],
    row: Mapping[str, Any],
    own: Sheet,
    away: Mapping[tuple[str, str], int],
) -> Place:
    name, running = row["name"], "asking" in table_
    marks = []
    if table_["governor"] == name:
        marks.append(Mark("governor", "governor" if running else ""))
    if table_["chooser"] == name and running:
        marks.append(Mark(text="chooser"))
    marks += [Mark(text=words) for key, words in _MARKS if name in table_.get(key, ())]
    if name in table_.get("waiting", ()):
        marks.append(Mark(ASKED))
    if row.get("wins"):
        marks.append(Mark("wins", "wins"))
    drawn = f" + {row['drawn']} drawn" if "drawn" in row else ""
    count = len(row["city"])
    sure = "" if all(points is not None for _, points in own.parts) else " or more"
    points = f"{own.points} point{'' if own.points == 1 else 's'}{sure}"
    facts = [Fact("hand", row["hand"], f"hand {row['hand']}{drawn}")]
    facts += [Fact("drawn", row["drawn"])] if drawn else []
    facts.append(Fact("buildings", count, f"{count} building{'' if count == 1 else 's'}"))
    facts.append(Fact("points", own.points, points))
    city = [_building(cards, one, away.get((name, str(one["plot"])), 0)) for one in row["city"]]
    hand = row["hand"] + row.get("drawn", 0)
    return Place(name, tuple(marks), tuple(facts), tuple(city), hand)


def colour(kind: int) -> str:
    """Return the colour of a kind of card: that of its good, or violet; none for events."""
    if kind < GOODS:
        return _COLOURS[kind]
    return "magenta" if kind < FIRST_EVENT else ""


def _building(cards: Cards, building: Mapping[str, Any], away: int) -> Building:
    """Return a building under which `away` cards were put away."""
    good, over = int(building.get("good", False)), tuple(building.get("over", ()))
    return _standing(cards, building["plot"], building["card"], good, over, away)


# On a page of a whole game the same buildings stand for many steps.
@lru_cache(maxsize=1024)
def _standing(
    cards: Cards, plot: int, name: str, good: int, over: tuple[str, ...], away: int
) -> Building:
    kind = KINDS[name]
    return Building(
        plot,
        name,
        f"{cards.cost[kind]}/{cards.points[kind]}",
        colour(kind),
        good,
        HOLDERS >> kind & 1,
        "good",
        f"over {', '.join(over)}" if over else "",
        len(over) + away,
    )
