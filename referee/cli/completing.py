"""Completion of values in a shell: free roles, cards in the hand, plots with goods.

Nothing here asks for a passphrase, writes to standard error or fails: where something is wrong,
there is nothing to complete. Shells obey what they are given: zsh evaluates it, bash puts it into
the line as it is. So only words are offered, whatever a file or a deck says.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from typing import Any

from referee.games import terms

Found = list[tuple[str, str]]
"""Values with a few words of help each."""
HARMFUL = "[^A-Za-z0-9 .,:()/+-]+"
"""Characters that are taken out of the help, because shells evaluate it too."""
TYPED = "[A-Za-z0-9 ,:-]*"
IN_WORDS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-"
MOST_FURTHER = 9
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
free_seats = _from_game("free_seats")
"""Completes the names of the seats that can still be taken."""
helped = _from_game("helped")
"""Completes the commands and the pages of the manual for `help`."""


def values_of(word: str, takes: str) -> Completer:
    """Complete the values after a word of a play; `takes` names their kinds."""
    find = _from_game("values", word, takes)

    def complete(ctx: Any, args: Any, incomplete: str) -> Found:
        # After a comma stands one more.
        begin = incomplete[: incomplete.rfind(",") + 1]
        if not re.fullmatch(TYPED, begin):
            return []
        named = set(begin.split(","))
        return [(begin + one, note) for one, note in find(ctx, args, "") if one not in named]

    return complete


def clauses(subject: str = "") -> Completer:
    """Complete the words of a clause of a plan; of its wishes alone, if the subject is given."""

    def find(ctx: Any, incomplete: str) -> Found:
        # Every command names its completers, and few runs use them.
        from referee.cli import candidates
        from referee.notes.forms import A_WORD

        quoted = _in_quotes()
        option, text = quoted or ("", incomplete)
        if not re.fullmatch(TYPED, text):
            return []

        def words(text: str) -> list[str]:
            found = candidates.clause_words(ctx, option or subject, text)
            return [word for word in found if A_WORD.fits(word.removesuffix(":"))]

        # The shell replaces the words typed so far, so they are offered again with one more.
        begin = text.rstrip(IN_WORDS)
        found = [begin + word for word in words(text)]
        if quoted and len(found) == 1:
            # Or the shell would close the quote behind the only word that there is.
            found += [f"{found[0]} {word}" for word in words(f"{found[0]} ")[:MOST_FURTHER]]
        return [(one, "") for one in found]

    def complete(ctx: Any, args: Any, incomplete: str) -> Found:
        try:
            return find(ctx, incomplete)
        except Exception:
            # A shell that completes has no use for an error.
            return []

    return complete


def _in_quotes() -> tuple[str, str] | None:
    """Return what stands in a quote that is still open, and the subject whose option is before it.

    zsh and fish say that a word is over where a blank was typed in it; bash does not.
    """
    line = os.environ.get("_TYPER_COMPLETE_ARGS") or os.environ.get("COMP_WORDS", "")
    quote, at = "", 0
    for place, char in enumerate(line):
        if quote:
            quote = "" if char == quote else quote
        elif char in "'\"":
            quote, at = char, place
    if not quote:
        return None
    before = line[:at].split()
    option = before[-1] if before else ""
    plain = option in ("--clause", "--then") or not option.startswith("--")
    return "" if plain else option[2:], line[at + 1 :]


def listed(find: Callable[[], Iterable[str]]) -> Completer:
    """Complete what a function finds without a game."""
    return lambda ctx, args, incomplete: _silently(
        lambda: [(word, "") for word in find() if word.startswith(incomplete)]
    )


def of_games(option: str) -> Completer:
    """Complete the values that the game named by --game, or else any, offers for an option."""

    def find(ctx: Any, incomplete: str) -> Found:
        game = _named_game(ctx)
        parts = re.sub(r" \([^()]*\)", "", terms(option)).split("; ")
        offers = dict(part.split(": ") for part in parts)
        lists = offers.values() if game is None else [offers.get(game, "")]
        words = [word for offer in lists for word in re.split(", | or ", offer)]
        return [(word, "") for word in words if word.startswith(incomplete)]

    return lambda ctx, args, incomplete: _silently(lambda: find(ctx, incomplete))


def _named_game(ctx: Any) -> str | None:
    """Return the game that a command line names so far; None where that is left to the default."""
    for param in ctx.command.params:
        if "--game" in param.opts and ctx.get_parameter_source(param.name).name == "COMMANDLINE":
            return str(ctx.params[param.name])
    return None


def _silently(find: Callable[[], Found]) -> Found:
    # Needed only where a shell completes.
    from referee.notes.forms import A_WORD

    try:
        return [(word, re.sub(HARMFUL, " ", note)) for word, note in find() if A_WORD.fits(word)]
    except Exception:
        # A shell that completes has no use for an error.
        return []
