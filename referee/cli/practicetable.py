"""A table for one person and bots: made with keys of its own in a folder, and found there again."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from getpass import getuser
from glob import escape
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

from referee.games.errors import GameError
from referee.notes.finding import Found
from referee.playing.shelf import KEYS
from referee.records import NamedTuple
from referee.refereeing import commit, practising
from referee.storage import NotRead, NotWritten, not_written
from referee.table.clock import bots_think
from referee.table.gamefile import GameFile, is_seat_name
from referee.table.opening import sign_join
from referee.table.seatnames import as_seat_name, no_name
from referee.table.signing import load
from referee.table.times import current_time

if TYPE_CHECKING:
    from referee.games.interface import Rules

OVER = ("finished", "abandoned")


class PracticeTable(NamedTuple):
    """A folder with a game against bots."""

    folder: Path

    @property
    def game(self) -> Path:
        """Return the game file."""
        return self.folder / "game.toml"

    @property
    def referee_key(self) -> Path:
        """Return the referee's key."""
        return self.folder / KEYS / "referee"

    @property
    def ledger(self) -> Path:
        """Return the referee's ledger."""
        return self.folder / "referee.ledger"

    def load(self) -> GameFile:
        """Read the game file. Raises NotRead, Damaged and BadSignature."""
        return load(self.game)[0]

    def key(self, file: GameFile) -> Path:
        """Return the player's key. Raises NotRead if this is no game of practice."""
        names = [seat.name for seat in file.seats if not seat.bot]
        for name in names:
            place = self.folder / KEYS / name
            if place.is_file() and self.referee_key.is_file():
                return place
        raise NotRead(
            f"{self.folder} has a game that is not for practice: its keys are not in it",
            f"`sanjuan-ref play {quote(str(self.game))}` goes on with it; "
            "practice takes another folder",
        )


def find(folder: Path) -> tuple[PracticeTable, GameFile | None]:
    """Return the table in a folder, with its game; without one if the folder is to be made.

    Raises NotWritten for a folder with anything else in it, and what reading the game raises.
    """
    table = PracticeTable(folder)
    if table.game.exists():
        file = table.load()
        table.key(file)
        return table, file
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise NotWritten(
            f"{folder} already exists, and has no game in it",
            "name a folder that does not exist yet: `sanjuan-ref practice DIR`",
        )
    return table, None


def this_folder() -> Path | None:
    """Return this folder, seen from the one above, if it is that of a game of practice."""
    here = PracticeTable(Path())
    lies_here = all(path.is_file() for path in (here.game, here.referee_key, here.ledger))
    return Path("..") / Path.cwd().name if lies_here else None


def beside(first: Path, number: int) -> Path:
    """Return the folder DIR-2, DIR-3, … for another game than the first one."""
    return first.with_name(f"{first.name}-{number}")


def first_of(folder: Path) -> Path:
    """Return the folder DIR of a folder DIR-2, DIR-3, … with a game beside its own."""
    name, _, number = folder.name.rpartition("-")
    if name and number.isdecimal() and PracticeTable(folder.with_name(name)).game.is_file():
        return folder.with_name(name)
    return folder


def all_beside(first: Path) -> Iterator[tuple[PracticeTable, GameFile]]:
    """Go through the games of practice in DIR-2, DIR-3, … that can be read."""
    named = first.parent.glob(f"{escape(first.name)}-*")
    numbers = [one.name.removeprefix(f"{first.name}-") for one in named]
    for number in sorted({int(text) for text in numbers if text.isdecimal() and len(text) < 9}):
        with suppress(GameError):
            table, file = find(beside(first, number))
            if file is not None:
                yield table, file


def player_in(file: GameFile) -> str:
    """Return the seat of the player of a game, the first without a bot; "" if all have one."""
    return next((seat.name for seat in file.seats if not seat.bot), "")


def next_free(folder: Path) -> Path:
    """Return the first of DIR-2, DIR-3, … that does not exist."""
    number = 2
    while (free := beside(folder, number)).exists():
        number += 1
    return free


def own_name() -> str:
    """Return a name for whoever sits here: that of the login, if it is a person's."""
    name = ""
    with suppress(Exception):
        name = as_seat_name(getuser())
    return practising.SOMEBODY if name in ("", "root", "admin", "user") else name


def make(
    table: PracticeTable,
    rules: Rules,
    me: str,
    against: Mapping[str, str],
    seed: int | None,
) -> GameFile:
    """Open a table in a new folder, take the seat, and let the bots begin.

    With a seed the same game is dealt whenever it is asked for. Raises NotWritten, NotUnderstood
    and Illegal.
    """
    if not is_seat_name(me):
        raise no_name(me)
    file, referee, mine = practising.opened(rules, me, against, practising.Secrets(seed))
    with _folder_for(table.folder) as folder:
        new = PracticeTable(folder)
        (folder / KEYS).mkdir()
        referee.save(new.referee_key, "practice")
        mine.save(folder / KEYS / me, "practice")
        commit.create_table(new.game, file, referee, new.ledger)
        notes = [("the join", Found(sign_join(file, me, mine)))]
        while notes or bots_think(file):
            with commit.open_game(new.game, referee, ledger=new.ledger) as opened:
                for verdict in commit.apply_notes(opened, notes, current_time()):
                    if verdict.error is not None:
                        raise verdict.error
                file, notes = opened.file, []
    return table.load()


def number_of(seed: int, rules: Rules, me: str, against: Mapping[str, str]) -> str:
    """Return the number of the game that a seed deals to these players under these rules."""
    return practising.Secrets(seed).game(rules, me, against)


@contextmanager
def _folder_for(folder: Path) -> Iterator[Path]:
    """Give a new folder, which gets its name when all is in it. Raises NotWritten."""
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        made = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    except OSError as error:
        raise not_written(folder, error) from None
    try:
        yield made
        try:
            if folder.is_dir():
                folder.rmdir()
            made.rename(folder)
        except OSError as error:
            raise not_written(folder, error) from None
    finally:
        if made.exists():
            shutil.rmtree(made, ignore_errors=True)
