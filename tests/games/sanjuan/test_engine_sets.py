"""The core stays in step with itself in every rule set, and its events prove hands and events."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

from referee.games.sanjuan import flow, greedy, plays, scoring
from referee.games.sanjuan.cards import FIRST_EVENT, HOLDERS, PRODUCTION
from referee.games.sanjuan.chance import random_play
from referee.games.sanjuan.state import EMPTY, NOTHING, State
from referee.games.values import Drawn, Event, Said, Shown, Shuffle, Shuffled, Taken, letter
from tests.games.sanjuan.rule_sets import EVERY, NAMED, RuleSet

SEATS = ("ana", "ben", "cleo", "dan")
LETTERS = [letter(place) for place in range(120)]


def shuffle_with(rng: Random) -> Shuffle:
    """A shuffle from a seed."""
    return lambda pile, epoch, cards: rng.sample(list(cards), len(cards))


def lying(st: State) -> list[int]:
    """Every card of a game, wherever it lies."""
    found = [*st.deck[st.next :], *st.discards, *st.face_up, *st.removed, *st.beside, *st.turned]
    for pile in (*st.hand, *st.city, *st.good):
        found += [card for card in pile if card != EMPTY]
    found += [card for *_, card in (*st.over, *st.under, *st.unseen)]
    return found


def in_step(st: State) -> None:
    """Check that two values that the state keeps of one thing, for speed, are the same."""
    kind_of = st.cards.kind_of
    assert sorted(lying(st)) == list(range(st.cards.total + len(st.cards.beside)))
    left = [kind_of[card] >= FIRST_EVENT for card in st.deck[st.next :]]
    assert st.events_left == sum(left)
    assert st.stop == st.next + (left.index(True) if True in left else len(left))
    everything = 0
    for seat, city in enumerate(st.city):
        kinds = [kind_of[card] if card != EMPTY else -1 for card in city]
        own = sum(1 << kind for kind in {*kinds} - {-1})
        assert st.own_mask[seat] == own
        everything |= own
        plants = [plot for plot, kind in enumerate(kinds) if kind >= 0 and PRODUCTION >> kind & 1]
        assert st.prod_mask[seat] == sum(1 << plot for plot in plants)
        goods = [plot for plot, card in enumerate(st.good[seat]) if card != EMPTY]
        assert st.full_mask[seat] == sum(1 << plot for plot in goods)
        assert all(kinds[plot] >= 0 and HOLDERS >> kinds[plot] & 1 for plot in goods)
        assert len(st.good[seat]) == len(city)
        cards = [*st.hand[seat], *st.good[seat], *st.discards]
        assert not any(kind_of[card] >= FIRST_EVENT for card in cards if card != EMPTY)
    assert st.anywhere == everything


@pytest.mark.parametrize("which", EVERY, ids=str)
@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("games", [4, pytest.param(500, marks=pytest.mark.long)])
def test_random_games_stay_in_step_and_end(which: RuleSet, seats: int, games: int) -> None:
    """Cards are conserved, those that left the game included, and every game ends (G6, G7)."""
    rules = which.rules
    for seed in range(games):
        rng = Random(f"{which} {seats} {seed}")
        st = rules.start(SEATS[:seats], shuffle_with(rng))[0].state
        looks = seed < 4
        while st.kind != NOTHING:
            if looks:
                in_step(st)
            flow.apply(st, random_play(st, rng))
        in_step(st)
        most = max(st.buildings(seat) for seat in range(seats))
        assert most == 12 if st.round < st.limit else most <= 12


class Witness:
    """Follows the public events of a game as somebody who knows the order of the piles."""

    def __init__(self, which: RuleSet, seats: int, rng: Random) -> None:
        self.orders: dict[tuple[str, int], list[int]] = {}
        self.rng = rng
        self.owned: dict[str, set[int]] = {seat: set() for seat in SEATS[:seats]}
        self.open: set[int] = set()
        self.shown: list[Shown] = []
        self.laid: set[str] = set()
        self.epoch = self.next = 0
        self.game, opened = which.rules.start(SEATS[:seats], self.shuffle)
        self.see(opened)

    def shuffle(self, pile: str, epoch: int, cards: Sequence[int]) -> list[int]:
        """A shuffle that is remembered."""
        self.orders[pile, epoch] = self.rng.sample(list(cards), len(cards))
        return self.orders[pile, epoch]

    def see(self, events: Sequence[Event]) -> None:
        """Check one entry's events against what went before."""
        game = self.game
        for number, event in enumerate(events):
            if isinstance(event, Drawn):
                self._drawn(event, events[number + 1 : number + 3])
            elif isinstance(event, Shuffled) and event.pile == "deck" and event.epoch:
                assert self.next == len(self.orders["deck", self.epoch])
                self.epoch, self.next = event.epoch, 0
                assert event.size == len(self.orders["deck", self.epoch])
            elif isinstance(event, Shown):
                self.shown.append(event)
            elif isinstance(event, Taken):
                assert Shown("deck", event.card) in self.shown
                assert event.card in self.open
                self.owned[event.who].add(event.card)
        for seat, cards in self.owned.items():
            assert set(game.hand(seat)) <= cards
        names = [
            game.rules.card_name("deck", card) for card in game.state.face_up + game.state.removed
        ]
        assert self.laid == {*names} - {"cathedral"}
        assert game.state.next == self.next

    def _drawn(self, event: Drawn, then: Sequence[Event]) -> None:
        assert (event.epoch, event.first) == (self.epoch, self.next)
        assert event.size > 0
        self.next += event.size
        cards = self.orders["deck", self.epoch][event.first : self.next]
        assert len(cards) == event.size
        kinds = [self.game.state.cards.kind_of[card] for card in cards]
        if any(kind >= FIRST_EVENT for kind in kinds):
            name = self.game.rules.card_name("deck", cards[0])
            assert (event.who, event.size) == ("table", 1)
            assert list(then) == [Shown("deck", cards[0]), Said(f"event laid {name}")]
            self.laid.add(name)
        elif event.who == "table":
            self.open.update(cards)
        else:
            self.owned[event.who].update(cards)


