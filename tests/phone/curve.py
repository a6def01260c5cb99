"""Signatures of Ed25519 at the edge, crafted on a curve of few lines: known secrets and torsion."""

from __future__ import annotations

import hashlib
import random
from typing import NamedTuple

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
Point = tuple[int, int]
BASE_Y = 4 * pow(5, -1, P) % P


def _x_of(y: int, sign: int) -> int:
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * pow(2, (P - 1) // 4, P) % P
    assert (x * x - square) % P == 0
    return P - x if x % 2 != sign else x


def added(one: Point, two: Point) -> Point:
    (x1, y1), (x2, y2) = one, two
    both = D * x1 * x2 * y1 * y2 % P
    x = (x1 * y2 + x2 * y1) * pow(1 + both, -1, P)
    y = (y1 * y2 + x1 * x2) * pow(1 - both, -1, P)
    return x % P, y % P


def times(factor: int, point: Point) -> Point:
    found: Point = (0, 1)
    while factor:
        if factor & 1:
            found = added(found, point)
        point = added(point, point)
        factor >>= 1
    return found


def encoded(point: Point) -> bytes:
    x, y = point
    return (y | (x & 1) << 255).to_bytes(32, "little")


BASE: Point = (_x_of(BASE_Y, 0), BASE_Y)


def _of_order_8() -> Point:
    """A point that eight times itself, and no fewer, make the neutral element."""
    for y in range(2, 50):
        try:
            point = times(L, (_x_of(y, 0), y))
        except AssertionError:
            continue
        if times(4, point) != (0, 1):
            return point
    raise AssertionError


class Crafted(NamedTuple):
    """A key, a message and a signature that may or may not be right."""

    public: bytes
    message: bytes
    signature: bytes


def crafted(count: int, seed: str) -> list[Crafted]:
    """Signatures by known secrets, with points of small order in R, in the key, or in both."""
    chance = random.Random(seed)
    eighth = _of_order_8()
    torsion = [times(number, eighth) for number in range(8)]
    # Multiplying is slow here, so that a few have to do.
    pairs = [(one, times(one, BASE)) for one in (chance.randrange(1, L) for _ in range(8))]
    found = []
    for number in range(count):
        (secret, mine), (nonce, other) = pairs[number % 4], pairs[4 + number // 4 % 4]
        # The first are honest ones.
        in_r, in_key = (0, 0) if number < 4 else (chance.randrange(8), chance.randrange(8))
        public = encoded(added(mine, torsion[in_key]))
        r = encoded(added(other, torsion[in_r]))
        message = f"message {number}".encode()
        k = int.from_bytes(hashlib.sha512(r + public + message).digest(), "little")
        s = (nonce + k * secret) % L + (L if number % 16 == 15 else 0)
        found.append(Crafted(public, message, r + s.to_bytes(32, "little")))
    return found
