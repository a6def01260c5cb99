"""Outputs of a network for tables of one rule set; what does not change between tables is added up
once.

The results are those of the features of each table, one by one.
"""

from __future__ import annotations

from collections.abc import Sequence

from referee.games.network import Network
from referee.games.sanjuan import features, scoring
from referee.games.sanjuan.state import EMPTY, State


class Evaluation:
    """A network, with the sums of weights that it has made so far, by what they depend on."""

    def __init__(self, net: Network) -> None:
        self.net = net
        self._cities: dict[object, tuple[int, int]] = {}
        self._others: dict[object, tuple[int, int]] = {}
        self._moments: dict[object, int] = {}

    def output(self, st: State, seat: int, coming: int = 0) -> int:
        """Return the output for a table, `coming` cards of the seat being still to be drawn."""
        return self.net.output(self.sum(st, seat, st.hand[seat], coming))

    def sum(self, st: State, seat: int, hand: Sequence[int], coming: int = 0) -> int:
        """Return the packed sums for a table at which the seat held these cards."""
        net = self.net
        rows = net.rows
        cities = tuple([tuple(city) for city in st.city])
        key: object = (cities[seat], st.full_mask[seat], self._points_key(st, seat, cities))
        found = self._cities.get(key)
        if found is None:
            marks = features.own_city(st, seat)
            found = self._cities[key] = net.sum(marks), scoring.points(st, seat)
        total, own = found
        for mark in features.hand_features(st, seat, hand):
            total += rows[mark]
        if coming:
            total += coming * rows[features.UNKNOWN]
        total += rows[features.size_feature(len(hand) + coming)]
        most, best = 0, -99
        for other, city in enumerate(cities):
            built = len(city) - city.count(EMPTY)
            if built > most:
                most = built
            if other == seat:
                continue
            key = (city, st.full_mask[other], self._points_key(st, other, cities))
            key = (key, len(st.hand[other]), features.may_use_library(st, other))
            found = self._others.get(key)
            if found is None:
                weights = net.sum(features.other_seat(st, other)) - net.start
                found = self._others[key] = weights, scoring.points(st, other)
            total += found[0]
            if found[1] > best:
                best = found[1]
        for mark in features.comparison(most, own - best):
            total += rows[mark]
        key = (st.phase, st.turn, st.chooser, st.governor, st.roles_used, seat, st.face_up)
        key = (key, features.may_use_library(st, seat), st.bank_used >> seat & 1)
        moment = self._moments.get(key)
        if moment is None:
            moment = self._moments[key] = net.sum(features.moment(st, seat)) - net.start
        return total + moment

    def _points_key(self, st: State, seat: int, cities: object) -> object:
        """Return what the points of a seat depend on besides its own city."""
        tucked = st.under + st.unseen
        away = [owner for owner, _, _ in tucked].count(seat) if tucked else 0
        return away, cities if st.own_mask[seat] & scoring.ELSEWHERE else None
