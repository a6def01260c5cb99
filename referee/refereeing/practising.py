"""A table for one person and bots: who sits there, and how it is opened."""

from __future__ import annotations

import hashlib
import json
import os
from typing import TYPE_CHECKING

from referee.bots import player
from referee.crypto.keys import PrivateKey
from referee.records import NamedTuple
from referee.table.opening import open_table
from referee.table.times import current_time

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from referee.games.interface import Rules
    from referee.table.gamefile import GameFile

BOTS = ("ben", "carla", "dario", "eva", "felix", "greta")
SOMEBODY = "ana"
"""A name for whoever has none."""
TITLE = "Practice"
USUAL = 3


class Opened(NamedTuple):
    """A table at which nobody has joined yet, with the keys of its referee and its player."""

    file: GameFile
    referee: PrivateKey
    mine: PrivateKey


class Secrets:
    """The bytes that a game begins with: random, or by a seed the same ones each time."""

    def __init__(self, seed: int | None = None) -> None:
        self.seed = seed

    def of(self, what: str) -> bytes:
        """Return 32 bytes for a purpose."""
        if self.seed is None:
            return os.urandom(32)
        return hashlib.sha256(f"sanjuan-ref practice {self.seed} {what}".encode()).digest()

    def game(self, rules: Rules, me: str, against: Mapping[str, str]) -> str:
        """Return the number of the game, which another game with this seed does not have."""
        terms = [rules.module, rules.version, rules.terms(), me, dict(against)]
        return self.of(f"game {json.dumps(terms)}")[:8].hex()


def usual_seats(rules: Rules) -> int:
    """Return how many play where nobody has said it."""
    fitting = [count for count in rules.seats if not rules.fits(count)]
    return USUAL if USUAL in fitting else fitting[0]


def bots(levels: Sequence[str], count: int, me: str, rules: Rules) -> dict[str, str]:
    """Return `count` bots by the names of their seats, of these levels in turn.

    Raises NotUnderstood for a level that is none.
    """
    names = [name for name in BOTS if name != me][:count]
    return {name: player(levels[at % len(levels)], rules).name for at, name in enumerate(names)}


def opened(
    rules: Rules, me: str, against: Mapping[str, str], secrets: Secrets, title: str = TITLE
) -> Opened:
    """Open a table for a player and bots. Raises NotUnderstood and Illegal."""
    referee, mine = PrivateKey(secrets.of("referee")), PrivateKey(secrets.of("player"))
    file = open_table(
        rules,
        title,
        [(me, mine.public), *((name, None) for name in against)],
        referee,
        shuffle_seats=True,
        now=current_time(),
        bots=against,
        game=secrets.game(rules, me, against),
        secret=secrets.of("deal"),
    )
    return Opened(file, referee, mine)
