"""The languages of a page: data files of this package and of the games, and how they are spoken."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from referee import toml
from referee.bots.names import parts_of
from referee.games.texts import FALLBACK
from referee.records import NamedTuple
from referee.render.page.markup import Attributes, Markup, element
from referee.render.text.story import Voice

if TYPE_CHECKING:
    from referee.games.interface import Rules

FOLDER = Path(__file__).parent / "lang"

_FIELD = re.compile(r"\{([a-z]+)(\d?)\}")
_DIGITS = "0123456789"
_NAME = "abcdefghijklmnopqrstuvwxyz0123456789-"
_CHARACTERS = {
    "seat": _NAME,
    "number": _DIGITS,
    "plot": _DIGITS,
    "tie": _DIGITS,
    "card": _NAME,
    "word": _NAME,
}
"""The characters that may stand in the fields of a pattern; in all others any may."""


class _Pattern(NamedTuple):
    """A pattern of sentences: its fields, the words around them, and what is said for it.

    A field ends where the words after it begin, the last one where those at the end do.
    """

    fields: list[tuple[str, str]]
    words: list[str]
    longest: str
    template: str

    def match(self, sentence: str) -> dict[str, str] | None:
        """Return the fields of a sentence; None where it is another one."""
        begin, *between = self.words
        if not self.fields:
            return {} if sentence == begin else None
        end = between.pop()
        if not (sentence.startswith(begin) and sentence.endswith(end)):
            return None
        values, rest = [], sentence.removeprefix(begin).removesuffix(end)
        for words in between:
            value, parted, rest = rest.partition(words)
            if not parted:
                return None
            values.append(value)
        values.append(rest)
        for (kind, _), value in zip(self.fields, values, strict=True):
            if not value or (kind in _CHARACTERS and value.strip(_CHARACTERS[kind])):
                return None
        return {name: value for (_, name), value in zip(self.fields, values, strict=True)}


def codes() -> list[str]:
    """Return the languages there are, by their codes, the fallback first."""
    found = sorted(path.stem for path in FOLDER.glob("*.toml"))
    return [FALLBACK, *(code for code in found if code != FALLBACK)]


@cache
def _file(code: str) -> Mapping[str, Any]:
    return toml.loads((FOLDER / f"{code}.toml").read_text(encoding="utf-8"))


class Language(Voice):
    """One language, for the table of one rule set."""

    def __init__(self, code: str, rules: Rules) -> None:
        self.code = code
        self.rules = rules
        said = _file(code)
        self.name: str = said["name"]
        self.status: Mapping[str, str] = said["status"]
        self._game = rules.texts(code) or rules.texts(FALLBACK)
        # A game may have better words for what it prints on its cards.
        own: Mapping[str, str] = self._game.get("text", {})
        scale = self.labels.get(rules.scale, rules.scale)
        chart = {f"chart-{rules.scale}": scale[:1].upper() + scale[1:]}
        self.text: Mapping[str, str] = {**_file(FALLBACK)["text"], **said["text"], **chart, **own}
        self.both: str = said["both"]
        story: Mapping[str, str] = said["story"]
        self.deal = story["deal"]
        self.abandon = story["abandon"]
        self.agreed, self.end, self.go_on = story["agreed"], story["end"], story["go-on"]
        self.leave, self.back = story["leave"], story["back"]
        self.transfer, self.reseal = story["transfer"], story["reseal"]
        self.passes = story["passes"]
        self.plan = story["plan"]
        self.planned = story["planned"]
        self.late = story["late"]
        self.by_bot = story["by-bot"]
        self.order = story["order"]

    @cached_property
    def labels(self) -> Mapping[str, str]:
        """Return short words of the game."""
        found: Mapping[str, str] = self._game.get("labels", {})
        return found

    @cached_property
    def says(self) -> Mapping[str, str]:
        """Phrases for the words of plays; with a `?` for those that name nothing yet."""
        found: Mapping[str, str] = self._game.get("says", {})
        return found

    @cached_property
    def cards(self) -> dict[str, tuple[str, str]]:
        """Return the title and text of every card."""
        rules = self.rules
        return {
            name: (rules.card_title(name, self.code), rules.text(name, self.code))
            for name in rules.faces()
        }

    def term(self, name: str) -> str:
        """Return the name of an edition, expansion or variant."""
        return str(self._game.get("terms", {}).get(name, name.replace("-", " ")))

    def bot(self, name: str) -> str:
        """Return the name of a bot."""
        parts = parts_of(name)
        if parts is None:
            return name
        limit = self.text["bot-limit"].format(lines=parts.lines) if parts.lines else ""
        level = self.text[f"level-{parts.level}"]
        return self.text["bot"].format(level=level, version=parts.version, limit=limit)

    def kind(self, kind: str) -> str:
        """Return the name of a kind of question."""
        return str(self._game.get("kinds", {}).get(kind, kind))

    def game(self, sentence: str) -> str:
        """Translate a sentence of the game; it stays as it is where nobody translated it."""
        # Much of what happens happens again and again.
        if sentence not in self._told:
            self._told[sentence] = self._put(sentence, self._story)
        return self._told[sentence]

    @cached_property
    def _told(self) -> dict[str, str]:
        return {}

    def note(self, note: str) -> str:
        """Translate the note of a choice."""
        if "; " in note:
            return "; ".join(self.note(part) for part in note.split("; "))
        return self._put(note, self._notes)

    def refusal(self, sentence: str) -> str:
        """Translate why a play is refused; it stays as it is where nobody translated it."""
        return self._put(sentence, [_pattern(row) for row in self._game.get("refusals", [])])

    @cached_property
    def _story(self) -> list[_Pattern]:
        return [_pattern(row) for row in self._game.get("story", [])]

    @cached_property
    def _notes(self) -> list[_Pattern]:
        return [_pattern(row) for row in self._game.get("notes", [])]

    def _put(self, sentence: str, patterns: list[_Pattern]) -> str:
        for pattern in patterns:
            # Most patterns are told apart by their longest words.
            if pattern.longest in sentence:
                fields = pattern.match(sentence)
                if fields is not None:
                    return self._filled(pattern.template, fields)
        return sentence

    def _filled(self, template: str, fields: Mapping[str, str]) -> str:
        return _FIELD.sub(
            lambda field: self._field(field[1], fields[field[1] + field[2]]), template
        )

    def _field(self, kind: str, value: str) -> str:
        if kind in ("card", "word"):
            return self.word(value)
        if kind == "cost":
            return self.both.join(self.game(part) for part in value.split(" and ", 1))
        if kind == "list":
            *head, last = re.split(r", | and ", value)
            named = [self._listed(one) for one in head]
            return self.both.join([*([", ".join(named)] if head else []), self._listed(last)])
        if kind == "prices":
            return re.sub(r"[a-z][a-z0-9-]*", lambda one: self.word(one[0]), value)
        return value

    def _listed(self, item: str) -> str:
        """Return a word, after which the plot of a building may stand: `crane (plot 2)`."""
        words, _, plot = item.partition("plot ")
        where = self.text["plot"].format(plot=plot.rstrip(")")) if plot else ""
        named = re.sub(r"^[a-z0-9-]+", lambda one: self.word(one[0]), words)
        return f"{named}{where}{')' if plot.endswith(')') else ''}"

    def counted(self, word: str, count: int | str) -> str:
        """Return the word for what is counted, in the singular if the count is 1."""
        singular = self.labels.get(f"{word}-1")
        return singular if singular is not None and count == 1 else self.word(word)

    def part(self, label: str) -> str:
        """Return a line of a score sheet."""
        under = label.removeprefix("under ")
        return (
            self.word(label) if under == label else self.text["under"].format(card=self.word(under))
        )

    def word(self, word: str) -> str:
        """Return a word of the game: a card, a role, whatever has a label."""
        return self.cards[word][0] if word in self.cards else self.labels.get(word, word)


def spoken(
    key: str, language: Language, tag: str = "span", attributes: Attributes | None = None
) -> Markup:
    """Return a text that the script can put into another language."""
    return element(tag, {**(attributes or {}), "data-t": key}, language.text[key])


def _pattern(row: list[str]) -> _Pattern:
    """Read a row of a language file: the English pattern, and its translation if any."""
    # Between the words stand a letter and a digit of each field.
    words, kinds, digits = (_FIELD.split(row[0])[at::3] for at in range(3))
    fields = [(kind, kind + digit) for kind, digit in zip(kinds, digits, strict=True)]
    return _Pattern(fields, words, max(words, key=len), row[-1])
