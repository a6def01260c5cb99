"""A player's note in git: committed, pushed, and the referee's answer told."""

from __future__ import annotations

import re
from shlex import quote
from typing import TYPE_CHECKING

from referee.errors import AlreadyApplied
from referee.git.answers import Refusal, refusals_in
from referee.playing import checkout
from referee.render.text import overview, terminal

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from referee.playing.checkout import Committed
    from referee.playing.numbering import Written
    from referee.playing.outgoing import Outgoing
    from referee.table.gamefile import GameFile


def commit(
    note: Outgoing, game: Path, told: Sequence[terminal.Piece], *, push: bool, json: bool
) -> int:
    """Commit a note, push it, and say what the referee has answered; the exit code."""
    done = checkout.commit(note, game, push=push)
    if json:
        code = _exit_code(done)
        about = {"note": str(done.path), "pushed": push, "refused": done.refusal}
        terminal.document({**about, "heard": done.remarks, **note.about}, code)
        return code
    if told:
        terminal.say(*told)
    return _tell(done, game, push=push)


def send_again(answer: Written, decision: str, game: Path, *, push: bool) -> int:
    """Commit, push or tell the referee of an answer that was written before; the exit code.

    Raises GitFailed, NotWritten and NotRead.
    """
    done = checkout.send_again(answer, decision, game, push=push)
    terminal.say(("bold", f"{decision}: {answer.play or 'your answer'}"))
    return _tell(done, game, push=push)


def _exit_code(done: Committed) -> int:
    found = re.match(r"[a-z-]+ \((\d\d)\)", done.refusal)
    return int(found[1]) if found else 0


def _tell(done: Committed, game: Path, *, push: bool) -> int:
    """Print what has become of a note, and return the exit code."""
    where = f"Committed {done.path}" if done.is_new else f"{done.path} was already committed"
    terminal.say(where + (", and pushed." if push else "; now git push."))
    if push and not done.refusal:
        _tell_answer(done.counts, done.remarks)
    for one in refusals_in(done.refusal):
        _tell_refusal(one, game)
    return _exit_code(done)


def _tell_refusal(refusal: Refusal, game: Path) -> None:
    """Print one refusal of the referee's, and what to do about it."""
    again = refusal.code == AlreadyApplied.exit_code
    terminal.warn("note" if again else "refused", refusal.message)
    if refusal.hint:
        terminal.warn("hint", hint_for(refusal, game))


def hint_for(refusal: Refusal, game: Path) -> str:
    """Return what to do about a refusal, with the name that the game file has here."""
    return re.sub(r"\bGAME\b", lambda _: quote(str(game)), refusal.hint)


def _tell_answer(file: GameFile | None, remarks: Sequence[str]) -> None:
    """Say what has become of a note that was pushed: the `file` if it shows that it counts, or
    else what the referee's machine has remarked."""
    if file is not None:
        terminal.say(("bold", "The referee has it: "), overview.state_line(file))
        return
    for line in remarks:
        terminal.warn("remote", line)
    if remarks:
        terminal.warn(
            "note", "the referee on the server did not run; your note is pushed, and is not lost"
        )
        terminal.warn(
            "hint", "tell whoever runs the repository; afterwards run the same command again"
        )
    else:
        terminal.warn("note", "the referee has not answered yet; `git pull` shows it when it has")
