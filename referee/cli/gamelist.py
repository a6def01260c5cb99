"""The list of games as people and programs read it, and calls to the reader."""

from __future__ import annotations

import os
from shlex import quote
from typing import TYPE_CHECKING, Any

from referee.crypto.keyplace import PLAYER_KEY, find_key, places_of_keys
from referee.crypto.keys import load_public_key
from referee.errors import NoKey
from referee.playing.shared import is_shared
from referee.playing.shelf import list_games
from referee.records import NamedTuple
from referee.render.text import terminal
from referee.table.times import current_time, format_time, readable_time

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from pathlib import Path

    from referee.crypto.keys import PublicKey
    from referee.playing.listing import ListedGame
    from referee.table.decisions import DecisionId

    Question = tuple[str, str]
    """The id of a game, and that of a question in it."""

NOTHING_WAITS = 1
UNSENT = {
    "end": "vote for the end of the game",
    "go-on": "note that takes your vote back",
    "leave": "note that you leave the table",
    "back": "note that you are back",
}
"""Words for notes that lie in files and have not arrived."""
NO_KEY = "no key was found, so no game is known to be yours; --key FILE names yours"


class Look(NamedTuple):
    """The findings of a look at some folders: games, files not understood, and notes."""

    games: Sequence[ListedGame]
    unreadable: Sequence[str]
    notes: Sequence[str]
    at: datetime

    def waiting(self) -> dict[Question, tuple[ListedGame, DecisionId]]:
        """Return the questions that wait for the reader."""
        return {(game.game, str(one)): (game, one) for game in self.games for one in game.for_me()}

    def told_beside(self, *, json: bool) -> Sequence[str]:
        """Return what is told beside the list, which for programs has the unreadable in it."""
        return self.notes if json else [*self.unreadable, *self.notes]

    @property
    def code(self) -> int:
        """The exit code: that of grep."""
        return 0 if self.waiting() else NOTHING_WAITS


class Looks:
    """Looks at some folders, each when it is called; `now` is the time that is told, if any is."""

    def __init__(
        self, folders: Sequence[Path], named: list[Path] | None, now: datetime | None
    ) -> None:
        self._folders = folders
        self._keys, self._notes = own_keys(named)
        # Keys that are named decide alone.
        self._practice = not named and not os.environ.get(PLAYER_KEY)
        self._now = now

    def __call__(self) -> Look:
        """Look once. Raises NotRead for a folder that does not exist."""
        games, faults = list_games(self._folders, self._keys, practice=self._practice)
        unreadable, notes = [fault.message for fault in faults], list(self._notes)
        if games and not self._keys and not any(game.mine for game in games):
            notes.append(NO_KEY)
        return Look(games, unreadable, notes, self._now or current_time())


def own_keys(named: list[Path] | None) -> tuple[list[PublicKey], list[str]]:
    """Return the public halves of the reader's keys, and what is wrong with others; those that were
    named must be readable.
    """
    if named:
        return [load_public_key(path) for path in named], []
    if os.environ.get(PLAYER_KEY):
        return [load_public_key(find_key(None, PLAYER_KEY))], []
    found, notes = [], []
    for path in places_of_keys():
        try:
            found.append(load_public_key(path))
        except NoKey as error:
            notes.append(error.message)
    return found, notes


def tell(look: Look, *, json: bool) -> None:
    """Print the list, by what is asked of whom, for people or for programs."""
    if json:
        terminal.document(document(look), look.code)
        return
    groups: dict[str, list[tuple[str, str]]] = {}
    for game in look.games:
        head, note = line(game, look.at)
        groups.setdefault(head, []).append((quote(str(game.path)), note))
    for number, (head, cells) in enumerate(groups.items()):
        if number:
            terminal.say()
        terminal.say(("bold", head))
        terminal.rows(cells)
    if not look.games:
        terminal.say("No game lies here.")
    for note in look.told_beside(json=json):
        terminal.warn("note", note)


def document(look: Look) -> dict[str, Any]:
    """Return the list for programs."""
    return {
        "games": [_document(game, look.at) for game in look.games],
        "unreadable": look.unreadable,
    }


def line(game: ListedGame, now: datetime) -> tuple[str, str]:
    """Return the heading under which a game is listed, and its line."""
    head, note = _line(game, now)
    if game.voting:
        note = f"{note}; {' and '.join(game.voting)} voted for its end, and you have not"
    for path, said in game.unsent.items():
        what, send = UNSENT[said.play], "push" if is_shared(game.path) else "send"
        note = f"{note}; your {what} has not arrived: {send} {quote(str(path))}, if you have not"
    return head, note


def _line(game: ListedGame, now: datetime) -> tuple[str, str]:
    title = game.title or game.game
    others = game.for_others()
    if waits := game.for_me():
        beside = f"; {', '.join(one.seat for one in others)} too" if others else ""
        return "Waiting for you", f"{title}: {_asked(game, waits, now)}{beside}"
    if game.written:
        files = ", ".join(quote(str(path)) for path in game.written.values())
        asked = _asked(game, list(game.written), now)
        send = "push" if is_shared(game.path) else "send"
        return "Answered, and not arrived yet", f"{title}: {asked}; {send} {files}, if you have not"
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
        when = _when(game, one, now)
        same.setdefault(f"{one.kind}, {when}" if when else one.kind, []).append(one.seat)
    return ", ".join(f"{', '.join(seats)} ({what})" for what, seats in same.items())


def _when(game: ListedGame, question: DecisionId, now: datetime) -> str:
    """Return until when an answer is due, or else since when it waits; empty if nothing tells."""
    due, since = game.due.get(str(question)), game.since(question)
    if due is None:
        return f"since {readable_time(since)}" if since is not None else ""
    return f"{'was due' if due < now else 'due'} {readable_time(due)}"


def _document(game: ListedGame, now: datetime) -> dict[str, Any]:

    def question(one: DecisionId) -> dict[str, Any]:
        due = game.due.get(str(one))
        told: dict[str, Any] = {"id": str(one), "seat": one.seat}
        since = game.since(one)
        told |= {"since": format_time(since)} if since is not None else {}
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
        "voting": game.voting,
        "unsent": [
            {"seat": said.seat, "play": said.play, "file": str(path)}
            for path, said in game.unsent.items()
        ],
    }
