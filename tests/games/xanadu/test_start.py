"""The start of a game of Xanadu: options, the deal, and for how many it is (sections 1.5, 1.8)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from referee.games.errors import NotUnderstood
from referee.games.values import Drawn, Said, Shuffled
from referee.games.xanadu import position
from referee.games.xanadu.rules import RULES
from tests.games.xanadu.randomly import KINDS, SEATS


class Recorder:
    """A shuffle that turns the cards round and remembers what it was asked for."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, int, list[int]]] = []

    def __call__(self, pile: str, epoch: int, cards: Sequence[int]) -> Sequence[int]:
        self.asked.append((pile, epoch, list(cards)))
        return list(cards)[::-1]


@pytest.mark.parametrize(("count", "advanced"), KINDS)
def test_the_deal(count: int, advanced: bool) -> None:
    """All 70 cards are shuffled, whole hands dealt clockwise; all choose at the same time."""
    recorder = Recorder()
    rules = RULES.choose(None, [], ["advanced"] if advanced else [], {})
    game, events = rules.start(SEATS[:count], recorder)
    size = 8 if advanced or count == 2 else 7
    assert recorder.asked == [("deck", 0, list(range(70)))]
    order = list(range(70))[::-1]
    for index, seat in enumerate(SEATS[:count]):
        assert game.hand(seat) == order[size * index : size * index + size]
        assert game.tucked(seat) == []
    assert events == [
        Shuffled("deck", 0, 70),
        *(Drawn(seat, "deck", 0, size * index, size) for index, seat in enumerate(SEATS[:count])),
        Said("round 1"),
    ]
    assert [one.id for one in game.decisions()] == [f"1.1.opening.{s}" for s in SEATS[:count]]
    assert {one.may for one in game.decisions()} == {
        ("open LETTER LETTER",) if size == 8 else ("open LETTER",)
    }
    assert game.table()["passes"] == (3 if count > 4 else 2)
    assert game.table()["deck"] == 70 - size * count
    assert {row["coins"] for row in game.table()["seats"]} == {0}
    assert not game.over


@pytest.mark.parametrize("count", [0, 1, 7])
def test_two_to_six_can_play(count: int) -> None:
    seats = [f"s{number}" for number in range(count)]
    rules = RULES.choose(None, [], [], {})
    assert rules.fits(count)
    with pytest.raises(NotUnderstood, match="2 to 6 players"):
        rules.start(seats, Recorder())


@pytest.mark.parametrize(
    ("variants", "options", "count", "reason"),
    [
        (["advanced"], {}, 5, "the advanced rules are for 2 to 4 players"),
        ([], {"passes": "2"}, 6, "five or six players play three passes"),
        (["advanced"], {"passes": "3"}, 4, ""),
        ([], {"passes": "2"}, 4, ""),
        ([], {"passes": "3"}, 2, ""),
        ([], {"passes": "3"}, 6, ""),
    ],
)
def test_for_whom_the_variants_are(
    variants: list[str], options: dict[str, str], count: int, reason: str
) -> None:
    rules = RULES.choose(None, [], variants, options)
    if reason:
        assert reason in rules.fits(count)
        with pytest.raises(NotUnderstood, match=reason):
            rules.start(SEATS[:count], Recorder())
    else:
        assert rules.fits(count) == ""
        game, _ = rules.start(SEATS[:count], Recorder())
        assert game.table()["passes"] == int(options["passes"])


@pytest.mark.parametrize(
    "chosen",
    [
        ("official", [], [], {}),
        (None, ["moon"], [], {}),
        (None, [], ["blind"], {}),
        (None, [], [], {"speed": "1"}),
        (None, [], [], {"passes": "1"}),
        (None, [], [], {"passes": "4"}),
        (None, [], [], {"passes": "\u0662"}),
        (None, [], [], {"stall_guard": "yes"}),
    ],
)
def test_unknown_choices_are_not_understood(chosen: tuple[Any, ...]) -> None:
    with pytest.raises(NotUnderstood):
        RULES.choose(*chosen)


def test_options_reach_the_game() -> None:
    rules = RULES.choose("substitute", [], [], {"passes": "3", "stall_guard": "off"})
    game, _ = rules.start(SEATS[:3], Recorder())
    assert (game.state.passes, game.state.stall_guard) == (3, False)
    dumped = position.dump(game)
    assert (dumped["passes"], dumped["stall_guard"]) == (3, False)


def test_the_first_to_open_is_the_first_seat_and_turns_go_clockwise() -> None:
    game, _ = RULES.choose(None, [], [], {}).start(SEATS[:3], Recorder())
    for _ in range(3):
        decision = game.decisions()[0]
        view_hand = [game.rules.card_name("deck", card) for card in game.hand(decision.seat)]
        assert view_hand
        game.take(decision.id, first_opening(game.hand(decision.seat), game), list("abcdefg"))
    order = []
    for _ in range(6):
        decision = game.decisions()[0]
        order.append(decision.id)
        game.take(decision.id, "pass", list("abcdefg")[: len(game.hand(decision.seat))])
    assert order == [
        *("1.1.turn.ana", "1.2.turn.ben", "1.3.turn.cleo"),
        *("2.1.turn.ana", "2.2.turn.ben", "2.3.turn.cleo"),
    ]


def first_opening(hand: Sequence[int], game: Any) -> str:
    """A legal opening of one card."""
    colours = [game.rules.cards.colour[card] for card in hand]
    return f"open {'abcdefg'[colours.index(min(colours))]}"
