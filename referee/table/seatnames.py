"""Errors and suggestions for names of seats that do not exist, or cannot."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from referee.errors import NotYours, Stale
from referee.games.errors import NotUnderstood
from referee.games.near import near
from referee.notes.kinds import quote_untrusted
from referee.table.gamefile import RESERVED, is_seat_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from referee.table.gamefile import GameFile, Seat


def as_seat_name(text: str) -> str:
    """Return the name of a seat that is most like a text, `zoe` for Zoë; "" where none is."""
    from unicodedata import normalize

    plain = normalize("NFKD", text.replace("ß", "ss")).encode("ascii", "ignore").decode().lower()
    name = re.sub("[^a-z0-9]+", "-", plain).lstrip("-0123456789").rstrip("-")
    return name if is_seat_name(name) else ""


def no_name(text: str) -> NotUnderstood:
    """Return the error for a text that cannot be the name of a seat."""
    if text in RESERVED:
        return NotUnderstood(
            f"{text!r} cannot be the name of a seat, because notes and logs use that word",
            f"any other name will do, such as {text[:14]}-2; not free are "
            + ", ".join(sorted(RESERVED)),
        )
    like = as_seat_name(text)
    return NotUnderstood(
        f"{quote_untrusted(text)} cannot be the name of a seat",
        (f"{like} would do; " if like else "")
        + "a name is a small letter, then up to 15 small letters, digits or hyphens",
    )


def no_seat(file: GameFile, text: str) -> NotYours:
    """Return the error for a text that names none of the seats of a game."""
    names = [seat.name for seat in file.seats]
    called = text if is_seat_name(text) else quote_untrusted(text)
    listed = f"seats: {', '.join(names)}"
    like = did_you_mean(text, names)
    return NotYours(f"there is no seat {called}", f"{like} {listed}" if like else listed)


def players_seat(file: GameFile, text: str) -> Seat:
    """Return the seat that is named, for a note about it. Raises NotYours if a bot plays there."""
    seat = file.seat(text)
    if seat is None:
        raise no_seat(file, text)
    if seat.bot:
        raise NotYours(f"{seat.name} is a bot's seat, and nobody signs for it")
    return seat


def seat_taken(file: GameFile, name: str) -> Stale:
    """Return the error for a seat that somebody else has; it says which are free."""
    free = [seat.name for seat in file.seats if seat.key is None and not seat.bot]
    if file.status == "open" and free:
        hint = f"seats still free: {', '.join(free)}"
        return Stale(f"the seat {name} is taken", hint, reason="seat-taken")
    dealt = "" if file.status == "open" else ": the cards have been dealt"
    return Stale(
        f"the seat {name} is taken, and so is every other seat{dealt}", reason="seat-taken"
    )


def did_you_mean(text: str, names: Sequence[str]) -> str:
    """Return which of some seats a text may mean, as a question; "" where none is like it."""
    like = as_seat_name(text)
    return f"did you mean {like}?" if like in names else near(text, names)
