"""The start of San Juan: the cards there are, the deal, and who comes first (section 2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random

import pytest

from referee.games.errors import NotUnderstood
from referee.games.sanjuan import position
from referee.games.sanjuan.game import SanJuan
from referee.games.sanjuan.rules import RULES
from referee.games.values import Drawn, Event, Said, Shown, Shuffled
from tests.bench.play_statistics import ODDS, gold_mine
from tests.games.sanjuan.randomly import SEATS
from tests.games.sanjuan.rule_sets import BASE, EVERY, NAMED, NEW, PRODUCTION, RuleSet

TILES = {"11122", "11222", "11223", "12223", "12233"}


class Recorder:
    """A shuffle that turns the cards round and remembers what it was asked for."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, int, list[int]]] = []

    def __call__(self, pile: str, epoch: int, cards: Sequence[int]) -> Sequence[int]:
        self.asked.append((pile, epoch, list(cards)))
        return list(cards)[::-1]


def start(
    count: int, recorder: Recorder, which: RuleSet = NAMED["2014"]
) -> tuple[SanJuan, list[Event]]:
    return which.rules.start(SEATS[:count], recorder)


@pytest.mark.parametrize("which", EVERY, ids=str)
@pytest.mark.parametrize("count", [2, 3, 4])
def test_the_deck_is_that_of_the_rule_book(count: int, which: RuleSet) -> None:
    """1.1: kinds and copies, the starting plants taken out of the ten; no cathedral in the deck."""
    recorder = Recorder()
    start(count, recorder, which)
    (tiles, tile_epoch, tile_cards), (deck, epoch, cards) = recorder.asked
    assert (tiles, tile_epoch, deck, epoch) == ("tiles", 0, "deck", 0)
    assert {which.rules.card_name("tiles", card) for card in tile_cards} == TILES
    found = Counter(which.rules.card_name("deck", card) for card in cards)
    copies = {name: number for name, (_, _, number) in which.cards.items() if name != "cathedral"}
    copies |= dict.fromkeys(which.events, 1)
    assert found == Counter({**copies, "indigo-plant": copies["indigo-plant"] - count})
    assert len(set(cards)) == len(cards)
    assert len(cards) == 110 - count + 33 * which.new_buildings + len(which.events)


def test_numbers_of_cards_are_those_of_the_rules_page() -> None:
    """1.1: 42 production buildings and 68 city buildings; 4 and 29 in the expansion."""
    assert sum(copies for _, _, copies in BASE.values()) == 110
    assert sum(BASE[name][2] for name in PRODUCTION) == 42
    assert sum(copies for name, (_, _, copies) in NEW.items() if name not in BASE) == 29 + 1
    assert sum(NEW[name][2] - BASE[name][2] for name in PRODUCTION if name in NEW) == 4


@pytest.mark.parametrize("which", EVERY, ids=str)
def test_costs_and_points_are_those_of_the_rules_page(which: RuleSet) -> None:
    """1.1 and 1.2."""
    cards = which.rules.cards
    for name, (cost, points, _) in which.cards.items():
        kind = next(k for k in cards.kind_of if cards.name(cards.first[k]) == name)
        assert (cards.cost[kind], cards.points[kind]) == (cost, points), name


@pytest.mark.parametrize(("which", "odds"), ODDS.items(), ids=map(str, ODDS))
def test_a_gold_mine_succeeds_as_often_as_the_rules_page_says(which: RuleSet, odds: str) -> None:
    """Section 4: by counting, over all ways to turn over four cards of the full deck."""
    assert f"{float(gold_mine(which)):.4f}" == odds


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


@pytest.mark.parametrize("count", [2, 3, 4])
def test_the_draft_deals_five_six_seven_and_eight(count: int) -> None:
    """`draft-start`: each seat its whole hand, clockwise, before anybody decides (2 draft)."""
    recorder = Recorder()
    game, events = start(count, recorder, RuleSet("2014", (), ("draft-start",)))
    order = recorder.asked[1][2][::-1]
    at = 0
    for number, seat in enumerate(SEATS[:count]):
        assert game.hand(seat) == order[at : at + 5 + number]
        assert Drawn(seat, "deck", 0, at, 5 + number) in events
        at += 5 + number
    ids = [decision.id for decision in game.decisions()]
    assert ids == [f"1.0.draft.{seat}" for seat in SEATS[:count]]
    assert [row["hand"] for row in game.table()["seats"]] == [5 + n for n in range(count)]


@pytest.mark.parametrize("which", EVERY, ids=str)
def test_events_do_not_come_into_an_opening_hand(which: RuleSet) -> None:
    """E1: an event that would be dealt is laid beside the roles, the next card takes its place."""
    if not which.events:
        return

    def events_first(pile: str, epoch: int, cards: Sequence[int]) -> Sequence[int]:
        apart = [
            c for c in cards if pile == "deck" and which.rules.card_name(pile, c) in which.events
        ]
        rest = [card for card in cards if card not in apart]
        return [*apart[:2], *rest[:3], *apart[2:3], *rest[3:], *apart[3:]]

    game, said = which.rules.start(SEATS[:2], events_first)
    dealt = 5 if which.variants else 4
    hands = [[which.rules.card_name("deck", c) for c in game.hand(seat)] for seat in SEATS[:2]]
    assert [len(hand) for hand in hands] == [dealt, dealt + bool(which.variants)]
    assert not {*hands[0], *hands[1]} & {*which.events}
    laid = [e for e in said if isinstance(e, Shown)]
    assert len(laid) == len(game.table()["events"]) == 3
    assert game.table()["events"] == [which.rules.card_name("deck", e.card) for e in laid]
    assert game.table()["events-in-deck"] == 3
    drawn = [e.who for e in said if isinstance(e, Drawn) for _ in range(e.size)]
    assert drawn[:6] == ["table", "table", "ana", "ana", "ana", "table"]
    assert drawn.count("ana") == dealt


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


@pytest.mark.parametrize("which", EVERY, ids=str)
def test_the_rule_set_is_on_record(which: RuleSet) -> None:
    """The choices come back from the terms, with a hash of exactly these cards."""
    terms = which.rules.terms()
    again = RULES.load(terms)
    assert again.terms() == terms
    assert (terms["edition"], terms["expansions"], terms["variants"]) == (
        which.edition,
        list(which.expansions),
        list(which.variants),
    )
    same = {other.rules.terms()["cards"] for other in EVERY if other.cards == which.cards}
    for other in EVERY:
        if (other.cards, other.events) != (which.cards, which.events):
            assert other.rules.terms()["cards"] != terms["cards"]
    assert terms["cards"] in same
