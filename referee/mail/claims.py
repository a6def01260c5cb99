"""Claims on the messages of a Maildir, so that no two runs deal with one at the same time.

A claim is the lock of a file in the state folder, which ends with the process that holds it: what
a run that was killed had claimed is free at once. Several messages share such a file, so that
their number stays small.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from referee.refereeing.statefolder import default_folder
from referee.storage import make_private, not_written
from referee.system import FLAGS, open_own, take_lock


class Claims:
    """The messages of one Maildir that this run has claimed."""

    def __init__(self, maildir: Path) -> None:
        self._maildir = os.fsencode(maildir.resolve())
        self._folder = default_folder() / "claims"
        self._held: dict[str, int] = {}
        make_private(self._folder)

    def take(self, name: str) -> bool:
        """Claim a message by its file name. Return False if another run is dealing with it.

        Raises NotWritten.
        """
        # The flags change when the message is seen.
        about = self._maildir + b"\0" + os.fsencode(name.partition(FLAGS)[0])
        shared = hashlib.sha256(about).hexdigest()[:2]
        if shared in self._held:
            return True
        path = self._folder / shared
        try:
            handle = open_own(path, os.O_RDWR | os.O_CREAT)
        except OSError as error:
            raise not_written(path, error) from None
        if not take_lock(handle):
            os.close(handle)
            return False
        self._held[shared] = handle
        return True

    def close(self) -> None:
        """Give up all claims."""
        for handle in self._held.values():
            os.close(handle)
        self._held.clear()
