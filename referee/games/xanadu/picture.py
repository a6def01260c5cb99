"""The table of Xanadu as a picture needs it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from referee.games.picture import FALLBACK, Board, Building, Face, Field, Picture, Row, Side, texts
from referee.games.xanadu.deck import Deck
from referee.games.xanadu.state import FULL

if TYPE_CHECKING:
    from referee.games.xanadu.rules import XanaduRules


class XanaduPicture(Picture):
    """How a table of Xanadu looks."""

    scale = "coins"

    def __init__(self, rules: XanaduRules) -> None:
        super().__init__(rules)
        self.cards: Deck = rules.cards

    def faces(self) -> dict[str, Face]:
        """Every card of the deck: what it costs in resources, and its first price."""
        cards = self.cards
        return {cards.names[card]: self._face(card) for card in range(cards.total)}

    def _face(self, card: int) -> Face:
        cards = self.cards
        needs = tuple(cards.listed(cards.cost[card]))
        *prices, last = map(str, cards.prices[card])
        fields = [
            Field(price, tuple(cards.listed(gains)), tuple(cards.listed(favour)))
            for price, gains, favour in zip(
                prices, cards.gives[card], cards.favours[card], strict=True
            )
        ]
        return Face(
            cost=str(len(needs)),
            points=prices[0],
            group=cards.colours[cards.colour[card]],
            icon=cards.names[card],
            needs=needs,
            gives=tuple(cards.listed(cards.income[card][0])),
            fields=tuple(fields),
            last=last,
        )

    def board(
        self,
        table: Mapping[str, Any],
        points: Mapping[str, int] | None = None,
        said: Sequence[str] = (),
    ) -> Board:
        """The public table."""
        facts: dict[str, int | str] = {
            "round": table["round"],
            "pass": f"{table['pass']}/{table['passes']}",
            "deck": table["deck"] + table.get("last", 0),
            "discards": len(table["discards"]),
        }
        return Board(facts, list[Row](), [_side(table, row) for row in table["seats"]])

    def title(self, name: str, language: str) -> str:
        """What the deck calls a card; a deck has its names in one language."""
        card = self.cards.number.get(name, self.cards.end)
        return self.cards.titles[card] if card != self.cards.end else super().title(name, language)

    def text(self, name: str, language: str) -> str:
        """What a card costs and gives, read off the deck."""
        return " ".join(self.told(name, language))

    def told(self, name: str, language: str) -> list[str]:
        """The same in lines: the cost, what the owner has, each field, and the last price."""
        cards = self.cards
        card = cards.number.get(name, cards.end)
        if card == cards.end:
            return [super().text(name, language)]
        known = texts(self.rules.module, language) or texts(self.rules.module, FALLBACK)
        said: Mapping[str, str] = known["sentences"]
        words: Mapping[str, str] = known["labels"]

        def told(bundle: int) -> str:
            found = [words.get(one, one) for one in cards.listed(bundle)]
            counts = {one: found.count(one) for one in found}
            listed = [one if many == 1 else f"{many} {one}" for one, many in counts.items()]
            return ", ".join(listed) or said["nothing"]

        parts = [said["cost"].format(told(cards.cost[card]))]
        if cards.income[card][0]:
            parts.append(said["owner"].format(told(cards.income[card][0])))
        for field in range(FULL):
            gain = told(cards.gives[card][field])
            favour = cards.favours[card][field]
            key = "field" if not favour else "favour"
            price = cards.prices[card][field]
            parts.append(said[key].format(field + 1, gain, told(favour), price))
        return [*parts, said["full"].format(cards.prices[card][FULL])]


def _side(table: Mapping[str, Any], row: Mapping[str, Any]) -> Side:
    badges = ["asked"] if row["name"] in table.get("waiting", ()) else []
    badges += ["wins"] if row.get("wins") else []
    city = [
        Building(
            one["plot"],
            one["card"],
            note=f"{one['price']} · {len(one['workers'])}/{FULL}",
            crew=len(one["workers"]),
        )
        for one in row["city"]
    ]
    facts = {"coins": row["coins"], "hand": row["hand"], "buildings": len(row["city"])}
    return Side(row["name"], facts, badges, city)


PICTURE = XanaduPicture
