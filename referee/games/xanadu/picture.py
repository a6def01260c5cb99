"""The table of Xanadu as a picture needs it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
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
        self._blank = rules.blank

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

    def follow(self, seats: Sequence[str], steps: Iterable[Sequence[str]]) -> list[Board]:
        """The table after each step, but for the piles."""
        follower = _Follower(self.cards, seats, self.bonus(seats))
        found = []
        for lines in steps:
            for line in lines:
                follower.hear(line)
            found.append(follower.board())
        return found

    def bonus(self, seats: Sequence[str]) -> tuple[int, ...]:
        """What buildings of each colour are worth more with so many players."""
        return self._blank(seats, lambda pile, epoch, cards: cards).bonus

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


class _Follower:
    """A table that goes on line by line, in the words of a Teller."""

    def __init__(self, cards: Deck, seats: Sequence[str], bonus: Sequence[int]) -> None:
        self.cards = cards
        self.bonus = bonus
        self.round = 1
        self.hand = dict.fromkeys(seats, 0)
        self.coins = dict.fromkeys(seats, 0)
        # By plot: the card, and how many workers stand on it.
        self.city: dict[str, dict[int, list[int]]] = {seat: {} for seat in seats}

    def hear(self, line: str) -> None:
        """Let a line of the log happen; what says nothing about the table is passed over."""
        word, *rest = line.split(" ")
        match word, rest:
            case "round", [number]:
                self.round = int(number)
            case "draw", [seat, _, count] if seat in self.hand:
                self.hand[seat] += int(count)
            case "lay" | "build", [seat, card, _, plot]:
                self.hand[seat] -= 1
                self.city[seat][int(plot)] = [self.cards.number[card], 0]
            case "work", [seat, owner, plot, *_]:
                self.hand[seat] -= 1
                self.city[owner][int(plot)][1] += 1
            case "sell" | "full" | "clear", [seat, _, _, plot, *price]:
                self.coins[seat] += int(price[1]) if price else 0
                # What is full is paid for at once, and stands until the end of the turn.
                if word != "full":
                    del self.city[seat][int(plot)]
            case "end", []:
                # What is full by then is cleared away in silence.
                for city in self.city.values():
                    for at in [at for at, one in city.items() if one[1] == FULL]:
                        del city[at]

    def board(self) -> Board:
        """The table now."""
        sides = [
            Side(
                seat,
                {"coins": self.coins[seat], "hand": self.hand[seat], "buildings": len(city)},
                [],
                [self._building(plot, *one) for plot, one in sorted(city.items())],
            )
            for seat, city in self.city.items()
        ]
        return Board({"round": self.round}, [], sides)

    def _building(self, plot: int, card: int, crew: int) -> Building:
        cards = self.cards
        price = cards.prices[card][crew] + self.bonus[cards.colour[card]]
        return Building(plot, cards.names[card], note=f"{price} · {crew}/{FULL}", crew=crew)


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
