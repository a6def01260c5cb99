"""A table as its game describes it, for the terminal and the page: words and numbers, no layout.

A `key` or `word` is what the texts of the game have a label for, in every language; a `text` or
`label` is the same in English. Without a key a thing is for English readers alone, and without a
text for the others.
"""

from __future__ import annotations

from collections.abc import Iterable

from referee.records import NamedTuple

COLOURS = ("", "blue", "white", "yellow", "red", "cyan", "magenta", "green")
"""The colours that a card may have on a terminal; "" for none."""
ASKED = "asked"
"""The key of the mark of a seat that is to answer."""


class Field(NamedTuple):
    """Room for a worker on a card: the price before it, what it gains, what its owner then has."""

    price: str
    gains: tuple[str, ...]
    favour: tuple[str, ...]


class Face(NamedTuple):
    """A card as it is printed.

    `colours` are those of its band, of its tint and of the good it makes; cards of one `group`
    have the same, and `icon` names the pictogram. A card with `fields`, the first worker on the
    first of them, costs what it `needs`, and gives its owner what it `gives`; `last` is its price
    when all fields are covered.
    """

    cost: str
    points: str
    group: str
    icon: str
    colours: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    gives: tuple[str, ...] = ()
    fields: tuple[Field, ...] = ()
    last: str = ""


class Fact(NamedTuple):
    """A number of the table or of a seat; `free` is false for what is not to be had now."""

    key: str
    number: int | str
    text: str = ""
    free: bool = True


class Item(NamedTuple):
    """One thing of a row, perhaps with a number; `note` is who took it, if it is not `free`."""

    word: str
    number: str = ""
    note: str = ""
    free: bool = True

    @property
    def text(self) -> str:
        """Return the word with its number."""
        return f"{self.word} {self.number}".rstrip()


class Row(NamedTuple):
    """A row of things beside the seats; where it is not `free`, nobody can have them."""

    key: str
    label: str
    items: tuple[Item, ...]
    facts: tuple[Fact, ...] = ()
    free: bool = True


class Building(NamedTuple):
    """A card that lies in front of a seat.

    `facts` is what is printed on it, or holds now, in a few characters. There is `room` for things
    called `token` on it, and `tokens` of them lie there. `under` counts the cards below it, `note`
    is what changes about it, and `more` what else there is to say.
    """

    plot: int
    card: str
    facts: str = ""
    colour: str = ""
    tokens: int = 0
    room: int = 0
    token: str = ""
    more: str = ""
    under: int = 0
    note: str = ""


class Mark(NamedTuple):
    """An office or a state of a seat."""

    key: str = ""
    text: str = ""


class Place(NamedTuple):
    """A seat and what lies in front of it; `hand` counts all cards that it holds."""

    seat: str
    marks: tuple[Mark, ...]
    facts: tuple[Fact, ...]
    city: tuple[Building, ...]
    hand: int = 0

    @property
    def numbers(self) -> dict[str, int | str]:
        """Return the facts that have a key."""
        return _numbers(self.facts)


class Board(NamedTuple):
    """A public table: where the game stands, what lies beside the seats, and the seats in order."""

    heading: str
    round: int
    rows: tuple[Row, ...]
    places: tuple[Place, ...]

    @property
    def numbers(self) -> dict[str, int | str]:
        """Return the round and the facts beside the seats that have a key."""
        return {"round": self.round} | _numbers(fact for row in self.rows for fact in row.facts)


def english(things: Iterable[Fact | Mark]) -> list[str]:
    """Return the English texts of facts or marks, where they have one."""
    return [thing.text for thing in things if thing.text]


def _numbers(facts: Iterable[Fact]) -> dict[str, int | str]:
    return {fact.key: fact.number for fact in facts if fact.key}


class Sheet(NamedTuple):
    """The points of a seat taken apart; `tie` is the tie-break, where there is one, by name.

    A part of which nothing is known but that it may score is None; then `points` are those that
    are sure.
    """

    seat: str
    parts: tuple[tuple[str, int | None], ...]
    points: int
    tie: tuple[str, int] | None = None
