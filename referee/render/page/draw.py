"""Cards and charts as SVG, in a design of our own."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from referee.render.page.markup import Attributes, Markup, element, joined
from referee.render.page.model import lines

if TYPE_CHECKING:
    from referee.games.board import Board, Building, Face

WIDE, HIGH = 100, 132
"""The size of a card."""
CARD = f"0 0 {WIDE} {HIGH}"

PLAIN = ("#4d5560", "#d5dae0")
"""Band and lines, and tint, of cards whose group has no colours."""
PAPER, EDGE, INK = "#fffdf7", "#cbc2b0", "#26221c"
GOOD = "#e9b44c"
"""The colour of a good of which the game does not say one."""

FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif"


def symbols(
    faces: Mapping[str, Face],
    icons: Mapping[str, Sequence[str]],
    tokens: Mapping[str, Sequence[str]],
    titles: Mapping[str, str],
) -> Markup:
    """Return every card as a symbol `c-NAME`, and what may lie on one: the goods as `g-GROUP`, and
    workers as `k-COUNT`. What cards cost and give is `r-NAME`."""
    found = {
        f"c-{name}": card(face, icons.get(face.icon), titles[name]) for name, face in faces.items()
    }
    goods = {f"g-{face.group}": face for face in faces.values()}
    found |= {"g-empty": _room(), **{name: _good(face) for name, face in goods.items()}}
    found["back"] = _back()
    most = max((len(face.fields) for face in faces.values()), default=0)
    found |= {f"k-{crew}": _workers(crew) for crew in range(1, most + 1)}
    signs = dict.fromkeys(one for face in faces.values() for one in used_tokens(face))
    return joined(
        [
            *(element("symbol", {"id": name, "viewBox": CARD}, one) for name, one in found.items()),
            element(
                "defs",
                {},
                *(element("g", {"id": f"r-{one}"}, token(one, tokens.get(one))) for one in signs),
            ),
        ]
    )


def used_tokens(face: Face) -> list[str]:
    """Return the tokens that are drawn on a card, each once."""
    rows = [part for field in face.fields for part in (field.gains, field.favour)]
    return list(dict.fromkeys(sign for row in (face.needs, face.gives, *rows) for sign in row))


def token(name: str, drawn: Sequence[str] | None) -> Markup:
    """Draw the sign of a resource around 0 0; one that has none shows its first letters."""
    pen: Attributes = {"stroke": INK, "stroke-width": 0.7, "stroke-linejoin": "round"}
    if drawn is None:
        disc: Attributes = {"r": 4.4, "fill": PLAIN[1], **pen}
        parts = [element("circle", disc), _text(0, 1.8, 5, name[:2], INK, "700")]
    else:
        fill, area, more = drawn
        parts = [element("path", {"d": area, "fill": fill, **pen})]
        if more:
            parts.append(element("path", {"d": more, "fill": "none", **pen}))
    return element("g", {"transform": "scale(1.25)"}, *parts)


def laid(building: Building, face: Face) -> dict[str, Markup]:
    """Return what lies on a card, by the names of its symbols: a good or room for one, workers."""
    if building.room == 1:
        return {f"g-{face.group}": _good(face)} if building.tokens else {"g-empty": _room()}
    crew = min(building.tokens, len(face.fields))
    return {f"k-{crew}": _workers(crew)} if crew else {}


def _workers(count: int) -> Markup:
    return joined(_worker(number) for number in range(count))


def _room() -> Markup:
    ring: Attributes = {"stroke": EDGE, "stroke-width": "2", "stroke-dasharray": "4 3"}
    return element("circle", {"cx": 81, "cy": 84, "r": 10, "fill": "none", **ring})


def _back() -> Markup:
    gold: Attributes = {"fill": "none", "stroke": "#d9c9a3", "stroke-width": 3}
    rhomb = element("path", {"d": "M50 40 72 66 50 92 28 66Z", **gold})
    return joined([_sheet("#3d4a5c", "#2b3542"), rhomb])


def _sheet(fill: str, stroke: str) -> Markup:
    edge: Attributes = {"fill": fill, "stroke": stroke, "stroke-width": 1.5}
    return element("rect", {"x": 1, "y": 1, "width": 98, "height": 130, "rx": 9, **edge})


def _icon(icon: Sequence[str], dark: str, tint: str, *, small: bool) -> Markup:
    """Draw the icon of a card, `small` beside the fields of one that has some."""
    area, line = icon
    place = "translate(4 31) scale(.66)" if small else "translate(20 33) scale(1.25)"
    return element(
        "g",
        {"transform": place, "stroke-linejoin": "round", "stroke-linecap": "round"},
        element("path", {"d": area, "fill": tint}),
        element(
            "path",
            {"d": line, "fill": "none", "stroke": dark, "stroke-width": 2.6 if small else 1.9},
        ),
    )


def card(face: Face, icon: Sequence[str] | None, title: str) -> Markup:
    """Draw the inside of a card, 100 by 132."""
    dark, tint = face.colours[:2] or PLAIN
    band = "M2 27V10A8 8 0 0 1 10 2H90A8 8 0 0 1 98 10V27Z"
    parts: list[str] = [_sheet(PAPER, EDGE), element("path", {"d": band, "fill": dark})]
    if face.fields:
        parts += _fields(face, tint)
    elif face.cost:
        parts.append(element("circle", {"cx": 16, "cy": 16, "r": 11.5, "fill": PAPER}))
        parts.append(_text(16, 21.5, 16, face.cost, dark, "800"))
    if face.points and not face.fields:
        shield = "M74 6H94V17C94 23 89 26 84 28 79 26 74 23 74 17Z"
        parts.append(element("path", {"d": shield, "fill": tint}))
        parts.append(_text(84, 20.5, 14, face.points, INK, "800"))
    if icon:
        parts.append(_icon(icon, dark, tint, small=bool(face.fields)))
    elif face.fields:
        initials = "".join(word[0] for word in title.split()[:2])
        seal: Attributes = {"x": 6, "y": 33, "width": 28, "height": 28, "rx": 4, "fill": tint}
        parts.append(element("rect", seal))
        parts.append(_text(20, 52.5, 16, initials, INK, "700"))
    said = lines(title)
    size = min(12.5, 132 / max(map(len, said)))
    top = 116 if len(said) == 1 else 110
    for number, line in enumerate(said):
        parts.append(_text(50, top + 14 * number, size, line, INK, "600", f"n{number}"))
    return joined(parts)


def _row(number: int) -> int:
    """Return the height of a field on a card; the first one is at the bottom."""
    return 91 - 14 * number


def _fields(face: Face, tint: str) -> list[Markup]:
    """Draw the cost of a card, what its owner has, and its fields with their prices."""
    step = min(13, 84 / len(face.needs))
    pill: Attributes = {"x": 3, "y": 7, "height": 15, "rx": 7.5, "fill": PAPER}
    wide = f"{step * len(face.needs) + 4:.4g}"
    parts = [element("rect", {**pill, "width": wide}), *_tokens(face.needs, 11.5, 14.5, step)]
    left = 20 - 6 * len(face.gives)
    backs = [f"M{left - 2} 70h{12 * len(face.gives) + 4}v16H{left - 2}Z"] if face.gives else []
    signs = _tokens(face.gives, left + 6, 78, 12)
    prices = []
    rules = []
    for number, field in enumerate(face.fields):
        y = _row(number)
        rules.append(f"M39 {y + 7}H97")
        prices.append(element("text", {"x": 45, "y": y + 4}, field.price))
        signs += _tokens(field.gains, 59, y, min(12.5, 32 / max(1, len(field.gains))))
        if field.favour:
            backs.append(f"M84 {y - 6}h14v12h-14Z")
            signs += _tokens(field.favour, 91, y, 0)
    y = _row(len(face.fields))
    backs.append(f"M38 {y}a7 7 0 1 0 14 0 7 7 0 1 0-14 0Z")
    prices.append(element("text", {"x": 45, "y": y + 4}, face.last))
    line: Attributes = {"d": "".join(rules), "stroke": EDGE, "stroke-width": 0.7}
    look = {"font-size": "11", "font-weight": "700", "text-anchor": "middle", "fill": INK}
    return [
        *parts,
        element("path", line),
        element("path", {"d": "".join(backs), "fill": tint}),
        element("g", look, *prices),
        *signs,
    ]


def _tokens(names: Sequence[str], x: float, y: float, step: float) -> list[Markup]:
    return [
        element("use", {"href": f"#r-{name}", "x": f"{x + step * at:.4g}", "y": f"{y:g}"})
        for at, name in enumerate(names)
    ]


def _worker(number: int) -> Markup:
    """Draw a worker on a field, which covers what stood there."""
    y = _row(number)
    sheet: Attributes = {"x": 38.5, "y": f"{y - 6.8:g}", "width": 59, "height": 13.6, "fill": EDGE}
    head = "M0-6A2.6 2.6 0 0 1 1.5-1.3C3.9-.7 5 1.4 5.2 5.6H-5.2"
    man: Attributes = {
        "d": f"{head}C-5 1.4-3.9-.7-1.5-1.3A2.6 2.6 0 0 1 0-6Z",
        "transform": f"translate(68 {y:g})",
        "fill": INK,
    }
    return joined([element("rect", sheet), element("path", man)])


def _text(
    x: float, y: float, size: float, said: str, fill: str, weight: str, mark: str | None = None
) -> Markup:
    place = {"class": mark, "x": f"{x:g}", "y": f"{y:g}"}
    look = {"font-size": f"{size:.3g}", "font-weight": weight, "text-anchor": "middle"}
    return element("text", {**place, **look, "fill": fill}, said)


def _good(face: Face) -> Markup:
    """Return a barrel in the colour of the good that a card makes."""
    colour = face.colours[2] if len(face.colours) > 2 else GOOD
    edge: Attributes = {"stroke": INK, "stroke-width": 1.8, "stroke-linejoin": "round"}
    barrel = "M74 73H88C92 80 92 88 88 95H74C70 88 70 80 74 73Z"
    hoops: Attributes = {"d": "M72 79H90M72 89H90", "stroke": INK, "stroke-width": 1.5}
    return joined(
        [
            element("circle", {"cx": 81, "cy": 84, "r": 15, "fill": PAPER}),
            element("path", {"d": barrel, "fill": colour, **edge}),
            element("path", hoops),
        ]
    )


def by_round(boards: Sequence[Board], fact: str) -> tuple[list[int], dict[str, list[int]]]:
    """Return the rounds, and for each seat a fact at the end of every one."""
    last = {board.round: board for board in boards}
    rounds = sorted(last)
    series: dict[str, list[int]] = {}
    for number in rounds:
        for place in last[number].places:
            series.setdefault(place.seat, []).append(int(place.numbers.get(fact, 0)))
    return rounds, series


LEFT, RIGHT, TOP, BOTTOM = 28, 302, 12, 158
MARK = 17
"""The height of a mark on a line, and of the room around it."""


def round_step(most: int, parts: int) -> int:
    """Return the smallest of 1, 2, 5, 10, 20, … of which so many parts reach to a number."""
    sizes = (int(f"{unit}{'0' * zeros}") for zeros in itertools.count() for unit in (1, 2, 5))
    return next(size for size in sizes if size * parts >= most)


def chart(
    rounds: Sequence[int],
    series: Mapping[str, Sequence[int]],
    label: str,
    marks: Mapping[str, Mapping[int, str]] = MappingProxyType({}),
) -> Markup:
    """Draw a chart of lines, one a seat, each in the colour of its seat and with its name.

    `marks` are short texts on the lines, by seat and round.
    """
    most = max((max(row) for row in series.values()), default=0) or 1
    step = round_step(most, 5)
    high = -(-most // step) * step

    def x(index: int) -> float:
        return LEFT + (RIGHT - LEFT) * index / max(1, len(rounds) - 1)

    def y(value: int) -> float:
        return BOTTOM - (BOTTOM - TOP) * value / high

    parts: list[str] = []
    for value in range(0, high + 1, step):
        parts.append(element("path", {"class": "grid", "d": f"M{LEFT} {y(value):.1f}H{RIGHT}"}))
        parts.append(_axis(LEFT - 6, y(value) + 4, "end", value))
    # Long numbers need more room.
    every = round_step(last := max(rounds, default=1), 15 if last < 100 else 8)
    parts += [
        _axis(x(at), BOTTOM + 17, "middle", number)
        for at, number in enumerate(rounds)
        if not number % every
    ]
    ends = _apart({name: y(row[-1]) for name, row in series.items()})
    for number, (name, row) in enumerate(series.items()):
        points = " ".join(f"{x(at):.1f},{y(value):.1f}" for at, value in enumerate(row))
        end = {"cx": f"{x(len(row) - 1):.1f}", "cy": f"{y(row[-1]):.1f}", "r": "3.5"}
        place: Attributes = {"x": RIGHT + 9, "y": f"{ends[name] + 4:.1f}"}
        parts += [
            element("polyline", {"class": f"line s{number}", "points": points}),
            element("circle", {"class": f"end s{number}", **end}),
            element("text", {"class": f"seat s{number}", **place}, name),
        ]
    # Above all lines, and none on another.
    placed: list[tuple[float, float, float]] = []
    for number, (name, row) in enumerate(series.items()):
        for at, value in enumerate(row):
            said = marks.get(name, {}).get(rounds[at])
            if said is not None:
                parts.append(_mark(x(at), y(value), f"s{number}", said, placed))
    look = {"class": "chart", "viewBox": "0 0 370 182", "role": "img", "aria-label": label}
    return element("svg", look, *parts)


def _mark(
    x: float, y: float, seat: str, said: str, placed: list[tuple[float, float, float]]
) -> Markup:
    """Draw a short text in a frame of its seat's colour, at a point or, where others are, near it.

    `placed` are the frames there are: middle, height and width of each; this one is added.
    """
    wide = 11 + 5 * len(said)

    def is_free(high: float) -> bool:
        return all(
            abs(x - other) >= (wide + width) / 2 or abs(high - there) >= MARK
            for other, there, width in placed
        )

    # Up and down from the point by turns, as long as it stays in the picture.
    heights = [y + sign * MARK * far for far in range(9) for sign in (-1, 1)]
    inside = [high for high in heights if TOP <= high <= BOTTOM]
    high = next(filter(is_free, inside), y)
    placed.append((x, high, wide))
    frame: Attributes = {"x": f"{x - wide / 2:.1f}", "y": f"{high - 8:.1f}", "width": wide}
    place = {"x": f"{x:.1f}", "y": f"{high + 3.5:.1f}", "text-anchor": "middle"}
    return joined(
        [
            element("path", {"class": f"stem {seat}", "d": f"M{x:.1f} {y:.1f}V{high:.1f}"}),
            element("rect", {"class": f"turn {seat}", **frame, "height": 16, "rx": 8}),
            element("text", {"class": "turn", **place}, said),
        ]
    )


def _axis(x: float, y: float, anchor: str, number: int) -> Markup:
    place = {"x": f"{x:.1f}", "y": f"{y:.1f}", "text-anchor": anchor}
    return element("text", {"class": "axis", **place}, str(number))


def _apart(ends: Mapping[str, float], room: float = 14) -> dict[str, float]:
    """Return the heights of labels, moved so that none lies on another."""
    found: dict[str, float] = {}
    at = BOTTOM + 2 * room
    for name, height in sorted(ends.items(), key=lambda end: -end[1]):
        at = min(height, at - room)
        found[name] = at
    lift = TOP - at
    return {name: height + max(0.0, lift) for name, height in found.items()}
