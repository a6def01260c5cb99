"""Limits on what a game file takes in, so that it can be read and ended at any time (PROTOCOL 9).

One `apply` adds at most a batch of answers, and of all other notes as many as a file can hold;
what is left up to the limit of a reader is room for that, and for the end.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.games.errors import Illegal

if TYPE_CHECKING:
    from referee.table.gamefile import GameFile

MAX_SIZE_AT_OPENING = 100_000
"""The largest file of a new table, in bytes."""
MAX_SIZE_FOR_NOTES = 700_000
"""The largest file that takes in vacations, and signatures under transfers."""
MAX_SIZE_FOR_ANSWERS = 940_000
"""The largest file that takes in answers, the referee's for who is late among them."""
MAX_TRANSFERS_PER_SEAT = 16
"""The most transfers of one seat in a game, those that only change its recipient included."""
MAX_STANDINGS_PER_SEAT = 16
"""The most notes of a seat that leaves and comes back, and of one that votes, in a game."""
MAX_VACATIONS_PER_SEAT = 16
"""The most vacations of a seat that a file holds."""
MAX_TRANSFERS_BY_NEW_KEYS = 16
"""The most unfinished transfers in a file that only their new key has signed."""
MAX_TRANSFERS_SIGNED = 8
"""The most unfinished transfers of its own seat, and as many of others, that the keys of a seat may
have signed, or the referee's key."""


class NoRoom(Illegal):
    """The file holds as many unfinished transfers as it may; there can be room later."""

    reason = "no-room"


class Full(Illegal):
    """The file is so large that it takes in nothing more of this kind."""

    reason = "full"


def check_room(file: GameFile, most: int, what: str) -> None:
    """Raise Full where the file has more bytes than take in something like this."""
    if file.size > most:
        raise Full(
            f"a game file of more than {most} bytes takes in no {what}, and this one has "
            f"{file.size}",
            "its referee can end the game with `sanjuan-ref abandon`",
        )


def check_opening(text: str) -> None:
    """Raise Full where the file of a new table leaves too little room for the game."""
    size = len(text.encode())
    if size > MAX_SIZE_AT_OPENING:
        raise Full(
            f"the file of this table would have {size} bytes before anybody has joined, and at "
            f"most {MAX_SIZE_AT_OPENING} leave room for the game",
            "open it with fewer backups, or with a deck that says less",
        )
