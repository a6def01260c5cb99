"""Records of a game: the note of a step, and the checks that were done."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.cli import keyring
from referee.cli.usage import Usage
from referee.playing.reader import reader_of
from referee.render.text import terminal
from referee.table.chain import DEAL, REFEREE
from referee.table.joins import join_of
from referee.table.plans import is_plan, plan_behind
from referee.table.plans import note_of as plan_note
from referee.table.provenance import move_of
from referee.table.standing import is_standing
from referee.table.standing import note_of as standing_note
from referee.table.transfer import Holders, is_transfer, notes_of

if TYPE_CHECKING:
    from pathlib import Path

    from referee.playing.reader import Reader
    from referee.table.gamefile import GameFile

HELP = "see `sanjuan-ref log --help`"


def length_of(file: GameFile) -> str:
    """Say how long the log is."""
    return f"the log ends at step {file.step}"


def note_of(file: GameFile, heads: list[bytes], step: int) -> str:
    """Return the signed notes of a step as they were sent. Raises Usage where it has none."""
    if step > file.step:
        raise Usage(f"there is no step {step}: {length_of(file)}", hint=HELP)
    entry = file.log[step - 1]
    if entry.decision == DEAL:
        joins = [(join_of(file, seat), seat) for seat in file.seats if seat.joined]
        return "".join(
            [
                join.armoured(seat.key, seat.signature)
                for join, seat in joins
                if seat.key is not None
            ]
        )
    if is_transfer(entry.decision):
        signed = notes_of(file, entry, heads)
        return "".join([note.armoured(by.key, by.signature) for note, by in signed])
    if plan_behind(entry):
        raise Usage(f"--note: the answer of step {step} is that of a plan", hint=HELP)
    if not entry.signature and entry.by != REFEREE:
        raise Usage(f"--note: the answer of step {step} is a bot's, which signs nothing", hint=HELP)
    if entry.by == REFEREE:
        raise Usage(
            f"--note: step {step} is an act of the referee's, covered by its signature of the file",
            hint=HELP,
        )
    walk = Holders(file)
    for at, past in enumerate(file.log[:step], 1):
        walk.follow(at, past, heads)
    key = walk.at(entry.by, entry.seen)
    assert key is not None
    if is_standing(entry.decision):
        return standing_note(file, entry, heads).armoured(key, entry.signature)
    if is_plan(entry.decision):
        return plan_note(file, entry, heads).armoured(key, entry.signature)
    return move_of(file, entry, heads).armoured(key, entry.signature)


def checked_reader(file: GameFile, key: Path | None, identity: Path | None) -> Reader:
    """Return the reader of a file; raises NotYours for a key that was given and has no seat."""
    found = reader_of(file, keyring.keys(key, identity=identity))
    found.check_seat()
    return found


def tell_checks(done: list[str]) -> None:
    """Print the checks that were done."""
    for line in done:
        terminal.say(("good", "ok"), f"  {line}")
