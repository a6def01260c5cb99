"""A whole turn as one answer: phase 1, sales; phase 2, workers and builds in their order.

An action is (plots sold, steps), or `()` to pass. A step is (place in the hand, seat, plot) for a
worker and (place in the hand,) for a build.
"""

from __future__ import annotations

from typing import Any

from referee.games.xanadu import opening, sale
from referee.games.xanadu.recruit import draw_count, finish
from referee.games.xanadu.state import AFTER, FULL, RESET, State

Action = tuple[Any, ...]


def leaves_nothing(st: State, seat: int, sells: tuple[int, ...]) -> bool:
    """Return True if these sales leave no building in play, so that all begin anew (AMB-4)."""
    return sum(map(len, st.city)) == len(sells) > 0


def apply(st: State, action: Action) -> None:
    """Carry out the actor's turn, up to the next question."""
    seat = st.actor
    sold = st.kind == AFTER
    if not action:
        finish(st, draw_count(len(st.hand[seat]), sold, False), sold, ())
        return
    sells, steps = action
    if sells:
        sold = True
        for plot in sells:
            sale.pay(st, seat, plot)
            sale.clear(st, seat, plot)
        if not any(st.city):
            opening.begin_anew(st, RESET)
            return
    full = _walk(st, seat, steps)
    finish(st, draw_count(len(st.hand[seat]), sold, True), True, full)


def foreseen(st: State, seat: int, action: Action) -> State:
    """Return the table after a legal turn of a seat's, before anybody draws or goes on."""
    then = st.copy()
    then.log = None
    then.asked = 0
    if action:
        sells, steps = action
        for plot in sells:
            sale.pay(then, seat, plot)
            sale.clear(then, seat, plot)
        for owner, plot in _walk(then, seat, steps):
            sale.clear(then, owner, plot)
    return then


def _walk(st: State, seat: int, steps: tuple[Action, ...]) -> list[tuple[int, int]]:
    """Take the steps of a turn; return the buildings (seat, plot) that are full by then."""
    full: list[tuple[int, int]] = []
    if not steps:
        return full
    hand = st.hand[seat]
    used = 0
    for step in steps:
        place = step[0]
        used |= 1 << place
        if len(step) == 1:
            _build(st, seat, hand[place])
            continue
        _, owner, plot = step
        city = st.city[owner]
        card, crew = city[plot]
        crew = (*crew, hand[place] << 3 | seat)
        city[plot] = (card, crew)
        if st.log is not None:
            price = st.price(city[plot])
            st.say(f"work {st.seats[seat]} {st.seats[owner]} {plot} price {price}")
        if len(crew) == FULL:
            sale.pay(st, owner, plot, "full")
            full.append((owner, plot))
    st.hand[seat] = [card for place, card in enumerate(hand) if not used >> place & 1]
    return full


def _build(st: State, seat: int, card: int) -> None:
    plot = st.lay(seat, card)
    if st.log is not None:
        st.say(f"build {st.seats[seat]} {st.cards.names[card]} plot {plot}")


def refuse(st: State, seat: int, action: Action) -> str:
    """Say why the seat may not play this turn; "" when it may.

    Looks only at the public table and the seat's own hand.
    """
    if not action:
        return ""
    sells, steps = action
    if not sells and not steps:
        return "to do nothing is to pass"
    if sells:
        reason = refuse_sales(st, seat, sells)
        if reason or not steps:
            return reason
        if leaves_nothing(st, seat, sells):
            return "these sales leave no building in play: sell only, the rest comes after a reset"
    return Walk(st, seat, sells).refuse(steps)


def refuse_sales(st: State, seat: int, sells: tuple[int, ...]) -> str:
    """Say why the seat may not sell what is on these plots; "" when it may."""
    if st.kind == AFTER:
        return "you have sold in this turn already"
    last = 0
    for plot in sells:
        if plot not in st.city[seat]:
            return f"you have no building on plot {plot}"
        if plot <= last:
            return "the plots sold are not in order"
        last = plot
    return ""


class Walk:
    """A turn's phase 2 step by step, without changing the state.

    `pool` is what can be spent now, `used` the mask of the places in the hand that are gone,
    `crews` how many workers the buildings have that got some, `rows` how many buildings the seat
    has on the table, `builds` how many it has built.
    """

    __slots__ = ("builds", "crews", "gone", "pool", "rows", "seat", "st", "used")

    def __init__(self, st: State, seat: int, sells: tuple[int, ...] = ()) -> None:
        self.st = st
        self.seat = seat
        self.gone = sells
        self.used = 0
        self.builds = 0
        self.crews: dict[tuple[int, int], int] = {}
        self.rows = len(st.city[seat]) - len(sells)
        income = st.cards.income
        self.pool = st.income(seat)
        for plot in sells:
            card, crew = st.city[seat][plot]
            self.pool -= income[card][len(crew)]

    def copy(self) -> Walk:
        """Return the same point of the same turn, to go on from in another way."""
        new = Walk.__new__(Walk)
        new.st = self.st
        new.seat = self.seat
        new.gone = self.gone
        new.used = self.used
        new.builds = self.builds
        new.crews = self.crews.copy()
        new.rows = self.rows
        new.pool = self.pool
        return new

    def refuse(self, steps: tuple[Action, ...]) -> str:
        """Take steps one by one; returns why one of them cannot follow, or ""."""
        hand = self.st.hand[self.seat]
        for step in steps:
            place = step[0]
            if not 0 <= place < len(hand):
                return "you hold no such card"
            if self.used >> place & 1:
                return "a card can be used only once"
            reason = self.work(*step[1:]) if len(step) == 3 else self.build(hand[place])
            if reason:
                return reason
            self.used |= 1 << place
        return ""

    def crew(self, owner: int, plot: int) -> int:
        """Count the workers that a building in play has by now."""
        found = self.crews.get((owner, plot))
        return len(self.st.city[owner][plot][1]) if found is None else found

    def work(self, owner: int, plot: int) -> str:
        """Put a worker on the next field (AMB-5, AMB-6), or say why that is impossible."""
        st = self.st
        name = "you have" if owner == self.seat else f"{st.seats[owner]} has"
        if owner == self.seat and plot in self.gone:
            return f"plot {plot} is sold before anybody works there"
        building = st.city[owner].get(plot)
        if building is None:
            if owner == self.seat and 0 < plot - st.plots_used[owner] <= self.builds:
                return "nobody works on what was built in this turn"
            return f"{name} no building on plot {plot}"
        crew = self.crew(owner, plot)
        card = building[0]
        if crew >= FULL:
            return f"all fields of {st.cards.names[card]} are covered"
        self.crews[owner, plot] = crew + 1
        self.pool += st.cards.gives[card][crew]
        if owner == self.seat:
            self.pool += st.cards.favours[card][crew]
        return ""

    def build(self, card: int) -> str:
        """Pay for a card (AMB-7, AMB-8), or say why that is impossible."""
        st = self.st
        if self.builds and not st.many_builds:
            return "one building a turn"
        if self.rows >= st.city_limit:
            return f"you have {self.rows} buildings on the table, the most there may be"
        cost = st.cards.cost[card]
        if not st.cards.covers(self.pool, cost):
            lacks = st.cards.told(st.cards.missing(self.pool, cost))
            return f"{st.cards.names[card]} still needs {lacks} here"
        self.pool += st.cards.income[card][0] - cost
        self.rows += 1
        self.builds += 1
        return ""
