"""The post of one game: which mails are due, what they say, and that each goes out."""

from __future__ import annotations

import hashlib
from datetime import timedelta
from functools import cached_property, partial
from typing import TYPE_CHECKING, NamedTuple

from referee.errors import attempt
from referee.mail import answers, pages
from referee.mail.addresses import no_address
from referee.mail.letters import Letter, Thread
from referee.mail.memory import FAILED, Memory, Sent
from referee.mail.outbox import NotSent, Refused, put
from referee.render.text import overview, terminal
from referee.table import clock, times
from referee.table.chain import REFEREE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from referee.games.interface import GameError, Rules
    from referee.mail.addresses import Book, Way
    from referee.mail.answers import Judged
    from referee.mail.incoming import Incoming
    from referee.notes.finding import Found
    from referee.refereeing.judging import Verdict
    from referee.table.gamefile import GameFile

INVITE, PROMPT, FINAL = "invite", "prompt", "end"
ANSWER, REFUSAL, REMIND, AGAIN, LATE = "answer", "refusal", "remind", "again", "late"
KINDS = {pages.JOIN: INVITE, pages.END: FINAL}
WHY = {pages.JOIN: "is invited", pages.END: "is to be told that the game is over"}
PATIENCE = timedelta(days=3)
# An answering machine that hides what it is, or a forger of senders, would keep us writing.
FRUITLESS_A_DAY = 10
# Only the holder of a seat's key can use these up.
SIGNED_A_DAY = 100
MARK = 16
# So many notes of one mail are remembered, so that nobody fills the journal.
MOST_SAID = 20
COUNTS = "counts"


class SentMail(NamedTuple):
    """One mail that went out, for whoever is told: what kind, to which seat, where it was put."""

    kind: str
    seat: str
    to: str
    id: str
    place: str


class Reply(NamedTuple):
    """The beginning of an answer to a message, and what is remembered of it.

    `own` says that a note of the seat's own is answered, `counts` that one of them counts, and
    `others` that the message holds notes of other seats alone.
    """

    mail: Incoming
    said: str
    mark: str
    own: bool = False
    counts: bool = False
    others: bool = False


