"""The text of answers about the notes in a message. Anybody may overhear it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from referee.games.errors import Illegal
from referee.mail.incoming import is_nothing
from referee.mail.pages import WIDTH
from referee.notes.finding import PRIVATE, OnlyGame
from referee.refereeing.refusals import kind_of
from referee.render.text.terminal import paper, paragraph, say, wrapped

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from referee.notes.finding import Found
    from referee.refereeing.judging import Verdict

A_NOTE = (
    "A note is what `move`, `plan` or `join` writes, from its first line to END: send all of it, "
    "or attach the file."
)
BY_REASON = {
    "other-game": "Send it to the referee of that game. What this game asks of you, if anything, "
    "is said below.",
    "not-sealed-to-you": "Send it to the referee whom it was written for. What this game asks of "
    "you, if anything, is said below: answer on the attached file.",
    "not-open": "What is asked of you now, if anything, is said below.",
    "answered-otherwise": "What has taken effect is final; of answers that wait the one with the "
    "highest number counts. What is asked of you now, if anything, is said below.",
    "game-over": "Nothing can be answered any more; the attached file is the last.",
    "seen-too-early": "You had not seen all that it takes to answer: do so on the attached file.",
    "ahead": "You have a newer file than the referee. Tell your host, and send the note again "
    "later.",
    "seat-taken": "Ask your host which seat is yours.",
}
"""Advice by the reason of an error, preferred to the hint of the error itself."""
ADVICE = {
    11: "Take the attached file: it says what is asked now.",
    12: "Answer what you are asked, with the key of your seat.",
    13: f"It is not a note for this game, or it could not be read. {A_NOTE}",
    14: "`show` lists the answers that are legal with your hand.",
    15: "Is it signed with the key of your seat (`--key FILE`)? Then it was changed on its way: "
    "attach the file that the program wrote.",
    16: "The block was cut off or changed on its way: attach the file instead.",
    17: "Take the attached file, and answer on that. Keep the one that you had: `compare` says "
    "what the two are to each other.",
    18: "Take the attached file, and answer on that.",
}
"""Advice by exit code, if there is nothing better, and for sealed notes."""
OF_JOINS = {
    11: "Take the attached file: it says which seats are free.",
    12: "Ask your host which seat is yours, and join with the key that it is kept for.",
    14: "Ask your host which seat is yours.",
}
"""The same for joins, where it is something else."""
QUOTED = ("turn", "number", "play", "seat", "from", "until")
BEFORE, NO_ADDRESS = "answered before", "no address"
# Any other word for an accepted note might repeat the contents of a sealed one.
PUBLIC = re.compile(r"(applied|accepted|joined)\b")
QUESTION = r"\b\d+\.\d+\.([a-z-]+)\.([a-z0-9-]+)"

Judged = tuple["Found", "Verdict"]
"""A note of a message, and the verdict on it."""


def report(
    judged: Sequence[Judged], seat: str, others: Mapping[str, str], *, elsewhere: bool = False
) -> str:
    """Return a paragraph for each note of a message, for `seat`: its words, and what became of it.

    A note that another seat has signed is only mentioned: `others` has why that seat was not told
    of it, or nothing if it was. `elsewhere` says that the message came from an unknown address.
    """
    with paper(WIDTH) as sheet:
        for found, verdict in judged:
            if verdict.signer not in ("", seat):
                paragraph(_of_another(verdict.signer, others.get(verdict.signer, NO_ADDRESS)))
            else:
                paragraph(_sentence(found, verdict))
                _quote(found)
                paragraph(_advice(found, verdict))
            say()
        if elsewhere:
            paragraph(
                "This came from an address that is not known as yours; it is your key that has "
                "signed it."
            )
            say()
    return sheet.getvalue()


def _of_another(seat: str, silence: str) -> str:
    """Return that a note is of another seat, and whether that was told; `silence` is why not."""
    told = f"{seat} is told of it"
    if silence == NO_ADDRESS:
        told = f"{seat}, who has no address here, is not told of it"
    elif silence:
        told = f"{seat} is not told of it{' again' if silence == BEFORE else ''}"
    return f"There is a note of {seat}'s in your mail. It goes by its signature: {told}."


def _sentence(found: Found, verdict: Verdict) -> str:
    if isinstance(found.error, OnlyGame):
        return "There was a game file in your mail, but no note."
    if is_nothing(found):
        but = ", but a private key" if found.error and found.error.message == PRIVATE else ""
        return f"There was no note in your mail{but}."
    sealed = found.sealed is not None
    what = "Your sealed note" if sealed else "Your note"
    error = verdict.error
    if error is None:
        word = verdict.word if not sealed or PUBLIC.match(verdict.word) else "accepted"
        return f"{what}: {_in_words(word)}."
    if verdict.is_repeat:
        return f"{what}: {kind_of(error)}. It counts, and nothing has changed."
    if sealed:
        return f"{what} was refused: {kind_of(error)}."
    return f"{what} was refused: {kind_of(error)} ({error.message})."


def _in_words(word: str) -> str:
    """Return an outcome with the questions that are waited for as people say them."""
    begin, waits, left = word.partition("waiting for ")
    return begin + waits + re.sub(QUESTION, r"\2 (\1)", left)


def _quote(found: Found) -> None:
    """Quote the words of a note, without the line that would make it a note again."""
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
    # The hint about a sealed note may repeat some of it.
    hint = error.hint if found.sealed is None else ""
    return f"{hint[:1].upper()}{hint[1:]}." if hint else _general(found, error.exit_code)


def _general(found: Found, code: int) -> str:
    """Return the advice for an exit code, which fits the kind of the note where that is known."""
    if is_nothing(found):
        return A_NOTE
    kind = found.signed.kind if found.signed is not None else ""
    if kind == "join" and code in OF_JOINS:
        return OF_JOINS[code]
    # The legal plays of a hand are of no use for a vacation or a transfer.
    return ADVICE.get(code, "") if code != Illegal.exit_code or kind in ("", "move") else ""
