"""High Card, a small game in one folder: each seat holds three cards, and all put one at once."""

from tests.games import Chosen

CHOICES: tuple[Chosen, ...] = ((None, (), (), {}),)
"""The rule sets that are tried."""
