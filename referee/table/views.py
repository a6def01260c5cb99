"""A seat's own view of a game file: its hand opened and proven, and the table around it."""

from __future__ import annotations

from contextlib import suppress

from referee.crypto.keys import PrivateKey
from referee.crypto.sealing import AgeIdentity, unseal
from referee.errors import Damaged, OtherRules
from referee.games.errors import NotUnderstood
from referee.games.interface import View
from referee.table.gamefile import GameFile, Seat
from referee.table.hands import Hand, read_hand
from referee.table.rebuild import check_hand
from referee.table.rules import rules_for


def open_hand(file: GameFile, seat: Seat, key: PrivateKey | AgeIdentity) -> Hand:
    """Return the seat's own hand, proven against commitment, leaves and log.

    Raises NoKey when the block is not sealed to `key`, Damaged when anything does not fit.
    """
    hand = read_hand(file, seat.name, unseal(file.hands[seat.name].sealed, key))
    check_hand(file, hand)
    if file.plans:
        # Most tables have no plans, and whoever starts the program waits for each import.
        from referee.table.plancheck import check_planned
        from referee.table.planreplay import texts_of

        with suppress(OtherRules):
            check_planned(file, hand, texts_of(file, key))
    return hand


def view_of(file: GameFile, hand: Hand) -> View:
    """Return what the seat may know, as its rules module sees it.

    Raises Damaged when the table is not one of that game.
    """
    try:
        return rules_for(file).view(file.seating, file.table, hand.seat, hand.held)
    except NotUnderstood as error:
        raise Damaged(error.message, error.hint) from None
