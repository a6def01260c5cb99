"""The answers of bots' seats: each follows from the seat's view and a seed (PROTOCOL 19)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.bots import named
from referee.crypto.hashing import derive
from referee.errors import OtherRules
from referee.games.errors import NotUnderstood
from referee.records import NamedTuple
from referee.table.chain import first_head
from referee.table.joins import joins_of

if TYPE_CHECKING:
    from referee.bots import Player
    from referee.games.interface import Rules, View
    from referee.table.gamefile import GameFile


class BotAnswer(NamedTuple):
    """An answer in the log that a bot must have given, and all from which it follows."""

    step: int
    decision: str
    bot: str
    view: View
    seed: bytes
    play: str

    def holds(self, rules: Rules) -> bool:
        """Return True if it is what the bot answers. Raises OtherRules where it is not here."""
        return bot_named(self.bot, rules).answer(self.view, self.seed) == self.play


def bot_named(name: str, rules: Rules) -> Player:
    """Return the bot of this name and version. Raises OtherRules where this program has none."""
    try:
        return named(name, rules)
    except NotUnderstood:
        raise OtherRules(
            f"this table has agreed on the bot {name}, which this sanjuan-ref does not have",
            "go on with the sanjuan-ref that opened the table, or a newer one",
        ) from None


def bot_seed(file: GameFile, secret: bytes, decision: str) -> bytes:
    """Return the seed of a bot's answer.

    It is bound by the deal secret and the joins of all who hold a key, as the cards are: the
    referee can choose nothing once they have joined, and nobody else can foretell it.
    """
    return derive(secret, "bot", first_head(file), *joins_of(file).values(), decision)
