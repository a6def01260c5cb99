"""What must hold after every step of any game, whoever plays how."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from itertools import chain
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.games.interface import (
    Drawn,
    Event,
    Illegal,
    NotUnderstood,
    Said,
    Shown,
    Shuffled,
    Taken,
    View,
)
from referee.games.sanjuan import flow, position
from referee.games.sanjuan.chance import random_play
from referee.games.sanjuan.game import SanJuan
from tests.games.sanjuan import plain_rules, plain_score
from tests.games.sanjuan.randomly import Turn, deal, taken_apart

WORDS = re.compile(r"[a-z0-9-]+( [a-z0-9-]+)*")
GAMES = st.tuples(
    st.integers(2, 4), st.integers(0, 2**32), st.none() | st.none() | st.integers(0, 30)
)
"""Seats, seed, and often so few cards in the draw pile that it runs out."""


def names_in(document: Mapping[str, Any]) -> Counter[str]:
    """Every card of a position."""
    found = [*document["deck"], *document["discards"]]
    for seat in document["seats"]:
        found += seat["hand"]
        for entry in seat["city"]:
            found += [entry["card"], *entry.get("over", ()), *entry.get("under", ())]
            found += [entry["good"]] if "good" in entry else []
    return Counter(found)


def accepts(view: View, play: str) -> bool:
    """Whether the seat's own program lets this play pass."""
    try:
        view.check(play)
    except (NotUnderstood, Illegal):
        return False
    return True


@settings(max_examples=25, deadline=None)
@given(GAMES)
def test_cards_are_conserved_and_positions_round_trip(how: tuple[int, int, int | None]) -> None:
    count, seed, deck = how
    rng = Random(seed)
    game = deal(count, rng, deck)
    document = position.dump(game)
    whole = names_in(document)
    if deck is None:
        assert whole == Counter(
            {name: copies for name, (_, _, copies) in plain_rules.CARDS.items()}
        )
    while True:
        turn = Turn(game, rng)
        turn.take(turn.pick())
        state = game.state
        cards = [
            *chain(*state.hand, *state.city, *state.good),
            *state.deck[state.next :],
            *state.discards,
            *(card for *_, card in (*state.over, *state.under)),
        ]
        assert Counter(game.rules.card_name("deck", card) for card in cards if card >= 0) == whole
        assert len({card for card in cards if card >= 0}) == whole.total()
        if game.over:
            break
        document = position.dump(game)
        assert names_in(document) == whole
        assert position.status(document) == []
        again = position.load(document)
        assert position.dump(again) == document
        assert again.table() == game.table()
        assert again.decisions() == game.decisions()


@settings(max_examples=15, deadline=None)
@given(GAMES)
def test_plays_are_legal_by_the_plain_rules_and_only_those(
    how: tuple[int, int, int | None],
) -> None:
    count, seed, deck = how
    rng = Random(seed)
    game = deal(count, rng, deck)
    while not game.over:
        turn = Turn(game, rng)
        view, table = turn.view(), game.table()
        known = view.plays()
        for play in known or [turn.pick(), view.suggest()]:
            assert plain_rules.legal(turn.kind, table, turn.seat, turn.hand, taken_apart(play))
            assert view.read(play) == play
            view.check(play)
            game.copy().take(turn.decision.id, play, turn.letters)
        assert known is None or view.suggest() in known
        assert all(choice.play in known for choice in view.choices() if choice.exact and known)
        for clauses, _ in zip(
            turn.near(rng.choice(known or [turn.pick()])), range(12), strict=False
        ):
            play = plain_rules.text_of(clauses)
            lawful = plain_rules.legal(turn.kind, table, turn.seat, turn.hand, clauses)
            assert accepts(view, play) is lawful, (play, position.dump(game))
            assert known is None or (play in known) is lawful
            if not lawful:
                with pytest.raises((NotUnderstood, Illegal)):
                    game.copy().take(turn.decision.id, play, turn.letters)
        if turn.kind == "build" and len(turn.hand) <= 5:
            whole = plain_rules.every_build(table, turn.seat, turn.hand)
            found = view.plays(100_000)
            assert found is not None
            assert sorted(found) == sorted(whole)
        assert view.suggest() == turn.view().suggest()
        turn.take(rng.choice((turn.pick(), view.suggest())))


