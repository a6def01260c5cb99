"""What must hold after every step of any game of any rule set, whoever plays how."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from itertools import chain
from random import Random
from typing import Any, NamedTuple

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
from tests.games.sanjuan.plain_asked import Ahead, cards_left, could_build
from tests.games.sanjuan.plain_rules import Clauses, Seen
from tests.games.sanjuan.randomly import Turn, deal, taken_apart
from tests.games.sanjuan.rule_sets import EVERY, NEW, RuleSet

WORDS = re.compile(r"[a-z0-9-]+( [a-z0-9-]+)*")
OPEN_PILES = ("deck", "discards", "events", "beside", "removed", "turned")
AGAIN = pytest.mark.parametrize(
    "again", [0, *(pytest.param(number, marks=pytest.mark.long) for number in range(1, 40))]
)
"""Once, and with `-m long` forty times."""


class Deal(NamedTuple):
    """How a game begins; with `deck`, only so many cards are left in the draw pile."""

    rule_set: RuleSet
    seats: int
    seed: int
    deck: int | None

    def begin(self) -> tuple[SanJuan, Random]:
        """The dealt game, and chance to play on with."""
        rng = Random(self.seed)
        return deal(self.seats, rng, self.deck, self.rule_set), rng


DEALS = st.builds(
    Deal,
    st.sampled_from(EVERY),
    st.integers(2, 4),
    st.integers(0, 2**32),
    st.none() | st.none() | st.integers(0, 30),
)
"""Every rule set, and often so few cards in the draw pile that it runs out."""


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


def accepts(view: View, play: str) -> bool:
    """Whether the seat's own program lets this play pass."""
    try:
        view.check(play)
    except (NotUnderstood, Illegal):
        return False
    return True


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
@settings(max_examples=40, deadline=None)
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
    piles = (state.deck[state.next :], state.discards, state.beside, state.row, state.gone)
    cards = [
        *chain(*piles, *state.hand, *state.city, *state.good, state.turned),
        *(card for *_, card in (*state.over, *state.under, *state.unseen)),
    ]
    return {card for card in cards if card >= 0}


@AGAIN
@settings(max_examples=25, deadline=None)
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
@settings(max_examples=20, deadline=None)
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


def resampled(game: SanJuan, seat: str, rng: Random) -> SanJuan:
    """A game that differs only in what the seat cannot see: all hidden cards change places.

    Events are never in hands, so in the deck they change places among themselves and the rest.
    """
    document = position.dump(game)
    deck, events = document["deck"], game.rules.cards.events()
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
@settings(max_examples=25, deadline=None)
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
    """What a seat sees of its own cards: its hand, and what it put under each of its buildings."""
    name = game.rules.card_name
    tucked = [(place, name("deck", card)) for place, card in game.tucked(seat)]
    hand = [name("deck", card) for card in game.hand(seat)]
    return hand, sorted(tucked, key=lambda placed: int(placed[0]))


@AGAIN
@settings(max_examples=30, deadline=None)
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
            if row["name"] != turn.seat and turn.kind != "keep" and not _waits(game, "keep"):
                assert row["hand"] == held[row["name"]] + drawn[row["name"]]
        _judge_words(events, taken_apart(play, turn.kind), table)


def _waits(game: SanJuan, kind: str) -> bool:
    return any(decision.kind == kind for decision in game.decisions())


def _discarded(events: list[Event]) -> Counter[str]:
    """How many cards each seat discarded, as the public lines tell it."""
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


@AGAIN
@settings(max_examples=20, deadline=None)
@given(how=DEALS)
def test_copies_share_nothing(again: int, how: Deal) -> None:
    game, rng = how.begin()
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


