"""What a menu says that a build would leave and bring is what comes of it."""

from __future__ import annotations

import re
from random import Random

from referee.games.interface import Held, letter
from tests.games.sanjuan.randomly import Turn, deal
from tests.games.sanjuan.rule_sets import NAMED

LEAVES = re.compile(r"for (\d+|nothing), leaves (\d+) cards?(.*)")


def test_what_a_build_leaves_and_brings() -> None:
    seen = set()
    for seed in range(40):
        rng = Random(seed)
        game = deal(2, rng, rules=NAMED["2014"])
        while not game.over:
            turn = Turn(game, rng)
            seat, kind = turn.decision.seat, turn.decision.kind
            view = turn.view()
            for choice in view.choices():
                told = view.outlook(choice)
                assert "\n" not in told
                match = LEAVES.match(told)
                if kind != "build" or not choice.exact or match is None:
                    continue
                after = game.copy()
                after.take(turn.decision.id, choice.play, turn.letters)
                draws = len(re.findall("draws 1", told))
                seen.add(draws)
                if not after.over and after.table()["deck"] > 3:
                    assert len(after.hand(seat)) == int(match[2]) + draws
            game.take(turn.decision.id, view.suggest(), turn.letters)
    assert seen == {0, 1, 2} or seen == {0, 1}


def test_roles_and_sales_say_what_they_bring() -> None:
    game = deal(2, Random(1), rules=NAMED["2014"])
    rules = game.rules
    first = game.decisions()[0]
    hand = [
        Held(letter(at), rules.card_name("deck", card))
        for at, card in enumerate(game.hand(first.seat))
    ]
    view = rules.view(game.state.seats, game.table(), first.seat, hand)
    told = {choice.play: view.outlook(choice) for choice in view.choices()}
    assert told["role builder"] == "build for 1 less"
    assert told["role councillor"] == "draw 5, keep 1"
    assert told["role trader"] == "sell 1 more; you have no good"
    assert told["role producer"] == "1 more good"
