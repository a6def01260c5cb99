"""Rulings by topic: data beside each game, in several languages."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from referee.records import NamedTuple

if TYPE_CHECKING:
    from referee.games.interface import Rules

SOURCE = "en"
"""The language that says which cards a ruling is about; the others follow it row by row."""


class Ruling(NamedTuple):
    """One sentence, the cards that it is about, and the one without which it says nothing."""

    sentence: str
    cards: tuple[str, ...]
    needs: str = ""


class Topic(NamedTuple):
    """Rulings about one thing."""

    title: str
    rulings: tuple[Ruling, ...]


def rulings(rules: Rules, language: str = SOURCE) -> dict[str, Topic]:
    """Return all topics of a game, whether the rule set has what they are about or not."""
    return _all(type(rules), language)


@cache
def _all(game: type[Rules], language: str) -> dict[str, Topic]:
    found = {}
    for key, topic in _file(game, SOURCE).items():
        spoken = _file(game, language).get(key, topic)
        # A language that has fallen behind here would put sentences to the wrong cards.
        spoken = spoken if len(spoken["rulings"]) == len(topic["rulings"]) else topic
        rows = zip(spoken["rulings"], topic["rulings"], strict=True)
        said = tuple(_ruling(game, key, sentence, row) for sentence, row in rows)
        found[key] = Topic(spoken["title"], said)
    return found


def applying(rules: Rules, language: str = SOURCE) -> dict[str, Topic]:
    """Return the topics of a rule set, without rulings on cards of which it has none.

    A sentence may name cards of an expansion beside others and be right without them: only one
    that needs a certain card goes when that is missing.
    """
    terms = rules.terms()
    there = {
        *rules.card_aliases().values(),
        *terms.get("expansions", ()),
        *terms.get("variants", ()),
    }
    found = {}
    for key, topic in rulings(rules, language).items():
        kept = [ruling for ruling in topic.rulings if _applies(ruling, there)]
        if kept and _file(rules, SOURCE)[key].get("only", "") in {"", *there}:
            found[key] = Topic(topic.title, tuple(kept))
    return found


def _applies(ruling: Ruling, there: set[str]) -> bool:
    if ruling.needs:
        return ruling.needs in there
    return not ruling.cards or bool(there.intersection(ruling.cards))


def _ruling(
    game: type[Rules],
    topic: str,
    spoken: str | Mapping[str, str],
    source: str | Mapping[str, str],
) -> Ruling:
    """Return a ruling as spoken; which cards it is about and needs, the source says."""
    sentence = spoken if isinstance(spoken, str) else spoken["says"]
    if isinstance(source, str):
        return Ruling(sentence, _about(game, topic, source))
    return Ruling(sentence, _about(game, topic, source["says"]), source["needs"])


@cache
def _about(game: type[Rules], topic: str, sentence: str) -> tuple[str, ...]:
    """Return the cards that a sentence names, and the one that its topic is called like."""
    said = _words(sentence)
    return tuple([name for name in _cards(game) if name == topic or _names(name, said)])


def _words(sentence: str) -> str:
    """Return the words of a sentence in small letters, between blanks, without any `'s`."""
    said = sentence.lower().replace("'s", "")
    return f" {''.join([char if char.isalnum() else ' ' for char in said])} "


@cache
def _cards(game: type[Rules]) -> tuple[str, ...]:
    """Return every card of a game."""
    return tuple(dict.fromkeys(game.whole().card_aliases().values()))


def _names(card: str, words: str) -> bool:
    """Return whether words name a card, or several of it."""
    name = card.replace("-", " ")
    return f" {name} " in words or f" {name}s " in words


def _file(rules: Rules | type[Rules], language: str) -> Mapping[str, Any]:
    return rules.data(f"rulings.{language}.toml")
