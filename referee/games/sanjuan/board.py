"""The cards and the public table of San Juan as the terminal and the page draw them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from referee.games.board import ASKED, Board, Building, Face, Fact, Item, Mark, Place, Row, Sheet
from referee.games.interface import Game, Onlooker, Rules
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
from referee.games.sanjuan.game import SanJuan
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


class SanJuanOnlooker(Onlooker):
    """Knows from the log what a table does not say: who took which role, prices, cards put away.

    From one step to the next most cities are as they were, so that they are kept.
    """

    def __init__(self, rules: Rules) -> None:
        super().__init__(rules)
        self._told = False
        self._takers: dict[str, list[str]] = {}
        """The seats that took the roles in this round."""
        self._tile = ""
        """The tile that was turned last."""
        self._stores = sheet.Stores()
        self._counted: tuple[object, list[Sheet]] = None, []
        self._cities: dict[str, tuple[object, tuple[Building, ...]]] = {}

    def hear(self, lines: Sequence[str]) -> None:
        """Take in the next lines of the log; see Onlooker."""
        self._told = self._told or bool(lines)
        self._stores.hear(lines)
        for line in lines:
            word, *rest = line.split(" ")
            if word == "round":
                self._takers = {}
            elif word == "role":
                self._takers.setdefault(rest[1], []).append(rest[0])
            elif word == "tile":
                self._tile = rest[0]

    def board(self, game: Game) -> Board:
        """Return the board of a game, whose state need not be read back from its table."""
        assert isinstance(game, SanJuan)
        return self.draw(game.state, game.table())

    def draw(self, st: State, table_: Mapping[str, Any]) -> Board:
        """Return the board of a public state, which is what the table says."""
        rows = [Row("roles", "Roles", tuple(_role(role, table_, self._takers) for role in ROLES))]
        if "tile" in table_:
            rows.append(Row("prices", "Prices", _prices(table_["tile"])))
        elif self._tile:
            rows.append(Row("last-prices", "Last prices", _prices(self._tile)))
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
        places = [
            _place(table_, row, own, self._city(st.cards, row))
            for row, own in zip(table_["seats"], self._sheets(st), strict=True)
        ]
        return Board(_heading(table_), table_["round"], tuple(rows), tuple(places))

    def _sheets(self, st: State) -> list[Sheet]:
        """Return the points that every seat has now; ties are still to come."""
        away = self._stores.away
        basis = self._told, [city[:] for city in st.city], st.over, dict(away)
        if basis != self._counted[0]:
            self._counted = basis, sheet.of_state(st, away, told=self._told)
        return self._counted[1]

    def _city(self, cards: Cards, row: Mapping[str, Any]) -> tuple[Building, ...]:
        """Return the buildings of a seat, with those under which cards were put away."""
        name, stands = row["name"], row["city"]
        away: dict[str, int] = {}
        for (seat, _, plot), count in self._stores.away.items():
            if seat == name:
                away[plot] = away.get(plot, 0) + count
        if name not in self._cities or self._cities[name][0] != (stands, away):
            city = [_building(cards, one, away.get(str(one["plot"]), 0)) for one in stands]
            self._cities[name] = (stands, away), tuple(city)
        return self._cities[name][1]


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
    table_: Mapping[str, Any], row: Mapping[str, Any], own: Sheet, city: tuple[Building, ...]
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
    hand = row["hand"] + row.get("drawn", 0)
    return Place(name, tuple(marks), tuple(facts), city, hand)


def colour(kind: int) -> str:
    """Return the colour of a kind of card: that of its good, or violet; none for events."""
    if kind < GOODS:
        return _COLOURS[kind]
    return "magenta" if kind < FIRST_EVENT else ""


def _building(cards: Cards, building: Mapping[str, Any], away: int) -> Building:
    """Return a building under which `away` cards were put away."""
    good, over = int(building.get("good", False)), tuple(building.get("over", ()))
    plot, name = building["plot"], building["card"]
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