@pytest.mark.parametrize("which", EVERY, ids=str)
def test_hands_follow_from_draws_and_takes_alone(which: RuleSet) -> None:
    """Every position leaves the pile in one draw, an event's by the table with its proof (E1)."""
    for seats in (2, 3, 4):
        rng = Random(f"{which} {seats}")
        witness = Witness(which, seats, rng)
        game = witness.game
        while not game.over:
            st = game.state
            action = random_play(st, rng)
            text = plays.render(st, st.actor, action, LETTERS)
            letters = LETTERS[: len(st.hand[st.actor])]
            witness.see(game.take(game.decisions()[0].id, text, letters))


@pytest.mark.parametrize("which", NAMED.values(), ids=str)
@pytest.mark.parametrize("seats", [2, 4])
def test_the_greedy_player_beats_chance(which: RuleSet, seats: int) -> None:
    """In every rule set; its games have as many rounds as the rule books say (section 4)."""
    won = rounds = 0
    for seed in range(12):
        rng = Random(f"{which} {seats} {seed}")
        rules, bot = which.rules, seed % seats
        st = rules.start(SEATS[:seats], shuffle_with(rng))[0].state
        while st.kind != NOTHING:
            greedy_turn = st.actor == bot
            flow.apply(st, greedy.choose(st, bot) if greedy_turn else random_play(st, rng))
        won += scoring.scores(st)[bot].wins
        st = rules.start(SEATS[:seats], shuffle_with(rng))[0].state
        while st.kind != NOTHING:
            action = greedy.choose(st, st.actor)
            assert flow.refuse(st, st.actor, action) == ""
            flow.apply(st, action)
        rounds += st.round
    assert won >= 11
    assert 10.5 <= rounds / 12 <= 17


def test_whoever_has_nothing_waits_for_the_round_limit() -> None:
    """All cards under banks and chapels: nobody can do anything, and the game still ends (G7)."""
    rules = NAMED["all"].rules
    for seats in (2, 3, 4):
        rng = Random(seats)
        st = rules.start(SEATS[:seats], shuffle_with(rng))[0].state
        while st.turn == 0:
            flow.apply(st, random_play(st, rng))
        for seat, hand in enumerate(st.hand):
            st.under += tuple((seat, 0, card) for card in hand)
            hand.clear()
        st.under += tuple((0, 0, card) for card in (*st.deck, *st.discards))
        st.put_deck(())
        st.discards = []
        while st.kind != NOTHING:
            flow.apply(st, random_play(st, rng))
        assert st.round == 100
