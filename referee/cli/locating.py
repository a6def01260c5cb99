"""The game of a command: a file, an email or a mailbox, a folder, or the only game here."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

from referee.cli.usage import ADDRESS, Usage, no_address, with_slashes
from referee.games.errors import GameError
from referee.notes.mime import is_mail
from referee.notes.recognising import FIRST, is_game_file
from referee.playing.shared import GAME as SHARED
from referee.playing.shared import is_shared
from referee.redaction import filename_fault
from referee.render.text import prompt, terminal
from referee.storage import NotRead, exists, is_file, is_folder
from referee.table import source

if TYPE_CHECKING:
    from referee.crypto.keys import PublicKey
    from referee.playing.listing import ListedGame
    from referee.playing.versions import Versions
    from referee.table.gamefile import GameFile

GAME = "SANJUAN_GAME"
REMOTE = r"(?P<remote>[A-Za-z]:[\\/][^\s]*|(?![A-Za-z]:[\\/])[^\s-][^\s]*):(?P<path>[^\s:]+)"
"""A path in a remote repository, which may begin with a drive, as on Windows; with a drive and
nothing else before a colon it is a file."""
FILE_AT = f"{ADDRESS}[^:/]+(?::[0-9]+)?(?:/[^:]*)?"
"""An address without a second colon, before the path in a repository; there may be a port."""


def find_game() -> Path:
    """Return the game that is meant where none is named: `$SANJUAN_GAME`, or the only one here.

    Raises Usage where there is none, or several.
    """
    named = os.environ.get(GAME)
    if named:
        return Path(named)
    return only_game(Path())


def only_game(folder: Path) -> Path:
    """Return the newest file of the only game in a folder. Raises Usage.

    In a clone of a table that is the table's game: anybody can push others beside it.
    """
    table = folder / SHARED
    if is_shared(table) and holds_game(table):
        return table
    found = _newest(folder)
    if len(found) == 1:
        return found[0]
    where = "here" if folder == Path() else f"in {folder}"
    if not found:
        raise Usage(
            f"there is no game file {where}",
            hint="name the game file, or go to the folder in which it is; "
            "`sanjuan-ref games` lists those in the folders below",
        )
    names = ", ".join(str(path) for path in found[:8])
    raise Usage(f"several games are {where}: {names}", hint="name the one you mean")


def _newest(folder: Path) -> list[Path]:
    """Return the newest file of each game in a folder.

    One that is damaged counts as a game, but not junk, which anybody can push, beside a good one.
    """
    # A game is named in most runs.
    from referee.playing.listing import read_listed
    from referee.playing.versions import Versions

    found = Versions()
    damaged: list[Path] = []
    junk: list[Path] = []
    try:
        paths = sorted(path for path in folder.glob("*.toml") if holds_game(path))
    except OSError:
        paths = []
    for path in paths:
        try:
            listed = read_listed(path)
        except GameError:
            (damaged if _begins_well(path) else junk).append(path)
            continue
        if listed is not None:
            found.add(listed, path.read_bytes)
    return sorted([*(game.path for game in found.meant()), *damaged]) or junk


def _begins_well(path: Path) -> bool:
    # A game is named in most runs.
    from referee.table.filetext import begin_of
    from referee.table.filetext import plain as plain_text

    with suppress(OSError), path.open("rb") as file:
        return begin_of(plain_text(file.read(FIRST))) is not None
    return False


def holds_game(path: Path) -> bool:
    """Return True if a file begins like a game file."""
    try:
        # Reading a pipe would wait until somebody writes.
        if not is_file(path):
            return False
        with path.open("rb") as file:
            return is_game_file(file.read(FIRST))
    except (OSError, ValueError):
        return False


def plain(path: Path) -> Path:
    """Return the game file that a command is to change. Raises Usage for a folder of several."""
    return only_game(path) if is_folder(path) else path


def locate(path: Path, *, ask: bool = True) -> Path:
    """Return the path of the game that is meant by what was named, and make it readable.

    Of an email, a mailbox, a Maildir or standard input, the newest file of its game is taken; where
    there are several games, the reader is asked. Raises NotRead, Usage and Fork.
    """
    source.forget()
    if path.suffix == ".toml" and is_file(path):
        return path
    # Mailboxes are seldom given, and slow to import.
    from referee.playing.mailed import games_in, is_maildir

    if is_folder(path) and (not is_maildir(path) or _newest(path)):
        return only_game(path)
    if str(path) != "-" and not exists(path):
        if re.fullmatch(FILE_AT, path.as_posix()):
            raise no_address(with_slashes(path.as_posix()))
        remote = re.fullmatch(REMOTE, path.as_posix())
        if remote and not filename_fault(str(path)):
            source.hold(path, _fetched(remote["remote"], remote["path"]))
        return path
    if str(path) != "-" and is_file(path) and not _is_mail(path):
        return path
    found = games_in(path)
    games = found.meant(by_mail=True)
    if len(games) > 1:
        # The owners of the games are looked up only where somebody must choose.
        keys = _keys()
        games = [_chosen(path, [_owned(found, one, keys) for one in games], ask)]
    source.hold(path, found.data(games[0]))
    return path


def renew(path: Path, file: GameFile) -> None:
    """Read the newest file of a game and its referee again from what `locate` has read it from.

    A plain file is left alone. Raises NotRead, Usage and Fork.
    """
    if not source.is_held(path):
        return
    remote = re.fullmatch(REMOTE, path.as_posix())
    if remote and not exists(path):
        source.hold(path, _fetched(remote["remote"], remote["path"]))
        return
    # Mailboxes are seldom given, and slow to import.
    from referee.playing.mailed import games_in

    found = games_in(path)
    # Others can send a file of any id, and with a referee of their own.
    known = file.game, file.referee.text
    newest = next((one for one in found.newest() if (one.game, one.referee) == known), None)
    if newest is None:
        raise NotRead(f"there is no file of this game in {path} any more")
    source.hold(path, found.data(newest))


def _is_mail(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return is_mail(file.read(FIRST))
    except (OSError, ValueError):
        return False


def _fetched(remote: str, path: str) -> bytes:
    # Few games are read from a remote repository.
    from referee.git.repo import Repo
    from referee.storage import scratch
    from referee.table.gamefile import MAX_FILE

    url = with_slashes(remote)
    if Path(remote).exists():
        url = str(Path(remote).absolute())
    url = Repo(Path()).maybe("remote", "get-url", remote) or url
    with scratch() as folder:
        repo = Repo(folder)
        repo.run("init", "--quiet", "--bare")
        done = repo.run("fetch", "--quiet", "--depth=1", "--", url, "HEAD", check=False)
        if done.returncode:
            raise NotRead(f"git cannot fetch from {url}", f"try `git ls-remote {quote(url)}`")
        size = repo.maybe("cat-file", "-s", f"FETCH_HEAD:{path}")
        if not size.isdecimal() or int(size) > MAX_FILE:
            raise NotRead(f"there is no game file {path} in {remote}", "name its path there")
        return repo.run("cat-file", "blob", f"FETCH_HEAD:{path}").stdout


def _owned(found: Versions, game: ListedGame, keys: list[PublicKey]) -> ListedGame:
    """Return a game of those that were found, with what is asked of the holder of these keys."""
    # Mailboxes are seldom given, and slow to import.
    from referee.playing.listing import listed_in

    try:
        owned = listed_in(found.data(game), game.path, keys)
    except GameError:
        return game
    owned.changed = game.changed
    return owned


def _keys() -> list[PublicKey]:
    """Return the keys that the reader is known by, as far as they can be read."""
    # A list is seldom needed where a game is named.
    from referee.cli.gamelist import own_keys

    try:
        keys, notes = own_keys(None)
    except GameError:
        return []
    for note in notes:
        terminal.warn("note", note)
    return keys


def _chosen(path: Path, games: list[ListedGame], ask: bool) -> ListedGame:
    """Ask which of several games is meant, and return it. Raises Usage."""
    # A list is seldom needed where a game is named.
    from referee.cli.gamelist import line
    from referee.playing.shelf import in_order
    from referee.table.times import current_time

    games, now = in_order(games), current_time()
    cells = []
    for game in games:
        head, note = line(game, now)
        cells.append((note, head.lower()))
    if not ask or str(path) == "-" or not terminal.asks():
        apart = all(game.path != path for game in games)
        names = "; ".join(
            f"{quote(str(game.path))} has {note} ({head})" if apart else f"{note} ({head})"
            for game, (note, head) in zip(games[:8], cells, strict=False)
        )
        hint = "name the message" if apart else "save the email of the one you mean"
        raise Usage(f"{path} holds {len(games)} games: {names}", hint=hint)
    at = prompt.choose("Which game?", cells)
    if at is not None:
        return games[at]
    raise Usage("no game was chosen", hint=f"type a number from 1 to {len(games)}")
