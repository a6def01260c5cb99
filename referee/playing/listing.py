"""The games below some folders, each read as far as a list of them needs, and not checked.

Whoever opens one of them checks it. Of several files of a game the newest counts.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from referee.errors import Damaged
from referee.games.errors import GameError
from referee.notes.forms import A_NAME, A_TITLE
from referee.notes.recognising import is_game_file
from referee.storage import NotRead, read_limited
from referee.table.decisions import DecisionId
from referee.table.fields import FileFields
from referee.table.gamefile import MAX_FILE

if TYPE_CHECKING:
    from collections.abc import Collection

    from referee.crypto.keys import PublicKey

LONG = ((b"\n[referee]\n", b"\n[[seats]]\n"), (b"\n[deal]\n", b"\n[table]\n"))
"""Sections that tell nothing for a list, as (beginning, what follows); the hands begin the last."""
WANTED = re.compile(
    rb"^(?:\[.*"
    rb"|(?:status|step|id|title|module|days|name|key|seat|decision|wins) = .*"
    rb'|"[0-9.]+[a-z-]+\.[a-z0-9-]+" = .*'
    rb"|(?:seats|asked|pending) = \[\n(?:    \{.*\},\n)*\])$",
    re.MULTILINE,
)
"""The lines of a file that are read: its headings, the values that are told, short tables."""
HANDED_OVER = re.compile(
    rb'^decision = "0\.[0-9]{1,6}\.transfer\.([a-z0-9-]{1,16})"\nby = "[a-z0-9-]{1,16}"\n'
    rb'play = "transfer ([0-9a-f]{64})[" ]',
    re.MULTILINE,
)
MOST_FILES = 100_000
"""So many files of TOML are looked at in one run; others below a folder may be without end."""
MOST_LEVELS = 12


@dataclass
class ListedGame:
    """One game, as its newest file tells of it."""

    path: Path
    game: str
    step: int
    title: str
    module: str
    status: str
    seats: list[str]
    mine: str = ""
    """The seat of one of the reader's keys; empty where none of them sits at the table."""
    is_referee: bool = False
    asked: list[DecisionId] = field(default_factory=list)
    """The questions whose answers have not arrived."""
    due: dict[str, datetime] = field(default_factory=dict)
    winners: list[str] = field(default_factory=list)
    changed: datetime = datetime(2000, 1, 1, tzinfo=UTC)
    """The time at which the file was written where it lies."""
    days: int = 0

    @property
    def is_open(self) -> bool:
        """True while seats are free."""
        return self.status == "open"

    def for_me(self) -> list[DecisionId]:
        """Return the questions that wait for the reader's seat."""
        return [one for one in self.asked if self.mine and one.seat == self.mine]

    def since(self, question: DecisionId) -> datetime:
        """Return since when a question waits, as well as the file tells."""
        due = self.due.get(str(question))
        return due - timedelta(days=self.days) if due and self.days else self.changed


def list_games(
    folders: Sequence[Path], keys: Collection[PublicKey]
) -> tuple[list[ListedGame], list[GameError]]:
    """Return the games below folders (or in files), and an error for each file not understood.

    Those that wait for the holder of `keys` come first, the earliest due of them on top; then those
    that wait for others, and those that are over, by title. Raises NotRead for a folder that does
    not exist.
    """
    newest: dict[str, ListedGame] = {}
    faults: list[GameError] = []
    for path in _files(folders):
        try:
            game = read_listed(path, keys)
        except GameError as error:
            error.message = f"{path}: {error.message}"
            faults.append(error)
            continue
        if game is None:
            continue
        other = newest.get(game.game)
        if other is None or game.step > other.step:
            newest[game.game] = game
    return sorted(newest.values(), key=_urgency), faults


def _urgency(game: ListedGame) -> tuple[int, datetime, str, str]:
    waits = game.for_me()
    over = game.status not in ("open", "playing")
    last = datetime.max.replace(tzinfo=UTC)
    due = min((game.due.get(str(one), last) for one in waits), default=last)
    return (0 if waits else 2 if over else 1, due, game.title, game.game)


