"""`log --follow`: the story of a game as it goes on, over a git checkout or a file that changes."""

from __future__ import annotations

from time import sleep
from typing import TYPE_CHECKING

from referee.errors import Damaged
from referee.git import sync
from referee.git.repo import Busy, GitFailed, Repo
from referee.render.text import overview, story, terminal
from referee.storage import NotWritten
from referee.table.rules import rules_for
from referee.table.signing import load

if TYPE_CHECKING:
    from pathlib import Path


def follow(game: Path, since: int, seat: str, every: int) -> None:
    """Tell what happens after step `since`, looking again every `every` seconds.

    It ends with the game, or when it is interrupted. Raises Damaged when the file becomes another.
    """
    by_git = tracked(game)
    file, _ = load(game)
    first, told, offline = file.game, since, False
    try:
        while True:
            if file.step > told:
                story.story(file, rules_for(file), told, seat, goes_on=told > since)
                told = file.step
                terminal.flush()
            if file.status not in ("open", "playing"):
                overview.result(file, rules_for(file))
                return
            sleep(every)
            if by_git:
                offline = not pulled(game, offline)
            file, _ = load(game)
            if file.game != first or file.step < told:
                raise Damaged(f"{game} is not the game any more that was followed")
    except KeyboardInterrupt:
        return


def tracked(game: Path) -> bool:
    """Return True if a game lies in a clone whose branch follows one of others."""
    try:
        repo = Repo.at(game.parent)
        # In the middle of another command's rebase no branch is out.
        with sync.alone(repo, 0):
            return bool(repo.maybe("rev-parse", "--abbrev-ref", "@{upstream}"))
    except Busy:
        # Nothing but a clone is locked. If it follows no other, the first look at it says so.
        return True
    except GitFailed:
        return False


def pulled(game: Path, offline: bool) -> bool:
    """Pull what others have pushed. Return False if that failed, which is reported once."""
    try:
        sync.look(game)
    except (GitFailed, NotWritten) as error:
        if not offline:
            terminal.warn("note", f"{error.message}; it is tried again")
        return False
    return True
