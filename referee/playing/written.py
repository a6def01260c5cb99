"""The reader's own answers to the questions of a list that lie in files and have not arrived yet.

The list opens no hand: what is sealed is known by the name under which it was written.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from referee.games.errors import GameError
from referee.notes.kinds import Join, Move
from referee.playing.listing import JOIN, read_listed
from referee.playing.shared import (
    ANSWERED,
    MARKED,
    MAX_NOTE,
    MAX_READ,
    MOVES,
    NAMED,
    OTHERWISE,
    is_shared,
    own_files,
)
from referee.storage import NotRead, is_file, read_limited
from referee.table.decisions import DecisionId

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from referee.crypto.keys import PublicKey
    from referee.notes.finding import Found
    from referee.notes.signed import SignedNote
    from referee.playing.listing import ListedGame

QUESTION = r"([0-9]+\.[0-9]+\.[a-z-]+\.[a-z0-9-]+?)"
BESIDE = re.compile(NAMED.format(r"([0-9a-f]{8}-)" + QUESTION, ""))
PUSHED = re.compile(NAMED.format(QUESTION, MARKED))
OTHER = re.compile(OTHERWISE)
JOINS = re.compile(rf"([0-9a-f]{{8}}-)?([a-z][a-z0-9-]*?)({MARKED})?\.join")
MOST_NAMES = 100_000
"""Names of a folder that are looked at."""


def written_joins(game: Path, key: PublicKey) -> dict[str, Path]:
    """Return the joins of a key to an open table that lie in files beside it, by their seats."""
    if not game.is_file() or (listed := read_listed(game, [key])) is None:
        return {}
    WrittenAnswers([key]).add_to([listed])
    return {one.seat: path for one, path in listed.written.items() if one.kind == JOIN}


class WrittenAnswers:
    """The files of answers in the folders of a list, each folder looked at once."""

    def __init__(self, keys: Collection[PublicKey]) -> None:
        self._keys = keys
        self._named: dict[Path, dict[str, list[Path]]] = {}
        self._read: dict[Path, list[Found]] = {}

    def add_to(self, games: Iterable[ListedGame]) -> None:
        """Note in each game which of its questions to the reader are answered in a file, and which
        free seat the reader takes in one.
        """
        listed = list(games)
        in_folders = Counter(one.path.parent for one in listed)
        for game in listed:
            free = [] if game.mine else [DecisionId(0, 0, JOIN, seat) for seat in game.free]
            for question in (*game.for_me(), *free):
                alone = in_folders[game.path.parent] == 1
                found = self._answer(game, question, alone=alone)
                if found is not None:
                    game.written[question] = found

    def _answer(self, game: ListedGame, question: DecisionId, *, alone: bool) -> Path | None:
        """Return the newest answer to a question. In a clone's folder of notes, where the names do
        not say the game, sealed ones count only if it has the folder `alone`.
        """
        folder = Path() if game.is_mailed else game.path.parent
        about = question.seat if question.kind == JOIN else str(question)
        beside = self._files(folder).get(f"{game.game[:8]}-{about}", [])
        for path in reversed(beside[-MAX_READ:]):
            if self._is_answer(path, game, question, sealed=True):
                return path
        if not is_shared(game.path):
            files = self._files(folder)
            for path in [*files.get("", []), *files.get(question.seat, [])][:MAX_READ]:
                if self._is_answer(path, game, question, sealed=False):
                    return path
        pushed = self._files(folder / MOVES).get(about, []) if not game.is_mailed else []
        for path in reversed(pushed[-MAX_READ:]):
            # What the referee has refused is to be answered again.
            if not os.path.lexists(f"{path}{ANSWERED}") and self._is_answer(
                path, game, question, sealed=alone
            ):
                return path
        return None

    def _files(self, folder: Path) -> dict[str, list[Path]]:
        """Return the files of answers in a folder by what their names say, in their order."""
        if folder not in self._named:
            found: dict[str, list[tuple[int, Path]]] = {}
            self._named[folder] = {}
            for name in _names(folder):
                if named := BESIDE.fullmatch(name):
                    about, number = f"{named[1]}{named[2]}", int(named[3] or 1)
                elif named := PUSHED.fullmatch(name):
                    about, number = named[1], int(named[2] or 1)
                elif named := JOINS.fullmatch(name):
                    about, number = f"{named[1] or ''}{named[2]}", 1
                elif OTHER.fullmatch(name):
                    about, number = "", 1
                else:
                    continue
                found.setdefault(about, []).append((number, folder / name))
            for about, files in found.items():
                self._named[folder][about] = [path for _, path in sorted(files)]
        return self._named[folder]

    def _is_answer(
        self, path: Path, game: ListedGame, question: DecisionId, *, sealed: bool
    ) -> bool:
        """Return True if a file is this machine's own and holds an answer to a question."""
        # Others can have made a pipe or a link of that name.
        if path.is_symlink() or not is_file(path):
            return False
        if path not in self._read:
            self._read[path] = _notes_in(path)
        return any(
            sealed if one.sealed is not None else self._fits(one.signed, game, question)
            for one in self._read[path]
        )

    def _fits(self, signed: SignedNote | None, game: ListedGame, question: DecisionId) -> bool:
        """Return True if the reader has signed a note as an answer to a question of this game."""
        if signed is None or signed.signature.public not in self._keys:
            return False
        note = signed.note
        if isinstance(note, Join):
            fits = question.kind == JOIN and note.seat == question.seat
        else:
            fits = isinstance(note, Move) and note.turn == str(question)
        # Of two histories of a game, a note is about one.
        known = note.step < game.step or (note.step, note.head) == (game.step, game.head)
        return fits and note.game == game.game and known and signed.holds()


def _notes_in(path: Path) -> list[Found]:
    """Return the notes in a file that is this machine's own."""
    # Few questions have an answer that has not arrived, and reading it is slow to import.
    from referee.notes.finding import find_in_bytes

    try:
        data = read_limited(path, MAX_NOTE)
        if not own_files([path]):
            return []
    except (NotRead, GameError):
        return []
    return [one for one in find_in_bytes(data) if one.error is None]


def _names(folder: Path) -> list[str]:
    try:
        with os.scandir(folder) as entries:
            return [entry.name for entry, _ in zip(entries, range(MOST_NAMES), strict=False)]
    except OSError:
        return []
