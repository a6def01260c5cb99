"""A seat's turn: its open decision, the hand, and the signed answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.errors import Damaged, NoKey, not_dealt
from referee.playing import player
from referee.table.rules import rules_for
from referee.table.standing import game_over
from referee.table.views import view_of

if TYPE_CHECKING:
    from referee.games.errors import GameError
    from referee.playing.outgoing import Outgoing
    from referee.playing.reader import Reader
    from referee.table.gamefile import GameFile


class Turn:
    """An open decision of a seat whose key and hand are here.

    `view` knows what may be played; `waits` says that an answer has arrived already. Raises Stale
    or Damaged where nothing is asked of the seat, and NoKey where there is none.
    """

    __slots__ = ("decision", "file", "hand", "key", "rules", "view", "waits")

    def __init__(self, file: GameFile, reader: Reader) -> None:
        if reader.hand is None:
            raise _no_hand(file, reader)
        assert reader.key is not None
        self.file = file
        self.key = reader.key
        self.hand = reader.hand
        self.decision = player.decision_of(file, self.hand.seat)
        self.view = view_of(file, self.hand)
        self.rules = rules_for(file)
        self.waits = player.waits(file, self.decision)

    def sign(self, play: str, seal: bool | None, number: int = 1) -> Outgoing:
        """Sign a legal play; without `seal` it is sealed where answers are parallel."""
        # A reader who only looks need not wait for the import of what signs.
        from referee.playing.outgoing import Outgoing, name_of

        signed = player.sign_move(self.file, self.key, self.decision, play, number)
        sealed = player.is_parallel(self.file, self.decision) if seal is None else seal
        block = signed.sealed_to(self.file.referee) if sealed else ""
        about = {"decision": self.decision, "play": play, "number": number}
        return Outgoing(signed, name_of(self.decision, number), about, block)


def _no_hand(file: GameFile, reader: Reader) -> GameError:
    if file.status == "open":
        return not_dealt()
    if file.asked and reader.remark:
        hint = reader.wanted and f"{reader.wanted} shows a hand"
        return NoKey(f"{reader.remark}, so no hand can be seen", hint, reason="no-key-found")
    if file.asked:
        return Damaged("the file asks, but holds no hand", "ask the referee for the file again")
    return game_over(file)
