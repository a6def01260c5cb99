"""The list of games as people and programs read it, and calls to the reader."""

from __future__ import annotations

import os
import subprocess
from shlex import quote
from typing import TYPE_CHECKING, Any

from referee.crypto.keyplace import PLAYER_KEY, find_key, places_of_keys, without_keys
from referee.crypto.keys import load_public_key
from referee.errors import NoKey
from referee.git.repo import GitFailed
from referee.git.sync import pull
from referee.playing.shared import is_shared
from referee.render.text import terminal
from referee.table.times import format_time, readable_time

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

    from referee.crypto.keys import PublicKey
    from referee.games.errors import GameError
    from referee.playing.listing import ListedGame
    from referee.table.decisions import DecisionId

NOTHING_WAITS = 1


def own_keys(named: list[Path] | None) -> list[PublicKey]:
    """Return the public halves of the reader's keys; those that were named must be readable."""
    if named:
        return [load_public_key(path) for path in named]
    if os.environ.get(PLAYER_KEY):
        return [load_public_key(find_key(None, PLAYER_KEY))]
    found = []
    for path in places_of_keys():
        try:
            found.append(load_public_key(path))
        except NoKey as error:
            terminal.warn("note", error.message)
    return found


def tell(
    games: list[ListedGame],
    faults: list[GameError],
    now: datetime,
    *,
    keys_known: bool,
    json: bool,
) -> None:
    """Print the list, by what is asked of whom, for people or for programs."""
    if json:
        rows = [_document(game, now) for game in games]
        waits = any(row["asked"] for row in rows)
        unread = [fault.message for fault in faults]
        code = 0 if waits else NOTHING_WAITS
        terminal.document({"games": rows, "unreadable": unread}, code)
        return
    groups: dict[str, list[tuple[str, str]]] = {}
    for game in games:
        head, note = line(game, now)
        groups.setdefault(head, []).append((quote(str(game.path)), note))
    for number, (head, cells) in enumerate(groups.items()):
        if number:
            terminal.say()
        terminal.say(("bold", head))
        terminal.rows(cells)
    for fault in faults:
        terminal.warn("note", fault.message)
    if not games:
        terminal.say("No game lies here.")
    elif not keys_known:
        text = "no key was found, so no game is known to be yours; --key FILE names yours"
        terminal.warn("note", text)


def line(game: ListedGame, now: datetime) -> tuple[str, str]:
    """Return the heading under which a game is listed, and its line."""
    title = game.title or game.game
    others = game.for_others()
    if waits := game.for_me():
        beside = f"; {', '.join(one.seat for one in others)} too" if others else ""
        return "Waiting for you", f"{title}: {_asked(game, waits, now)}{beside}"
    if game.written:
        files = ", ".join(quote(str(path)) for path in game.written.values())
        asked = _asked(game, list(game.written), now)
        return "Answered, and not arrived yet", f"{title}: {asked}; send {files}, if you have not"
    if game.status == "open":
        free = f"free: {', '.join(game.free)}" if game.free else ""
        told = "; ".join(part for part in (_asked(game, others, now), free) if part)
        return "Not dealt yet", f"{title}: {told}"
    if game.status == "playing":
        return "Waiting for others", f"{title}: {_asked(game, game.asked, now)}"
    won = f"{' and '.join(game.winners)} won" if game.winners else game.status
    return "Over", f"{title}: {won}"


def _asked(game: ListedGame, questions: list[DecisionId], now: datetime) -> str:
    """Return who is asked what: `ana, ben (sell, since …)`."""
    same: dict[str, list[str]] = {}
    for one in questions:
        same.setdefault(f"{one.kind}, {_when(game, one, now)}", []).append(one.seat)
    return ", ".join(f"{', '.join(seats)} ({what})" for what, seats in same.items())


def _when(game: ListedGame, question: DecisionId, now: datetime) -> str:

    due = game.due.get(str(question))
    if due is None:
        return f"since {readable_time(game.since(question))}"
    return f"{'was due' if due < now else 'due'} {readable_time(due)}"


def _document(game: ListedGame, now: datetime) -> dict[str, Any]:

    def question(one: DecisionId) -> dict[str, Any]:
        due = game.due.get(str(one))
        told: dict[str, Any] = {"id": str(one), "seat": one.seat}
        told["since"] = format_time(game.since(one))
        return told | ({"due": format_time(due), "late": due < now} if due else {})

    return {
        "path": str(game.path),
        "game": game.game,
        "title": game.title,
        "module": game.module,
        "status": game.status,
        "step": game.step,
        "seats": game.mine,
        "referee": game.is_referee,
        "asked": [question(one) for one in game.for_me()],
        "written": [question(one) | {"file": str(at)} for one, at in game.written.items()],
        "others": [question(one) for one in game.for_others()],
        "free": game.free,
        "winners": game.winners,
    }


def notify(command: str, game: ListedGame, question: DecisionId) -> None:
    """Run the reader's command, which learns of game and question by its environment alone."""
    due = game.due.get(str(question))
    about = {
        "SANJUAN_TITLE": game.title,
        "SANJUAN_SEAT": question.seat,
        "SANJUAN_QUESTION": str(question),
        "SANJUAN_GAME": str(game.path.absolute()),
        "SANJUAN_DUE": format_time(due) if due else "",
    }
    _run(command, about)


def _run(command: str, about: dict[str, str]) -> None:

    done = subprocess.run(  # noqa: S602 - the command is the reader's own
        command, shell=True, env=without_keys(os.environ) | about, check=False
    )
    if done.returncode:
        terminal.warn("note", f"the command of --notify ended with {done.returncode}")


def fetch(games: list[ListedGame], silent: set[Path]) -> None:
    """Pull into the clones in which games lie; that one cannot be reached is told once."""
    for folder, game in {one.path.parent: one.path for one in games}.items():
        if not is_shared(game):
            continue
        try:
            pull(game)
            silent.discard(folder)
        except GitFailed as error:
            if folder not in silent:
                terminal.warn("note", f"{folder}: {error.message}; it is tried again")
            silent.add(folder)
