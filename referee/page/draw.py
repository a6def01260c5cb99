"""Cards and charts as SVG, in a design of our own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING

from referee.page.model import lines

if TYPE_CHECKING:
    from referee.games.picture import Board, Face

WIDE, HIGH = 100, 132
"""The size of a card."""

# (band and lines, tint) of the groups of cards: dark enough for white numbers on them.
GROUPS = {
    "indigo": ("#2c4a8c", "#b9c8ec"),
    "sugar": ("#7d6f55", "#ece3cf"),
    "tobacco": ("#85541b", "#e6c795"),
    "coffee": ("#4a3228", "#cdb4a5"),
    "silver": ("#55636e", "#cfd9e0"),
    "city": ("#65477a", "#dccbe8"),
    "monument": ("#8f6310", "#f1d996"),
    "bonus": ("#98352b", "#efc1b8"),
    "event": ("#1c6a66", "#b8dedb"),
    "brown": ("#7a4f2c", "#e2c9b1"),
    "blue": ("#2a5b96", "#bdd5ef"),
    "yellow": ("#86680a", "#f0dd98"),
    "green": ("#35703f", "#c2e0c3"),
}
PLAIN = ("#4d5560", "#d5dae0")
PAPER, EDGE, INK = "#fffdf7", "#cbc2b0", "#26221c"
GOODS = {
    "indigo": "#3f64bd",
    "sugar": "#f4efe2",
    "tobacco": "#b67a32",
    "coffee": "#5b3d30",
    "silver": "#a9b7c2",
}

FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif"


def symbols(
    faces: Mapping[str, Face], icons: Mapping[str, Sequence[str]], titles: Mapping[str, str]
) -> str:
    """Every card as a symbol `c-NAME`, and the goods that may lie on one as `g-GROUP`."""
    cards = [
        f'<symbol id="c-{name}" viewBox="0 0 {WIDE} {HIGH}">'
        f"{card(face, icons.get(face.icon), titles[name])}</symbol>"
        for name, face in faces.items()
    ]
    groups = dict.fromkeys(face.group for face in faces.values())
    names = ["g-empty", *(f"g-{group}" for group in groups), "back"]
    goods = [
        f'<symbol id="{name}" viewBox="0 0 {WIDE} {HIGH}">{extras(name)}</symbol>' for name in names
    ]
    return "".join([*cards, *goods])


def extras(name: str) -> str:
    """What is laid on a card: `g-GROUP` a good, `g-empty` room for one; or `back`, its back."""
    if name == "g-empty":
        return (
            f'<circle cx="81" cy="84" r="10" fill="none" stroke="{EDGE}" stroke-width="2" '
            f'stroke-dasharray="4 3"/>'
        )
    if name == "back":
        return (
            '<rect x="1" y="1" width="98" height="130" rx="9" fill="#3d4a5c" stroke="#2b3542"/>'
            '<path d="M50 40 72 66 50 92 28 66Z" fill="none" stroke="#d9c9a3" stroke-width="3"/>'
        )
    return _good(GOODS.get(name.removeprefix("g-"), "#e9b44c"))


def card(face: Face, icon: Sequence[str] | None, title: str) -> str:
    """The inside of a card, 100 by 132."""
    dark, tint = GROUPS.get(face.group, PLAIN)
    parts = [
        f'<rect x="1" y="1" width="98" height="130" rx="9" fill="{PAPER}" stroke="{EDGE}" '
        f'stroke-width="1.5"/>',
        f'<path d="M2 27V10A8 8 0 0 1 10 2H90A8 8 0 0 1 98 10V27Z" fill="{dark}"/>',
    ]
    if face.cost:
        parts.append(
            f'<circle cx="16" cy="16" r="11.500" fill="{PAPER}"/>'
            f"{_text(16, 21.5, 16, face.cost, dark, '800')}"
        )
    if face.points:
        parts.append(
            f'<path d="M74 6H94V17C94 23 89 26 84 28 79 26 74 23 74 17Z" fill="{tint}"/>'
            f"{_text(84, 20.5, 14, face.points, INK, '800')}"
        )
    if icon:
        area, line = icon
        parts.append(
            f'<g transform="translate(20 33) scale(1.250)" stroke-linejoin="round" '
            f'stroke-linecap="round"><path d="{area}" fill="{tint}"/>'
            f'<path d="{line}" fill="none" stroke="{dark}" stroke-width="1.900"/></g>'
        )
    said = lines(title)
    size = min(12.5, 132 / max(map(len, said)))
    top = 116 if len(said) == 1 else 110
    for number, line in enumerate(said):
        parts.append(_text(50, top + 14 * number, size, line, INK, "600", f"n{number}"))
    return "".join(parts)


def _text(
    x: float, y: float, size: float, said: str, fill: str, weight: str, mark: str = ""
) -> str:
    named = f' class="{mark}"' if mark else ""
    return (
        f'<text{named} x="{x:g}" y="{y:g}" font-size="{size:.3g}" font-weight="{weight}" '
        f'text-anchor="middle" fill="{fill}">{escape(said)}</text>'
    )


def _good(colour: str) -> str:
    """A barrel in the colour of a good."""
    return (
        f'<circle cx="81" cy="84" r="15" fill="{PAPER}"/>'
        f'<path d="M74 73H88C92 80 92 88 88 95H74C70 88 70 80 74 73Z" fill="{colour}" '
        f'stroke="{INK}" stroke-width="1.800" stroke-linejoin="round"/>'
        f'<path d="M72 79H90M72 89H90" stroke="{INK}" stroke-width="1.500"/>'
    )


def by_round(boards: Sequence[Board], fact: str) -> tuple[list[int], dict[str, list[int]]]:
    """The rounds, and for each seat a fact at the end of every one."""
    last: dict[int, Board] = {}
    for board in boards:
        last[int(board.facts.get("round", 0))] = board
    rounds = sorted(last)
    series: dict[str, list[int]] = {}
    for number in rounds:
        for side in last[number].sides:
            series.setdefault(side.name, []).append(side.facts.get(fact, 0))
    return rounds, series


LEFT, RIGHT, TOP, BOTTOM = 28, 302, 12, 158


def chart(rounds: Sequence[int], series: Mapping[str, Sequence[int]], label: str) -> str:
    """A chart of lines, one a seat, each in the colour of its seat and with its name."""
    most = max((max(row) for row in series.values()), default=0) or 1
    step = next(size for size in (1, 2, 5, 10, 20, 50, 100, 1000) if most / size <= 5)
    high = -(-most // step) * step

    def x(index: int) -> float:
        return LEFT + (RIGHT - LEFT) * index / max(1, len(rounds) - 1)

    def y(value: int) -> float:
        return BOTTOM - (BOTTOM - TOP) * value / high

    parts = [f'<svg class="chart" viewBox="0 0 370 182" role="img" aria-label="{escape(label)}">']
    for value in range(0, high + 1, step):
        parts.append(
            f'<path class="grid" d="M{LEFT} {y(value):.1f}H{RIGHT}"/>'
            f'<text class="axis" x="{LEFT - 6}" y="{y(value) + 4:.1f}" text-anchor="end">{value}'
            f"</text>"
        )
    every = 1 if len(rounds) <= 15 else 2 if len(rounds) <= 30 else 10
    parts += [
        f'<text class="axis" x="{x(at):.1f}" y="{BOTTOM + 17}" text-anchor="middle">{number}</text>'
        for at, number in enumerate(rounds)
        if not at % every
    ]
    ends = _apart({name: y(row[-1]) for name, row in series.items()})
    for number, (name, row) in enumerate(series.items()):
        points = " ".join(f"{x(at):.1f},{y(value):.1f}" for at, value in enumerate(row))
        end = f'cx="{x(len(row) - 1):.1f}" cy="{y(row[-1]):.1f}" r="3.5"'
        parts.append(
            f'<polyline class="line s{number}" points="{points}"/>'
            f'<circle class="end s{number}" {end}/>'
            f'<text class="seat s{number}" x="{RIGHT + 9}" y="{ends[name] + 4:.1f}">'
            f"{escape(name)}</text>"
        )
    return "".join([*parts, "</svg>"])


def _apart(ends: Mapping[str, float], room: float = 14) -> dict[str, float]:
    """The heights of labels, moved so that none lies on another."""
    found: dict[str, float] = {}
    at = BOTTOM + 2 * room
    for name, height in sorted(ends.items(), key=lambda one: -one[1]):
        at = min(height, at - room)
        found[name] = at
    lift = TOP - at
    return {name: height + max(0.0, lift) for name, height in found.items()}
