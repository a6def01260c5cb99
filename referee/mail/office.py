"""From messages to games: which game each is about, applied, answered, and what follows written."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from referee.games.interface import GameError
from referee.mail import addresses
from referee.mail.incoming import Incoming, game_of
from referee.mail.memory import Memory, journal_of
from referee.mail.post import Post
from referee.table import commit
from referee.table.filetext import parse
from referee.table.gamefile import FIRST_LINE, MAX_FILE
from referee.table.replay import rules_for
from referee.table.storage import NotRead, NotWritten, read_limited

if TYPE_CHECKING:
    from referee.mail.addresses import Book, Way
    from referee.mail.pages import Flags
    from referee.mail.post import Out
    from referee.table.apply import Verdict
    from referee.table.keys import PrivateKey
    from referee.table.mail import Found

STEP = re.compile(rb"^step = (\d{1,9})$", re.MULTILINE)
ID = re.compile(rb'^\[game\]\nid = "([0-9a-f]{16})"$', re.MULTILINE)


class Office(NamedTuple):
    """How mail is to be dealt with here: what the command line says."""

    now: datetime
    flags: Flags
    ways: list[Way]
    addresses: Path | None = None
    ledger: Path | None = None

    def book(self, game: Path, folder: Path | None = None) -> Book:
        """The address book beside a game, or else that of the folder in which games are."""
        places = [game.parent] if folder is None else [game.parent, folder]
        found = next((at / addresses.NAME for at in places if (at / addresses.NAME).exists()), None)
        return addresses.read(self.addresses or found or game.parent / addresses.NAME)


class Place(NamedTuple):
    """A game that gets mail: where its file lies, and its address book."""

    path: Path
    game: str
    book: Book


class Dealt(NamedTuple):
    """What became of one message in one game; `silence` says why nobody was told."""

    mail: Incoming
    game: str
    verdicts: list[Verdict]
    silence: str


def mark_of(path: Path) -> tuple[str, int] | None:
    """Id and step of the game in a file; None for any other file. Raises NotRead and Damaged."""
    data = read_limited(path, MAX_FILE)
    if not data.startswith(FIRST_LINE.encode()):
        return None
    id_, step = ID.search(data), STEP.search(data)
    if id_ and step:
        return id_[1].decode(), int(step[1])
    file, _ = parse(data)
    return file.game, file.step


def place(path: Path, office: Office) -> Place:
    """The game in a file. Raises NotRead, or Damaged for another file or address book."""
    found = mark_of(path)
    game = found[0] if found else parse(read_limited(path, MAX_FILE))[0].game
    return Place(path, game, office.book(path))


def places(folder: Path, office: Office) -> tuple[list[Place], list[GameError]]:
    """The games in a folder and one level below, and what is wrong with some.

    Of several files of a game the newest counts. Raises NotRead where there is none at all.
    """
    if not folder.is_dir():
        raise NotRead(f"{folder} is not a directory")
    newest: dict[str, tuple[int, Path]] = {}
    faults: list[GameError] = []
    for path in sorted([*folder.glob("*.toml"), *folder.glob("*/*.toml")]):
        # Whoever reads a pipe waits until somebody writes.
        if not path.is_file():
            continue
        try:
            found = mark_of(path)
        except GameError as error:
            error.message = f"{path}: {error.message}"
            faults.append(error)
            continue
        if found and (found[0] not in newest or newest[found[0]][0] < found[1]):
            newest[found[0]] = found[1], path
    all_: list[Place] = []
    for game, (_, path) in newest.items():
        try:
            all_.append(Place(path, game, office.book(path, folder)))
        except GameError as error:
            faults.append(error)
    if not all_ and not faults:
        raise NotRead(f"there is no game file in {folder}")
    return all_, faults


Batch = list[tuple[Incoming, list["Found"]]]
"""Messages about a game, each with those of its notes that are."""


def sorted_out(
    mails: Iterable[Incoming], games: Sequence[Place], key: PrivateKey, *, all_here: bool
) -> tuple[dict[str, Batch], list[Incoming]]:
    """The messages about each game; and those about none, at least in part.

    A note says its game. What does not, is about the game in whose thread it came, or else about
    the first at which its sender sits; so is a note of a game unknown here, if `all_here`: if
    there cannot be any that could not be read.
    """
    ids = [one.game for one in games]
    batches: dict[str, Batch] = {}
    left: list[Incoming] = []
    for mail in mails:
        theirs: dict[str, list[Found]] = {}
        for found in mail.found:
            game = game_of(found, key)
            if game not in ids and (not game or all_here):
                game = _guess(mail, games)
            theirs.setdefault(game if game in ids else "", []).append(found)
        # What is about nothing need not be said of a message that is about something.
        nowhere = theirs.pop("", [])
        for game, notes in theirs.items():
            batches.setdefault(game, []).append((mail, notes))
        if nowhere and (not theirs or not all_here):
            left.append(mail)
    return batches, left


def _guess(mail: Incoming, games: Sequence[Place]) -> str:
    known = [one.game for one in games if one.game in mail.games]
    sits = [one.game for one in games if one.book.seats_at(mail.sender)]
    return next(iter([*known, *sits]), "")


def settle(
    at: Place,
    batch: Batch,
    office: Office,
    key: PrivateKey,
    *,
    override: bool = False,
    any_time: bool = False,
    answers_only: bool = False,
    remarks: Callable[[commit.Desk], None] = lambda desk: None,
) -> tuple[list[Dealt], list[Out]]:
    """Apply the notes of all messages together, so that their order does not matter; then answer.

    Raises like `commit.desk` and `commit.apply_notes`, and NotWritten where a mail cannot be
    handed over: then the messages are to be given once more.
    """
    way = addresses.chosen(at.book, office.ways)
    with (
        Memory.open(journal_of(at.game, office.ledger)) as memory,
        commit.desk(
            at.path, key, ledger=office.ledger, override=override, any_time=any_time
        ) as desk,
    ):
        remarks(desk)
        notes = [(mail.source, found) for mail, all_ in batch for found in all_]
        verdicts = iter(commit.apply_notes(desk, notes, office.now))
        post = Post(
            desk.file,
            read_limited(at.path, MAX_FILE),
            desk.session.rules,
            book=at.book,
            memory=memory,
            way=way,
            now=office.now,
            flags=office.flags,
        )
        dealt = []
        try:
            for mail, all_ in batch:
                mine = [next(verdicts) for _ in all_]
                dealt.append(Dealt(mail, at.game, mine, post.answer(mail, all_, mine)))
            if not answers_only:
                post.due()
        except NotWritten as error:
            error.hint = (
                "what was accepted stands; give the same messages again, and the mails that are "
                "missing are written"
            )
            raise
        return dealt, post.out


@contextmanager
def post_of(at: Place, office: Office) -> Iterator[Post]:
    """The post of a game that nothing is applied to.

    Raises NotRead, Damaged or BadSignature, and NotWritten for a journal that cannot be kept.
    """
    way = addresses.chosen(at.book, office.ways)
    with Memory.open(journal_of(at.game, office.ledger)) as memory:
        data = read_limited(at.path, MAX_FILE)
        file = commit.loaded(data)
        yield Post(
            file,
            data,
            rules_for(file),
            book=at.book,
            memory=memory,
            way=way,
            now=office.now,
            flags=office.flags,
        )
