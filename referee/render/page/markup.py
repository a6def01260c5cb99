"""HTML and SVG: the one place where text becomes markup, so that nothing else can."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

Value = str | int | float | bool | None
Attributes = Mapping[str, Value]
"""Of them True is its name alone, and one that is False or None is left out."""

_EMPTY = frozenset(("circle", "input", "meta", "path", "polyline", "rect", "use"))
# Attributes stand in double quotes, here and in the template, so other quotes are harmless.
_FORBIDDEN = "[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]"
"""Characters that no XML may contain, however they are escaped. None of them can be printed."""


class Markup(str):
    """Text that is markup already. Whatever is made of it in any other way is mere text again."""

    __slots__ = ()


def text(said: str) -> Markup:
    """Escape text; markup stays as it is."""
    return said if isinstance(said, Markup) else Markup(_escaped(said))


def joined(parts: Iterable[str]) -> Markup:
    """Join markup, and text that is escaped."""
    return Markup("".join([one if type(one) is Markup else text(one) for one in parts]))


def element(tag: str, attributes: Attributes, *inside: str) -> Markup:
    """Return an element; its content is escaped unless it is markup."""
    opened = "".join([f"<{tag}", *[_attribute(*pair) for pair in attributes.items()]])
    if tag in _EMPTY:
        return Markup(f"{opened}/>")
    return Markup(f"{opened}>{joined(inside)}</{tag}>")


def _attribute(name: str, value: Value) -> str:
    if value is None or value is False:
        return ""
    # An attribute is text, even where markup is put into it.
    return f" {name}" if value is True else f' {name}="{_escaped(str(value))}"'


def _escaped(said: str) -> str:
    if not said.isprintable():
        said = re.sub(_FORBIDDEN, "\ufffd", said)
    said = said.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return said.replace('"', "&quot;")
