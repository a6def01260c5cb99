"""Every hash, derivation and encoding of the protocol (PROTOCOL 1 to 3)."""

from __future__ import annotations

import binascii
import hashlib
import hmac
from functools import lru_cache

DOMAIN = b"sanjuan-ref/1\0"
WORD = 1 << 32
MANY = 100
SIZES = [size.to_bytes(8, "big") for size in range(MANY)]


def _framed(tag: str, parts: tuple[str | bytes | int, ...]) -> bytes:
    pieces = [DOMAIN]
    for part in (tag, *parts):
        if type(part) is str:
            raw = part.encode()
        elif type(part) is bytes:
            raw = part
        elif type(part) is int:
            raw = b"%d" % part
        else:
            raise TypeError(f"cannot hash a {type(part).__name__}")
        size = len(raw)
        pieces += (SIZES[size] if size < MANY else size.to_bytes(8, "big"), raw)
    return b"".join(pieces)


def H(tag: str, *parts: str | bytes | int) -> bytes:  # noqa: N802 - its name in the protocol
    """Return the 32-byte hash of a tag and its parts; no two lists of parts share an encoding."""
    return hashlib.sha256(_framed(tag, parts)).digest()


def derive(secret: bytes, tag: str, *parts: str | bytes | int) -> bytes:
    """32 bytes that only a holder of `secret` can compute, one value for each tag and parts."""
    return hmac.digest(secret, H(tag, *parts), "sha256")


def b64(raw: bytes) -> str:
    """Standard base64 without padding."""
    return binascii.b2a_base64(raw, newline=False).rstrip(b"=").decode()


def unb64(text: str, size: int) -> bytes:
    """Return the `size` bytes of which `text` is the `b64`. Raises ValueError for anything else."""
    try:
        raw = binascii.a2b_base64(text + "=" * (-len(text) % 4))
    except ValueError:
        raw = b""
    # Decoders overlook stray characters and trailing bits, so the text is made again.
    if len(raw) != size or b64(raw) != text:
        raise ValueError(f"not {size} bytes of unpadded base64")
    return raw


def canonical(value: object) -> str:
    """Return the one JSON text of a value of strings, integers, booleans, lists and tables.

    Raises TypeError for any other type, tables with other keys than strings included.
    """
    kind = type(value)
    if kind is str:
        return _quoted(value)  # type: ignore[arg-type]
    if kind is int:
        return str(value)
    if kind is bool:
        return "true" if value else "false"
    if kind is list:
        items = [
            _quoted(item) if type(item) is str else canonical(item)
            for item in value  # type: ignore[attr-defined]
        ]
        return f"[{','.join(items)}]"
    if kind is dict:
        pairs = [
            f"{_quoted_key(key)}:{_quoted(item) if type(item) is str else canonical(item)}"
            for key, item in sorted(value.items())  # type: ignore[attr-defined]
        ]
        return f"{{{','.join(pairs)}}}"
    raise TypeError(f"canonical JSON has no {kind.__name__}")


def _quoted(text: str) -> str:
    if type(text) is not str:
        raise TypeError(f"canonical JSON has no {type(text).__name__} as a key")
    if text.isascii() and '"' not in text and "\\" not in text:
        if text.isprintable():
            return f'"{text}"'
        # Sealed blocks have line ends; hardly any text needs another escape.
        line = text.replace("\n", "\\n")
        if line.isprintable():
            return f'"{line}"'
    # Late, because it is slow to import.
    from json.encoder import encode_basestring_ascii

    return encode_basestring_ascii(text)


# The keys of the rows in a log are the same ones.
_quoted_key = lru_cache(maxsize=256)(_quoted)


def permutation(key: bytes, n: int) -> list[int]:
    """Return a uniform order of 0..n-1, fixed by `key`: Fisher-Yates with words of SHAKE-256."""
    order = list(range(n))
    stream, at = b"", 0
    shake = hashlib.shake_256(key)
    for i in range(n - 1, 0, -1):
        size = i + 1
        fair = WORD - WORD % size
        while True:
            if at == len(stream):
                # A longer digest begins with the shorter one.
                stream = shake.digest(max(4 * n, 2 * at))
            word = int.from_bytes(stream[at : at + 4], "big")
            at += 4
            if word < fair:
                break
        j = word % size
        order[i], order[j] = order[j], order[i]
    return order
