"""Numbers of a player's answers to one question: the highest takes the place of the others."""

from __future__ import annotations

import functools
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from referee.errors import Stale, applied_before
from referee.notes.kinds import Move
from referee.playing import player
from referee.playing.shared import (
    ANSWERED,
    MARKED,
    MAX_NOTE,
    MOVES,
    NAMED,
    OTHERWISE,
    files_to_read,
    is_shared,
    own_files,
)
from referee.records import NamedTuple
from referee.storage import NotRead, read_limited
from referee.table.chain import head_at
from referee.table.dealing import pending_commitment
from referee.table.source import folder_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from referee.notes.signed import SignedNote
    from referee.playing.turn import Turn
    from referee.table.gamefile import GameFile

MAX_TRIED = 500
"""The answers that may be in a sealed one."""


class Written(NamedTuple):
    """An answer of the player's in a file: its number, and the play, or "" if it cannot be read."""

    path: Path
    number: int
    play: str


def written_answer(turn: Turn, game: Path) -> Written | None:
    """Return the newest answer to an open question that lies in a file and has not arrived yet."""
    waiting = turn.file.waiting_answer(turn.decision)
    newest: Written | None = None
    for one in _Notes(turn, None).answers(game, None):
        if one.number > (newest.number if newest else waiting.number if waiting else 0):
            newest = one
    return newest


def number_for(turn: Turn, play: str, game: Path, output: Path | None) -> int:
    """Return the number that an answer needs to take the place of all that were signed before.

    These are the one that waits and those in files: beside the game file, in the folder of notes
    of a clone, and where the new one is to be written. An answer that says the same as the newest
    of them is that one, signed again. Raises AlreadyApplied where that waits, Stale where a
    question has had as many answers as it takes.
    """
    given, same = 0, False
    for one in _Notes(turn, play).answers(game, output):
        if one.number > given:
            given, same = one.number, one.play == play
        elif one.number == given:
            same = same and one.play == play
    waiting = turn.file.waiting_answer(turn.decision)
    held = waiting.number if waiting is not None else 0
    if given > held and same:
        return given
    if held >= given:
        check_not_waiting(turn, play, held)
    try:
        return player.next_number(turn.file, turn.decision, given)
    except Stale as error:
        if given > held:
            error.hint = "where not all of the notes there are yours, say which it is with --number"
        raise


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


class _Notes:
    """The answers to a question in files, as far as they can be the player's own.

    In a clone others can have pushed them: what can be read must be signed, and what is sealed be
    called after the mark of an answer that is legal. Where these are too many to be tried, any mark
    will do for who means to answer with a `play`, since a number may be too high but not too low.
    """

    def __init__(self, turn: Turn, play: str | None) -> None:
        self._turn = turn
        self._play = play
        self._marks: dict[int, dict[str, str]] = {}
        self._plays = functools.cache(lambda: turn.view.plays(MAX_TRIED))

    def answers(self, game: Path, output: Path | None) -> Iterator[Written]:
        """Yield each of them."""
        start = f"{self._turn.file.game[:8]}-{self._turn.decision}"
        beside = NAMED.format(re.escape(start), "")
        pushed = NAMED.format(re.escape(self._turn.decision), MARKED)
        for path in own_files(_files(folder_of(game), start, beside)):
            yield from self._answers_in(path, beside)
        # In a clone others can push any number of them. What has a name of its author's choice
        # tells what it is only where it is not sealed.
        if not is_shared(game):
            for path in files_to_read(_files(folder_of(game), "", OTHERWISE)):
                yield from self._answers_in(path, None)
        open_ones = (
            path
            for path in _files(game.parent / MOVES, self._turn.decision, pushed)
            # An answer of the referee's does not count, whoever pushed it.
            if not path.with_name(path.name + ANSWERED).exists()
        )
        for path in files_to_read(open_ones):
            yield from self._answers_in(path, pushed)
        if output is not None:
            yield from self._answers_in(output, None)

    def _answers_in(self, path: Path, form: str | None) -> Iterator[Written]:
        if path.is_symlink() or not path.is_file():
            return
        try:
            data = read_limited(path, MAX_NOTE)
        except NotRead:
            return
        # It is slow to import, and seldom is there a note.
        from referee.notes.finding import find_in_bytes

        for found in find_in_bytes(data):
            if found.signed is not None and _is_mine(found.signed, self._turn):
                note = found.signed.note
                assert isinstance(note, Move)
                yield Written(path, note.number, note.play)
            elif found.sealed is not None and form is not None:
                named = re.fullmatch(form, path.name)
                assert named is not None
                number = int(named[1] or "1")
                if named.re.groups == 1:
                    yield Written(path, number, "")
                elif (play := self._play_of(number, named[2])) is not None:
                    yield Written(path, number, play)

    def _play_of(self, number: int, mark: str) -> str | None:
        """Return the play of the answer with this number and mark; "" if it cannot be told.

        None where no answer of the player's has that mark.
        """
        if number not in self._marks:
            plays = self._plays()
            mine = [self._play] if self._play is not None else []
            self._marks[number] = self._marked(number, mine if plays is None else plays)
        unknown = "" if self._plays() is None and self._play is not None else None
        return self._marks[number].get(mark, unknown)

    def _marked(self, number: int, plays: Iterable[str]) -> dict[str, str]:
        # Few tables go by git.
        from referee.git.evidence import note_fingerprint

        turn, tried = self._turn, list(plays)
        if not tried:
            return {}
        first = player.sign_move(turn.file, turn.key, turn.decision, tried[0]).note
        found = {}
        for play in tried:
            note = Move(first.game, turn.decision, first.step, first.head, play, number)
            found[note_fingerprint(note.text, note.sign(turn.key))] = play
        return found


def _files(folder: Path, start: str, form: str) -> list[Path]:
    """Return the files in a folder, if there is one, whose names begin so and have this form."""
    try:
        with os.scandir(folder) as entries:
            names = [entry.name for entry in entries]
    except OSError:
        return []
    # Forms are not compiled where no name comes near.
    near = [name for name in names if name.startswith(start) and name.endswith(".move")]
    return [folder / name for name in near if re.fullmatch(form, name)]


def _is_mine(signed: SignedNote, turn: Turn) -> bool:
    note = signed.note
    return (
        isinstance(note, Move)
        and (note.game, note.turn) == (turn.file.game, turn.decision)
        and signed.signature.public == turn.key.public
        and _is_of_this_history(note, turn.file)
        and signed.holds()
    )


def _is_of_this_history(note: Move, file: GameFile) -> bool:
    """Return True if a note was signed over what this file has as its past."""
    if note.step >= file.step:
        return (note.step, note.head) == (file.step, file.head.hex())
    return head_at(file, note.step).hex() == note.head
