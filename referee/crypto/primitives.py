"""The operations on curves and ciphers that libraries do for this program, all in one place.

A program that has no such libraries, as in a browser, names its own with `use`. What they mean, and
which keys and signatures are refused, is said in PROTOCOL 4 to 6 and held by its known answers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

Sign = Callable[[bytes], bytes]
"""Gives the 64 bytes of Ed25519 under a text; the same every time."""
Verify = Callable[[bytes, bytes], bool]
"""Says if 64 bytes are the signature of a text: without cofactor, as OpenSSL checks it."""


class NotForThisKey(Exception):
    """Raised if a sealed block is for other keys."""


class Broken(Exception):
    """Raised if a block or a key is damaged, or not what it should be."""


class UnknownCipher(Exception):
    """Raised if a private key is encrypted in a way that cannot be undone here."""


class Primitives:
    """The operations of `cryptography` and `pyrage`, each imported when it is used."""

    def signer(self, seed: bytes) -> tuple[bytes, Sign]:
        """Return the 32 bytes of the public key that belongs to a seed, and what signs with it."""
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        key = Ed25519PrivateKey.from_private_bytes(seed)
        return key.public_key().public_bytes_raw(), key.sign

    def verifier(self, public: bytes) -> Verify:
        """Return what checks the signatures of a public key, which is a usable point already."""
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

        key = Ed25519PublicKey.from_public_bytes(public)

        def verify(signature: bytes, data: bytes) -> bool:
            try:
                key.verify(signature, data)
            except InvalidSignature:
                return False
            return True

        return verify

    def unlock(self, openssh: bytes, passphrase: bytes) -> bytes:
        """Return the seed in an encrypted OpenSSH private key file.

        Raises Broken for a wrong passphrase or another kind of key, UnknownCipher.
        """
        from cryptography.exceptions import UnsupportedAlgorithm
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
        from cryptography.hazmat.primitives.serialization import load_ssh_private_key

        try:
            key = load_ssh_private_key(openssh, passphrase)
        except UnsupportedAlgorithm:
            raise UnknownCipher from None
        except (ValueError, TypeError):
            raise Broken("passphrase") from None
        if not isinstance(key, Ed25519PrivateKey):
            raise Broken("kind")
        return key.private_bytes_raw()

    def age_recipient(self, identity: str) -> str:
        """Return the `age1…` of an `AGE-SECRET-KEY-1…`. Raises Broken."""
        from pyrage import IdentityError, x25519  # type: ignore[import-untyped]

        try:
            return str(x25519.Identity.from_str(identity).to_public())
        except IdentityError:
            raise Broken("identity") from None

    def encrypt(self, plain: bytes, recipients: Sequence[str]) -> bytes:
        """Return an age file, without armour, for canonical recipients."""
        from pyrage import encrypt, ssh, x25519

        to = [
            ssh.Recipient.from_str(text)
            if text.startswith("ssh-")
            else x25519.Recipient.from_str(text)
            for text in recipients
        ]
        return bytes(encrypt(plain, to))

    def decrypt(self, sealed: bytes, identity: bytes) -> bytes:
        """Return what is in an age file, by an `AGE-SECRET-KEY-1…` or an OpenSSH private key file.

        Raises NotForThisKey or Broken.
        """
        from pyrage import DecryptError, decrypt, ssh, x25519

        opener: Any = (
            x25519.Identity.from_str(identity.decode())
            if identity.startswith(b"AGE-")
            else ssh.Identity.from_buffer(identity)
        )
        try:
            return bytes(decrypt(sealed, [opener]))
        except DecryptError as error:
            # The library has one error class for all, so its words must tell the two apart.
            if "matching keys" in str(error):
                raise NotForThisKey from None
            raise Broken("block") from None


_used: list[Primitives] = [Primitives()]


def use(primitives: Primitives) -> Primitives:
    """Let other primitives do the work from now on; return those before them."""
    before = _used[0]
    _used[0] = primitives
    return before


def primitives() -> Primitives:
    """Return the primitives that do the work."""
    return _used[0]
