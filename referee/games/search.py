"""The way in which programs look ahead: worlds that a view leaves possible, and their values.

A player that searches knows no game. It draws worlds, lets each of a few good plays happen in them,
goes on with likely answers of all seats, and asks what has come of it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from hashlib import shake_256
from struct import unpack_from
from typing import Any, ClassVar, Generic, TypeVar

from referee.records import NamedTuple

V = TypeVar("V")
W = TypeVar("W")

WHOLE = 1 << 20
"""The value of a win that is not shared."""
OVER = -1
"""Instead of a seat: nobody is asked any more."""
_BLOCK = 4096


class Draws:
    """Random numbers that follow from a seed alone, by SHAKE-256; see schemas/SEARCH.md."""

    __slots__ = ("_block", "_next", "_number", "_seed")

    def __init__(self, seed: bytes) -> None:
        self._seed = seed
        self._number = 0
        self._block = b""
        self._next = 0

    def words(self, count: int) -> tuple[int, ...]:
        """Return the next numbers of 64 bits."""
        size = 8 * count
        while self._next + size > len(self._block):
            more = shake_256(self._seed + self._number.to_bytes(8, "big")).digest(_BLOCK)
            self._block = self._block[self._next :] + more
            self._next = 0
            self._number += 1
        at = self._next
        self._next = at + size
        return unpack_from(f">{count}Q", self._block, at)

    def bytes(self) -> bytes:
        """Return the next 8 bytes, the seed of another stream."""
        return self.words(1)[0].to_bytes(8, "big")

    def below(self, limit: int) -> int:
        """Return a number from 0 to limit - 1."""
        return self.words(1)[0] % limit

    def order(self, count: int) -> list[int]:
        """Return the numbers from 0 to count - 1 in a random order."""
        keys = self.words(count)
        return sorted(range(count), key=keys.__getitem__)


class Course(NamedTuple):
    """The length of a line of play: so many turns have begun in it at its end.

    On the way the seat itself answers with the care `own`, others with the care `others`; see
    Search.guess. Once so much `work` is done, an answer is found in no further worlds; 0 is no
    limit.
    """

    turns: int
    own: int
    others: int
    work: int = 0


class Search(ABC, Generic[V, W]):
    """The part of a game that lets programs look ahead in one rule set.

    A world is a game in progress with a card in every place. Seats are numbers in it, and an answer
    is whatever the game takes for one. All values are whole numbers of 1/WHOLE of a win. Lines of
    play take the `short` course or, for a strong player, the `long` one.
    """

    short: ClassVar[Course]
    long: ClassVar[Course]
    work = 0
    """The work done so far, in units of the game's own."""

    @abstractmethod
    def seat(self, view: V) -> int:
        """Return the number of the seat that the view belongs to."""

    @abstractmethod
    def world(self, view: V, draws: Draws) -> W:
        """Return a world that the view leaves possible, all of them about equally likely.

        What the view does not tell comes from `draws` and from nothing else.
        """

    @abstractmethod
    def play(self, view: V, answer: Any) -> str:
        """Return the canonical play of an answer."""

    @abstractmethod
    def copy(self, world: W) -> W:
        """Return an independent world."""

    @abstractmethod
    def asked(self, world: W) -> int:
        """Return the seat that is asked first; OVER when the game has ended."""

    @abstractmethod
    def apply(self, world: W, answer: Any) -> None:
        """Let the seat that is asked first give a legal answer."""

    @abstractmethod
    def candidates(self, world: W, seat: int, most: int) -> Sequence[Any]:
        """Return the answers of a seat that seem good at first sight, the best first.

        They are legal, at least one, no more than `most` and all different, and follow from what
        the seat may know in that world.
        """

    @abstractmethod
    def guess(self, world: W, seat: int, care: int) -> Any:
        """Return a likely answer of a seat; more `care`, from 0 to 2, takes more time."""

    @abstractmethod
    def settled(self, world: W) -> bool:
        """Return True where a world can be valued well, as between two turns."""

    @abstractmethod
    def value(self, world: W, seat: int) -> int:
        """Return the share of a win that a seat can hope for in a world that is settled or over."""
