"""Workers that would pay for a card: searched for suggestions, never to judge a play."""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.xanadu.state import FULL
from referee.games.xanadu.turn import Walk

Way = tuple[tuple[int, int], ...]
"""(seat, plot) for each worker, buildings in table order."""

_EFFORT = 4000
"""Looks at a field after which the search gives up."""


class _Target:
    """A building in play with free fields, and the gains of 1, 2, … more workers there."""

    __slots__ = ("gains", "last", "spot")

    def __init__(self, walk: Walk, owner: int, plot: int) -> None:
        cards = walk.st.cards
        card = walk.st.city[owner][plot][0]
        self.spot = (owner, plot)
        self.gains: list[int] = []
        self.last: list[int] = []
        total = 0
        for crew in range(walk.crew(owner, plot), FULL):
            gain = cards.gives[card][crew]
            if owner == walk.seat:
                gain += cards.favours[card][crew]
            total += gain
            self.gains.append(total)
            self.last.append(gain)


def open_spots(walk: Walk) -> list[tuple[int, int]]:
    """Return (seat, plot) of the buildings on which a worker may still go."""
    return [
        (owner, plot)
        for owner, city in enumerate(walk.st.city)
        for plot in city
        if (owner != walk.seat or plot not in walk.gone) and walk.crew(owner, plot) < FULL
    ]


def ways(walk: Walk, cost: int, most: int) -> Iterator[Way]:
    """Yield the ways to make a cost payable with up to `most` workers, those with fewest first.

    No worker of a way could be left out, and no two ways are the same workers in another order.
    """
    search = _Search(walk, cost)
    for count in range(most + 1):
        yield from search.find(0, count, walk.pool, ())


class _Search:
    __slots__ = ("cards", "cost", "effort", "pool", "targets")

    def __init__(self, walk: Walk, cost: int) -> None:
        self.cards = walk.st.cards
        self.cost = cost
        self.pool = walk.pool
        self.effort = _EFFORT
        self.targets = [_Target(walk, *spot) for spot in open_spots(walk)]

    def find(
        self, start: int, count: int, pool: int, chosen: tuple[tuple[int, int], ...]
    ) -> Iterator[Way]:
        """Yield ways that use exactly `count` more workers on the targets from `start` on."""
        lacks = self.cards.missing(pool, self.cost)
        if not lacks:
            if not count and self._needed(pool, chosen):
                yield tuple(
                    spot for number, crew in chosen for spot in (self.targets[number].spot,) * crew
                )
            return
        if not count:
            return
        wanted = self._lanes(lacks)
        for number in range(start, len(self.targets)):
            target = self.targets[number]
            for crew in range(1, min(count, len(target.gains)) + 1):
                self.effort -= 1
                if self.effort < 0:
                    return
                if self._lanes(target.last[crew - 1]) & wanted:
                    yield from self.find(
                        number + 1,
                        count - crew,
                        pool + target.gains[crew - 1],
                        (*chosen, (number, crew)),
                    )

    def _lanes(self, bundle: int) -> int:
        """Return the guard bits of the resources that a bundle has any of."""
        guard = self.cards.guard
        return (bundle + (guard - (guard >> 7))) & guard

    def _needed(self, pool: int, chosen: tuple[tuple[int, int], ...]) -> bool:
        for number, crew in chosen:
            if not self.cards.missing(pool - self.targets[number].last[crew - 1], self.cost):
                return False
        return True
