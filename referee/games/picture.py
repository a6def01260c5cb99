"""A table as a picture needs it: parts with names, so that whoever draws it knows no game.

What people read (titles, rules, labels) lies beside each game as `texts.LANGUAGE.toml`, and the
pictograms of its cards as `icons.toml`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from referee.games.interface import Rules

FALLBACK = "en"


class Field(NamedTuple):
    """Room for a worker on a card: the price before it stands there, what it gains, and what the
    owner has from then on."""

    price: str
    gains: tuple[str, ...]
    favour: tuple[str, ...]


class Face(NamedTuple):
    """What is printed on a card; `group` gives the colour, `icon` the pictogram.

    Where a card has `fields`, the first worker on the first of them, its cost is what it `needs`;
    what it `gives` its owner, and the `last` price, are there as well.
    """

    cost: str
    points: str
    group: str
    icon: str
    needs: tuple[str, ...] = ()
    gives: tuple[str, ...] = ()
    fields: tuple[Field, ...] = ()
    last: str = ""


class Building(NamedTuple):
    """A card on a plot: `mark` is `good`, `empty` (one could lie there) or nothing.

    `under` is how many cards lie under it, `note` a few characters that change during the game,
    `crew` how many of its fields are covered.
    """

    plot: int
    card: str
    mark: str = ""
    under: int = 0
    note: str = ""
    crew: int = 0


class Side(NamedTuple):
    """One seat: `facts` are numbers with a label each, `badges` words for what it is now."""

    name: str
    facts: dict[str, int]
    badges: list[str]
    city: list[Building]


class Token(NamedTuple):
    """A thing in the middle: its word, perhaps a number, whether it is used up, and who took it."""

    word: str
    used: bool = False
    by: tuple[str, ...] = ()


class Row(NamedTuple):
    """Things that lie in the middle."""

    key: str
    tokens: list[Token]


class Board(NamedTuple):
    """The whole table."""

    facts: dict[str, int | str]
    rows: list[Row]
    sides: list[Side]


class Picture:
    """How the table of one rule set looks. This plain one shows what has a number."""

    scale = "points"
    """The fact of a side that the game is about."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules

    def faces(self) -> dict[str, Face]:
        """Every card of the rule set, whether anybody has it or not."""
        return {}

    def board(
        self,
        table: Mapping[str, Any],
        points: Mapping[str, int] | None = None,
        said: Sequence[str] = (),
    ) -> Board:
        """The public table; `points` are known to those who have seen the whole game.

        What the lines of the log up to then have `said` tells more than lies on the table.
        """
        sides = [
            Side(
                row["name"],
                {key: value for key, value in row.items() if isinstance(value, int)},
                [],
                [Building(one["plot"], one["card"]) for one in row.get("city", [])],
            )
            for row in table.get("seats", [])
        ]
        facts = {key: value for key, value in table.items() if isinstance(value, int | str)}
        return Board(facts, [], sides)

    def title(self, name: str, language: str) -> str:
        """What a card is called in a language."""
        return str(self._card(name, language).get("title") or name.replace("-", " ").capitalize())

    def text(self, name: str, language: str) -> str:
        """What a card does, in our own words; nothing where nobody has written it."""
        return str(self._card(name, language).get("text", ""))

    def told(self, name: str, language: str) -> list[str]:
        """The same in lines, where it has parts."""
        return [self.text(name, language)]

    def _card(self, name: str, language: str) -> Mapping[str, Any]:
        for known in (language, FALLBACK):
            cards = texts(self.rules.module, known).get("cards", {})
            found: Mapping[str, Any] | None = cards.get(f"{name}-{self._edition}", cards.get(name))
            if found is not None:
                return found
        return {}

    @property
    def _edition(self) -> str:
        return str(self.rules.terms().get("edition", ""))


def picture_of(rules: Rules) -> Picture:
    """How the tables of a rule set look; plainly, where its game does not say."""
    try:
        module = import_module(f"referee.games.{rules.module}.picture")
    except ModuleNotFoundError:
        return Picture(rules)
    found: Picture = module.PICTURE(rules)
    return found


@cache
def texts(module: str, language: str) -> Mapping[str, Any]:
    """The texts of a game in a language, as they lie in its folder; nothing where there are none.

    `labels` are short words of the game, `cards` have `title` and `text`, `story` and `notes` are
    pairs of an English pattern and what to say for it.
    """
    return _data(module, f"texts.{language}.toml")


@cache
def icons(module: str) -> Mapping[str, Any]:
    """The pictograms of a game: name to the path of its areas and that of its lines (48 by 48)."""
    return _data(module, "icons.toml")


@cache
def tokens(module: str) -> Mapping[str, Any]:
    """What cards of a game cost and give, as signs: the colour of the area, its path, and lines."""
    return _data(module, "tokens.toml")


def _data(module: str, name: str) -> Mapping[str, Any]:
    path = Path(__file__).parent / module / name
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
