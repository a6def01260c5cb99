"""The board on a terminal that has colours and symbols, drawn by rich."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from rich.console import Console
from rich.rule import Rule
from rich.text import Text

from referee.show.terminal import clean, full_width

if TYPE_CHECKING:
    from referee.games.board import Board, Building, Item, Place, Row

CHIPS = {
    "": "reverse",
    "blue": "bright_white on blue",
    "white": "black on white",
    "yellow": "black on yellow",
    "red": "bright_white on red",
    "cyan": "black on cyan",
    "magenta": "bright_white on magenta",
    "green": "black on green",
}
"""What a card looks like: both colours are said, so that it does on dark and light terminals."""
LABEL = 12
GAP = 1


class Card(NamedTuple):
    """A card of a hand: its letter, its name and colour, what is printed on it, and whether it is
    new."""

    letter: str
    name: str
    colour: str
    facts: str
    new: bool


def draw(board: Board, seat: str | None) -> None:
    """Print a board, `seat` being the reader's own."""
    console = _console()
    console.print(Text(clean(board.heading), "bold"))
    for row in board.rows:
        _lines(console, _row(row, console.width))
    cities = [[_card(one) for one in place.city] for place in board.places]
    wide = max((len(card) for city in cities for card in city), default=0) + GAP
    for place, city in zip(board.places, cities, strict=True):
        console.print(_head(place, seat))
        _lines(console, _rows(city, wide, console.width))


def hand(cards: Sequence[Card]) -> None:
    """Print the cards of a hand side by side."""
    cells = []
    for card in cards:
        cell = Text("  ").append(f"{clean(card.letter)} " if card.letter else "", "bold")
        cell.append(f" {clean(card.name)} ", CHIPS.get(card.colour, CHIPS[""]))
        cell.append(f" {clean(card.facts)}" if card.facts else "")
        cells.append(cell.append(" *", "bold bright_yellow") if card.new else cell)
    console = _console()
    _lines(console, _rows(cells, max(map(len, cells), default=0) + GAP, console.width))


def _console() -> Console:
    return Console(file=sys.stdout, width=full_width(), highlight=False, markup=False, emoji=False)


def _lines(console: Console, lines: Iterable[Text]) -> None:
    for line in lines:
        console.print(line, no_wrap=True, crop=False, overflow="ignore")


def _row(row: Row, width: int) -> list[Text]:
    lines = [Text().append(f"{clean(row.label):<{LABEL}}", "dim")]
    for item in row.items:
        piece = _item(item)
        if len(lines[-1]) > LABEL and len(lines[-1]) + len(piece) > width:
            lines.append(Text(" " * LABEL))
        lines[-1].append_text(piece).append("  ")
    for line in lines:
        line.rstrip()
    return lines


def _item(item: Item) -> Text:
    if item.free:
        return Text(clean(item.text), "bold")
    note = f" {clean(item.note)}" if item.note else ""
    return Text.assemble((clean(item.text), "strike dim"), (note, "dim"))


def _head(place: Place, seat: str | None) -> Rule:
    style = "bold cyan" if place.seat == seat else "bold"
    title = Text().append(clean(place.seat), style)
    if place.seat == seat:
        title.append(" (you)", "cyan")
    for mark in place.marks:
        title.append(" ")
        title.append(f" {clean(mark)} ", "black on bright_yellow")
    title.append("  " + " · ".join(clean(fact) for fact in place.facts))
    return Rule(title, align="left", style="dim")


def _rows(cells: list[Text], wide: int, width: int) -> list[Text]:
    """Cards in as many columns as fit, each of them `wide`."""
    across = max(1, (width + GAP) // wide)
    lines = []
    for at in range(0, len(cells), across):
        line = Text()
        for cell in cells[at : at + across]:
            line.append_text(cell).append(" " * (wide - len(cell)))
        line.rstrip()
        lines.append(line)
    return lines


def _card(building: Building) -> Text:
    """A small card: its plot, its name in its colour, what is printed on it, what lies on it."""
    card = Text().append(f"{building.plot:>2} ", "dim")
    card.append(f" {clean(building.name)} ", CHIPS.get(building.colour, CHIPS[""]))
    if building.facts:
        card.append(f" {clean(building.facts)}")
    if building.room:
        card.append(" ")
        card.append("●" * building.tokens, "bold yellow")
        card.append("○" * (building.room - building.tokens), "dim")
    if building.more:
        card.append(f" {clean(building.more)}", "dim")
    return card
