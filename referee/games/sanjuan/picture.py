"""The table of San Juan as a picture needs it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from referee.games.interface import Held
from referee.games.picture import Board, Building, Face, Picture, Row, Side, Token
from referee.games.sanjuan import scoring, sheet, table
from referee.games.sanjuan.board import this_round
from referee.games.sanjuan.cards import EVENTS, HOLDERS, KINDS, MONUMENTS, NAMES, PRODUCTION, Cards
from referee.games.sanjuan.state import ROLES

if TYPE_CHECKING:
    from referee.games.sanjuan.rules import SanJuanRules

BONUS_COST = 6


class SanJuanPicture(Picture):
    """How a table of San Juan looks."""

    def __init__(self, rules: SanJuanRules) -> None:
        super().__init__(rules)
        self.cards: Cards = rules.cards

    def faces(self) -> dict[str, Face]:
        """Every card of the rule set."""
        cards = self.cards
        found = {
            name: Face(str(cards.cost[kind]), str(cards.points[kind]), _group(cards, kind), name)
            for name, kind in KINDS.items()
            if cards.first[kind] >= 0
        }
        if cards.events():
            found |= {name: Face("", "", "event", name) for name in EVENTS}
        return found

    def board(
        self,
        table_: Mapping[str, Any],
        points: Mapping[str, int] | None = None,
        said: Sequence[str] = (),
    ) -> Board:
        """The public table; without `points` those that can be counted on it."""
        facts: dict[str, int | str] = {"round": table_["round"]}
        facts |= {key: table_[key] for key in ("deck", "discards")}
        if "events-in-deck" in table_:
            facts["events-in-deck"] = table_["events-in-deck"]
        used, (takers, last) = table_["used"], this_round(said)
        roles = [Token(role, role in used, tuple(takers.get(role, ()))) for role in ROLES]
        rows = [Row("roles", roles)]
        if tile := table_.get("tile", last):
            names = [name.partition("-")[0] for name in NAMES]
            prices = [Token(f"{good} {price}") for good, price in zip(names, tile, strict=False)]
            rows.append(Row("prices" if "tile" in table_ else "last-prices", prices))
        for key in ("events", "beside", "turned", "removed"):
            if table_.get(key):
                rows.append(Row(key, [Token(name) for name in table_[key]]))
        known, away = points or _points(self.cards, table_), sheet.put_away(said)
        return Board(facts, rows, [_side(table_, row, known, away) for row in table_["seats"]])


def _group(cards: Cards, kind: int) -> str:
    if PRODUCTION >> kind & 1:
        return NAMES[kind].partition("-")[0]
    if MONUMENTS >> kind & 1:
        return "monument"
    return "bonus" if cards.cost[kind] >= BONUS_COST else "city"


def _side(
    table_: Mapping[str, Any],
    row: Mapping[str, Any],
    points: Mapping[str, int],
    away: Mapping[tuple[str, str, str], int],
) -> Side:
    name = row["name"]
    facts = {"points": row.get("points", points[name]), "hand": row["hand"]}
    if "drawn" in row:
        facts["drawn"] = row["drawn"]
    facts["buildings"] = len(row["city"])
    badges = ["governor"] if table_["governor"] == name else []
    badges += ["asked"] if name in table_.get("waiting", ()) else []
    badges += ["wins"] if row.get("wins") else []
    below: dict[str, int] = {}
    for (seat, _, plot), count in away.items():
        if seat == name:
            below[plot] = below.get(plot, 0) + count
    city = [_building(one, below.get(str(one["plot"]), 0)) for one in row["city"]]
    return Side(name, facts, badges, city)


def _building(one: Mapping[str, Any], away: int) -> Building:
    """A building, with what it was built over and what was put away there."""
    mark = ""
    if HOLDERS >> KINDS[one["card"]] & 1:
        mark = "good" if one.get("good") else "empty"
    return Building(one["plot"], one["card"], mark, len(one.get("over", ())) + away)


def _points(cards: Cards, table_: Mapping[str, Any]) -> dict[str, int]:
    """What the buildings score as they lie; cards under them are not on the table."""
    rows: Sequence[Mapping[str, Any]] = table_["seats"]
    names = [row["name"] for row in rows]
    # Hands do not score, so any cards will do for that of the reader.
    hand = [Held("-", NAMES[0])] * (rows[0]["hand"] + rows[0].get("drawn", 0))
    st = table.read(cards, names, table_, names[0], hand)
    return {name: scoring.points(st, seat) for seat, name in enumerate(names)}


PICTURE = SanJuanPicture
