"""The player that answers for who is late is one that tables agree on by name and version.

Whoever changes an answer of `View.suggest` gives `Rules.bot` another version: a table that agreed
on the old one is then told so, and is not answered for otherwise than it agreed. The marks in
the packages of the tests are of all answers in whole games between these players.
"""

from __future__ import annotations

import hashlib
from importlib import import_module
from random import Random

import pytest

from referee.games import GAMES
from referee.games.interface import Rules
from referee.games.values import Held, letter
from tests.games.test_contract import RULE_SETS, Shuffler
from tests.table.tables import NAMES


def answers(rules: Rules, seats: int, rng: Random) -> list[str]:
    """Return the answers in a game, by letters in a random order."""
    game, _ = rules.start(NAMES[:seats], Shuffler(rng.random()))
    said = []
    while not game.over:
        one = game.decisions()[0]
        hand = game.hand(one.seat)
        letters = rng.sample([letter(place) for place in range(len(hand))], len(hand))
        names = [rules.card_name(rules.hand_piles[0], card) for card in hand]
        held = [Held(*pair) for pair in zip(letters, names, strict=True)]
        said.append(rules.view(NAMES[:seats], game.table(), one.seat, held).suggest())
        game.take(one.id, said[-1], letters)
    return said


@pytest.mark.parametrize("module", GAMES)
def test_other_answers_have_another_name(module: str) -> None:
    rng = Random(1)
    digest = hashlib.sha256()
    bots = set()
    for rules in RULE_SETS.values():
        if rules.module == module:
            bots.add(rules.bot)
            for seats in (2, 4):
                digest.update("\n".join(answers(rules, seats, rng)).encode())
    assert len(bots) == 1
    bot = bots.pop()
    assert import_module(f"tests.games.{module}").BOTS.get(bot) == digest.hexdigest()[:16]
