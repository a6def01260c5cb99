"""Titles of answers on a page: `build statue pay LETTER LETTER` is Build Statue, 2 cards."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import groupby
from typing import TYPE_CHECKING

from referee.games.phrases import phrases_of

if TYPE_CHECKING:
    from referee.games.values import Choice, Word
    from referee.render.page.language import Language

_BLANK = r"[A-Z]+…?"


class Speaker:
    """A speaker of answers in a language, for a seat that holds these cards before this table.

    `held` are the names of its cards by letter, `city` those of all buildings by seat and plot.
    """

    def __init__(
        self,
        language: Language,
        words: Mapping[str, Word],
        seat: str,
        held: Mapping[str, str],
        city: Mapping[tuple[str, str], str],
    ) -> None:
        self.language = language
        self.words = words
        self.seat = seat
        self.held = held
        self.city = city

    def title(self, play: str) -> str:
        """Return a title for a play or pattern, which begins with a capital letter."""
        plain = re.sub(r"[\[\]]", "", play)
        parts: list[str] = []
        for word, group in groupby(phrases_of(plain, self.words), lambda phrase: phrase.word):
            named = [phrase.names.split(" ") for phrase in group if phrase.names]
            if " " in self.words[word].takes:
                parts += [self._worker(word, *names) for names in named]
            else:
                parts.append(self._named(word, [names[0] for names in named]))
        text = ", ".join(parts)
        return text[:1].upper() + text[1:]

    def note(self, choice: Choice) -> str:
        """Return what a note says of a choice beyond its title."""
        plain = re.sub(r"[\[\]]", "", choice.play)
        words = {phrase.word for phrase in phrases_of(plain, self.words)}
        parts = []
        for part in choice.note.split("; ") if choice.note else []:
            word, _, rest = part.partition(" ")
            told = (word in words and " for " not in rest) or (word == "price" and "pay" in words)
            if not told:
                parts.append(part)
        return self.language.note("; ".join(parts)) if parts else ""

    def _worker(self, word: str, card: str, seat: str, plot: str) -> str:
        name = self.city.get((seat, plot))
        place = self.language.text["some-building"]
        if name is not None:
            place = self.language.word(name) + (f" ({seat})" if seat != self.seat else "")
        if re.fullmatch(_BLANK, card):
            return self.language.says[f"{word}?"].format(place=place)
        return self.language.says[word].format(names=self._name(card), place=place)

    def _named(self, word: str, names: list[str]) -> str:
        says, text = self.language.says, self.language.text
        if not names or not re.fullmatch(_BLANK, names[0]):
            said = ", ".join(self._name(name) for name in names)
            return says[word].format(names=said)
        if names[0].endswith("…"):
            said = text["some-cards"]
        else:
            said = text["one-card" if len(names) == 1 else "cards-count"].format(count=len(names))
        return says.get(f"{word}?", says[word]).format(names=said)

    def _name(self, name: str) -> str:
        """Return the name of a letter, a plot or a word of the game."""
        there = self.city.get((self.seat, name))
        if there is None:
            return self.language.word(self.held.get(name, name))
        same = [card for (seat, _), card in self.city.items() if (seat, card) == (self.seat, there)]
        # Of two of a kind the plot says which one it is.
        return self.language.word(there) + (f" ({name})" if len(same) > 1 else "")
