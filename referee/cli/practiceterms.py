"""The rules and players of practice: what options choose, which games have them, and the options
that choose those of a game again."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from referee.bots import player
from referee.bots.names import LEVELS, LIMITED
from referee.cli import practicetable as tables
from referee.cli.flags import shell_join
from referee.cli.usage import Usage, check_level
from referee.games import rules_of
from referee.records import NamedTuple
from referee.refereeing import practising
from referee.table.rules import rules_for

if TYPE_CHECKING:
    from referee.games.interface import Rules
    from referee.table.gamefile import GameFile


class Wanted(NamedTuple):
    """Rules and players that options choose; without a name or a seed any will do."""

    rules: Rules
    levels: Sequence[str]
    seats: int
    name: str | None
    seed: int | None

    def bots(self, me: str) -> dict[str, str]:
        """Return the bots of a new game by the names of their seats."""
        return practising.bots(self.levels, self.seats - 1, me, self.rules)

    def is_met(self, file: GameFile) -> bool:
        """Return True if a game has just these rules and players, and is not over."""
        me = tables.player_in(file)
        return (
            file.status not in tables.OVER
            and self.name in (None, me)
            and self._deals(file, me)
            and (self.rules.module, self.rules.version) == (file.rules_module, file.version)
            and self.rules.terms() == dict(file.terms)
            and self.bots(me) == {seat.name: seat.bot for seat in file.seats if seat.bot}
        )

    def _deals(self, file: GameFile, me: str) -> bool:
        """Return True if a game is that of the seed, or any will do."""
        if self.seed is None:
            return True
        return tables.number_of(self.seed, self.rules, me, self.bots(me)) == file.game


def levels_of(said: Sequence[str]) -> list[str]:
    """Return the levels that options name. Raises Usage."""
    levels = [level for text in said for level in text.split(",")] or [LEVELS[0]]
    for level in levels:
        check_level("--against", level, LEVELS)
    return levels


def count_of(rules: Rules, seats: int | None, levels: int) -> int:
    """Return the number of seats. Raises Usage."""
    if seats is None:
        seats = _usual(rules, levels)
    misfit = rules.fits(seats)
    if misfit:
        raise Usage(f"--seats: {misfit}", hint="see `sanjuan-ref practice --help`")
    if levels > seats - 1:
        raise Usage(f"--against names {levels} bots, and {seats} seats have room for {seats - 1}")
    return seats


def _usual(rules: Rules, levels: int) -> int:
    return levels + 1 if levels > 1 else practising.usual_seats(rules)


def options_of(file: GameFile) -> list[str]:
    """Return the options that choose the rules and players of a game, those left out that go
    without saying. Raises OtherRules."""
    rules = rules_for(file)
    said = [] if rules.is_default else ["--game", rules.module]
    usual, terms = rules_of(rules.module).choose(None, [], [], {}).terms(), rules.terms()
    if terms.get("own-deck"):
        # Nothing but the deck itself is in the game, and it names the edition.
        said += ["--deck", "DECK.toml"]
    elif terms["edition"] != usual["edition"]:
        said += ["--edition", terms["edition"]]
    said += [word for name in terms["expansions"] for word in ("--expansion", name)]
    said += [word for name in terms["variants"] for word in ("--variant", name)]
    for key, value in terms["options"].items():
        if usual["options"].get(key) != value:
            said += ["--option", f"{key}={value}"]
    levels = _levels_in(file, rules)
    if levels != [LEVELS[0]]:
        said += ["--against", ",".join(levels)]
    if len(file.seats) != _usual(rules, len(levels)):
        said += ["--seats", str(len(file.seats))]
    me = tables.player_in(file)
    return said if me == tables.own_name() else [*said, "--name", me]


def _levels_in(file: GameFile, rules: Rules) -> list[str]:
    """Return the levels of the bots of a game, one where all have the same."""
    known = {player(level, rules).name: level for level in LEVELS}
    found = []
    for seat in file.seats:
        if seat.bot:
            name, limited, lines = seat.bot.partition(LIMITED)
            # A bot of another version of the program has no level here.
            found.append(f"{known[name]}{limited}{lines}" if name in known else LEVELS[0])
    return found[:1] if len(set(found)) == 1 else found


def place(
    first: Path, wanted: Wanted | None, *, named: bool
) -> tuple[tables.PracticeTable, GameFile | None, Path | None]:
    """Return the table to go on at, or one to be made, and the folder of a game that waits then.

    `wanted` are rules and players, if any were chosen, and `first` is the folder, which was `named`
    or is the usual one. Raises Usage where another game than the wanted one is played there.
    """
    table, file = tables.find(first)
    if wanted is None:
        number = 2
        while file is not None and file.status in tables.OVER:
            table, file = tables.find(tables.beside(first, number))
            number += 1
        return table, file, None
    if file is None or wanted.is_met(file):
        return table, file, None
    waits = file.status not in tables.OVER
    if waits and named:
        command = shell_join(["sanjuan-ref", "practice", str(first)])
        raise Usage(
            f"the game in {first} is not over, and has other rules or players",
            hint=f"go on with `{command}`, or name another folder for a new game",
        )
    for table, file in tables.all_beside(first):
        if wanted.is_met(file):
            return table, file, None
    return tables.PracticeTable(tables.next_free(first)), None, first if waits else None
