"""Changing a game file: lock, load, ask the ledger, replay, judge, remember, replace."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

from referee.errors import Damaged, Mistake, attempt, not_the_referee
from referee.refereeing.judging import Judge, Verdict
from referee.refereeing.ledger import Ledger
from referee.storage import NotRead, NotWritten, create, read_limited, replace, sweep
from referee.table import clock
from referee.table.capacity import check_opening
from referee.table.filetext import check_readable, parse, unsigned
from referee.table.gamefile import MAX_FILE, GameFile
from referee.table.opening import deal_secret
from referee.table.planreplay import texts_of
from referee.table.replay import Session
from referee.table.signing import check_chain, check_signature, signed_text, state_text
from referee.table.standing import game_over

if TYPE_CHECKING:
    from datetime import datetime

    from referee.crypto.keys import PrivateKey
    from referee.notes.finding import Found
    from referee.refereeing.kept import Kept


MOST_THINKING = 30.0
"""So many seconds bots may keep a run of the referee that answers by itself."""


class OpenGame:
    """A game file that its referee has open, under the ledger's lock.

    `restored` says that the file, which was of `given_step`, was brought up to the newest one
    first, `fresh` that no ledger knew this running game, `ahead` that the ledger had not seen its
    newest steps. `undone` says what this program could not do. In a `dry_run` nothing is written.
    `session` is what was kept of this file.
    """

    def __init__(
        self,
        path: Path,
        key: PrivateKey,
        ledger: Ledger,
        data: bytes,
        file: GameFile,
        *,
        override: bool,
        any_time: bool,
        dry_run: bool = False,
        session: Session | None = None,
    ) -> None:
        self._any_time = any_time
        self._written = b""
        self.dry_run = dry_run
        self.path = path
        self.key = key
        self._ledger = ledger
        self._data = data
        self.file = file
        self.restored = False
        self.given_step = file.step
        self.undone: list[str] = []
        self.fresh = not ledger.known and self.file.step > 0
        if self.file.referee != key.public:
            seat = self.file.seat_of(key.public)
            whose = f"that of the seat {seat.name}, and " if seat is not None else ""
            raise not_the_referee(
                f"the key {key.public.fingerprint} is {whose}not that of this game's referee, "
                f"{self.file.referee.fingerprint}"
            )
        if not dry_run:
            sweep(Path(os.path.realpath(path)))
        newest = None if override else ledger.judge(self.file)
        if newest is not None:
            self.file, self._data, session = parse_signed(newest), newest, None
            if not dry_run:
                replace(path, newest.decode(), named=True)
            self.restored = True
        self.ahead = ledger.ahead
        self._based = ledger.holds(self.file)
        self._known = self.file.step
        self.session = session or self._replayed()

    def __repr__(self) -> str:
        return f"<OpenGame {self.path}: {self.file!r}>"

    def _replayed(self) -> Session:
        secret, texts = deal_secret(self.file, self.key), texts_of(self.file, self.key)
        return Session.replay(self.file, secret, texts)

    @property
    def state_text(self) -> str:
        """Text that the referee's signature of the file is over."""
        return state_text(self.file, unsigned(self.file).encode())

    def keep(self, kept: Kept) -> None:
        """Keep the session for the next run, if its file was written as the session now is."""
        if self._written:
            kept.put(self.path, self._written, self.session)

    def check_clock(self, now: datetime) -> None:
        """Raise Stale if this cannot be the time, unless the user knows better."""
        if not self._any_time:
            clock.check_clock_sane(self.file, now)

    def reload(self) -> None:
        """Go back to the file as it was last written."""
        self._data = _read(self.path)
        self.file = parse_signed(self._data)
        self._based = self._ledger.holds(self.file)
        self._known = self.file.step
        self._written = b""
        self.session = self._replayed()

    def write(self, now: datetime | None) -> None:
        """Sign what the session has become, remember it, and replace the file; in this order.

        The session was refreshed.
        """
        text, self._written = "", b""
        try:
            if not self._based and not self.dry_run:
                # Or the file, still the old one if the machine stops in between, would be no
                # predecessor of anything.
                self._ledger.record(parse_signed(self._data), self._data.decode())
            if now is not None:
                clock.stamp_due_times(self.file, now)
            else:
                self.file.due = {}
            text = signed_text(self.file, self.key)
            hint = "end the game with `sanjuan-ref abandon`"
            _check_written(self.file, text, hint, self._known)
            if not self.dry_run:
                self._ledger.record(self.file, text)
                replace(self.path, text, named=True)
                self._known = self.file.step
                self._written = text.encode()
        except NotWritten as error:
            # From its own copy of a file the ledger goes on, so the answers in it are final, and
            # nobody must read that nothing has changed.
            said = "nothing was applied"
            if self._ledger.keeps(text):
                said = f"what was accepted stands, kept in {self._ledger.newest_path}"
            message = error.message.replace("nothing was changed", said)
            raise NotWritten(message, error.hint) from None


def _check_written(file: GameFile, text: str, hint: str, known: int = 0) -> None:
    """Raise NotWritten where nobody could read the text of this file again.

    The file came from one with so many `known` entries.
    """
    try:
        check_readable(file, text, known)
    except Damaged as error:
        raise NotWritten(
            f"the new game file could not be read again ({error.message}); nothing was changed",
            hint,
        ) from None
    file.size = len(text.encode())


