"""A turn draws what a menu says it would."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from referee.games.match import Match
from tests.games.randomly import Asked
from tests.games.xanadu.test_engine_core import deal

SHOP = {"card": "tailors-shop", "workers": 2}


def _position(**more: Any) -> dict[str, Any]:
    ana = {"name": "ana", "hand": ["map-room"], "city": [SHOP, "lime-pit"]}
    others = [{"name": "ben", "city": ["cart-shed"]}, {"name": "cleo", "city": ["wheelwright"]}]
    return {"game": "xanadu", "seats": [ana, *others], **more}


def _told(position: dict[str, Any]) -> dict[str, str]:
    view = Match.from_position(position).view("ana")
    return {choice.play: view.outlook(choice) for choice in view.choices()}


@pytest.mark.parametrize("deck", [[], ["jade-gate"], ["jade-gate", "fan-maker"]])
def test_what_is_sold_can_be_drawn(deck: list[str]) -> None:
    """1.6, 1.7: sold buildings are in the discards with their workers before the draw."""
    position = _position(deck=deck, passes=3)
    told = _told(position)
    assert told["sell 1"] == "sell tailors-shop for 1; draw 3"
    assert told["sell 2"].endswith(f"draw {len(deck) + 1}")
    for play in ("sell 1", "sell 2", "sell 1 2"):
        match = Match.from_position(position)
        match.play_row(f"ana: {play}")
        drawn = len(match.held("ana")) - 1
        assert told[play].endswith(f"; draw {drawn}")


def test_an_end_card_that_must_come_is_told() -> None:
    """1.7: the counts are public, and so is that the End card lies among the cards."""
    last = _position(deck=[], end=["jade-gate", "end-of-game", "fan-maker"])
    assert _told(last)["sell 2"].endswith("; draw 2; the End card comes")
    assert _told(last)["sell 2 work a ben 1"].endswith("; draw 2; the End card comes")
    assert _told(last)["work a ben 1"].endswith("; draw 1")
    assert _told(_position(deck=[]))["sell 2"].endswith("; draw 1; the End card comes")
    assert _told(_position(deck=[]))["sell 1"].endswith("; draw 3")
    assert _told(_position(deck=[]))["work a ben 1"].endswith("; draw nothing")
    only = _position(deck=[], end=["end-of-game"])
    assert _told(only)["pass"] == "draw nothing; the End card comes"


@pytest.mark.parametrize("kind", [(2, False), (3, False), (5, False), (2, True)])
def test_every_turn_draws_what_its_note_says(kind: tuple[int, bool]) -> None:
    for seed in range(2):
        rng, game = Random(seed), deal(kind, seed)
        while not game.over:
            asked = Asked(game, rng)
            view = asked.view()
            for choice in view.choices()[:8] if asked.kind in ("turn", "after") else ():
                if not choice.exact or "begin anew" in choice.note:
                    continue
                after = game.copy()
                held = len(after.hand(asked.seat))
                events = after.take(asked.decision.id, choice.play, asked.letters)
                words = choice.play.split()
                spent = words.count("work") + words.count("build")
                drawn = len(after.hand(asked.seat)) - held + spent
                told = choice.note.split("; ")
                if after.over or "reset" in [getattr(one, "words", "") for one in events]:
                    continue
                assert "the End card comes" not in told
                assert told[-1] == (f"draw {drawn}" if drawn else "draw nothing")
            game.take(asked.decision.id, view.suggest(), asked.letters)
