"""A hand after every step: all of it once the game is over, before that what its key still tells.

A file seals a hand as it is now. Cards that are in it were there since they were drawn, for no card
comes back to a hand; a card that was built was there since the seat's last draw before that, if not
longer. Of all others that have left it a file says only how many there were.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from referee.table.chain import Draw, Taking, read_line

if TYPE_CHECKING:
    from referee.games.board import Board, Place
    from referee.table.gamefile import Entry, GameFile
    from referee.table.hands import Hand

Origin = tuple[str, int, int]
GONE = ""
"""A card of a hand of which nothing is known but that it was there."""


def hands_so_far(file: GameFile, hand: Hand, boards: Sequence[Board]) -> list[list[str]]:
    """Return the names of the cards in the hand after each step, as far as they are known."""
    since = {place: step for step, entry in _steps(file) for place in _drawn(entry.then, hand.seat)}
    cards = [
        (since.get((card.pile, card.epoch, card.position), 0), card.name) for card in hand.cards
    ]
    found = []
    for step, board in enumerate(boards, 1):
        known = [name for drawn, name in cards if drawn <= step]
        found.append(known + [GONE] * (_place(board, hand.seat).hand - len(known)))
    draws = sorted({1, *since.values()})
    for step, name in _built(file, hand.seat, boards):
        for names in found[max(at for at in draws if at < step) - 1 : step - 1]:
            if GONE in names:
                names[names.index(GONE)] = name
    return found


def _steps(file: GameFile) -> Iterator[tuple[int, Entry]]:
    return enumerate(file.log, 1)


def _place(board: Board, seat: str) -> Place:
    return next(place for place in board.places if place.seat == seat)


def _drawn(lines: Sequence[str], seat: str) -> Iterator[Origin]:
    """Yield the origins of the cards that lines say came to a seat."""
    for text in lines:
        line = read_line(text) if text.startswith(("draw ", "take ")) else None
        if isinstance(line, Draw) and line.who == seat:
            for at in range(line.first, line.last + 1):
                yield line.pile, line.epoch, at
        elif isinstance(line, Taking) and line.who == seat:
            yield line.pile, line.epoch, line.position


def _built(file: GameFile, seat: str, boards: Sequence[Board]) -> Iterator[tuple[int, str]]:
    """Yield the steps at which a seat built cards out of its hand, with the cards."""
    for step, entry in _steps(file):
        if step == 1:
            continue
        before, now = boards[step - 2], boards[step - 1]
        beside = {item.word for row in before.rows for item in row.items}
        old = {(building.plot, building.card) for building in _place(before, seat).city}
        for building in _place(now, seat).city:
            if (building.plot, building.card) in old or building.card in beside:
                continue
            at = next(
                (at for at, text in enumerate(entry.then) if building.card in text.split(" ")), 0
            )
            # What was drawn just before it was built need not have been there any earlier.
            if not any(_drawn(entry.then[:at], seat)):
                yield step, building.card
