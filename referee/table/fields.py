"""Taking a TOML table apart key by key, with messages that name the key."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from referee.crypto.hashing import unb64
from referee.crypto.keys import PublicKey
from referee.errors import Damaged, Newer
from referee.games.interface import GameError
from referee.notes import forms
from referee.notes.forms import Form
from referee.table import times

if TYPE_CHECKING:
    from datetime import date, datetime

MAX_TEXT = 4096


class Fields:
    """The keys of one TOML table, taken one by one; what is left over is refused."""

    def __init__(self, value: object, path: str) -> None:
        if not isinstance(value, dict):
            raise Damaged(f"{path} is not a table")
        self._left: dict[str, Any] = dict(value)
        self.path = path

    def _name(self, key: str) -> str:
        return f"{self.path}.{key}" if self.path else key

    def newer(self, *keys: str) -> None:
        """Raises Newer where one of the keys is there, which only a later version writes."""
        for key in keys:
            if key in self._left:
                raise Newer(f"this file, which has {self._name(key)},")

    def has(self, key: str) -> bool:
        return key in self._left

    def take(self, key: str, kind: type, what: str) -> Any:
        if key not in self._left:
            raise Damaged(f"{self._name(key)} is missing")
        value = self._left.pop(key)
        if type(value) is not kind:
            raise Damaged(f"{self._name(key)} is not {what}")
        return value

    def text(self, key: str, limit: int = MAX_TEXT) -> str:
        value: str = self.take(key, str, "a string")
        if len(value) > limit:
            raise Damaged(f"{self._name(key)} is too long")
        return value

    def form(self, key: str, form: Form) -> str:
        """Take a text of this form."""
        value: str = self.take(key, str, "a string")
        if not form.fits(value):
            raise Damaged(f"{self._name(key)} holds something a game file cannot have there")
        return value

    def number(self, key: str) -> int:
        value: int = self.take(key, int, "an integer")
        if not 0 <= value < 10**9:
            raise Damaged(f"{self._name(key)} is out of range")
        return value

    def flag(self, key: str) -> bool:
        if key not in self._left:
            return False
        value: bool = self.take(key, bool, "true or false")
        return value

    def items(self, key: str) -> list[Any]:
        value: list[Any] = self.take(key, list, "an array") if key in self._left else []
        return value

    def texts(self, key: str) -> list[str]:
        values = self.items(key)
        if not all(type(value) is str for value in values):
            raise Damaged(f"{self._name(key)} is not an array of strings")
        return values

    def tables(self, key: str) -> list[Fields]:
        return [
            Fields(value, f"{self._name(key)}[{index}]")
            for index, value in enumerate(self.items(key))
        ]

    def table(self, key: str) -> dict[str, Any]:
        value: dict[str, Any] = self.take(key, dict, "a table")
        return value

    def sub(self, key: str) -> Fields:
        return Fields(self.table(key), self._name(key))

    def raw(self, key: str, size: int) -> bytes:
        value = self.text(key)
        try:
            return unb64(value, size)
        except ValueError:
            raise Damaged(f"{self._name(key)} is not {size} bytes in unpadded base64") from None

    def hex(self, key: str, size: int) -> bytes:
        value = self.text(key)
        if len(value) != 2 * size or value.strip("0123456789abcdef"):
            raise Damaged(f"{self._name(key)} is not {2 * size} hexadecimal digits")
        return bytes.fromhex(value)

    def key(self, key: str) -> PublicKey:
        value = self.text(key)
        try:
            found = PublicKey.parse(value)
        except GameError as error:
            raise Damaged(f"{self._name(key)}: {error.message}") from None
        if found.text != value:
            raise Damaged(f"{self._name(key)} is not `ssh-ed25519 AAAA…` without comment")
        return found

    def time(self, key: str) -> datetime:
        value = self.text(key)
        try:
            return times.parse_time(value)
        except ValueError:
            raise Damaged(
                f"{self._name(key)[:80]} is not a time like 2026-11-28T09:00:00Z"
            ) from None

    def day(self, key: str) -> date:
        value = self.text(key)
        try:
            return forms.read_day(value)
        except ValueError:
            raise Damaged(f"{self._name(key)} is not a day like 2026-11-28") from None

    def rest(self) -> dict[str, Any]:
        return self._left

    def end(self) -> None:
        for key in self._left:
            raise Damaged(f"unknown key {self._name(key)[:80]!r} in the game file")
