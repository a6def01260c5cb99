"""Tests of San Juan."""

from tests.games import Chosen

CHOICES: tuple[Chosen, ...] = (
    ("2014", (), (), {}),
    ("2004", (), (), {}),
    ("2014", ("new-buildings",), (), {}),
    ("2014", ("events",), (), {}),
    ("2004", ("new-buildings", "events"), ("draft-start",), {}),
)
"""The rule sets that are tried."""
BOTS = {"greedy-1": "b9252cee7acf828d"}
"""Marks of the answers of the greedy player, by its version."""
