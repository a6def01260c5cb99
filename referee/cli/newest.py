"""Newer files of a game: beside the one that a command names, or in its place by now."""

from __future__ import annotations

from shlex import quote
from typing import TYPE_CHECKING

from referee.errors import Stale
from referee.games.errors import GameError
from referee.playing.newer import check_unanswered, newer_beside
from referee.render.text import terminal
from referee.table.signing import load
from referee.table.standing import own_question

if TYPE_CHECKING:
    from pathlib import Path

    from referee.table.gamefile import GameFile


class Missed(Stale):
    """The game went on while somebody was being asked, so that the answer would come too late."""


def tell_newer(game: Path, file: GameFile, *, json: bool = False, decision: str = "") -> None:
    """Note that a newer file of the game lies beside this one.

    Raises Stale if a `decision` is given to which that file wants no answer any more.
    """
    newer = newer_beside(game, file)
    if newer is None:
        return
    if decision:
        check_unanswered(newer, decision)
    if not json:
        terminal.warn("warning" if newer.another else "note", newer.words)


def check_still_asked(game: Path, file: GameFile, decision: str, *, push: bool) -> None:
    """Look at a game again after its player was asked, and raise Missed if the answer is too late.

    In a clone from which notes are pushed others' pushes are fetched first. Where nothing can be
    read just now, whatever becomes of the answer shows it.
    """
    # Most answers are given in full, and nobody is asked.
    from referee.cli.locating import renew

    try:
        if push:
            # Few notes travel through git.
            from referee.git.sync import pull

            pull(game)
        if str(game) != "-":
            renew(game, file)
        now, _ = load(game)
    except GameError:
        return
    if now.game != file.game:
        return
    is_open = decision in {one.id for one in now.asked} and own_question(now, decision)
    # The answer of a plan has none: any note takes its place.
    waiting = [one.waiting_answer(decision) for one in (file, now)]
    before, after = (one.commitment if one is not None else b"" for one in waiting)
    if is_open and before == after:
        return
    what = f"another answer to {decision} has arrived" if is_open else f"{decision} is over"
    raise Missed(
        f"{what}: the game has gone on while you were asked; your answer was not signed",
        f"`sanjuan-ref show {quote(str(game))}` says what is asked now",
    )
