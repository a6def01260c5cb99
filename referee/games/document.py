"""Typed reading of a document that notes every misfit instead of stopping at the first."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from referee.games.interface import NotUnderstood
from referee.games.near import aside

# Positions are passed on, and commands that name a seat are printed to be pasted.
SEAT = "[a-z][a-z0-9]*(?:-[a-z0-9]+)*"
SEAT_LENGTH = 16


class Document:
    """A tree of tables, written by hand; `faults` is everything that was found wrong with it."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self.document = document
        self.faults: list[str] = []

    def fault(self, text: str) -> None:
        """Note a fault, once."""
        if text not in self.faults:
            self.faults.append(text)

    def check(self) -> None:
        """Raise NotUnderstood if the position that the document describes is impossible."""
        if self.faults:
            raise NotUnderstood("this position is impossible: " + "; ".join(self.faults))

    def unknown(self, what: str, name: object, known: Iterable[str], where: str = "") -> None:
        """Note a name that means nothing, and what it may stand for."""
        like = aside(name, known)
        self.fault(f"{where}{': ' if where else ''}there is no {what} {name!r}{like}")

    def keys(self, table: Mapping[str, Any], known: Sequence[str], where: str) -> None:
        """Note the keys of a table that mean nothing."""
        for key in table:
            if key not in known:
                self.fault(f"{where} has no key {key!r}{aside(key, known)}")

    def number(
        self, table: Mapping[str, Any], key: str, default: int, least: int, most: int
    ) -> int:
        """Return a number in a range, or the default."""
        value = table.get(key, default)
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            self.fault(f"{key} must be a number from {least} to {most}")
            return default
        return value

    def truth(self, key: str, default: bool) -> bool:
        """Return a boolean, or the default."""
        value = self.document.get(key, default)
        if not isinstance(value, bool):
            self.fault(f"{key} must be true or false")
            return default
        return value

    def texts(self, table: Mapping[str, Any], key: str, default: Sequence[str]) -> list[str]:
        """Return a list of names, or the default."""
        value = table.get(key, default)
        if not isinstance(value, list | tuple) or not all(isinstance(text, str) for text in value):
            self.fault(f"{key} must be a list of names")
            return []
        return list(value)

    def named_seats(self, most: range, known: Sequence[str]) -> list[Mapping[str, Any]]:
        """Return the tables of the seats, whose keys are `known`; empty if they are malformed."""
        seats = self.document.get("seats")
        if (
            not isinstance(seats, list)
            or len(seats) not in most
            or not all(
                isinstance(seat, dict) and isinstance(seat.get("name"), str) for seat in seats
            )
        ):
            self.fault(f"seats must be {most[0]} to {most[-1]} tables, each with a name")
            return []
        for seat in seats:
            if len(seat["name"]) > SEAT_LENGTH or not re.fullmatch(SEAT, seat["name"]):
                self.fault(f"{seat['name'][:40]!r} cannot be the name of a seat")
            self.keys(seat, known, f"seat {seat['name'][:40]}")
        if len({seat["name"] for seat in seats}) < len(seats):
            self.fault("two seats have the same name")
        return seats
