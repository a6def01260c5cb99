"""Refusals, and the results of checks, in the language of the app.

The program says it in English, as on a terminal. `refusals/CODE.toml` has what to say for it; a
game's own `refusals` lie with its texts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from referee import toml
from referee.games.errors import GameError
from referee.games.texts import FALLBACK
from referee.records import NamedTuple

FOLDER = Path(__file__).parent / "refusals"
NESTED = "said"
"""The beginning of the names of fields in which a sentence stands that is translated as well."""
_FIELD = re.compile(r"\{(\w+)\}")


class Told(NamedTuple):
    """Sentences for an error: what is wrong, what to do, and the program's words if they differ."""

    message: str
    hint: str
    words: str = ""


def told(error: GameError, language: str, more: Callable[[str], str]) -> Told:
    """Return what is said of an error in a language; `more` translates what a game says."""
    # A hint at a command is no help here.
    hint = "" if "`" in error.hint or "--" in error.hint else error.hint
    if language == FALLBACK:
        return Told(error.message, hint)
    said = translated(error.message, language, more) or more(error.message)
    hint = translated(hint, language)
    if said:
        return Told(said, hint)
    reasons = _file(language)["reasons"]
    said = reasons.get(error.reason) or reasons.get(type(error).reason) or reasons["error"]
    return Told(said, hint, error.message)


def told_lines(lines: list[str], language: str) -> list[str]:
    """Return sentences of the program in a language, each as it is where nobody translated it."""
    return [translated(line, language) or line for line in lines]


def translated(sentence: str, language: str, more: Callable[[str], str] = lambda _: "") -> str:
    """Return a sentence of the program in a language; "" where nobody translated it.

    `more` translates others that stand within it.
    """
    for pattern in _patterns(language):
        fields = _fields(pattern, sentence)
        if fields is not None:
            return _filled(pattern.said, fields, language, more)
    return ""


def _filled(said: str, fields: Mapping[str, str], language: str, more: Callable[[str], str]) -> str:
    def put(field: re.Match[str]) -> str:
        value = fields[field[1]]
        if not field[1].startswith(NESTED):
            return value
        return translated(value, language, more) or more(value) or value

    return _FIELD.sub(put, said)


class _Pattern(NamedTuple):
    begin: str
    parts: list[tuple[str, str]]
    """Each field, with the words that come after it."""
    said: str


@cache
def _patterns(language: str) -> list[_Pattern]:
    found = []
    for sentence, said in _file(language).get("said", ()):
        begin, *parts = _FIELD.split(sentence)
        found.append(_Pattern(begin, list(zip(parts[::2], parts[1::2], strict=True)), said))
    return found


def _fields(pattern: _Pattern, sentence: str) -> dict[str, str] | None:
    """Return what stands for the fields, each as short as can be; None if the sentence is another.

    It takes one look at the sentence, which others may have made long: a regular expression of
    several fields tries all places for each.
    """
    if not sentence.startswith(pattern.begin):
        return None
    found, at = {}, len(pattern.begin)
    for number, (field, words) in enumerate(pattern.parts, 1):
        least = at + (not field.startswith(NESTED))
        if number < len(pattern.parts):
            end = sentence.find(words, least)
        else:
            end = len(sentence) - len(words) if sentence.endswith(words) else -1
        if end < least:
            return None
        found[field], at = sentence[at:end], end + len(words)
    return found if at == len(sentence) else None


@cache
def _file(language: str) -> Mapping[str, Any]:
    path = FOLDER / f"{language}.toml"
    return toml.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
