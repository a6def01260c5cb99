"""The table alone as one picture, for an email or README: SVG, or PNG where a library is there."""

from __future__ import annotations

import sys
from shlex import quote
from typing import TYPE_CHECKING, ClassVar

from referee.errors import not_dealt
from referee.games.errors import GameError
from referee.games.texts import FALLBACK
from referee.render.page.draw import FONT, HIGH, WIDE, card, laid, token, used_tokens
from referee.render.page.markup import Attributes, Markup, element, joined
from referee.render.page.model import Model, badges, plot_line, shown_rows, status

if TYPE_CHECKING:
    from referee.games.board import Building, Place
    from referee.render.page.language import Language

ACROSS = 12
SCALE = 0.84
STEP = 92
MARGIN = 28
WIDTH = 2 * MARGIN + ACROSS * STEP - 8
PNG_SCALE = 2

BACK, INK, SOFT, LINE = "#f4f1ea", "#262119", "#5e574b", "#dcd5c6"
SEATS = ("#1f5fae", "#b0461a", "#2c7a3f", "#8a3a8c", "#7a6000", "#3f5560")


class NoImage(GameError):
    """The picture cannot be made here."""

    exit_code: ClassVar[int] = 1
    reason: ClassVar[str] = "no-image"


def svg(model: Model, code: str = FALLBACK) -> Markup:
    """Return the newest table as SVG. Raises Stale before the deal."""
    if not model.boards:
        raise not_dealt()
    language = model.languages[code]
    board = model.boards[-1]
    sheet = _Sheet(model, language)
    sheet.text(MARGIN, 44, 26, model.title, INK, "700")
    sheet.text(MARGIN, 68, 15, f"{model.terms(language)} · {status(model, language)}", SOFT)
    facts = [f"{language.word(key)} {value}" for key, value in board.numbers.items()]
    sheet.text(MARGIN, 96, 15, "   ".join(facts), INK)
    sheet.top = 96
    for row in shown_rows(board):
        sheet.top += 23
        words = [language.word(row.key) + ":"]
        for item in row.items:
            said = " ".join(filter(None, [language.word(item.word), item.number, item.note]))
            words.append(said if item.free else f"({said})")
        sheet.text(MARGIN, sheet.top, 15, "  ".join(words), INK)
    sheet.top += 22
    for number, place in enumerate(board.places):
        sheet.place(place, SEATS[number % len(SEATS)])
    return sheet.svg()


def png(text: str) -> bytes:
    """Return an SVG of ours as PNG, twice as large. Raises NoImage if the library is missing."""
    try:
        import cairosvg
    except (ImportError, OSError):
        # An OSError says that the library is there and the one it is made for is not.
        raise NoImage(
            "a PNG is drawn by CairoSVG, which is not installed here",
            f"{quote(sys.executable)} -m pip install cairosvg, or choose a name that ends in .svg",
        ) from None
    found: bytes = cairosvg.svg2png(bytestring=text.encode(), scale=PNG_SCALE)
    return found


class _Sheet:
    """A picture while it grows downwards; `top` is where it goes on."""

    def __init__(self, model: Model, language: Language) -> None:
        self.language = language
        self.model = model
        self.icons = model.rules.data("icons.toml")
        self.tokens = model.rules.data("tokens.toml")
        self.used: dict[str, Markup] = {}
        self.parts: list[Markup] = []
        self.top = 0.0

    def text(
        self,
        x: float,
        y: float,
        size: float,
        said: str,
        fill: str,
        weight: str = "400",
        anchor: str | None = None,
    ) -> None:
        look = {"font-size": f"{size:g}", "font-weight": weight, "text-anchor": anchor}
        place = {"x": f"{x:g}", "y": f"{y:g}"}
        self.put("text", {**place, **look, "fill": fill, "xml:space": "preserve"}, said)

    def put(self, tag: str, attributes: Attributes, *inside: str) -> None:
        self.parts.append(element(tag, attributes, *inside))

    def place(self, place: Place, colour: str) -> None:
        """Draw a seat: its name and numbers, and below them its city."""
        self.put("path", {"d": f"M{MARGIN} {self.top:g}H{WIDTH - MARGIN}", "stroke": LINE})
        self.top += 27
        dot: Attributes = {"cx": MARGIN + 6, "cy": f"{self.top - 5:g}", "r": 6, "fill": colour}
        self.put("circle", dot)
        words = [place.seat, *(f"· {self.language.word(key)}" for key in badges(place))]
        self.text(MARGIN + 20, self.top, 17, " ".join(words), INK, "700")
        facts = "   ".join(
            f"{value} {self.language.counted(key, value)}"
            for key, value in self.model.numbers(place).items()
        )
        self.text(WIDTH - MARGIN, self.top, 15, facts, SOFT, anchor="end")
        self.top += 14
        for number, building in enumerate(place.city):
            down, along = divmod(number, ACROSS)
            self._building(building, MARGIN + along * STEP, self.top + down * 132)
        self.top += 132 * -(-len(place.city) // ACROSS) + 8

    def _building(self, building: Building, x: float, y: float) -> None:
        face = self.model.faces[building.card]
        for sign in used_tokens(face):
            self.used.setdefault(f"r-{sign}", token(sign, self.tokens.get(sign)))
        title = self.language.cards[building.card][0]
        printed = {f"c-{building.card}": card(face, self.icons.get(face.icon), title)}
        for name, drawn in (printed | laid(building, face)).items():
            self.used.setdefault(name, drawn)
            at = f"translate({x:g} {y:g}) scale({SCALE})"
            self.put("use", {"href": f"#{name}", "xlink:href": f"#{name}", "transform": at})
        middle, below = x + WIDE * SCALE / 2, y + HIGH * SCALE + 13
        self.text(middle, below, 11, plot_line(building), SOFT, anchor="middle")

    def svg(self) -> Markup:
        """Return the whole picture."""
        high = f"{self.top + 12:g}"
        defs = [element("g", {"id": name}, inside) for name, inside in self.used.items()]
        names = {
            "xmlns": "http://www.w3.org/2000/svg",
            "xmlns:xlink": "http://www.w3.org/1999/xlink",
        }
        size: Attributes = {"viewBox": f"0 0 {WIDTH} {high}", "width": WIDTH, "height": high}
        return joined(
            [
                element(
                    "svg",
                    {**names, **size, "font-family": FONT},
                    element("defs", {}, *defs),
                    element("rect", {"width": WIDTH, "height": high, "fill": BACK}),
                    *self.parts,
                ),
                "\n",
            ]
        )
