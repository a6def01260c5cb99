"""Signed notes, as they go through the program: signed here, or found in what somebody has sent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.crypto.sealing import seal_note
from referee.crypto.sshsig import Signature

if TYPE_CHECKING:
    from referee.crypto.keys import PrivateKey, PublicKey
    from referee.notes.kinds import AnyNote


class SignedNote:
    """A note and its signature, which is of the right namespace but not verified yet."""

    __slots__ = ("_armoured", "note", "signature")

    def __init__(self, note: AnyNote, signature: Signature) -> None:
        self.note = note
        self.signature = signature
        self._armoured = ""

    @classmethod
    def by(cls, key: PrivateKey, note: AnyNote) -> SignedNote:
        """Sign a note."""
        return cls(note, Signature(key.public, note.namespace, note.sign(key)))

    @property
    def kind(self) -> str:
        """Kind of the note: `move`, `join`, `vacation` or `transfer`."""
        return self.note.kind

    @property
    def text(self) -> str:
        """Canonical text of the note, the one that is signed."""
        return self.note.text

    @property
    def raw64(self) -> bytes:
        """The 64 bytes of the signature."""
        return self.signature.raw64

    @property
    def armoured(self) -> str:
        """Text that is sent: the canonical text, and the signature in armour."""
        if not self._armoured:
            self._armoured = self.note.text + self.signature.armour()
        return self._armoured

    def sealed_to(self, referee: PublicKey) -> str:
        """Seal the text that is sent to the referee alone; another block each time."""
        return seal_note(self.armoured, referee)

    def holds(self) -> bool:
        """Return True if the signature is that of the key that it names."""
        return self.note.verify(self.signature.public, self.signature.raw64)

    def __repr__(self) -> str:
        return f"<SignedNote {self.note!r} by {self.signature.public.fingerprint}>"
