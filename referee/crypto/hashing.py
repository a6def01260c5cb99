"""Every hash, derivation and encoding of the protocol (PROTOCOL 1 to 3)."""

from __future__ import annotations

import binascii
from functools import lru_cache
from typing import Any

from referee.hashes import hmac_sha256, sha256, shake_256

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
    return sha256(_framed(tag, parts))


def derive(secret: bytes, tag: str, *parts: str | bytes | int) -> bytes:
    """32 bytes that only a holder of `secret` can compute, one value for each tag and parts."""
    return hmac_sha256(secret, H(tag, *parts))


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


def canonical(value: Any) -> str:
    """Return the one JSON text of a value of strings, integers, booleans, lists and tables.

    Raises TypeError for any other type, tables with other keys than strings included.
    """
    # The library takes longer to be imported than this to write a table, and knows more types.
    kind = type(value)
    if kind is str:
        return _quoted(value)
    if kind is int:
        return str(value)
    if kind is dict:
        parts = []
        for key in sorted(value):
            if type(key) is not str:
                raise TypeError(f"canonical JSON has no {type(key).__name__} as a key")
            item = value[key]
            text = _quoted(item) if type(item) is str else canonical(item)
            parts.append(f"{_quoted(key)}:{text}")
        return f"{{{','.join(parts)}}}"
    if kind is list:
        return f"[{','.join([canonical(item) for item in value])}]"
    if kind is bool:
        return "true" if value else "false"
    raise TypeError(f"canonical JSON has no {kind.__name__}")


# The same names and keys stand in a table again and again.
@lru_cache(maxsize=1024)
def _quoted(text: str) -> str:
    if text.isascii() and text.isprintable() and '"' not in text and "\\" not in text:
        return f'"{text}"'
    return f'"{"".join([_escaped(char) for char in text])}"'


def _escaped(char: str) -> str:
    if char in ESCAPES:
        return ESCAPES[char]
    if char.isascii() and char.isprintable():
        return char
    code = ord(char)
    # A pair of surrogates, beyond the sixteen bits of an escape.
    units = [code] if code < 1 << 16 else [0xD7C0 + (code >> 10), 0xDC00 + (code & 0x3FF)]
    return "".join([f"\\u{unit:04x}" for unit in units])


ESCAPES = {char: f"\\{name}" for char, name in zip('"\\\b\f\n\r\t', '"\\bfnrt', strict=True)}


def permutation(key: bytes, n: int) -> list[int]:
    """Return a uniform order of 0..n-1, fixed by `key`: Fisher-Yates with words of SHAKE-256."""
    order = list(range(n))
    stream, at = b"", 0
    for i in range(n - 1, 0, -1):
        size = i + 1
        fair = WORD - WORD % size
        while True:
            if at == len(stream):
                # A longer digest begins with the shorter one.
                stream = shake_256(key, max(4 * n, 2 * at))
            word = int.from_bytes(stream[at : at + 4], "big")
            at += 4
            if word < fair:
                break
        j = word % size
        order[i], order[j] = order[j], order[i]
    return order
