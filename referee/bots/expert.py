"""A player that looks further ahead, in more worlds."""

from __future__ import annotations

from referee.bots.hard import Effort, Hard

EFFORT = Effort(rounds=((7, 10), (4, 18), (2, 30)), turns=3, own=2, others=2)


class Expert(Hard):
    """A player that looks ahead over several turns."""

    name = "expert-1"
    effort = EFFORT
