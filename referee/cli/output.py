"""Where notes go: standard output, a file that was named, or one beside the game file."""

from __future__ import annotations

import stat
from collections.abc import Sequence
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any, NamedTuple

from referee.show import terminal
from referee.table.gamefile import MAX_FILE
from referee.table.storage import NotWritten, not_written, replace

if TYPE_CHECKING:
    from referee.cli.options import Time
    from referee.table.gamefile import GameFile


class Referee(NamedTuple):
    """What a player's command says about the referee, who may be the same person."""

    key: Path | None
    ledger: Path | None
    at: Time


# What a file of ours begins with; anything else is somebody's work and stays.
BEGINNINGS = (b"sanjuan-ref/1 ", b"-----BEGIN AGE ENCRYPTED FILE-----")


def send(
    note: str,
    output: str | None,
    beside: Path,
    game: Path,
    what: dict[str, Any],
    told: Sequence[terminal.Piece],
    json: bool,
) -> None:
    """Write a note and say what to do with it.

    It goes to `output`, or to the path `beside` the game file; `what` it is about is said to
    programs, `told` to people. Raises NotWritten.
    """
    if output == "-":
        if json:
            terminal.document({"note": "-", "text": note} | what)
        else:
            terminal.verbatim(note)
        return
    path = _put(note, Path(output) if output is not None else beside)
    if json:
        terminal.document({"note": str(path)} | what)
        return
    if told:
        terminal.say(*told)
    terminal.say(f"Send {path} to the referee, who runs:")
    terminal.say(f"  sanjuan-ref apply {quote(game.name)} {quote(path.name)}")


def deliver(
    note: str,
    output: str | None,
    beside: Path,
    game: Path,
    file: GameFile,
    what: dict[str, Any],
    told: Sequence[terminal.Piece],
    referee: Referee,
    json: bool,
) -> int:
    """Apply a note at once where the referee's key is on this machine, else `send` it.

    An `output` that was asked for is always written. The exit code.
    """
    from referee.cli.access import referee_key_here, unlock
    from referee.cli.referee import settle

    here = referee_key_here(file, referee.key) if output is None else None
    if here is None:
        send(note, output, beside, game, what, told, json)
        return 0
    if not json:
        terminal.say(*told)
        terminal.say("The referee's key is on this machine, so it is applied at once.")
    notes = [(beside.suffix[1:], note.encode())]
    return settle(game, notes, unlock(here), referee.ledger, False, json, referee.at)


def _put(text: str, path: Path) -> Path:
    """Write a note. An older note of that name is replaced, any other file is left alone."""
    if path.exists():
        if not stat.S_ISREG(path.stat().st_mode):
            return _pour(path, text)
        with path.open("rb") as file:
            old = file.read(MAX_FILE)
        if old and not old.startswith(BEGINNINGS):
            raise NotWritten(
                f"{path} exists already and is no note", "choose another name with -o FILE"
            )
        if old and old != text.encode():
            terminal.warn(
                "note", f"{path} is replaced; if you have sent the one before, that one counts"
            )
    replace(path, text)
    return path


def _pour(path: Path, text: str) -> Path:
    """Write to something that is no file, such as a pipe; it cannot be replaced."""
    try:
        path.write_text(text)
    except OSError as error:
        raise not_written(path, error) from None
    return path
