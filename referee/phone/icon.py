"""The app's icon as a picture of few colours: two cards on a table."""

from __future__ import annotations

import struct
import zlib

SIZES = (180, 192, 512)
TABLE, CARD, OTHER, EDGE = range(4)
COLOURS = bytes((0x1F, 0x5C, 0x4D, 0xFB, 0xF7, 0xEE, 0xC9, 0x7B, 0x3A, 0x2B, 0x22, 0x18))
GRID = 16
LONGEST = 0xFFFF
"""Bytes of a block that is not compressed."""
BACK, FRONT = (4, 3, 10, 11), (6, 5, 12, 13)
"""Left, top, right and bottom of the cards, in sixteenths."""


def png(size: int) -> bytes:
    """Return the icon as a PNG; nothing is compressed, so that it is the same on every machine."""
    rows = []
    for y in range(size):
        row = bytearray()
        for x in range(0, size, 4):
            four = [_colour((x + at) * GRID / size, y * GRID / size) for at in range(4)]
            row.append(four[0] << 6 | four[1] << 4 | four[2] << 2 | four[3])
        rows.append(b"\0" + bytes(row))
    head = struct.pack(">IIBBBBB", size, size, 2, 3, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        [
            _chunk(b"IHDR", head),
            _chunk(b"PLTE", COLOURS),
            _chunk(b"IDAT", _stored(b"".join(rows))),
            _chunk(b"IEND", b""),
        ]
    )


def _colour(x: float, y: float) -> int:
    for colour, (left, top, right, bottom) in ((CARD, FRONT), (OTHER, BACK)):
        if left <= x < right and top <= y < bottom:
            near = min(x - left, right - x, y - top, bottom - y)
            return EDGE if near < 0.25 else colour
    return TABLE


def _stored(data: bytes) -> bytes:
    """Return data as zlib does that compresses nothing (RFC 1950 and 1951).

    Each version of zlib parts them in its own way.
    """
    found = [b"\x78\x01"]
    for at in range(0, len(data), LONGEST):
        part = data[at : at + LONGEST]
        found += [
            struct.pack("<BHH", at + LONGEST >= len(data), len(part), len(part) ^ LONGEST),
            part,
        ]
    return b"".join([*found, struct.pack(">I", zlib.adler32(data))])


def _chunk(kind: bytes, data: bytes) -> bytes:
    check = zlib.crc32(kind + data)
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", check)
