"""The mail commands at work: the sources of messages, one run, and its report."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from contextlib import closing, suppress
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from referee.cli.advice import failure
from referee.cli.applying import remarks
from referee.cli.consents import old_addresses
from referee.cli.flags import flags_of, shell_join
from referee.cli.longwork import progress
from referee.cli.options import RefereeOptions
from referee.cli.outputs import check_outputs
from referee.cli.usage import Usage
from referee.errors import Mistake, attempt
from referee.games.errors import GameError
from referee.mail.addresses import Way, no_address
from referee.mail.claims import Claims
from referee.mail.incoming import Incoming, filed
from referee.mail.index import GameIndex
from referee.mail.outbox import Refused
from referee.mail.places import MailConfig, Place, is_pushed_link, place, places
from referee.mail.routing import Routed, route
from referee.mail.setaside import keep, place_of
from referee.mail.settling import Outcome, Settled, WentOn, go_on, mailer_of, settle
from referee.notes.recognising import MAIL_LIMIT
from referee.playing.folders import folders_below
from referee.playing.listing import read_listed
from referee.records import NamedTuple
from referee.render.text import terminal
from referee.storage import NotRead, is_file, read_limited
from referee.system import FLAGS, move_over
from referee.table.seatnames import no_seat
from referee.table.times import current_time

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from referee.crypto.keys import PrivateKey
    from referee.games.values import Word
    from referee.mail.mailer import Mailer, SentMail
    from referee.notes.finding import Found

MAILS = {
    "invite": "invitation",
    "prompt": "question",
    "end": "end of the game",
    "answer": "answer",
    "refusal": "refusal",
    "remind": "reminder",
    "again": "once more",
    "late": "news of a late answer",
    "ahead": "invitation to plan",
    "vote": "news of a vote",
}
"""Names of the kinds of email."""
STANDARD_INPUT = "standard input"
HELP = "see `sanjuan-ref mail out --help`"


class MailReport:
    """The report of a run, printed at once for people and at the end for programs."""

    def __init__(self, json: bool) -> None:
        self._json = json
        self._messages: list[dict[str, Any]] = []
        self._mails: list[dict[str, Any]] = []
        self._faults: list[dict[str, Any]] = []
        self._code = 0

    def fault(self, error: GameError | OSError, where: str = "", *, done: bool = False) -> None:
        """Report an error that is not about a note; if `done`, nothing is to be tried again."""
        if isinstance(error, OSError):
            error = GameError(f"{error.filename or ''}: {error.strerror or error}".lstrip(": "))
        if not done:
            self._code = self._code or error.exit_code
        if self._json:
            self._faults.append(failure(error) | {"where": where})
        else:
            terminal.complain(error, where)

    def message(self, outcome: Outcome) -> None:
        """Report the outcome of a message in a game."""
        if self._json:
            self._messages.append(_document(outcome))
            return
        for verdict in outcome.verdicts:
            if verdict.error is None:
                terminal.say(f"{outcome.mail.source}: {verdict.said}")
            else:
                label = "note" if verdict.is_repeat else "refused"
                terminal.warn(label, f"{outcome.mail.source}: {verdict.error.message}")
        if outcome.silence:
            terminal.warn("note", f"{outcome.mail.source}: {outcome.silence}")

    def settled(self, settled: Settled, where: str) -> None:
        """Report the outcome of all messages about a game."""
        for outcome in settled.outcomes:
            self.message(outcome)
        self.mails(settled.out)
        for fault in settled.faults:
            self.fault(fault, where, done=isinstance(fault, Refused | Mistake))

    def went_on(self, done: WentOn, at: Place) -> None:
        """Report what a worker has done in a game without a message about it."""
        if done.went_on and not self._json:
            said = ", ".join(f"{decision}: {play} (late)" for decision, play in done.answered)
            terminal.say(f"{at.path}: {said or 'its bots went on'}")
        self.mails(done.out)
        for fault in done.faults:
            self.fault(fault, str(at.path), done=isinstance(fault, Refused))

    def left(self, mail: Incoming, why: str) -> None:
        """Report a message that is about no game."""
        if self._json:
            self._messages.append({"source": mail.source, "sender": mail.sender, "silence": why})
        else:
            terminal.warn("note", f"{mail.source}: {why}")

    def mails(self, all_: Sequence[SentMail]) -> None:
        """Report emails that went out."""
        for mail in all_:
            self._mails.append(mail._asdict())
            if not self._json:
                terminal.say(f"{MAILS[mail.kind]} to {mail.seat} <{mail.to}>: {mail.place}")

    def note(self, text: str) -> None:
        """Print a note for people, which the report for programs leaves out."""
        if not self._json:
            terminal.warn("note", text)

    def nothing(self, why: str) -> None:
        """Print why there was nothing to do, if there was nothing."""
        if not (self._json or self._mails or self._faults or self._code):
            terminal.warn("note", why)

    def end_round(self) -> None:
        """Print for programs what a worker has done, if anything."""
        if self._messages or self._mails or self._faults:
            self.end()

    def end(self, code: int | None = None) -> int:
        """End the report; return the exit code of the first fault, or `code` in its place."""
        done = code if self._code and code is not None else self._code
        if self._json:
            found = {"messages": self._messages, "mails": self._mails, "faults": self._faults}
            terminal.document(found, done)
        return done


def _document(outcome: Outcome) -> dict[str, Any]:
    return {
        "source": outcome.mail.source,
        "sender": outcome.mail.sender,
        "game": outcome.game,
        "notes": [
            verdict.outcome | ({"message": verdict.error.message} if verdict.error else {})
            for verdict in outcome.verdicts
        ],
        "silence": outcome.silence,
    }


class Message(NamedTuple):
    """A message that is to be dealt with.

    `read` returns its bytes, or nothing if it is gone; `done` is to be called when it was dealt
    with. `stays` says that it will be there the next time as well.
    """

    source: str
    read: Callable[[], bytes]
    done: Callable[[], None]
    stays: bool = False


def _nothing() -> None:
    pass


def opened(mbox: Path | None) -> Iterator[Message]:
    """Return the messages of an mbox, or the one on standard input. Raises NotRead."""
    if mbox is not None:
        return _mbox(mbox, MAIL_LIMIT)
    return iter([Message(STANDARD_INPUT, cache(partial(read_limited, "-", MAIL_LIMIT)), _nothing)])


def _mbox(path: Path, limit: int) -> Iterator[Message]:
    # Slow to import and rarely needed.
    import mailbox

    if not path.is_file():
        why = "it is not a file" if path.exists() else "it does not exist"
        raise NotRead(f"cannot read {path}: {why}")
    box = mailbox.mbox(path, create=False)
    if not len(box) and path.stat().st_size:
        raise NotRead(
            f"{path} holds no mbox messages (no 'From ' line)",
            "an email that was saved alone goes to standard input",
        )

    def read(key: str) -> bytes:
        with box.get_file(key, from_=True) as file:
            return filed(bytes(file.read(limit + 1)))

    for number, key in enumerate(box.keys(), 1):
        yield Message(f"{path}, message {number}", partial(read, key), _nothing, stays=True)


def maildir_messages(
    folder: Path, claims: Claims, resting: Container[str] = ()
) -> Iterator[Message]:
    """Return what is new in a Maildir, as far as no other run deals with it and it is not resting.

    Raises NotRead, and NotWritten for a claim that cannot be made.
    """
    fresh, seen = folder / "new", folder / "cur"
    if not (fresh.is_dir() and seen.is_dir()):
        raise NotRead(f"{folder} is not a Maildir: it has no new/ and cur/")
    for path in sorted(fresh.iterdir()):
        if path.name.startswith(".") or str(path) in resting or not path.is_file():
            continue
        if not claims.take(path.name):
            continue

        def read(path: Path = path) -> bytes:
            # Another reader may have taken it meanwhile.
            return read_limited(path, MAIL_LIMIT) if path.exists() else b""

        def done(path: Path = path) -> None:
            with suppress(FileNotFoundError):
                move_over(path, seen / f"{path.name.partition(FLAGS)[0]}{FLAGS}2,S")

        yield Message(str(path), read, done)


class _Sorted(NamedTuple):
    """Messages by the games they are about; `stuck` are those that wait, and `broken` those on
    which the program fails.
    """

    batches: dict[str, tuple[Place, list[tuple[Incoming, list[Found]]]]]
    stuck: set[Incoming]
    broken: dict[Incoming, Mistake]


class MailRun:
    """One run over some games: it deals with messages, or writes emails, and reports.

    Where one game was named, all messages are about it.
    """

    def __init__(
        self, game: Path | None, games: Path | None, config: MailConfig, report: MailReport
    ):
        check_outputs(game, games)
        self._game, self._folder = game, games
        self.config = config
        self.report = report

    def deal(
        self,
        bag: Iterator[Message],
        key: PrivateKey,
        options: RefereeOptions,
        *,
        answers_only: bool,
    ) -> set[str]:
        """Deal with all messages, each as if the others were not there. Return the sources of those
        that are left.

        One that cannot be dealt with now stays where it was; one on which the program fails is set
        aside.
        """
        # Only the notes of each message are kept in memory: an mbox may be large.
        messages = dict(self._read(bag))
        mails = []
        for mail in messages:
            if mail.own:
                self.report.left(mail, "one of our own emails")
            else:
                mails.append(mail)
        sorted_ = _Sorted({}, set(), {})
        if self._folder is not None:
            self._sort(mails, self._folder, key, sorted_)
        elif self._game is not None:
            at = place(self._game, self.config)
            sorted_.batches[at.game] = (at, [(mail, mail.found) for mail in mails])
        stuck, broken = sorted_.stuck, sorted_.broken
        for at, batch in sorted(sorted_.batches.values(), key=lambda one: one[0].path):
            if not batch:
                continue
            try:
                settled = settle(
                    at,
                    batch,
                    self.config,
                    key,
                    override=options.override,
                    any_time=options.any_time,
                    answers_only=answers_only,
                    remarks=remarks,
                )
            except (GameError, OSError) as error:
                self.report.fault(error, str(at.path))
                stuck.update(mail for mail, _ in batch)
                continue
            self.report.settled(settled, str(at.path))
            for text in old_addresses(at.path, settled.moved, at.book):
                self.report.note(text)
            stuck.update(settled.again)
            broken.update(settled.broken)
        for mail, mistake in broken.items():
            if not self._set_aside(messages[mail], mail.source, mistake):
                stuck.add(mail)
        for mail, message in messages.items():
            if mail not in stuck:
                message.done()
        return {mail.source for mail in stuck}

    def late_games(self, key: PrivateKey) -> list[Place]:
        """Return the games in which the referee is to answer for somebody, or bots are to go on.

        Files that cannot be read are passed over.
        """
        now = self.config.now
        if self._game is not None:
            listed = read_listed(self._game)
            is_late = listed is not None and listed.is_late(key.public, now)
            return [place(self._game, self.config)] if is_late else []
        assert self._folder is not None
        found = []
        with closing(GameIndex(self._folder, self.config)) as index:
            index.freshen()
            for at in folders_below(self._folder, links=True):
                for path in [at.path / entry.name for entry in at.tomls()]:
                    listed = None
                    with suppress(GameError):
                        if is_file(path) and not is_pushed_link(path, self._folder):
                            listed = read_listed(path)
                    if listed is None or not listed.is_late(key.public, now):
                        continue
                    # Of several files of a game one counts.
                    newest = index.place(listed.game)
                    if newest is not None and newest.path == path:
                        found.append(newest)
        return found

    def go_on(
        self, at: Place, key: PrivateKey, options: RefereeOptions, *, answers_only: bool
    ) -> bool:
        """Answer for who is late in a game, let its bots go on, and report what followed.

        Return False if that is to be tried again.
        """
        try:
            # The address book may have been mended since.
            at = at._replace(book=self.config.book(at.path, self._folder))
            done = go_on(at, self.config, key, any_time=options.any_time, answers_only=answers_only)
        except (GameError, OSError) as error:
            self.report.fault(error, str(at.path))
            return False
        self.report.went_on(done, at)
        return all(isinstance(fault, Refused) for fault in done.faults)

    def _sort(
        self, mails: Sequence[Incoming], folder: Path, key: PrivateKey, into: _Sorted
    ) -> None:
        """Sort messages by the games they are about, with the index of those in a folder."""
        with closing(GameIndex(folder, self.config)) as index:
            index.freshen()
            unsure: list[Incoming] = []
            for mail in mails:
                index.missed = False
                routed = attempt(partial(route, mail, index, key))
                if index.missed:
                    unsure.append(mail)
                else:
                    self._put(mail, routed, index, into)
            if unsure:
                # One walk over the files for all of them.
                index.walk()
                for mail in unsure:
                    self._put(mail, attempt(partial(route, mail, index, key)), index, into)

    def _put(
        self, mail: Incoming, routed: Routed | Mistake, index: GameIndex, into: _Sorted
    ) -> None:
        if isinstance(routed, Mistake):
            into.broken[mail] = routed
            return
        for at, notes in routed.games:
            into.batches.setdefault(at.game, (at, []))[1].append((mail, notes))
        if routed.strays:
            self.report.left(mail, f"about no game here, and from {mail.sender or 'nobody'}")
            if not index.all_here:
                if not into.stuck:
                    for error in index.faults():
                        self.report.fault(error)
                into.stuck.add(mail)

    def _read(self, bag: Iterator[Message]) -> Iterator[tuple[Incoming, Message]]:
        """Yield the messages that can be read; report one that cannot be, and go on."""
        for message in bag:
            try:
                data = message.read()
                if not data and message.source != STANDARD_INPUT:
                    continue
                if not data.strip():
                    self.report.note(f"{message.source} was empty: there is no message in it")
                    message.done()
                    continue
                if message.stays and place_of(data, self.config.set_aside).exists():
                    # An earlier run has set it aside and said so; it is still there.
                    continue
                mail = attempt(partial(Incoming, message.source, data))
            except (GameError, OSError) as error:
                self.report.fault(error)
                continue
            if not isinstance(mail, Mistake):
                yield mail, message
            elif self._set_aside(message, message.source, mail):
                message.done()

    def _set_aside(self, message: Message, source: str, mistake: Mistake) -> bool:
        """Keep a message on which the program fails. Return True if it could be kept."""
        try:
            kept = keep(message.read(), mistake, self.config.set_aside)
            self.report.fault(kept, source, done=True)
        except (GameError, OSError) as error:
            self.report.fault(mistake, source)
            self.report.fault(error)
            return False
        return True

    def write(self, how: Callable[[Mailer], None], nothing: str, seat: str | None = None) -> None:
        """Let the mailer of each game write; an error with one does not stop the others.

        If a `seat` is given, only games with that seat count. `nothing` is the reason to report if
        nothing was written. Raises Usage if no game has that seat.
        """
        every, faults = self._places()
        games = [place for place in every if seat is None or seat in place.book.seats]
        # The seat may be in an address book that cannot be read.
        if seat is not None and not games and not faults:
            self._check_seat(every, seat)
            raise Usage(f"--again: no address book has an address for {seat}", hint=HELP)
        for error in faults:
            self.report.fault(error)
        put_off: list[str] = []
        seated: dict[str, set[str]] = {}
        with progress(len(games), "games") as step:
            for at in games:
                step()
                try:
                    with mailer_of(at, self.config) as mailer:
                        try:
                            how(mailer)
                            if seat is None:
                                mailer.check_addresses()
                        finally:
                            self.report.mails(mailer.out)
                        for fault in mailer.faults:
                            self.report.fault(fault, str(at.path))
                        put_off += mailer.put_off
                        seats = seated.setdefault(at.book.path, set())
                        seats.update(one.name for one in mailer.file.seats)
                except (GameError, OSError) as error:
                    self.report.fault(error, str(at.path))
        if seat is None and not faults:
            self._name_strangers(every, seated)
        if put_off:
            names = ", ".join(sorted(set(put_off)))
            nothing = (
                f"email to {names} was refused less than a day ago, and is tried again after a day "
                "(now: sanjuan-ref mail out --again SEAT)"
            )
        self.report.nothing(f"nothing is due: {nothing}")

    def _places(self) -> tuple[Sequence[Place], Sequence[GameError]]:
        """Return all games, and the errors of those that cannot be read."""
        if self._folder is not None:
            return places(self._folder, self.config)
        assert self._game is not None
        return [place(self._game, self.config)], ()

    def _check_seat(self, games: Sequence[Place], seat: str) -> None:
        """Raise NotYours if the only game has no such seat, NoAddress if it has no address."""
        if len(games) == 1:
            with mailer_of(games[0], self.config) as mailer:
                if mailer.file.seat(seat) is None:
                    raise no_seat(mailer.file, seat)
                names = [one.name for one in mailer.file.seats]
                raise no_address(games[0].book, seat, names, "is to be written to")

    def _name_strangers(self, games: Sequence[Place], seated: Mapping[str, set[str]]) -> None:
        """Report names in an address book that are not seats; `seated` has the seats by book."""
        books = {at.book.path: at.book for at in games}
        for path, seats in seated.items():
            strange = [name for name in books[path].names if name not in seats]
            if strange:
                where = "this game" if self._folder is None else "any game here"
                self.report.note(f"{path} names {', '.join(strange)}: no seat in {where}")


def config_of(
    addresses: Path | None,
    ledger: Path | None,
    now: datetime | None,
    eml: Path | None,
    maildir: Path | None,
    pipe: str | None,
) -> MailConfig:
    """Return what the options say about mail: where it goes, and the address book.

    Raises NotWritten for a place to which a link leads that was pushed.
    """
    check_outputs(ledger, eml, maildir)
    given = (("eml", eml), ("maildir", maildir), ("pipe", pipe))
    ways = [Way(kind, str(place)) for kind, place in given if place is not None]
    if len(ways) > 1:
        options = [f"--{'to-' * (way.kind == 'maildir')}{way.kind}" for way in ways]
        raise Usage(f"{' and '.join(options)} exclude each other: give one of them", hint=HELP)

    def flags(play: str, words: Mapping[str, Word]) -> str:
        return shell_join(flags_of(play, words))

    return MailConfig(now or current_time(), flags, ways, addresses, ledger)
