"""A build leaves and brings what a menu says it would."""

from __future__ import annotations

import re
from random import Random
from typing import Any

from referee.games.match import Match
from referee.games.values import Held, letter
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
                if not after.over:
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
    assert told["role producer"] == "1 more good; you have room for 1 only"


def _told(position: dict[str, Any], *plays: str) -> dict[str, str]:
    """Return what ana's menu says once these have been played on a position."""
    match = Match.from_position(position)
    for play in plays:
        match.play_row(play)
    view = match.view("ana")
    return {choice.play: view.outlook(choice) for choice in view.choices()}


def _seats(hand: list[str], city: list[Any], **seat: Any) -> list[dict[str, Any]]:
    return [{"name": "ana", "hand": hand, "city": city, **seat}, {"name": "ben"}]


def test_a_role_says_what_of_it_is_of_no_use() -> None:
    """P1, S1, L1: what everybody may do is no privilege, and room and goods have an end."""
    told = _told({"seats": _seats([], ["indigo-plant", "library"])})
    assert told["role producer"] == "2 more goods, with the library; you have room for 1 only"
    assert told["role producer no-library"] == "1 more good; you have room for 1 only"
    assert told["role trader"] == "sell 2 more, with the library; you have no good"
    good = {"card": "sugar-mill", "good": "statue"}
    told = _told({"seats": _seats([], ["library", good])})
    assert told["role trader"] == "sell 2 more, with the library; you have only 1 good"
    assert told["role producer"] == "2 more goods, with the library; you have no room for one"
    goods = [good, {"card": "coffee-roaster", "good": "hero"}]
    plants = ["indigo-plant", "silver-smelter"]
    told = _told({"seats": _seats([], [*goods, *plants])})
    assert told["role trader"] == "sell 1 more"
    assert told["role producer"] == "1 more good"
    told = _told({"seats": _seats([], [*goods, *plants, "trading-post", "aqueduct"])})
    assert told["role trader"] == "sell 1 more; you have only 2 goods"
    assert told["role producer"] == "1 more good; you have room for 2 only"


def test_nothing_is_promised_that_the_piles_do_not_have() -> None:
    """G1: the counts of draw pile and discards are public."""
    few = {"deck": ["well"], "discards": ["tower"]}
    city = ["indigo-plant", "sugar-mill", "coffee-roaster", "library", "prefecture"]
    told = _told({**few, "seats": _seats([], city)})
    assert told["role councillor"] == "draw 2, keep 2, with the library"
    assert told["role prospector no-library"] == "draw 1"
    assert told["role producer"] == "2 more goods, with the library; the piles have 2 cards only"
    told = _told({"deck": ["well"], "seats": _seats([], city)})
    assert told["role councillor"] == "draw 1, keep 1, with the library"
    assert told["role prospector"] == "draw 1, with the library"
    told = _told({"deck": [], "seats": _seats([], ["indigo-plant"])})
    assert told["role councillor"] == "draw nothing"
    assert told["role prospector"] == "draw nothing"
    more = {"expansions": ["new-buildings"], "deck": ["well"]}
    told = _told({**more, "seats": _seats([], ["indigo-plant", "customs-office"])})
    assert told["role councillor"] == "draw nothing"


def test_a_build_draws_what_is_there_or_was_paid() -> None:
    """B6, G1: what was paid can be drawn, and nothing else is in empty piles."""
    helped = ["indigo-plant", "carpenter", "poor-house", "library", "crane"]
    nothing: dict[str, Any] = {"deck": [], "used": ["producer", "councillor"]}
    told = _told({**nothing, "seats": _seats(["well"], helped)}, "ana: role builder")
    assert told["build well"] == "for nothing, leaves 0 cards"
    position = {**nothing, "seats": _seats(["tower", "well"], helped)}
    told = _told(position, "ana: role builder")
    assert told["build tower pay b"].startswith("for 1, leaves 0 cards; carpenter draws 1; pay")


def test_a_sale_brings_what_is_there_or_was_sold() -> None:
    """S1, S2: the goods sold are in the discards when the cards are drawn, but for a harbor's."""
    goods = [
        {"card": "silver-smelter", "good": "hero"},
        {"card": "sugar-mill", "good": "tower"},
    ]
    position: dict[str, Any] = {"deck": [], "seats": _seats([], [*goods, "market-hall"])}
    told = _told(position, "ana: role trader")
    assert told["sell 1 2"].endswith("draw 2, then hold 2")
    assert told["sell 2"].endswith("draw 1, then hold 1")
    position["expansions"] = ["new-buildings"]
    position["seats"] = _seats([], [*goods, "harbor"])
    told = _told(position, "ana: role trader")
    assert told["sell 1 2"].endswith("draw 1, then hold 1")
    assert told["sell 2"].endswith("draw nothing, then hold 0")


def test_who_tidies_is_told_how_many_cards_go() -> None:
    hand = "well hero tower archive statue quarry crane palace library smithy chapel aqueduct"
    told = _told(
        {"round": 2, "phase": "round-start", "seats": _seats(hand.split(), ["indigo-plant"])}
    )
    assert told == {"discard LETTER…": "any 5 of your cards; down to 7 cards"}


def test_of_many_ways_to_discard_it_is_said_how_many_cards_go() -> None:
    hand = ["well", "hero", "tower", "archive", "statue", "quarry"]
    position = {"phase": "councillor", "deck": ["crane", "palace", "library"]}
    few = _told(position | {"seats": _seats(hand[:2], ["archive"])})
    assert len(few) == 10
    assert few["discard a b"].startswith("discard well, hero")
    told = _told(position | {"seats": _seats(hand, ["archive"])})
    assert told == {"discard LETTER LETTER": "any 2 of your cards"}
