"""The newest game files in an email, a mailbox or a Maildir."""

from __future__ import annotations

import heapq
import mailbox
import os
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from referee.games.errors import GameError
from referee.notes.mime import attached_games, is_mail
from referee.notes.recognising import MAIL_LIMIT, begins_as_game_file
from referee.playing.listing import UNKNOWN, listed_in
from referee.playing.versions import Versions
from referee.storage import NotRead, is_file, read_limited, scratch

if TYPE_CHECKING:
    from referee.crypto.keys import PublicKey

MOST_MESSAGES = 2000
"""The most messages of a mailbox that are looked at: the newest ones."""
MOST_BYTES = 400_000_000
"""The most bytes of email that are looked at in one run."""
SIGNS = (
    *(b"schema", b"c2NoZW1h", b"NjaGVtY", b"zY2hlbW"),
    *(b"sanjuan-ref", b"c2FuanVhbi1yZW", b"Nhbmp1YW4tcmVm", b"zYW5qdWFuLXJlZ"),
)
"""Words at the beginning of a game file, one of which is in an email that holds it: as they are,
and in base64, which writes them in three ways."""


class Reading:
    """The bytes of email that may still be read, and the number of messages that were not."""

    def __init__(self) -> None:
        self.left = MOST_BYTES
        self.skipped = 0


def is_maildir(path: Path) -> bool:
    """Return True for a folder of messages, each in a file."""
    return (path / "new").is_dir() and (path / "cur").is_dir()


def games_in(
    path: Path, keys: Iterable[PublicKey] = (), reading: Reading | None = None
) -> Versions:
    """Return the newest file of each game in a mailbox, a Maildir, an email or a game file.

    A game in a Maildir has the path of its message, which can be named as well. Standard input is
    `-`; `keys` are the reader's. Raises NotRead where there is no game.
    """
    found = Versions()
    for place, message in _messages(path, reading or Reading()):
        for data in _attached(message):
            with suppress(GameError):
                game = listed_in(data, place, keys)
                game.changed = _came(place, message)
                found.add(game, partial(bytes, data))
    if not found.newest():
        what = "standard input" if str(path) == "-" else path
        raise NotRead(
            f"there is no game file in {what}",
            "give a game file, or an email to which one is attached",
        )
    return found


def _came(place: Path, message: bytes) -> datetime:
    """Return when a message came: a mailbox has one time for all of its own."""
    # A mail program may have moved it meanwhile.
    with suppress(OSError):
        there = place.stat()
        if there.st_size == len(message):
            return datetime.fromtimestamp(there.st_mtime, UTC)
    return UNKNOWN


def _attached(message: bytes) -> list[bytes]:
    if begins_as_game_file(message):
        return [message]
    # To take an email apart costs far more than to see that it holds none.
    if not any(sign in message for sign in SIGNS):
        return []
    try:
        return attached_games(message)
    except GameError:
        return []


def _newest_part(path: Path, data: bytes) -> bytes:
    """Return what is read of a mailbox: its end, if it is too large, where the newest messages are.

    `data` is its beginning, and all of it where it cannot be read a second time.
    """
    if len(data) < MAIL_LIMIT or not path.is_file() or path.stat().st_size <= MAIL_LIMIT:
        return data
    with path.open("rb") as file:
        file.seek(-MAIL_LIMIT, os.SEEK_END)
        end = file.read(MAIL_LIMIT)
    begin = re.search(rb"\n\r?\n(?=From )", end)
    return end[begin.end() :] if begin is not None else data


def _messages(path: Path, reading: Reading) -> Iterator[tuple[Path, bytes]]:
    """Yield the messages of a mailbox or Maildir, the newest first, or the one in a file.

    Each comes after the path of the file that it is in.
    """
    if path.is_dir():
        files = [one for name in ("new", "cur") for one in (path / name).iterdir()]
        plain = [one for one in files if not one.name.startswith(".") and is_file(one)]
        newest = heapq.nlargest(MOST_MESSAGES, plain, key=lambda one: one.stat().st_mtime)
        reading.skipped += len(plain)
        for one in newest:
            if reading.left <= 0:
                return
            data = read_limited(one, MAIL_LIMIT)
            reading.left -= len(data)
            reading.skipped -= 1
            yield one, data
        return
    if reading.left <= 0:
        reading.skipped += 1
        return
    data = read_limited(path, MAIL_LIMIT)
    reading.left -= len(data)
    if not data.startswith(b"From ") or not is_mail(data):
        yield path, data
        return
    data = _newest_part(path, data)
    with scratch() as folder:
        # The library reads files alone, and what was read need not lie in one.
        place = folder / "mbox"
        place.write_bytes(data)
        box = mailbox.mbox(place, create=False)
        keys = list(box.keys())
        reading.skipped += max(0, len(keys) - MOST_MESSAGES)
        for key in reversed(keys[-MOST_MESSAGES:]):
            with box.get_file(key, from_=False) as file:
                yield path, file.read(MAIL_LIMIT)
        box.close()
