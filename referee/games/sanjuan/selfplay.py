"""Material from which networks for San Juan are made: rule sets, starts, features, results."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from referee.games.interface import Game
from referee.games.network import Network
from referee.games.sanjuan import features
from referee.games.sanjuan.cards import NAMES
from referee.games.sanjuan.chance import random_play
from referee.games.sanjuan.flow import Action
from referee.games.sanjuan.game import SanJuan
from referee.games.sanjuan.rules import EXPANSIONS, SanJuanRules
from referee.games.sanjuan.search import SanJuanSearch, hope, result, weights_file
from referee.games.sanjuan.state import State

FEATURES = features.COUNT
SEATS = SanJuanRules.seats
SHORTEST, LONGEST = 17, 28
"""Bounds of the round limit, which gives the worth of a lead to whoever uses it in time."""
hope_of = hope
file_of = weights_file
result_of = result
features_of = features.of

Rows = Sequence[Sequence[float]]


def rules(random: Random, seats: int) -> SanJuanRules:
    """Return a rule set for any number of seats: a third of the time the usual one, else any."""
    edition = "2014"
    expansions: list[str] = []
    variants: list[str] = []
    if random.random() >= 1 / 3:
        edition = random.choice(("2014", "2004"))
        expansions = [name for name in EXPANSIONS if random.random() < 0.5]
        variants = ["draft-start"] if random.random() < 0.3 else []
    limit = {"round_limit": str(random.randint(SHORTEST, LONGEST))}
    return SanJuanRules.choose(edition, expansions, variants, limit)


def search(of: SanJuanRules, net: Network | None) -> SanJuanSearch:
    """Return a search of a rule set that values tables with a network."""
    return SanJuanSearch(of.cards, of.limit, net)


def world(game: Game) -> State:
    """Return a game in progress as a world, in which nothing is guessed."""
    assert isinstance(game, SanJuan)
    return game.state


def completed(rows: list[list[float]]) -> list[list[float]]:
    """Let a card that was not seen count as an average one."""
    copies = SanJuanRules.whole().cards.copies[: len(NAMES)]
    hand = features.HAND
    rows[features.UNKNOWN] = [
        sum(row[unit] * count for row, count in zip(rows[hand:], copies, strict=False))
        / sum(copies)
        for unit in range(len(rows[0]))
    ]
    return rows


def random_answer(st: State, random: Random) -> Action:
    """Return any legal answer to what is asked first."""
    return random_play(st, random)