@settings(max_examples=20, deadline=None)
@given(GAMES)
def test_a_refused_play_changes_nothing(how: tuple[int, int, int | None]) -> None:
    count, seed, deck = how
    rng = Random(seed)
    game = deal(count, rng, deck)
    while not game.over:
        turn = Turn(game, rng)
        before = position.dump(game)
        table = game.table()
        for clauses, _ in zip(turn.near(turn.pick()), range(4), strict=False):
            play = plain_rules.text_of(clauses)
            if not plain_rules.legal(turn.kind, table, turn.seat, turn.hand, clauses):
                with pytest.raises((NotUnderstood, Illegal)):
                    turn.take(play)
        assert position.dump(game) == before
        turn.take(turn.pick())


def resampled(game: SanJuan, seat: str, rng: Random) -> SanJuan:
    """A game that differs only in what the seat cannot see: all hidden cards change places."""
    document = position.dump(game)
    hidden: list[tuple[Any, Any]] = [
        (document[pile], at) for pile in ("deck", "discards") for at in range(len(document[pile]))
    ]
    for row in document["seats"]:
        if row["name"] != seat:
            hidden += [(row["hand"], at) for at in range(len(row["hand"]))]
        for entry in row["city"]:
            if "good" in entry:
                hidden.append((entry, "good"))
            if "under" in entry and row["name"] != seat:
                hidden += [(entry["under"], at) for at in range(len(entry["under"]))]
    cards = [place[at] for place, at in hidden]
    rng.shuffle(cards)
    for (place, at), card in zip(hidden, cards, strict=True):
        place[at] = card
    return position.load(document)


@settings(max_examples=20, deadline=None)
@given(GAMES)
def test_a_view_knows_no_hidden_card(how: tuple[int, int, int | None]) -> None:
    count, seed, deck = how
    rng = Random(seed)
    game = deal(count, rng, deck)
    while not game.over:
        turn = Turn(game, rng)
        seat = rng.choice(game.state.seats)
        other = resampled(game, seat, rng)
        assert other.table() == game.table()
        assert other.decisions() == game.decisions()
        assert other.hand(seat) or not game.hand(seat)
        if seat == turn.seat:
            names = [game.rules.card_name("deck", card) for card in other.hand(seat)]
            assert names == [held.name for held in turn.hand]
            mine = turn.view()
            theirs = game.rules.view(game.state.seats, other.table(), seat, turn.hand)
            assert theirs.choices() == mine.choices()
            assert theirs.plays() == mine.plays()
            assert theirs.suggest() == mine.suggest()
        turn.take(turn.pick())


@settings(max_examples=25, deadline=None)
@given(GAMES)
def test_events_tell_every_card_that_leaves_a_pile(how: tuple[int, int, int | None]) -> None:
    count, seed, deck = how
    rng = Random(seed)
    game = deal(count, rng, deck)
    epoch, at, size = 0, game.state.next, len(game.state.deck)
    lying_open: list[tuple[str, int]] = []
    while not game.over:
        turn = Turn(game, rng)
        held = {row["name"]: row["hand"] + row.get("drawn", 0) for row in game.table()["seats"]}
        play = turn.pick()
        events = turn.take(play)
        drawn: Counter[str] = Counter()
        for event in events:
            if isinstance(event, Drawn):
                assert (event.pile, event.epoch, event.first) == ("deck", epoch, at)
                assert event.size > 0
                assert at + event.size <= size
                at += event.size
                drawn[event.who] += event.size
            elif isinstance(event, Shuffled):
                assert at == size, "a shuffle while cards are left"
                assert event.pile == "deck"
                assert event.epoch == epoch + 1
                epoch, at, size = epoch + 1, 0, event.size
                assert size > 0
            elif isinstance(event, Shown) and event.pile == "deck":
                lying_open.append((event.pile, event.card))
            elif isinstance(event, Taken):
                assert (event.pile, event.card) in lying_open
                assert event.card in game.hand(event.who)
                drawn[event.who] += 1
        table = game.table()
        assert table["deck"] == size - at
        assert set(drawn) <= {*game.state.seats, "table"}
        for row in table["seats"]:
            if row["name"] != turn.seat and turn.kind != "keep" and not _waits(game, "keep"):
                assert row["hand"] == held[row["name"]] + drawn[row["name"]]
        _judge_words(events, taken_apart(play), table)


def _waits(game: SanJuan, kind: str) -> bool:
    return any(decision.kind == kind for decision in game.decisions())


