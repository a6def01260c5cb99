"""Hashes as `cryptography` makes them, which most commands load for signatures anyway.

`hashlib` and `hmac` would load a second OpenSSL beside that of the library, which takes longer than
all that a command hashes. They do the work where there is no such library, as in a browser.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


def sha256(data: bytes) -> bytes:
    """Return the 32 bytes of SHA-256."""
    return _digest("sha256")(data)


def sha512(data: bytes) -> bytes:
    """Return the 64 bytes of SHA-512."""
    return _digest("sha512")(data)


def hmac_sha256(secret: bytes, data: bytes) -> bytes:
    """Return the 32 bytes of HMAC-SHA-256 of some data under a secret."""
    return _hmac()(secret, data)


def shake_256(data: bytes, size: int) -> bytes:
    """Return so many bytes of SHAKE-256; fewer are the beginning of more."""
    return _shake()(data, size)


@cache
def _digest(name: str) -> Callable[[bytes], bytes]:
    try:
        from cryptography.hazmat.primitives import hashes
    except ImportError:
        import hashlib

        return lambda data: hashlib.new(name, data).digest()
    # A copy takes half as long as a new one.
    fresh = hashes.Hash(getattr(hashes, name.upper())())

    def digest(data: bytes) -> bytes:
        state = fresh.copy()
        state.update(data)
        return state.finalize()

    return digest


@cache
def _hmac() -> Callable[[bytes, bytes], bytes]:
    try:
        from cryptography.hazmat.primitives.hashes import SHA256
        from cryptography.hazmat.primitives.hmac import HMAC
    except ImportError:
        import hmac

        return lambda secret, data: hmac.digest(secret, data, "sha256")
    algorithm = SHA256()

    def digest(secret: bytes, data: bytes) -> bytes:
        state = HMAC(secret, algorithm)
        state.update(data)
        return state.finalize()

    return digest


@cache
def _shake() -> Callable[[bytes, int], bytes]:
    try:
        from cryptography.hazmat.primitives.hashes import SHAKE256, Hash
    except ImportError:
        import hashlib

        return lambda data, size: hashlib.shake_256(data).digest(size)

    def digest(data: bytes, size: int) -> bytes:
        state = Hash(SHAKE256(size))
        state.update(data)
        return state.finalize()

    return digest
