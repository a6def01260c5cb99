"""A hand after every step: all of it once the game is over, before that what its key still tells.

A file seals a hand as it is now. Cards that are in it were there since they were drawn, for no card
comes back to a hand; of those that have left it the file says only how many there were.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from referee.table.chain import Draw, Taking, read_line

if TYPE_CHECKING:
    from referee.games.picture import Board
    from referee.table.gamefile import GameFile
    from referee.table.hands import Hand

Place = tuple[str, int, int]
GONE = ""
"""A card of a hand of which nothing is known but that it was there."""


def hands_so_far(file: GameFile, hand: Hand, boards: Sequence[Board]) -> list[list[str]]:
    """The names of the cards in the hand after each step, as far as the hand of now tells them."""
    since = dict(_drawn(file, hand.seat))
    cards = [(since.get((one.pile, one.epoch, one.position), 0), one.name) for one in hand.cards]
    found = []
    for step, board in enumerate(boards, 1):
        known = [name for drawn, name in cards if drawn <= step]
        facts = next(side.facts for side in board.sides if side.name == hand.seat)
        count = facts["hand"] + facts.get("drawn", 0)
        found.append(known + [GONE] * (count - len(known)))
    return found


def _drawn(file: GameFile, seat: str) -> Iterator[tuple[Place, int]]:
    """Where each card of a seat lay, and at which step it came."""
    for step, entry in enumerate(file.log, 1):
        for text in entry.then:
            line = read_line(text) if text.startswith(("draw ", "take ")) else None
            if isinstance(line, Draw) and line.who == seat:
                for at in range(line.first, line.last + 1):
                    yield (line.pile, line.epoch, at), step
            elif isinstance(line, Taking) and line.who == seat:
                yield (line.pile, line.epoch, line.position), step
