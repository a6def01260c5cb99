"""Games that are played by email: where they lie, and their address books."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from referee.errors import BadSignature, Damaged
from referee.games.errors import GameError
from referee.mail import addresses
from referee.notes.recognising import is_game_file, step_in
from referee.playing.folders import folders_below
from referee.records import NamedTuple
from referee.refereeing import commit, ledger
from referee.storage import NotRead, read_limited
from referee.table.filetext import parse
from referee.table.gamefile import MAX_FILE

if TYPE_CHECKING:
    from referee.mail.addresses import Book, Way
    from referee.mail.pages import Flags
    from referee.refereeing.kept import Kept

ID = re.compile(rb'^\[game\]\nid = "([0-9a-f]{16})"$', re.MULTILINE)


class MailConfig(NamedTuple):
    """Options of a mail command: where mail goes, and which address book and ledger are used."""

    now: datetime
    flags: Flags
    ways: list[Way]
    addresses: Path | None = None
    ledger: Path | None = None
    kept: Kept | None = None

    @property
    def set_aside(self) -> Path | None:
        """The folder for messages on which the program fails, if not the default one."""
        return self.ledger.parent if self.ledger is not None else None

    def book(self, game: Path, folder: Path | None = None) -> Book:
        """Return the address book beside a game, or else that of the folder in which games are.

        Raises NotRead and Damaged, also for a book that somebody may have pushed: it can name a
        program that is to be run, and says where everybody's answers go.
        """
        if self.addresses is not None:
            return addresses.read(self.addresses)
        folders = [game.parent] if folder is None else [game.parent, folder]
        found = [at / addresses.NAME for at in folders if (at / addresses.NAME).exists()]
        own = [path for path in found if not is_in_clone(path)]
        if found and not own:
            raise Damaged(
                f"{found[0]} lies in a git clone, where it may be somebody else's",
                "if it is yours, move it out of the clone, or name it with --addresses",
            )
        return addresses.read((own or [game.parent / addresses.NAME])[0])


class Place(NamedTuple):
    """A game that gets mail: where its file lies, and its address book."""

    path: Path
    game: str
    book: Book


def place(path: Path, config: MailConfig) -> Place:
    """Return the game in a file. Raises NotRead, or Damaged for another file or address book."""
    header = read_header(path)
    game = header[0] if header else parse(read_limited(path, MAX_FILE))[0].game
    return Place(path, game, config.book(path))


def places(folder: Path, config: MailConfig) -> tuple[list[Place], list[GameError]]:
    """Return the games in a folder and below it, and the errors of those that are damaged.

    Of several files of a game the newest counts; one that somebody may have pushed only if there
    is no other. Raises NotRead if there is no game at all.
    """
    if not folder.is_dir():
        raise NotRead(f"{folder} is not a folder")
    versions: dict[str, list[tuple[bool, int, Path]]] = {}
    faults: list[GameError] = []
    below = folders_below(folder, links=True)
    for path in sorted(at.path / one.name for at in below for one in at.tomls()):
        # Reading a pipe would wait until somebody writes.
        if not path.is_file() or is_pushed_link(path, folder):
            continue
        try:
            header = read_header(path)
        except GameError as error:
            error.message = f"{path}: {error.message}"
            faults.append(error)
            continue
        if header:
            versions.setdefault(header[0], []).append((is_in_clone(path), -header[1], path))
    found: list[Place] = []
    for game, files in versions.items():
        path = newest_signed(game, [path for _, _, path in sorted(files)], faults)
        try:
            found.append(Place(path, game, config.book(path, folder)))
        except GameError as error:
            faults.append(error)
    if not found and not faults:
        raise NotRead(f"there is no game file in {folder}")
    return found, faults


def read_header(path: Path) -> tuple[str, int] | None:
    """Return id and step of a game file, None for another file. Raises NotRead and Damaged."""
    data = read_limited(path, MAX_FILE)
    if not is_game_file(data):
        return None
    id_, step = ID.search(data), step_in(data)
    if id_ and step is not None:
        return id_[1].decode(), step
    file, _ = parse(data)
    return file.game, file.step


def newest_signed(game: str, paths: Sequence[Path], faults: list[GameError]) -> Path:
    """Return the first file that the game's referee has signed; errors of others go to `faults`.

    Anybody can write an id and a step into a file.
    """
    if len(paths) > 1:
        known = ledger.last_signed(game)
        for path in paths:
            try:
                file = commit.parse_signed(read_limited(path, MAX_FILE), str(path))
                if known is None or file.referee == known.referee:
                    return path
                raise BadSignature(f"{path} is of another referee than the game {game} has")
            except GameError as error:
                faults.append(error)
    return paths[0]


def is_in_clone(path: Path) -> bool:
    """Return True if a file lies in a working tree of git, into which others can push."""
    folder = path.parent.resolve()
    return any((at / ".git").exists() for at in (folder, *folder.parents))


def is_pushed_link(path: Path, folder: Path) -> bool:
    """Return True if a file, or a folder between it and another one, is a link in a clone."""
    between = [part for part in path.parents if folder in part.parents]
    return any(part.is_symlink() and is_in_clone(part) for part in (path, *between))
