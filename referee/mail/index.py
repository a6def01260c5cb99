"""An index of the games below a folder, so that a message costs the same among any number of them.

It knows which files hold a game, and at which games an address sits. It is a hint and no more:
what it says is checked against the files that it names. It lies in the state folder; without it,
it is made anew from the files. Those that have not changed are not read again.
"""

from __future__ import annotations

import hashlib
import os
import stat
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from referee.games.errors import GameError
from referee.mail import addresses
from referee.mail.places import (
    Place,
    is_in_clone,
    is_pushed_link,
    newest_signed,
    read_header,
)
from referee.playing.folders import folders_below
from referee.records import NamedTuple
from referee.refereeing.statefolder import default_folder
from referee.storage import NotRead, NotWritten, locked, make_private
from referee.system import open_own

if TYPE_CHECKING:
    import sqlite3

    from referee.mail.addresses import Book
    from referee.mail.places import MailConfig

VERSION = 1
TABLES = """
CREATE TABLE IF NOT EXISTS files(
    key BLOB PRIMARY KEY, mark TEXT, game TEXT, seats TEXT, fault INTEGER) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS by_game ON files(game);
CREATE INDEX IF NOT EXISTS faulty ON files(fault) WHERE fault > 0;
CREATE TABLE IF NOT EXISTS seated(
    address TEXT, key BLOB, game TEXT, PRIMARY KEY(address, key)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS by_key ON seated(key);
CREATE TABLE IF NOT EXISTS walk(one INTEGER PRIMARY KEY, began REAL, files INTEGER);
"""
FEW = 1000
"""Among so few files it costs nothing to look at all of them whenever something is asked."""
# Seconds between two walks over many files, for each of them: of those for what the index does
# not know, which anybody can ask for by email, and of those that nobody asks for.
ASKED_WAIT, ROUTINE_WAIT = 0.0005, 0.01
LONGEST_WAIT = 60.0
# A file may have been written again since, within one tick of the clock of its file system.
TICK = 2.0
FILE, BOOK, COPY = 1, 2, 4
"""Faults: the file cannot be read, its address book, or it is a copy that does not count."""
MOST_FAULTS = 20
MOST_TRIED = 100
BETWEEN = b"\x01"
"""Stands for the slash in keys, which then sort as paths do."""


class _Listed(NamedTuple):
    """A file that a walk has come by; `mark` is another one after each change of it."""

    mark: str
    in_clone: bool


class _Row(NamedTuple):
    """A row of the index about a file; `seats` is the mark of its address book."""

    mark: str
    game: str
    seats: str
    fault: int


