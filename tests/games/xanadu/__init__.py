"""Tests of Xanadu."""

from tests.games import Chosen

CHOICES: tuple[Chosen, ...] = (
    (None, (), (), {}),
    (None, (), (), {"passes": "3", "stall_guard": "off"}),
    (None, (), ("advanced",), {}),
)
"""The rule sets that are tried."""
BOTS = {"greedy-1": "bce698d2454820f4"}
"""Marks of the answers of the greedy player, by its version."""
