"""`greedy-1` for Xanadu, written once more from schemas/GREEDY.md.

It reads the public table and a hand, and shares nothing with the program's own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import islice
from typing import Any

from referee.games.values import Held
from tests.games.xanadu.plain_rules import CARDS, COLOURS, limit, text_of

F = Fraction
Spot = tuple[str, int]
Steps = list[list[str]]
DRIFT = [F(part, 100) for part in (25, 25, 20, 15, 15)]
PLAN = [F(part, 100) for part in (95, 88, 82, 75)]
TRIES = 4000


class Greedy:
    """One seat that thinks: `crews` are the workers on every building, the turn's own included."""

    def __init__(
        self, table: Mapping[str, Any], seat: str, hand: Sequence[Held], advanced: bool
    ) -> None:
        self.table, self.seat, self.hand = table, seat, list(hand)
        self.seats = [row["name"] for row in table["seats"]]
        self.buildings: dict[Spot, str] = {}
        self.crews: dict[Spot, int] = {}
        for row in table["seats"]:
            for one in sorted(row["city"], key=lambda one: one["plot"]):
                self.buildings[row["name"], one["plot"]] = one["card"]
                self.crews[row["name"], one["plot"]] = len(one["workers"])
        left = table["deck"] + table.get("last", 0)
        self.time = min(F(1), F(left, 4 * len(self.seats))) if "last" in table else F(1)
        self.card = F(6, 10) * self.time
        self.limit = limit(len(self.seats), advanced)

    def price(self, name: str, crew: int) -> int:
        bonus = {"yellow": 1, "green": 2} if len(self.seats) > 4 else {}
        return CARDS[name].prices[crew] + bonus.get(CARDS[name].colour, 0)

    def worth(self, name: str, crew: int) -> Fraction:
        card = CARDS[name]
        bonus = self.price(name, crew) - card.prices[crew]
        drift = sum(part * card.prices[min(4, crew + at)] for at, part in enumerate(DRIFT))
        plan = max(part * price for part, price in zip(PLAN, card.prices[crew + 1 :], strict=False))
        income = len(card.passive) + sum(map(len, card.favours[:crew]))
        late = max(drift, plan) + bonus + F(4, 10) * income
        return self.time * late + (1 - self.time) * self.price(name, crew)

    def hold(self, name: str) -> Fraction:
        return self.card * (F(6, 10) + self.worth(name, 0) / 10)

    def work(self, spot: Spot, crew: int) -> Fraction:
        name = self.buildings[spot]
        after = F(self.price(name, 4)) if crew == 3 else self.worth(name, crew + 1)
        change = after - self.worth(name, crew)
        return change if spot[0] == self.seat else -change * F(9, 10) / (len(self.seats) - 1)

    def spare(self, used: Sequence[Held]) -> list[Held]:
        left = [held for held in self.hand if held not in used]
        return sorted(left, key=lambda held: self.hold(held.name))

    def opening(self) -> str:
        def order(held: Held) -> tuple[int, Fraction]:
            return COLOURS.index(CARDS[held.name].colour), -self.worth(held.name, 0)

        chosen = sorted(self.hand, key=order)[: self.table["need"]]
        return " ".join(["open", *sorted(held.letter for held in chosen)])

    # Ways to pay.

    def brought(self, spot: Spot, crew: int) -> Counter[str]:
        card = CARDS[self.buildings[spot]]
        favour = card.favours[crew] if spot[0] == self.seat else []
        return Counter(card.gives[crew]) + Counter(favour)

    def pool(self, sold: Sequence[int]) -> Counter[str]:
        found: Counter[str] = Counter()
        for (owner, plot), name in self.buildings.items():
            if owner == self.seat and plot not in sold:
                found.update(CARDS[name].passive)
                for favour in CARDS[name].favours[: self.crews[owner, plot]]:
                    found.update(favour)
        return found

    def ways(self, name: str, sold: Sequence[int]) -> Iterator[list[Spot]]:
        targets = [spot for spot in self.buildings if spot[0] != self.seat or spot[1] not in sold]
        cost, tries = CARDS[name].cost, 0

        def look(
            start: int, left: int, have: Counter[str], chosen: list[tuple[Spot, int]]
        ) -> Iterator[list[Spot]]:
            nonlocal tries
            lacks = cost - have
            if not lacks:
                lasts = [self.brought(spot, self.crews[spot] + j - 1) for spot, j in chosen]
                if not left and all(cost - (have - last) for last in lasts):
                    yield [spot for spot, j in chosen for _ in range(j)]
                return
            for number in range(start, len(targets) if left else 0):
                spot, more = targets[number], have
                for j in range(1, min(left, 4 - self.crews[spot]) + 1):
                    tries += 1
                    if tries > TRIES:
                        return
                    last = self.brought(spot, self.crews[spot] + j - 1)
                    more = more + last
                    if set(last) & set(lacks):
                        yield from look(number + 1, left - j, more, [*chosen, (spot, j)])

        for count in range(len(self.hand)):
            yield from look(0, count, self.pool(sold), [])

    # Turns.

    def turns(self) -> Iterator[tuple[Fraction, list[int], Steps]]:
        """Value and turn, in order."""
        mine = [plot for owner, plot in self.buildings if owner == self.seat]

        def less(plot: int) -> tuple[Fraction, int]:
            name, crew = self.buildings[self.seat, plot], self.crews[self.seat, plot]
            return self.worth(name, crew) - self.price(name, crew), plot

        mine.sort(key=less)
        for count in range(len(mine) + 1 if self.table["asking"] == "turn" else 1):
            sold = sorted(mine[:count])
            value = -sum((less(plot)[0] for plot in sold), F(0))
            if sold and len(sold) == len(self.buildings):
                yield value, sold, []
                continue
            yield from self.further(value, sold, {}, [], [])
            if len(mine) - count >= self.limit:
                continue
            for held in self.hand:
                for way in islice(self.ways(held.name, sold), 4):
                    yield from self.paid(value, sold, held, way)

    def paid(
        self, value: Fraction, sold: list[int], held: Held, way: list[Spot]
    ) -> Iterator[tuple[Fraction, list[int], Steps]]:
        more: Counter[Spot] = Counter()
        steps: Steps = []
        used = [held]
        for spot, worker in zip(way, self.spare([held]), strict=False):
            value += self.work(spot, self.crews[spot] + more[spot]) - self.hold(worker.name)
            more[spot] += 1
            used.append(worker)
            steps.append(["work", worker.letter, spot[0], str(spot[1])])
        value += self.worth(held.name, 0) - self.hold(held.name)
        yield from self.further(value, sold, more, used, [*steps, ["build", held.name]])

    def further(
        self,
        value: Fraction,
        sold: list[int],
        more: Mapping[Spot, int],
        used: list[Held],
        steps: Steps,
    ) -> Iterator[tuple[Fraction, list[int], Steps]]:
        yield value, sold, steps
        crews = {spot: crew + more.get(spot, 0) for spot, crew in self.crews.items()}
        for worker in self.spare(used):
            free = [
                spot
                for spot, crew in crews.items()
                if crew < 4 and not (spot[0] == self.seat and spot[1] in sold)
            ]
            if not free:
                return
            best = max(free, key=lambda spot: self.work(spot, crews[spot]))
            value += self.work(best, crews[best]) - self.hold(worker.name)
            crews[best] += 1
            steps = [*steps, ["work", worker.letter, best[0], str(best[1])]]
            yield value, sold, steps

    def turn(self) -> str:
        rest = self.table["deck"] + self.table.get("last", 0) + len(self.table["discards"])
        after = self.table["asking"] == "after"
        best, play = F(-(10**6)), ""
        for value, sold, steps in self.turns():
            room = 7 - (len(self.hand) - len(steps))
            draws = min(room, 3 if sold or after else 1 if steps else 7)
            idle = not (sold or steps or after) and not (draws and rest)
            total = value + self.card * draws - (50 if idle else 0)
            if total > best:
                best, play = total, text_of(sold, steps)
        return play


def answer(
    table: Mapping[str, Any], seat: str, hand: Sequence[Held], kind: str, advanced: bool
) -> str:
    """The play of `greedy-1`."""
    mind = Greedy(table, seat, hand, advanced)
    return mind.opening() if kind in ("opening", "reset") else mind.turn()
