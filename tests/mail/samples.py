"""The look-alike mails, and how to compare what was found in one with what was signed."""

from __future__ import annotations

import functools
import tomllib
from pathlib import Path
from typing import Any

from referee.crypto.sealing import unseal
from referee.notes.finding import Found, find
from referee.notes.kinds import Move
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
    """Whether a note was signed with the (worthless) key of the seat that it speaks for."""
    note, signature = found.note, found.signature
    assert note is not None
    assert signature is not None
    seat = note.turn.rpartition(".")[2] if isinstance(note, Move) else note.seat
    key = key_of(seat).public
    return signature.public == key and note.verify(key, signature.raw64)


def name_of(found: Found) -> str:
    """Which of NOTES was found; a word for a forged one."""
    if found.sealed is not None:
        (inside,) = find(unseal(found.sealed, REFEREE))
        assert signed_by_its_seat(inside)
        text = found.sealed
    elif not signed_by_its_seat(found):
        return "forged"
    else:
        assert found.note
        assert found.signature
        text = found.note.armoured(found.signature.public, found.signature.raw64)
    return next(name for name, known in NOTES.items() if known == text)