class Post:
    """Writes the mails of one game. `data` are the bytes of `file`, as players get them.

    What went out is remembered at once. `faults` are the mails that could not be handed over: none
    stops another, and but for those that were refused for good each is due still. `put_off` are
    the seats whose mail was refused for good less than a day ago.
    """

    def __init__(
        self,
        file: GameFile,
        data: bytes,
        rules: Rules,
        *,
        book: Book,
        memory: Memory,
        way: Way,
        now: datetime,
        flags: pages.Flags,
    ) -> None:
        self.file = file
        self.out: list[SentMail] = []
        self.faults: list[GameError] = []
        self.put_off: list[str] = []
        self._data = data
        self._rules = rules
        self._book = book
        self._memory = memory
        self._way = way
        self._now = now
        self._flags = flags

    def due(self) -> None:
        """Write to every seat that has to be told of something and was not."""
        for seat in self._seats():
            topic = pages.topic_of(self.file, seat)
            late = self._late_answer(seat)
            if not topic or self._memory.told(seat, topic) is not None:
                if late:
                    self._try(LATE, seat, late, mark=self._mark(LATE, seat, late))
                continue
            # With another address or command it is another thing that is tried.
            mark = _hash(topic, self._book.seats[seat][0], self._way.place)
            self._try(KINDS.get(topic, PROMPT), seat, late, mark=mark)

    def _mark(self, kind: str, seat: str, what: str) -> str:
        return _hash(kind, what, self._book.seats[seat][0], self._way.place)

    def _late_answer(self, seat: str) -> str:
        """Return what a seat is to be told of a late answer that was given for it, if anything.

        Each mail tells the story since the last answer, so one that went out since will do.
        """
        last = overview.last_play(self.file, seat)
        if not last or self.file.log[last - 1].by != REFEREE or self._memory.wrote(seat, last):
            return ""
        terms = self.file.clock
        bot = terms is not None and terms.late == times.BOT
        who = f"the table's bot, {self.file.bot}," if bot else "the referee"
        return (
            f"The time for an answer of yours was over, so {who} has answered for you, as the "
            "table had agreed. What happened is told below.\n\n"
        )

    def check_addresses(self) -> None:
        """Add a fault for every seat that has to be told of something and has no address."""
        names = [seat.name for seat in self.file.seats]
        for seat in names:
            topic = pages.topic_of(self.file, seat)
            if topic and seat not in self._book.names:
                why = WHY.get(topic, "is asked")
                self.faults.append(no_address(self._book, seat, names, why))

    def again(self, seat: str) -> None:
        """Write to a seat whatever it was told."""
        self._try(AGAIN, seat)

    def remind(self, after: timedelta | None = None) -> None:
        """Ask those once more who owe an answer: once for each decision.

        That is `after` the question; by default a day before the answer is due, or three days
        after the question where that is never.
        """
        for seat in self._seats():
            topic = pages.topic_of(self.file, seat)
            asked = self._memory.told(seat, topic) if topic else None
            if asked is None or topic in KINDS or self._memory.has(REMIND, seat, topic):
                continue
            mark = self._mark(REMIND, seat, topic)
            due = clock.due_of(self.file, topic)
            late = due - times.DAY if due is not None and after is None else None
            if self._now >= (late or asked + (after if after is not None else PATIENCE)):
                self._try(REMIND, seat, mark=mark)

    def answer(self, mail: Incoming, found: Sequence[Found], verdicts: Sequence[Verdict]) -> str:
        """Tell whoever has signed the notes in a mail, and its sender, what became of them.

        Returns why nobody was told, if so. Who has signed a note is told of it at an address of
        the seat, wherever it came from: once for each thing that can be said of it, so that nobody
        can use up for it what there is for strangers, or make a flood of one note. Raises NotSent.
        """
        if mail.machine:
            return f"not answered: {mail.machine}"
        judged = list(zip(found, verdicts, strict=True))
        home = [seat for seat in self._book.seats_at(mail.sender) if self.file.seat(seat)]
        signers = list(dict.fromkeys(one.signer for one in verdicts if one.signer))
        # Who sits at several places is told of what is nobody's at one of them.
        about = [seat for seat in home if seat in signers or _is_about(seat, verdicts)]
        reply = next(iter([*about, *home]), "")
        silence, told = "", False
        others: dict[str, str] = {}
        # Whoever reads of the others' notes reads also whether they were told.
        for seat in sorted(signers, key=lambda name: name == reply):
            theirs = [one for one in judged if one[1].signer == seat or seat == reply]
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

        `others` says of other seats why they were not told of theirs, or nothing.
        """
        if seat not in self._book.seats:
            return f"not answered: {seat} is not in the address book of game {self.file.game}"
        own = [verdict for _, verdict in judged if verdict.signer == seat]
        fresh = [one for one in own if self._is_fresh(seat, one)]
        if not fresh:
            return answers.BEFORE
        day = self._now - times.DAY
        count = sum(self._memory.since(day, kind, seat, signed=True) for kind in (ANSWER, REFUSAL))
        if count >= SIGNED_A_DAY and not any(one.error is None for one in fresh):
            return f"not answered: {seat} was told of {SIGNED_A_DAY} of its notes today"
        to = self._book.seats[seat][0]
        if seat in home:
            to = next(one for one in self._book.seats[seat] if one.lower() == mail.sender)
        kind = ANSWER if any(one.counts for one in fresh) else REFUSAL
        said = answers.report(judged, seat, others, elsewhere=seat not in home)
        words = list(dict.fromkeys(_word(one) for one in own))[:MOST_SAID]
        mark = ",".join([mail.mark, *words])
        self._reply(kind, seat, to, Reply(mail, said, mark, own=True, counts=kind == ANSWER))
        return ""

    def _is_fresh(self, seat: str, verdict: Verdict) -> bool:
        """Return True if there is something to say of a note that has not been said.

        Of what counts already, and could be a copy of what everybody can read, only the newest
        answer is; so it is confirmed at least once, however often the machine had stopped before.
        """
        if verdict.error is None:
            return True
        if verdict.is_repeat and not verdict.last:
            return False
        return not self._memory.said(seat, _word(verdict))

    def _answer_sender(
        self, seat: str, mail: Incoming, judged: Sequence[Judged], others: Mapping[str, str]
    ) -> str:
        """Tell a seat what is wrong with a mail that came from an address of it, if anybody's."""
        if self._memory.answered(seat, mail.mark):
            return answers.BEFORE
        day = self._now - times.DAY
        if self._memory.since(day, REFUSAL, seat, signed=False) >= FRUITLESS_A_DAY:
            return f"not answered: {seat} was told what is wrong {FRUITLESS_A_DAY} times today"
        to = next(one for one in self._book.seats[seat] if one.lower() == mail.sender)
        said = answers.report(judged, seat, others)
        counts = any(verdict.counts for _, verdict in judged if verdict.signer == seat)
        foreign = all(verdict.signer not in ("", seat) for _, verdict in judged)
        reply = Reply(mail, said, mail.mark, counts=counts, others=foreign)
        self._reply(REFUSAL, seat, to, reply)
        return ""

    def _reply(self, kind: str, seat: str, to: str, reply: Reply) -> None:
        """Write an answer; one that is refused for good is not tried again."""
        try:
            self._write(kind, seat, to, reply)
        except Refused as error:
            self._memory.record(Sent(self._now, FAILED, seat, self.file.step, "", reply.mark))
            self._blame(error, seat, to)

    def _try(self, kind: str, seat: str, said: str = "", *, mark: str = "") -> None:
        """Write a mail to a seat, if it can be, with `said` before its page.

        One that is refused for good is remembered by its mark, and put off for a day.
        """
        if mark and self._memory.failed(seat, mark, self._now - times.DAY):
            self.put_off.append(seat)
            return
        to = self._book.seats[seat][0]
        try:
            done = attempt(partial(self._write, kind, seat, to, said=said))
        except NotSent as error:
            if mark and isinstance(error, Refused):
                self._memory.record(Sent(self._now, FAILED, seat, self.file.step, "", mark))
            self._blame(error, seat, to)
        else:
            self.faults += [done] if done is not None else []

    def _blame(self, error: NotSent, seat: str, to: str) -> None:
        """Remember what went wrong, once where it is the same for all."""
        if isinstance(error, Refused):
            error.message = f"{seat} gets no mail at {to}: {error.message}"
            error.hint = (
                "put the address right, or the command; what was not sent is tried again then, "
                f"and once a day (now: sanjuan-ref mail out --again {seat})"
            )
        if error.message not in [one.message for one in self.faults]:
            self.faults.append(error)

    @cached_property
    def _picture(self) -> bytes:
        """The table as everybody sees it, where the address book asks for a picture."""
        form = self._book.picture
        if not form or not self.file.table:
            return b""
        from referee.render.page.image import NoImage, png, svg
        from referee.render.page.model import model_of

        text = svg(model_of(self.file, None))
        try:
            return png(text) if form == "png" else text.encode()
        except NoImage:
            # A mail without its picture is better than none.
            return b""

    def _seats(self) -> list[str]:
        return [seat.name for seat in self.file.seats if seat.name in self._book.seats]

    def _write(
        self, kind: str, seat: str, to: str, reply: Reply | None = None, said: str = ""
    ) -> None:
        """Write one mail. Raises NotSent, or NotWritten if it went out and cannot be remembered."""
        file, step, rules = self.file, self.file.step, self._rules
        name = f"{kind}.{step}"
        if reply is not None:
            name += f"-{reply.mail.mark[:MARK]}"
        elif count := self._memory.count(kind, seat, step):
            name += f"-{count + 1}"
        title, sender = pages.title_of(file, rules), f"{rules.title} referee"
        thread = Thread(file.game, seat, title, self._book.referee, sender)
        said = reply.said if reply is not None else _wrapped(said)
        about = self._book.about
        page = pages.page(file, rules, seat, self._flags, about, reminder=kind == REMIND)
        letter = Letter(
            thread,
            name,
            to,
            self._now,
            said + page,
            self._data,
            pages.file_name(file),
            about=_subject(kind, pages.subject_of(file, seat), reply),
            answer=reply is not None,
            answers=reply.mail.id if reply is not None else "",
            picture=self._picture,
            picture_form=self._book.picture,
        )
        place = put(self._way, letter.file_name, letter.text)
        # Elsewhere than where questions go, only an answer to a note of the seat's own is one.
        asks = to == self._book.seats[seat][0] or (reply is not None and reply.own)
        topic = pages.topic_of(file, seat) if asks else ""
        mark = reply.mark if reply is not None else ""
        self._memory.record(Sent(self._now, kind, seat, step, topic, mark))
        self.out.append(SentMail(kind, seat, to, thread.id(name), place))


def _wrapped(text: str) -> str:
    lines = terminal.wrapped(text, 0) if text else ()
    return "".join([f"{line}\n" for line in lines]) + ("\n" if text else "")


def _hash(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:MARK]


def _subject(kind: str, topic: str, reply: Reply | None) -> str:
    """Return the beginning of a subject, where `topic` is what there is to say of the game."""
    if kind == REMIND:
        return f"Reminder: {topic.lower()}"
    if kind == LATE:
        return "Answered for you"
    if reply is None:
        return topic
    if reply.others:
        return "Not your note"
    return (topic or "Your note counts") if reply.counts else "Not accepted"


def _word(verdict: Verdict) -> str:
    """Return the word for a note: that it counts, or how it is refused."""
    return f"{verdict.mark[:MARK]}:{COUNTS if verdict.counts else verdict.exit_code}"


def _is_about(seat: str, verdicts: Sequence[Verdict]) -> bool:
    return any(one.what == seat or one.what.endswith(f".{seat}") for one in verdicts)
