"""Names of players: levels as people say them, versions and limits as files do, both in words."""

from __future__ import annotations

from referee.records import NamedTuple

EASY, MEDIUM, HARD, EXPERT = "easy", "medium", "hard", "expert"
LEVELS = (EASY, MEDIUM, HARD, EXPERT)
"""The levels that there are, the weakest first."""
RANDOM = "random"
PLAYERS = (RANDOM, *LEVELS)
"""Players of a contest besides engines: one that plays anything legal, and all levels."""
GREEDY = "greedy"
"""The name, without its version, of the players of medium level in the games of this program."""
LIMITED = "/"
"""The sign between a level, or a name, and the most lines of play that an answer looks at."""


def level_of(said: str) -> str:
    """Return the level in what was said, such as `hard/40`, without its limit."""
    return said.partition(LIMITED)[0]


class Parts(NamedTuple):
    """A player's name taken apart: its level, its version, and its limit, which may be none."""

    level: str
    version: str
    lines: str


def parts_of(name: str) -> Parts | None:
    """Return the parts of a player's name; None for one that this program does not know."""
    program, _, lines = name.partition(LIMITED)
    word, _, version = program.partition("-")
    level = MEDIUM if word == GREEDY else word
    return Parts(level, version, lines) if level in LEVELS else None


def spoken(name: str) -> str:
    """Return the name of a player in words: `medium bot (version 1)` for greedy-1.

    One that this program does not know stays as it is.
    """
    parts = parts_of(name)
    if parts is None:
        return f"bot {name}"
    limit = f", at most {parts.lines} lines of play" if parts.lines else ""
    return f"{parts.level} bot (version {parts.version}{limit})"


def a_spoken(name: str) -> str:
    """Return the name of a player in words, with its article."""
    said = spoken(name)
    return f"{'an' if said[0] in 'aeiou' else 'a'} {said}"
