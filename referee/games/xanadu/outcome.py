"""The worth of a table at the end of a turn, from a network, for one deck and number of seats.

What the network adds up for a building or a card is added up once, so that a table is soon valued.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from referee.games.network import Network
from referee.games.search import WHOLE
from referee.games.xanadu import features
from referee.games.xanadu.deck import Deck
from referee.games.xanadu.pile import cards_left
from referee.games.xanadu.state import FULL, State

UNIT = 1 << 20
"""The output of a network that stands for 1."""
HALF = WHOLE // 2
HALFWAY = 8
"""The lead in coins that is half of the way from an even result to the best one."""


def hope(output: int) -> int:
    """Return the share of a win that an output of a network means."""
    return HALF + HALF * output // (UNIT + abs(output))


def result(lead: int, sharing: int, winning: int = 4) -> int:
    """Return the value of a game that is over: `winning` eighths of it for that, the rest for the
    lead; where that is 0, `sharing` seats share the win.
    """
    won = WHOLE if lead > 0 else WHOLE // sharing if not lead else 0
    return (winning * won + (8 - winning) * (HALF + HALF * lead // (HALFWAY + abs(lead)))) // 8


Cell = tuple[int, int, int, int, int]
"""The part of one building in it: a sum, a price, its owner's income, an upside, an offer."""


Gain = tuple[int, int, int]
"""The gain of a worker and all before it, its own gain, and the guard bits of that."""
_CREWS = range(FULL)


