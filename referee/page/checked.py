"""Whether a board can be drawn: its referee can have signed any table, and any lines of a log."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from referee.games.interface import NotUnderstood

if TYPE_CHECKING:
    from referee.games.picture import Board, Building, Row, Side

MOST = 999_999
_SHORT = re.compile(r"[a-z0-9 /·-]{0,24}")
_NUMBER = re.compile(r"[0-9]{1,3}")


def checked(
    board: Board, seats: Sequence[str], cards: Collection[str], words: Collection[str]
) -> Board:
    """The board, if all that is on it is of its kind; `words` are those that have a label.

    Raises NotUnderstood where anything is not: no number where one belongs, no card of the game.
    """
    for fact, value in board.facts.items():
        if not (_is_number(value) or (fact != "round" and _is_short(value))):
            raise _wrong(fact)
    for row in board.rows:
        _check_row(row, {*cards, *words}, seats)
    if [side.name for side in board.sides] != list(seats):
        raise _wrong("seats")
    for side in board.sides:
        _check_side(side, cards, words)
    return board


def _wrong(what: str) -> NotUnderstood:
    return NotUnderstood(f"table: {what} is not what a table of this game has there")


def _is_number(value: object) -> bool:
    return type(value) is int and 0 <= value <= MOST


def _is_short(value: object) -> bool:
    return type(value) is str and _SHORT.fullmatch(value) is not None


def _check_row(row: Row, known: Collection[str], seats: Sequence[str]) -> None:
    for token, used, by in row.tokens:
        name, blank, number = token.partition(" ") if type(token) is str else ("", "", "")
        if name not in known or (blank and not _NUMBER.fullmatch(number)) or type(used) is not bool:
            raise _wrong(row.key)
        if any(seat not in seats for seat in by):
            raise _wrong(f"{row.key}: who took {name}")


def _check_side(side: Side, cards: Collection[str], words: Collection[str]) -> None:
    for fact, value in side.facts.items():
        if not _is_number(value):
            raise _wrong(f"{fact} of {side.name}")
    if any(badge not in words for badge in side.badges):
        raise _wrong(f"what is said of {side.name}")
    if not all(_is_sound(one, cards) for one in side.city):
        raise _wrong(f"city of {side.name}")
    plots = [one.plot for one in side.city]
    if len(set(plots)) < len(plots):
        raise _wrong(f"plot of {side.name}")


def _is_sound(one: Building, cards: Collection[str]) -> bool:
    return (
        _is_number(one.plot)
        and type(one.card) is str
        and one.card in cards
        and one.mark in ("", "good", "empty")
        and _is_number(one.under)
        and _is_number(one.crew)
        and _is_short(one.note)
    )
