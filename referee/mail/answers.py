"""What became of the notes in a message, said to its sender, whom anybody may overhear."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from referee.mail.incoming import is_nothing
from referee.mail.pages import WIDTH
from referee.show import terminal
from referee.table.errors import AlreadyApplied

if TYPE_CHECKING:
    from collections.abc import Sequence

    from referee.table.apply import Verdict
    from referee.table.mail import Found

KINDS = {
    10: "already applied",
    11: "stale",
    12: "not this seat's to answer",
    13: "not understood",
    14: "illegal",
    15: "signature or key wrong",
    16: "damaged",
    17: "fork: it belongs to another history of this game",
    18: "sealed to another key than the referee's",
}
"""The exit codes of `apply` as words."""
ADVICE = {
    13: "A note is what `move` or `join` writes, from its first line to END: send all of it, "
    "or attach the file.",
    14: "`show` lists the answers that are legal with your hand.",
    15: "Play with the key with which you joined, and send the note as it was written.",
    16: "The block was cut off or changed on its way: attach the file instead.",
    17: "Take the attached file, and answer on that.",
    18: "Take the attached file, and answer on that.",
}
QUOTED = ("turn", "play", "seat", "from", "until", "key")
# What apply says of an accepted note beyond these might be words of a sealed one.
PUBLIC = re.compile(r"(applied|accepted|joined)\b")


def report(found: Sequence[Found], verdicts: Sequence[Verdict]) -> str:
    """One paragraph for each note of a message: its words, and what became of it."""
    with terminal.paper(WIDTH) as sheet:
        for one, verdict in zip(found, verdicts, strict=True):
            for line in terminal.wrapped(_sentence(one, verdict), 0):
                terminal.say(line)
            _quote(one)
            advice = _advice(one, verdict)
            for line in terminal.wrapped(advice, 0) if advice else ():
                terminal.say(line)
            terminal.say()
    return sheet.getvalue()


def kind_of(verdict: Verdict) -> str:
    """A refusal as the words of its exit code."""
    return KINDS.get(verdict.exit_code, "refused")


def _sentence(found: Found, verdict: Verdict) -> str:
    if is_nothing(found):
        return "There was no note in your mail."
    sealed = found.sealed is not None
    what = "Your sealed note" if sealed else "Your note"
    if verdict.error is None:
        word = verdict.word if not sealed or PUBLIC.match(verdict.word) else "accepted"
        return f"{what}: {word}."
    if verdict.exit_code == AlreadyApplied.exit_code:
        return f"{what}: {kind_of(verdict)}. It counts, and nothing has changed."
    if sealed:
        return f"{what} is refused: {kind_of(verdict)}."
    return f"{what} is refused: {kind_of(verdict)} ({verdict.error.message})."


def _quote(found: Found) -> None:
    """The note by its words, without the line that would make it one."""
    if found.note is None:
        return
    for key in QUOTED:
        value = found.note.fields.get(key)
        if value is not None:
            for line in terminal.wrapped(value, 4, f"> {key} "):
                terminal.say(line if line.startswith(">") else f"> {line.strip()}")


def _advice(found: Found, verdict: Verdict) -> str:
    if verdict.error is None:
        return ""
    # What the mail as a whole is wrong in was found before anything was opened.
    own = verdict.error.hint if is_nothing(found) else ""
    said = f"{own[:1].upper()}{own[1:]}." if own else ""
    return " ".join(text for text in (said, ADVICE.get(verdict.exit_code, "")) if text)
