"""Finished games counted: who has won how many, by public key.

A key that held a seat at the end has played the game. Keys of one person are joined by a file of
aliases; all others are strangers to each other, also those that were made for one table.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from referee.bots.names import spoken
from referee.checking.audit import audit
from referee.checking.verify import verify
from referee.crypto.keys import PublicKey
from referee.errors import Damaged
from referee.games.errors import GameError
from referee.notes.forms import A_TITLE
from referee.records import NamedTuple
from referee.standings import RATINGS, Finish, ratings
from referee.storage import read_limited
from referee.table.filetext import load_toml
from referee.table.rules import rules_for
from referee.table.signing import checked
from referee.table.times import format_time

if TYPE_CHECKING:
    from pathlib import Path

    from referee.playing.versions import Versions
    from referee.standings import Rating
    from referee.table.gamefile import GameFile

FINISHED = "finished"
MAX_ALIASES, MAX_NAME = 1 << 18, 40
SHORT = 8


class Result(NamedTuple):
    """The end of a game for one seat: `who` is its key as text, or the name of a bot."""

    seat: str
    who: str
    is_bot: bool
    points: int
    place: int
    wins: bool


class Played(NamedTuple):
    """A finished game whose file is right, and its results by seat."""

    path: str
    game: str
    title: str
    module: str
    rules: str
    steps: int
    time: str
    audited: bool
    practice: bool
    """One person plays against bots, or nobody but the referee holds a key, so that nothing is
    proven of the deal."""
    results: tuple[Result, ...]


class Fault(NamedTuple):
    """A file that does not count, and why not."""

    path: str
    reason: str
    message: str


class Finished(NamedTuple):
    """A finished game that is still to be judged, and the time at which its file came."""

    path: str
    time: str
    data: bytes


class Found(NamedTuple):
    """Games below some folders: bytes of the finished ones, files that do not count, and how many
    others there are."""

    finished: list[Finished]
    faults: list[Fault]
    abandoned: int
    running: int


def find(versions: Versions, errors: Iterable[GameError]) -> Found:
    """Sort the newest file of each game: finished, abandoned, running, or with a fault."""
    found = Found([], [Fault("", error.reason, error.message) for error in errors], 0, 0)
    for game in sorted(versions.newest(), key=lambda one: (one.changed, one.game)):
        if game.status != FINISHED:
            left = "abandoned" if game.status == "abandoned" else "running"
            found = found._replace(**{left: getattr(found, left) + 1})
            continue
        found.faults.extend(_fault(*copy) for copy in versions.bad_copies(game))
        try:
            data = versions.data(game)
        except GameError as error:
            found.faults.append(_fault(game.path, error))
        else:
            found.finished.append(Finished(str(game.path), format_time(game.changed), data))
    return found


def judge(game: Finished, *, is_audited: bool) -> Played | Fault:
    """Check a finished game, replay it if it is to be audited, and return its results.

    Its time is that of its file; where the game has a clock, the referee's own counts.
    """
    try:
        file, heads = checked(game.data)
        secret = file.revealed_secret
        if is_audited and secret is not None:
            list(audit(file, heads, secret, None))
        else:
            list(verify(file, heads))
        return _played(game, file, is_audited=is_audited and secret is not None)
    except GameError as error:
        return _fault(game.path, error)


def _fault(path: Path | str, error: GameError) -> Fault:
    return Fault(str(path), error.reason, error.message)


def _played(game: Finished, file: GameFile, *, is_audited: bool) -> Played:
    rules = rules_for(file)
    rows = {row["name"]: row for row in file.table["seats"]}
    sheets = {sheet.seat: sheet for sheet in rules.sheets(file.table, file.log_lines())}
    order = {
        name: (rows[name].get("wins") is True, sheet.points, sheet.tie[1] if sheet.tie else 0)
        for name, sheet in sheets.items()
    }
    results = []
    for seat in file.seats:
        mine = order[seat.name]
        place = 1 if mine[0] else 1 + sum(other > mine for other in order.values())
        who = seat.bot or (seat.holder.text if seat.holder is not None else "")
        results.append(Result(seat.name, who, bool(seat.bot), mine[1], place, mine[0]))
    return Played(
        game.path,
        file.game,
        file.title,
        file.rules_module,
        _label(file, rules.title),
        file.step,
        format_time(file.now) if file.now else game.time,
        is_audited,
        file.referee_alone or len(file.bots) == len(file.seats) - 1,
        tuple(results),
    )


def _label(file: GameFile, title: str) -> str:
    """Return the name of a rule set, such as `San Juan 2014 new-buildings`."""
    terms = file.terms
    parts = [
        str(terms.get("edition", "")),
        *terms.get("expansions", ()),
        *terms.get("variants", ()),
    ]
    return " ".join([title, *filter(None, map(str, parts))])


# Names of players.


class Names:
    """Names of players: from the file of aliases, or else made of a seat and a fingerprint."""

    def __init__(self, aliases: Mapping[str, str], games: Iterable[Played]) -> None:
        self._aliases = aliases
        self._seats: dict[str, Counter[str]] = {}
        for game in games:
            for one in game.results:
                self._seats.setdefault(one.who, Counter())[one.seat] += 1

    def of(self, result: Result) -> str:
        """Return the name of who has come to a result."""
        if result.is_bot:
            return spoken(result.who)
        key = PublicKey.parse(result.who)
        known = self._aliases.get(key.fingerprint)
        if known is not None:
            return known
        seats = self._seats[result.who]
        seat = min(seats, key=lambda name: (-seats[name], name))
        return f"{seat} ({key.fingerprint.removeprefix('SHA256:')[:SHORT]})"


def read_aliases(path: Path) -> dict[str, str]:
    """Return the names by fingerprint in a file such as `Ana = ["ssh-ed25519 AAAA…", "SHA256:…"]`.

    Raises NotRead, and Damaged naming what is wrong.
    """
    found: dict[str, str] = {}
    for name, keys in load_toml(read_limited(path, MAX_ALIASES), "file of aliases").items():
        if not name.strip() or len(name) > MAX_NAME or not A_TITLE.fits(name):
            raise _wrong(path, f"a name is one line of at most {MAX_NAME} characters")
        if not isinstance(keys, list) or not all(isinstance(one, str) for one in keys):
            raise _wrong(path, f"{name} is not followed by a list of public keys")
        for text in keys:
            mark = text if text.startswith("SHA256:") else _fingerprint(path, name, text)
            if found.setdefault(mark, name) != name:
                raise _wrong(path, f"{found[mark]} and {name} have one key")
    return found


def _fingerprint(path: Path, name: str, text: str) -> str:
    try:
        return PublicKey.parse(text).fingerprint
    except GameError as error:
        raise _wrong(path, f"a key of {name}: {error.message}") from None


def _wrong(path: Path, why: str) -> Damaged:
    return Damaged(
        f"{path}: {why}",
        'a line is a name and its keys: Ana = ["ssh-ed25519 AAAA…", "SHA256:…"]; a name with '
        "blanks stands in quotes",
    )


# Tables.


@dataclass
class Tally:
    """Results of one player: wins that were `shared` are among the `wins`.

    Whoever has several seats in a game, as bots do, has played it once.
    """

    games: int = 0
    seats: int = 0
    wins: int = 0
    shared: int = 0
    points: int = 0
    steps: int = 0

    def add(self, game: Played, own: Sequence[Result]) -> None:
        """Count one more game, with the results of the player's seats."""
        wins = any(one.wins for one in own)
        self.games += 1
        self.seats += len(own)
        self.wins += wins
        self.shared += wins and any(one.wins for one in game.results if one not in own)
        self.points += sum(one.points for one in own)
        self.steps += game.steps

    @property
    def mean_points(self) -> float:
        """Points of a seat in a game."""
        return round(self.points / self.seats, 2)

    @property
    def mean_steps(self) -> float:
        """Steps of a game."""
        return round(self.steps / self.games, 1)


