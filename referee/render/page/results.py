"""Results of many games as one HTML page, which needs no script."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from referee.render.page.draw import chart, round_step
from referee.render.page.markup import Attributes, Markup, element, joined

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

STYLE = Path(__file__).parent / "page.css"
MORE = """
main { padding: 1rem; }
th:first-child { text-align: left; }
.chart { max-width: 38rem; }
"""
LINES, POINTS, SHORT = 6, 60, 7
"""The most lines and points of a chart, and the longest name beside a line."""
TITLE = "Results"


def results_page(
    heads: Sequence[str],
    tables: Iterable[tuple[str, Iterable[Sequence[str]]]],
    wins: Sequence[Mapping[str, int]],
    best: Sequence[str],
) -> str:
    """Return a page with tables, each with its title, and a chart of the wins of the `best`."""
    style = Markup(STYLE.read_text(encoding="utf-8") + MORE)
    mark = b64encode(sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{mark}'; base-uri 'none'; form-action 'none'"
    head = [
        element("meta", {"charset": "utf-8"}),
        element("meta", {"http-equiv": "Content-Security-Policy", "content": policy}),
        element("meta", {"name": "viewport", "content": "width=device-width, initial-scale=1"}),
        element("title", {}, TITLE),
        element("style", {}, style),
    ]
    drawn = [_chart(wins, best)] if len(wins) > 1 else []
    parts = [_table(heads, title, rows, number) for number, (title, rows) in enumerate(tables)]
    body = element("main", {}, element("h1", {}, TITLE), *parts, *drawn)
    inside = [element("head", {}, *head), element("body", {}, body)]
    return f"<!doctype html>{element('html', {'lang': 'en'}, *inside)}\n"


def _table(heads: Sequence[str], title: str, rows: Iterable[Sequence[str]], number: int) -> Markup:
    mark = f"t{number}"
    top = element("tr", {}, *(element("th", {"scope": "col"}, one) for one in heads))
    lines = [
        element(
            "tr",
            {},
            element("th", {"scope": "row"}, name),
            *(element("td", {}, cell) for cell in cells),
        )
        for name, *cells in rows
    ]
    table = element("table", {}, element("thead", {}, top), element("tbody", {}, *lines))
    scrolls: Attributes = {"class": "wide", "tabindex": 0, "role": "group", "aria-labelledby": mark}
    place = element("div", scrolls, table)
    return element("section", {"class": "panel"}, element("h2", {"id": mark}, title), place)


def _chart(wins: Sequence[Mapping[str, int]], best: Sequence[str]) -> Markup:
    """Draw the wins of the best players so far; of many games not each is a point."""
    every = round_step(len(wins), POINTS)
    at = [*range(every, len(wins), every), len(wins)]
    series: dict[str, list[int]] = {}
    for name in best[:LINES]:
        # A fingerprint has no room there; of two that begin alike the second has a number.
        whole = name.partition(" (")[0] or name
        short = whole if len(whole) <= SHORT else f"{whole[: SHORT - 1]}…"
        label = short if short not in series else f"{short[: SHORT - 3]} {len(series) + 1}"
        series[label] = [wins[game - 1].get(name, 0) for game in at]
    caption = element("figcaption", {}, element("b", {}, "Wins"), " after so many games")
    title = element("h2", {}, "Wins so far")
    figure = element("figure", {}, joined([caption, chart(at, series, "Wins after so many games")]))
    return element("section", {"class": "panel"}, title, figure)
