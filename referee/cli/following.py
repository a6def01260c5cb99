"""`log --follow`: the story of a game as it goes on, over a git checkout or a file that changes."""

from __future__ import annotations

from contextlib import nullcontext
from time import sleep
from typing import TYPE_CHECKING

from referee.errors import Damaged
from referee.games.errors import GameError
from referee.git import sync
from referee.git.repo import Busy, GitFailed, Repo
from referee.render.text import overview, story, terminal
from referee.storage import NotWritten
from referee.table.rules import rules_for
from referee.table.signing import load

if TYPE_CHECKING:
    from pathlib import Path

    from referee.table.gamefile import GameFile


def follow(game: Path, since: int, seat: str, every: int) -> None:
    """Tell what happens after step `since`, looking again every `every` seconds.

    It ends with the game, or when it is interrupted. Raises Damaged when the file becomes another.
    """
    by_git = tracked(game)
    file, _ = load(game)
    first, told, offline, fault = file.game, since, False, ""
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
            now, fault = read_again(game, fault, by_git=by_git)
            # Another command of git's may go over older files.
            if now is None or (by_git and now.game == first and now.step < told):
                continue
            file = now
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
            # Of a rebase that was broken off, or an old commit that is out, the first look tells.
            return bool(repo.upstream_ref if repo.branch else repo.maybe("remote"))
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


def read_again(game: Path, fault: str, *, by_git: bool) -> tuple[GameFile | None, str]:
    """Load a game file that others change, and return it; None where that is not possible now.

    It may be half written, or not be there for a moment. Returned with it is what is wrong, which
    is reported unless it is the `fault` of the last time.
    """
    try:
        with sync.reading(game) if by_git else nullcontext():
            return load(game)[0], ""
    except Busy:
        return None, fault
    except GameError as error:
        if error.message != fault:
            terminal.warn("note", f"{error.message}; it is tried again")
        return None, error.message
