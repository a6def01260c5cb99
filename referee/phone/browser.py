"""Curves and ciphers of a browser in the place of those of libraries (see `site/crypto.js`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from referee.crypto.keys import KeyFile
from referee.crypto.keytext import CIPHERS
from referee.crypto.primitives import (
    Broken,
    NotForThisKey,
    Primitives,
    Sign,
    UnknownCipher,
    Verify,
    use,
)
from referee.phone.door import call

KEY = Path("the key")
MAX_ROUNDS = 2048
"""A key file says how often its passphrase is to be hashed, and a phone must come to an end."""


class BrowserPrimitives(Primitives):
    """Those of `site/crypto.js`; `give` makes what JavaScript takes of bytes and lists."""

    def __init__(self, engine: Any, give: Callable[[Any], Any]) -> None:
        self._engine = engine
        self._give = give

    def signer(self, seed: bytes) -> tuple[bytes, Sign]:
        """Return the public key of a seed, and what signs with it."""
        secret = self._give(seed)

        def sign(data: bytes) -> bytes:
            return bytes(self._engine.sign(self._give(data), secret).to_bytes())

        return bytes(self._engine.publicOf(secret).to_bytes()), sign

    def verifier(self, public: bytes) -> Verify:
        """Return what checks the signatures of a public key."""
        key = self._give(public)

        def verify(signature: bytes, data: bytes) -> bool:
            return bool(self._engine.verify(self._give(signature), self._give(data), key))

        return verify

    def unlock(self, openssh: bytes, passphrase: bytes) -> bytes:
        """Return the seed in an encrypted OpenSSH private key file."""
        file = KeyFile.parse(KEY, openssh.decode())
        salt = file.options[4:-4]
        rounds = int.from_bytes(file.options[-4:], "big")
        if file.cipher not in CIPHERS or file.kdf != "bcrypt" or not 0 < rounds <= MAX_ROUNDS:
            raise UnknownCipher
        parts = map(self._give, (file.section, file.tag, passphrase, salt))
        try:
            opened = self._engine.unlock(file.cipher, *parts, rounds)
            return file.seed(bytes(opened.to_bytes()))
        # Whatever goes wrong in there comes as an error of JavaScript's.
        except Exception:
            raise Broken("passphrase") from None

    def age_recipient(self, identity: str) -> str:
        """Return the `age1…` of an `AGE-SECRET-KEY-1…`."""
        try:
            return str(self._engine.ageRecipient(identity))
        except Exception:
            raise Broken("identity") from None

    def encrypt(self, plain: bytes, recipients: Sequence[str]) -> bytes:
        """Return an age file for canonical recipients."""
        found = self._engine.encrypt(self._give(plain), self._give(list(recipients)))
        return bytes(found.to_bytes())

    def decrypt(self, sealed: bytes, identity: bytes) -> bytes:
        """Return what is in an age file."""
        try:
            if identity.startswith(b"AGE-"):
                found = self._engine.opensAge(self._give(sealed), identity.decode())
            else:
                seed = KeyFile.parse(KEY, identity.decode()).seed()
                found = self._engine.opens(self._give(sealed), self._give(seed))
        except Exception:
            raise Broken("block") from None
        # null is None in some versions of the bridge, and an object of its own in others.
        if not hasattr(found, "to_bytes"):
            raise NotForThisKey
        return bytes(found.to_bytes())


def start(engine: Any, give: Callable[[Any], Any]) -> Callable[[str, str], str]:
    """Let a browser's cryptography do the work, and return what answers requests."""
    use(BrowserPrimitives(engine, give))
    return call
