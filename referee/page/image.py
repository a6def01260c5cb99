"""The table alone as one picture, for a mail or a README: SVG, or PNG where a library is there."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, ClassVar

from referee.games.interface import GameError
from referee.games.picture import FALLBACK, icons
from referee.page.draw import FONT, HIGH, WIDE, card, extras
from referee.page.model import Model, status

if TYPE_CHECKING:
    from referee.games.picture import Building, Side
    from referee.page.language import Language

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


def svg(model: Model, code: str = FALLBACK) -> str:
    """The newest table as SVG. Raises NoImage before the deal."""
    if not model.boards:
        raise NoImage("the cards are not dealt yet, so there is no table to draw")
    language = model.languages[code]
    board = model.boards[-1]
    sheet = _Sheet(model, language)
    sheet.text(MARGIN, 44, 26, model.title, INK, "700")
    sheet.text(MARGIN, 68, 15, f"{model.terms} · {status(model, language)}", SOFT)
    facts = [f"{language.word(key)} {value}" for key, value in board.facts.items()]
    sheet.text(MARGIN, 96, 15, "   ".join(facts), INK)
    sheet.top = 96
    for row in board.rows:
        sheet.top += 23
        words = [language.word(row.key) + ":"]
        for token, used in row.tokens:
            name, _, number = token.partition(" ")
            said = f"{language.word(name)} {number}".rstrip()
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
            "pip install 'sanjuan-ref[image]', or choose a name that ends in .svg",
        ) from None
    found: bytes = cairosvg.svg2png(bytestring=text.encode(), scale=PNG_SCALE)
    return found


class _Sheet:
    """A picture while it grows downwards; `top` is where it goes on."""

    def __init__(self, model: Model, language: Language) -> None:
        self.language = language
        self.faces = model.picture.faces()
        self.icons = icons(model.rules.module)
        self.used: dict[str, str] = {}
        self.parts: list[str] = []
        self.top = 0.0

    def text(
        self, x: float, y: float, size: float, said: str, fill: str, weight: str = "400"
    ) -> None:
        self.parts.append(
            f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" font-weight="{weight}" '
            f'fill="{fill}" xml:space="preserve">{escape(said)}</text>'
        )

    def side(self, side: Side, colour: str) -> None:
        """A seat: its name and numbers, and below them its city."""
        self.parts.append(f'<path d="M{MARGIN} {self.top}H{WIDTH - MARGIN}" stroke="{LINE}"/>')
        self.top += 27
        self.parts.append(
            f'<circle cx="{MARGIN + 6}" cy="{self.top - 5:g}" r="6" fill="{colour}"/>'
        )
        words = [side.name, *(f"· {self.language.word(badge)}" for badge in side.badges)]
        self.text(MARGIN + 20, self.top, 17, " ".join(words), INK, "700")
        facts = "   ".join(
            f"{value} {self.language.counted(key, value)}" for key, value in side.facts.items()
        )
        self.parts.append(
            f'<text x="{WIDTH - MARGIN}" y="{self.top:g}" font-size="15" text-anchor="end" '
            f'fill="{SOFT}" xml:space="preserve">{escape(facts)}</text>'
        )
        self.top += 14
        for number, one in enumerate(side.city):
            down, along = divmod(number, ACROSS)
            self._building(one, MARGIN + along * STEP, self.top + down * 132)
        self.top += 132 * -(-len(side.city) // ACROSS) + 8

    def _building(self, one: Building, x: float, y: float) -> None:
        face = self.faces[one.card]
        if one.card not in self.used:
            title = self.language.cards[one.card][0]
            self.used[one.card] = card(face, self.icons.get(face.icon), title)
        names = [f"c-{one.card}"]
        if one.mark:
            names.append("g-empty" if one.mark == "empty" else f"g-{face.group}")
        for name in names:
            self.used.setdefault(name.removeprefix("c-"), extras(name))
            at = f"translate({x:g} {y:g}) scale({SCALE})"
            self.parts.append(f'<use href="#{name}" xlink:href="#{name}" transform="{at}"/>')
        note = f" · {one.note}" if one.note else ""
        self.parts.append(
            f'<text x="{x + WIDE * SCALE / 2:g}" y="{y + HIGH * SCALE + 13:g}" font-size="11" '
            f'text-anchor="middle" fill="{SOFT}">{one.plot}{escape(note)}</text>'
        )

    def svg(self) -> str:
        """The whole picture."""
        high = self.top + 12
        defs = "".join(
            f'<g id="{name if name.startswith("g-") else f"c-{name}"}">{inside}</g>'
            for name, inside in self.used.items()
        )
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
            f'viewBox="0 0 {WIDTH} {high:g}" width="{WIDTH}" height="{high:g}" '
            f'font-family="{escape(FONT)}"><defs>{defs}</defs>'
            f'<rect width="{WIDTH}" height="{high:g}" fill="{BACK}"/>{"".join(self.parts)}</svg>\n'
        )
