"""A plain greedy player: looks one turn ahead, from what its seat may know.

schemas/GREEDY.md says the same for other programs. All values are whole numbers of 1/POINT of a
tong bao, and every division comes out even, so that no machine rounds an answer otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from referee.games.xanadu import opening, pile
from referee.games.xanadu.flow import Action, is_opening
from referee.games.xanadu.recruit import draw_count
from referee.games.xanadu.state import AFTER, FULL, State
from referee.games.xanadu.turn import Walk, leaves_nothing
from referee.games.xanadu.ways import Way, open_spots, ways

POINT = 288_000_000
_ONE = 40
"""Worth of a resource that comes every turn, in hundredths of a tong bao."""
_PLAN = (0, 95, 88, 82, 75)
"""Hundredths that a price counts when 1, 2, … more workers would reach it."""
_DRIFT = (25, 25, 20, 15, 15)
"""Chances, in hundredths, that 0, 1, … workers of anybody come before the owner's next turn."""
_WAYS = 4
"""Ways to pay for a card that are weighed."""


class Mind:
    """Values that a seat gives to cards, buildings and turns as the table lies.

    `time` of `span` is how much of the game is to come, `card` what a hand card is worth now.
    """

    def __init__(self, st: State, seat: int) -> None:
        self.st = st
        self.seat = seat
        self.others = len(st.seats) - 1
        self.span = 4 * len(st.seats)
        self.time = min(self.span, pile.cards_left(st)) if st.end_pile else self.span
        self.card = 6 * POINT * self.time // (10 * self.span)

    def worth(self, card: int, crew: int) -> int:
        """Value a building with so many workers on it."""
        cards = self.st.cards
        bonus = self.st.bonus[cards.colour[card]]
        prices = cards.prices[card][crew:]
        drift = sum(price * chance for price, chance in zip(prices, _DRIFT, strict=False))
        drift += prices[-1] * sum(_DRIFT[len(prices) :])
        plan = max(price * wait for price, wait in zip(prices, _PLAN, strict=False))
        late = max(drift, plan) + 100 * bonus
        late += _ONE * len(cards.listed(cards.income[card][crew]))
        now = 100 * (prices[0] + bonus)
        value = self.time * late + (self.span - self.time) * now
        return POINT * value // (100 * self.span)

    def hold(self, card: int) -> int:
        """Value a card in the hand."""
        return self.card * (6 * POINT + self.worth(card, 0)) // (10 * POINT)

    def spare(self, used: int = 0) -> list[int]:
        """Return the places of the hand, those first that the seat would miss least."""
        hand = self.st.hand[self.seat]
        return sorted(
            (place for place in range(len(hand)) if not used >> place & 1),
            key=lambda place: (self.hold(hand[place]), place),
        )

    def work(self, owner: int, card: int, crew: int) -> int:
        """Value one more worker there to the seat, the worker itself not counted."""
        before = self.worth(card, crew)
        if crew + 1 == FULL:
            after = POINT * self.st.price((card, (0,) * FULL))
        else:
            after = self.worth(card, crew + 1)
        if owner == self.seat:
            return after - before
        # What another loses is worth nine tenths of it, shared among all others.
        return 9 * (before - after) // (10 * self.others)

    def sales(self) -> Iterator[tuple[int, ...]]:
        """Yield the sales to consider: none, or the buildings whose price is best now."""
        yield ()
        if self.st.kind == AFTER:
            return
        city = self.st.city[self.seat]
        order = sorted(
            city,
            key=lambda plot: (
                self.worth(city[plot][0], len(city[plot][1])) - POINT * self.st.price(city[plot]),
                plot,
            ),
        )
        for count in range(1, len(order) + 1):
            yield tuple(sorted(order[:count]))


