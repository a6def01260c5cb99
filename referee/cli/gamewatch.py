"""`games --watch`: a list that stays true, drawn anew on a terminal, or told change by change."""

from __future__ import annotations

from functools import partial
from shlex import quote
from time import sleep
from typing import TYPE_CHECKING

from referee.cli import calling, gamelist
from referee.git import sync
from referee.git.repo import GitFailed
from referee.playing.shared import is_shared
from referee.render.text import terminal
from referee.storage import NotWritten
from referee.table.times import readable_time

if TYPE_CHECKING:
    from collections.abc import Iterable

    from referee.cli.gamelist import Look, Looks
    from referee.playing.listing import ListedGame

GONE = "Not here any more"


def watch(look: Looks, every: int, command: str | None, *, json: bool) -> int:
    """Look every so many seconds until Ctrl-C, and return the exit code of the last look.

    A `command` is run for each new question. Raises NotRead like the look itself.
    """
    draws = not json and terminal.redraws()
    caller = None if command is None else calling.Caller(command, calling.PATIENCE, json=json)
    last: Look | None = None
    notes: list[str] = []
    try:
        while True:
            now = look()
            now = now._replace(notes=[*now.notes, *notes])
            if draws:
                below = f"Looked at {readable_time(now.at)}, every {every} s; Ctrl-C ends it."
                terminal.redraw(partial(gamelist.tell, now, json=False), below, first=last is None)
            elif last is None:
                gamelist.tell(now, json=json)
            else:
                _tell_changes(last, now, json=json)
            terminal.flush()
            if caller is not None:
                caller.call(now, last.waiting() if last is not None else ())
            last = now
            sleep(every)
            notes = fetch(now.games)
    except KeyboardInterrupt:
        if last is None:
            raise
        if draws:
            terminal.say()
        return last.code


def _tell_changes(last: Look, now: Look, *, json: bool) -> None:
    """Print a line for each game of which something else is to be told than before.

    Programs get the whole list if anything in it has changed.
    """
    if json and gamelist.document(last) != gamelist.document(now):
        gamelist.tell(now, json=True)
    before, after = _lines(last), _lines(now)
    for game, told in after.items() if not json else ():
        if before.get(game) != told:
            terminal.say(f"{readable_time(now.at)}  {told}")
    for one in last.games if not json else ():
        if one.game not in after:
            terminal.say(f"{readable_time(now.at)}  {GONE}: {quote(str(one.path))}")
    for note in now.told_beside(json=json):
        if note not in last.told_beside(json=json):
            terminal.warn("note", note)


def _lines(look: Look) -> dict[str, str]:
    """Return by the id of each game what is told of it in a line."""
    found = {}
    for game in look.games:
        head, note = gamelist.line(game, look.at)
        found[game.game] = f"{head}: {quote(str(game.path))}: {note}"
    return found


def fetch(games: Iterable[ListedGame]) -> list[str]:
    """Pull into the clones in which games lie, and say of which that failed."""
    failed = []
    for folder, game in {one.path.parent: one.path for one in games}.items():
        if is_shared(game):
            try:
                sync.look(game)
            except (GitFailed, NotWritten) as error:
                failed.append(f"{folder}: {error.message}; it is tried again")
    return failed
