"""The small values that a game takes and gives: choices, questions, events, a result."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from referee.records import NamedTuple

MAX_LISTED_PLAYS = 50
"""The most completions of a play that are listed."""


class Choice(NamedTuple):
    """One way to answer a decision: a play, or (`exact` false) a pattern such as `sell PLOT…`."""

    play: str
    note: str = ""
    exact: bool = True


class Word(NamedTuple):
    """A word of the game's plays, which is also a flag of `move` (`pay` is `--pay`).

    `takes` names what follows the word, `""` for a word that stands alone; a play may name
    `several`.
    """

    name: str
    takes: str
    help: str
    several: bool = False


class Phrase(NamedTuple):
    """A word of a play and what is named after it, as a flag or a menu gives them.

    `names` may be several, with blanks or commas between; none of them is a word of the play.
    """

    word: str
    names: str = ""


class Decision(NamedTuple):
    """One question to one seat. `may` says what may be answered as far as that is public.

    Decisions that are open together are parallel: their answers take effect in this order.
    """

    id: str
    seat: str
    kind: str
    may: tuple[str, ...]


class Held(NamedTuple):
    """A card in a hand (freshly drawn ones included), under the letter that names it."""

    letter: str
    name: str


class Drawn(NamedTuple):
    """An event: `size` cards left a pile from position `first` on, to a seat or the `table`."""

    who: str
    pile: str
    epoch: int
    first: int
    size: int


class Shuffled(NamedTuple):
    """A pile of `size` cards was put in a new secret order."""

    pile: str
    epoch: int
    size: int


class Shown(NamedTuple):
    """A card that everybody may see from now on; the protocol proves it."""

    pile: str
    card: int


class Taken(NamedTuple):
    """A card that lay open (Drawn by the table, Shown) and went into a seat's hand."""

    who: str
    pile: str
    card: int


class Said(NamedTuple):
    """Any other public event: lower-case words of the game's own vocabulary."""

    words: str


Event = Drawn | Shuffled | Shown | Taken | Said


class Opened(NamedTuple):
    """A card that lies open, as the public log tells of it: its place in a pile, and its name."""

    pile: str
    epoch: int
    position: int
    name: str


class Picked(NamedTuple):
    """The open card from a place of a pile went into a seat's hand."""

    who: str
    pile: str
    epoch: int
    position: int


PublicEvent = Drawn | Shuffled | Opened | Picked | Said


class Score(NamedTuple):
    """A seat's result: points, the tie-break, and whether the seat wins (perhaps shared)."""

    seat: str
    points: int
    tie: int
    wins: bool


class Shuffle(Protocol):
    """A secret order for cards that the caller cannot choose; the first is drawn first."""

    def __call__(self, pile: str, epoch: int, cards: Sequence[int]) -> Sequence[int]: ...


def letter(index: int) -> str:
    """Return the letter by which a play names a hidden card: `a` for 0, … `z`, `aa`, `ab`, …"""
    text = ""
    index += 1
    while index:
        index, rest = divmod(index - 1, 26)
        text = chr(97 + rest) + text
    return text


OTHERS, OWN = "another's", "your own"
"""Owners of the turn in which all are asked, where that makes a difference."""


class Foreseen(NamedTuple):
    """The answer of a plan to a question `at` some states of things: its play, by which line.

    Line 0 is none. Without a play the seat is asked. Cards have letters in it only if the question
    is put already, and else their names.
    """

    question: str
    at: str
    line: int
    play: str
    note: str

    def __str__(self) -> str:
        what = f"{self.question} ({self.at})" if self.at else self.question
        if not self.line:
            return f"{what}: no line answers, so you are asked"
        note = f" ({self.note})" if self.note else ""
        said = f"{self.play}{note}" if self.play else "you are asked"
        return f"{what}: {said}, by line {self.line}"


class Offer(NamedTuple):
    """Wishes for one subject that can be chosen from a list, one after the other.

    `names` follow `word` (which may be "") in any order; then `wishes` may come, each a whole one,
    and last one of `ends`.
    """

    subject: str
    word: str
    names: tuple[str, ...]
    wishes: tuple[str, ...]
    ends: tuple[str, ...]