def _judge_words(events: list[Event], play: plain_rules.Clauses, table: dict[str, Any]) -> None:
    """Public lines name no card but those built, covered or turned over (G8)."""
    built = {*play.get("build", ())}
    covered = {
        card for row in table["seats"] for entry in row["city"] for card in entry.get("over", ())
    }
    for number, event in enumerate(events):
        if not isinstance(event, Said):
            continue
        assert WORDS.fullmatch(event.words), event.words
        first, *rest = event.words.split()
        named = {word for word in rest if word in plain_rules.CARDS}
        if first == "build":
            named -= built | covered
        elif first == "role":
            named -= {"library"}
        elif first == "mine":
            named -= {"nothing"}
            shown = [e for e in events[:number] if isinstance(e, Shown)]
            assert len(shown) >= 4
            assert any(isinstance(e, Taken) for e in events) or not named
            continue
        assert not named, event.words


@settings(max_examples=20, deadline=None)
@given(GAMES)
def test_copies_share_nothing(how: tuple[int, int, int | None]) -> None:
    count, seed, deck = how
    rng = Random(seed)
    game = deal(count, rng, deck)
    while not game.over:
        before, table = position.dump(game), game.table()
        twin = game.copy()
        for _ in range(6):
            if not twin.over:
                turn = Turn(twin, rng)
                turn.take(turn.pick())
        assert position.dump(game) == before
        assert game.table() == table
        for _ in range(3):
            if not game.over:
                turn = Turn(game, rng)
                turn.take(turn.pick())


@settings(max_examples=25, deadline=None)
@given(GAMES)
def test_seats_are_asked_as_public_facts_say(how: tuple[int, int, int | None]) -> None:
    count, seed, deck = how
    rng = Random(seed)
    game = deal(count, rng, deck)
    due: list[str] = []
    while not game.over:
        turn = Turn(game, rng)
        table = game.table()
        seats = [decision.seat for decision in game.decisions()]
        if turn.kind == "role":
            assert due == []
            assert seats == [table["chooser"]]
        else:
            assert seats in (due, due[:1])
            due = due[1:]
        play = turn.pick()
        before = game.state.round
        turn.take(play)
        if turn.kind == "role" and not game.over:
            role, *named = taken_apart(play)["role"], *taken_apart(play)
            owns = "library" in plain_rules.city_of(table, turn.seat).values()
            spent = turn.seat in table["library-used"]
            in_use = owns and not spent and "no-library" not in named
            phase = {**table, "phase": role[0], "doubled": in_use}
            due = plain_rules.asked(phase)
            _judge_order(game, due, plain_rules.one_by_one(phase))
        if not game.over and game.state.round > before:
            assert due == []
            now = game.table()
            assert now["used"] == []
            start = {**now, "phase": "round-start", "chooser": now["governor"]}
            due = plain_rules.asked(start)
            _judge_order(game, due, False)


def _judge_order(game: SanJuan, due: list[str], serial: bool) -> None:
    if due:
        seats = [decision.seat for decision in game.decisions()]
        assert seats == (due[:1] if serial else due)


@settings(max_examples=60, deadline=None)
@given(GAMES)
def test_scores_are_those_of_the_scoring_pad(how: tuple[int, int, int | None]) -> None:
    count, seed, deck = how
    rng = Random(seed)
    game = deal(count, rng, deck)
    play_out(game, rng)
    results = []
    for row, score in zip(game.table()["seats"], game.scores(), strict=True):
        city = [entry["card"] for entry in row["city"]]
        tie = row["hand"] + sum(entry.get("good", False) for entry in row["city"])
        points = plain_score.points(city, len(game.tucked(row["name"])))
        assert (score.seat, score.points, score.tie) == (row["name"], points, tie)
        results.append((points, tie))
    assert [score.wins for score in game.scores()] == plain_score.winners(results)


def play_out(game: SanJuan, rng: Random) -> None:
    """Play a game to its end, the cheap way: without names, letters and public lines."""
    state = game.state
    while not game.over:
        flow.apply(state, random_play(state, rng))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_thousand_random_games_end_by_rule(seats: int) -> None:
    for seed in range(1000):
        rng = Random(seed)
        game = deal(seats, rng)
        play_out(game, rng)
        assert game.decisions() == []
        assert max(len(row["city"]) for row in game.table()["seats"]) == 12
        assert game.state.round < 100
