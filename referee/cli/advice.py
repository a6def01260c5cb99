"""Hints for failures that bring none of their own."""

from __future__ import annotations

import os
import re
from pathlib import Path
from shlex import quote
from typing import Any

from referee.cli.usage import ADDRESS, instead_of_address, with_slashes
from referee.crypto.keyplace import PLAYER_KEY, REFEREE_KEY
from referee.errors import BadSignature, NoKey, NotYours
from referee.games.errors import GameError, Illegal
from referee.games.near import near
from referee.notes.recognising import WHAT_NOTES_ARE
from referee.playing.shared import is_shared

_HINTS = {
    "not-read": "check the name, and the folder you are in",
    "passphrase": "try again",
    "game-over": "everybody can check it with `sanjuan-ref audit GAME`",
    "not-open": "`sanjuan-ref show GAME` says where the game stands",
    "answered-otherwise": "`sanjuan-ref show GAME` says what is asked now",
    "already-applied": "nothing is left to do: `sanjuan-ref show GAME` says who it is waiting for",
}
"""Hints by the reason of a failure."""
_BEHIND = ("not-asked", "not-dealt")
"""Reasons for which a newer game file may help."""
_OTHERS = {
    "not a git repository": "`sanjuan-ref git init DIR` turns the folder of a game into one",
    "it is empty": WHAT_NOTES_ARE,
    "there is no note in ": WHAT_NOTES_ARE,
    "the address book cannot be read as TOML": "`sanjuan-ref help email` shows how one is written",
    ".lock': File exists": "another git is at work in the clone: run this again when it has ended; "
    "if none is, one was killed: delete the file that is named there",
    "': Permission denied": "see to it that you may write in the clone, then run this again",
    "': Read-only file system": "see to it that you may write in the clone, then run this again",
    "No space left": "make room on the disk, then run this again",
    "git pull failed": "check the network and `git remote -v`, then run this again",
    "git fetch failed": "check the network and `git remote -v`, then run this again",
}
"""Hints by a piece of the message."""
_BARE = {
    "move": "`sanjuan-ref show` lists what you may play, each with its flags",
    "join": "a seat is named with --seat: --seat {word}",
}
"""Hints by the command for a bare word that was taken for the name of a game file."""
_SENDS = (
    r"sanjuan-ref (?:join|leave|vote|plan --withdraw)\b"
    r"(?![^`]* (?:--push|--commit|-o|--help)\b)[^`]*(?=`|$)"
)
"""A command in a hint that writes a note and does not say where that goes: in backquotes, or the
end of the hint."""
_GONE = r"cannot read (.+): No such file.*|there is no (?:(?:key or )?age identity|key) file (.+)"


def advise(error: GameError, game: str, *, pushed: bool = False, command: str = "") -> None:
    """Complete the hint of a failure; `game` is the game file that the command line names; `pushed`
    says that the newest one was fetched before; `command` is the one that failed, where it matters.

    A hint may say GAME where it does not know that name.
    """
    _say_who_named_it(error)
    hint = error.hint or _HINTS.get(error.reason, "")
    if error.reason in _BEHIND and _goes_by_git(game):
        wait = "when the others have pushed, `git pull` brings the newest game file"
        hint = "run `git pull` for the newest game file; --push does that first"
        hint = wait if pushed else hint
    beside = _beside(error) or _bare(error, command)
    if beside:
        hint = f"{beside} Else {error.hint}" if error.hint else beside
    if not hint:
        hint = next((advice for begin, advice in _OTHERS.items() if begin in error.message), "")
    if re.search(_SENDS, hint) and _goes_by_git(game):
        hint = re.sub(_SENDS, lambda found: f"{found[0]} --push", hint)
    address = re.search(rf"{ADDRESS}[^\s'\"]*", error.message)
    if error.reason in ("not-read", "no-key-file") and address:
        # No name of a file is meant.
        error.message = with_slashes(error.message)
        instead = instead_of_address(with_slashes(address[0]).rstrip(":,;"))
        hint = f"this program opens no address: {instead}"
    if game:
        hint = re.sub(r"\bGAME\b", lambda _: quote(game), hint)
    error.hint = hint


def _goes_by_git(game: str) -> bool:
    """Return True if the game of a command, named or found, is passed through a repository."""
    # Slow to import, and of use only where something has failed.
    from referee.cli.locating import find_game
    from referee.cli.usage import UsageProblem

    try:
        return is_shared(Path(game) if game else find_game())
    except (GameError, UsageProblem):
        return False


def _say_who_named_it(error: GameError) -> None:
    """Say in an error about a key where its name comes from, if nobody has typed it."""
    if not isinstance(error, NoKey | NotYours | BadSignature):
        return
    for variable in (PLAYER_KEY, REFEREE_KEY):
        place = os.path.expanduser(os.environ.get(variable, ""))  # noqa: PTH111 - needs no home
        found = re.search(rf"(?<!\S){re.escape(place)}(?![\w./-])", error.message)
        if place and found and f"${variable}" not in error.message:
            end = found.end()
            said = f" (named by ${variable})"
            error.message = error.message[:end] + said + error.message[end:]


def _beside(error: GameError) -> str:
    """Return a hint at a file whose name is like that of the one that is missing."""
    gone = re.fullmatch(_GONE, error.message)
    if gone is None:
        return ""
    path = Path(gone[1] or gone[2])
    try:
        names = [other.name for other in path.parent.iterdir()]
    except OSError:
        return ""
    return near(path.name, names)


def _bare(error: GameError, command: str) -> str:
    """Return a hint at what a word alone may have meant that is not the name of a file."""
    gone = re.fullmatch(_GONE, error.message)
    is_word = gone is not None and re.fullmatch("[a-z][a-z-]*", gone[1] or "")
    return _BARE.get(command, "").format(word=gone[1]) if gone is not None and is_word else ""


def failure(error: GameError) -> dict[str, Any]:
    """Return a failure for programs, which `--json` prints in place of a result."""
    found: dict[str, Any] = {
        "reason": error.reason,
        "message": error.message,
        "hint": error.hint,
    }
    if isinstance(error, Illegal) and error.choices:
        found["choices"] = [choice._asdict() for choice in error.choices]
    return found
