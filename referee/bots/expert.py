"""A player that looks further ahead, in more worlds."""

from __future__ import annotations

from typing import Any

from referee.bots.hard import Effort, Hard
from referee.bots.names import EXPERT
from referee.games.search import Search

EFFORT = Effort(rounds=((7, 10), (4, 18), (2, 30)))


class Expert(Hard):
    """A player that looks ahead over several turns."""

    level = EXPERT
    effort = EFFORT

    def effort_in(self, search: Search[Any, Any]) -> Effort:
        """Return the work that the player puts into an answer in a game."""
        return self.effort.along(search.long)
