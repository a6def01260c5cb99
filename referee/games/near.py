"""Suggestions for mistyped names."""

from __future__ import annotations

from collections.abc import Iterable


def near(text: object, known: Iterable[str], otherwise: str = "") -> str:
    """Return `did you mean crane?`, or `otherwise` if no known name is similar."""
    from difflib import get_close_matches

    said = str(text)[:40].lower()
    found = get_close_matches(said, list(dict.fromkeys(known)), 2, 0.66)
    return f"did you mean {' or '.join(found)}?" if found else otherwise


def aside(text: object, known: Iterable[str]) -> str:
    """Return the same in parentheses, to follow a message; "" if no name is similar."""
    found = near(text, known)
    return f" ({found})" if found else ""
