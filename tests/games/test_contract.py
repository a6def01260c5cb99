"""The promises of every rules module (`referee/games/interface.py`), tried on every rule set.

A game that is added is tried with the CHOICES of the package of its tests, beside this module.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import Any

import pytest

from referee.checking.audit import audit
from referee.crypto.hashing import canonical
from referee.games import GAMES, rules_of, terms, words
from referee.games.errors import GameError
from referee.games.interface import Game, Rules, View
from referee.games.match import positions_of
from referee.games.plans import language_of
from referee.games.values import Drawn, Held, Said, Shuffled, letter
from referee.notes.forms import A_BOT
from referee.notes.kinds import KEYS
from referee.playing import player
from referee.table import views
from referee.table.chain import heads
from referee.table.filetext import render
from referee.table.gamefile import GAME_KEYS
from tests.table.tables import NAMES, Table, key_of
from tests.toys import toy_rules


def rule_sets(module: str, rules: type[Rules]) -> dict[str, Rules]:
    """The rule sets of a game that its tests choose, each under a name."""
    choices = import_module(f"tests.games.{module}").CHOICES
    return {
        "-".join((module, *([edition] if edition else ()), *names, *variants, *options)): (
            rules.choose(edition, names, variants, options)
        )
        for edition, names, variants, options in choices
    }


RULE_SETS: dict[str, Rules] = {
    name: rules for game in GAMES for name, rules in rule_sets(game, rules_of(game)).items()
}
EVERY: dict[str, Rules] = RULE_SETS | {
    name: rules
    for game, newest in toy_rules().items()
    for name, rules in rule_sets(game, newest).items()
}
TABLES = [
    (name, seats)
    for name, rules in EVERY.items()
    for fitting in [[seats for seats in rules.seats if not rules.fits(seats)]]
    for seats in {fitting[0], fitting[-1]}
]
"""Each rule set for as few and for as many as it is for."""
each_table = pytest.mark.parametrize(("name", "seats"), TABLES)
each_rules = pytest.mark.parametrize("name", EVERY)


class Shuffler:
    """A repeatable shuffle."""

    def __init__(self, seed: object) -> None:
        self.rng = random.Random(str(seed))

    def __call__(self, pile: str, epoch: int, cards: Sequence[int]) -> list[int]:
        return self.rng.sample(list(cards), len(cards))


def held(rules: Rules, game: Game, seat: str, letters: Sequence[str]) -> list[Held]:
    pile = rules.hand_piles[0]
    names = [rules.card_name(pile, card) for card in game.hand(seat)]
    return [Held(*pair) for pair in zip(letters, names, strict=True)]


def moments(name: str, seats: int, seed: object) -> Iterator[tuple[Game, View, list[str]]]:
    """Every decision of a game as it comes up, with the view of the seat that is to answer.

    Most answers are greedy ones, some are any.
    """
    rules = EVERY[name]
    rng = random.Random(f"{name} {seats} {seed}")
    game, _ = rules.start(NAMES[:seats], Shuffler(seed))
    while not game.over:
        first = game.decisions()[0]
        count = len(game.hand(first.seat))
        letters = [letter(index) for index in rng.sample(range(count), count)]
        hand = held(rules, game, first.seat, letters)
        view = rules.view(NAMES[:seats], game.table(), first.seat, hand)
        yield game, view, letters
        few = view.plays(40)
        play = rng.choice(few) if few and rng.random() < 0.3 else view.suggest()
        game.take(first.id, play, letters)


def refusal(view: View, play: str) -> GameError | None:
    try:
        view.check(play)
    except GameError as error:
        return error
    return None


@each_rules
def test_terms_are_all_that_is_needed(name: str) -> None:
    rules = EVERY[name]
    again = type(rules).load(rules.terms())
    assert canonical(again.terms()) == canonical(rules.terms())
    assert isinstance(rules.terms()["cards"], str)
    for key in rules.terms():
        changed = {**rules.terms(), key: 7}
        with pytest.raises(GameError):
            type(rules).load(changed)


@each_rules
def test_the_names_of_the_protocol_are_left_to_it(name: str) -> None:
    rules = EVERY[name]
    assert rules.version >= 1
    assert A_BOT.fits(rules.bot)
    assert not rules.terms().keys() & {*GAME_KEYS}
    assert not {word.name for word in rules.words} & {*KEYS}


@each_rules
def test_the_words_are_flags_that_say_what_they_are(name: str) -> None:
    known = words()
    for word in EVERY[name].words:
        assert known[word.name].help
        assert re.fullmatch("[a-z][a-z-]*", word.name)


@each_table
def test_views_advertise_what_is_accepted(name: str, seats: int) -> None:
    for game, view, letters in moments(name, seats, 1):
        decision = game.decisions()[0]
        assert view.decision == decision
        for choice in view.choices():
            if choice.exact:
                view.check(choice.play)
        assert len(view.choices()) <= 60
        plays = view.plays(40)
        for play in (plays or [])[:12]:
            assert view.read(play) == play
            assert set(view.spends(play)) <= set(letters)
            game.copy().take(decision.id, play, letters)
        suggestion = view.suggest()
        view.check(suggestion)
        if plays is not None:
            assert suggestion in plays


@each_table
def test_wrong_plays_are_refused_and_change_nothing(name: str, seats: int) -> None:
    rng = random.Random(name)
    vocabulary = [*words(), "pass", "a", "b", "1", "2", "zz", "99", "well", *NAMES[:2]]
    refused = 0
    for game, view, letters in moments(name, seats, 2):
        decision = game.decisions()[0]
        before = canonical(game.table())
        for _ in range(4):
            text = " ".join(rng.choices(vocabulary, k=rng.randint(1, 5)))
            error = refusal(view, text)
            if error is None:
                continue
            assert error.exit_code in (13, 14)
            assert error.message
            refused += 1
            with pytest.raises(GameError):
                game.take(decision.id, text, letters)
            assert canonical(game.table()) == before
            assert game.decisions()[0] == decision
    assert refused > 50


@each_table
def test_what_everybody_sees(name: str, seats: int) -> None:
    """Ids are unique, draws follow one another, and words are plain."""
    rules = EVERY[name]
    game, events = rules.start(NAMES[:seats], Shuffler(4))
    ids: set[str] = set()
    following: dict[tuple[str, int], int] = {}
    while True:
        for event in events:
            if isinstance(event, Shuffled):
                following[event.pile, event.epoch] = 0
            elif isinstance(event, Drawn):
                assert following[event.pile, event.epoch] == event.first
                following[event.pile, event.epoch] += event.size
                assert event.size > 0
            elif isinstance(event, Said):
                assert re.fullmatch("[a-z0-9-]+( [a-z0-9-]+)*", event.words)
        if game.over:
            break
        first = game.decisions()[0]
        assert re.fullmatch(rf"\d+\.\d+\.[a-z][a-z-]*\.{first.seat}", first.id)
        assert first.id not in ids
        ids.add(first.id)
        letters = [letter(index) for index in range(len(game.hand(first.seat)))]
        hand = held(rules, game, first.seat, letters)
        view = rules.view(NAMES[:seats], game.table(), first.seat, hand)
        events = game.take(first.id, view.suggest(), letters)
    scores = game.scores()
    assert [score.seat for score in scores] == list(NAMES[:seats])
    best = max((score.points, score.tie) for score in scores)
    assert [score.wins for score in scores] == [(s.points, s.tie) == best for s in scores]


@each_table
def test_it_is_known_whose_turns_come_next(name: str, seats: int) -> None:
    rules, names = EVERY[name], NAMES[:seats]
    turn = language_of(rules, names).turn_kind
    coming: list[str] = []
    for game, view, _ in moments(name, seats, 5):
        assert view.decision is not None
        if view.decision.kind == turn and coming:
            assert view.seat == coming[0]
        coming = rules.next_turns(game.table())
        assert set(coming) <= set(names)
        assert not coming or len(set(coming)) == len(coming) >= seats - 1


@each_table
def test_copies_and_positions_of_any_moment_can_be_played_on(name: str, seats: int) -> None:
    rules = EVERY[name]
    positions: Any = positions_of(rules.module)
    for at, (game, view, letters) in enumerate(moments(name, seats, 5)):
        if at % 8:
            continue
        before = canonical(game.table())
        game.copy().take(game.decisions()[0].id, view.suggest(), letters)
        assert canonical(game.table()) == before
        document = positions.dump(game)
        assert positions.status(document) == []
        again = positions.load(document)
        assert canonical(again.table()) == canonical(game.table())
        assert [one.id for one in again.decisions()] == [one.id for one in game.decisions()]
        again.take(game.decisions()[0].id, view.suggest(), letters)


@each_table
def test_a_whole_game_through_files(name: str, seats: int) -> None:
    table = Table(seats, seed=f"contract {name}", rules=EVERY[name]).join_all()
    assert len(table.text.encode()) < 30_000
    half = table.rush(until=30).file
    for seat in half.seating:
        mine = player.my_seat(half, key_of(seat).public)
        hand = views.open_hand(half, mine, key_of(seat))
        assert views.view_of(half, hand).hand == tuple(hand.held)
    file = table.rush().file
    assert render(file) == table.text
    assert file.status == "finished"
    assert audit(file, heads(file))


@pytest.mark.parametrize("name", GAMES)
def test_the_help_of_a_game_says_for_how_many_it_is(name: str) -> None:
    seats = rules_of(name).seats
    assert f"{name}: {seats[0]} to {seats[-1]}" in terms("seats")
