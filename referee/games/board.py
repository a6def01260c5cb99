"""What a rules module says of its table, for others to draw: words and numbers, no layout."""

from __future__ import annotations

from typing import NamedTuple

COLOURS = ("", "blue", "white", "yellow", "red", "cyan", "magenta", "green")
"""What the colour of a building may be; "" for none."""


class Item(NamedTuple):
    """One thing of a row: `note` is who took it; `free` whether it is still to be had."""

    text: str
    note: str = ""
    free: bool = True


class Row(NamedTuple):
    """What lies beside the seats, under a label: `Roles`, `Cards`."""

    label: str
    items: tuple[Item, ...]


class Building(NamedTuple):
    """A card that lies in front of a seat.

    `facts` is what is printed on it, or holds now, in a few characters. There is `room` for things
    called `token` on it, and `tokens` of them lie there. `more` is what else there is to say.
    """

    plot: int
    name: str
    facts: str = ""
    colour: str = ""
    tokens: int = 0
    room: int = 0
    token: str = ""
    more: str = ""


class Place(NamedTuple):
    """A seat and what lies in front of it; `marks` are its offices, `facts` its numbers."""

    seat: str
    marks: tuple[str, ...]
    facts: tuple[str, ...]
    city: tuple[Building, ...]


class Board(NamedTuple):
    """A public table: where the game stands, what lies beside the seats, and the seats in order."""

    heading: str
    rows: tuple[Row, ...]
    places: tuple[Place, ...]


class Sheet(NamedTuple):
    """The points of a seat taken apart; `tie` is the tie-break, where there is one, by name.

    A part of which nothing is known but that it may score is None; then `points` are those that
    are sure.
    """

    seat: str
    parts: tuple[tuple[str, int | None], ...]
    points: int
    tie: tuple[str, int] | None = None
