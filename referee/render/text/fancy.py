"""The board on a terminal that has colours and symbols, drawn by rich."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from rich.console import Console
from rich.rule import Rule
from rich.text import Text

from referee.games.board import english
from referee.records import NamedTuple
from referee.render.text.terminal import brief, clean, full_width, tight

if TYPE_CHECKING:
    from referee.games.board import Board, Building, Place, Row

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
"""The look of a card: both colours are said, so that it is the same on dark and light terminals."""
LABEL = 12
HANGING = 4
FILLED, EMPTY = "●", "○"
GAP = 1


class Card(NamedTuple):
    """A card of a hand: its letter, its name and colour, what is printed on it, and whether it is
    new."""

    letter: str
    name: str
    colour: str
    facts: str
    new: bool


def draw(board: Board, seat: str | None, legend: str, guide: str) -> None:
    """Print a board, `seat` being the reader's own.

    Where the facts of a card are what is printed on it, as a `legend` says, they are left out where
    room is short. A `guide` says what they are otherwise.
    """
    console = _console()
    console.print(Text(clean(board.heading), "bold"))
    plain = bool(legend) and tight()
    key = _key(board, "" if plain else legend, guide)
    if tight():
        rows = [_cells(row) for row in board.rows] + ([[_labelled("Cities ", key)]] if key else [])
        _lines(console, _side_by_side(rows, console.width))
    else:
        label = max([LABEL, *(len(row.label) + 1 for row in board.rows)])
        for row in board.rows:
            _lines(console, _row(row, label, console.width))
        if key:
            _lines(console, [_labelled(f"{'Cities':<{label}}", key)], label)
    cities = [
        [_card(building._replace(facts="") if plain else building) for building in place.city]
        for place in board.places
    ]
    wide = max((len(card) for city in cities for card in city), default=0) + GAP
    for place, city in zip(board.places, cities, strict=True):
        _head(console, place, seat)
        _lines(console, _rows(city, wide, console.width))


def hand(cards: Sequence[Card]) -> None:
    """Print the cards of a hand side by side."""
    cells = []
    for card in cards:
        cell = Text("" if tight() else "  ")
        cell.append(f"{clean(card.letter)} " if card.letter else "", "bold")
        cell.append(_chip(card.name, card.colour))
        cell.append(f" {clean(card.facts)}" if card.facts else "")
        cells.append(cell.append(" *", "bold bright_yellow") if card.new else cell)
    console = _console()
    _lines(console, _rows(cells, max(map(len, cells), default=0) + GAP, console.width))


def _console() -> Console:
    return Console(file=sys.stdout, width=full_width(), highlight=False, markup=False, emoji=False)


def _key(board: Board, legend: str, guide: str) -> str:
    """Return how to read the buildings that lie there, signs and all."""
    city = [building for place in board.places for building in place.city]
    single = sorted({building.token for building in city if building.room == 1})
    several = sorted({building.token for building in city if building.room > 1})
    signs = [f"{FILLED} has a {token}, {EMPTY} has none" for token in single]
    signs += [f"{FILLED} {token}, {EMPTY} room" for token in several]
    return "; ".join([part for part in (legend, guide, *signs) if part]) if city else ""


def _labelled(label: str, text: str) -> Text:
    return Text.assemble((label, "dim"), text)


def _lines(console: Console, lines: Iterable[Text], hanging: int = HANGING) -> None:
    for line in lines:
        for part in _folded(console, line, hanging):
            console.print(part, no_wrap=True, crop=False, overflow="ignore")


def _folded(console: Console, line: Text, hanging: int) -> Iterable[Text]:
    """Break a line between words where the terminal would break it within one."""
    if len(line) <= console.width:
        return [line]
    first, *_ = line.wrap(console, console.width)
    rest = line[len(first) :]
    rest = rest[len(rest.plain) - len(rest.plain.lstrip()) :]
    more = rest.wrap(console, console.width - hanging) if rest else ()
    return [first, *(Text(" " * hanging).append_text(part) for part in more)]


def _row(row: Row, label: int, width: int) -> list[Text]:
    lines = [Text().append(f"{clean(row.label):<{label}}", "dim")]
    for piece in _items(row):
        if len(lines[-1]) > label and len(lines[-1]) + len(piece) > width:
            lines.append(Text(" " * label))
        lines[-1].append_text(piece).append("  ")
    for line in lines:
        line.rstrip()
    return lines


def _cells(row: Row) -> list[Text]:
    """Return the items of a row, the first of them behind the label."""
    label = Text().append(f"{clean(row.label)} ", "dim")
    cells = [_item(item.text, row.free and item.free, item.note) for item in row.items]
    # Numbers of one row are read together.
    facts = [_item(fact.text, fact.free) for fact in row.facts if fact.text]
    cells += [Text(" " * 2 * GAP).join(facts)] if facts else []
    return [label.append_text(cells[0]), *cells[1:]] if cells else []


def _side_by_side(rows: Sequence[Sequence[Text]], width: int) -> list[Text]:
    """Lay out rows of texts, two on a line only where both are whole."""
    lines: list[Text] = []
    for row in filter(None, rows):
        parts = _packed(row, width)
        if lines and len(parts) == 1 and len(lines[-1]) + 3 * GAP + len(parts[0]) <= width:
            lines[-1].append(" " * 3 * GAP).append_text(parts[0])
        else:
            lines += parts
    return lines


def _items(row: Row) -> list[Text]:
    found = [_item(item.text, row.free and item.free, item.note) for item in row.items]
    return found + [_item(fact.text, fact.free) for fact in row.facts if fact.text]


def _item(text: str, free: bool, note: str = "") -> Text:
    if free:
        return Text(clean(text), "bold")
    return Text.assemble((clean(text), "strike dim"), (f" {clean(note)}" if note else "", "dim"))


def _head(console: Console, place: Place, seat: str | None) -> None:
    style = "bold cyan" if place.seat == seat else "bold"
    title = Text().append(clean(place.seat), style)
    if place.seat == seat:
        title.append(" (you)", "cyan")
    for mark in english(place.marks):
        title.append(" ")
        title.append(f" {clean(mark)} ", "black on bright_yellow")
    facts = [clean(fact) for fact in english(place.facts)]
    # A rule has one line, and cuts off what does not fit.
    if len(title) + 4 + len(" · ".join(facts)) <= console.width:
        console.print(Rule(title.append("  " + " · ".join(facts)), align="left", style="dim"))
        return
    lines = [title]
    for number, fact in enumerate(facts):
        between = " · " if number else "  "
        if len(lines[-1]) + len(between) + len(fact) > console.width:
            lines.append(Text("  "))
            between = "  "
        lines[-1].append(between + fact)
    _lines(console, lines)


def _rows(cells: list[Text], wide: int, width: int) -> list[Text]:
    """Lay out cards in as many columns as fit, each of them `wide`."""
    if tight():
        return _close(cells, width)
    return _columns(cells, [wide] * max(1, (width + GAP) // wide))


def _columns(cells: Sequence[Text], widths: Sequence[int]) -> list[Text]:
    lines = []
    for at in range(0, len(cells), len(widths)):
        line = Text()
        for cell, wide in zip(cells[at:], widths, strict=False):
            line.append_text(cell).append(" " * (wide - len(cell)))
        line.rstrip()
        lines.append(line)
    return lines


def _close(cells: Sequence[Text], width: int) -> list[Text]:
    """Lay out cards in columns, each as wide as it must be, or closer where that saves a line."""
    packed = _packed(cells, width)
    fewest = -(-len(cells) // len(packed)) if packed else 1
    for across in range(len(cells), fewest - 1, -1):
        widths = [max(map(len, cells[at::across])) + 2 * GAP for at in range(across)]
        if sum(widths) - 2 * GAP <= width and -(-len(cells) // across) <= len(packed):
            return _columns(cells, widths)
    return packed


def _packed(cells: Sequence[Text], width: int) -> list[Text]:
    """Lay out texts one after the other in as few lines as possible."""
    lines: list[Text] = []
    for cell in cells:
        if lines and len(lines[-1]) + len(cell) + 2 * GAP <= width:
            lines[-1].append(" " * 2 * GAP).append_text(cell)
        else:
            lines.append(cell.copy())
    return lines


def _card(building: Building) -> Text:
    """Return a small card: its plot, its name in colour, its facts, and what lies on it."""
    card = Text().append(f"{building.plot:>{1 if tight() else 2}} ", "dim")
    card.append(_chip(building.card, building.colour))
    if building.facts:
        card.append(f" {clean(building.facts)}")
    if building.room:
        card.append(" ")
        card.append(FILLED * building.tokens, "bold yellow")
        card.append(EMPTY * (building.room - building.tokens), "dim")
    if building.more and not brief():
        card.append(f" {clean(building.more)}", "dim")
    return card


def _chip(name: str, colour: str) -> Text:
    edge = "" if tight() else " "
    return Text(f"{edge}{clean(name)}{edge}", CHIPS.get(colour, CHIPS[""]))
