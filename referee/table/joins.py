"""Joins as a game file records them: over which terms each seat has signed (PROTOCOL 10)."""

from __future__ import annotations

from referee.crypto.hashing import H
from referee.errors import BadSignature
from referee.notes.kinds import Join
from referee.table import chain
from referee.table.gamefile import GameFile, Seat
from referee.table.transfer import follow


def check_joins(file: GameFile) -> None:
    """Raise BadSignature unless each join is signed over this file's head 0."""
    for seat in file.seats:
        if seat.joined:
            check_join(file, seat)


def check_join(file: GameFile, seat: Seat) -> None:
    """Raise BadSignature unless the seat's join is signed over this file's head 0."""
    assert seat.key is not None
    if not join_of(file, seat).verify(seat.key, seat.signature):
        raise BadSignature(
            f"{seat.name}'s join does not match this file: the terms, the referee or the "
            "seats have been "
            "changed since it was signed",
            "do not play on from this file; ask the referee about it",
        )


def check_seat(file: GameFile, seat: Seat) -> None:
    """Raise BadSignature unless the seat's join is signed over this file's head 0, and every
    transfer of a seat by those who had to."""
    check_join(file, seat)
    if seat.holder != seat.key:
        follow(file, chain.heads(file))


def join_of(file: GameFile, seat: Seat) -> Join:
    """Return the join that a seat signed, rebuilt from the file."""
    assert seat.key is not None
    head = chain.first_head(file).hex()
    return Join(file.game, seat.name, head, seat.key.hex, seat.salt.hex(), seat.seal or None)


def joins_of(file: GameFile) -> dict[str, str]:
    """Return the texts of all joins, by seats in their order. Bots join nothing."""
    return {seat.name: join_of(file, seat).text for seat in file.seats if seat.joined}


def deal_play(file: GameFile) -> str:
    """Return the play of log entry 1: it covers every join in seat order, signatures included."""
    signed = {seat.name: seat.signature for seat in file.seats}
    parts: list[str | bytes] = []
    for name, text in joins_of(file).items():
        parts += [text, signed[name]]
    return "deal " + H("joins", *parts).hex()
