"""The recorded games of bots, one for each level and rule set; all others at its table are medium.

`python -m tests.bots.recorded [RULE-SET…]` plays them again, which is for a new version of a bot.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from referee.bots import player
from referee.bots.names import LEVELS, MEDIUM
from referee.games.interface import View
from referee.games.match import Match
from tests.games.test_contract import RULE_SETS
from tests.table.tables import NAMES

FOLDER = Path(__file__).parent / "recorded"


class Moment(NamedTuple):
    """A decision of a bot in a recorded game: what its seat saw, and the answer that it gave."""

    decision: str
    view: View
    play: str


def path_of(name: str, level: str) -> Path:
    """The file of a game; its first line names the bot with its version, and how many others sit
    there.
    """
    return FOLDER / name / f"{level}.txt"


def seats_of(name: str) -> int:
    """The number of seats in the games of a rule set, which are not all the same."""
    rules = RULE_SETS[name]
    fitting = [seats for seats in rules.seats if not rules.fits(seats)]
    return fitting[list(RULE_SETS).index(name) % len(fitting)]


def begun(name: str) -> Match:
    """The deal of a rule set."""
    return Match.deal(RULE_SETS[name], NAMES[: seats_of(name)], name)


def seed_of(decision: str) -> bytes:
    """The seed of an answer."""
    return f"recorded {decision}".encode()


def moments(name: str, level: str) -> Iterator[Moment]:
    """Every decision of the bot in a recorded game."""
    match = begun(name)
    for line in path_of(name, level).read_text().splitlines()[1:]:
        decision, play = line.split(" ", 1)
        seat = match.seats_asked[0]
        assert match.missing()[0] == decision
        if seat == NAMES[0]:
            yield Moment(decision, match.view(seat), play)
        match.play(seat, play)


def head(name: str, level: str) -> str:
    """The first line of a file."""
    return f"{player(level, RULE_SETS[name]).name} with {seats_of(name) - 1} others"


def record(name: str, level: str) -> None:
    """Play a game with a bot of a level, and write it down."""
    rules = RULE_SETS[name]
    bot, other = player(level, rules), player(MEDIUM, rules)
    match = begun(name)
    lines = [head(name, level)]
    while not match.over:
        decision, seat = match.missing()[0], match.seats_asked[0]
        who = bot if seat == NAMES[0] else other
        play = who.answer(match.view(seat), seed_of(decision))
        lines.append(f"{decision} {play}")
        match.play(seat, play)
    path = path_of(name, level)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines))


if __name__ == "__main__":
    for chosen in sys.argv[1:] or RULE_SETS:
        for each in LEVELS:
            record(chosen, each)
