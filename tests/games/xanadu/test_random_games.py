"""Conditions that hold after every step of any game, whoever plays how."""

from __future__ import annotations

import re
from collections import Counter
from itertools import chain
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.games.errors import Illegal, NotUnderstood
from referee.games.values import Drawn, Event, Said, Shown, Shuffled
from referee.games.xanadu import flow, position
from referee.games.xanadu.chance import random_play
from referee.games.xanadu.game import Xanadu
from referee.games.xanadu.state import NOTHING
from tests.games.randomly import accepts
from tests.games.xanadu import plain_rules
from tests.games.xanadu.randomly import KINDS, Turn, deal

WORDS = re.compile(r"[a-z0-9-]+( [a-z0-9-]+)*")
PROTOCOL = {"draw", "shuffle", "open", "take", "ask"}
"""First words of lines that the protocol writes and nobody else may."""
GAMES = st.tuples(
    st.sampled_from(KINDS), st.integers(0, 2**32), st.none() | st.none() | st.integers(0, 20)
)
"""Seats and variant, seed, and often so few cards in the draw pile that it soon runs out."""

How = tuple[tuple[int, bool], int, int | None]


def start(how: How) -> tuple[Xanadu, Random]:
    (count, advanced), seed, deck = how
    rng = Random(seed)
    return deal(count, advanced, rng, deck), rng


@settings(max_examples=12, deadline=None)
@given(GAMES)
def test_cards_are_conserved_and_positions_round_trip(how: How) -> None:
    game, rng = start(how)
    total = game.state.cards.total
    while True:
        turn = Turn(game, rng)
        turn.take(turn.pick())
        state = game.state
        cards = [
            *chain(*state.hand),
            *state.deck[state.next :],
            *state.end_pile[state.end_next :],
            *state.discards,
        ]
        for city in state.city:
            for card, crew in city.values():
                cards += [card, *(one >> 3 for one in crew)]
        assert sorted(card for card in cards if card != total) == list(range(total))
        document = position.dump(game)
        assert position.status(document) == []
        again = position.load(document)
        assert position.dump(again) == document
        assert again.table() == game.table()
        assert again.decisions() == game.decisions()
        if game.over:
            assert again.scores() == game.scores()
            break
        assert all(len(hand) <= 7 + turn.opens for hand in state.hand)


@settings(max_examples=6, deadline=None)
@given(GAMES)
def test_plays_are_legal_by_the_plain_rules_and_only_those(how: How) -> None:
    game, rng = start(how)
    advanced = how[0][1]
    while not game.over:
        turn = Turn(game, rng)
        view, table = turn.view(), game.table()

        def lawful(play: str, turn: Turn = turn, table: dict[str, Any] = table) -> bool:
            if turn.opens:
                return plain_rules.legal_opening(table["need"], turn.hand, play.split()[1:])
            return plain_rules.legal_turn(table, turn.seat, turn.hand, play, advanced)

        known = view.plays()
        rows = view.choices()
        assert 0 < len(rows) <= 50
        advertised = [row.play for row in rows if row.exact]
        for play in [*(known or [turn.pick(), view.suggest()]), *advertised]:
            assert lawful(play), play
            assert view.read(play) == play
            view.check(play)
            game.copy().take(turn.decision.id, play, turn.letters)
        assert known is None or {view.suggest(), *advertised} <= set(known)
        for play, _ in zip(turn.near(rng.choice(known or [turn.pick()])), range(12), strict=False):
            right = lawful(play)
            assert accepts(view, play) is right, (play, position.dump(game))
            assert known is None or (play in known) is right
            if not right:
                with pytest.raises((NotUnderstood, Illegal)):
                    game.copy().take(turn.decision.id, play, turn.letters)
        if not turn.opens and len(turn.hand) <= 2:
            found = view.plays(100_000)
            assert found is not None
            whole = plain_rules.every_turn(table, turn.seat, turn.hand, advanced)
            assert sorted(found) == sorted(whole)
        turn.take(rng.choice((turn.pick(), view.suggest())))


