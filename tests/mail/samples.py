"""The look-alike mails, and how to compare what was found in one with what was signed."""

from __future__ import annotations

import functools
import tomllib
from pathlib import Path
from typing import Any

from referee.crypto.sealing import unseal
from referee.notes.finding import Found, find
from referee.notes.kinds import Move
from referee.table.decisions import DecisionId
from tests.table.tables import REFEREE, key_of

HERE = Path(__file__).parent
_TOML = tomllib.loads((HERE / "samples.toml").read_text(encoding="utf-8"))
NOTES: dict[str, str] = _TOML["notes"]
SAMPLES: dict[str, dict[str, Any]] = _TOML["samples"]


@functools.cache
def content(name: str) -> bytes:
    """The bytes of a sample."""
    return (HERE / "samples" / f"{name}.eml").read_bytes()


def signed_by_its_seat(found: Found) -> bool:
    """Return True if a note was signed with the (worthless) key of the seat that it speaks for."""
    signed = found.signed
    assert signed is not None
    note = signed.note
    seat = DecisionId.parse(note.turn).seat if isinstance(note, Move) else note.seat
    return signed.signature.public == key_of(seat).public and signed.holds()


def name_of(found: Found) -> str:
    """Return the name of the one of NOTES that was found; a word for a forged one."""
    if found.sealed is not None:
        (inside,) = find(unseal(found.sealed, REFEREE))
        assert signed_by_its_seat(inside)
    elif not signed_by_its_seat(found):
        return "forged"
    return next(name for name, known in NOTES.items() if known == found.text)
