"""A newer file of a game in the folder of the one that somebody has named."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from referee.errors import Fork, Stale
from referee.games.errors import GameError
from referee.notes.recognising import step_in
from referee.records import NamedTuple
from referee.table.clock import owed_decisions
from referee.table.signing import load

if TYPE_CHECKING:
    from collections.abc import Iterator
    from os import stat_result

    from referee.table.gamefile import GameFile

MAX_LISTED, MAX_READ, MAX_OPENED = 1000, 64, 3
"""Files of a folder that are listed, whose beginnings are read, and that are read whole."""
BEGINNING = 1 << 14
GAME = rb'^\[game\]\nid = "%s"\r?$'


class Newer(NamedTuple):
    """A newer file of a game: where it lies, and what it holds; or one of `another` history."""

    path: Path
    file: GameFile
    another: bool = False

    @property
    def words(self) -> str:
        """A clause that says what it is."""
        if self.another:
            return f"the referee has signed another history of this game, {self.path}"
        return f"{self.path} is a newer file of this game, at step {self.file.step}"


def newer_beside(path: Path, file: GameFile) -> Newer | None:
    """Return the newest file of the game that lies beside this one and continues it, if any."""
    # The newest of all is most likely among those with the highest step.
    steps = sorted(_steps(path, file), key=lambda found: -found[0])
    for _, other in steps[:MAX_OPENED]:
        try:
            found, heads = load(other)
        except GameError:
            continue
        if (found.game, found.referee) != (file.game, file.referee):
            continue
        if heads[file.step : file.step + 1] != [file.head]:
            return Newer(other, found, another=True)
        return Newer(other, found) if _reached(found) > _reached(file) else None
    return None


def check_unanswered(newer: Newer, decision: str) -> None:
    """Raise Stale for a question that is answered in a newer file, and Fork for two histories."""
    if newer.another:
        raise Fork(newer.words, "keep both files; `sanjuan-ref compare` shows where they part")
    if decision in owed_decisions(newer.file):
        return
    arrived = newer.file.waiting_answer(decision) is not None
    what = "your answer to {} has arrived there" if arrived else "{} is over there"
    raise Stale(
        f"{newer.words}, and {what.format(decision)}",
        f"use that file: `sanjuan-ref show {newer.path}` says what is asked now",
        reason="answered-otherwise",
    )


def _reached(file: GameFile) -> tuple[int, int]:
    """Return how far a file has come: its step, and the answers that wait."""
    return file.step, sum(answer.number for answer in file.pending)


def _steps(path: Path, file: GameFile) -> Iterator[tuple[int, Path]]:
    """Yield the other files beside a game file that say they are of its game, and no older.

    A copy of the file itself is none of them.
    """
    is_of_game = re.compile(GAME % file.game.encode(), re.MULTILINE)
    for other in _latest(path):
        try:
            with other.open("rb") as stream:
                begin = stream.read(BEGINNING)
            if other.stat().st_size == file.size and other.read_bytes() == path.read_bytes():
                continue
        except OSError:
            continue
        step = step_in(begin)
        if step is not None and step >= file.step and is_of_game.search(begin):
            yield step, other


def _latest(path: Path) -> list[Path]:
    """Return the other files of this ending in a folder that were written last."""
    found: list[tuple[stat_result, Path]] = []
    try:
        for number, other in enumerate(path.parent.iterdir()):
            if number >= MAX_LISTED:
                break
            if other.suffix == ".toml" and other.name != path.name and other.is_file():
                found.append((other.stat(), other))
    except OSError:
        return []
    found.sort(key=lambda pair: (-pair[0].st_mtime_ns, pair[1].name))
    return [other for _, other in found[:MAX_READ]]
