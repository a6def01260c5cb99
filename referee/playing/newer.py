"""A newer file of a game in the folder of the one that somebody has named, or in an email there."""

from __future__ import annotations

import re
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

from referee.errors import Fork, Stale
from referee.games.errors import GameError
from referee.notes.recognising import step_in
from referee.records import NamedTuple
from referee.storage import read_limited
from referee.table.clock import owed_decisions
from referee.table.gamefile import MAX_FILE
from referee.table.signing import checked, is_signed
from referee.table.source import is_held, read_game

if TYPE_CHECKING:
    from collections.abc import Iterator
    from os import stat_result

    from referee.table.gamefile import GameFile

MAX_LISTED, MAX_READ, MAX_OPENED = 1000, 1000, 64 << 20
"""Files of a folder that are listed, whose beginnings are read, and the bytes that are read whole.
Others can push files; whether one is signed costs little."""
MAX_MAILS, MAIL_SIZE = 16, 1 << 22
"""Emails among them that are looked through, each no larger than this."""
BEGINNING = 1 << 14
MAIL = ".eml"
GAME = rb'(?m)^\[game\]\r?\nid = "%s"\r?$'


class Newer(NamedTuple):
    """A newer file of a game: where it lies, and what it holds; or one of `another` history."""

    path: Path
    file: GameFile
    another: bool = False
    mailed: bool = False

    @property
    def words(self) -> str:
        """A clause that says what it is."""
        if self.another:
            return f"the referee has signed another history of this game, {self.path}"
        what = "has" if self.mailed else "is"
        return f"{self.path} {what} a newer file of this game, at step {self.file.step}"


def newer_beside(path: Path, file: GameFile) -> Newer | None:
    """Return the newest file of the game that lies beside this one and continues it, if any."""
    # The newest of all is most likely among those with the highest step.
    left = MAX_OPENED
    for step in sorted(_steps(path, file), key=lambda found: -found.step):
        try:
            data = read_limited(step.path, MAX_FILE) if step.mailed is None else step.mailed
            left -= len(data)
            if left < 0:
                break
            if not is_signed(data, file.game, file.referee):
                continue
            found, heads = checked(data)
        except GameError:
            continue
        if (found.game, found.referee) != (file.game, file.referee):
            continue
        if heads[file.step : file.step + 1] != [file.head]:
            return Newer(step.path, found, another=True)
        mailed = step.mailed is not None
        return Newer(step.path, found, mailed=mailed) if _reached(found) > _reached(file) else None
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
        f"use that {'email' if newer.mailed else 'file'}: "
        f"`sanjuan-ref show {quote(str(newer.path))}` says what is asked now",
        reason="answered-otherwise",
    )


def _reached(file: GameFile) -> tuple[int, int]:
    # Few folders hold two files of a game.
    from referee.git.answers import moment

    return moment(file)


class _Step(NamedTuple):
    """The step that a file says it is at, and the file: `mailed` if it came out of an email."""

    step: int
    path: Path
    mailed: bytes | None = None


def _steps(path: Path, file: GameFile) -> Iterator[_Step]:
    """Yield the other files beside a game file that say they are of its game, and no older.

    A copy of the file itself is none of them.
    """
    line = GAME % file.game.encode()

    def step_of(begin: bytes) -> int | None:
        step = step_in(begin)
        fits = step is not None and step >= file.step and re.search(line, begin)
        return step if fits else None

    mails = 0
    for other in _latest(path):
        try:
            if other.suffix == ".toml":
                with other.open("rb") as stream:
                    begin = stream.read(BEGINNING)
                if other.stat().st_size == file.size and other.read_bytes() == read_game(path):
                    continue
                step = step_of(begin)
                if step is not None:
                    yield _Step(step, other)
            elif mails < MAX_MAILS:
                mails += 1
                for data in _mailed(other):
                    step = step_of(data[:BEGINNING])
                    if step is not None and data != read_game(path):
                        yield _Step(step, other, data)
        except (OSError, GameError):
            continue


def _mailed(path: Path) -> list[bytes]:
    """Return the game files in an email; none if it is too large. Raises GameError."""
    # Most games lie in plain files.
    from referee.notes.mime import attached_games, is_mail

    data = read_limited(path, MAIL_SIZE)
    return attached_games(data) if is_mail(data) else []


def _latest(path: Path) -> list[Path]:
    """Return the other game files and emails in a folder that were written last."""
    endings = {".toml", MAIL, *([path.suffix] if is_held(path) else [])}
    found: list[tuple[stat_result, Path]] = []
    try:
        for number, other in enumerate(path.parent.iterdir()):
            if number >= MAX_LISTED:
                break
            if other.suffix in endings and other.name != path.name and other.is_file():
                found.append((other.stat(), other))
    except OSError:
        return []
    found.sort(key=lambda pair: (-pair[0].st_mtime_ns, pair[1].name))
    return [other for _, other in found[:MAX_READ]]
