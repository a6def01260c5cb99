"""Random games and random plays near the legal ones, from a seed."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from referee.games.xanadu import plays, position
from referee.games.xanadu.chance import random_play
from referee.games.xanadu.game import Xanadu
from referee.games.xanadu.rules import RULES
from tests.games.randomly import Asked, shuffle_with
from tests.games.xanadu.plain_rules import CARDS, taken_apart, text_of

SEATS = ("ana", "ben", "cleo", "dan", "eve", "fay")
KINDS = [
    (2, False),
    (3, False),
    (4, False),
    (5, False),
    (6, False),
    (2, True),
    (3, True),
    (4, True),
]
"""Every number of seats, and whether the advanced rules are played."""


def deal(count: int, advanced: bool, rng: Random, deck: int | None = None) -> Xanadu:
    """A game of `count` seats; with `deck`, only so many cards are left in the draw pile."""
    rules = RULES.choose(None, [], ["advanced"] if advanced else [], {})
    shuffle = shuffle_with(rng, rules)
    game, _ = rules.start(SEATS[:count], shuffle)
    if deck is None:
        return game
    document = position.dump(game)
    document["discards"] = document["deck"][deck:]
    document["deck"] = document["deck"][:deck]
    return position.load(document, shuffle)


class Turn(Asked[Xanadu]):
    """An open decision, random plays and plays that are nearly right."""

    @property
    def opens(self) -> bool:
        """True if cards are laid to begin with."""
        return self.kind in ("opening", "reset")

    def pick(self) -> str:
        """A random legal play."""
        state = self.game.state
        action = random_play(state, self.rng)
        return plays.render(state, state.seats.index(self.seat), action, self.letters)

    def near(self, play: str) -> Iterator[str]:
        """Grammatical plays that differ from this one in a word or two, without an end."""
        rng = self.rng
        while True:
            if self.opens:
                count = rng.choice((1, 1, 2, 3))
                some = rng.sample(self.letters, min(count, len(self.letters)))
                yield " ".join(["open", *sorted(some)])
                continue
            sells, steps = ([], []) if play == "pass" else taken_apart(play)
            for _ in range(rng.choice((1, 1, 2))):
                self._change(sells, steps)
            yield text_of(sorted(sells), steps)

    def _change(self, sells: list[int], steps: list[list[str]]) -> None:
        rng = self.rng
        what = rng.randrange(6)
        if what == 0:
            plot = rng.randrange(1, 8)
            (sells.remove if plot in sells else sells.append)(plot)
        elif what == 1 and steps:
            steps.pop(rng.randrange(len(steps)))
        elif what == 2 and len(steps) > 1:
            rng.shuffle(steps)
        elif what == 3:
            steps.insert(rng.randrange(len(steps) + 1), self._build())
        else:
            steps.insert(rng.randrange(len(steps) + 1), self._work())

    def _build(self) -> list[str]:
        held = [card.name for card in self.hand]
        return ["build", self.rng.choice(held if held and self.rng.random() < 0.9 else list(CARDS))]

    def _work(self) -> list[str]:
        spots = [
            (row["name"], str(entry["plot"]))
            for row in self.game.table()["seats"]
            for entry in row["city"]
        ]
        strange = (self.rng.choice(self.game.state.seats), str(self.rng.randrange(1, 9)))
        letters = self.letters or ["a"]
        spot = self.rng.choice(spots) if spots and self.rng.random() < 0.9 else strange
        return ["work", self.rng.choice(letters), *spot]
