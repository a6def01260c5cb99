"""Tests of games, each in a folder of its own."""

from importlib import import_module

from referee.games import rules_of
from referee.games.interface import Rules

Chosen = tuple[str | None, tuple[str, ...], tuple[str, ...], dict[str, str]]
"""Edition, expansions, variants and options of a rule set."""


def fullest(game: str) -> Rules:
    """The rule set of a game with most in it, which is the last that its tests choose."""
    return rules_of(game).choose(*import_module(f"tests.games.{game}").CHOICES[-1])
