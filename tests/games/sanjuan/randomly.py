"""Random games and random plays near the legal ones, from a seed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from referee.games.interface import Decision, Event, Held, Rules, Shuffle, View, letter
from referee.games.sanjuan import plays, position
from referee.games.sanjuan.chance import random_play
from referee.games.sanjuan.game import SanJuan
from referee.games.sanjuan.rules import RULES
from tests.games.sanjuan.plain_rules import CARDS, ROLES, Clauses, text_of

SEATS = ("ana", "ben", "cleo", "dan")
WORDS = {
    "role": ("role", "no-library"),
    "build": ("build", "over", "goods", "pay", "decline"),
    "produce": ("produce",),
    "sell": ("sell",),
    "keep": ("keep", "discard"),
    "tidy": ("chapel", "discard"),
}
"""The words of each kind of play, in the order of its canonical form."""
LISTS = ("goods", "pay", "decline", "produce", "sell", "keep", "discard")


def shuffle_with(rng: Random, rules: Rules) -> Shuffle:
    """A shuffle from a seed; the numbers that the engine gives to cards make no difference."""

    def shuffle(pile: str, epoch: int, cards: Sequence[int]) -> Sequence[int]:
        return rng.sample(sorted(cards, key=lambda card: rules.card_name(pile, card)), len(cards))

    return shuffle


def deal(count: int, rng: Random, deck: int | None = None) -> SanJuan:
    """A game of `count` seats; with `deck`, only so many cards are left in the draw pile."""
    rules = RULES.choose("2014", [], [], {})
    shuffle = shuffle_with(rng, rules)
    game, _ = rules.start(SEATS[:count], shuffle)
    assert isinstance(game, SanJuan)
    if deck is None:
        return game
    document = position.dump(game)
    document["deck"] = document["deck"][:deck]
    document["round_limit"] = 40
    return position.load(document, shuffle)


class Turn:
    """An open decision with its letters: what a referee would send and get."""

    def __init__(self, game: SanJuan, rng: Random) -> None:
        self.game = game
        self.rng = rng
        self.decision: Decision = game.decisions()[0]
        self.seat = self.decision.seat
        self.kind = self.decision.kind
        cards = game.hand(self.seat)
        self.letters = [letter(index) for index in range(len(cards))]
        rng.shuffle(self.letters)
        names = [game.rules.card_name("deck", card) for card in cards]
        self.hand = [Held(*pair) for pair in zip(self.letters, names, strict=True)]

    def view(self) -> View:
        """What the seat sees now."""
        game = self.game
        return game.rules.view(game.state.seats, game.table(), self.seat, self.hand)

    def pick(self) -> str:
        """A random legal play."""
        state = self.game.state
        action = random_play(state, self.rng)
        return plays.render(state, state.seats.index(self.seat), action, self.letters)

    def take(self, play: str) -> list[Event]:
        """Answer the decision."""
        return self.game.take(self.decision.id, play, self.letters)

    def near(self, play: str) -> Iterator[Clauses]:
        """Grammatical plays that differ from this one in a word or two, without an end."""
        rng = self.rng
        while True:
            clauses = taken_apart(play)
            for _ in range(rng.choice((1, 1, 2))):
                self._change(clauses)
            words = [word for word in (*WORDS[self.kind], "pass") if word in clauses]
            ordered = {word: _ascending(word, clauses[word]) for word in words}
            if ordered and (set(ordered) == {"pass"} or self._complete(ordered)):
                yield ordered

    def _complete(self, clauses: Clauses) -> bool:
        head = WORDS[self.kind][0]
        if self.kind in ("keep", "tidy"):
            return "pass" not in clauses
        return head in clauses and "pass" not in clauses

    def _change(self, clauses: Clauses) -> None:
        rng = self.rng
        word = rng.choice((*WORDS[self.kind], "pass"))
        known = self._known(word)
        if word in ("pass", "no-library"):
            if clauses.pop(word, None) is None:
                clauses[word] = []
            return
        if word not in LISTS or word not in clauses:
            if word in clauses and rng.random() < 0.3:
                del clauses[word]
            elif known:
                clauses.pop("pass", None)
                clauses[word] = [rng.choice(known)]
            return
        named = clauses[word]
        if named and rng.random() < 0.6:
            named.remove(rng.choice(named))
        if known and rng.random() < 0.6:
            named.append(rng.choice(known))
        if not named:
            del clauses[word]

    def _known(self, word: str) -> Sequence[str]:
        if word == "role":
            return ROLES
        if word == "build":
            return list(CARDS) if self.rng.random() < 0.2 else [held.name for held in self.hand]
        if word in ("over", "goods", "produce", "sell"):
            return [str(plot) for plot in range(1, len(self._city()) + 2)]
        if word == "decline":
            return ("privilege", "smithy", "quarry")
        return self.letters

    def _city(self) -> Sequence[int]:
        state = self.game.state
        return state.city[state.seats.index(self.seat)]


def taken_apart(play: str) -> Clauses:
    """The clauses of a canonical play."""
    clauses: Clauses = {}
    first = play.split()[0]
    words = next((words for words in WORDS.values() if first in words), ("pass",))
    for word in play.split():
        if word in words:
            last = clauses[word] = []
        else:
            last.append(word)
    assert text_of(clauses) == play
    return clauses


def _ascending(word: str, named: Sequence[str]) -> list[str]:
    if word == "decline":
        return [name for name in ("privilege", "smithy", "quarry") if name in named]
    return sorted(set(named), key=lambda name: (len(name), name))
