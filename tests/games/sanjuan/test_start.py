"""How a game of San Juan starts: the cards there are, the deal, and who comes first (section 2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random

import pytest

from referee.games.interface import Drawn, Event, NotUnderstood, Said, Shuffled
from referee.games.sanjuan import position
from referee.games.sanjuan.game import SanJuan
from referee.games.sanjuan.rules import RULES
from tests.bench.play_statistics import gold_mine
from tests.games.sanjuan.plain_rules import CARDS, PRODUCTION
from tests.games.sanjuan.randomly import SEATS

TILES = {"11122", "11222", "11223", "12223", "12233"}


class Recorder:
    """A shuffle that turns the cards round and remembers what it was asked for."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, int, list[int]]] = []

    def __call__(self, pile: str, epoch: int, cards: Sequence[int]) -> Sequence[int]:
        self.asked.append((pile, epoch, list(cards)))
        return list(cards)[::-1]


def start(count: int, recorder: Recorder) -> tuple[SanJuan, list[Event]]:
    game, events = RULES.choose("2014", [], [], {}).start(SEATS[:count], recorder)
    assert isinstance(game, SanJuan)
    return game, events


@pytest.mark.parametrize("count", [2, 3, 4])
def test_the_deck_is_that_of_the_rule_book(count: int) -> None:
    """1.1: kinds and copies, the starting plants taken out of the ten."""
    recorder = Recorder()
    start(count, recorder)
    rules = RULES.choose("2014", [], [], {})
    (tiles, tile_epoch, tile_cards), (deck, epoch, cards) = recorder.asked
    assert (tiles, tile_epoch, deck, epoch) == ("tiles", 0, "deck", 0)
    assert {rules.card_name("tiles", card) for card in tile_cards} == TILES
    assert len(set(cards)) == len(cards) == 110 - count
    found = Counter(rules.card_name("deck", card) for card in cards)
    copies = {name: number for name, (_, _, number) in CARDS.items()}
    assert found == Counter({**copies, "indigo-plant": 10 - count})


def test_costs_points_and_copies_are_those_of_the_rules_page() -> None:
    """1.1 and 1.2: 42 production buildings and 68 city buildings."""
    assert sum(copies for _, _, copies in CARDS.values()) == 110
    assert sum(CARDS[name][2] for name in PRODUCTION) == 42
    cards = RULES.choose("2014", [], [], {}).cards
    for name, (cost, points, _) in CARDS.items():
        kind = next(k for k in cards.kind_of if cards.name(cards.first[k]) == name)
        assert (cards.cost[kind], cards.points[kind]) == (cost, points), name


def test_a_gold_mine_succeeds_as_often_as_the_rules_page_says() -> None:
    """Section 4: by counting, over all ways to turn over four cards of the full deck."""
    assert round(float(gold_mine()), 4) == 0.2552


@pytest.mark.parametrize("count", [2, 3, 4])
def test_the_deal(count: int) -> None:
    """Seat 1 is governor; one indigo plant and four cards each, dealt clockwise by whole hands."""
    recorder = Recorder()
    game, events = start(count, recorder)
    order = recorder.asked[1][2][::-1]
    for index, seat in enumerate(SEATS[:count]):
        assert game.hand(seat) == order[4 * index : 4 * index + 4]
        assert game.tucked(seat) == []
    assert events == [
        Shuffled("tiles", 0, 5),
        Shuffled("deck", 0, 110 - count),
        *(Drawn(seat, "deck", 0, 4 * index, 4) for index, seat in enumerate(SEATS[:count])),
        Said("round 1 governor ana"),
    ]
    document = position.dump(game)
    assert [row["city"] for row in document["seats"]] == [
        [{"card": "indigo-plant", "plot": 1}]
    ] * count
    assert document["discards"] == []
    assert [decision.id for decision in game.decisions()] == ["1.1.role.ana"]
    assert not game.over


def test_the_next_tile_is_secret_until_a_trader_is_chosen() -> None:
    """Section 2, start: the order of the tiles is fixed, nobody sees it."""
    games = []
    for seed in range(8):
        rng = Random(seed)

        def shuffle(
            pile: str, epoch: int, cards: Sequence[int], rng: Random = rng
        ) -> Sequence[int]:
            return rng.sample(list(cards), len(cards)) if pile == "tiles" else list(cards)

        games.append(RULES.choose("2014", [], [], {}).start(SEATS[:2], shuffle)[0])
    assert len({str(game.table()) for game in games}) == 1


def test_there_is_no_hand_limit_in_round_one() -> None:
    """Section 2, start: round 1 begins with the first choice, whatever is in hand."""
    hand = ["well", "hero", "tower", "archive", "statue", "quarry", "crane", "palace"]
    game = position.load({"seats": [{"name": "ana", "hand": hand}, {"name": "ben"}]})
    assert [decision.id for decision in game.decisions()] == ["1.1.role.ana"]


@pytest.mark.parametrize("count", [0, 1, 5])
def test_two_to_four_can_play(count: int) -> None:
    with pytest.raises(NotUnderstood):
        RULES.choose("2014", [], [], {}).start(
            ("ana", "ben", "cleo", "dan", "eve")[:count], Recorder()
        )
