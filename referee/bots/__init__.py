"""Players that are programs: each answers from a seat's view and a seed, and from nothing else.

A player is called by its level, and is known by name and version: whoever checks a game later must
find that the same view and seed still give the same answer, so a version never changes.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Protocol

from referee.bots.names import EXPERT, HARD, LEVELS, LIMITED
from referee.games.errors import NotUnderstood

if TYPE_CHECKING:
    from referee.games.interface import Rules, View


class Player(Protocol):
    """A program that can hold a seat; `name` is its name and version, such as `easy-1`."""

    name: str

    def answer(self, view: View, seed: bytes) -> str:
        """Return a canonical, legal play; for one view and seed the same one everywhere."""


def player(said: str, rules: Rules) -> Player:
    """Return the player of a level in a game, perhaps with a limit: `hard/40`.

    Raises NotUnderstood for a level or a limit that is none.
    """
    level, limited, lines = said.partition(LIMITED)
    found = _of_level(level, rules)
    return _within(found, level, lines) if limited else found


def check_limit(said: str) -> None:
    """Raise NotUnderstood for a level with a limit that it cannot have."""
    level, limited, lines = said.partition(LIMITED)
    if not limited:
        return
    if level not in (HARD, EXPERT):
        raise NotUnderstood(
            f"{level} does not look ahead, so there is nothing to limit", f"say {level} alone"
        )
    # Only what plays is imported.
    from referee.bots import expert, hard

    most = (hard if level == HARD else expert).EFFORT.lines
    if not re.fullmatch("[1-9][0-9]{0,3}", lines) or int(lines) >= most:
        raise NotUnderstood(
            f"{level} looks at {most} lines of play for an answer, and a limit is a smaller "
            f"number, not {lines[:20]!r}",
            f"say {level}{LIMITED}{most // 2}, or {level} alone",
        )


def _within(found: Player, level: str, lines: str) -> Player:
    """Return a player that looks at no more lines of play. Raises NotUnderstood."""
    check_limit(f"{level}{LIMITED}{lines}")
    from referee.bots.hard import Hard

    assert isinstance(found, Hard)
    return found.within(int(lines))


def _of_level(level: str, rules: Rules) -> Player:
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
    program, limited, lines = name.partition(LIMITED)
    for level in LEVELS:
        found = player(level, rules)
        if found.name == program:
            return _within(found, level, lines) if limited else found
    raise NotUnderstood(f"this program has no player {name!r}")
