"""Writing the emails of one game: which are due, to whom, and that each goes out once."""

from __future__ import annotations

import hashlib
from datetime import timedelta
from functools import cached_property, partial
from typing import TYPE_CHECKING

from referee.bots.names import a_spoken
from referee.errors import attempt
from referee.mail import answers, pages
from referee.mail.addresses import no_address
from referee.mail.journal import FAILED, Sent
from referee.mail.letters import Letter, Thread
from referee.mail.outbox import NotSent, Refused, put
from referee.notes.kinds import Vote
from referee.records import NamedTuple
from referee.render.text import overview, terminal
from referee.table import clock, times
from referee.table.chain import REFEREE
from referee.table.standing import Standing

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from referee.games.errors import GameError
    from referee.games.interface import Rules
    from referee.mail.addresses import Book, Way
    from referee.mail.answers import Judged
    from referee.mail.incoming import Incoming
    from referee.mail.journal import Journal
    from referee.mail.places import MailConfig
    from referee.notes.finding import Found
    from referee.refereeing.judging import Verdict
    from referee.table.gamefile import GameFile

INVITE, PROMPT, FINAL = "invite", "prompt", "end"
ANSWER, REFUSAL, REMIND, AGAIN, LATE = "answer", "refusal", "remind", "again", "late"
VOTE = Vote.kind
AHEAD = pages.AHEAD
KINDS = {pages.JOIN: INVITE, pages.END: FINAL}
WHY = {
    pages.JOIN: "is invited",
    pages.END: "is to be told that the game is over",
    VOTE: "is to be told of a vote",
}
PATIENCE = timedelta(days=3)
# Or an answering machine that hides what it is, or a forger of senders, would keep us writing.
FRUITLESS_A_DAY = 10
# Only the holder of a seat's key can use these up.
SIGNED_A_DAY = 100
MARK = 16
# Of more notes in one message nothing is remembered, so that nobody fills the journal.
MAX_SAID = 20
COUNTS = "counts"
SUBJECTS = {VOTE: "A vote to end the game"}
VOTED = (
    "Somebody wants the game to end, and it ends only if you agree. Who that is, and how you "
    "agree, stands before the story below. If you want to play on, do nothing.\n\n"
)


class SentMail(NamedTuple):
    """An email that went out, for the report: its kind, seat and address, and where it was put."""

    kind: str
    seat: str
    to: str
    id: str
    place: str


class Reply(NamedTuple):
    """The text before the page in an answer to a message, and the mark by which it is remembered.

    `own` says that the message has notes of the seat itself, `counts` that one of them counts, and
    `others` that all its notes are of other seats.
    """

    mail: Incoming
    said: str
    mark: str
    own: bool = False
    counts: bool = False
    others: bool = False