@settings(max_examples=12, deadline=None)
@given(GAMES)
def test_a_refused_play_changes_nothing(how: How) -> None:
    game, rng = start(how)
    while not game.over:
        turn = Turn(game, rng)
        view = turn.view()
        before = position.dump(game)
        for play, _ in zip(turn.near(turn.pick()), range(4), strict=False):
            if not accepts(view, play):
                with pytest.raises((NotUnderstood, Illegal)):
                    turn.take(play)
        assert position.dump(game) == before
        turn.take(turn.pick())


@settings(max_examples=30, deadline=None)
@given(GAMES)
def test_a_turn_does_what_the_plain_rules_say(how: How) -> None:
    game, rng = start(how)
    while True:
        turn = Turn(game, rng)
        before = game.table()
        play = turn.pick()
        events = turn.take(play)
        if game.over:
            break
        if turn.opens:
            continue
        coins, cities, draws = plain_rules.after_turn(before, turn.seat, play)
        table = game.table()
        rows = {row["name"]: row for row in table["seats"]}
        assert {name: row["coins"] for name, row in rows.items()} == coins
        found = {
            name: {entry["plot"]: (entry["card"], len(entry["workers"])) for entry in row["city"]}
            for name, row in rows.items()
        }
        assert found == cities
        reset = not any(cities.values())
        assert (Said("reset") in events) is reset
        if reset:
            kind = "opening" if "work" in play else "reset"
            assert {one.kind for one in game.decisions()} == {kind}
            assert all(row["hand"] == 7 for row in rows.values())
            continue
        (decision,) = game.decisions()
        order = game.state.seats
        assert decision.seat == order[(order.index(turn.seat) + 1) % len(order)]
        drawn = sum(
            event.size for event in events if isinstance(event, Drawn) and event.who != "table"
        )
        supply = before["deck"] + before.get("last", 0) + len(before["discards"])
        assert drawn == draws or (drawn < draws and supply <= draws)


def resampled(game: Xanadu, seat: str, rng: Random) -> Xanadu:
    """A game that differs only in what the seat cannot see: all hidden cards change places."""
    document = position.dump(game)
    hidden: list[tuple[Any, Any]] = [
        (document[pile], at)
        for pile in ("deck", "end")
        for at in range(len(document.get(pile, ())))
        if document[pile][at] != "end-of-game"
    ]
    for row in document["seats"]:
        if row["name"] != seat:
            hidden += [(row["hand"], at) for at in range(len(row["hand"]))]
        for entry in row["city"]:
            hidden += [(one, "card") for one in entry["workers"] if one["by"] != seat]
    cards = [place[at] for place, at in hidden]
    rng.shuffle(cards)
    for (place, at), card in zip(hidden, cards, strict=True):
        place[at] = card
    if document.get("end"):
        rng.shuffle(document["end"])
    return position.load(document)


@settings(max_examples=15, deadline=None)
@given(GAMES)
def test_a_view_knows_no_hidden_card(how: How) -> None:
    game, rng = start(how)
    while not game.over:
        turn = Turn(game, rng)
        seat = rng.choice(game.state.seats)
        other = resampled(game, seat, rng)
        assert other.table() == game.table()
        assert other.decisions() == game.decisions()
        names = game.rules.card_name
        assert [names("deck", card) for card in other.hand(seat)] == [
            names("deck", card) for card in game.hand(seat)
        ]
        assert other.tucked(seat) == game.tucked(seat)
        if seat == turn.seat:
            mine = turn.view()
            theirs = game.rules.view(game.state.seats, other.table(), seat, turn.hand)
            assert theirs.choices() == mine.choices()
            assert theirs.suggest() == mine.suggest()
        turn.take(turn.pick())


