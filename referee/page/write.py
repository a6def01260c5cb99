"""A page as one HTML file: nothing is fetched, and nothing that people typed can become markup."""

from __future__ import annotations

import json
from base64 import b64encode
from hashlib import sha256
from html import escape
from pathlib import Path
from string import Template
from typing import Any

from referee.games.picture import FALLBACK, icons
from referee.page import static
from referee.page.draw import symbols
from referee.page.language import Language
from referee.page.model import Model, document, status

FOLDER = Path(__file__).parent
SCRIPTS = ("table.js", "compose.js", "page.js")
"""One script in three files: what is shown, how a play is put together, and what starts it."""


def page(model: Model, code: str = FALLBACK) -> str:
    """The whole file, in this language to begin with."""
    language = model.languages[code]
    style, script = _read("page.css"), "".join(_read(name) for name in SCRIPTS)
    titles = {name: said[0] for name, said in language.cards.items()}
    made = "made-hand" if model.mine else "made"
    found = {
        "lang": code,
        "policy": (
            f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; "
            "base-uri 'none'; form-action 'none'"
        ),
        "title": escape(model.title),
        "terms": escape(f"{model.terms} · "),
        "status": escape(status(model, language)),
        "style": style,
        "symbols": symbols(model.picture.faces(), icons(model.rules.module), titles),
        "languages": _languages(model, code),
        "main": static.main(model, language),
        "made": made,
        "made_text": escape(language.text[made]),
        "theme": escape(language.text["theme-auto"]),
        "model": embedded(document(model)),
        "script": script,
        **{key: escape(language.text[key]) for key in ("skip", "language", "called", "close")},
    }
    return Template(_read("template.html")).substitute(found)


def embedded(value: dict[str, Any]) -> str:
    """A document as JSON in which nothing can end the element that it stands in."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    for char in "<>&\u2028\u2029":
        text = text.replace(char, f"\\u{ord(char):04x}")
    return text


def _read(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def _languages(model: Model, code: str) -> str:
    def option(language: Language) -> str:
        chosen = " selected" if language.code == code else ""
        return f'<option value="{language.code}"{chosen}>{escape(language.name)}</option>'

    return "".join(option(language) for language in model.languages.values())
