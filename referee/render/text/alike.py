"""Characters that a terminal may lack, and letters of ASCII that people read in their place."""
# ruff: noqa: RUF001

from __future__ import annotations

import re
from unicodedata import name, normalize

SIGNS = """
→ ->  ← <-  ↔ <->  … ...  · -  • *  ● *  ○ o  ★ *  ☆ *  ■ #  □ []  ✓ x  ✗ -
– -  — -  − -  ‐ -  ‑ -  × x  ÷ /  ± +-  ≤ <=  ≥ >=  ≠ !=
⌊ [  ⌋ ]  ‖ ||
‘ '  ’ '  ‚ '  “ "  ” "  „ "  « "  » "
ß ss  ẞ SS  æ ae  Æ AE  œ oe  Œ OE  ø o  Ø O  ł l  Ł L  đ d  Đ D  ð d  Ð D  þ th  Þ TH  ı i  € EUR
"""
RAISED = "⁰¹²³⁴-⁹"
ALIKE = dict(zip(SIGNS.split()[::2], SIGNS.split()[1::2], strict=True))


def in_ascii(text: str) -> str:
    """Return ASCII for a text: what looks or reads like its characters, or else `?`."""
    return "".join(map(_alike, re.sub(f"[{RAISED}]+", r"^\g<0>", text)))


def _alike(char: str) -> str:
    said = ALIKE.get(char) or _drawn(char) or normalize("NFKD", char).replace("⁄", "/")
    return "".join([one for one in said if one.isascii() and one.isprintable()]) or "?"


def _drawn(char: str) -> str:
    """Return what draws a box like this character of one; "" for any other."""
    about = name(char, "")
    if not about.startswith("BOX DRAWINGS"):
        return "#" if "\u2580" <= char <= "\u259f" else ""
    parts = {"VERTICAL", "HORIZONTAL", "LEFT", "RIGHT", "UP", "DOWN"} & set(about.split())
    if parts <= {"HORIZONTAL", "LEFT", "RIGHT"}:
        return "-"
    return "|" if parts <= {"VERTICAL", "UP", "DOWN"} else "+"
