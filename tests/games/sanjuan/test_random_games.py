"""Conditions that hold after every step of any game of any rule set, whoever plays how."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import chain
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings

from referee.games.errors import Illegal, NotUnderstood
from referee.games.sanjuan import flow, position
from referee.games.sanjuan.chance import random_play
from referee.games.sanjuan.game import SanJuan
from tests.games.randomly import accepts
from tests.games.sanjuan import plain_rules, plain_score
from tests.games.sanjuan.plain_asked import cards_left
from tests.games.sanjuan.plain_rules import Seen
from tests.games.sanjuan.random_deals import AGAIN, DEALS, Deal
from tests.games.sanjuan.randomly import Turn, deal, taken_apart
from tests.games.sanjuan.rule_sets import EVERY, NEW, RuleSet

OPEN_PILES = ("deck", "discards", "events", "beside", "removed", "turned")


def names_in(document: Mapping[str, Any]) -> Counter[str]:
    """Every card of a position."""
    found = [name for pile in OPEN_PILES for name in document.get(pile, ())]
    for seat in document["seats"]:
        found += seat["hand"]
        for entry in seat["city"]:
            found.append(entry["card"])
            found += chain(*(entry.get(key, ()) for key in ("over", "under", "unseen")))
            found += [entry["good"]] if "good" in entry else []
    return Counter(found)


@pytest.mark.parametrize("which", EVERY, ids=str)
def test_all_cards_are_there(which: RuleSet) -> None:
    """110 cards, 33 and a cathedral more, six events more; beside the deck only the cathedral."""
    for seats in (2, 3, 4):
        whole = names_in(position.dump(deal(seats, Random(seats), rules=which)))
        copies = {name: number for name, (_, _, number) in which.cards.items()}
        assert whole == Counter(copies | dict.fromkeys(which.events, 1))
        assert whole.total() == 110 + 34 * which.new_buildings + len(which.events)
        assert sum(copies[name] for name in copies if name not in NEW) <= 110


@AGAIN
@settings(max_examples=15, deadline=None)
@given(how=DEALS)
def test_cards_are_conserved_and_positions_round_trip(again: int, how: Deal) -> None:
    """A game that goes on from its own position at any step goes on equally."""
    game, rng = how.begin()
    # Without the shuffle it was dealt with, so that the two reshuffle alike.
    game = position.load(position.dump(game))
    document = position.dump(game)
    whole = names_in(document)
    while not game.over:
        assert position.status(document) == []
        twin = position.load(document)
        assert position.dump(twin) == document
        assert twin.table() == game.table()
        assert twin.decisions() == game.decisions()
        turn = Turn(game, rng)
        play = turn.pick()
        turn.take(play)
        twin.take(turn.decision.id, play, turn.letters)
        document = position.dump(game)
        assert position.dump(twin) == document
        assert names_in(document) == whole
        assert len(instances(game)) == whole.total()


def instances(game: SanJuan) -> set[int]:
    """The numbers of all cards, wherever they lie."""
    state = game.state
    piles = (state.deck[state.next :], state.discards, state.beside, state.face_up, state.removed)
    cards = [
        *chain(*piles, *state.hand, *state.city, *state.good, state.turned),
        *(card for *_, card in (*state.over, *state.under, *state.unseen)),
    ]
    return {card for card in cards if card >= 0}


@AGAIN
@settings(max_examples=12, deadline=None)
@given(how=DEALS)
def test_plays_are_legal_by_the_plain_rules_and_only_those(again: int, how: Deal) -> None:
    game, rng = how.begin()
    while not game.over:
        turn = Turn(game, rng)
        view, seen, kind = turn.view(), turn.seen(how.rule_set), turn.kind
        known = view.plays()
        for play in known or [turn.pick(), view.suggest()]:
            clauses = taken_apart(play, kind)
            assert plain_rules.legal(kind, seen, turn.seat, turn.hand, clauses), play
            assert view.read(play) == play
            view.check(play)
            game.copy().take(turn.decision.id, play, turn.letters)
        assert known is None or view.suggest() in known
        assert all(choice.play in known for choice in view.choices() if choice.exact and known)
        for clauses, _ in zip(
            turn.near(rng.choice(known or [turn.pick()])), range(12), strict=False
        ):
            play = plain_rules.text_of(clauses)
            lawful = plain_rules.legal(kind, seen, turn.seat, turn.hand, clauses)
            assert accepts(view, play) is lawful, (play, position.dump(game))
            assert known is None or (play in known) is lawful
            if not lawful:
                with pytest.raises((NotUnderstood, Illegal)):
                    game.copy().take(turn.decision.id, play, turn.letters)
        if kind == "build" and len(turn.hand) <= 5:
            whole = plain_rules.every_build(seen, turn.seat, turn.hand)
            found = view.plays(100_000)
            assert found is not None
            assert sorted(found) == sorted(whole)
        assert view.suggest() == turn.view().suggest()
        turn.take(rng.choice((turn.pick(), view.suggest())))


@AGAIN
@settings(max_examples=10, deadline=None)
@given(how=DEALS)
def test_a_refused_play_changes_nothing(again: int, how: Deal) -> None:
    game, rng = how.begin()
    while not game.over:
        turn = Turn(game, rng)
        before, seen = position.dump(game), turn.seen(how.rule_set)
        for clauses, _ in zip(turn.near(turn.pick()), range(4), strict=False):
            play = plain_rules.text_of(clauses)
            if not plain_rules.legal(turn.kind, seen, turn.seat, turn.hand, clauses):
                with pytest.raises((NotUnderstood, Illegal)):
                    turn.take(play)
        assert position.dump(game) == before
        turn.take(turn.pick())


@AGAIN
@settings(max_examples=60, deadline=None)
@given(how=DEALS)
def test_scores_are_those_of_the_scoring_pad(again: int, how: Deal) -> None:
    game, rng = how.begin()
    play_out(game, rng)
    results = []
    rows = position.dump(game)["seats"]
    cities = [[entry["card"] for entry in row["city"]] for row in rows]
    for seat, (row, score) in enumerate(zip(rows, game.scores(), strict=True)):
        tucked = [chain(entry.get("under", ()), entry.get("unseen", ())) for entry in row["city"]]
        tie = len(row["hand"]) + sum("good" in entry for entry in row["city"])
        points = plain_score.points(how.rule_set, cities, seat, len([*chain(*tucked)]))
        assert (score.seat, score.points, score.tie) == (row["name"], points, tie)
        results.append((points, tie))
    assert [score.wins for score in game.scores()] == plain_score.winners(results)
    for row, score in zip(game.table()["seats"], game.scores(), strict=True):
        assert (row["points"], row["tie"], row["wins"]) == score[1:]


def play_out(game: SanJuan, rng: Random) -> None:
    """Play a game to its end, the cheap way: without names, letters and public lines."""
    state = game.state
    while not game.over:
        flow.apply(state, random_play(state, rng))


@pytest.mark.parametrize("which", EVERY, ids=str)
@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("games", [8, pytest.param(400, marks=pytest.mark.long)])
def test_random_games_end_by_rule(which: RuleSet, seats: int, games: int) -> None:
    """By the twelfth building, or after the last round (G6, G7)."""
    for seed in range(games):
        rng = Random(seed)
        game = deal(seats, rng, rules=which)
        play_out(game, rng)
        assert game.decisions() == []
        most = max(len(row["city"]) for row in game.table()["seats"])
        assert most == 12 or (most < 12 and game.state.round == 100)


@pytest.mark.parametrize("which", EVERY, ids=str)
def test_games_end_when_nothing_is_left_to_do(which: RuleSet) -> None:
    """Piles and hands are empty and nobody builds: only the round limit ends the game (G7)."""
    game = deal(2, Random(1), deck=0, rules=which)
    steps = 0
    while not game.over:
        turn = Turn(game, Random(steps))
        steps += 1
        turn.take("pass" if accepts(turn.view(), "pass") else turn.view().suggest())
    assert game.state.round == 40
    assert cards_left(Seen(which, game.table())) >= 0
