"""Plays as flags: `pay a f` is `--pay a --pay f`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from shlex import quote
from typing import TYPE_CHECKING, Any

from referee.games.phrases import phrases_of

if TYPE_CHECKING:
    from pathlib import Path

    from referee.games.interface import Rules
    from referee.games.values import Choice, Word
    from referee.table.hands import Hand

LETTER = "LETTER"
WAYS = ("--push", "--commit", "-o")
"""Options that say how a note leaves a clone."""


def flags_of(play: str, words: Mapping[str, Word]) -> list[str]:
    """Return the flags of `move` that say a play, or a pattern of one."""
    found: list[str] = []
    phrases = phrases_of(play, words)
    if not phrases or (words[phrases[-1].word].takes and not phrases[-1].names):
        return ["--play", play]
    for word, names in phrases:
        found.append(f"--{word}")
        if names:
            # Letters are how a play is signed; to say it, names do as well.
            if names.startswith(LETTER):
                names = words[word].takes.split(" ")[0] + names.removeprefix(LETTER)
            found.append(names)
    return found


def as_flags(usage: str, words: Mapping[str, Word]) -> str:
    """Turn a form of plays, `role ROLE [no-library]`, to flags: `--role ROLE [--no-library]`."""

    def flag(match: re.Match[str]) -> str:
        return f"--{match[0]}" if match[0] in words else match[0]

    text = re.sub(r"(?<![\w-])[a-z]+(?:-[a-z]+)*(?![\w-])", flag, usage)
    text = text.replace(LETTER, "CARD")
    for word in words.values():
        if " " in word.takes:
            text = text.replace(f"--{word.name} {word.takes}", f"--{word.name} '{word.takes}'")
    return text


def is_blank(token: str) -> bool:
    """Return True if a token of a pattern is to be filled in: `PLOT…`."""
    word = token.removesuffix("…")
    return word.isascii() and word.isalpha() and word.isupper()


def shell_join(flags: Iterable[str]) -> str:
    """Join flags as one types them, quoted for a shell except for what is to be filled in."""
    return " ".join([flag if is_blank(flag) else quote(flag) for flag in flags])


def key_options(key: Path | None, identity: Path | None, seat: str | None = None) -> list[str]:
    """Return the options about keys as they were given, for a command that is to be repeated."""
    found = ["--key", str(key)] if key is not None else []
    found += ["--seat", seat] if seat is not None else []
    return [*found, "--identity", str(identity)] if identity is not None else found


def sending(game: Path, more: Sequence[str]) -> list[str]:
    """Return the options of a command that signs a note, with --push where a table goes by git."""
    # Few commands print another.
    from referee.playing.shared import is_shared

    found = list(more)
    if is_shared(game) and not any(way in found for way in WAYS):
        found.append("--push")
    return found


def of_seat(game: Path, more: Sequence[str]) -> list[str]:
    """Return the options of a command that signs a note about a seat, for which no hand is opened.

    They are those of `sending` without the one that opens the hand.
    """
    at = more.index("--identity") if "--identity" in more else len(more)
    return sending(game, [*more[:at], *more[at + 2 :]])


def command(game: Path, play: str, words: Mapping[str, Word], more: Sequence[str] = ()) -> str:
    """Return the whole command for `play`, ready for a shell; without a play its beginning."""
    flags = flags_of(play, words) if play else []
    return shell_join(["sanjuan-ref", "move", str(game), *flags, *sending(game, more)])


def commands_of(rules: Rules, choices: Sequence[Choice]) -> list[tuple[str, Choice]]:
    """Return choices with the flags of `move` that say them."""
    words = {word.name: word for word in rules.words}
    return [(shell_join(flags_of(choice.play, words)), choice) for choice in choices]


def documents(
    game: Path, rules: Rules, choices: Sequence[Choice], more: list[str]
) -> list[dict[str, Any]]:
    """Return choices for programs, each with its whole command."""
    words = {word.name: word for word in rules.words}
    return [
        {**choice._asdict(), "command": command(game, choice.play, words, more)}
        for choice in choices
    ]


REMARK = re.compile(r"\s+\([^()]*\)$")
"""The names of cards behind a play that was shown, as `named` gives them."""


def named(play: str, hand: Hand) -> str:
    """Return the cards behind the letters of a play, for the one who holds them."""
    cards = {card.label: card.name for card in hand.cards}
    names = [cards[token] for token in play.split(" ") if token in cards]
    return f"  ({', '.join(names)})" if names else ""