class Outcome:
    """Sums of the weights of a network for a deck: `own` and `theirs` by card and crew, and
    `held` by card, with the numbers of kinds of resources that it lacks and that nothing offers;
    `cells` (as it is, and with each number of further workers) and `gains` of the buildings of
    others and of the seat's own, by card and crew.
    """

    def __init__(
        self, net: Network, deck: Deck, bonus: tuple[int, ...], seats: int, many_builds: bool
    ) -> None:
        self.net = net
        self.deck = deck
        self.seats = seats
        self.own: list[list[int]] = []
        self.theirs: list[list[int]] = []
        self.held: list[list[list[int]]] = []
        self.prices: list[list[int]] = []
        self.upsides: list[list[int]] = []
        self.offers: list[list[int]] = []
        for card in range(deck.total):
            more = bonus[deck.colour[card]]
            for table, own in ((self.own, True), (self.theirs, False)):
                table.append(
                    [
                        self._row(features.building(deck, more, card, crew, own))
                        for crew in range(FULL)
                    ]
                )
            self.prices.append([price + more for price in deck.prices[card]])
            self.upsides.append([features.upside(deck.prices[card], crew) for crew in range(FULL)])
            self.offers.append([features.lanes(deck, gain) for gain in deck.gives[card]])
            row = self._row(features.held(deck, more, card))
            price = deck.prices[card][0] + more
            self.held.append(
                [
                    [
                        row + self._row(features.lacking(some, none, price))
                        for none in range(features.BLOCKED)
                    ]
                    for some in range(features.LACKS)
                ]
            )
        both = (False, True)
        self.cells = [
            [
                [[self._cell(own, card, size) for size in range(crew, FULL + 1)] for crew in _CREWS]
                for card in range(deck.total)
            ]
            for own in both
        ]
        self.gains = [
            [[self._gains(own, card, crew) for crew in _CREWS] for card in range(deck.total)]
            for own in both
        ]
        self.start = net.start + self._row(features.rules(seats, many_builds))
        self.turns = [net.rows[features.turn(0, active, seats)] for active in range(seats)]
        self.sizes = [
            [self._row(features.own_size(cards, built)) for built in range(8)] for cards in range(9)
        ]
        self.their_sizes = [
            [self._row(features.their_size(cards, built)) for built in range(8)]
            for cards in range(9)
        ]
        most = features.LEAD_MOST
        self.leads = [
            [self._row(features.lead(lead, near)) for lead in range(-most, most + 1)]
            for near in range(features.PHASES)
        ]
        self._times: dict[tuple[int, int, int], int] = {}

    def _row(self, found: Sequence[int]) -> int:
        rows = self.net.rows
        return sum([rows[feature] for feature in found])

    def time(self, to_come: int, left: int, discards: int) -> int:
        """Return the sum for the time left."""
        key = (to_come, left, discards)
        found = self._times.get(key)
        if found is None:
            found = self._times[key] = self._row(features.time(to_come, left, discards))
        return found

    def course(
        self, lead: int, upside: int, their_upside: int, held: int, to_come: int, left: int
    ) -> int:
        """Return the sum for a lead in coins, for what it may become, and for the cards held."""
        near = features.phase(to_come, left, self.seats)
        rows = self.net.rows
        most = features.LEAD_MOST
        found = self.leads[near][0 if lead < -most else 2 * most if lead > most else lead + most]
        found += rows[features.UPSIDE + near] * upside
        found += rows[features.THEIR_UPSIDE + near] * their_upside
        return found + rows[features.STOCK + near] * held

    def hand_rows(self, cards: Sequence[int], pool: int, offered: int) -> list[int]:
        """Return the sum for each of the cards of the seat's own hand."""
        held, cost, guard = self.held, self.deck.cost, self.deck.guard
        least = pool | guard
        most, worst = features.LACKS - 1, features.BLOCKED - 1
        rows = []
        for card in cards:
            # As in features.lack, which says it more slowly.
            lacking = ~(least - cost[card]) & guard
            if lacking:
                some, none = lacking.bit_count(), (lacking & ~offered).bit_count()
                row = held[card][some if some < most else most]
                rows.append(row[none if none < worst else worst])
            else:
                rows.append(held[card][0][0])
        return rows

    def _cell(self, own: bool, card: int, crew: int) -> Cell:
        """Return what a building with so many workers adds to a table; a full one is paid for."""
        price = self.prices[card][crew]
        if crew == FULL:
            return 0, price, 0, 0, 0
        rows = self.own if own else self.theirs
        income = self.deck.income[card][crew]
        return rows[card][crew], price, income, self.upsides[card][crew], self.offers[card][crew]

    def _gains(self, own: bool, card: int, crew: int) -> tuple[list[Gain], int]:
        """Return what 1, 2, … more workers gain there, and the guard bits of all of that."""
        deck = self.deck
        found: list[Gain] = []
        total = offered = 0
        for size in range(crew, FULL):
            gain = deck.gives[card][size] + (deck.favours[card][size] if own else 0)
            lanes = features.lanes(deck, gain)
            total += gain
            offered |= lanes
            found.append((total, gain, lanes))
        return found, offered

    def table(self, st: State, seat: int) -> int:
        """Return the output of the network for a table at which a turn begins."""
        deck = self.deck
        prices = self.prices
        worth = st.coins[:]
        total = self.start
        pool = offered = upside = their_upside = 0
        for owner, city in enumerate(st.city):
            for card, crew in city.values():
                size = len(crew)
                worth[owner] += prices[card][size]
                offered |= self.offers[card][size]
                if owner == seat:
                    total += self.own[card][size]
                    pool += deck.income[card][size]
                    upside += self.upsides[card][size]
                else:
                    total += self.theirs[card][size]
                    their_upside += self.upsides[card][size]
        total += sum(self.hand_rows(st.hand[seat], pool, offered))
        best = -1
        for other, cards in enumerate(st.hand):
            built = len(st.city[other])
            if other == seat:
                total += self.sizes[len(cards)][built]
                continue
            total += self.their_sizes[len(cards)][built]
            best = max(best, worth[other])
        to_come, left = st.passes - 1 - st.epoch, cards_left(st)
        held = len(st.hand[seat])
        total += self.course(worth[seat] - best, upside, their_upside, held, to_come, left)
        total += self.time(to_come, left, len(st.discards))
        total += self.turns[(st.active - seat) % self.seats]
        return self.net.output(total)


@lru_cache(maxsize=16)
def outcome(
    net: Network, deck: Deck, bonus: tuple[int, ...], seats: int, many_builds: bool
) -> Outcome:
    """Return the sums for a deck and a rule set."""
    return Outcome(net, deck, bonus, seats, many_builds)
