"""Reading a public table back, which its referee may have written as it liked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from referee.games.interface import NotUnderstood


class TableFields:
    """One table of the public state of `game`; a misfit is NotUnderstood and names its key."""

    __slots__ = ("game", "table", "where")

    def __init__(self, table: object, where: str, game: str) -> None:
        if not isinstance(table, Mapping):
            raise NotUnderstood(f"{where} is not a table")
        self.table = table
        self.where = where
        self.game = game

    def wrong(self, key: str) -> NotUnderstood:
        """Return the error about a key."""
        return NotUnderstood(f"{self.where}.{key} is not what a table of {self.game} has there")

    def number(self, key: str, least: int, most: int, default: int | None = None) -> int:
        """Return a number in a range."""
        value = self.table.get(key, default)
        if type(value) is not int or not least <= value <= most:
            raise self.wrong(key)
        return value

    def truth(self, key: str, default: bool | None = None) -> bool:
        """Return a boolean."""
        value = self.table.get(key, default)
        if type(value) is not bool:
            raise self.wrong(key)
        return value

    def one_of(self, key: str, known: Sequence[str]) -> int:
        """Return the place of a word among those that may stand there."""
        value = self.table.get(key)
        if type(value) is not str or value not in known:
            raise self.wrong(key)
        return known.index(value)

    def many_of(
        self, key: str, known: Sequence[str], most: int, default: Sequence[str] | None = None
    ) -> list[int]:
        """Return the places of words that may stand there, at most so many."""
        value = self.table.get(key, default)
        if not isinstance(value, list | tuple) or len(value) > most:
            raise self.wrong(key)
        for text in value:
            if type(text) is not str or text not in known:
                raise self.wrong(key)
        return [known.index(text) for text in value]

    def some_of(
        self, key: str, known: Sequence[str], default: Sequence[str] | None = None
    ) -> list[int]:
        """Return the places of words that may stand there once each."""
        found = self.many_of(key, known, len(known), default)
        if len(set(found)) < len(found):
            raise self.wrong(key)
        return found

    def rows(self, key: str, most: int = 99) -> list[TableFields]:
        """Return the tables in a list."""
        value = self.table.get(key)
        if not isinstance(value, list | tuple) or len(value) > most:
            raise self.wrong(key)
        return [TableFields(row, f"{self.where}.{key}", self.game) for row in value]
