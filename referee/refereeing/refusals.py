"""Refusals in plain words that follow from their reason and exit code alone.

They may be said of a sealed note, where everybody can read them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from referee.games.errors import GameError

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
_MEANINGS = {
    "other-game": "it is for another game",
    "not-sealed-to-you": "the key of this game's referee does not open it, so it is for another "
    "game or another referee",
    "not-understood": "it is not a note for this game, or it could not be read",
    "answered-otherwise": "another answer to its question stands",
    "older-plan": "another plan of its seat has taken its place",
    "not-open": "what it answers is not asked, or not yet",
    "game-over": "the game is over",
    "seen-too-early": "it was made from a game file older than its question",
    "ahead": "it was made from a newer game file than the referee has",
    "fork": "it was made from a file of another history of this game",
    "illegal": "it is not legal here",
    "full": "the game file has no more room for it",
    "no-room": "too many notes of its kind wait already",
    "left": "its seat has left the table, and the table's bot answers",
    "bug": "the referee's program fails on it",
}
_ADVICE = {
    "other-game": "send it to the referee of that game",
    "not-sealed-to-you": "send it to the referee whom it was written for",
    "not-understood": "write it again with this program, on the newest file of this game",
    "answered-otherwise": "`sanjuan-ref show GAME` says what is asked now",
    "older-plan": "`sanjuan-ref show GAME` says which plan holds; another one takes its place",
    "game-over": "nothing can be answered any more; `sanjuan-ref audit GAME` checks all of it",
    "ahead": "tell your host that you have a newer file than the referee",
    "no-room": "send it again later",
    "left": "`sanjuan-ref leave GAME --back` takes the seat again, from the next question on",
    "full": "tell your host; nothing that is in the game is lost",
    "bug": "tell your host, who can report it",
}
_ADVICE_BY_CODE = {
    11: "`sanjuan-ref show GAME` says what is asked now: answer on the newest file",
    12: "answer what you are asked, with the key of your seat",
    13: "write it again with this program, on the newest file of this game",
    14: "`sanjuan-ref show GAME` lists what is legal: answer again",
    15: "write it again with the key of your seat: --key FILE",
    16: "write it again; nothing may be changed in the file that the program writes",
    17: "keep the file that you had, and answer on the newest file; `compare` says what they are "
    "to each other",
    18: "write it again on the newest file of this game",
}


def kind_of(error: GameError) -> str:
    """Return the words for the kind of a refusal."""
    if error.reason in ("other-game", "not-sealed-to-you"):
        return _MEANINGS[error.reason]
    return KINDS.get(error.exit_code, "refused")


def meaning_of(reason: str, code: int) -> str:
    """Return a clause that says what a refusal means, without a word of the note."""
    return _MEANINGS.get(reason) or KINDS.get(code, "it is refused")


def advice_on(reason: str, code: int) -> str:
    """Return what to do about a refusal; empty if nothing. GAME stands for the game file."""
    return _ADVICE.get(reason) or _ADVICE_BY_CODE.get(code, "")