class GameIndex:
    """The games in a folder and below it, found by their id or by an address.

    `missed` says that something was asked for which the index did not know, or was wrong about,
    although files may have changed since the last walk over them: ask again after `walk`.
    """

    def __init__(self, folder: Path, config: MailConfig) -> None:
        if not folder.is_dir():
            raise NotRead(f"{folder} is not a folder")
        self._folder = folder
        self._config = config
        about = f"{folder.resolve()}\0{config.addresses and config.addresses.resolve()}"
        name = hashlib.sha256(os.fsencode(about)).hexdigest()[:32]
        self.path = default_folder() / "index" / f"{name}.{VERSION}.db"
        make_private(self.path.parent)
        self._walked = False
        self.missed = False
        self._db = self._connect()
        self._read_walk()

    def close(self) -> None:
        """Leave the index to others."""
        self._db.close()

    def freshen(self) -> None:
        """Walk over the files unless there are many, and somebody has done so not long ago.

        Raises NotRead if there is no game, and NotWritten.
        """
        self._walked = self.missed = False
        age = time.time() - self._began
        wait = ROUTINE_WAIT * self._files if self._files >= FEW else 0
        if not (self._began and 0 <= age < wait):
            self.walk()

    def walk(self) -> None:
        """Bring the index up to date with the files.

        Whoever asks while there are many files waits until enough time has passed since the last
        walk: then one walk serves all who wait. Raises NotRead if there is no game, and NotWritten.
        """
        asked = time.time()
        self._db.close()
        with locked(self.path.with_name(self.path.name + ".lock")):
            self._db = self._connect()
            self._read_walk()
            if not asked < self._began <= time.time():
                wait = self._began + ASKED_WAIT * self._files - time.time()
                # A clock that was put back says nothing.
                if self._files >= FEW and self._began <= time.time() and wait > 0:
                    time.sleep(min(wait, LONGEST_WAIT))
                self._update()
        self._walked, self.missed = True, False
        if not self._ask("SELECT 1 FROM files WHERE game != '' OR fault > 0 LIMIT 1"):
            raise NotRead(f"there is no game file in {self._folder}")

    @property
    def all_here(self) -> bool:
        """True if every game in the folder could be read, with its address book."""
        return not self._ask("SELECT 1 FROM files WHERE fault > 0 LIMIT 1")

    def faults(self) -> list[GameError]:
        """Return the errors of games that cannot be read, the first of them if they are many."""
        found: list[GameError] = []
        rows = self._ask(
            "SELECT key, game FROM files WHERE fault > 0 ORDER BY key LIMIT ?", MOST_FAULTS
        )
        for key, game in rows:
            path = self._path(key)
            try:
                if read_header(path):
                    self._config.book(path, self._folder)
                    self._newest(game, found)
            except GameError as error:
                if str(path) not in error.message:
                    error.message = f"{path}: {error.message}"
                found.append(error)
        # A copy is met once for each file of its game.
        return list({error.message: error for error in found}.values())

    def place(self, game: str) -> Place | None:
        """Return where a game lies, as its files say now; None if it is not here."""
        path = self._newest(game, [])
        if path is None:
            self._miss()
            return None
        try:
            return Place(path, game, self._config.book(path, self._folder))
        except GameError:
            self._miss()
            return None

    def seated(self, address: str) -> Place | None:
        """Return the first game at which somebody of this address sits."""
        if not address:
            return None
        rows = self._ask(
            "SELECT game FROM seated WHERE address = ? ORDER BY key LIMIT ?",
            address.lower(),
            MOST_TRIED,
        )
        for game in dict.fromkeys(row[0] for row in rows):
            place = self.place(game)
            if place is not None and place.book.seats_at(address):
                return place
            self._wrong(game)
            if self.missed:
                return None
        self._miss()
        return None

    def _wrong(self, game: str) -> None:
        """Let the next walk read the files again that the index calls those of a game."""
        self._miss()
        if self.missed:
            self._ask("UPDATE files SET mark = '' WHERE game = ?", game)

    def _miss(self) -> None:
        self.missed = not self._walked

    def _newest(self, game: str, faults: list[GameError]) -> Path | None:
        """Return the file of a game that counts; None if there is none where the index says."""
        files = []
        for (key,) in self._ask("SELECT key FROM files WHERE game = ?", game):
            path = self._path(key)
            with suppress(GameError):
                header = self._header(path)
                if header is not None and header[0] == game:
                    files.append((is_in_clone(path), -header[1], path))
                    continue
            self._wrong(game)
        return newest_signed(game, [path for *_, path in sorted(files)], faults) if files else None

    def _header(self, path: Path) -> tuple[str, int] | None:
        # Reading a pipe would wait until somebody writes.
        if not path.is_file() or is_pushed_link(path, self._folder):
            return None
        return read_header(path)

    def _path(self, key: bytes) -> Path:
        return self._folder / os.fsdecode(key.replace(BETWEEN, b"/"))

    def _connect(self) -> sqlite3.Connection:
        """Open the index, or a new one where there is none, or what is none. Raises NotWritten."""
        # Slow to import, and only for hosts of many games.
        import sqlite3

        for _ in range(2):
            try:
                # SQLite would let others read it.
                os.close(open_own(self.path, os.O_RDWR | os.O_CREAT))
                db = sqlite3.connect(self.path, timeout=60, isolation_level=None)
                db.executescript(TABLES)
            except sqlite3.OperationalError as error:
                raise self._not_kept(error) from None
            except sqlite3.DatabaseError:
                self._remove()
            except OSError as error:
                raise self._not_kept(error) from None
            else:
                return db
        raise self._not_kept("it is damaged each time")

    def _not_kept(self, why: object) -> NotWritten:
        return NotWritten(
            f"cannot keep the index {self.path}: {why}",
            "make room there, or remove it: it is made anew from the game files",
        )

    def _remove(self) -> None:
        for ending in ("", "-journal"):
            self.path.with_name(self.path.name + ending).unlink(missing_ok=True)

    def _ask(self, question: str, *about: object) -> list[tuple[Any, ...]]:
        """Return the rows that answer a question; none of an index that is damaged."""
        import sqlite3

        try:
            return self._db.execute(question, about).fetchall()
        except sqlite3.OperationalError as error:
            raise self._not_kept(error) from None
        except sqlite3.DatabaseError:
            self._db.close()
            self._remove()
            self._db = self._connect()
            self._began, self._files = 0.0, 0
            self._miss()
            return []

    def _read_walk(self) -> None:
        """Read when the last walk began, and how many files it found."""
        rows = self._ask("SELECT began, files FROM walk")
        self._began, self._files = rows[0] if rows else (0.0, 0)

    def _update(self) -> None:
        """Walk over the files, read those that have changed, and write down what they are."""
        import sqlite3

        began = time.time()
        known = {
            key: _Row(*row)
            for key, *row in self._ask("SELECT key, mark, game, seats, fault FROM files")
        }
        walk = _Walk(self._folder, self._config, began)
        rows = walk.rows(known)
        changed = {key: row for key, row in rows.items() if known.get(key) != row}
        gone = known.keys() - rows.keys()
        if known and len(rows) < FEW and not changed and not gone:
            # The time of a walk counts only among many files.
            self._began, self._files = began, len(rows)
            return
        self._mark_copies({row.game for row in changed.values()} - {""}, rows, changed)
        try:
            with closing(self._db.cursor()) as cursor:
                cursor.execute("BEGIN IMMEDIATE")
                for key in [*gone, *changed]:
                    cursor.execute("DELETE FROM files WHERE key = ?", (key,))
                    cursor.execute("DELETE FROM seated WHERE key = ?", (key,))
                for key, row in changed.items():
                    cursor.execute("INSERT INTO files VALUES(?, ?, ?, ?, ?)", (key, *row))
                    for address in walk.addresses_of(key) if row.game else ():
                        cursor.execute(
                            "INSERT OR IGNORE INTO seated VALUES(?, ?, ?)", (address, key, row.game)
                        )
                cursor.execute("INSERT OR REPLACE INTO walk VALUES(1, ?, ?)", (began, len(rows)))
                cursor.execute("COMMIT")
        except sqlite3.OperationalError as error:
            raise self._not_kept(error) from None
        except sqlite3.DatabaseError:
            self._remove()
            raise self._not_kept("it was damaged") from None
        self._began, self._files = began, len(rows)

    def _mark_copies(
        self, games: set[str], rows: dict[bytes, _Row], changed: dict[bytes, _Row]
    ) -> None:
        """Mark the files that do not count of games that have several."""
        if not games:
            return
        copies: dict[str, list[bytes]] = {}
        for key, row in rows.items():
            if row.game in games:
                copies.setdefault(row.game, []).append(key)
        for game, keys in copies.items():
            faults: list[GameError] = []
            if len(keys) > 1:
                paths = [self._path(key) for key in keys]
                found = [(is_in_clone(path), -step_of(path), path) for path in paths]
                newest_signed(game, [path for *_, path in sorted(found)], faults)
            wrong = " ".join(error.message for error in faults)
            for key in keys:
                fault = rows[key].fault & ~COPY
                fault |= COPY if str(self._path(key)) in wrong else 0
                if fault != rows[key].fault:
                    rows[key] = changed[key] = rows[key]._replace(fault=fault)


