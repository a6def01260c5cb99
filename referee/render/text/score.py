"""The score sheet: a column for each seat, a line for each thing that scores."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from referee.render.text import terminal
from referee.render.text.terminal import say, wrapped

if TYPE_CHECKING:
    from referee.games.board import Sheet

GAP = 3


def sheet(sheets: Sequence[Sheet], over: bool, result: Sequence[str]) -> None:
    """Print the points of all seats; `result` says in its first line who has won, and by what."""
    say(("bold", "The score" if over else "The score so far"))
    ties = [one.tie for one in sheets if one.tie is not None]
    labels = list(dict.fromkeys(label for one in sheets for label, _ in one.parts))
    wide = max(len(label) for label in [*labels, "points", *(name for name, _ in ties)]) + GAP
    column = max(max(len(one.seat) for one in sheets), 4) + GAP
    if terminal.reading() or 2 + wide + column * len(sheets) > terminal.full_width():
        _listed(sheets)
    else:
        _ruled(sheets, labels, wide, column)
    if any(points is None for one in sheets for _, points in one.parts):
        say(("dim", "? is not known to everybody"))
    for line in result[:1]:
        say(("good", line))


def _ruled(sheets: Sequence[Sheet], labels: Sequence[str], wide: int, column: int) -> None:
    say(" " * (2 + wide), ("bold", "".join(f"{one.seat:>{column}}" for one in sheets)))
    for label in labels:
        cells = [dict(one.parts).get(label, 0) for one in sheets]
        said = ("?" if cell is None else "-" if not cell else str(cell) for cell in cells)
        say(f"  {label:<{wide}}" + "".join(f"{text:>{column}}" for text in said))
    totals = "".join(f"{one.points:>{column}}" for one in sheets)
    say(("bold", f"  {'points':<{wide}}{totals}"))
    if all(one.tie is not None for one in sheets):
        ties = [one.tie for one in sheets if one.tie is not None]
        counts = "".join(f"{count:>{column}}" for _, count in ties)
        say(("dim", f"  {ties[0][0]:<{wide}}{counts}"))


def _listed(sheets: Sequence[Sheet]) -> None:
    for one in sheets:
        parts = [
            f"{label} {'?' if points is None else points}"
            for label, points in one.parts
            if points != 0
        ]
        tie = f" ({one.tie[0]} {one.tie[1]})" if one.tie is not None else ""
        text = f"{one.points} points: {', '.join(parts) or 'nothing yet'}{tie}"
        for line in wrapped(text, 4, f"  {one.seat}: "):
            say(line)


def document(sheets: Sequence[Sheet], result: Sequence[str]) -> dict[str, Any]:
    """Return the sheets for programs; a part that nobody knows is null."""
    return {
        "scores": [
            {"seat": one.seat, "points": one.points, "parts": dict(one.parts)}
            | ({"tie": one.tie[1]} if one.tie is not None else {})
            for one in sheets
        ],
        "result": result[0] if result else "",
    }