@dataclass
class Player:
    """Somebody who has finished games: all of them counted, and those of each rule set."""

    name: str
    is_bot: bool
    keys: list[str] = field(default_factory=list)
    total: Tally = field(default_factory=Tally)
    by_rules: dict[str, Tally] = field(default_factory=dict)


def tally(games: Sequence[Played], names: Names) -> list[Player]:
    """Return all players, those with the most wins first."""
    found: dict[tuple[str, bool], Player] = {}
    for game in games:
        seats: dict[tuple[str, bool], list[Result]] = {}
        for one in game.results:
            seats.setdefault((names.of(one), one.is_bot), []).append(one)
        for (name, is_bot), own in seats.items():
            player = found.setdefault((name, is_bot), Player(name, is_bot))
            keys = [one.who for one in own if not is_bot and one.who not in player.keys]
            player.keys += dict.fromkeys(keys)
            player.total.add(game, own)
            player.by_rules.setdefault(game.rules, Tally()).add(game, own)
    return sorted(
        found.values(),
        key=lambda one: (-one.total.wins, -one.total.mean_points, one.name, one.is_bot),
    )


def in_order(games: Iterable[Played]) -> list[Played]:
    """Return games by when they ended, as far as that is known."""
    return sorted(games, key=lambda game: (game.time, game.game))


def wins_so_far(games: Iterable[Played], names: Names) -> Iterator[dict[str, int]]:
    """Yield the wins of everybody after each game."""
    wins: Counter[str] = Counter()
    for game in in_order(games):
        wins.update({names.of(one) for one in game.results if one.wins})
        yield dict(wins)


def rate(games: Sequence[Played], names: Names) -> dict[str, dict[str, Rating]]:
    """Return the ratings by player, and by game; `games` come in the order in which they ended.

    Raises GameError where the library is not installed.
    """
    found: dict[str, dict[str, Rating]] = {}
    for module in sorted({game.module for game in games}):
        finishes = [
            [Finish(names.of(one), one.place) for one in game.results]
            for game in games
            if game.module == module
        ]
        rated = ratings(finishes)
        if rated is None:
            raise GameError(
                "ratings need the library openskill, which is not installed here",
                f"`pip install '{RATINGS}'` brings it; without --ratings all else is shown",
            )
        for name, rating in rated.items():
            found.setdefault(name, {})[module] = rating
    return found