@AGAIN
@settings(max_examples=60, deadline=None)
@given(how=DEALS)
def test_seats_are_asked_as_public_facts_say(again: int, how: Deal) -> None:
    """Who is asked follows from the table on which a phase begins, and the turns go round."""
    game, rng = how.begin()
    ahead: Ahead | None = None
    if "draft-start" in how.rule_set.variants:
        ahead = Ahead(Seen(how.rule_set, game.table()), "draft")
        assert _asked(game) == ahead.seats
    while not game.over:
        turn = Turn(game, rng)
        table = game.table()
        play = turn.pick()
        clauses = taken_apart(play, turn.kind)
        if turn.kind == "role":
            ahead = _phase_of(how.rule_set, table, clauses)
        else:
            assert ahead is not None
            ahead.seats = ahead.seats[ahead.seats.index(turn.seat) + 1 :]
        turn.take(play)
        if game.over:
            break
        _judge_asked(game, ahead, table)
        now = game.table()
        if now["round"] > table["round"] or (turn.kind == "office" and not _waits(game, "office")):
            ahead = _round_start(how.rule_set, game, turn.kind)


def _asked(game: SanJuan) -> list[str]:
    return [decision.seat for decision in game.decisions()]


def _phase_of(rule_set: RuleSet, table: dict[str, Any], clauses: Clauses) -> Ahead:
    """Who will be asked after this choice of a role or an event."""
    chosen = [*clauses.get("role", ()), *clauses.get("event", ())]
    phase = chosen[-1]
    seen = Seen(rule_set, table)
    chooser = table["chooser"]
    in_use = phase in plain_rules.ROLES and seen.library_is_free(chooser)
    doubled = in_use and "no-library" not in clauses
    return Ahead(Seen(rule_set, {**table, "doubled": doubled}), phase)


def _judge_asked(game: SanJuan, ahead: Ahead, before: dict[str, Any]) -> None:
    """The open decisions are those of the phase, or it is over and the next seat chooses."""
    kinds = {decision.kind for decision in game.decisions()}
    assert len(kinds) == 1
    now, asked, passed = game.table(), _asked(game), ahead.seats
    goes_on = kinds == {ahead.kind} and now["round"] == before["round"]
    if goes_on and ahead.serial:
        assert len(asked) == 1
        passed = ahead.seats[: ahead.seats.index(asked[0])]
    elif goes_on:
        assert asked == ahead.seats
        passed = []
    if ahead.kind == "build":
        # Of what the others wait for, only what lies beside the deck can have changed.
        table = {**ahead.seen.table, "beside": now.get("beside", [])}
        seen = ahead.seen._replace(table=table)
        assert not any(could_build(seen, seat) for seat in passed)
        assert not goes_on or could_build(seen, asked[0])
    elif ahead.kind != "mine":
        assert passed == []
    if not goes_on:
        _judge_turn(before, now, kinds)


def _judge_turn(before: dict[str, Any], now: dict[str, Any], kinds: set[str]) -> None:
    """Turns go round clockwise from the governor, who moves one seat on in every round."""
    names = [row["name"] for row in now["seats"]]
    turns = 3 if len(names) == 2 else len(names)
    if kinds <= {"office", "tidy"} or now["turn"] == 1:
        assert now["governor"] == names[(now["round"] - 1) % len(names)]
        assert now["used"] == now["library-used"] == []
        assert before["turn"] in (0, turns)
    else:
        assert kinds == {"role"}
        assert now["round"] == before["round"]
        assert now["turn"] == before["turn"] + 1
    if kinds == {"role"}:
        chooser = (names.index(now["governor"]) + now["turn"] - 1) % len(names)
        assert now["chooser"] == names[chooser]


def _round_start(rule_set: RuleSet, game: SanJuan, kind: str) -> Ahead | None:
    """Who will be asked next in a round that begins, after checking who is asked now."""
    seen = Seen(rule_set, {**game.table(), "chooser": game.table()["governor"]})
    office, tidy = Ahead(seen, "office"), Ahead(seen, "tidy")
    due = [step for step in (office, tidy) if step.seats]
    if kind == "office":
        due = [tidy] if tidy.seats else []
    if not due:
        assert _waits(game, "role")
        return None
    assert _asked(game) == due[0].seats
    assert _waits(game, due[0].kind)
    return due[0]


@AGAIN
@settings(max_examples=120, deadline=None)
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
@pytest.mark.parametrize("games", [20, pytest.param(400, marks=pytest.mark.long)])
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
