"""Players that are programs: each answers from a seat's view and a seed, and from nothing else.

A player is called by its level, and is known by name and version: whoever checks a game later must
find that the same view and seed still give the same answer, so a version never changes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from referee.games.errors import NotUnderstood

if TYPE_CHECKING:
    from referee.games.interface import Rules, View

EASY, MEDIUM, HARD, EXPERT = "easy", "medium", "hard", "expert"
LEVELS = (EASY, MEDIUM, HARD, EXPERT)
"""The levels that there are, the weakest first."""
RANDOM = "random"
PLAYERS = (RANDOM, *LEVELS)
"""Players of a contest besides engines: one that plays anything legal, and all levels."""


class Player(Protocol):
    """A program that can hold a seat; `name` is its name and version, such as `easy-1`."""

    name: str

    def answer(self, view: View, seed: bytes) -> str:
        """Return a canonical, legal play; for one view and seed the same one everywhere."""


def player(level: str, rules: Rules) -> Player:
    """Return the player of a level in a game. Raises NotUnderstood for a level that is none."""
    # Only what plays is imported.
    match level:
        case "easy":
            from referee.bots.plain import Easy

            return Easy()
        case "medium":
            from referee.bots.plain import Medium

            return Medium(rules.bot)
        case "hard":
            from referee.bots.hard import Hard

            return Hard(rules)
        case "expert":
            from referee.bots.expert import Expert

            return Expert(rules)
    raise NotUnderstood(f"there is no level {level!r}", f"levels: {', '.join(LEVELS)}")


def named(name: str, rules: Rules) -> Player:
    """Return the player of this name and version. Raises NotUnderstood where there is none."""
    for level in LEVELS:
        found = player(level, rules)
        if found.name == name:
            return found
    raise NotUnderstood(f"this program has no player {name!r}")