@settings(max_examples=12, deadline=None)
@given(GAMES)
def test_events_tell_every_card_that_leaves_a_pile_and_no_secret(how: How) -> None:
    game, rng = start(how)
    cards = game.state.cards
    at = {"deck": (0, game.state.next, len(game.state.deck))}
    while not game.over:
        turn = Turn(game, rng)
        held = {row["name"]: row["hand"] for row in game.table()["seats"]}
        workers = {one for seat in held for _, one in game.tucked(seat)}
        play = turn.pick()
        spent = {turn.hand[turn.letters.index(x)].name for x in turn.view().spends(play)}
        events = turn.take(play)
        drawn: Counter[str] = Counter()
        shown: set[int] = set()
        for event in events:
            if isinstance(event, Drawn):
                epoch, first, size = at[event.pile]
                assert (event.epoch, event.first) == (epoch, first)
                assert 0 < event.size <= size - first
                at[event.pile] = (epoch, first + event.size, size)
                drawn[event.who] += event.size
            elif isinstance(event, Shuffled):
                epoch, first, size = at.get(event.pile, (-1, 0, 0))
                assert first == size, "a shuffle while cards are left"
                assert event.epoch == epoch + 1
                at[event.pile] = (event.epoch, 0, event.size)
            elif isinstance(event, Shown):
                shown.add(event.card)
                below = "end" in at and game.state.end_mask >> event.card & 1
                assert event.pile == ("end" if below else "deck")
        table = game.table()
        assert table["deck"] == at["deck"][2] - at["deck"][1]
        assert table.get("last", 0) == at.get("end", (0, 0, 0))[2] - at.get("end", (0, 0, 0))[1]
        for row in table["seats"]:
            gone = len(spent) if row["name"] == turn.seat else 0
            assert row["hand"] == held[row["name"]] - gone + drawn[row["name"]]
        placed = {cards.number[name] for name in spent}
        left = {one for seat in held for _, one in game.tucked(seat)}
        assert shown - {cards.end} <= workers | placed
        assert not shown & left, "a worker still lies there"
        assert workers - left <= shown
        assert game.over or cards.end not in shown
        _judge_words(game, events, turn, table)


def _judge_words(game: Xanadu, events: list[Event], turn: Turn, table: dict[str, Any]) -> None:
    """Public lines name no card but those that lie open or have come to light."""
    known = {e.card for e in events if isinstance(e, Shown)}
    public = {game.rules.card_name("deck", card) for card in known} | set(table["discards"])
    public |= {entry["card"] for row in table["seats"] for entry in row["city"]}
    state = game.state
    public |= {game.state.cards.names[card] for card in state.deck if state.epoch}
    for event in events:
        if isinstance(event, Said):
            assert WORDS.fullmatch(event.words), event.words
            assert event.words.split()[0] not in PROTOCOL
            named = {word for word in event.words.split() if word in plain_rules.CARDS}
            assert named <= public, event.words


def play_out(kind: tuple[int, bool], seed: int, guard: bool = True) -> tuple[int, bool]:
    """Return the number of decisions of a random game, and True if the End card ended it."""
    rng = Random(seed)
    state = deal(*kind, rng).state
    state.stall_guard = guard
    count = 0
    while state.kind != NOTHING:
        flow.apply(state, random_play(state, rng))
        count += 1
        assert count < 20_000
    return count, bool(state.end_pile) and state.end_next > state.end_place


def check_ends(kind: tuple[int, bool], seeds: range) -> None:
    by_card = sum(play_out(kind, seed)[1] for seed in seeds)
    assert by_card > 0.85 * len(seeds), "many random games stall"
    assert all(play_out(kind, seed, guard=False)[1] for seed in seeds[:20])


@pytest.mark.parametrize("kind", KINDS)
def test_random_games_end(kind: tuple[int, bool]) -> None:
    check_ends(kind, range(100))


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_a_thousand_random_games_end(kind: tuple[int, bool]) -> None:
    check_ends(kind, range(1000))


@pytest.mark.parametrize("kind", KINDS)
def test_games_between_greedy_players_end(kind: tuple[int, bool]) -> None:
    for seed, guard in enumerate((True, False)):
        game = deal(*kind, Random(seed))
        game.state.stall_guard = guard
        rng = Random(seed)
        count = 0
        while not game.over:
            turn = Turn(game, rng)
            turn.take(turn.view().suggest())
            count += 1
            assert count < 1000
        assert any(score.wins for score in game.scores())
