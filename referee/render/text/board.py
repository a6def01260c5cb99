"""Drawing a board: in colour if the terminal has it, else in plain columns, or read out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.games.board import english
from referee.render.text import terminal
from referee.render.text.terminal import as_printed, columns, say, wrapped

if TYPE_CHECKING:
    from referee.games.board import Board, Building, Item, Place

ROOM = 12
"""The least width of the labels of the rows."""
HELD = "+"


def draw(board: Board, seat: str | None = None, legend: str = "", guide: str = "") -> None:
    """Print a board, `seat` being the reader's own.

    `legend` says how to read what is printed on a card, `guide` what else is said of a building.
    """
    if terminal.graphic():
        from referee.render.text.fancy import draw as paint

        paint(board, seat, legend, guide)
        return
    say(("bold", board.heading))
    room = max([ROOM, *(len(row.label) + 2 for row in board.rows)])
    for row in board.rows:
        text = ", ".join([*map(_item, row.items), *english(row.facts)])
        for line in wrapped(text, room, f"{row.label + ':':<{room}}"):
            say(line)
    cities = [
        [as_printed(_cell(building, legend)) for building in place.city] for place in board.places
    ]
    if key := _key(board, legend, guide):
        for line in wrapped(key, room, f"{'Cities:':<{room}}"):
            say(line)
    wide = max((len(cell) for city in cities for cell in city), default=0)
    for place, city in zip(board.places, cities, strict=True):
        for line in wrapped(_head(place, seat), 4):
            say(("mine" if place.seat == seat else "bold", line))
        # Of one width in all cities, so that they stand below each other.
        for line in columns([cell.ljust(wide) for cell in city], gap=2):
            say(line)


def _key(board: Board, legend: str, guide: str) -> str:
    """Return how to read a building; "" where there is none, or nothing to be said."""
    city = [building for place in board.places for building in place.city]
    if terminal.reading():
        # It hears what is printed on a card, and what lies there, in words.
        return guide if city else ""
    held = {building.token for building in city if building.room == 1}
    more = [f"{HELD} has a {' or '.join(sorted(held))}"] if held else []
    return ", ".join([part for part in (legend, guide, *more) if part]) if city else ""


def _item(item: Item) -> str:
    return f"{item.text} ({item.note})" if item.note and not item.free else item.text


def _head(place: Place, seat: str | None) -> str:
    mine = " (you)" if place.seat == seat else ""
    marks = "".join(f", {mark}" for mark in english(place.marks))
    return f"{place.seat}{mine}{marks}: {', '.join(english(place.facts))}"


def _cell(building: Building, legend: str) -> str:
    """Return a building without symbols: `2 well 2/1`, `1 indigo-plant 1/1 +`."""
    aloud = terminal.reading()
    number = f"Plot {building.plot}:" if aloud else f"{building.plot:>2}"
    told = f"{number} {building.card}{',' if aloud else ''} {spelled(building.facts, legend)}"
    if building.room == 1 and building.tokens:
        told += f", with a {building.token}" if aloud else f" {HELD}"
    elif building.room > 1:
        told += f" ({building.tokens} of {building.room} {building.token}s)"
    return f"{told} {building.more}".rstrip()


def spelled(facts: str, legend: str) -> str:
    """Return the facts of a card, spelled out for a screen reader."""
    return named(facts, legend) if terminal.reading() else facts


def named(facts: str, legend: str) -> str:
    """Return the facts of a card with their names from the legend: `cost 2, points 1`."""
    names, values = legend.split("/"), facts.split("/")
    if len(names) != len(values) or not facts or not legend:
        return facts
    return ", ".join(f"{name} {value}" for name, value in zip(names, values, strict=True))
