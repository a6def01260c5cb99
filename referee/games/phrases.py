"""The words of a play, each with what it names: how plays become flags, and sentences."""

from __future__ import annotations

from collections.abc import Mapping

from referee.games.values import Phrase, Word


def phrases_of(play: str, words: Mapping[str, Word]) -> list[Phrase]:
    """Split a play or pattern into its words, each with one thing that it names, like a flag.

    The last one may name nothing yet. Nothing where this is no play.
    """
    found: list[Phrase] = []
    word, wanting = "", False
    tokens = play.split(" ")
    while tokens:
        token = tokens.pop(0)
        # A card may have the name of a word, so what follows a word that takes something is a
        # value whatever it looks like.
        if token in words and not wanting:
            word, wanting = token, bool(words[token].takes)
            if not wanting or not tokens:
                found.append(Phrase(word))
        elif word:
            takes = words[word].takes
            more = tokens[: takes.count(" ")]
            del tokens[: len(more)]
            found.append(Phrase(word, " ".join([token, *more])))
            wanting = False
        else:
            return []
    return found
