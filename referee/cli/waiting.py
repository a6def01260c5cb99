"""`play --wait`: a game is looked at again and again until it asks something of its reader."""

from __future__ import annotations

from contextlib import nullcontext
from time import sleep
from typing import TYPE_CHECKING

from referee.cli.following import pulled, tracked
from referee.cli.locating import renew
from referee.cli.showing import refusals, unsent
from referee.errors import Damaged
from referee.games.errors import GameError
from referee.git import sync
from referee.git.repo import Busy, GitFailed
from referee.playing.checkout import has_arrived
from referee.records import NamedTuple
from referee.render.text import terminal
from referee.storage import NotWritten
from referee.table.clock import owed_decisions
from referee.table.decisions import DecisionId
from referee.table.signing import load
from referee.table.source import is_held, read_game

if TYPE_CHECKING:
    from pathlib import Path

    from referee.cli.delivery import Delivery
    from referee.playing.numbering import Written
    from referee.playing.reader import Reader
    from referee.table.gamefile import GameFile

RUNNING = ("open", "playing")
PATIENCE = 10
LONGEST = 600
"""The pause before a remote is asked again: a tenth of the time that was quiet, to ten minutes."""


class Unsent(NamedTuple):
    """An answer that could not be sent when it was given, and what was wrong."""

    answer: Written
    decision: str
    delivery: Delivery
    fault: str

    def send(self, now: GameFile) -> bool:
        """Send it if the game still wants it, and return True if so. Raises as when it failed."""
        if has_arrived(now, self.decision, self.answer.number):
            return False
        return self.delivery.send_again(self.answer, self.decision) is not None


def passes(error: GameError) -> bool:
    """Return True if what has failed may well be done later: a push, or the writing of a note."""
    return isinstance(error, GitFailed | NotWritten)


def unsent_after(
    error: GameError, file: GameFile, reader: Reader, delivery: Delivery
) -> Unsent | None:
    """Return the answer that was written before it failed to be sent; None if there is none."""
    answer = unsent(delivery.game, file, reader)
    if answer is None or reader.hand is None:
        return None
    return Unsent(answer, reader.hand.decision, delivery, error.message)


def wait(
    game: Path, file: GameFile, reader: Reader, every: int, left: Unsent | None = None
) -> bool:
    """Wait until a game asks its reader something new, refuses a note, or is over.

    `file` is what it was, and `every` the seconds between two looks; a remote is asked less often
    the longer nothing comes. What is `left` to send is sent as soon as that is possible. Returns
    False when interrupted. Raises Damaged where the file becomes another game's.
    """
    by_git, data, quiet = tracked(game), b"", 0.0
    is_remote = by_git or is_held(game)
    known, refused = _asked(file, reader), _refused(game, file, reader)
    offline, fault = False, left.fault if left is not None else ""
    try:
        while True:
            longer = min(quiet / PATIENCE, LONGEST) if is_remote and left is None else 0
            pause = max(every, longer)
            sleep(pause)
            quiet += pause
            if by_git:
                offline = not pulled(game, offline)
            try:
                renew(game, file)
                last, data = data, read_game(game)
                if data == last and not by_git:
                    continue
                with sync.reading(game) if by_git else nullcontext():
                    now, _ = load(game)
                if left is not None and left.send(now):
                    now, _ = load(game)
                left = None
                is_refused = bool(_refused(game, now, reader) - refused)
            except Busy:
                continue
            except GameError as error:
                # It may be half written, or not be there for a moment.
                if error.message != fault:
                    terminal.warn("note", f"{error.message}; it is tried again")
                fault = error.message
                continue
            if now.game != file.game:
                raise Damaged(f"{game} is not the game any more that was played")
            if now.status not in RUNNING or _asked(now, reader) - known or is_refused:
                return True
    except KeyboardInterrupt:
        terminal.say()
        return False


def _asked(file: GameFile, reader: Reader) -> set[str]:
    """Return the questions to the reader whose answers have not arrived."""
    seat = reader.seat.name if reader.seat is not None else ""
    return {one for one in owed_decisions(file) if DecisionId.parse(one).seat == seat}


def _refused(game: Path, file: GameFile, reader: Reader) -> set[tuple[str, str]]:
    return {(str(one.note), one.refusal.message) for one in refusals(game, file, reader)}
