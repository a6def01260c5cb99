"""Reading the tables of a game file, with messages that name the key."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from referee.crypto.hashing import unb64
from referee.crypto.keys import PublicKey
from referee.errors import Damaged, Newer
from referee.games.errors import GameError
from referee.games.fields import Fields
from referee.notes import forms
from referee.notes.forms import Form
from referee.table import times

if TYPE_CHECKING:
    from datetime import date, datetime


class FileFields(Fields):
    """One table of a game file. A misfit raises Damaged; so does a key that was not asked for."""

    __slots__ = ("_left",)

    def __init__(self, table: object, path: str = "") -> None:
        super().__init__(table, path)
        self._left = dict(self.table)

    def error(self, text: str) -> Damaged:
        return Damaged(text)

    def value(self, key: str, default: Any = None) -> Any:
        return self._left.pop(key, default)

    def newer(self, *keys: str) -> None:
        """Raise Newer if one of the keys is there, which only a later version writes."""
        for key in keys:
            if self.has(key):
                raise Newer(f"this file, which has {self.name(key)},")

    def form(self, key: str, form: Form) -> str:
        """Take a text of this form."""
        value = self.text(key, form.most)
        if not form.fits(value):
            raise Damaged(f"{self.name(key)} holds something a game file cannot have there")
        return value

    def raw(self, key: str, size: int) -> bytes:
        """Take bytes, written in unpadded base64."""
        try:
            return unb64(self.text(key), size)
        except ValueError:
            raise self.wrong(key, f"{size} bytes in unpadded base64") from None

    def hex(self, key: str, size: int) -> bytes:
        """Take bytes, written in hexadecimal digits."""
        value = self.text(key)
        if len(value) != 2 * size or value.strip("0123456789abcdef"):
            raise self.wrong(key, f"{2 * size} hexadecimal digits")
        return bytes.fromhex(value)

    def key(self, key: str) -> PublicKey:
        """Take a public key."""
        value = self.text(key)
        try:
            found = PublicKey.parse(value)
        except GameError as error:
            raise Damaged(f"{self.name(key)}: {error.message}") from None
        if found.text != value:
            raise self.wrong(key, "`ssh-ed25519 AAAA…` without comment")
        return found

    def time(self, key: str) -> datetime:
        """Take a point in time."""
        try:
            return times.parse_time(self.text(key))
        except ValueError:
            raise self.wrong(key, "a time like 2026-11-28T09:00:00Z") from None

    def day(self, key: str) -> date:
        """Take a day."""
        try:
            return forms.read_day(self.text(key))
        except ValueError:
            raise self.wrong(key, "a day like 2026-11-28") from None

    def rest(self) -> dict[str, Any]:
        """Return what nobody has asked for."""
        return self._left

    def end(self) -> None:
        """Raise Damaged if there is a key that nobody has asked for."""
        for key in self._left:
            raise Damaged(f"unknown key {self.name(key)!r} in the game file")
