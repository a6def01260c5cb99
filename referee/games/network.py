"""A small neural network in whole numbers, which gives the same result on every machine.

Its inputs are a list of numbers of features, each once or several times; one layer of hidden units
follows, none of them below zero, and one output. As most features are absent, a value is a sum of a
few rows of weights. All units of a row are packed into one large number, so that Python adds them
at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import mul
from struct import Struct, unpack_from

MAGIC = b"NET1"
_HEAD = Struct("<4sHH")
_LANE = 32
_MIDDLE = 1 << (_LANE - 1)
_TOP = 1 << 29
"""No sum of weights leaves the range from -_TOP to _TOP."""


class Network:
    """A network: `rows` are packed weights by feature, `start` the packed biases."""

    __slots__ = ("_bytes", "_ones", "_unpack", "bias", "out", "rows", "start")

    def __init__(
        self, weights: Sequence[Sequence[int]], biases: Sequence[int], out: Sequence[int], bias: int
    ) -> None:
        lanes = Struct(f"<{len(biases)}I")
        self._bytes = lanes.size
        self._unpack = lanes.unpack
        self._ones = int.from_bytes(lanes.pack(*[1] * len(biases)), "little")
        middle = int.from_bytes(lanes.pack(*[_MIDDLE] * len(biases)), "little")

        def pack(row: Sequence[int]) -> int:
            return int.from_bytes(lanes.pack(*[weight + _MIDDLE for weight in row]), "little")

        self.start = pack(biases)
        self.rows = [pack(row) - middle for row in weights]
        self.out = tuple(out)
        self.bias = bias

    @classmethod
    def load(cls, data: bytes) -> Network:
        """Read a network that `dump` wrote. Raises ValueError for anything else."""
        magic, inputs, hidden = _HEAD.unpack_from(data.ljust(_HEAD.size, b"\0"))
        size = _HEAD.size + 2 * inputs * hidden + 4 * hidden + 4 * hidden + 8
        if magic != MAGIC or len(data) != size:
            raise ValueError("these are no weights of a network")
        at = _HEAD.size
        weights = []
        for _ in range(inputs):
            weights.append(unpack_from(f"<{hidden}h", data, at))
            at += 2 * hidden
        biases = unpack_from(f"<{hidden}i", data, at)
        out = unpack_from(f"<{hidden}i", data, at + 4 * hidden)
        (bias,) = unpack_from("<q", data, at + 8 * hidden)
        return cls(weights, biases, out, bias)

    def sum(self, features: Iterable[int]) -> int:
        """Return the packed sums of the hidden units for these features."""
        return sum(map(self.rows.__getitem__, features), self.start)

    def output(self, packed: int) -> int:
        """Return the output for packed sums."""
        # The highest bit of a unit says that it is not below zero; all bits of others are cleared.
        packed &= ((packed >> _LANE - 1) & self._ones) * (_MIDDLE - 1)
        units = self._unpack(packed.to_bytes(self._bytes, "little"))
        total: int = sum(map(mul, self.out, units), self.bias)
        return total

    def value(self, features: Iterable[int]) -> int:
        """Return the output for these features."""
        return self.output(self.sum(features))


def dump(
    weights: Sequence[Sequence[int]], biases: Sequence[int], out: Sequence[int], bias: int
) -> bytes:
    """Write a network as bytes; the weights of features have 16 bits."""
    hidden = len(biases)
    pieces = [_HEAD.pack(MAGIC, len(weights), hidden)]
    row_of = Struct(f"<{hidden}h")
    pieces += [row_of.pack(*row) for row in weights]
    pieces.append(Struct(f"<{hidden}i").pack(*biases))
    pieces.append(Struct(f"<{hidden}i").pack(*out))
    pieces.append(Struct("<q").pack(bias))
    return b"".join(pieces)