class _Turn:
    """The best turn so far, and the comparison of turns."""

    def __init__(self, mind: Mind) -> None:
        self.mind = mind
        self.best: tuple[int, Action] = (-1000 * POINT, ())

    def weigh(self, value: int, sells: tuple[int, ...], steps: tuple[Action, ...]) -> None:
        """Consider a turn that is worth `value` before it draws."""
        mind = self.mind
        st = mind.st
        held = len(st.hand[mind.seat]) - len(steps)
        sold = bool(sells) or st.kind == AFTER
        gained = draw_count(held, sold, bool(sells or steps))
        if not (sells or steps or sold or (gained and pile.cards_left(st) + len(st.discards))):
            value -= 50 * POINT
        value += mind.card * gained
        if value > self.best[0]:
            self.best = value, (sells, steps) if sells or steps else ()

    def after(self, sells: tuple[int, ...]) -> None:
        """Consider all that could follow these sales."""
        mind = self.mind
        st, seat = mind.st, mind.seat
        city = st.city[seat]
        value = 0
        for plot in sells:
            value += POINT * st.price(city[plot]) - mind.worth(city[plot][0], len(city[plot][1]))
        self.extras(value, Walk(st, seat, sells), ())
        if sells and leaves_nothing(st, seat, sells):
            return
        walk = Walk(st, seat, sells)
        hand = st.hand[seat]
        for place, card in enumerate(hand):
            if walk.rows >= st.city_limit:
                break
            for way in islice(ways(walk, st.cards.cost[card], len(hand) - 1), _WAYS):
                self.build(value, walk.copy(), place, way)

    def build(self, value: int, walk: Walk, place: int, way: Way) -> None:
        """Consider paying for a card in this way."""
        mind = self.mind
        card = mind.st.hand[mind.seat][place]
        value, steps = self.send(value, walk, way, mind.spare(1 << place))
        walk.build(card)
        walk.used |= 1 << place
        value += mind.worth(card, 0) - mind.hold(card)
        self.extras(value, walk, (*steps, (place,)))

    def send(
        self, value: int, walk: Walk, way: Way, spare: list[int]
    ) -> tuple[int, tuple[Action, ...]]:
        """Take the workers of a way from the cards that are missed least."""
        mind = self.mind
        hand = mind.st.hand[mind.seat]
        steps: list[Action] = []
        for (owner, plot), worker in zip(way, spare, strict=False):
            card = mind.st.city[owner][plot][0]
            value += mind.work(owner, card, walk.crew(owner, plot)) - mind.hold(hand[worker])
            walk.work(owner, plot)
            walk.used |= 1 << worker
            steps.append((worker, owner, plot))
        return value, tuple(steps)

    def extras(self, value: int, walk: Walk, steps: tuple[Action, ...]) -> None:
        """Consider the turn as it is, and with more workers as long as they gain something."""
        mind = self.mind
        st = mind.st
        self.weigh(value, walk.gone, steps)
        if walk.gone and leaves_nothing(st, mind.seat, walk.gone):
            return
        hand = st.hand[mind.seat]
        for place in mind.spare(walk.used):
            gains = [
                (mind.work(owner, st.city[owner][plot][0], walk.crew(owner, plot)), -owner, -plot)
                for owner, plot in open_spots(walk)
            ]
            if not gains:
                return
            gain, owner, plot = max(gains)
            value += gain - mind.hold(hand[place])
            walk.work(-owner, -plot)
            steps = (*steps, (place, -owner, -plot))
            self.weigh(value, walk.gone, steps)


def _opening(st: State, seat: int) -> Action:
    mind = Mind(st, seat)
    have = opening.ranks(st, seat)
    order = sorted(
        range(len(have)),
        key=lambda place: (have[place], -mind.worth(st.hand[seat][place], 0), place),
    )
    return tuple(sorted(order[: opening.lay_count(st, seat)]))


def choose(st: State, seat: int) -> Action:
    """Return a legal answer to the seat's open decision, the same one each time."""
    if is_opening(st):
        return _opening(st, seat)
    mind = Mind(st, seat)
    turn = _Turn(mind)
    for sells in mind.sales():
        turn.after(sells)
    return turn.best[1]
