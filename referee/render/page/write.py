"""A page as one HTML file: nothing is fetched, and nothing that people typed can become markup."""

from __future__ import annotations

import json
from binascii import b2a_base64
from pathlib import Path
from string import Template
from typing import Any

from referee.games.texts import FALLBACK
from referee.hashes import sha256
from referee.render.page import static
from referee.render.page.draw import symbols
from referee.render.page.language import Language
from referee.render.page.markup import Attributes, Markup, element, joined, text
from referee.render.page.model import Model, document, status

FOLDER = Path(__file__).parent
SCRIPTS = ("table.js", "compose.js", "plan.js", "page.js")
"""One script in four files: what is shown, how a play and a plan are put together, what starts."""


def page(model: Model, code: str = FALLBACK) -> str:
    """Return the whole file, in this language to begin with."""
    language = model.languages[code]
    style, script = _read("page.css"), joined(_read(name) for name in SCRIPTS)
    titles = {name: said[0] for name, said in language.cards.items()}
    made = "made-hand" if model.mine else "made"
    found = {
        "lang": code,
        "policy": (
            f"default-src 'none'; style-src 'sha256-{_hash(style)}'; "
            f"script-src 'sha256-{_hash(script)}'; base-uri 'none'; form-action 'none'"
        ),
        "title": model.title,
        "terms": f"{model.terms(language)} · ",
        "status": status(model, language),
        "style": style,
        "symbols": symbols(
            model.faces, model.rules.data("icons.toml"), model.rules.data("tokens.toml"), titles
        ),
        "languages": joined(_option(one, code) for one in model.languages.values()),
        "choice": "" if len(model.languages) > 1 else " hidden",
        "main": static.main(model, language),
        "shape": "turn" if model.composes else "",
        "made": made,
        "made_text": language.text[made],
        "theme": language.text["theme-auto"],
        "model": embedded(document(model, code)),
        "script": script,
        **{key: language.text[key] for key in ("skip", "language", "called", "rulings", "close")},
    }
    return Template(_read("template.html")).substitute(
        {key: text(one) for key, one in found.items()}
    )


def frame_policy() -> tuple[str, str]:
    """Return the sources of script and style, by their hashes, that every page has.

    A document that shows pages in a frame must allow them.
    """
    return (
        f"'sha256-{_hash(joined(_read(name) for name in SCRIPTS))}'",
        f"'sha256-{_hash(_read('page.css'))}'",
    )


def embedded(value: dict[str, Any]) -> Markup:
    """Return a document as JSON in which nothing can end the element that it stands in."""
    said = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    for char in "<>&\u2028\u2029":
        said = said.replace(char, f"\\u{ord(char):04x}")
    return Markup(said)


def _read(name: str) -> Markup:
    """Return a file of ours, which is markup, script or style as it stands."""
    return Markup((FOLDER / name).read_text(encoding="utf-8"))


def _hash(said: str) -> str:
    return b2a_base64(sha256(said.encode()), newline=False).decode()


def _option(language: Language, code: str) -> Markup:
    chosen: Attributes = {"value": language.code, "selected": language.code == code}
    return element("option", chosen, language.name)
