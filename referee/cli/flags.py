"""Plays as flags and flags as plays: `pay a f` is `--pay a --pay f`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from referee.games.interface import Word


def play_of(flags: Iterable[tuple[str, str]]) -> str:
    """The text of a play from (word, value) in the order of the command line."""
    said: list[str] = []
    last = ""
    for word, value in flags:
        if word != last:
            said.append(word)
        if value:
            said.append(value)
        last = word
    return " ".join(said)


def flags_of(play: str, words: Mapping[str, Word]) -> list[str]:
    """The flags of `move` that say a play, or a pattern of one."""
    found: list[str] = []
    word, wanting = "", False
    for token in play.split(" "):
        # A card may have the name of a word, so what follows a word that takes something is a
        # value whatever it looks like.
        if token in words and not wanting:
            word, wanting = token, bool(words[token].takes)
            if not wanting:
                found.append(f"--{word}")
        elif word:
            found += [f"--{word}", token]
            wanting = False
        else:
            return ["--play", play]
    if wanting:
        return ["--play", play]
    return found


def given(key: Path | None, identity: Path | None) -> list[str]:
    """The options about keys as they were given, for a command that is to be repeated."""
    found = ["--key", str(key)] if key is not None else []
    return [*found, "--identity", str(identity)] if identity is not None else found


def command(game: Path, play: str, words: Mapping[str, Word], more: Sequence[str] = ()) -> str:
    """The whole command that plays `play`, ready for a shell."""
    from shlex import join

    parts = ["sanjuan-ref move", join([str(game)])]
    if play:
        parts += flags_of(play, words)
    return " ".join([*parts, join(more)] if more else parts)
