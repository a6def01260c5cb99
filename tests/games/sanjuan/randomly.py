"""Random games and random plays near the legal ones, from a seed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from referee.games.sanjuan import plays, position
from referee.games.sanjuan.chance import random_play
from referee.games.sanjuan.game import SanJuan
from tests.games.randomly import Asked, shuffle_with
from tests.games.sanjuan.plain_rules import ROLES, Clauses, Seen, text_of
from tests.games.sanjuan.rule_sets import NAMED, RuleSet

SEATS = ("ana", "ben", "cleo", "dan")
WORDS = {
    "role": ("role", "event", "no-library"),
    "build": ("build", "over", "goods", "pay", "decline"),
    "produce": ("produce",),
    "sell": ("sell",),
    "keep": ("keep", "discard"),
    "tidy": ("chapel", "bank", "discard"),
    "draft": ("keep",),
    "office": ("discard",),
    "mine": ("take",),
    "earthquake": ("lose",),
    "taxes": ("discard",),
    "amnesty": ("discard",),
    "free-build": ("build",),
}
"""The words of each kind of play, in the order of its canonical form."""
LISTS = ("goods", "pay", "decline", "produce", "sell", "keep", "discard", "bank")
ONE_OF = ("keep", "tidy", "role")
"""Kinds of plays of which no single word is needed."""


def deal(
    count: int, rng: Random, deck: int | None = None, rules: RuleSet = NAMED["2014"]
) -> SanJuan:
    """A game of `count` seats; with `deck`, only so many cards are left in the draw pile."""
    shuffle = shuffle_with(rng, rules.rules)
    game, _ = rules.rules.start(SEATS[:count], shuffle)
    if deck is None:
        return game
    document = position.dump(game)
    document["deck"] = document["deck"][:deck]
    document["round_limit"] = 40
    return position.load(document, shuffle)


class Turn(Asked[SanJuan]):
    """An open decision, random plays and plays that are nearly right."""

    def pick(self) -> str:
        """A random legal play."""
        state = self.game.state
        action = random_play(state, self.rng)
        return plays.render(state, state.seats.index(self.seat), action, self.letters)

    def near(self, play: str) -> Iterator[Clauses]:
        """Grammatical plays that differ from this one in a word or two, without an end."""
        rng = self.rng
        while True:
            clauses = taken_apart(play, self.kind)
            for _ in range(rng.choice((1, 1, 2))):
                self._change(clauses)
            words = [word for word in (*WORDS[self.kind], "pass") if word in clauses]
            ordered = {word: _ascending(word, clauses[word]) for word in words}
            if ordered and (set(ordered) == {"pass"} or self._complete(ordered)):
                yield ordered

    def seen(self, rules: RuleSet) -> Seen:
        """The table as everybody sees it."""
        return Seen(rules, self.game.table())

    def _complete(self, clauses: Clauses) -> bool:
        if self.kind in ONE_OF:
            return "pass" not in clauses and bool({*clauses} - {"no-library"})
        return WORDS[self.kind][0] in clauses and "pass" not in clauses

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
                if word in ("role", "event") and rng.random() < 0.9:
                    clauses.pop("event" if word == "role" else "role", None)
                if word == "event" and (clauses[word] == ["governor-visit"] or rng.random() < 0.1):
                    clauses[word].append(rng.choice(ROLES))
            return
        named = clauses[word]
        if named and rng.random() < 0.6:
            named.remove(rng.choice(named))
        if known and rng.random() < 0.6:
            named.append(rng.choice(known))
        if not named:
            del clauses[word]

    def _known(self, word: str) -> Sequence[str]:
        cards = self.game.state.cards
        if word == "role":
            return ROLES
        if word == "event":
            return [cards.name(card) for card in cards.events()]
        if word in ("build", "take"):
            if self.rng.random() < 0.2:
                return [cards.name(card) for card in cards.first if card >= 0]
            if word == "take":
                return list(self.game.table().get("turned", ()))
            beside = self.game.table().get("beside", ())
            return [*(held.name for held in self.hand), *beside]
        if word in ("over", "goods", "produce", "sell", "lose"):
            return [str(plot) for plot in range(1, len(self._city()) + 2)]
        if word == "decline":
            return ("privilege", "smithy", "quarry")
        return self.letters

    def _city(self) -> Sequence[int]:
        state = self.game.state
        return state.city[state.seats.index(self.seat)]


def taken_apart(play: str, kind: str) -> Clauses:
    """The clauses of a canonical play of this kind."""
    clauses: Clauses = {}
    for word in play.split():
        if word in (*WORDS[kind], "pass"):
            last = clauses[word] = []
        else:
            last.append(word)
    assert text_of(clauses) == play
    return clauses


def _ascending(word: str, named: Sequence[str]) -> list[str]:
    if word == "decline":
        return [name for name in ("privilege", "smithy", "quarry") if name in named]
    if word == "event":
        return list(named)
    return sorted(set(named), key=lambda name: (len(name), name))
