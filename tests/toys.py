"""Games that do not come with the program: they show what a game needs, and come along in tests."""

from __future__ import annotations

from importlib import import_module

from referee.games.interface import Rules

TOYS = {"highcard": "tests.games.highcard"}
"""The package of each, which the fixture `toys` registers for a test."""


def toy_rules() -> dict[str, type[Rules]]:
    """The newest rules of each."""
    return {name: import_module(f"{package}.rules").VERSIONS[-1] for name, package in TOYS.items()}
