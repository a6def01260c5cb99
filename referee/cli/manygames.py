"""Host commands over all games below a folder: `due`, `expire` and `audit` with --games."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from referee.checking.audit import audit
from referee.cli import applying
from referee.cli.longwork import mapped, shown
from referee.cli.outputs import check_output
from referee.cli.usage import Usage
from referee.crypto.keys import PrivateKey
from referee.errors import counted
from referee.games.errors import GameError
from referee.playing.listing import ListedGame
from referee.playing.reader import KeyOptions, secret_of
from referee.playing.shelf import NotAll, in_order, shelve
from referee.records import NamedTuple
from referee.refereeing import commit
from referee.render.text import terminal
from referee.table import times
from referee.table.signing import load

if TYPE_CHECKING:
    from datetime import datetime

    from referee.cli.options import RefereeOptions
    from referee.playing.versions import Versions

RUNNING = ("playing",)
OVER = ("finished", "abandoned")
UNDER_WAY = ("open", "playing")


class Fault(NamedTuple):
    """A mistake, as it travels between processes."""

    message: str
    reason: str
    exit_code: int


class Report:
    """The outcome of each game: a line for people, or a row for programs, and one exit code."""

    def __init__(self, json: bool) -> None:
        self.json = json
        self.rows: list[dict[str, Any]] = []
        self.code = 0

    def say(self, path: Path, text: str, **about: Any) -> None:
        """Tell what came of a game."""
        self.rows.append({"path": str(path), **about})
        if not self.json:
            terminal.say(("bold", f"{path}: "), text)

    def fault(self, error: GameError, path: Path | None = None) -> None:
        """Tell of a game with which something is wrong; the others go on."""
        self.wrong(Fault(error.message, error.reason, error.exit_code), path)

    def wrong(self, fault: Fault, path: Path | None = None) -> None:
        """Tell what is wrong with a game."""
        self.code = self.code or fault.exit_code
        where = str(path) if path is not None else ""
        said = fault.message if where in fault.message else f"{where}: {fault.message}"
        self.rows.append({"path": where, "reason": fault.reason, "message": said})
        if not self.json:
            terminal.warn("error", said)

    def end(self) -> int:
        """Print what is for programs, and return the exit code: that of the first mistake."""
        if self.json:
            terminal.document({"games": self.rows}, self.code)
        return self.code


def _games(
    folder: Path, statuses: Sequence[str], report: Report
) -> tuple[Versions, list[ListedGame]]:
    """Return all files below a folder, and the games of some statuses; tell what is not right."""
    found, faults = shelve([folder], through=partial(shown, what="files"))
    games = in_order(found.newest())
    for error in (*faults, *found.forks()):
        if isinstance(error, NotAll):
            terminal.warn("note", error.message)
        else:
            report.fault(error)
    if not games and not faults:
        raise Usage(f"there is no game file in {folder}", hint="name the folder of the games")
    return found, [game for game in games if game.status in statuses]


def due(folder: Path, now: datetime, *, json: bool) -> int:
    """List who owes an answer in each running game; what is overdue comes first."""
    report = Report(json)
    _, running = _games(folder, RUNNING, report)
    running.sort(key=lambda game: (not game.due, *sorted(game.due.values())[:1]))
    for game in running:
        owed = [
            {"id": str(one), "seat": one.seat}
            | ({"due": times.format_time(game.due[str(one)])} if str(one) in game.due else {})
            | {"late": str(one) in game.due and game.due[str(one)] < now}
            for one in game.asked
        ]
        said = ", ".join(f"{one['id']}{_until(game, str(one['id']), now)}" for one in owed)
        report.say(game.path, said, game=game.game, title=game.title, owed=owed)
    return report.end()


def _until(game: ListedGame, question: str, now: datetime) -> str:
    due = game.due.get(question)
    if due is None:
        return ""
    return f" ({'overdue since' if due < now else 'due'} {times.readable_time(due)})"


class Expired(NamedTuple):
    """The answers that were given in a game for who is late, its step, and if that is a new one."""

    answered: list[tuple[str, str]]
    step: int
    went_on: bool
    remarks: list[tuple[str, str]]


def expire(
    folder: Path,
    key: PrivateKey,
    now: datetime,
    options: RefereeOptions,
    jobs: int | None,
    *,
    json: bool,
) -> int:
    """Answer for overdue seats in each game of this referee's, as its table agreed.

    Bots whose turn it is go on there. Games are dealt with several at once if that takes long.
    """
    report = Report(json)
    _, running = _games(folder, RUNNING, report)
    late = [game for game in running if game.is_late(key.public, now)]
    one = partial(expired, key=key.openssh().decode(), now=now, options=options)
    paths = [game.path for game in late]
    for game, done in zip(late, mapped(one, paths, jobs, "games"), strict=True):
        if isinstance(done, Fault):
            report.wrong(done, game.path)
            continue
        for kind, text in done.remarks if not json else ():
            terminal.warn(kind, text)
        if done.answered or done.went_on:
            said = ", ".join(f"{decision}: {play}" for decision, play in done.answered)
            rows = [{"decision": decision, "play": play} for decision, play in done.answered]
            text = said or f"its bots went on to step {done.step}"
            report.say(game.path, text, game=game.game, answered=rows)
    if not json and (options.dry_run or not report.rows):
        terminal.say("Nothing was written." if report.rows else "Nobody is answered for.")
    return report.end()


def expired(path: Path, *, key: str, now: datetime, options: RefereeOptions) -> Expired | Fault:
    """Answer for the overdue seats of a game and let its bots go on; `key` is that of its referee.

    It may run in another process.
    """
    try:
        check_output(path)
        with applying.open_for(path, PrivateKey.read(path, key), options) as opened:
            remarks = applying.remarks_on(opened)
            before = opened.file.step
            answered = commit.expire(opened, now)
            return Expired(answered, opened.file.step, opened.file.step > before, remarks)
    except GameError as error:
        return Fault(error.message, error.reason, error.exit_code)


def audit_all(folder: Path, jobs: int | None, *, json: bool) -> int:
    """Audit each game that is over, several at once; those of which the secret is public.

    A copy beside the newest file of one that is not right is told as well.
    """
    report = Report(json)
    found, listed = _games(folder, (*OVER, *UNDER_WAY), report)
    games = [game for game in listed if game.status in OVER]
    over = [game.path for game in games]
    for game, done in zip(games, mapped(_audited, over, jobs, "games"), strict=True):
        if isinstance(done, Fault):
            report.wrong(done, game.path)
        else:
            report.say(game.path, done[-1], checked=done)
        for path, error in found.bad_copies(game):
            report.fault(error, path)
    if not json:
        still = len(listed) - len(games)
        looked = f"{counted(len(games), 'game')} looked at" if games else "No game is over"
        terminal.say(f"{looked}; {still} not over yet and left alone." if still else f"{looked}.")
    return report.end()


def _audited(path: Path) -> list[str] | Fault:
    """Return what an audit has found right, or what is wrong."""
    try:
        file, heads = load(path)
        secret, opener = secret_of(file, KeyOptions())
        return list(audit(file, heads, secret, opener))
    except GameError as error:
        return Fault(error.message, error.reason, error.exit_code)
