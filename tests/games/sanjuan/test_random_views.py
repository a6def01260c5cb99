"""In random games of any rule set all are told everything that is public, and nothing else."""

from __future__ import annotations

import re
from collections import Counter
from random import Random
from typing import Any

from hypothesis import given, settings

from referee.games.sanjuan import position
from referee.games.sanjuan.game import SanJuan
from referee.games.values import Drawn, Event, Said, Shown, Shuffled, Taken
from tests.games.sanjuan.plain_rules import Clauses
from tests.games.sanjuan.random_deals import AGAIN, DEALS, Deal, waits
from tests.games.sanjuan.randomly import Turn, taken_apart
from tests.games.sanjuan.rule_sets import EVERY

WORDS = re.compile(r"[a-z0-9-]+( [a-z0-9-]+)*")


def resampled(game: SanJuan, seat: str, rng: Random) -> SanJuan:
    """A game that differs only in what the seat cannot see: all hidden cards change places.

    Events are never in hands, so in the deck they change places among themselves and the rest.
    """
    document = position.dump(game)
    deck, events = document["deck"], game.state.cards.events()
    apart = {game.rules.card_name("deck", card) for card in events}
    hidden: list[tuple[Any, Any]] = [
        *((deck, at) for at, name in enumerate(deck) if name not in apart),
        *((document["discards"], at) for at in range(len(document["discards"]))),
    ]
    for row in document["seats"]:
        if row["name"] != seat:
            hidden += [(row["hand"], at) for at in range(len(row["hand"]))]
        for entry in row["city"]:
            if "good" in entry:
                hidden.append((entry, "good"))
            for key in ("unseen", *(["under"] if row["name"] != seat else [])):
                hidden += [(entry[key], at) for at in range(len(entry.get(key, ())))]
    cards = [place[at] for place, at in hidden]
    rng.shuffle(cards)
    for (place, at), card in zip(hidden, cards, strict=True):
        place[at] = card
    rng.shuffle(deck)
    return position.load(document)


@AGAIN
@settings(max_examples=10, deadline=None)
@given(how=DEALS)
def test_a_view_knows_no_hidden_card(again: int, how: Deal) -> None:
    game, rng = how.begin()
    while not game.over:
        turn = Turn(game, rng)
        seat = rng.choice(game.state.seats)
        other = resampled(game, seat, rng)
        assert other.table() == game.table()
        assert other.decisions() == game.decisions()
        assert _own(other, seat) == _own(game, seat)
        if seat == turn.seat:
            mine = turn.view()
            theirs = game.rules.view(game.state.seats, other.table(), seat, turn.hand)
            assert theirs.choices() == mine.choices()
            assert theirs.plays() == mine.plays()
            assert theirs.suggest() == mine.suggest()
        turn.take(turn.pick())


def _own(game: SanJuan, seat: str) -> tuple[list[str], list[tuple[str, str]]]:
    """Return a seat's own cards: its hand, and what it put under each of its buildings."""
    name = game.rules.card_name
    tucked = [(place, name("deck", card)) for place, card in game.tucked(seat)]
    hand = [name("deck", card) for card in game.hand(seat)]
    return hand, sorted(tucked, key=lambda placed: int(placed[0]))


@AGAIN
@settings(max_examples=15, deadline=None)
@given(how=DEALS)
def test_events_tell_every_card_that_leaves_a_pile(again: int, how: Deal) -> None:
    game, rng = how.begin()
    epoch, at, size = 0, game.state.next, len(game.state.deck)
    lying_open = [("deck", card) for card in game.state.turned]
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
        drawn.subtract(_discarded(events))
        for row in table["seats"]:
            if row["name"] != turn.seat and turn.kind != "keep" and not waits(game, "keep"):
                assert row["hand"] == held[row["name"]] + drawn[row["name"]]
        _judge_words(events, taken_apart(play, turn.kind), table)


def _discarded(events: list[Event]) -> Counter[str]:
    """Count the cards that each seat discarded, as the public lines tell it."""
    found: Counter[str] = Counter()
    for event in events:
        if isinstance(event, Said) and event.words.startswith("discard "):
            _, seat, count = event.words.split()
            found[seat] += int(count)
    return found


def _judge_words(events: list[Event], play: Clauses, table: dict[str, Any]) -> None:
    """Public lines name no card but those built, covered, destroyed or turned over (G8)."""
    built = {*play.get("build", ())}
    covered = {
        card for row in table["seats"] for entry in row["city"] for card in entry.get("over", ())
    }
    for event in events:
        if not isinstance(event, Said):
            continue
        assert WORDS.fullmatch(event.words), event.words
        first, *rest = event.words.split()
        named = {word for word in rest if word in EVERY[-1].cards}
        if first == "build":
            named -= built | covered
        elif first == "role":
            named -= {"library"}
        elif first == "lose":
            assert len(named) == 1
            continue
        elif first in ("mine", "goldsmith"):
            assert any(isinstance(e, Taken) for e in events) or not named
            continue
        assert not named, event.words
