"""The referee's answer beside a note: why it is refused, or that it counts."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from referee.crypto import sshsig
from referee.crypto.hashing import b64, unb64
from referee.errors import AlreadyApplied
from referee.git.evidence import Trace
from referee.notes.mime import printable_line
from referee.records import NamedTuple
from referee.refereeing.refusals import advice_on, meaning_of

if TYPE_CHECKING:
    from referee.crypto.keys import PrivateKey, PublicKey
    from referee.notes.finding import Found
    from referee.refereeing.judging import Verdict
    from referee.table.gamefile import GameFile

ENDING = ".refused"
# The answer to a note that is gone stands beside a name like this, which no note can have.
GONE = "gone-"
GONE_NAME = re.compile(GONE + r"(?:[0-9a-f]{40}|[0-9a-f]{64})")
CALL = ".call-"
NAMESPACE = "refusal@sanjuan-ref"
# An email that was saved whole is larger than the note in it.
MAX_NOTE = 1 << 18
MAX_SAID = 4000
# Behind it comes what was cut, that there was no room, and the line with the signature.
LIMIT = MAX_SAID + 400
LONGEST, LONGEST_WORD = 1000, 255
SO_ON = "\nand so on\n"
LAST = re.compile(
    r"judged (for good )?at (?:step|steps (\d{1,9}) to) (\d{1,9}), signed ([A-Za-z0-9+/]{86})\n"
)
CLAIM = re.compile(r"^([a-z-]+) \((\d{1,3})\)(?:: (.*))?$", re.MULTILINE)
TOO_LARGE = "the file is over 256 kB"
NO_ROOM = (
    "no-room (14): too many notes wait already for what is to come\n"
    "  push it again, in a file of another name, once the game is there\n"
)


class Judged(NamedTuple):
    """The verdict on one thing in a note file; the thing itself is not kept."""

    verdict: Verdict
    trace: Trace

    @classmethod
    def of(cls, found: Found, verdict: Verdict, game: str) -> Judged:
        if verdict.error is not None:
            # The traceback would keep the note and its text in memory.
            verdict.error.__traceback__ = verdict.error.__context__ = None
        verdict.found = None
        return cls(verdict, Trace.of(found, game))

    @property
    def counts(self) -> bool:
        return self.verdict.counts

    @property
    def final(self) -> bool:
        """Return True if a later judgement can only be the same."""
        return not self.verdict.later

    @property
    def said(self) -> str:
        """The reason of the refusal; for a note that everybody can read also the message."""
        error = self.verdict.error
        if error is None or (self.counts and self.trace.sealed):
            return f"{AlreadyApplied.reason} ({AlreadyApplied.exit_code}): this counts\n"
        kind = f"{error.reason} ({error.exit_code})"
        if self.trace.sealed:
            # All that is known of it, and of no use to anybody else.
            return f"{kind}\n  {meaning_of(error.reason, error.exit_code)}\n"
        hint = f"  {printable_line(error.hint)}\n" if error.hint else ""
        return f"{kind}: {printable_line(error.message)}\n{hint}"


class Answer(NamedTuple):
    """The referee's words about a note file, and the steps of the game at which it was judged.

    In one run the game goes on from note to note: some of a file can be judged at step `since`, and
    others up to `step`.
    """

    said: str
    step: int
    final: bool
    since: int = -1

    @property
    def first(self) -> int:
        """The first step at which something in the file was judged."""
        return self.since if self.since >= 0 else self.step

    def text(self, key: PrivateKey, game: str, note: str) -> bytes:
        """Return the file that says so of the object `note`; the same every time."""
        judged = self._judged
        signature = sshsig.sign(key, NAMESPACE, _signed(game, note, self.said, judged))
        return f"{self.said}{judged}, signed {b64(signature)}\n".encode("ascii")

    @property
    def _judged(self) -> str:
        steps = f"step {self.step}"
        if self.first < self.step:
            steps = f"steps {self.first} to {self.step}"
        return f"judged {'for good ' if self.final else ''}at {steps}"

    def says(self, other: Answer) -> bool:
        """Return True if two answers say the same, be it at different steps."""
        return (self.said, self.final) == (other.said, other.final)


def moment(file: GameFile) -> tuple[int, int]:
    """Return the step, and the number of notes in the file beside the log.

    The pair grows with each note that is accepted.
    """
    joined = sum(seat.joined for seat in file.seats) if file.status == "open" else 0
    consents = sum(len(transfer.consents) for transfer in file.transfers)
    answers = sum(answer.number for answer in file.pending)
    plans = sum(plan.number for plan in file.plans if plan.waits)
    return file.step, joined + answers + plans + len(file.vacations) + consents


def answer_to(told: Sequence[Judged], *, final: bool) -> Answer:
    """Return the answer about the things in a note file, each of which it names."""
    said = "".join([judged.said for judged in told])
    if len(said) > MAX_SAID:
        said = said[:MAX_SAID].rpartition("\n")[0] + SO_ON
    steps = [judged.verdict.step for judged in told]
    said = said.encode("ascii", "replace").decode("ascii")
    return Answer(said, max(steps, default=0), final, min(steps, default=0))


def read(data: bytes, referee: PublicKey, game: str, note: str) -> Answer | None:
    """Return the answer of this referee to the object `note`; None if another has written it."""
    try:
        text = data.decode("ascii")
        at = text[:-1].rfind("\n") + 1
        match = LAST.fullmatch(text[at:])
        if match is None:
            return None
        step = int(match[3])
        answer = Answer(text[:at], step, bool(match[1]), int(match[2] or step))
        signature = unb64(match[4], 64)
    except ValueError:
        return None
    signed = _signed(game, note, answer.said, text[at:].partition(",")[0])
    return answer if sshsig.verify(referee, NAMESPACE, signed, signature) else None


def _signed(game: str, note: str, said: str, judged: str) -> bytes:
    return f"{game} {note}\n{said}{judged}\n".encode("ascii")


class Refusal(NamedTuple):
    """One refusal of an answer, for people: its exit code, what is wrong, and what to do."""

    code: int
    message: str
    hint: str


def refusals_in(said: str) -> list[Refusal]:
    """Return the refusals that an answer tells; GAME in a hint stands for the game file."""
    found = []
    for claim in CLAIM.finditer(said):
        reason, code, words = claim[1], int(claim[2]), claim[3]
        _, _, after = said[claim.end() :].partition("\n")
        own = after.partition("\n")[0].strip() if words and after.startswith("  ") else ""
        message = words or meaning_of(reason, code)
        found.append(Refusal(code, message, own or advice_on(reason, code)))
    return found


def is_other(path: str) -> bool:
    """Return True for a file that is not a note.

    It is an answer, one in the place of an answer, hidden, or has the name of a note that is gone.
    """
    *_, name = words = path.split("/")
    if name.startswith(".") or GONE_NAME.fullmatch(name):
        return True
    return any(word.endswith(ENDING) for word in words)


def is_call(path: str) -> bool:
    """Return True for a file that was pushed to start the referee."""
    return path.rpartition("/")[2].startswith(CALL)


def is_too_long(path: str) -> bool:
    """Return True if the name of a file, or of its answer, is too long for a clone to write."""
    name = path if is_other(path) else path + ENDING
    return len(os.fsencode(name)) > LONGEST or any(
        len(os.fsencode(word)) > LONGEST_WORD for word in name.split("/")
    )
