"""Where notes go: standard output, a file that was named, or one beside the game file."""

from __future__ import annotations

import stat
from pathlib import Path

from referee.show import terminal
from referee.table.storage import NotWritten, not_written, replace

# What a file of ours begins with; anything else is somebody's work and stays.
BEGINNINGS = (b"sanjuan-ref/1 ", b"-----BEGIN AGE ENCRYPTED FILE-----")


def put(text: str, output: str | None, default: Path) -> Path | None:
    """Write a note; where it went, None for standard output.

    An older note of that name is replaced, any other file is left alone. Raises NotWritten.
    """
    if output == "-":
        terminal.verbatim(text)
        return None
    path = Path(output) if output is not None else default
    if path.exists():
        if not stat.S_ISREG(path.stat().st_mode):
            return _pour(path, text)
        with path.open("rb") as file:
            start = file.read(64)
        if start and not start.startswith(BEGINNINGS):
            raise NotWritten(
                f"{path} exists already and is no note", "choose another name with -o FILE"
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
