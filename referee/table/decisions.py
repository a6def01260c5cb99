"""Ids of decisions, as files and notes write them (PROTOCOL 7)."""

from __future__ import annotations

from functools import lru_cache

from referee.records import NamedTuple

NO_DECISION = "-"
"""Stands in a hand for the id of a question that its seat was not asked."""


class DecisionId(NamedTuple):
    """`ROUND.TURN.KIND.SEAT`: which question it is, and whom it asks."""

    round: int
    turn: int
    kind: str
    seat: str

    @classmethod
    # Every reader of a log takes the same ones apart.
    @lru_cache(maxsize=1024)
    def parse(cls, text: str) -> DecisionId:
        """Return the id that a text writes. Raises ValueError for any other text."""
        count, turn, kind, seat = text.split(".")
        found = cls(int(count), int(turn), kind, seat)
        if str(found) != text or not kind or not seat:
            raise ValueError(f"{text[:80]!a} is not the id of a decision")
        return found

    def __str__(self) -> str:
        return f"{self.round}.{self.turn}.{self.kind}.{self.seat}"
