"""Applying the notes in messages to a game, answering them, and writing the emails that follow."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING

from referee.errors import Mistake, attempt
from referee.games.errors import GameError
from referee.mail import addresses
from referee.mail.incoming import Incoming
from referee.mail.journal import Journal, journal_of
from referee.mail.mailer import Mailer
from referee.mail.outbox import NotSent, Refused
from referee.records import NamedTuple
from referee.refereeing import commit
from referee.storage import read_limited
from referee.table.gamefile import MAX_FILE
from referee.table.rules import rules_for
from referee.table.transfer import moved_since

if TYPE_CHECKING:
    from referee.crypto.keys import PrivateKey
    from referee.mail.mailer import SentMail
    from referee.mail.places import MailConfig, Place
    from referee.notes.finding import Found
    from referee.refereeing.judging import Verdict

Batch = list[tuple[Incoming, list["Found"]]]
"""Messages, each with those of its notes that are about one game."""


class Outcome(NamedTuple):
    """The outcome of one message in one game; `silence` says why nobody was told."""

    mail: Incoming
    game: str
    verdicts: list[Verdict]
    silence: str


class Settled(NamedTuple):
    """The outcome of all messages about a game.

    `broken` are messages on which the program fails, `faults` the errors of emails that were to go
    out, and `again` the messages that are to be given once more because of those. `moved` are the
    seats that have got another key.
    """

    outcomes: list[Outcome]
    out: list[SentMail]
    broken: list[tuple[Incoming, Mistake]]
    faults: list[GameError]
    again: list[Incoming]
    moved: list[str]


def settle(
    place: Place,
    batch: Batch,
    config: MailConfig,
    key: PrivateKey,
    *,
    override: bool = False,
    any_time: bool = False,
    answers_only: bool = False,
    remarks: Callable[[commit.OpenGame], None] = lambda opened: None,
) -> Settled:
    """Apply the notes of all messages together, so that their order does not matter; then answer.

    A message on which the program fails is left out, and the others are dealt with as if it had
    never come. Raises like `commit.open_game` and `commit.apply_notes`, and Mistake if no message
    is to blame: then all are to be given once more.
    """
    for mail, _ in batch:
        attempt(partial(mail.open_blocks, key))

    def open_game() -> AbstractContextManager[commit.OpenGame]:
        return commit.open_game(
            place.path,
            key,
            ledger=config.ledger,
            override=override,
            any_time=any_time,
            kept=config.kept,
        )

    broken: list[tuple[Incoming, Mistake]] = []
    with _mailers(place, config) as new_mailer:
        while True:
            with open_game() as opened:
                if not broken:
                    remarks(opened)
                before = opened.file.step
                verdicts = attempt(partial(commit.apply_notes, opened, _notes(batch), config.now))
                if not isinstance(verdicts, Mistake):
                    commit.let_bots_go_on(opened, config.now)
                    data = read_limited(place.path, MAX_FILE)
                    mailer = new_mailer(opened.file, data, opened.session.rules)
                    settled = _answer(place, batch, verdicts, mailer)
                    settled.moved.extend(moved_since(opened.file, before))
                    if not answers_only:
                        mailer.write_due()
                    mailer.check_addresses()
                    return _sum_up(settled, mailer, broken)
            culprits = _culprits(open_game, batch, config.now)
            if not culprits:
                raise verdicts
            broken += culprits
            gone = [mail for mail, _ in culprits]
            batch = [(mail, notes) for mail, notes in batch if mail not in gone]


class WentOn(NamedTuple):
    """The answers that were given in a game for who is late, and the emails that followed."""

    answered: list[tuple[str, str]]
    went_on: bool
    out: list[SentMail]
    faults: list[GameError]


def go_on(
    place: Place,
    config: MailConfig,
    key: PrivateKey,
    *,
    any_time: bool = False,
    answers_only: bool = False,
) -> WentOn:
    """Answer for who is late in a game, let its bots go on, and write the emails that follow.

    Raises like `commit.open_game` and `commit.expire`.
    """
    with (
        _mailers(place, config) as new_mailer,
        commit.open_game(
            place.path, key, ledger=config.ledger, any_time=any_time, kept=config.kept
        ) as opened,
    ):
        before = opened.file.step
        answered = commit.expire(opened, config.now)
        went_on = opened.file.step > before
        mailer = new_mailer(opened.file, read_limited(place.path, MAX_FILE), opened.session.rules)
        if not answers_only:
            mailer.write_due()
        return WentOn(answered, went_on, mailer.out, mailer.faults)


@contextmanager
def mailer_of(place: Place, config: MailConfig) -> Iterator[Mailer]:
    """Enter the mailer of a game that nothing is applied to.

    Raises NotRead, Damaged or BadSignature, and NotWritten for a journal that cannot be kept.
    """
    with _mailers(place, config) as new_mailer:
        data = read_limited(place.path, MAX_FILE)
        file = commit.parse_signed(data)
        yield new_mailer(file, data, rules_for(file))


@contextmanager
def _mailers(place: Place, config: MailConfig) -> Iterator[Callable[..., Mailer]]:
    """Enter the journal of a game; with its file, bytes and rules there comes a Mailer."""
    way = addresses.chosen(place.book, config.ways)
    with Journal.open(journal_of(place.game, config.ledger)) as journal:
        yield partial(Mailer, book=place.book, way=way, journal=journal, config=config)


def _notes(batch: Batch) -> list[tuple[str, Found]]:
    return [(mail.source, found) for mail, notes in batch for found in notes]


def _culprits(
    open_game: Callable[[], AbstractContextManager[commit.OpenGame]], batch: Batch, now: datetime
) -> list[tuple[Incoming, Mistake]]:
    """Return the messages on which the program fails: alone, or else the first after the others."""

    def mistake_in(some: Batch) -> Mistake | None:
        with open_game() as opened:
            return attempt(partial(commit.rehearse, opened, _notes(some), now))

    alone = [(mail, error) for mail, notes in batch if (error := mistake_in([(mail, notes)]))]
    if alone:
        return alone
    for count, (mail, _) in enumerate(batch, 1):
        if error := mistake_in(batch[:count]):
            return [(mail, error)]
    return []


def _answer(place: Place, batch: Batch, verdicts: Sequence[Verdict], mailer: Mailer) -> Settled:
    """Answer all messages; an error with one does not stop the others."""
    settled = Settled([], [], [], [], [], [])
    rest = iter(verdicts)
    for mail, notes in batch:
        own = [next(rest) for _ in notes]
        try:
            silence = attempt(partial(mailer.answer, mail, notes, own))
        except NotSent as error:
            settled.faults.append(error)
            settled.again.append(mail)
            silence = "not answered yet"
        if isinstance(silence, Mistake):
            settled.broken.append((mail, silence))
            silence = "not answered"
        settled.outcomes.append(Outcome(mail, place.game, own, silence))
    return settled


def _sum_up(settled: Settled, mailer: Mailer, broken: list[tuple[Incoming, Mistake]]) -> Settled:
    """Add what the mailer has written, and say which messages are to be given again."""
    faults = [*settled.faults, *mailer.faults]
    again = settled.again
    if any(isinstance(error, NotSent) and not isinstance(error, Refused) for error in faults):
        # Those that were answered are not answered twice.
        again = [outcome.mail for outcome in settled.outcomes]
    for error in faults:
        if not isinstance(error, Refused | Mistake | addresses.NoAddress):
            error.hint = (
                "what was accepted stands; give the same messages again, and the mails that are "
                "missing are written"
            )
    return settled._replace(
        out=mailer.out, broken=[*broken, *settled.broken], faults=faults, again=again
    )
