"""The table alone as one picture, for a mail or a README: SVG, or PNG where a library is there."""

from __future__ import annotations

import sys
from shlex import quote
from typing import TYPE_CHECKING, ClassVar

from referee.errors import not_dealt
from referee.games.interface import GameError
from referee.games.picture import FALLBACK, icons, tokens
from referee.render.page.draw import FONT, HIGH, WIDE, card, extras, token, used_tokens
from referee.render.page.markup import Attributes, Markup, element, joined
from referee.render.page.model import Model, status

if TYPE_CHECKING:
    from referee.games.picture import Building, Side
    from referee.render.page.language import Language

ACROSS = 12
SCALE = 0.84
STEP = 92
MARGIN = 28
WIDTH = 2 * MARGIN + ACROSS * STEP - 8
PNG_SCALE = 2

BACK, INK, SOFT, LINE, ACCENT = "#f4f1ea", "#262119", "#5e574b", "#dcd5c6", "#1b5e6b"
SEATS = ("#1f5fae", "#b0461a", "#2c7a3f", "#8a3a8c", "#7a6000", "#3f5560")


class NoImage(GameError):
    """The picture cannot be made here."""

    exit_code: ClassVar[int] = 1
    reason: ClassVar[str] = "no-image"


def svg(model: Model, code: str = FALLBACK) -> Markup:
    """The newest table as SVG. Raises Stale before the deal."""
    if not model.boards:
        raise not_dealt()
    language = model.languages[code]
    board = model.boards[-1]
    sheet = _Sheet(model, language)
    sheet.text(MARGIN, 44, 26, model.title, INK, "700")
    sheet.text(MARGIN, 68, 15, f"{model.terms(language)} · {status(model, language)}", SOFT)
    facts = [f"{language.word(key)} {value}" for key, value in board.facts.items()]
    sheet.text(MARGIN, 96, 15, "   ".join(facts), INK)
    sheet.top = 96
    for row in board.rows:
        sheet.top += 23
        words = [language.word(row.key) + ":"]
        for word, used, by in row.tokens:
            name, _, number = word.partition(" ")
            said = " ".join([language.word(name), *filter(None, [number, ", ".join(by)])])
            words.append(f"({said})" if used else said)
        sheet.text(MARGIN, sheet.top, 15, "  ".join(words), INK)
    sheet.top += 22
    for place, side in enumerate(board.sides):
        sheet.side(side, SEATS[place % len(SEATS)])
    return sheet.svg()


def png(text: str) -> bytes:
    """An SVG of ours as PNG, twice as large. Raises NoImage where the library is missing."""
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
        self.faces = model.picture.faces()
        self.icons = icons(model.rules.module)
        self.tokens = tokens(model.rules.module)
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

    def side(self, side: Side, colour: str) -> None:
        """A seat: its name and numbers, and below them its city."""
        self.put("path", {"d": f"M{MARGIN} {self.top:g}H{WIDTH - MARGIN}", "stroke": LINE})
        self.top += 27
        dot: Attributes = {"cx": MARGIN + 6, "cy": f"{self.top - 5:g}", "r": 6, "fill": colour}
        self.put("circle", dot)
        words = [side.name, *(f"· {self.language.word(badge)}" for badge in side.badges)]
        self.text(MARGIN + 20, self.top, 17, " ".join(words), INK, "700")
        facts = "   ".join(
            f"{value} {self.language.counted(key, value)}" for key, value in side.facts.items()
        )
        self.text(WIDTH - MARGIN, self.top, 15, facts, SOFT, anchor="end")
        self.top += 14
        for number, one in enumerate(side.city):
            down, along = divmod(number, ACROSS)
            self._building(one, MARGIN + along * STEP, self.top + down * 132)
        self.top += 132 * -(-len(side.city) // ACROSS) + 8

    def _building(self, one: Building, x: float, y: float) -> None:
        face = self.faces[one.card]
        names = [f"c-{one.card}"]
        if one.mark:
            names.append("g-empty" if one.mark == "empty" else f"g-{face.group}")
        if crew := min(one.crew, len(face.fields)):
            names.append(f"k-{crew}")
        for sign in used_tokens(face):
            self.used.setdefault(f"r-{sign}", token(sign, self.tokens.get(sign)))
        for name in names:
            if name not in self.used:
                title = self.language.cards[one.card][0]
                is_card = name.startswith("c-")
                drawn = card(face, self.icons.get(face.icon), title) if is_card else extras(name)
                self.used[name] = drawn
            at = f"translate({x:g} {y:g}) scale({SCALE})"
            self.put("use", {"href": f"#{name}", "xlink:href": f"#{name}", "transform": at})
        note = (f" · +{one.under}" if one.under else "") + (f" · {one.note}" if one.note else "")
        middle, below = x + WIDE * SCALE / 2, y + HIGH * SCALE + 13
        self.text(middle, below, 11, f"{one.plot}{note}", SOFT, anchor="middle")

    def svg(self) -> Markup:
        """The whole picture."""
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