def _read(path: Path) -> bytes:
    if str(path) == "-" or (path.exists() and not stat.S_ISREG(path.stat().st_mode)):
        raise NotRead(f"{path} is not a file that could be replaced")
    return read_limited(path, MAX_FILE)


def parse_signed(data: bytes, name: str = "this") -> GameFile:
    """Return the game file in `data`, checked. Raises Damaged or BadSignature."""
    file, covered = parse(data, name)
    check_signature(file, covered)
    check_chain(file)
    return file


@contextmanager
def open_game(
    path: Path,
    key: PrivateKey,
    *,
    ledger: Path | None = None,
    override: bool = False,
    any_time: bool = False,
    dry_run: bool = False,
    kept: Kept | None = None,
) -> Iterator[OpenGame]:
    """Open the game file at `path` for its referee.

    `ledger` is another place than the default; `override` goes on from a file that the ledger
    does not lead to, `any_time` at any time that the clock shows; a `dry_run` locks and writes
    nothing. What this process has `kept` need not be read. Raises NotRead, NotWritten, Damaged,
    BadSignature, NoKey, Stale or Fork.
    """
    data = _read(path)
    session = kept.take(path, data) if kept is not None else None
    file = session.file if session is not None else parse_signed(data, str(path))
    with Ledger.open(file, ledger, data, dry_run=dry_run) as book:
        # Until the lock was ours, another `apply` may have replaced the file.
        now = _read(path)
        if now != data:
            data, game, session = now, file.game, None
            file = parse_signed(data)
            if file.game != game:
                raise Damaged(f"{path} has become another game meanwhile", "run the command again")
        opened = OpenGame(
            path,
            key,
            book,
            data,
            file,
            override=override,
            any_time=any_time,
            dry_run=dry_run,
            session=session,
        )
        yield opened
        # Where anything went wrong, the session may be ahead of the file.
        if kept is not None:
            opened.keep(kept)


def apply_notes(
    opened: OpenGame, notes: Sequence[tuple[str, Found]], now: datetime
) -> list[Verdict]:
    """Judge notes and write the file if any was accepted; a verdict for each, in order.

    `now` is what the time is, for games with a clock; raises Stale where that cannot be.
    """
    opened.check_clock(now)
    verdicts, changed = _judge(opened, notes, now)
    if changed:
        opened.write(now)
    return verdicts


def let_bots_go_on(opened: OpenGame, now: datetime) -> bool:
    """Let bots answer as long as nobody else has to, for half a minute at most; True if any did.

    Raises like `apply_notes`.
    """
    began, step = monotonic(), opened.file.step
    while clock.bots_think(opened.file) and monotonic() - began < MOST_THINKING:
        apply_notes(opened, [], now)
    return opened.file.step > step


def _judge(
    opened: OpenGame, notes: Sequence[tuple[str, Found]], now: datetime
) -> tuple[list[Verdict], bool]:
    """Judge notes in memory: a verdict for each, and whether the game has changed."""
    judge = Judge(opened.session, opened.key, now)
    verdicts = judge.apply(notes)
    if judge.changed:
        opened.session.refresh()
    return verdicts, judge.changed


def try_notes(
    opened: OpenGame, notes: Sequence[tuple[str, Found]], now: datetime
) -> list[Verdict] | Mistake:
    """Do as `apply_notes`; but if judging itself fails, reload the game and return the Mistake."""
    opened.check_clock(now)
    done = attempt(partial(_judge, opened, notes, now), known=(), public=True)
    if isinstance(done, Mistake):
        opened.reload()
        return done
    verdicts, changed = done
    if changed:
        opened.write(now)
    return verdicts


def rehearse(opened: OpenGame, notes: Sequence[tuple[str, Found]], now: datetime) -> None:
    """Judge notes and write nothing, to find the note on which the program fails.

    The open game is of no use afterwards.
    """
    _judge(opened, notes, now)


def expire(opened: OpenGame, now: datetime) -> list[tuple[str, str]]:
    """Answer for the seats that are late, as the table has agreed, and write the file if any is.

    (decision, play) for each. Raises Stale like `apply_notes`, and for a player that this program
    does not have.
    """
    opened.check_clock(now)
    judge = Judge(opened.session, opened.key, now)
    answered = judge.expire()
    if judge.changed:
        opened.session.refresh()
        opened.write(now)
    let_bots_go_on(opened, now)
    return answered


def abandon(opened: OpenGame) -> None:
    """End the game as a log entry that publishes the deal secret. Raises Stale when it is over."""
    if opened.file.status in ("finished", "abandoned"):
        raise game_over(opened.file)
    opened.session.abandon()
    opened.session.refresh()
    opened.write(None)


def create_table(
    path: Path,
    file: GameFile,
    key: PrivateKey,
    ledger: Path | None = None,
    *,
    dry_run: bool = False,
) -> None:
    """Write the file of a new table, and the first line of its ledger before it.

    A `dry_run` only checks it. Raises NotWritten when there is a file already, Full where it
    leaves no room for the game.
    """
    text = signed_text(file, key)
    check_opening(text)
    _check_written(file, text, "open the table with a plainer title or deck")
    with Ledger.open(file, ledger, dry_run=dry_run) as book:
        if dry_run:
            return
        try:
            book.record(file, text)
            create(path, text)
        except NotWritten:
            book.forget()
            raise
