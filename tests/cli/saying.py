"""Plays as people say them: in the flags of `move`, as its own parser reads them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from referee.cli.app import Commands
from referee.cli.move import MoveCommand
from referee.cli.usage import TYPED_WORDS
from referee.games.values import Phrase


@cache
def _move() -> MoveCommand:
    found = Commands(name="sanjuan-ref").get_command(None, "move")
    assert isinstance(found, MoveCommand)
    return found


def phrases(flags: Sequence[str]) -> list[Phrase]:
    """The words and names that flags say, in their order."""
    return list(_parsed(tuple(flags)))


@cache
def _parsed(flags: tuple[str, ...]) -> list[Phrase]:
    found: list[Phrase] = _move().make_context("move", ["game.toml", *flags]).meta[TYPED_WORDS]
    return found
