"""Hints: what a bot would play in somebody's place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.cli.flags import command
from referee.cli.turns import named
from referee.playing.botanswer import Answerer, answer, check_hints
from referee.playing.turn import Turn
from referee.records import NamedTuple
from referee.render.text import terminal

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from referee.games.interface import Rules
    from referee.playing.reader import Reader
    from referee.table.gamefile import GameFile

LEVEL = "hard"


class Hint(NamedTuple):
    """What the bot of a level would play."""

    level: str
    play: str


def hint(file: GameFile, reader: Reader) -> Hint:
    """Return what a bot would play from what the reader sees, the same each time.

    Raises NotYours where the table has agreed on playing without, and whoever is asked nothing.
    """
    check_hints(file)
    reader.check_seat()
    return Hint(LEVEL, answer(Turn(file, reader), Answerer(LEVEL)))


def tell(found: Hint, game: Path, rules: Rules, reader: Reader, more: Sequence[str]) -> None:
    """Print a hint, with the command that follows it."""
    assert reader.hand is not None
    terminal.say()
    terminal.say(
        f"A {found.level} bot would play: ",
        ("bold", found.play),
        ("dim", named(found.play, reader.hand)),
    )
    words = {word.name: word for word in rules.words}
    terminal.say(f"  {command(game, found.play, words, more)}")
