"""Players that look ahead: from the view alone, in worlds that it leaves possible."""

from __future__ import annotations

import hashlib
from collections import Counter
from random import Random

import pytest

from referee.bots import player
from referee.bots.hard import Effort, choose
from referee.bots.names import LEVELS
from referee.games import rules_of
from referee.games.flat import FlatGame
from referee.games.interface import Rules
from referee.games.match import Match
from referee.games.network import Network, dump
from referee.games.sanjuan import features, phases
from referee.games.sanjuan.cards import KINDS
from referee.games.sanjuan.chance import random_play
from referee.games.sanjuan.evaluation import Evaluation
from referee.games.sanjuan.search import network
from referee.games.sanjuan.state import BUILD, BUILDER, NOTHING
from referee.games.search import OVER, WHOLE, Draws
from tests.games.test_contract import EVERY
from tests.table.tables import NAMES

SEARCHED = {name: rules for name, rules in EVERY.items() if rules.search() is not None}
MARKS = {
    ("hard", "sanjuan"): "b39bf42510210b96",
    ("hard", "xanadu"): "4e257fb71ff484df",
    ("expert", "sanjuan"): "4a503d42d4f6fd73",
    ("expert", "xanadu"): "51b396963cd62382",
}
"""Of the answers of each level in all rule sets, as its version must give them for ever."""
MOMENTS = {
    ("hard", "sanjuan"): range(0, 90, 6),
    ("hard", "xanadu"): (0, 7, 20),
    ("expert", "sanjuan"): (0, 20, 50),
    ("expert", "xanadu"): (7,),
}
"""Numbers of answers after which that is looked at; games of Xanadu have fewer of them."""
WITH_ALL = ["new-buildings", "events"]
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
def test_who_cannot_see_a_difference_answers_the_same(level: str) -> None:
    for rules, plays in (
        *((rules_of("sanjuan").choose("2004", WITH_ALL, [], {}), plays) for plays in (0, 25, 60)),
        *((rules_of("xanadu").choose(None, [], [], {}), plays) for plays in (0, 20)),
    ):
        match = begun(rules, 2, plays)
        seat = match.seats_asked[0]
        other = with_other_secrets(match, seat)
        assert match.document()["deck"] != other.document()["deck"]
        answers = [player(level, rules).answer(one.view(seat), b"seed") for one in (match, other)]
        assert answers[0] == answers[1]


@pytest.mark.parametrize(("level", "game"), MARKS)
def test_a_version_never_changes_its_answers(level: str, game: str) -> None:
    """Another answer to any view and seed needs another version, `hard-2`."""
    digest = hashlib.sha256()
    for rules in SEARCHED.values():
        if rules.module != game:
            continue
        for plays in MOMENTS[level, game]:
            match = begun(rules, 2 + plays % 3, plays)
            if not match.over:
                view = match.view(match.seats_asked[0])
                digest.update(f"{player(level, rules).answer(view, b'%d' % plays)}\n".encode())
    assert digest.hexdigest()[:16] == MARKS[level, game]


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
    game = begun(rules, 2, 60).game
    assert isinstance(game, FlatGame)
    world = game.state.copy()
    world.phase, world.kind, world.actor = BUILDER, BUILD, world.chooser
    seat = world.actor
    world.hand[seat] = [world.cards.first[KINDS["indigo-plant"]]] * 9
    for name in ("palace", "city-hall", "guild-hall", "triumphal-arch"):
        world.lay(1 - seat, world.cards.first[KINDS[name]])
    gone = world.copy()
    gone.beside = ()
    answers = [search.guess(table, seat, 1) for table in (world, gone)]
    assert [answer[0] == KINDS["cathedral"] for answer in answers] == [True, False]
