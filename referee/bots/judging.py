"""Judgement of a play that was made, by looking ahead from what its author saw."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

from referee.bots.hard import Hard, choose, follow, world_at_question
from referee.games.errors import NotUnderstood
from referee.games.flat import FlatView
from referee.games.search import WHOLE, Draws
from referee.records import NamedTuple

if TYPE_CHECKING:
    from referee.games.interface import Rules, View

WORLDS = 60
SURE = 2.0
"""The standard errors by which a difference must exceed 0 to count."""


class Judgement(NamedTuple):
    """The play of a bot in an author's place, and the share of a win by which it is better.

    The share is 0 where both may be equally good.
    """

    better: str
    loss: float

    @property
    def wins(self) -> int:
        """Return how many more of 100 games the play of the bot wins."""
        return round(100 * self.loss)


def judge(rules: Rules, view: View, play: str, seed: bytes) -> Judgement:
    """Judge a legal play in worlds that its author's view leaves possible.

    Raises NotUnderstood for a game in which programs cannot look ahead.
    """
    search = rules.search()
    if search is None or not isinstance(view, FlatView):
        raise NotUnderstood(f"no bot can judge plays of {rules.title} so far")
    effort = Hard(rules).effort_in(search)
    best = choose(search, view, seed, effort)
    better = search.play(view, best)
    if better == play:
        return Judgement(better, 0.0)
    made = view.action_of(play)
    seat = search.seat(view)
    # Other worlds than those in which the best was found: it was lucky there.
    draws = Draws(b"judge" + seed)
    gains = []
    for _ in range(WORLDS):
        world = world_at_question(search, view, draws, effort)
        values = []
        for answer in (best, made):
            then = search.copy(world)
            search.apply(then, answer)
            values.append(follow(search, then, seat, effort))
        gains.append((values[0] - values[1]) / WHOLE)
    mean = sum(gains) / WORLDS
    error = sqrt(sum((gain - mean) ** 2 for gain in gains) / (WORLDS - 1) / WORLDS)
    return Judgement(better, mean if mean > SURE * error else 0.0)
