"""Turns worth a closer look, the best at first sight first, as far as their seat can know.

A turn is valued as the table lies at its end, by a network; cards that it draws count as unknown.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from referee.games.xanadu import features, opening, pile
from referee.games.xanadu.outcome import Cell, Gain, Outcome, hope, result
from referee.games.xanadu.recruit import draw_count
from referee.games.xanadu.state import AFTER, FULL, HAND, State
from referee.games.xanadu.turn import Action
from referee.records import NamedTuple


class Care(NamedTuple):
    """The number of turns that are looked at.

    `sales` are sets of buildings to sell with which builds are tried, `looks` at fields for each
    card to build, `ways` to pay for it, `more` turns to which further workers are added, as long
    as no more than so many in a row are `useless`.
    """

    sales: int
    looks: int
    ways: int
    more: int
    useless: int


QUICK, THOROUGH = Care(2, 40, 3, 1, 0), Care(4, 300, 8, 6, 1)

Plan = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]
"""A turn: places among the spots that are sold, workers by spot, places of the hand to build."""


class Options:
    """Turns of a seat, each valued once."""

    def __init__(self, st: State, seat: int, out: Outcome, care: Care, turns: int = 1) -> None:
        """Look at the table as it lies so many turns later."""
        self.st = st
        self.seat = seat
        self.out = out
        self.care = care
        self.spots = [
            (owner, plot, card, len(crew))
            for owner, city in enumerate(st.city)
            for plot, (card, crew) in city.items()
        ]
        self.mine = [at for at, spot in enumerate(self.spots) if spot[0] == seat]
        self.none = (0,) * len(self.spots)
        self.left = pile.cards_left(st)
        self.to_come = st.passes - 1 - st.epoch
        self.active = (st.active + turns - seat) % len(st.seats)
        self.values: dict[Plan, int] = {}
        self._add_up()
        self.spare = self._spare()

    def _add_up(self) -> None:
        """Add up what a table comes to at which nothing is sold, built or worked on."""
        out, st = self.out, self.st
        self.cells: list[list[Cell]] = []
        self.worth = st.coins[:]
        self.built = [len(city) for city in st.city]
        self.offers: list[int] = []
        self.offered = pool = upside = their_upside = 0
        total = out.start + out.turns[self.active]
        for owner, _, card, crew in self.spots:
            own = owner == self.seat
            cells = out.cells[own][card][crew]
            self.cells.append(cells)
            row, price, income, more, offers = cells[0]
            total += row
            self.worth[owner] += price
            self.offers.append(offers)
            self.offered |= offers
            if own:
                pool += income
                upside += more
            else:
                their_upside += more
        self.sums = (total, pool, upside, their_upside)

    def best(self, most: int) -> list[Action]:
        """Return the best turns, the best one first."""
        for sells in self._sales():
            self._builds(sells)
        if self.st.many_builds:
            for _ in range(2):
                for plan in self._ranked(self.care.more):
                    self._builds_more(plan)
        for plan in self._ranked(self.care.more):
            self._extend(plan)
        if self._is_idle and len(self.values) > 1:
            del self.values[(), self.none, ()]
        return [self._action(plan) for plan in self._ranked(most)]

    @property
    def _is_idle(self) -> bool:
        """True where to do nothing would not even bring a card."""
        st = self.st
        full = len(st.hand[self.seat]) >= HAND
        return st.kind != AFTER and (full or not self.left + len(st.discards))

    def _ranked(self, most: int) -> list[Plan]:
        values = self.values
        return sorted(values, key=lambda plan: -values[plan])[:most]

    # Values.

    def _spare(self) -> list[int]:
        """Return the places of the hand, those first that the seat would miss least."""
        hand = self.st.hand[self.seat]
        if len(hand) < 2:
            return list(range(len(hand)))
        out, held = self.out, len(hand) - 1
        total, pool, upside, their_upside = self.sums
        rows = out.hand_rows(hand, pool, self.offered)
        more, lead, _ = self._against(self.worth, self.built)
        total += sum(rows) + more + out.sizes[held][self.built[self.seat]]
        total += out.course(lead, upside, their_upside, held, self.to_come, self.left)
        total += out.time(self.to_come, self.left, len(self.st.discards))
        values = [out.net.output(total - row) for row in rows]
        return sorted(range(len(hand)), key=lambda place: -values[place])

    def weigh(self, plan: Plan) -> int:
        """Return the value of a turn."""
        found = self.values.get(plan)
        if found is None:
            found = self.values[plan] = self._worth(plan)
        return found

    def _worth(self, plan: Plan) -> int:
        st = self.st
        sells, adds, builds = plan
        hand = st.hand[self.seat]
        workers = sum(adds)
        gone = self._workers(workers, builds)
        kept = [card for at, card in enumerate(hand) if at not in gone and at not in builds]
        sold = bool(sells) or st.kind == AFTER
        acted = bool(sells or workers or builds)
        count = draw_count(len(kept), sold, acted)
        return self._hope(sells, adds, kept, count, [hand[at] for at in builds])

    def _workers(self, count: int, builds: tuple[int, ...]) -> list[int]:
        """Return the places of the cards that a turn spends on workers."""
        if not builds:
            return self.spare[:count]
        return [place for place in self.spare if place not in builds][:count]

    def _hope(
        self,
        sells: tuple[int, ...],
        adds: tuple[int, ...],
        kept: list[int],
        count: int,
        builds: Sequence[int] = (),
    ) -> int:
        """Return the share of a win that the seat can hope for after a turn."""
        st, seat, out = self.st, self.seat, self.out
        cells, spots = self.cells, self.spots
        worth, built = self.worth[:], self.built[:]
        discards = len(st.discards)
        total, pool, upside, their_upside = self.sums
        offered = self.offered
        if sells or adds is not self.none:
            offers = self.offers[:]
            for at in sells:
                row, _, income, more, _ = cells[at][0]
                discards += 1 + spots[at][3]
                built[seat] -= 1
                total -= row
                pool -= income
                upside -= more
                offers[at] = 0
            for at, workers in enumerate(adds):
                if workers:
                    owner, _, _, crew = spots[at]
                    now, then = cells[at][0], cells[at][workers]
                    total += then[0] - now[0]
                    worth[owner] += then[1] - now[1]
                    if owner == seat:
                        pool += then[2] - now[2]
                        upside += then[3] - now[3]
                    else:
                        their_upside += then[3] - now[3]
                    if crew + workers == FULL:
                        discards += 1 + FULL
                        built[owner] -= 1
                    offers[at] = then[4]
            offered = 0
            for each in offers:
                offered |= each
        for card in builds:
            row, price, income, more, each = out.cells[True][card][0][0]
            built[seat] += 1
            worth[seat] += price
            total += row
            pool += income
            upside += more
            offered |= each
        more, lead, sharing = self._against(worth, built)
        total += more + sum(out.hand_rows(kept, pool, offered))
        to_come, left = self.to_come, self.left
        # A pile that is drawn to its end is shuffled again, or the game is over.
        ending = 0
        if not to_come:
            ending = len(st.end_pile) - st.end_next - (left - count)
            left -= count
        elif left <= count:
            to_come -= 1
            left, discards = left + discards - count + (not to_come), 0
        else:
            left -= count
        left = max(left, 0)
        held = len(kept) + count
        total += out.sizes[held][built[seat]]
        total += out.net.rows[features.UNKNOWN] * count
        total += out.course(lead, upside, their_upside, held, to_come, left)
        total += out.time(to_come, left, discards)
        value = hope(out.net.output(total))
        if ending > 0:
            # Any of the last cards may be the one that ends the game.
            cards = len(st.end_pile) - st.end_next
            over = result(lead, sharing, 7)
            ending = min(ending, cards)
            value = (ending * over + (cards - ending) * value) // cards
        return value

    def _against(self, worth: list[int], built: list[int]) -> tuple[int, int, int]:
        """Return the sum for the other seats, the lead over the best of them, and how many seats
        there are that have as much as that one.
        """
        seat, sizes = self.seat, self.out.their_sizes
        total, best = 0, -1
        for other, hand in enumerate(self.st.hand):
            if other != seat:
                total += sizes[len(hand)][built[other]]
                if worth[other] > best:
                    best = worth[other]
        return total, worth[seat] - best, worth.count(best)

    # Turns.

    def _sales(self) -> list[tuple[int, ...]]:
        """Value all sets of the cheapest buildings to sell; return those to go on with."""
        st = self.st
        sets: list[tuple[int, ...]] = [()]
        if st.kind != AFTER and self.mine:
            order = sorted(self.mine, key=lambda at: -self.weigh(((at,), self.none, ())))
            sets += [tuple(sorted(order[:count])) for count in range(1, len(order) + 1)]
        values = {sells: self.weigh((sells, self.none, ())) for sells in sets}
        best = sorted(sets[1:], key=lambda sells: -values[sells])[: self.care.sales - 1]
        return [sells for sells in [(), *best] if len(sells) < len(self.spots)]

    def _builds(self, sells: tuple[int, ...]) -> None:
        """Value the cards that can be built after some sales, in several ways."""
        st = self.st
        if len(self.mine) - len(sells) >= st.city_limit:
            return
        hand = st.hand[self.seat]
        payment = _Payment(self, (sells, self.none, ()))
        for place, card in enumerate(hand):
            for adds in payment.ways(card, len(hand) - 1):
                self.weigh((sells, adds, (place,)))

    def _builds_more(self, plan: Plan) -> None:
        """Value a further build of a turn that builds already."""
        sells, adds, builds = plan
        hand = self.st.hand[self.seat]
        if not builds or len(self.mine) - len(sells) + len(builds) >= self.st.city_limit:
            return
        payment = _Payment(self, plan)
        for place, card in enumerate(hand):
            if place not in builds:
                for more in payment.ways(card, len(hand) - len(builds) - 1 - sum(adds)):
                    both = tuple([a + b for a, b in zip(adds, more, strict=True)])
                    self.weigh((sells, both, (*builds, place)))

    def _extend(self, plan: Plan) -> None:
        """Add workers to a turn one by one, each where it does best, until that does not help."""
        sells, adds, builds = plan
        if len(sells) == len(self.spots):
            return
        best = self.values.get(plan, 0)
        useless = 0
        room = len(self.st.hand[self.seat]) - len(builds) - sum(adds)
        while room and useless <= self.care.useless:
            room -= 1
            further = [
                (sells, (*adds[:at], adds[at] + 1, *adds[at + 1 :]), builds)
                for at, spot in enumerate(self.spots)
                if at not in sells and spot[3] + adds[at] < FULL
            ]
            if not further:
                return
            _, adds, _ = max(further, key=self.weigh)
            value = self.weigh((sells, adds, builds))
            useless = 0 if value > best else useless + 1
            best = max(best, value)

    def _action(self, plan: Plan) -> Action:
        sells, adds, builds = plan
        if not (sells or builds or any(adds)):
            return ()
        places = iter(self._workers(sum(adds), builds))
        steps: list[Action] = []
        for at, count in enumerate(adds):
            owner, plot = self.spots[at][:2]
            steps += [(next(places), owner, plot) for _ in range(count)]
        steps += [(place,) for place in builds]
        return tuple(sorted([self.spots[at][1] for at in sells])), tuple(steps)


class _Payment:
    """Workers that would pay for a card, without those that could be left out."""

    def __init__(self, options: Options, plan: Plan) -> None:
        sells, adds, builds = plan
        out = options.out
        deck = out.deck
        self.none = options.none
        self.care = options.care
        self.deck = deck
        self.guard = deck.guard
        self.pool = options.sums[1] - sum([options.cells[at][0][2] for at in sells])
        for place in builds:
            card = options.st.hand[options.seat][place]
            self.pool += deck.income[card][0] - deck.cost[card]
        self.every: list[tuple[int, list[Gain], int]] = []
        for at, (owner, _, card, crew) in enumerate(options.spots):
            if at in sells:
                continue
            gains = out.gains[owner == options.seat][card]
            if adds[at]:
                for _, gain, _ in gains[crew][0][: adds[at]]:
                    self.pool += gain
                crew += adds[at]
                if crew == FULL:
                    continue
            self.every.append((at, *gains[crew]))

    def ways(self, card: int, most: int) -> list[tuple[int, ...]]:
        """Return the workers by spot of some ways to pay, those with the fewest first."""
        if most < 0:
            return []
        self.cost = self.deck.cost[card]
        guard = self.guard
        lacking = ~((self.pool | guard) - self.cost) & guard
        if not lacking:
            return [self.none]
        # A source that gives nothing that is lacking is in no way to pay.
        self.targets = [target for target in self.every if target[2] & lacking]
        offered = 0
        # All that is offered from each target on.
        self.rest = rest = [0] * len(self.targets)
        for number in range(len(rest) - 1, -1, -1):
            rest[number] = offered = offered | self.targets[number][2]
        self.looks = self.care.looks
        self.found: list[tuple[int, ...]] = []
        self.chosen: list[tuple[int, int, int]] = []
        if not lacking & ~offered:
            for count in range(1, most + 1):
                self._find(0, count, self.pool, lacking)
                if self.looks < 0 or len(self.found) >= self.care.ways:
                    break
        return self.found[: self.care.ways]

    def _find(self, start: int, count: int, pool: int, lacking: int) -> None:
        """Find ways with exactly `count` more workers on the targets from `start` on."""
        guard, cost, targets, chosen = self.guard, self.cost, self.targets, self.chosen
        for number in range(start, len(targets)):
            if lacking & ~self.rest[number]:
                return
            at, gains, _ = targets[number]
            for size, (total, last, offered) in enumerate(gains, 1):
                if size > count:
                    break
                self.looks -= 1
                if self.looks < 0:
                    return
                if not offered & lacking:
                    continue
                then = pool + total
                left = ~((then | guard) - cost) & guard
                if size == count:
                    if not left:
                        self._keep(then, (at, size, last))
                elif left and number + 1 < len(targets):
                    chosen.append((at, size, last))
                    self._find(number + 1, count - size, then, left)
                    chosen.pop()

    def _keep(self, pool: int, last: tuple[int, int, int]) -> None:
        """Keep a way if none of its workers could be left out."""
        guard = self.guard
        for _, _, gain in self.chosen:
            if (pool - gain | guard) - self.cost & guard == guard:
                return
        adds = list(self.none)
        for at, size, _ in (*self.chosen, last):
            adds[at] = size
        self.found.append(tuple(adds))


def openings(st: State, seat: int, out: Outcome, most: int) -> list[Action]:
    """Return the cards to begin with, the best first."""
    have = opening.ranks(st, seat)
    size = opening.lay_count(st, seat)
    hand = st.hand[seat]
    least = sorted(have)[:size]
    options = Options(st, seat, out, QUICK, 0)
    found: list[tuple[int, Action]] = []
    for places in combinations(range(len(hand)), size):
        if sorted([have[place] for place in places]) == least:
            kept = [card for at, card in enumerate(hand) if at not in places]
            laid = [hand[place] for place in places]
            found.append((-options._hope((), options.none, kept, 0, laid), places))
    return [places for _, places in sorted(found)[:most]]
