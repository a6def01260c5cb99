"""The forms that the texts of notes and game files have (PROTOCOL 7 and 9).

Whoever signs a file can write any text into it. A text of one of these forms can be put into a
command, a line, a name of a file or a message as it is; only a TITLE has to be quoted.
"""

from __future__ import annotations

import re
from datetime import date
from functools import cache, lru_cache

from referee.records import NamedTuple

NUMBER = "(?:0|[1-9][0-9]{0,5})"
SEAT = "[a-z][a-z0-9-]{0,15}"
WORD = "[a-z0-9]+(?:-[a-z0-9]+)*"
DAY = "2[0-9]{3}-[0-9]{2}-[0-9]{2}"
MOST_ANSWERS = 8
"""The highest number of an answer: so often a seat can answer one question."""
TURN = rf"{NUMBER}\.{NUMBER}\.[a-z][a-z-]{{0,30}}\.{SEAT}"

_HIDDEN = (
    r"\x00-\x1f\x7f-\xa0\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2000-\u200f"
    r"\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\uffff"
    r"\U00013430-\U0001345f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U0010ffff"
)
"""Characters that are not seen, end a line, or turn the direction of writing."""
_MARKS = r"\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f"
"""Marks that stand over or under the letter before them, as many as there are."""
_QUANTUM = "[A-Za-z0-9+/]"
_LINES = (
    f"(?:{_QUANTUM}{{64}}\n)*"
    f"(?:{_QUANTUM}{{4}}){{0,15}}(?:{_QUANTUM}{{4}}|{_QUANTUM}{{3}}=|{_QUANTUM}{{2}}==)\n"
)


class Form(NamedTuple):
    """A form of texts: a regular expression, and how many characters there are at most.

    `free` says that any text in plain ASCII has it.
    """

    pattern: str
    most: int
    free: bool = False

    def fits(self, text: str) -> bool:
        """Return whether a text has this form."""
        if len(text) > self.most:
            return False
        if self.free and text.isascii() and text.isprintable():
            return True
        return has_form(text, self.pattern) if len(text) > SHORT else _fits(self.pattern, text)


SHORT = 80


# The names in a file are few, and each stands in it hundreds of times.
@lru_cache(maxsize=1024)
def _fits(pattern: str, text: str) -> bool:
    return has_form(text, pattern)


def has_form(text: str, pattern: str) -> bool:
    """Return whether the whole of a text is in a form: a regular expression."""
    return _compiled(pattern).fullmatch(text) is not None


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    # `re` remembers them too, but takes longer to look them up than to match such short texts.
    return re.compile(pattern)


A_TITLE = Form(f"(?!.*[{_MARKS}]{{4}})[^{_HIDDEN}]*", 200, free=True)
A_TEXT = Form(f"[^{_HIDDEN}]*", 4096, free=True)
A_NAME = Form("[a-z][a-z0-9]*(?:-[a-z0-9]+)*", 16)
A_BOT = Form("[a-z][a-z0-9]{0,15}-[1-9][0-9]{0,3}(?:/[1-9][0-9]{0,3})?", 26)
A_KEY = Form("[a-z][a-z0-9]*(?:[_-][a-z0-9]+)*", 40)
A_WORD = Form(WORD, 64)
A_TURN = Form(TURN, 80)
A_LINE = Form(f"{WORD}(?: {WORD})*", 4096)
_MAY = rf"\[?(?:{WORD}|[A-Z]+…?)\]?,?"
AN_ANSWER = Form(f"{_MAY}(?: {_MAY})*", 4090)
A_CLAUSE = Form("[a-z0-9][a-z0-9 ,:-]*", 400)
A_BLOCK = Form(
    f"-----BEGIN AGE ENCRYPTED FILE-----\n{_LINES}-----END AGE ENCRYPTED FILE-----\n", 40_000
)
A_NOTE = A_BLOCK._replace(most=20_000)
"""A note that waits, sealed."""
A_SIGNATURE = Form(
    f"-----BEGIN SSH SIGNATURE-----\n(?:{_QUANTUM}{{1,70}}=?=?\n){{1,20}}"
    "-----END SSH SIGNATURE-----\n",
    2000,
)


def read_day(text: str) -> date:
    """Return the day that `2026-12-24` says; raises ValueError for any other form."""
    if not re.fullmatch(DAY, text):
        raise ValueError(text)
    return date.fromisoformat(text)
