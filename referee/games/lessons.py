"""Lessons for somebody's first games: which rulings matter for the first time."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from referee.games.rulings import SOURCE, Topic, applying

if TYPE_CHECKING:
    from referee.games.interface import Rules

FEW = 2
"""Rulings of a topic that are enough for the beginning; the first are the most general."""


def lessons(
    rules: Rules, before: Iterable[str], now: Iterable[str], language: str = SOURCE
) -> dict[str, Topic]:
    """Return the topics that matter for the first time now, each with its first rulings.

    `before` and `now` are kinds of questions, and plays, of whoever is taught and of others.
    """
    called = rules.data("lessons.toml").get("lessons", {})
    known, topics = set(_topics(called, before)), applying(rules, language)
    return {
        key: topics[key]._replace(rulings=topics[key].rulings[:FEW])
        for key in dict.fromkeys(_topics(called, now))
        if key not in known and key in topics
    }


def _topics(called: dict[str, list[str]], said: Iterable[str]) -> Iterable[str]:
    for words in said:
        for topic, beginnings in called.items():
            if any(f"{words} ".startswith(f"{begin} ") for begin in beginnings):
                yield topic
