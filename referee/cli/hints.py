"""Hints: the play of a bot in somebody's place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.cli.flags import command, named
from referee.playing.botanswer import ADVISER, Answerer, answer, check_hints
from referee.playing.turn import Turn
from referee.records import NamedTuple
from referee.render.text import terminal

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from referee.games.interface import Rules
    from referee.playing.reader import Reader
    from referee.table.gamefile import GameFile
    from referee.table.hands import Hand


class Hint(NamedTuple):
    """The play of a bot of a level in somebody's place."""

    level: str
    play: str


def hint(file: GameFile, reader: Reader) -> Hint:
    """Return what a bot would play from what the reader sees, the same each time.

    Raises NotYours where the table has agreed on playing without, and whoever is asked nothing.
    """
    check_hints(file)
    reader.check_seat()
    return hint_for(Turn(file, reader))


def hint_for(turn: Turn) -> Hint:
    """Return what a bot would play. Raises NotYours where the table has agreed on none."""
    return Hint(ADVISER, answer(turn, Answerer(ADVISER)))


def tell(found: Hint, hand: Hand) -> None:
    """Print a hint."""
    terminal.say(
        f"A {found.level} bot would play: ",
        ("bold", found.play),
        ("dim", named(found.play, hand)),
    )


def tell_with_command(
    found: Hint, game: Path, rules: Rules, reader: Reader, more: Sequence[str]
) -> None:
    """Print a hint below the table, with the command that follows it."""
    assert reader.hand is not None
    terminal.say()
    tell(found, reader.hand)
    words = {word.name: word for word in rules.words}
    terminal.say(f"  {command(game, found.play, words, more)}")
