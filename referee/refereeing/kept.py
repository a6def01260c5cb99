"""Games that a process which stays has just written, kept so that it need not read them again."""

from __future__ import annotations

import os
from collections import OrderedDict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from referee.table.replay import Session

MOST = 256
"""So many games are kept, those that were written last."""


class Kept:
    """The sessions of games as they were signed and written, each with the bytes of its file.

    One counts only as long as its file has these very bytes: anything else is read, checked and
    replayed. The ledger is asked all the same.
    """

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._games: OrderedDict[str, tuple[bytes, Session]] = OrderedDict()

    def __repr__(self) -> str:
        return f"<Kept: {len(self._games)} games>"

    def take(self, path: Path, data: bytes) -> Session | None:
        """Return the session of the file at `path`, whose bytes are `data`; None if it is not kept.

        It is not kept any longer: whoever has it will change it.
        """
        before, session = self._games.pop(os.path.realpath(path), (b"", None))
        return session if before == data else None

    def put(self, path: Path, data: bytes, session: Session) -> None:
        """Keep the session of a file that was written just now."""
        self._games[os.path.realpath(path)] = data, session
        if len(self._games) > self._most:
            self._games.popitem(last=False)
