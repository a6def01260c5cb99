"""The score sheet: a column for each seat, a line for each thing that scores."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from referee.errors import counted
from referee.render.text import terminal
from referee.render.text.terminal import say, wrapped

if TYPE_CHECKING:
    from referee.games.board import Sheet

GAP = 3


TITLES = {"finished": "The score", "abandoned": "The score when the game was abandoned"}


def sheet(sheets: Sequence[Sheet], status: str, result: Sequence[str]) -> None:
    """Print the points of all seats in a game of a status.

    `result` says in its first line who has won, and by what.
    """
    say(("bold", TITLES.get(status, "The score so far")))
    ties = [seat_sheet.tie for seat_sheet in sheets if seat_sheet.tie is not None]
    labels = list(dict.fromkeys(label for seat_sheet in sheets for label, _ in seat_sheet.parts))
    wide = max(len(label) for label in [*labels, "points", *(name for name, _ in ties)]) + GAP
    column = max(max(len(seat_sheet.seat) for seat_sheet in sheets), 4) + GAP
    if terminal.reading() or 2 + wide + column * len(sheets) > terminal.full_width():
        _listed(sheets)
    else:
        _ruled(sheets, labels, wide, column)
    if any(points is None for seat_sheet in sheets for _, points in seat_sheet.parts):
        say(("dim", "? is not known to everybody"))
    for line in result[:1]:
        say(("good", line))


def _ruled(sheets: Sequence[Sheet], labels: Sequence[str], wide: int, column: int) -> None:
    say(" " * (2 + wide), ("bold", "".join(f"{sheet.seat:>{column}}" for sheet in sheets)))
    for label in labels:
        cells = [dict(sheet.parts).get(label, 0) for sheet in sheets]
        said = ("?" if cell is None else "-" if not cell else str(cell) for cell in cells)
        say(f"  {label:<{wide}}" + "".join(f"{text:>{column}}" for text in said))
    totals = "".join(f"{sheet.points:>{column}}" for sheet in sheets)
    say(("bold", f"  {'points':<{wide}}{totals}"))
    if all(sheet.tie is not None for sheet in sheets):
        ties = [sheet.tie for sheet in sheets if sheet.tie is not None]
        counts = "".join(f"{count:>{column}}" for _, count in ties)
        say(("dim", f"  {ties[0][0]:<{wide}}{counts}"))


def _listed(sheets: Sequence[Sheet]) -> None:
    for sheet in sheets:
        parts = [
            f"{label} {'?' if points is None else points}"
            for label, points in sheet.parts
            if points != 0
        ]
        tie = f" ({sheet.tie[0]} {sheet.tie[1]})" if sheet.tie is not None else ""
        text = f"{counted(sheet.points, 'point')}: {', '.join(parts) or 'nothing yet'}{tie}"
        for line in wrapped(text, 4, f"  {sheet.seat}: "):
            say(line)


def document(sheets: Sequence[Sheet], result: Sequence[str]) -> dict[str, Any]:
    """Return the sheets for programs; an unknown part is null."""
    return {
        "scores": [
            {"seat": sheet.seat, "points": sheet.points, "parts": dict(sheet.parts)}
            | ({"tie": sheet.tie[1]} if sheet.tie is not None else {})
            for sheet in sheets
        ],
        "result": result[0] if result else "",
    }
