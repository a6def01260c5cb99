"""Messages on which the program fails: each is kept and reported, and the others go on."""

from __future__ import annotations

import hashlib
from pathlib import Path

from referee.errors import Mistake
from referee.refereeing.statefolder import default_folder
from referee.storage import NotWritten, make_private, not_written, replace

MAX_KEPT = 100


def place_of(data: bytes, folder: Path | None = None) -> Path:
    """Return the file in which a message is kept, named by its contents."""
    name = f"{hashlib.sha256(data).hexdigest()[:32]}.eml"
    return (folder or default_folder()) / "set-aside" / name


def keep(data: bytes, mistake: Mistake, folder: Path | None = None) -> Mistake:
    """Keep a message, and return what to tell the host.

    Raises NotWritten if it cannot be kept, or so many are that it looks like an attack.
    """
    path = place_of(data, folder)
    make_private(path.parent)
    try:
        kept = len(list(path.parent.iterdir()))
    except OSError as error:
        raise not_written(path, error) from None
    if kept >= MAX_KEPT and not path.exists():
        raise NotWritten(
            f"over {MAX_KEPT} messages are set aside in {path.parent} already",
            "look at them, report them, and remove them",
        )
    replace(path, data, 0o600)
    return Mistake(
        mistake.message,
        f"the message is set aside as {path}, and no other is touched by it; please report this "
        "line, and give the message once more when that is mended",
    )