def _files(folders: Sequence[Path]) -> Iterator[Path]:
    seen, left = set(), MOST_FILES
    for folder in folders:
        if not os.path.lexists(folder):
            raise NotRead(f"there is no {folder}")
        for path in _below(folder, MOST_LEVELS) if folder.is_dir() else [folder]:
            left -= 1
            if left < 0:
                raise NotRead(
                    f"there are more than {MOST_FILES} files of TOML below what was named",
                    "name the folders in which your games are",
                )
            where = os.path.realpath(path)
            if where not in seen:
                seen.add(where)
                yield path


def _below(folder: Path, levels: int) -> Iterator[Path]:
    """Yield files named `*.toml`, those of a folder first; links to folders lead nowhere."""
    inner = []
    try:
        with os.scandir(folder) as found:
            entries = sorted(found, key=lambda one: one.name)
    except OSError:
        return
    for entry in entries:
        if entry.is_dir(follow_symlinks=False):
            if not entry.name.startswith("."):
                inner.append(entry.name)
        # Reading a pipe would wait until somebody writes.
        elif entry.name.endswith(".toml") and entry.is_file():
            yield folder / entry.name
    for name in inner if levels else ():
        yield from _below(folder / name, levels - 1)


def read_listed(path: Path, keys: Iterable[PublicKey] = ()) -> ListedGame | None:
    """Read what a list tells of a game; None for a file that is no game. `keys` are the reader's.

    Raises NotRead, and Damaged for a game file that is not as ours are.
    """
    data = read_limited(path, MAX_FILE)
    if not is_game_file(data):
        return None
    game = listed_in(data, path, keys)
    game.changed = datetime.fromtimestamp(path.stat().st_mtime, UTC)
    return game


def listed_in(data: bytes, path: Path, keys: Iterable[PublicKey] = ()) -> ListedGame:
    """Return what a list tells of the game in the bytes of a file. Raises Damaged."""
    data = data.replace(b"\r\n", b"\n")
    try:
        document = tomllib.loads(b"\n".join(WANTED.findall(_short(data))).decode())
        game = _listed(path, FileFields(document))
        _add_mine(game, document, data, keys)
    except (ValueError, RecursionError, OverflowError):
        raise Damaged("this game file is damaged") from None
    return game


def _short(data: bytes) -> bytes:
    """Return the text of a file without most of what a list does not tell."""
    data = data[: data.find(b"\n[hands.")] if b"\n[hands." in data else data
    for begin, end in LONG:
        first, then = data.find(begin), data.find(end)
        if 0 <= first < then:
            data = data[:first] + data[then:]
    return data


def _listed(path: Path, fields: FileFields) -> ListedGame:
    about = fields.sub("game")
    rows = fields.rows("seats")
    game = ListedGame(
        path,
        about.hex("id", 8).hex(),
        fields.number("step"),
        about.form("title", A_TITLE),
        about.form("module", A_NAME),
        fields.form("status", A_NAME),
        [row.form("name", A_NAME) for row in rows],
    )
    arrived = {row.text("decision") for row in fields.rows("pending", default=())}
    for row in fields.rows("asked", default=()):
        question = DecisionId.parse(row.text("id", 80))
        if str(question) not in arrived:
            game.asked.append(question)
    if about.has("clock"):
        game.days = about.sub("clock").number("days")
    if fields.has("time") and (time := fields.sub("time")).has("due"):
        due = time.sub("due")
        game.due = {str(one): due.time(str(one)) for one in game.asked if due.has(str(one))}
    if game.status == "finished" and fields.has("table"):
        for row in fields.sub("table").rows("seats", default=()):
            if row.value("wins") is True:
                game.winners.append(row.form("name", A_NAME))
    return game


def _add_mine(
    game: ListedGame, document: dict[str, Any], data: bytes, keys: Iterable[PublicKey]
) -> None:
    """Note which seat one of the keys holds, and whether one of them is the referee's."""
    holders = {row["name"]: row.get("key") for row in document["seats"]}
    if b".transfer." in data:
        holders.update((seat.decode(), key.decode()) for seat, key in HANDED_OVER.findall(data))
    for key in keys:
        written = (key.text, key.raw.hex())
        game.mine = game.mine or next((at for at in holders if holders[at] in written), "")
        game.is_referee |= f'\n[referee]\nkey = "{key.text}"\n'.encode() in data
