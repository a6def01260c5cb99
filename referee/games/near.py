"""What somebody may have meant who mistyped a name."""

from __future__ import annotations

from collections.abc import Iterable


def near(text: object, known: Iterable[str], otherwise: str = "") -> str:
    """`did you mean crane?`, or else what there is to say where no name is like it."""
    from difflib import get_close_matches

    said = str(text)[:40].lower()
    found = get_close_matches(said, list(dict.fromkeys(known)), 2, 0.66)
    return f"did you mean {' or '.join(found)}?" if found else otherwise


def aside(text: object, known: Iterable[str]) -> str:
    """The same behind a message, in parentheses; nothing where no name is like it."""
    found = near(text, known)
    return f" ({found})" if found else ""
