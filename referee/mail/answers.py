"""Answers to senders about the notes in a message; anybody may overhear them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from referee.mail.incoming import is_nothing
from referee.mail.pages import WIDTH
from referee.notes.finding import OnlyGame
from referee.render.text.terminal import paper, paragraph, say, wrapped

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from referee.notes.finding import Found
    from referee.refereeing.judging import Verdict

KINDS = {
    10: "already applied",
    11: "it does not fit where the game stands",
    12: "not this seat's to answer",
    13: "not understood",
    14: "illegal",
    15: "signature or key wrong",
    16: "damaged",
    17: "it belongs to another history of this game",
    18: "sealed to another key than the referee's",
}
"""The exit codes of `apply` as words."""
BY_REASON = {
    "not-open": "What is asked of you now, if anything, is said below.",
    "answered-otherwise": "An answer is final. What is asked of you now, if anything, is said "
    "below.",
    "game-over": "Nothing can be answered any more; the attached file is the last.",
    "seen-too-early": "You had not seen all that it takes to answer: do so on the attached file.",
    "ahead": "You have a newer file than the referee. Tell your host, and send the note again "
    "later.",
    "seat-taken": "Ask your host which seat is yours.",
}
"""Advice by the word for programs, before the hint that an error has of its own."""
ADVICE = {
    11: "Take the attached file: it says what is asked now.",
    12: "Answer what you are asked, with the key of your seat.",
    13: "A note is what `move` or `join` writes, from its first line to END: send all of it, "
    "or attach the file.",
    14: "`show` lists the answers that are legal with your hand.",
    15: "Is it signed with the key with which you joined (`move --key FILE`)? Then it was changed "
    "on its way: attach the file that `move` wrote.",
    16: "The block was cut off or changed on its way: attach the file instead.",
    17: "Take the attached file, and answer on that. Keep the one that you had: `compare` says "
    "what the two are to each other.",
    18: "Take the attached file, and answer on that.",
}
"""Advice by exit code: where there is nothing better, and for what was sealed."""
QUOTED = ("turn", "play", "seat", "from", "until")
BEFORE, NO_ADDRESS = "answered before", "no address"
# What apply says of an accepted note beyond these might be words of a sealed one.
PUBLIC = re.compile(r"(applied|accepted|joined)\b")


Judged = tuple["Found", "Verdict"]
"""A note of a mail, and what became of it."""


def report(
    judged: Sequence[Judged], seat: str, others: Mapping[str, str], *, elsewhere: bool = False
) -> str:
    """Return a paragraph for each note of a message, for `seat`: its words, and what became of it.

    What another seat has signed is that one's affair: `others` has why it was not told of it, or
    nothing if it was. `elsewhere` says that the message did not come from an address of the seat's.
    """
    with paper(WIDTH) as sheet:
        if elsewhere:
            paragraph(
                "This came from an address that is not known as yours; it is your key that has "
                "signed it."
            )
            say()
        for one, verdict in judged:
            if verdict.signer not in ("", seat):
                paragraph(_of_another(verdict.signer, others.get(verdict.signer, NO_ADDRESS)))
            else:
                paragraph(_sentence(one, verdict))
                _quote(one)
                paragraph(_advice(one, verdict))
            say()
    return sheet.getvalue()


def _of_another(whose: str, silence: str) -> str:
    """Say that a note is another seat's, and whether that seat was told; `silence` is why not."""
    told = f"{whose} is told of it"
    if silence == NO_ADDRESS:
        told = f"{whose}, who has no address here, is not told of it"
    elif silence:
        told = f"{whose} is not told of it{' again' if silence == BEFORE else ''}"
    return f"There is a note of {whose}'s in your mail. It goes by its signature: {told}."


def kind_of(verdict: Verdict) -> str:
    """A refusal as the words of its exit code."""
    return KINDS.get(verdict.exit_code, "refused")


def _sentence(found: Found, verdict: Verdict) -> str:
    if isinstance(found.error, OnlyGame):
        return "There was a game file in your mail, but no note."
    if is_nothing(found):
        return "There was no note in your mail."
    sealed = found.sealed is not None
    what = "Your sealed note" if sealed else "Your note"
    if verdict.error is None:
        word = verdict.word if not sealed or PUBLIC.match(verdict.word) else "accepted"
        return f"{what}: {word}."
    if verdict.is_repeat:
        return f"{what}: {kind_of(verdict)}. It counts, and nothing has changed."
    if sealed:
        return f"{what} is refused: {kind_of(verdict)}."
    return f"{what} is refused: {kind_of(verdict)} ({verdict.error.message})."


def _quote(found: Found) -> None:
    """The note by its words, without the line that would make it one."""
    if found.signed is None:
        return
    for key in QUOTED:
        value = found.signed.note.fields.get(key)
        if value is not None:
            for line in wrapped(value, 4, f"> {key} "):
                say(line if line.startswith(">") else f"> {line.strip()}")


def _advice(found: Found, verdict: Verdict) -> str:
    error = verdict.error
    if error is None or verdict.is_repeat:
        return ""
    if error.reason in BY_REASON:
        return BY_REASON[error.reason]
    # What was sealed is not echoed, and a hint may repeat some of it.
    own = error.hint if found.sealed is None else ""
    return f"{own[:1].upper()}{own[1:]}." if own else ADVICE.get(error.exit_code, "")
