"""The folders below one in which games lie, as far as games are looked for in them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from referee.records import NamedTuple

MOST_LEVELS = 12
MESSAGES = ("new", "cur")
"""The folders of a Maildir in which messages lie."""
REMEMBERED = ".ledger.newest.toml"


class Folder(NamedTuple):
    """A folder and what is in it; `is_mail` says that it has the folders of a Maildir."""

    path: Path
    entries: list[os.DirEntry[str]]
    is_mail: bool

    def tomls(self) -> list[os.DirEntry[str]]:
        """Return what is called like a game file, without the referee's memory of games."""
        names = (one for one in self.entries if one.name.endswith(".toml"))
        return [one for one in names if not one.name.endswith(REMEMBERED)]


def folders_below(
    folder: Path, *, links: bool = False, levels: int = MOST_LEVELS
) -> Iterator[Folder]:
    """Yield a folder and those below it, each before what is in it, in the order of their names.

    Hidden ones and the messages of a Maildir are passed over, and so is what cannot be listed.
    Links to folders lead nowhere, or with `links` those in the first folder alone lead on.
    """
    try:
        with os.scandir(folder) as found:
            entries = sorted(found, key=lambda one: one.name)
    except OSError:
        return
    # A link to nowhere, or in a circle, is none.
    inner = [one.name for one in entries if one.name[0] != "." and _is_folder(one, links)]
    is_mail = all(name in inner for name in MESSAGES)
    yield Folder(folder, entries, is_mail)
    for name in inner if levels else ():
        if not (is_mail and name in MESSAGES):
            yield from folders_below(folder / name, levels=levels - 1)


def _is_folder(entry: os.DirEntry[str], links: bool) -> bool:
    try:
        return entry.is_dir(follow_symlinks=links)
    except OSError:
        return False
