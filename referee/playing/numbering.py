"""Numbers of a player's answers to one question: the highest takes the place of the others."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from referee.errors import Stale, applied_before
from referee.notes.kinds import Move
from referee.playing import player
from referee.playing.shared import MOVES
from referee.storage import NotRead, read_limited
from referee.table.dealing import pending_commitment

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from referee.notes.signed import SignedNote
    from referee.playing.turn import Turn

NAMED = r"{}(?:\.([2-8]))?{}\.move"
MARKED = r"-([0-9a-f]{16})(?:\.[0-9a-f]{8})?"
ANSWERED = ".refused"
"""Ending of the referee's answers in git."""
MAX_READ, MAX_NOTE = 64, 1 << 16
"""Files that are looked at, and the bytes of each: in a clone others can have pushed them."""


def number_for(turn: Turn, play: str, game: Path, output: Path | None) -> int:
    """Return the number that an answer needs to take the place of all that were signed before.

    These are the one that waits and those in files: beside the game file, in the folder of notes
    of a clone, and where the new one is to be written. An answer that says the same as the newest
    of them is that one, signed again. Raises AlreadyApplied where that waits, Stale where a
    question has had as many answers as it takes.
    """
    given, same = 0, False
    for number, is_same in _written(turn, play, game, output):
        if number > given:
            given, same = number, is_same
        elif number == given:
            same = same and is_same
    waiting = turn.file.waiting_answer(turn.decision)
    held = waiting.number if waiting is not None else 0
    if given > held and same:
        return given
    if held >= given:
        check_not_waiting(turn, play, held)
    return player.next_number(turn.file, turn.decision, given)


def check_number(turn: Turn, play: str, number: int) -> None:
    """Raise AlreadyApplied or Stale for a number with which an answer could not count any more."""
    waiting = turn.file.waiting_answer(turn.decision)
    if waiting is not None and waiting.number >= number:
        check_not_waiting(turn, play, waiting.number)
        raise Stale(
            f"your answer {waiting.number} to {turn.decision} has arrived",
            f"--number {waiting.number + 1} takes its place" if waiting.number < 8 else "",
            reason="answered-otherwise",
        )


def check_not_waiting(turn: Turn, play: str, number: int) -> None:
    """Raise AlreadyApplied if the answer of this number that waits is just this one."""
    waiting = turn.file.waiting_answer(turn.decision)
    if waiting is None:
        return
    note = player.sign_move(turn.file, turn.key, turn.decision, play, number)
    said = pending_commitment(turn.file.game, turn.decision, note.text, note.raw64)
    if said == waiting.commitment:
        raise applied_before(f"{turn.decision}: this answer")


def _written(turn: Turn, play: str, game: Path, output: Path | None) -> Iterator[tuple[int, bool]]:
    """Yield the numbers of this question's answers in files, and whether each says the same."""
    beside = re.compile(NAMED.format(re.escape(f"{turn.file.game[:8]}-{turn.decision}"), ""))
    pushed = re.compile(NAMED.format(re.escape(turn.decision), MARKED))
    start = f"{turn.file.game[:8]}-{turn.decision}"
    for path in _files(game.parent, start, beside):
        yield from _answers_in(path, turn, play, beside)
    for path in _files(game.parent / MOVES, turn.decision, pushed):
        # What the referee has answered does not count, whoever pushed it.
        if not path.with_name(path.name + ANSWERED).exists():
            yield from _answers_in(path, turn, play, pushed)
    if output is not None:
        yield from _answers_in(output, turn, play, None)


def _files(folder: Path, start: str, form: re.Pattern[str]) -> Iterable[Path]:
    found = (path for path in folder.glob(f"{start}*.move") if form.fullmatch(path.name))
    return sorted(found)[:MAX_READ]


def _answers_in(
    path: Path, turn: Turn, play: str, form: re.Pattern[str] | None
) -> Iterator[tuple[int, bool]]:
    """Yield the same of one file; what is sealed there is known by a name that we have made."""
    if path.is_symlink() or not path.is_file():
        return
    try:
        data = read_limited(path, MAX_NOTE)
    except NotRead:
        return
    # It is slow to import, and seldom is there a note.
    from referee.notes.finding import find_in_bytes

    for found in find_in_bytes(data):
        if found.signed is not None and _is_mine(found.signed, turn):
            note = found.signed.note
            assert isinstance(note, Move)
            yield note.number, note.play == play
        elif found.sealed is not None and form is not None:
            named = form.fullmatch(path.name)
            assert named is not None
            number = int(named[1] or "1")
            yield number, form.groups > 1 and _is_marked(named[2], turn, play, number)


def _is_mine(signed: SignedNote, turn: Turn) -> bool:
    note = signed.note
    return (
        isinstance(note, Move)
        and (note.game, note.turn) == (turn.file.game, turn.decision)
        and signed.signature.public == turn.key.public
        and signed.holds()
    )


def _is_marked(mark: str, turn: Turn, play: str, number: int) -> bool:
    """Return True if this is the mark of the note with this play and number."""
    # Few tables go by git.
    from referee.git.evidence import note_fingerprint

    note = player.sign_move(turn.file, turn.key, turn.decision, play, number)
    return note_fingerprint(note.text, note.raw64) == mark
