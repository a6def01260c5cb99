"""Players that look ahead: from the view alone, in worlds that it leaves possible."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from referee.bots import player
from referee.bots.hard import Effort, choose
from referee.bots.judging import judge
from referee.bots.names import LEVELS
from referee.games import rules_of
from referee.games.flat import FlatGame
from referee.games.interface import Rules
from referee.games.match import Match
from referee.games.network import Network, dump
from referee.games.sanjuan import builder, features, phases
from referee.games.sanjuan.cards import KINDS
from referee.games.sanjuan.chance import random_play
from referee.games.sanjuan.evaluation import Evaluation
from referee.games.sanjuan.search import LATE, PATIENT, network
from referee.games.sanjuan.state import BUILD, BUILDER, NOTHING, PRODUCE, PRODUCER, State
from referee.games.search import OVER, WHOLE, Draws
from referee.games.xanadu.rules import XanaduRules
from tests.games.test_contract import EVERY
from tests.table.tables import NAMES

SEARCHED = {name: rules for name, rules in EVERY.items() if rules.search() is not None}
QUICK = Effort(((4, 1), (2, 1)))


def begun(rules: Rules, seats: int, plays: int) -> Match:
    """A game in which the greedy player has answered so often for everybody."""
    match = Match.deal(rules, NAMES[:seats], f"{seats} {plays}")
    while plays and not match.over:
        match.play(match.seats_asked[0], match.view(match.seats_asked[0]).suggest())
        plays -= 1
    while match.waiting:
        match.play(match.seats_asked[0], match.view(match.seats_asked[0]).suggest())
    return match


def with_other_secrets(match: Match, seat: str) -> Match:
    """The same game as this seat sees it, with other cards wherever it cannot look."""
    other = Match(match.game.copy(), match.seats, [])
    game = other.game
    assert isinstance(game, FlatGame)
    search = match.rules.search()
    assert search is not None
    game.state = search.world(match.view(seat), Draws(b"other"))
    return other


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", SEARCHED)
def test_who_cannot_see_a_difference_answers_the_same(name: str, level: str) -> None:
    rules = SEARCHED[name]
    bot = player(level, rules)
    for plays in (21,) if level == "expert" else (0, 25, 60):
        match = begun(rules, 2 + plays % 2, plays)
        if match.over:
            continue
        seat = match.seats_asked[-1]
        other = with_other_secrets(match, seat)
        assert match.document() != other.document()
        answers = [bot.answer(one.view(seat), b"seed") for one in (match, other)]
        assert answers[0] == answers[1]


@pytest.mark.parametrize("name", SEARCHED)
def test_a_world_looks_from_its_seat_as_the_game_does(name: str) -> None:
    rules = SEARCHED[name]
    for seats in (2, 4):
        for plays in range(0, 120 if rules.module == "sanjuan" else 30, 17):
            match = begun(rules, seats, plays)
            if match.over:
                continue
            seat = match.seats_asked[-1]
            other = with_other_secrets(match, seat)
            assert other.game.table() == match.game.table()
            assert other.held(seat) == match.held(seat)


@pytest.mark.parametrize("name", SEARCHED)
def test_no_world_has_a_card_too_often(name: str) -> None:
    rules = SEARCHED[name]
    for plays in (0, 30, 80):
        match = begun(rules, 2, plays)
        whole = begun(rules, 2, 0)
        if match.over:
            continue
        other = with_other_secrets(match, match.seats_asked[0])
        for kind, count in cards(other).items():
            assert count <= cards(whole)[kind], kind


def cards(match: Match) -> Counter[str]:
    """The cards of hands and the draw pile, as far as a position names them."""
    document = match.document()
    found: Counter[str] = Counter()
    for key in ("deck", "discards", "turned"):
        found.update(document.get(key, ()))
    for row in document["seats"]:
        found.update(row["hand"])
        found.update(
            building["card"] if isinstance(building, dict) else building for building in row["city"]
        )
    return found


@pytest.mark.parametrize("name", SEARCHED)
def test_whoever_looks_ahead_plays_by_the_rules(name: str) -> None:
    rules = SEARCHED[name]
    for seats in (2, 3, 4):
        match = Match.deal(rules, NAMES[:seats], 5)
        number = 0
        while not match.over and number < 150:
            number += 1
            seat = match.seats_asked[0]
            view = match.view(seat)
            search = rules.search()
            assert search is not None
            play = search.play(view, choose(search, view, b"%d" % number, QUICK))
            view.check(play)
            match.play(seat, play)


def test_answers_differ_by_seed_only_where_plays_are_close() -> None:
    rules = rules_of("sanjuan").choose(None, [], [], {})
    match = begun(rules, 2, 40)
    view = match.view(match.seats_asked[0])
    hard = player("hard", rules)
    assert len({hard.answer(view, bytes([seed])) for seed in range(8)}) <= 3


def test_a_game_that_is_over_is_worth_a_win_to_whoever_has_won() -> None:
    rules = rules_of("sanjuan").choose(None, [], [], {})
    match = begun(rules, 2, 1000)
    assert match.over
    search = rules.search()
    assert search is not None
    game = match.game
    assert isinstance(game, FlatGame)
    assert search.asked(game.state) == OVER
    values = [search.value(game.state, seat) for seat in (0, 1)]
    won = [score.wins for score in match.scores()]
    assert won[0] != won[1]
    assert values[won.index(True)] > 3 * WHOLE // 4 - 1
    assert values[won.index(False)] < WHOLE // 4 + 1


def test_draws_follow_from_their_seed() -> None:
    one, two = Draws(b"a"), Draws(b"a")
    assert [one.below(1000) for _ in range(600)] == [two.below(1000) for _ in range(600)]
    assert sorted(one.order(600)) == list(range(600))
    assert Draws(b"a").order(9) != Draws(b"b").order(9)
    assert Draws(b"a").order(9) == [8, 0, 6, 4, 5, 2, 1, 7, 3]


def test_a_network_adds_up_its_weights() -> None:
    random = Random(1)
    weights = [[random.randint(-300, 300) for _ in range(5)] for _ in range(7)]
    biases, out = [[random.randint(-300, 300) for _ in range(5)] for _ in "ab"]
    net = Network.load(dump(weights, biases, out, -17))
    for _ in range(50):
        features = [random.randrange(7) for _ in range(random.randint(0, 9))]
        units = [
            max(0, bias + sum(weights[feature][unit] for feature in features))
            for unit, bias in enumerate(biases)
        ]
        expected = -17 + sum(a * b for a, b in zip(out, units, strict=True))
        assert net.value(features) == expected


@pytest.mark.parametrize("name", [name for name in SEARCHED if name.startswith("sanjuan")])
def test_what_is_added_up_once_comes_to_what_the_features_of_each_table_do(name: str) -> None:
    rules = SEARCHED[name]
    random = Random(1)
    for seats in (2, 3):
        evaluation = Evaluation(network(seats))
        game = begun(rules, seats, 0).game
        assert isinstance(game, FlatGame)
        st = game.state
        while st.kind != NOTHING:
            phases.apply(st, random_play(st, random))
            seat, coming = random.randrange(seats), random.randrange(3)
            expected = evaluation.net.value(features.of(st, seat, coming))
            assert evaluation.output(st, seat, coming) == expected


def test_what_is_no_network_is_refused() -> None:
    good = dump([[1, 2]], [3, 4], [5, 6], 7)
    for bad in (good[:-1], b"NET2" + good[4:], b"", good + b"x"):
        with pytest.raises(ValueError, match="no weights"):
            Network.load(bad)


def test_no_answer_is_remembered_where_somebody_took_what_lay_beside_the_deck() -> None:
    """In some worlds another seat has built the cathedral before, in others it is still there."""
    rules = rules_of("sanjuan").choose("2014", ["new-buildings"], [], {})
    search = rules.search()
    assert search is not None
    game = begun(rules, 2, 10).game
    assert isinstance(game, FlatGame)
    world = game.state.copy()
    world.phase, world.kind, world.actor = BUILDER, BUILD, world.chooser
    seat = world.actor
    world.hand[seat] = [world.cards.first[KINDS["indigo-plant"]]] * 9
    for name in ("palace", "city-hall", "guild-hall", "triumphal-arch"):
        world.lay(1 - seat, world.cards.first[KINDS[name]])
    while world.buildings(seat) < builder.LAST_BUILDING - 1:
        world.lay(seat, world.cards.first[KINDS["indigo-plant"]])
    gone = world.copy()
    gone.beside = ()
    answers = [search.guess(table, seat, 1) for table in (world, gone)]
    assert [KINDS["cathedral"] in answer[:1] for answer in answers] == [True, False]


def with_cities(*cities: str) -> State:
    """A table of San Juan in a builder phase, with these buildings."""
    game = begun(rules_of("sanjuan").choose(None, [], [], {}), len(cities), 60).game
    assert isinstance(game, FlatGame)
    st: State = game.state.copy()
    st.phase, st.kind, st.chooser, st.actor, st.library = BUILDER, BUILD, 0, 0, False
    for seat, names in enumerate(cities):
        st.city[seat], st.good[seat] = [], []
        st.own_mask[seat] = st.prod_mask[seat] = st.full_mask[seat] = 0
        for name in names.split():
            st.lay(seat, st.cards.first[KINDS[name]])
    return st


def test_who_leads_by_far_builds_the_last_building() -> None:
    """As long as no network had seen it, leaders went on collecting cards for thirty rounds."""
    st = with_cities(
        "indigo-plant gold-mine quarry carpenter library prefecture crane city-hall hero chapel "
        "smithy",
        "indigo-plant market-stand library carpenter quarry poor-house prefecture gold-mine "
        "market-hall",
    )
    kinds = ("aqueduct", "statue", "archive", "indigo-plant", "silver-smelter", "market-hall")
    st.hand[0] = [st.cards.first[KINDS[name]] for name in kinds]
    search = rules_of("sanjuan").choose(None, [], [], {}).search()
    assert search is not None
    assert search.guess(st, 0, 1)
    ending = st.copy()
    search.apply(ending, search.guess(st, 0, 1))
    search.apply(ending, search.guess(ending, 1, 1))
    assert search.asked(ending) == OVER


def test_a_poorer_good_is_never_produced_in_place_of_a_dearer_one() -> None:
    st = with_cities("sugar-mill tobacco-storage silver-smelter coffee-roaster", "indigo-plant")
    search = rules_of("sanjuan").choose(None, [], [], {}).search()
    assert search is not None
    st.phase, st.kind = PRODUCER, PRODUCE
    assert list(search.candidates(st, 0, 7)) == [(2, 3)]


def test_hope_fades_where_a_game_goes_on_for_too_long() -> None:
    st = with_cities("indigo-plant", "indigo-plant")
    search = rules_of("sanjuan").choose(None, [], [], {}).search()
    assert search is not None
    values = []
    for number in (1, PATIENT, PATIENT + 1, PATIENT + LATE, PATIENT + 2 * LATE):
        st.round = number
        values.append(search.value(st, 0))
    assert values[0] == values[1] > values[2] > values[3] == values[4] == 0


def test_a_turn_of_xanadu_that_gives_away_coins_is_judged_so() -> None:
    rules = XanaduRules.choose(None, [], [], {})
    match = begun(rules, 2, 22)
    view = match.view(match.seats_asked[0])
    best = player("hard", rules).answer(view, b"seed")
    assert judge(rules, view, best, b"seed") == (best, 0.0)
    other = next(row for row in match.game.table()["seats"] if row["name"] != view.seat)

    def rise(building: dict[str, Any]) -> int:
        """The difference that one more worker makes to its price."""
        prices = rules.cards.prices[rules.cards.number[building["card"]]]
        workers = len(building["workers"])
        return int(prices[workers + 1] - prices[workers])

    best_for_other = max(other["city"], key=rise)
    assert rise(best_for_other) > 0
    bad = f"work {view.hand[0].letter} {other['name']} {best_for_other['plot']}"
    judged = judge(rules, view, bad, b"seed")
    assert judged.better == best
    assert judged.loss > 0.02
