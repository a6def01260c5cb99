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
    """A folder and what is in it.

    `below` is how it is come to from the first one, `is_link` says that it is a link itself, and
    `is_mail` that it has the folders of a Maildir.
    """

    path: Path
    below: tuple[str, ...]
    is_link: bool
    entries: list[os.DirEntry[str]]
    is_mail: bool

    def tomls(self) -> list[os.DirEntry[str]]:
        """Return what is called like a game file, without the referee's memory of games."""
        return [
            one
            for one in self.entries
            if one.name.endswith(".toml") and not one.name.endswith(REMEMBERED)
        ]


def folders_below(folder: Path, *, links: bool = False) -> Iterator[Folder]:
    """Yield a folder and those below it, each before what is in it, in the order of their names.

    Hidden ones and the messages of a Maildir are passed over, and so is what cannot be listed.
    Links to folders lead nowhere, or with `links` those in the first folder alone lead on.
    """
    return _folders(folder, (), links, is_link=False)


def _folders(
    folder: Path, below: tuple[str, ...], links: bool, *, is_link: bool
) -> Iterator[Folder]:
    try:
        with os.scandir(folder) as found:
            entries = sorted(found, key=lambda one: one.name)
    except OSError:
        return
    inner = [one for one in entries if one.name[0] != "." and _is_folder(one, links)]
    is_mail = bool(inner) and {one.name for one in inner}.issuperset(MESSAGES)
    yield Folder(folder, below, is_link, entries, is_mail)
    if len(below) >= MOST_LEVELS:
        return
    for one in inner:
        if not (is_mail and one.name in MESSAGES):
            yield from _folders(
                folder / one.name,
                (*below, one.name),
                links=False,
                is_link=links and one.is_symlink(),
            )


def _is_folder(entry: os.DirEntry[str], links: bool) -> bool:
    try:
        return entry.is_dir(follow_symlinks=links)
    except OSError:
        return False
