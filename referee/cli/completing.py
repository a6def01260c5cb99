"""Completion of values in a shell: free roles, cards in the hand, plots with goods.

Nothing here asks for a passphrase, writes to standard error or fails: where something is wrong,
there is nothing to complete. Shells obey what they are given: zsh evaluates it, bash puts it into
the line as it is. So only words are offered, whatever a file or a deck says.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

from referee.games import terms

Found = list[tuple[str, str]]
"""Values with a few words of help each."""
HARMFUL = "[^A-Za-z0-9 .,:()/+-]+"
"""Characters that are taken out of the help, because shells evaluate it too."""
Completer = Callable[[Any, Any, str], Found]


def _from_game(kind: str, *about: str) -> Completer:
    """Complete with a function of `candidates`."""

    def find(ctx: Any) -> Found:
        # Every command names its completers, and few runs use them.
        from referee.cli import candidates

        found: Found = getattr(candidates, kind)(ctx, *about)
        return found

    return lambda ctx, args, incomplete: _silently(lambda: find(ctx))


seats = _from_game("seats")
"""Completes the names of the seats."""
cards = _from_game("cards")
"""Completes the names of the cards of the table."""
help_words = _from_game("help_words")
"""Completes the cards and topics of `rules`."""


def values_of(word: str, takes: str) -> Completer:
    """Complete the values after a word of a play; `takes` names their kinds."""
    return _from_game("values", word, takes)


def listed(find: Callable[[], Iterable[str]]) -> Completer:
    """Complete what a function finds without a game."""
    return lambda ctx, args, incomplete: _silently(
        lambda: [(word, "") for word in find() if word.startswith(incomplete)]
    )


def of_games(option: str) -> Completer:
    """Complete the values that games offer for an option of `new`."""

    def find() -> list[str]:
        parts = terms(option).split("; ")
        return [word for part in parts for word in part.partition(": ")[2].split(", ")]

    return listed(find)


def _silently(find: Callable[[], Found]) -> Found:
    # Needed only where a shell completes.
    from referee.notes.forms import A_WORD

    try:
        return [(word, re.sub(HARMFUL, " ", note)) for word, note in find() if A_WORD.fits(word)]
    except Exception:
        # A shell that completes has no use for an error.
        return []
