"""The newest game files in an email, a mailbox or a Maildir."""

from __future__ import annotations

import heapq
import mailbox
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from referee.games.errors import GameError
from referee.notes.mime import MAIL_LIMIT, attached_games, is_mail
from referee.notes.recognising import begins_as_game_file
from referee.playing.listing import ListedGame, listed_in
from referee.storage import NotRead, read_limited

if TYPE_CHECKING:
    from referee.crypto.keys import PublicKey

MOST_MESSAGES = 2000
"""So many messages of a mailbox are looked at, the newest of them."""


def is_maildir(path: Path) -> bool:
    """Return True for a folder of messages, each in a file."""
    return (path / "new").is_dir() and (path / "cur").is_dir()


def games_in(path: Path, keys: Iterable[PublicKey] = ()) -> list[tuple[ListedGame, bytes]]:
    """Return the newest file of each game in a mailbox, a Maildir, an email or a game file.

    Standard input is `-`; `keys` are the reader's. Raises NotRead where there is no game.
    """
    newest: dict[str, tuple[ListedGame, bytes]] = {}
    for message in _messages(path):
        for data in _attached(message):
            try:
                game = listed_in(data, path, keys)
            except GameError:
                continue
            other = newest.get(game.game)
            if other is None or game.step > other[0].step:
                newest[game.game] = game, data
    if not newest:
        what = "standard input" if str(path) == "-" else path
        raise NotRead(
            f"there is no game file in {what}",
            "give a game file, or an email to which one is attached",
        )
    return list(newest.values())


def _attached(message: bytes) -> list[bytes]:
    if begins_as_game_file(message):
        return [message]
    try:
        return attached_games(message)
    except GameError:
        return []


def _messages(path: Path) -> Iterator[bytes]:
    """Yield the messages of a mailbox or Maildir, or the one in a file."""
    if path.is_dir():
        files = [one for name in ("new", "cur") for one in (path / name).iterdir()]
        plain = [one for one in files if not one.name.startswith(".") and one.is_file()]
        for one in heapq.nlargest(MOST_MESSAGES, plain, key=lambda one: one.stat().st_mtime):
            yield read_limited(one, MAIL_LIMIT)
        return
    data = read_limited(path, MAIL_LIMIT)
    box = mailbox.mbox(path, create=False) if data.startswith(b"From ") and is_mail(data) else None
    if box is None:
        yield data
        return
    for key in list(box.keys())[-MOST_MESSAGES:]:
        with box.get_file(key, from_=False) as file:
            yield file.read(MAIL_LIMIT)
