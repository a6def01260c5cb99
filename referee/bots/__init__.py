"""Players that are programs: each answers from a seat's view and a seed, and from nothing else.

A player is called by its level, and is known by name and version: whoever checks a game later must
find that the same view and seed still give the same answer, so a version never changes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from referee.games.errors import NotUnderstood

if TYPE_CHECKING:
    from referee.games.interface import Rules, View

EASY, MEDIUM = "easy", "medium"
LEVELS = (EASY, MEDIUM)
"""The levels that there are, the weakest first."""


class Player(Protocol):
    """A program that can hold a seat; `name` is its name and version, such as `easy-1`."""

    name: str

    def answer(self, view: View, seed: bytes) -> str:
        """Return a canonical, legal play; for one view and seed the same one everywhere."""


def player(level: str, rules: Rules) -> Player:
    """Return the player of a level in a game. Raises NotUnderstood for a level that is none."""
    # Only what plays is imported.
    from referee.bots import plain

    match level:
        case "easy":
            return plain.Easy()
        case "medium":
            return plain.Medium(rules.bot)
    raise NotUnderstood(f"there is no level {level!r}", f"levels: {', '.join(LEVELS)}")


def named(name: str, rules: Rules) -> Player:
    """Return the player of this name and version. Raises NotUnderstood where there is none."""
    for level in LEVELS:
        found = player(level, rules)
        if found.name == name:
            return found
    raise NotUnderstood(f"this program has no player {name!r}")