class Mailer:
    """Writes the emails of one game. `data` are the bytes of `file`, as players get them.

    `out` are the emails that went out; they stand in the journal at once. `faults` are errors of
    those that did not: none stops another email, and each is still due unless it was refused for
    good. `put_off` are the seats whose email was refused for good less than a day ago.
    """

    def __init__(
        self,
        file: GameFile,
        data: bytes,
        rules: Rules,
        *,
        book: Book,
        way: Way,
        journal: Journal,
        config: MailConfig,
    ) -> None:
        self.file = file
        self.out: list[SentMail] = []
        self.faults: list[GameError] = []
        self.put_off: list[str] = []
        self._data = data
        self._rules = rules
        self._shared = pages.Shared(file, rules)
        self._book = book
        self._way = way
        self._journal = journal
        self._now = config.now
        self._flags = config.flags

    def write_due(self) -> None:
        """Write to every seat that has something to be told and was not told yet."""
        for seat in self._seats():
            topic = pages.topic_of(self.file, seat)
            late = self._late_answer(seat)
            if not topic or self._journal.told(seat, topic, self._address_mark(seat)):
                if late:
                    self._try(LATE, seat, late, mark=self._mark(seat, LATE, late))
                elif vote := self._vote_for(seat):
                    self._try(VOTE, seat, vote, mark=self._mark(seat, VOTE, vote))
                elif not topic:
                    self._invite_ahead(seat)
                continue
            kind = KINDS.get(topic, PROMPT)
            self._try(kind, seat, late, mark=self._mark(seat, topic))

    def _invite_ahead(self, seat: str) -> None:
        """Invite a seat to plan when the cards are dealt, and its next turn, once before each."""
        topic = pages.ahead_topic(self.file, seat)
        if (
            topic
            and not self._wrote(seat, self.file.step)
            and not self._journal.told(seat, topic, self._address_mark(seat))
        ):
            self._try(AHEAD, seat, mark=self._mark(seat, topic))

    def _mark(self, seat: str, *what: str) -> str:
        """Return the mark of an email; with another address or command it is another one."""
        parts = [*what, self._book.seats[seat][0], self._way.place]
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:MARK]

    def _address_mark(self, seat: str) -> str:
        """Return the mark of the address of a seat: who gets another one is told anew."""
        return hashlib.sha256(self._book.seats[seat][0].encode()).hexdigest()[:MARK]

    def _wrote(self, seat: str, step: int) -> bool:
        """Return True if a seat got an email since a step, where it gets its email now."""
        return any(self._journal.wrote_since(seat, step, self._address_mark(seat)))

    def _late_answer(self, seat: str) -> str:
        """Return the news that a late answer was given for a seat; empty if it has been told.

        Each email tells the story since the last answer, so any that went out since will do.
        """
        last = overview.last_play(self.file, seat)
        if not last or self.file.log[last - 1].by != REFEREE or self._wrote(seat, last):
            return ""
        terms = self.file.clock
        bot = terms is not None and terms.late == times.BOT
        who = a_spoken(self.file.bot) if bot else "the referee"
        return (
            f"The time for an answer of yours was over, so {who} has answered for you, as the "
            "table had agreed. What happened is told below.\n\n"
        )

    @cached_property
    def _standing(self) -> Standing:
        return Standing.after(self.file)

    def _vote_since(self, seat: str) -> int:
        """Return the step of the first vote that waits for a seat; 0 if none does."""
        voting = self._standing.voting if self.file.status == "playing" else []
        waits = voting and seat in self._standing.silent
        return self._standing.last(VOTE, voting[0]) if waits else 0

    def _vote_for(self, seat: str) -> str:
        """Return the news of a vote that waits for a seat; empty if it has been told.

        Each email says who votes, so any that went out since the first vote that stands will do.
        """
        step = self._vote_since(seat)
        return VOTED if step and not self._wrote(seat, step) else ""

    def check_addresses(self) -> None:
        """Add a fault for every seat that has something to be told and has no address."""
        names = [seat.name for seat in self.file.seats]
        for seat in names:
            topic = pages.topic_of(self.file, seat) or (VOTE if self._vote_since(seat) else "")
            if topic and seat not in self._book.names:
                why = WHY.get(topic, "is asked")
                self.faults.append(no_address(self._book, seat, names, why))

    def write_again(self, seat: str) -> None:
        """Write to a seat, even if it was told everything."""
        self._try(AGAIN, seat)

    def remind(self, after: timedelta | None = None) -> None:
        """Remind those who owe an answer, once for each decision, and those on whom a vote waits.

        They are reminded `after` the question; by default a day before the answer is due, where
        it has less than two days half its time before, or three days after the question if it is
        never due.
        """
        for seat in self._seats():
            topic = pages.topic_of(self.file, seat)
            if topic and self._is_silent(seat, topic, after):
                self._try(REMIND, seat, mark=self._mark(seat, REMIND, topic))
            elif self._is_silent_on_vote(seat, after):
                said, mark = f"This is to remind you. {VOTED}", self._mark(seat, REMIND, VOTE)
                self._try(REMIND, seat, said, mark=mark, topic=VOTE)

    def _is_silent(self, seat: str, topic: str, after: timedelta | None) -> bool:
        """Return True if it is time to remind a seat of what it is asked."""
        mark = self._address_mark(seat)
        asked = self._journal.told(seat, topic, mark)
        if asked is None or topic in KINDS or self._journal.has(REMIND, seat, topic, mark):
            return False
        due = clock.due_of(self.file, topic)
        late = self._reminder(due) if due is not None and after is None else None
        return self._now >= (late or asked + (after if after is not None else PATIENCE))

    def _is_silent_on_vote(self, seat: str, after: timedelta | None) -> bool:
        """Return True if it is time to remind a seat of a vote that waits for it.

        Each email tells of it, so one that went out when that time had come will do.
        """
        step = self._vote_since(seat)
        sent = list(self._journal.wrote_since(seat, step, self._address_mark(seat))) if step else []
        if not sent:
            return False
        time = sent[0].time + (after if after is not None else PATIENCE)
        reminders = [mail for mail in sent if mail.kind == REMIND]
        return self._now >= time and not any(
            mail.topic == VOTE or mail.time >= time for mail in reminders
        )

    def _reminder(self, due: datetime) -> datetime:
        """Return when somebody is reminded whose answer is due then."""
        terms = self.file.clock
        return due - min([times.DAY, *([terms.time / 2] if terms is not None else [])])

    def answer(self, mail: Incoming, found: Sequence[Found], verdicts: Sequence[Verdict]) -> str:
        """Tell the signers of the notes in a message, and its sender, what became of them.

        Return why nobody was told, if so. A signer is told at an address of the seat, wherever the
        message came from, and once for each thing that can be said of a note: so nobody can use
        up the answers that strangers get, or make a flood of one note. Raises NotSent.
        """
        if mail.machine:
            return f"not answered: {mail.machine}"
        judged = list(zip(found, verdicts, strict=True))
        home = [seat for seat in self._book.seats_at(mail.sender) if self.file.seat(seat)]
        signers = list(dict.fromkeys(verdict.signer for verdict in verdicts if verdict.signer))
        # A sender with several seats is told at one of them of notes that nobody has signed.
        about = [seat for seat in home if seat in signers or _is_about(seat, verdicts)]
        reply = next(iter([*about, *home]), "")
        silence, told = "", False
        others: dict[str, str] = {}
        # The sender comes last, to read whether the others were told.
        for seat in sorted(signers, key=lambda name: name == reply):
            theirs = [pair for pair in judged if seat in (pair[1].signer, reply)]
            before = len(self.out)
            why = self._answer_signer(seat, mail, theirs, home, others)
            others[seat] = why or ("" if len(self.out) > before else "not sent")
            if seat not in self._book.seats:
                others[seat] = answers.NO_ADDRESS
            told = told or not why
            if seat == reply and not why:
                reply = ""
            silence = silence or why
        if reply:
            why = self._answer_sender(reply, mail, judged, others)
            told, silence = told or not why, why or silence
        elif not told:
            silence = silence or self._nobody(mail)
        return "" if told else silence

    def _nobody(self, mail: Incoming) -> str:
        """Return why a sender who has no seat here is not answered."""
        if mail.sender == self._book.referee.lower():
            return "not answered: it was sent in our own name"
        who = mail.sender or "its sender"
        return f"not answered: {who} is not in the address book of game {self.file.game}"

    def _answer_signer(
        self,
        seat: str,
        mail: Incoming,
        judged: Sequence[Judged],
        home: Sequence[str],
        others: Mapping[str, str],
    ) -> str:
        """Tell a seat what became of its own notes; return why not, if so.

        `others` has for other seats why they were not told of theirs, or nothing if they were.
        """
        if seat not in self._book.seats:
            return f"not answered: {seat} is not in the address book of game {self.file.game}"
        own = [verdict for _, verdict in judged if verdict.signer == seat]
        fresh = [verdict for verdict in own if self._is_fresh(seat, verdict)]
        if not fresh:
            return answers.BEFORE
        day = self._now - times.DAY
        count = sum(self._journal.since(day, kind, seat, signed=True) for kind in (ANSWER, REFUSAL))
        if count >= SIGNED_A_DAY and all(verdict.error for verdict in fresh):
            return f"not answered: {seat} was told of {SIGNED_A_DAY} of its notes today"
        to = self._sender_of(seat, mail) if seat in home else self._book.seats[seat][0]
        kind = ANSWER if any(verdict.counts for verdict in fresh) else REFUSAL
        said = answers.report(judged, seat, others, elsewhere=seat not in home)
        words = list(dict.fromkeys(_word(verdict) for verdict in own))[:MAX_SAID]
        mark = ",".join([mail.mark, *words])
        self._reply(kind, seat, to, Reply(mail, said, mark, own=True, counts=kind == ANSWER))
        return ""

    def _is_fresh(self, seat: str, verdict: Verdict) -> bool:
        """Return True if there is something new to say of a note.

        A repeated note can be a copy that anybody has made, so it is confirmed only if it is the
        seat's newest answer, and then once, however often the machine had stopped before.
        """
        if verdict.error is None:
            return True
        if verdict.is_repeat and not verdict.last:
            return False
        return not self._journal.said(seat, _word(verdict))

    def _answer_sender(
        self, seat: str, mail: Incoming, judged: Sequence[Judged], others: Mapping[str, str]
    ) -> str:
        """Tell a seat what is wrong with a message from its address; return why not, if so."""
        if self._journal.answered(seat, mail.mark):
            return answers.BEFORE
        day = self._now - times.DAY
        if self._journal.since(day, REFUSAL, seat, signed=False) >= FRUITLESS_A_DAY:
            return f"not answered: {seat} was told what is wrong {FRUITLESS_A_DAY} times today"
        to = self._sender_of(seat, mail)
        said = answers.report(judged, seat, others)
        counts = any(verdict.counts for _, verdict in judged if verdict.signer == seat)
        foreign = all(verdict.signer not in ("", seat) for _, verdict in judged)
        reply = Reply(mail, said, mail.mark, counts=counts, others=foreign)
        self._reply(REFUSAL, seat, to, reply)
        return ""

    def _sender_of(self, seat: str, mail: Incoming) -> str:
        """Return the sender of a message as the address book has it for a seat."""
        return next(known for known in self._book.seats[seat] if known.lower() == mail.sender)

    def _reply(self, kind: str, seat: str, to: str, reply: Reply) -> None:
        """Write an answer; if it is refused for good, it is not tried again."""
        try:
            self._write(kind, seat, to, reply)
        except Refused as error:
            self._journal.record(Sent(self._now, FAILED, seat, self.file.step, "", reply.mark))
            self._blame(error, seat, to)

    def _try(
        self, kind: str, seat: str, said: str = "", *, mark: str = "", topic: str = ""
    ) -> None:
        """Write an email to a seat, with `said` before its page; what goes wrong is a fault.

        It is about what the game asks of the seat, or another `topic`.

        One that is refused for good is remembered by its mark, and put off for a day.
        """
        if mark and self._journal.failed(seat, mark, self._now - times.DAY):
            self.put_off.append(seat)
            return
        to = self._book.seats[seat][0]
        try:
            done = attempt(partial(self._write, kind, seat, to, said=said, about=topic))
        except NotSent as error:
            if mark and isinstance(error, Refused):
                self._journal.record(Sent(self._now, FAILED, seat, self.file.step, "", mark))
            self._blame(error, seat, to)
        else:
            self.faults += [done] if done is not None else []

    def _blame(self, error: NotSent, seat: str, to: str) -> None:
        """Add a fault, once if it is the same for several seats."""
        if isinstance(error, Refused):
            error.message = f"{seat} gets no mail at {to}: {error.message}"
            error.hint = (
                "put the address right, or the command; what was not sent is tried again then, "
                f"and once a day (now: sanjuan-ref mail out --again {seat})"
            )
        if error.message not in [fault.message for fault in self.faults]:
            self.faults.append(error)

    @cached_property
    def _picture(self) -> bytes:
        """The table as everybody sees it, if the address book asks for a picture."""
        form = self._book.picture
        if not form or not self.file.table:
            return b""
        from referee.render.page.image import NoImage, png, svg
        from referee.render.page.model import model_of

        text = svg(model_of(self.file, None))
        try:
            return png(text) if form == "png" else text.encode()
        except NoImage:
            # An email without its picture is better than none.
            return b""

    def _seats(self) -> list[str]:
        bots = self.file.bots
        names = [seat.name for seat in self.file.seats if seat.name not in bots]
        return [name for name in names if name in self._book.seats]

    def _write(
        self,
        kind: str,
        seat: str,
        to: str,
        reply: Reply | None = None,
        *,
        said: str = "",
        about: str = "",
    ) -> None:
        """Write one email. Raises NotSent, or NotWritten if it went out and was not recorded."""
        file, step, rules = self.file, self.file.step, self._rules
        name = f"{kind}.{step}"
        if reply is not None:
            name += f"-{reply.mail.mark[:MARK]}"
        elif count := self._journal.count(kind, seat, step):
            name += f"-{count + 1}"
        title, sender = pages.title_of(file, rules), f"{rules.title} referee"
        book = self._book
        thread = Thread(file.game, seat, title, book.referee, sender, book.address_of(file.game))
        said = reply.said if reply is not None else _wrapped(said)
        page = pages.page(
            file,
            rules,
            seat,
            self._flags,
            book.about,
            now=self._now,
            reminder=kind == REMIND and not about,
            shared=self._shared,
            app=book.app,
        )
        letter = Letter(
            thread,
            name,
            to,
            self._now,
            said + page,
            self._data,
            pages.file_name(file),
            about=_subject(kind, SUBJECTS.get(about, pages.subject_of(file, seat)), reply),
            answer=reply is not None,
            answers=reply.mail.id if reply is not None else "",
            picture=self._picture,
            picture_form=self._book.picture,
        )
        place = put(self._way, letter.file_name, letter.text)
        # A question counts as asked at the seat's first address, or in an answer to its own note.
        asks = to == self._book.seats[seat][0] or (reply is not None and reply.own)
        topic = pages.topic_of(file, seat) if asks else ""
        if kind == AHEAD:
            topic = pages.ahead_topic(file, seat)
        topic = about or topic
        mark = reply.mark if reply is not None else self._address_mark(seat)
        self._journal.record(Sent(self._now, kind, seat, step, topic, mark))
        self.out.append(SentMail(kind, seat, to, thread.id(name), place))


def _wrapped(text: str) -> str:
    lines = terminal.wrapped(text, 0)
    return "".join([f"{line}\n" for line in lines]) + ("\n" if text else "")


def _subject(kind: str, topic: str, reply: Reply | None) -> str:
    """Return the beginning of a subject; `topic` is what the game asks of the seat."""
    if kind == REMIND:
        return f"Reminder: {topic.lower()}"
    if kind == AHEAD:
        return "Plan ahead"
    if kind == LATE:
        return "Answered for you"
    if kind == VOTE:
        return SUBJECTS[VOTE]
    if reply is None:
        return topic
    if reply.others:
        return "Not your note"
    return (topic or "Your note counts") if reply.counts else "Not accepted"


def _word(verdict: Verdict) -> str:
    """Return the journal's word for a note: that it counts, or how it is refused."""
    return f"{verdict.mark[:MARK]}:{COUNTS if verdict.counts else verdict.exit_code}"


def _is_about(seat: str, verdicts: Sequence[Verdict]) -> bool:
    return any(verdict.what.rpartition(".")[2] == seat for verdict in verdicts)
