"""Lessons for somebody's first games: which rulings matter for the first time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from referee.games.rulings import SOURCE, Topic, applying

if TYPE_CHECKING:
    from referee.games.interface import Rules

FEW = 2
"""Rulings of a topic that are enough for the beginning; the first are the most general."""


def lessons(
    rules: Rules, before: Iterable[str], now: Iterable[str], language: str = SOURCE
) -> dict[str, Topic]:
    """Return what matters for the first time now, each a topic with its first rulings, or with
    those of its rulings that are about just this.

    `before` and `now` are kinds of questions, and plays, of whoever is taught and of others.
    """
    data = rules.data("lessons.toml")
    parts: Mapping[str, Mapping[str, Any]] = data.get("parts", {})
    called = data.get("lessons", {}) | {key: part["after"] for key, part in parts.items()}
    known = set(_topics(called, before))
    source, spoken = applying(rules), applying(rules, language)
    found: dict[str, Topic] = {}
    new = set(_topics(called, now))
    # The most general come first.
    for key in (key for key in called if key in new):
        topic = parts[key]["topic"] if key in parts else key
        if key in known or topic not in spoken:
            continue
        rulings = spoken[topic].rulings[:FEW]
        if key in parts:
            begins = tuple(parts[key]["begins"])
            rulings = tuple(
                there
                for ruling, there in zip(source[topic].rulings, spoken[topic].rulings, strict=True)
                if ruling.sentence.startswith(begins)
            )
        # Lessons that come at once on one topic are one.
        told = found[topic].rulings if topic in found else ()
        more = tuple(ruling for ruling in rulings if ruling not in told)
        if more:
            found[topic] = spoken[topic]._replace(rulings=told + more)
    return found


def _topics(called: Mapping[str, list[str]], said: Iterable[str]) -> Iterable[str]:
    for words in said:
        for topic, beginnings in called.items():
            if any(f"{words} ".startswith(f"{begin} ") for begin in beginnings):
                yield topic
