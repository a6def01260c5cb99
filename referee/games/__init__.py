"""The registry: which games there are. A rules module is imported when it is asked for."""

from __future__ import annotations

from importlib import import_module

from referee.games.interface import NotUnderstood, Rules

GAMES = {"sanjuan": "referee.games.sanjuan"}


def rules_of(module: str) -> type[Rules]:
    """The rules class registered under a name; raises NotUnderstood for an unknown one."""
    if module not in GAMES:
        raise NotUnderstood(f"there is no game {module!r}", f"games: {', '.join(GAMES)}")
    found: type[Rules] = import_module(GAMES[module]).RULES
    return found
