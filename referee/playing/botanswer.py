"""The answer of a program for a player's seat: one of our bots, or an engine of its own."""

from __future__ import annotations

import hashlib
from contextlib import ExitStack
from typing import TYPE_CHECKING

from referee.bots import player
from referee.bots.engine import Engine, Question
from referee.bots.names import HARD
from referee.crypto import sshsig
from referee.errors import NotYours
from referee.records import NamedTuple
from referee.system import interrupts_later
from referee.table.rules import rules_for

if TYPE_CHECKING:
    from referee.playing.turn import Turn
    from referee.table.gamefile import GameFile

NAMESPACE = "bot@sanjuan-ref"
ADVISER = HARD
"""The level of the bot that gives hints."""


class Answerer(NamedTuple):
    """A program that answers: the bot of a level, or else an engine with its time in seconds."""

    level: str
    engine: str = ""
    limit: float = 0


def check_hints(file: GameFile) -> None:
    """Raise NotYours at a table at which no program advises players."""
    if not file.hints:
        raise NotYours(
            "this table has agreed on playing without the help of programs",
            "it was opened with `new --hints off`; choose for yourself",
            reason="no-hints",
        )


def answer(turn: Turn, who: Answerer) -> str:
    """Return the canonical, legal play of a program, which is told nothing but the seat's view.

    The same question has the same seed each time, and nobody without the key can tell it. Raises
    EngineFailed, and NotYours where the table has agreed that programs help nobody.
    """
    check_hints(turn.file)
    file = turn.file
    about = f"{file.game} {turn.decision}\n".encode()
    seed = hashlib.sha256(sshsig.sign(turn.key, NAMESPACE, about)).digest()
    if not who.engine:
        return player(who.level, rules_for(file)).answer(turn.view, seed)
    with ExitStack() as stack:
        with interrupts_later():
            engine = stack.enter_context(Engine(who.engine, who.limit))
        seats = [seat.name for seat in file.seats]
        return engine.answer(Question(rules_for(file), seats, file.table, turn.view, seed))
