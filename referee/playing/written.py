"""The reader's own answers to the questions of a list that lie in files and have not arrived yet.

The list opens no hand: what is sealed is known by the name under which it was written.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from referee.games.errors import GameError
from referee.notes.kinds import Join, Move, StandingNote
from referee.playing.listing import JOIN, read_listed
from referee.playing.shared import (
    ANSWERED,
    MARKED,
    MAX_NOTE,
    MOVES,
    NAMED,
    OTHERWISE,
    STANDING,
    files_to_read,
    is_shared,
    own_files,
)
from referee.storage import NotRead, read_limited
from referee.table.decisions import DecisionId

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from referee.crypto.keys import PublicKey
    from referee.notes.finding import Found
    from referee.notes.signed import SignedNote
    from referee.playing.listing import ListedGame

QUESTION = r"([0-9]+\.[0-9]+\.[a-z-]+\.[a-z0-9-]+?)"
BESIDE = re.compile(NAMED.format(r"([0-9a-f]{8}-)" + QUESTION, ""))
PUSHED = re.compile(NAMED.format(QUESTION, MARKED))
OTHER = re.compile(rf"{OTHERWISE}|[a-z0-9-]+\.join")
JOINS = re.compile(rf"([0-9a-f]{{8}}-(?=[a-z]))?([a-z][a-z0-9-]*?)({MARKED})?\.join")
MOST_NAMES = 100_000
"""Names of a folder that are looked at."""


def unsent_standing(game: Path, key: PublicKey) -> dict[Path, StandingNote]:
    """Return the votes of a key, and its notes of leaving or coming back, that lie in files beside
    a game that is going on and have not arrived in it.
    """
    if not game.is_file() or (listed := read_listed(game, [key])) is None:
        return {}
    WrittenAnswers([key]).add_to([listed])
    return listed.unsent


def written_joins(game: Path, key: PublicKey) -> dict[str, Path]:
    """Return the joins of a key to an open table that lie in files beside it, by their seats."""
    if not game.is_file() or (listed := read_listed(game, [key])) is None:
        return {}
    WrittenAnswers([key]).add_to([listed])
    return {one.seat: path for one, path in listed.written.items() if one.kind == JOIN}


class WrittenAnswers:
    """The files of answers in the folders of a list, each folder looked at once."""

    def __init__(self, keys: Iterable[PublicKey] = ()) -> None:
        self._named: dict[Path, dict[str, list[Path]]] = {}
        self._numbers: dict[Path, int] = {}
        self._looked: dict[tuple[Path, str], list[Path]] = {}
        self._read: dict[Path, list[Found]] = {}
        self._standing: dict[Path, list[Path]] = {}
        self._signers = {key.hex for key in keys}

    def add_to(self, games: Iterable[ListedGame]) -> None:
        """Note in each game which of its questions to the reader are answered in a file, which free
        seat the reader takes in one, and which votes and the like have not arrived.
        """
        listed = list(games)
        in_folders = Counter(one.path.parent for one in listed)
        self._signers.update(key.hex for one in listed for key in one.keys.values())
        for game in listed:
            free = [] if game.mine else [DecisionId(0, 0, JOIN, seat) for seat in game.free]
            for question in (*game.for_me(), *free):
                alone = in_folders[game.path.parent] == 1
                found = self._answer(game, question, alone=alone)
                if found is not None:
                    game.written[question] = found
            if game.mine and game.status == "playing":
                folder = Path() if game.is_mailed else game.path.parent
                for place in (folder, *([] if game.is_mailed else [folder / MOVES])):
                    for path in self.standing_in(place):
                        self._add_standing(game, path)

    def standing_in(self, folder: Path) -> list[Path]:
        """Return the files of votes, and of leaving or coming back, as far as they are looked at.

        Each shows itself whose it is, under any name.
        """
        if folder not in self._standing:
            names = [name for name in _names(folder) if name.endswith(STANDING)]
            there = [folder / name for name in names]
            with suppress(NotRead, GameError):
                there = files_to_read(
                    path for path in there if not os.path.lexists(f"{path}{ANSWERED}")
                )
            self._standing[folder] = there
        return self._standing[folder]

    def _add_standing(self, game: ListedGame, path: Path) -> None:
        """Note a vote or the like that may still count, unless there is a later one of its kind."""
        for found in self._found_in(path):
            note = found.signed.note if found.signed is not None else None
            if not isinstance(note, StandingNote) or note.game != game.game:
                continue
            key = game.keys.get(note.seat)
            if key is None or found.signed is None or found.signed.signature.public != key:
                continue
            holds, since = game.said.get((note.kind, note.seat), (note.plays[1], 1))
            if note.play != holds and note.step >= since:
                game.unsent[path] = note

    def _answer(self, game: ListedGame, question: DecisionId, *, alone: bool) -> Path | None:
        """Return the newest answer to a question, the one with the highest number. In a clone's
        folder of notes, where the names do not say the game, sealed ones count only if it has the
        folder `alone`.
        """
        folder = Path() if game.is_mailed else game.path.parent
        about = question.seat if question.kind == JOIN else str(question)
        places = [(folder, f"{game.game[:8]}-{about}", True)]
        if not is_shared(game.path):
            places.append((folder, "", False))
        if not game.is_mailed:
            places.append((folder / MOVES, about, alone))
        found = [
            (number, path)
            for place, name, sealed in places
            for path in self._files(place, name)
            for number in self._answers_in(path, game, question, sealed=sealed)
        ]
        return max(found, key=lambda one: one[0])[1] if found else None

    def _files(self, folder: Path, about: str) -> list[Path]:
        """Return the files in a folder whose names say the same, as far as they are looked at."""
        if (folder, about) not in self._looked:
            named = self._names(folder).get(about, [])
            # What the referee has refused is to be answered again.
            there = [path for path in named if not os.path.lexists(f"{path}{ANSWERED}")]
            looked: list[Path] = []
            with suppress(NotRead, GameError):
                looked = own_files(there) if about else files_to_read(there)
            self._looked[folder, about] = looked
        return self._looked[folder, about]

    def _names(self, folder: Path) -> dict[str, list[Path]]:
        """Return the files of answers in a folder by what their names say, and keep the numbers."""
        if folder not in self._named:
            found: dict[str, list[Path]] = {}
            for name in _names(folder):
                if named := BESIDE.fullmatch(name):
                    about, number = f"{named[1]}{named[2]}", int(named[3] or 1)
                elif named := PUSHED.fullmatch(name):
                    about, number = named[1], int(named[2] or 1)
                elif (named := JOINS.fullmatch(name)) and (named[1] or named[3]):
                    about, number = f"{named[1] or ''}{named[2]}", 1
                elif OTHER.fullmatch(name):
                    about, number = "", 1
                else:
                    continue
                found.setdefault(about, []).append(folder / name)
                self._numbers[folder / name] = number
            self._named[folder] = found
        return self._named[folder]

    def _answers_in(
        self, path: Path, game: ListedGame, question: DecisionId, *, sealed: bool
    ) -> Iterator[int]:
        """Yield the numbers of the answers to a question in a file."""
        for one in self._found_in(path):
            if one.signed is None:
                if sealed:
                    yield self._numbers[path]
            elif _fits(one.signed, game, question):
                yield one.signed.note.number if isinstance(one.signed.note, Move) else 1

    def _found_in(self, path: Path) -> list[Found]:
        """Return the notes in a file, as far as they may count."""
        if path not in self._read:
            self._read[path] = [one for one in _notes_in(path) if self._may_count(one)]
        return self._read[path]

    def _may_count(self, found: Found) -> bool:
        """Return True for what the reader has signed, and for what is sealed."""
        if found.signed is None:
            return found.sealed is not None
        return found.signed.signature.public.hex in self._signers and found.signed.holds()


def _fits(signed: SignedNote, game: ListedGame, question: DecisionId) -> bool:
    """Return True if a note is an answer to a question of a game, by the key that is asked."""
    note = signed.note
    if isinstance(note, Join):
        fits = question.kind == JOIN and note.seat == question.seat
    else:
        fits = isinstance(note, Move) and note.turn == str(question)
    # Of two histories of a game, a note is about one.
    known = note.step < game.step or (note.step, note.head) == (game.step, game.head)
    # Any key may take a seat that is free.
    signer = signed.signature.public
    return (
        fits and note.game == game.game and known and signer == game.keys.get(question.seat, signer)
    )


def _notes_in(path: Path) -> list[Found]:
    # Few questions have an answer that has not arrived, and reading it is slow to import.
    from referee.notes.finding import find_in_bytes

    try:
        return find_in_bytes(read_limited(path, MAX_NOTE))
    except (NotRead, GameError):
        return []


def _names(folder: Path) -> list[str]:
    try:
        with os.scandir(folder) as entries:
            return [entry.name for entry, _ in zip(entries, range(MOST_NAMES), strict=False)]
    except OSError:
        return []
