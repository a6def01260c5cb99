"""Figures about who is the better player: intervals of shares, and ratings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import sqrt
from statistics import fmean
from typing import Any

from referee.records import NamedTuple

Z = 1.959963984540054
"""Standard errors to each side within which 95 of 100 results lie."""
RATINGS = "sanjuan-ref[ratings]"
"""The extra that brings the library for ratings."""


class Rating(NamedTuple):
    """An estimate of strength in OpenSkill's units, and its standard error."""

    strength: float
    doubt: float


class Finish(NamedTuple):
    """One seat at the end of a game: who sat there, and its place, the winner's being 1."""

    name: str
    place: int


def interval(wins: float, games: int) -> tuple[float, float]:
    """Return Wilson's interval of 95 % for a share of wins; a shared win counts as its part."""
    if not games:
        return 0.0, 1.0
    share, square = wins / games, Z * Z
    middle = share + square / (2 * games)
    spread = Z * sqrt(share * (1 - share) / games + square / (4 * games * games))
    low, high = ((middle + sign * spread) / (1 + square / games) for sign in (-1, 1))
    return max(0.0, low), min(1.0, high)


def ratings(games: Iterable[Sequence[Finish]]) -> dict[str, Rating] | None:
    """Return the ratings of all players after these games, in the order in which they were played.

    None where the library that rates is not installed. Where one player has several seats in a
    game, what it learns from each is averaged.
    """
    try:
        # Slow to import, and not everybody has it.
        from openskill.models import PlackettLuce
    except ImportError:
        return None
    model = PlackettLuce()
    known: dict[str, Any] = {}
    for game in games:
        names = [finish.name for finish in game]
        before = [known.get(name) or model.rating(name=name) for name in names]
        if len(set(names)) < 2:
            known |= zip(names, before, strict=True)
            continue
        rated = model.rate([[one] for one in before], ranks=[finish.place for finish in game])
        after = [team[0] for team in rated]
        for name in dict.fromkeys(names):
            own = [one for one, whose in zip(after, names, strict=True) if whose == name]
            mean = fmean(one.mu for one in own), fmean(one.sigma for one in own)
            known[name] = model.rating(mu=mean[0], sigma=mean[1], name=name)
    return {name: Rating(one.mu, one.sigma) for name, one in known.items()}
