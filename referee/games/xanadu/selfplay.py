"""Material from which networks for Xanadu are made: rule sets, starts, features, results."""

from __future__ import annotations

from random import Random

from referee.games.interface import Game
from referee.games.network import Network
from referee.games.xanadu import features
from referee.games.xanadu.chance import random_play
from referee.games.xanadu.flow import Action
from referee.games.xanadu.game import Xanadu
from referee.games.xanadu.outcome import hope
from referee.games.xanadu.rules import XanaduRules
from referee.games.xanadu.search import XanaduSearch, result_of, weights_file
from referee.games.xanadu.state import State

FEATURES = features.COUNT
SEATS = XanaduRules.seats
hope_of = hope
file_of = weights_file
__all__ = ["result_of"]

Rows = list[list[float]]


def rules(random: Random, seats: int) -> XanaduRules:
    """Return a rule set: most of the time the usual one, else any of them."""
    variants = ["advanced"] if seats < 5 and random.random() < 0.15 else []
    options = {"passes": "3"} if seats < 5 and random.random() < 0.15 else {}
    return XanaduRules.choose(None, [], variants, options)


def search(of: XanaduRules, net: Network | None) -> XanaduSearch:
    """Return a search of a rule set that values tables with a network."""
    return XanaduSearch(of.cards, net)


def world(game: Game) -> State:
    """Return a game in progress as a world, in which nothing is guessed."""
    assert isinstance(game, Xanadu)
    return game.state


def features_of(st: State, seat: int) -> list[int]:
    """Return the features of a table at which a turn begins.

    At times a seat that has had its turn has not seen the cards yet that it drew.
    """
    drawn = 0
    if st.seats and (st.active - 1) % len(st.seats) == seat:
        drawn = (0, 1, 0, 3)[sum(st.hand[seat]) % 4]
    return features.of(st, seat, min(drawn, len(st.hand[seat])))


def completed(rows: Rows) -> Rows:
    """Return the weights as they are; a card that was not seen has weights of its own."""
    return rows


def random_answer(st: State, random: Random) -> Action:
    """Return any legal answer to what is asked first."""
    return random_play(st, random)
