"""From messages to games: which game each is about, applied, answered, and what follows written."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from referee.errors import BadSignature, Damaged, Mistake, attempt
from referee.games.interface import GameError
from referee.mail import addresses
from referee.mail.incoming import Incoming, game_of
from referee.mail.memory import Memory, journal_of
from referee.mail.outbox import NotSent, Refused
from referee.mail.post import Post
from referee.notes.recognising import is_game_file
from referee.refereeing import commit, ledger
from referee.storage import NotRead, read_limited
from referee.table.filetext import parse
from referee.table.gamefile import MAX_FILE
from referee.table.replay import rules_for

if TYPE_CHECKING:
    from referee.crypto.keys import PrivateKey
    from referee.mail.addresses import Book, Way
    from referee.mail.pages import Flags
    from referee.mail.post import SentMail
    from referee.notes.finding import Found
    from referee.refereeing.judging import Verdict

STEP = re.compile(rb"^step = (\d{1,9})$", re.MULTILINE)
ID = re.compile(rb'^\[game\]\nid = "([0-9a-f]{16})"$', re.MULTILINE)


class MailConfig(NamedTuple):
    """Options of a mail command: where mail goes, and which address book and ledger are used."""

    now: datetime
    flags: Flags
    ways: list[Way]
    addresses: Path | None = None
    ledger: Path | None = None

    @property
    def kept(self) -> Path | None:
        """The place for messages that cannot be dealt with, if not the default one."""
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


class Dealt(NamedTuple):
    """The outcome of one message in one game; `silence` says why nobody was told."""

    mail: Incoming
    game: str
    verdicts: list[Verdict]
    silence: str


class Settled(NamedTuple):
    """The outcome of all messages about a game.

    `broken` are those on which the program fails, `faults` what is wrong with the mails that were
    to go out, and `again` the messages that are to be given once more because of that.
    """

    dealt: list[Dealt]
    out: list[SentMail]
    broken: list[tuple[Incoming, Mistake]]
    faults: list[GameError]
    again: list[Incoming]


def mark_of(path: Path) -> tuple[str, int] | None:
    """Id and step of the game in a file; None for any other file. Raises NotRead and Damaged."""
    data = read_limited(path, MAX_FILE)
    if not is_game_file(data):
        return None
    id_, step = ID.search(data), STEP.search(data)
    if id_ and step:
        return id_[1].decode(), int(step[1])
    file, _ = parse(data)
    return file.game, file.step


def place(path: Path, office: MailConfig) -> Place:
    """The game in a file. Raises NotRead, or Damaged for another file or address book."""
    found = mark_of(path)
    game = found[0] if found else parse(read_limited(path, MAX_FILE))[0].game
    return Place(path, game, office.book(path))


def places(folder: Path, office: MailConfig) -> tuple[list[Place], list[GameError]]:
    """The games in a folder and one level below, and what is wrong with some.

    Of several files of a game the newest counts; one that somebody may have pushed only if there
    is no other. Raises NotRead where there is none at all.
    """
    if not folder.is_dir():
        raise NotRead(f"{folder} is not a directory")
    same: dict[str, list[tuple[bool, int, Path]]] = {}
    faults: list[GameError] = []
    for path in sorted([*folder.glob("*.toml"), *folder.glob("*/*.toml")]):
        # Whoever reads a pipe waits until somebody writes.
        if not path.is_file() or _is_pushed_link(path, folder):
            continue
        try:
            found = mark_of(path)
        except GameError as error:
            error.message = f"{path}: {error.message}"
            faults.append(error)
            continue
        if found:
            same.setdefault(found[0], []).append((is_in_clone(path), -found[1], path))
    all_: list[Place] = []
    for game, paths in same.items():
        path = _newest(game, sorted(paths), faults)
        try:
            all_.append(Place(path, game, office.book(path, folder)))
        except GameError as error:
            faults.append(error)
    if not all_ and not faults:
        raise NotRead(f"there is no game file in {folder}")
    return all_, faults


def _newest(game: str, paths: Sequence[tuple[bool, int, Path]], faults: list[GameError]) -> Path:
    """Return the first file of a game that is its referee's; what is wrong with others to `faults`.

    Anybody can write an id and a step into a file.
    """
    if len(paths) > 1:
        known = ledger.last_signed(game)
        for _, _, path in paths:
            try:
                file = commit.parse_signed(read_limited(path, MAX_FILE), str(path))
                if known is None or file.referee == known.referee:
                    return path
                raise BadSignature(f"{path} is of another referee than the game {game} has")
            except GameError as error:
                faults.append(error)
    return paths[0][2]


def is_in_clone(path: Path) -> bool:
    """Return whether a file lies in a working tree of git, into which others can push."""
    folder = path.parent.resolve()
    return any((at / ".git").exists() for at in (folder, *folder.parents))


def _is_pushed_link(path: Path, folder: Path) -> bool:
    """Return whether a file, or its folder within another one, is a link in a clone."""
    parts = [path] if path.parent == folder else [path, path.parent]
    return any(one.is_symlink() and is_in_clone(one) for one in parts)


Batch = list[tuple[Incoming, list["Found"]]]
"""Messages about a game, each with those of its notes that are."""


def sorted_out(
    mail: Incoming, games: Sequence[Place], key: PrivateKey, *, all_here: bool
) -> tuple[dict[str, list[Found]], bool]:
    """The notes of a message by the games they are about; and whether it is about none, or not all.

    A note says its game. What does not, is about the game in whose thread it came, or else about
    the first at which its sender sits; so is a note of a game unknown here, if `all_here`: if
    there cannot be any that could not be read.
    """
    ids = [one.game for one in games]
    theirs: dict[str, list[Found]] = {}
    for found in mail.found:
        game = game_of(found, key)
        if game not in ids and (not game or all_here):
            game = _guess(mail, games)
        theirs.setdefault(game if game in ids else "", []).append(found)
    nowhere = theirs.pop("", [])
    # What is about nothing need not be said of a message that is about something.
    return theirs, bool(nowhere and (not theirs or not all_here))


def _guess(mail: Incoming, games: Sequence[Place]) -> str:
    known = [one.game for one in games if one.game in mail.games]
    sits = [one.game for one in games if one.book.seats_at(mail.sender)]
    return next(iter([*known, *sits]), "")


def settle(
    at: Place,
    batch: Batch,
    office: MailConfig,
    key: PrivateKey,
    *,
    override: bool = False,
    any_time: bool = False,
    answers_only: bool = False,
    remarks: Callable[[commit.OpenGame], None] = lambda desk: None,
) -> Settled:
    """Apply the notes of all messages together, so that their order does not matter; then answer.

    A message on which the program fails is left out, and the others are dealt with as if it had
    never come. Raises like `commit.open_game` and `commit.apply_notes`, and Mistake where none is
    to blame: then the messages are to be given once more.
    """
    way = addresses.chosen(at.book, office.ways)
    for mail, _ in batch:
        attempt(partial(mail.open_blocks, key))

    def opened() -> AbstractContextManager[commit.OpenGame]:
        return commit.open_game(
            at.path, key, ledger=office.ledger, override=override, any_time=any_time
        )

    broken: list[tuple[Incoming, Mistake]] = []
    with Memory.open(journal_of(at.game, office.ledger)) as memory:
        while True:
            with opened() as desk:
                if not broken:
                    remarks(desk)
                notes = _notes(batch)
                verdicts = attempt(partial(commit.apply_notes, desk, notes, office.now))
                if not isinstance(verdicts, Mistake):
                    post = _post(at, desk, memory, way, office)
                    done = _answered(at, batch, verdicts, post)
                    if not answers_only:
                        post.due()
                    post.check_addresses()
                    return _summed(done, post, broken)
            culprits = _culprits(opened, batch, office.now)
            if not culprits:
                raise verdicts
            broken += culprits
            gone = [mail for mail, _ in culprits]
            batch = [(mail, all_) for mail, all_ in batch if mail not in gone]


def _notes(batch: Batch) -> list[tuple[str, Found]]:
    return [(mail.source, found) for mail, all_ in batch for found in all_]


def _culprits(
    opened: Callable[[], AbstractContextManager[commit.OpenGame]], batch: Batch, now: datetime
) -> list[tuple[Incoming, Mistake]]:
    """The messages on which the program fails: each alone, or else the first behind the others."""

    def tried(some: Batch) -> Mistake | None:
        with opened() as desk:
            return attempt(partial(commit.rehearse, desk, _notes(some), now))

    alone = [(mail, error) for mail, all_ in batch if (error := tried([(mail, all_)]))]
    if alone:
        return alone
    for count, (mail, _) in enumerate(batch, 1):
        if error := tried(batch[:count]):
            return [(mail, error)]
    return []


def _post(at: Place, desk: commit.OpenGame, memory: Memory, way: Way, office: MailConfig) -> Post:
    return Post(
        desk.file,
        read_limited(at.path, MAX_FILE),
        desk.session.rules,
        book=at.book,
        memory=memory,
        way=way,
        now=office.now,
        flags=office.flags,
    )


def _answered(at: Place, batch: Batch, verdicts: Sequence[Verdict], post: Post) -> Settled:
    """Answer all messages; what goes wrong with one stops no other."""
    done = Settled([], [], [], [], [])
    coming = iter(verdicts)
    for mail, all_ in batch:
        mine = [next(coming) for _ in all_]
        try:
            silence = attempt(partial(post.answer, mail, all_, mine))
        except NotSent as error:
            done.faults.append(error)
            done.again.append(mail)
            silence = "not answered yet"
        if isinstance(silence, Mistake):
            done.broken.append((mail, silence))
            silence = "not answered"
        done.dealt.append(Dealt(mail, at.game, mine, silence))
    return done


def _summed(done: Settled, post: Post, broken: list[tuple[Incoming, Mistake]]) -> Settled:
    faults = [*done.faults, *post.faults]
    again = done.again
    if any(isinstance(error, NotSent) and not isinstance(error, Refused) for error in faults):
        # Those that were answered are not answered twice.
        again = [one.mail for one in done.dealt]
    for error in faults:
        if not isinstance(error, Refused | Mistake | addresses.NoAddress):
            error.hint = (
                "what was accepted stands; give the same messages again, and the mails that are "
                "missing are written"
            )
    return Settled(done.dealt, post.out, [*broken, *done.broken], faults, again)


@contextmanager
def post_of(at: Place, office: MailConfig) -> Iterator[Post]:
    """The post of a game that nothing is applied to.

    Raises NotRead, Damaged or BadSignature, and NotWritten for a journal that cannot be kept.
    """
    way = addresses.chosen(at.book, office.ways)
    with Memory.open(journal_of(at.game, office.ledger)) as memory:
        data = read_limited(at.path, MAX_FILE)
        file = commit.parse_signed(data)
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
