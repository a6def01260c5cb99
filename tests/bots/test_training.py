"""Games from which networks are made: the same ones for the same seed."""

from __future__ import annotations

from referee.bots.training import Samples, collect
from referee.games import part
from referee.games.xanadu import features
from referee.games.xanadu.search import network

COURSE = part("xanadu", "selfplay")


def games(seats: tuple[int, ...], seed: str, at_first_sight: bool) -> Samples:
    """Two games by the greedy player, or at first sight by a network."""
    net = network(max(seats)) if at_first_sight else None
    return collect(COURSE, seats, 2, seed, net, 0)


def test_a_seed_plays_the_same_games() -> None:
    for seats, at_first_sight in (((2,), False), ((2, 3), True)):
        one, two, other = (games(seats, seed, at_first_sight) for seed in ("1", "1", "2"))
        assert one.features == two.features
        assert one.results == two.results
        assert one.features != other.features


def test_games_take_the_numbers_of_seats_in_turn() -> None:
    found = games((2, 3), "1", at_first_sight=True)
    seats_of = {features.rules(seats, False)[0]: seats for seats in (2, 3)}
    seats = [seats_of[feature] for feature in found.features if feature in seats_of]
    assert len(seats) == len(found.results)
    assert seats == sorted(seats)
    assert set(seats) == {2, 3}
