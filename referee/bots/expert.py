"""A player that looks further ahead, in more worlds."""

from __future__ import annotations

from referee.bots.hard import Effort, Hard

EFFORT = Effort(rounds=((8, 12), (4, 24), (2, 48)), turns=3, own=2, others=2)


class Expert(Hard):
    """A player that looks ahead over several turns."""

    name = "expert-1"
    effort = EFFORT