def step_of(path: Path) -> int:
    """Return the step that a game file names, -1 if it cannot be read any more."""
    with suppress(GameError):
        header = read_header(path)
        return header[1] if header else -1
    return -1


class _Walk:
    """One walk over all files in a folder and below it."""

    def __init__(self, folder: Path, config: MailConfig, began: float) -> None:
        self._folder = folder
        self._config = config
        self._began = began
        self._listed: dict[bytes, _Listed] = {}
        self._books: dict[bytes, Book | None] = {}
        self._book_marks: dict[bytes, str] = {}
        for key, listed in self._list():
            self._listed[key] = listed

    def rows(self, known: dict[bytes, _Row]) -> dict[bytes, _Row]:
        """Return a row for each file; what has not changed is as it was known."""
        found: dict[bytes, _Row] = {}
        for key, listed in self._listed.items():
            old = known.get(key)
            if old is not None and listed.mark and old.mark == f"{listed.mark} {old.game}":
                game, fault = old.game, old.fault & ~BOOK
            else:
                game, fault = self._game(key)
            seats = ""
            if game:
                seats = self._book_mark(key)
                if old is None or old.seats != seats or not seats or old.game != game:
                    fault |= 0 if self._book(key) is not None else BOOK
                else:
                    fault |= old.fault & BOOK
                # A book that cannot be read may be mended without a change of its own.
                seats = "" if fault & BOOK else seats
            # The game stands in it once more, so that a row which was damaged is noticed.
            mark = f"{listed.mark} {game}" if listed.mark else ""
            found[key] = _Row(mark, game, seats, fault)
        return found

    def addresses_of(self, key: bytes) -> set[str]:
        """Return the addresses of those who sit at a game."""
        book = self._book(key)
        seats = book.seats.values() if book is not None else ()
        return {address.lower() for known in seats for address in known}

    def _game(self, key: bytes) -> tuple[str, int]:
        try:
            header = read_header(self._path(key))
        except GameError:
            return "", FILE
        return (header[0], 0) if header else ("", 0)

    def _path(self, key: bytes) -> Path:
        return self._folder / os.fsdecode(key.replace(BETWEEN, b"/"))

    def _book(self, key: bytes) -> Book | None:
        """Return the address book of a file; None if it cannot be read."""
        below = key.rpartition(BETWEEN)[0]
        if below not in self._books:
            self._books[below] = None
            with suppress(GameError):
                self._books[below] = self._config.book(self._path(key), self._folder)
        return self._books[below]

    def _book_mark(self, key: bytes) -> str:
        """Return a mark that is new once the address book of a file is another, or has changed."""
        below = key.rpartition(BETWEEN)[0]
        if below not in self._book_marks:
            self._book_marks[below] = self._new_book_mark(below)
        return self._book_marks[below]

    def _new_book_mark(self, below: bytes) -> str:
        if self._config.addresses is not None:
            with suppress(OSError):
                return self._mark(self._config.addresses.stat())
            return ""
        name = addresses.NAME.encode()
        for key in [below + BETWEEN + name, name] if below else [name]:
            listed = self._listed.get(key)
            if listed is not None and not listed.in_clone:
                return f"{key.hex()} {listed.mark}" if listed.mark else ""
        return ""

    def _mark(self, there: os.stat_result) -> str:
        """Return the mark of a file; empty for one that has changed just now."""
        if there.st_mtime > self._began - TICK:
            return ""
        return f"{there.st_ino} {there.st_size} {there.st_mtime_ns}"

    def _list(self) -> Iterator[tuple[bytes, _Listed]]:
        # A folder in one that is a link, or that lies in a clone, is one too.
        known: dict[tuple[str, ...], tuple[bool, bool]] = {}
        for at in folders_below(self._folder, links=True):
            is_link, in_clone = known.get(at.below[:-1], (False, False))
            if at.is_link or not at.below:
                is_link, in_clone = at.is_link, is_in_clone(at.path / "game.toml")
            in_clone = in_clone or any(entry.name == ".git" for entry in at.entries)
            known[at.below] = is_link, in_clone
            for entry in at.tomls():
                listed = self._entry(entry, in_clone, is_link=is_link or entry.is_symlink())
                if listed is not None:
                    yield (
                        BETWEEN.join([os.fsencode(part) for part in (*at.below, entry.name)]),
                        listed,
                    )

    def _entry(self, entry: os.DirEntry[str], in_clone: bool, *, is_link: bool) -> _Listed | None:
        try:
            there = entry.stat()
        except OSError:
            return None
        if not stat.S_ISREG(there.st_mode):
            return None
        if is_link and is_pushed_link(Path(entry.path), self._folder):
            return None
        return _Listed(self._mark(there), in_clone)
