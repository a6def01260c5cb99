"""Reading a document key by key: a misfit ends it, or is noted beside all others."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Self

from referee.games.errors import GameError, NotUnderstood
from referee.games.near import aside

# Positions are passed on, and commands that name a seat are printed to be pasted.
SEAT = "[a-z][a-z0-9]*(?:-[a-z0-9]+)*"
SEAT_LENGTH = 16
MAX_NUMBER = 10**9 - 1
MAX_TEXT = 4096


class Fields:
    """One table of a document. A value that does not fit raises NotUnderstood and names its key."""

    __slots__ = ("path", "table")
    listed = "texts"

    def __init__(self, table: object, path: str) -> None:
        if not isinstance(table, Mapping):
            raise self.error(f"{path} has no lines of its own")
        self.table: Mapping[str, Any] = table
        self.path = path

    def error(self, text: str) -> GameError:
        """Return the error that a misfit is."""
        return NotUnderstood(text)

    def name(self, key: str) -> str:
        """Return what messages call a key."""
        return f"{self.path}.{key}"[:80] if self.path else key[:80]

    def wrong(self, key: str, what: str = "") -> GameError:
        """Return the error about a value that must be `what`, or does not fit the others."""
        text = f"must be {what}" if what else "does not fit the rest"
        return self.error(f"{self.name(key)} {text if key in self.table else 'is missing'}")

    def misfit(self, key: str, what: str) -> None:
        """Raise or note that a value is not `what` it must be."""
        raise self.wrong(key, what)

    def has(self, key: str) -> bool:
        """Return True if there is something under a key."""
        return key in self.table

    def value(self, key: str, default: Any = None) -> Any:
        """Return what stands under a key, whatever it is."""
        return self.table.get(key, default)

    def number(
        self, key: str, least: int = 0, most: int = MAX_NUMBER, default: int | None = None
    ) -> int:
        """Return a number in a range."""
        value = self.value(key, default)
        if type(value) is int and least <= value <= most:
            return value
        self.misfit(key, f"a number from {least} to {most}" if least < most else str(least))
        return least if default is None else default

    def flag(self, key: str, default: bool | None = None) -> bool:
        """Return a boolean."""
        value = self.value(key, default)
        if type(value) is bool:
            return value
        self.misfit(key, "true or false")
        return bool(default)

    def text(self, key: str, limit: int = MAX_TEXT) -> str:
        """Return a text of at most so many characters."""
        value = self.value(key)
        if type(value) is str and len(value) <= limit:
            return value
        self.misfit(key, f"a text of at most {limit} characters")
        return ""

    def texts(self, key: str, default: Sequence[str] | None = None) -> list[str]:
        """Return a list of texts."""
        value = self.value(key, default)
        if isinstance(value, list | tuple) and all(isinstance(text, str) for text in value):
            return list(value)
        self.misfit(key, f"a list of {self.listed}")
        return []

    def one_of(self, key: str, known: Sequence[str]) -> int:
        """Return the place of a word among those that may stand there."""
        value = self.value(key)
        if type(value) is not str or value not in known:
            raise self.wrong(key, "a word that the game has there")
        return known.index(value)

    def many_of(
        self, key: str, known: Sequence[str], most: int, default: Sequence[str] | None = None
    ) -> list[int]:
        """Return the places of words that may stand there, at most so many."""
        value = self.value(key, default)
        if not isinstance(value, list | tuple) or len(value) > most:
            raise self.wrong(key, f"a list of at most {most} words")
        for text in value:
            if type(text) is not str or text not in known:
                raise self.wrong(key, "a list of words that the game has there")
        return [known.index(text) for text in value]

    def some_of(
        self, key: str, known: Sequence[str], default: Sequence[str] | None = None
    ) -> list[int]:
        """Return the places of words that may stand there once each."""
        found = self.many_of(key, known, len(known), default)
        if len(set(found)) < len(found):
            raise self.wrong(key, "a list in which no word stands twice")
        return found

    def sub(self, key: str) -> Self:
        """Return the table under a key."""
        value = self.value(key)
        if not isinstance(value, Mapping):
            raise self.wrong(key, f"a part with lines of its own, below [{key}]")
        return type(self)(value, self.name(key))

    def rows(
        self, key: str, most: int = MAX_NUMBER, default: Sequence[Any] | None = None
    ) -> list[Self]:
        """Return the tables in a list."""
        value = self.value(key, default)
        if not isinstance(value, list | tuple) or len(value) > most:
            what = f"at most {most} parts, each with its lines below [[{key}]]"
            raise self.wrong(key, what)
        return [type(self)(row, f"{self.name(key)}[{at}]") for at, row in enumerate(value)]


class Document(Fields):
    """A table written by hand; `faults` is everything that was found wrong with the document."""

    listed = "names"

    def __init__(
        self, table: Mapping[str, Any], path: str = "", faults: list[str] | None = None
    ) -> None:
        super().__init__(table, path)
        self.faults: list[str] = [] if faults is None else faults

    def name(self, key: str) -> str:
        return f"{self.path}: {key}" if self.path else key

    def misfit(self, key: str, what: str) -> None:
        self.fault(self.wrong(key, what).message)

    def inner(self, table: Mapping[str, Any], path: str) -> Document:
        """Return a table inside this one, whose faults are noted with the others."""
        return Document(table, path, self.faults)

    def fault(self, text: str) -> None:
        """Note a fault, once."""
        if text not in self.faults:
            self.faults.append(text)

    def check(self) -> None:
        """Raise NotUnderstood if the position that the document describes is impossible."""
        if self.faults:
            raise NotUnderstood.of_document("this position is impossible", self.faults)

    def unknown(self, what: str, name: object, known: Iterable[str], where: str = "") -> None:
        """Note a name that means nothing, and what it may stand for."""
        like = aside(name, known)
        self.fault(f"{where}{': ' if where else ''}there is no {what} {name!r}{like}")

    def keys(self, known: Sequence[str], where: str = "") -> None:
        """Note the keys that mean nothing."""
        for key in self.table:
            if key not in known:
                what = where or self.path
                self.fault(f"{key!r} is not a key that {what} can have{aside(key, known)}")

    def buildings(self, default: Sequence[str], *, least: int = 0) -> list[Document]:
        """Return the tables in `city`, where the name of a card alone stands for a table."""
        city = self.value("city", default)
        if not isinstance(city, list | tuple) or len(city) < least:
            self.misfit("city", "a list of buildings")
            return []
        tables = [{"card": entry} if isinstance(entry, str) else entry for entry in city]
        if not all(isinstance(table, dict) for table in tables):
            self.fault(
                f"{self.path}: a building is the name of a card, or {{ card = NAME, plot = 2 }}"
            )
        return [
            self.inner(table, f"{self.path}, {table.get('card', 'a building')}")
            for table in tables
            if isinstance(table, dict)
        ]

    def named_seats(self, most: range, known: Sequence[str]) -> list[Document]:
        """Return the tables of the seats, whose keys are `known`; empty if they are malformed."""
        rows = self.value("seats")
        if (
            not isinstance(rows, list)
            or len(rows) not in most
            or not all(isinstance(row, dict) and isinstance(row.get("name"), str) for row in rows)
        ):
            self.fault(
                f"there must be {most[0]} to {most[-1]} seats, each named below its own [[seats]]"
            )
            return []
        seats = [self.inner(row, row["name"][:40]) for row in rows]
        for seat, row in zip(seats, rows, strict=True):
            if len(row["name"]) > SEAT_LENGTH or not re.fullmatch(SEAT, row["name"]):
                self.fault(f"{seat.path!r} cannot be the name of a seat")
            seat.keys(known, f"seat {seat.path}")
        if len({row["name"] for row in rows}) < len(rows):
            self.fault("two seats have the same name")
        return seats
