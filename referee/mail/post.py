"""The post of one game: which mails are due, what they say, and that each goes out."""

from __future__ import annotations

from datetime import timedelta
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from referee.mail import answers, pages
from referee.mail.letters import Letter, Thread
from referee.mail.memory import Memory, Sent
from referee.mail.outbox import put
from referee.table import clock
from referee.table.errors import AlreadyApplied

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from referee.games.interface import Rules
    from referee.mail.addresses import Book, Way
    from referee.mail.incoming import Incoming
    from referee.table.apply import Verdict
    from referee.table.gamefile import GameFile
    from referee.table.mail import Found

INVITE, PROMPT, FINAL = "invite", "prompt", "end"
ANSWER, REFUSAL, REMIND, AGAIN = "answer", "refusal", "remind", "again"
KINDS = {pages.JOIN: INVITE, pages.END: FINAL}
PATIENCE = timedelta(days=3)
# An answering machine that hides what it is, or a forger of senders, would keep us writing.
FRUITLESS_A_DAY = 10
MARK = 16
# Anybody could have sent what is refused like this: it is not the seat's own note.
FOREIGN = (12, 13, 15, 16, 17, 18)


class Out(NamedTuple):
    """One mail that went out, for whoever is told: what kind, to which seat, where it was put."""

    kind: str
    seat: str
    to: str
    id: str
    place: str


class Post:
    """Writes the mails of one game. `data` are the bytes of `file`, as players get them.

    All of it raises NotWritten when a mail cannot be handed over; what went before is remembered.
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
        self.out: list[Out] = []
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
            if topic and self._memory.told(seat, topic) is None:
                self._write(KINDS.get(topic, PROMPT), seat)

    def again(self, seat: str) -> None:
        """Write to a seat whatever it was told."""
        self._write(AGAIN, seat)

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
            due = clock.due_of(self.file, topic)
            late = due - clock.DAY if due is not None and after is None else None
            if self._now >= (late or asked + (after if after is not None else PATIENCE)):
                self._write(
                    REMIND, seat, "This is to remind you: an answer of yours is wanted.\n\n"
                )

    def answer(self, mail: Incoming, found: Sequence[Found], verdicts: Sequence[Verdict]) -> str:
        """Tell the sender what became of its notes; why not, where nobody is told."""
        seats = [one for one in self._book.seats_at(mail.sender) if self.file.seat(one)]
        if mail.machine:
            return f"not answered: {mail.machine}"
        if mail.sender == self._book.referee.lower():
            return "not answered: it was sent in our own name"
        if not seats:
            who = mail.sender or "its sender"
            return f"not answered: {who} is not in the address book of game {self.file.game}"
        took = any(one.error is None for one in verdicts)
        counts = took or any(isinstance(one.error, AlreadyApplied) for one in verdicts)
        # That a note counts is said at least once, however often the machine had stopped before.
        fruit = took or (counts and not self._memory.confirmed(mail.words))
        if self._memory.answered(mail.mark) and not took:
            return "answered before"
        seat = next((seat for seat in seats if _is_about(seat, verdicts)), seats[0])
        day = self._now - clock.DAY
        if not fruit and self._memory.since(day, REFUSAL, seat) >= FRUITLESS_A_DAY:
            return f"not answered: {seat} was told what is wrong {FRUITLESS_A_DAY} times today"
        said = answers.report(found, verdicts)
        words = mail.words if counts else ""
        own = any(_is_of(seat, one) for one in verdicts)
        self._write(ANSWER if fruit else REFUSAL, seat, said, mail, words=words, own=own)
        return ""

    @cached_property
    def _picture(self) -> bytes:
        """The table as everybody sees it, where the address book asks for a picture."""
        form = self._book.picture
        if not form or not self.file.table:
            return b""
        from referee.page.image import NoImage, png, svg
        from referee.page.model import model_of

        text = svg(model_of(self.file, None))
        try:
            return png(text) if form == "png" else text.encode()
        except NoImage:
            # A mail without its picture is better than none.
            return b""

    def _seats(self) -> list[str]:
        return [seat.name for seat in self.file.seats if seat.name in self._book.seats]

    def _write(
        self,
        kind: str,
        seat: str,
        said: str = "",
        mail: Incoming | None = None,
        *,
        words: str = "",
        own: bool = False,
    ) -> None:
        """Write one mail. To a `mail` with an `own` note of the seat the answer is its question,
        too; else only where it goes to where questions go."""
        file, step = self.file, self.file.step
        name = f"{kind}.{step}"
        to = self._book.seats[seat][0]
        if mail is not None:
            name += f"-{mail.mark[:MARK]}"
            to = next(one for one in self._book.seats[seat] if one.lower() == mail.sender)
        elif count := self._memory.count(kind, seat, step):
            name += f"-{count + 1}"
        thread = Thread(file.game, seat, pages.title_of(file, self._rules), self._book.referee)
        letter = Letter(
            thread,
            name,
            to,
            self._now,
            said + pages.page(file, self._rules, seat, self._flags, self._book.about),
            self._data,
            pages.file_name(file),
            answer=mail is not None,
            answers=mail.id if mail is not None else "",
            picture=self._picture,
            picture_form=self._book.picture,
        )
        place = put(self._way, letter.file_name, letter.text)
        self._memory.record(
            Sent(
                self._now,
                kind,
                seat,
                step,
                pages.topic_of(file, seat) if own or to == self._book.seats[seat][0] else "",
                ",".join([mail.mark, *([words] if words else [])]) if mail is not None else "",
            )
        )
        self.out.append(Out(kind, seat, to, thread.id(name), place))


def _is_of(seat: str, verdict: Verdict) -> bool:
    """Whether it is the verdict on a note that the seat has signed."""
    return _is_about(seat, [verdict]) and verdict.exit_code not in FOREIGN


def _is_about(seat: str, verdicts: Sequence[Verdict]) -> bool:
    return any(one.what == seat or one.what.endswith(f".{seat}") for one in verdicts)
