"""Where notes go: standard output, a file that was named, or one beside the game file."""

from __future__ import annotations

import stat
from collections.abc import Sequence
from pathlib import Path
from shlex import quote
from typing import Any

from referee.show import terminal
from referee.table.gamefile import MAX_FILE
from referee.table.storage import NotWritten, not_written, replace

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
