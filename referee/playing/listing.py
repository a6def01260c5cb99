"""A game file, read as far as a list of games needs, and not checked: who opens it does that."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from referee import toml
from referee.crypto.keys import PublicKey
from referee.errors import Damaged
from referee.notes.forms import A_NAME, A_TITLE
from referee.notes.kinds import Leave, StandingNote, Vote
from referee.notes.recognising import is_game_file
from referee.storage import read_limited
from referee.table.decisions import DecisionId
from referee.table.fields import FileFields
from referee.table.filetext import check_lines
from referee.table.gamefile import MAX_FILE

LONG = ((b"\n[referee]\n", b"\n[[seats]]\n"), (b"\n[deal]\n", b"\n[table]\n"))
"""Sections that tell nothing for a list, as (beginning, what follows); so do hands and log."""
VALUE = rb'(?:[0-9]+|true|false|"(?:[^"\\\n]|\\.)*")'
"""A value that is told; anybody can push others, which cost a reader of TOML much."""
WANTED = re.compile(
    rb"^(?:\[\[?[a-z0-9_.-]+\]\]?"
    rb"|(?:status|step|head|id|title|module|days|hours|grace"
    rb"|name|bot|key|seat|decision|number|plan|wins|signature|seen) = %(value)s"
    rb'|"[0-9.]+[a-z-]+\.[a-z0-9-]+" = %(value)s'
    rb"|(?:seats|asked|pending|vacations|consents) = \[\n(?:    \{.{1,94}\},\n)*\])$"
    % {b"value": VALUE},
    re.MULTILINE,
)
"""The lines of a file that are read: its headings, the values that are told, short tables."""
REFEREE = re.compile(rb'^\[referee\]\nkey = "([^"\n]{1,100})"$', re.MULTILINE)
MOST_DAYS = 10_000
UNKNOWN = datetime(2000, 1, 1, tzinfo=UTC)
"""The time of a file that has none of its own, such as one in a mailbox."""
JOIN = "join"
HANDED_OVER = re.compile(
    rb'^decision = "0\.[0-9]{1,6}\.transfer\.([a-z0-9-]{1,16})"\nby = "[a-z0-9-]{1,16}"\n'
    rb'play = "transfer ([0-9a-f]{64})[" ]',
    re.MULTILINE,
)
LEFT = re.compile(
    rb'^decision = "0\.[0-9]{1,6}\.leave\.([a-z0-9-]{1,16})"\nby = "[a-z0-9-]{1,16}"\n'
    rb'play = "(leave|back)"$',
    re.MULTILINE,
)
VOTED = re.compile(
    rb'^decision = "0\.[0-9]{1,6}\.vote\.([a-z0-9-]{1,16})"\nby = "[a-z0-9-]{1,16}"\n'
    rb'play = "(end|go-on)"$',
    re.MULTILINE,
)
ASKED = re.compile(rb'^    "ask ([^"\n]*)",$', re.MULTILINE)


@dataclass
class ListedGame:
    """One game, as its newest file tells of it."""

    path: Path
    game: str
    step: int
    title: str
    module: str
    status: str
    seats: list[str]
    bots: list[str] = field(default_factory=list)
    """The seats of bots."""
    head: str = ""
    referee: str = ""
    """The public key of its referee, as the file says."""
    beside: int = 0
    """The notes in the file beside its log, an answer or a plan as often as its number says."""
    keys: dict[str, PublicKey] = field(default_factory=dict)
    """The reader's keys, by the seats that they hold."""
    is_referee: bool = False
    asked: list[DecisionId] = field(default_factory=list)
    """The questions whose answers have not arrived."""
    invited: list[DecisionId] = field(default_factory=list)
    """The seats that are kept for a key and have not joined, as questions: `0.0.join.SEAT`."""
    free: list[str] = field(default_factory=list)
    """The seats that anybody may take."""
    written: dict[DecisionId, Path] = field(default_factory=dict)
    """The reader's answers that lie in files and have not arrived, as far as that was looked up."""
    is_mailed: bool = False
    """True if it came in an email, so that notes for it are written to the current folder."""
    voting: list[str] = field(default_factory=list)
    """The seats that vote for the end of the game, where that waits for a seat of the reader's."""
    said: dict[tuple[str, str], tuple[str, int]] = field(default_factory=dict)
    """The last vote, and the last leaving or coming back, of each seat of the reader's that still
    holds, with its step; by kind and seat."""
    unsent: dict[Path, StandingNote] = field(default_factory=dict)
    """The reader's votes, and notes of leaving or coming back, that lie in files as well."""
    bots_think: bool = False
    """True if nobody else has to answer; these are asked then."""
    due: dict[str, datetime] = field(default_factory=dict)
    winners: list[str] = field(default_factory=list)
    changed: datetime = UNKNOWN
    """The time at which the file was written where it lies."""
    time: timedelta = timedelta()
    """The time for an answer."""
    grace: timedelta | None = None
    """The least time after which the referee answers for who is late; None if it never does."""

    @property
    def reached(self) -> tuple[int, int]:
        """The place that the file has come to: its step, and the notes beside its log.

        The pair grows with each note that its referee accepts.
        """
        return self.step, self.beside

    @property
    def mine(self) -> list[str]:
        """The seats of the reader's keys."""
        return list(self.keys)

    @property
    def is_open(self) -> bool:
        """True while seats are free."""
        return self.status == "open"

    def for_me(self) -> list[DecisionId]:
        """Return the questions that wait for the reader's seats."""
        return [one for one in self._open() if one.seat in self.mine and one not in self.written]

    def for_others(self) -> list[DecisionId]:
        """Return the questions that wait for other seats."""
        return [one for one in self._open() if one.seat not in self.mine]

    def _open(self) -> list[DecisionId]:
        return [*self.asked, *self.invited]

    def is_late(self, referee: PublicKey, now: datetime) -> bool:
        """Return True for a game of this referee's in which it may be time to answer for somebody,
        or bots are to go on.
        """
        late = self.grace is not None and any(due + self.grace < now for due in self.due.values())
        return (late or self.bots_think) and self.referee == referee.text

    def since(self, question: DecisionId) -> datetime | None:
        """Return since when a question waits, as well as the file tells; None if nothing does."""
        due = self.due.get(str(question))
        known = self.changed if self.changed != UNKNOWN else None
        if not due or not self.time:
            return known
        # Time that stood still in between would put that after the file.
        return min(due - self.time, known or due)


def read_listed(path: Path, keys: Iterable[PublicKey] = ()) -> ListedGame | None:
    """Read what a list tells of a game; None for a file that is no game. `keys` are the reader's.

    Raises NotRead, and Damaged for a game file that is not as ours are.
    """
    data = read_limited(path, MAX_FILE)
    if not is_game_file(data):
        return None
    game = listed_in(data, path, keys)
    game.changed = datetime.fromtimestamp(path.stat().st_mtime, UTC)
    return game


def listed_in(data: bytes, path: Path, keys: Iterable[PublicKey] = ()) -> ListedGame:
    """Return what a list tells of the game in the bytes of a file. Raises Damaged."""
    data = data.replace(b"\r\n", b"\n")
    try:
        text = b"\n".join(WANTED.findall(_short(data))).decode()
        check_lines(text, "game file")
        document = toml.loads(text)
        game = _listed(path, FileFields(document))
        theirs = _left_to_bots(data, document["seats"], game.asked)
        game.bots_think = 0 < len(theirs) == len(game.asked)
        if not game.bots_think:
            game.asked = [one for one in game.asked if one not in theirs]
        _add_mine(game, document, data, keys)
        _add_standing(game, document["seats"], data)
    except (ValueError, TypeError, AttributeError, LookupError, RecursionError, OverflowError):
        raise Damaged("this game file is damaged") from None
    return game


def _short(data: bytes) -> bytes:
    """Return the text of a file without most of what a list does not tell."""
    for rest in (b"\n[hands.", b"\n[[log]]\n"):
        data = data.partition(rest)[0]
    for begin, end in LONG:
        first, then = data.find(begin), data.find(end)
        if 0 <= first < then:
            data = data[:first] + data[then:]
    return data


def _listed(path: Path, fields: FileFields) -> ListedGame:
    about = fields.sub("game")
    rows = fields.rows("seats")
    game = ListedGame(
        path,
        about.hex("id", 8).hex(),
        fields.number("step"),
        about.form("title", A_TITLE),
        about.form("module", A_NAME),
        fields.form("status", A_NAME),
        [row.form("name", A_NAME) for row in rows],
    )
    game.bots = [seat for row, seat in zip(rows, game.seats, strict=True) if row.has("bot")]
    game.head = fields.hex("head", 32).hex()
    arrived = set()
    for row in fields.rows("pending", default=()):
        arrived.add(row.text("decision"))
        game.beside += 0 if row.has("plan") else row.number("number", default=1)
    game.beside += _joined(game, rows) + _promises(fields)
    for row in fields.rows("asked", default=()):
        question = DecisionId.parse(row.text("id", 80))
        if str(question) not in arrived:
            game.asked.append(question)
    if len({one.seat for one in game.asked}) < len(game.asked):
        raise ValueError("no seat is asked twice")
    for row, seat in zip(rows, game.seats, strict=True) if game.is_open else ():
        if row.has("key") and not row.has("signature"):
            game.invited.append(DecisionId(0, 0, JOIN, seat))
        elif not row.has("key") and not row.has("bot"):
            game.free.append(seat)
    if about.has("clock"):
        terms = about.sub("clock")
        game.time = timedelta(
            days=terms.number("days", 0, MOST_DAYS, default=0),
            hours=terms.number("hours", 0, MOST_DAYS, default=0),
        )
        if terms.has("grace"):
            unit = timedelta(hours=1) if terms.has("hours") else timedelta(days=1)
            game.grace = terms.number("grace", 0, MOST_DAYS) * unit
    if fields.has("time"):
        time = fields.sub("time")
        game.beside += len(time.rows("vacations", default=()))
        if time.has("due"):
            due = time.sub("due")
            game.due = {str(one): due.time(str(one)) for one in game.asked if due.has(str(one))}
    if game.status == "finished" and fields.has("table"):
        for row in fields.sub("table").rows("seats", default=()):
            if row.value("wins") is True:
                game.winners.append(row.form("name", A_NAME))
    return game


def _joined(game: ListedGame, seats: Sequence[FileFields]) -> int:
    return sum(row.has("signature") for row in seats) if game.is_open else 0


def _promises(fields: FileFields) -> int:
    """Count the plans that wait, by their numbers, and who consents to what changes hands."""
    waiting = [row for row in fields.rows("plans", default=()) if row.has("seen")]
    transfers = fields.rows("transfers", default=())
    consents = sum(len(one.rows("consents", default=())) for one in transfers)
    return sum(row.number("number") for row in waiting) + consents


def _left_to_bots(
    data: bytes, seats: list[dict[str, Any]], asked: list[DecisionId]
) -> set[DecisionId]:
    """Return those of questions that a bot answers: of bots' seats, of seats that have left.

    A question stays a bot's even if its seat comes back.
    """
    bots = {row["name"] for row in seats if "bot" in row}
    found = {one for one in asked if one.seat in bots}
    if b".leave." not in data:
        return found
    said = _said(LEFT, data, seats)
    put_at = _places_of_questions(data)
    for one in asked:
        put, gone = put_at.get(str(one).encode(), -1), False
        for place, play in sorted(said.get(one.seat, ())):
            gone = play == b"leave" or (gone and place > put)
        if gone:
            found.add(one)
    return found


def _said(
    form: re.Pattern[bytes], data: bytes, seats: list[dict[str, Any]]
) -> dict[str, list[tuple[int, bytes]]]:
    """Return what seats have said in notes of a form, and where the log has it.

    A seat that goes to another key is back.
    """
    said: dict[str, list[tuple[int, bytes]]] = {}
    for match in form.finditer(data):
        said.setdefault(match[1].decode(), []).append((match.start(), match[2]))
    # A seat that only seals to somebody else keeps its key, and stays away.
    holds = {row["name"]: PublicKey.parse(row["key"]).hex for row in seats if "key" in row}
    for match in HANDED_OVER.finditer(data):
        seat, key = match[1].decode(), match[2].decode()
        if holds.get(seat) != key:
            said.setdefault(seat, []).append((match.start(), b"back"))
        holds[seat] = key
    return said


def _add_standing(game: ListedGame, seats: list[dict[str, Any]], data: bytes) -> None:
    """Note who votes for the end of a game, if one of the reader's seats has not said so too, and
    what the reader's seats have said themselves.
    """
    if game.status != "playing" or not (b".vote." in data or b".leave." in data):
        return
    last: dict[str, bytes] = {}
    said, gone = _said(VOTED, data, seats), _said(LEFT, data, seats)
    for seat in {*said, *gone}:
        # Whoever leaves, or has the seat after another, votes for nothing.
        last[seat] = max([*said.get(seat, ()), *gone.get(seat, ())])[1]
        for made, found in ((Vote, said), (Leave, gone)) if seat in game.mine else ():
            place, play = max(found.get(seat, [(0, b"")]))
            begins = play == last[seat] and play.decode() == made.plays[0]
            step = data.count(b"\n[[log]]\n", 0, place)
            game.said[made.kind, seat] = made.plays[0 if begins else 1], step
    if any(last.get(seat) not in (b"end", b"leave") for seat in game.mine):
        game.voting = [seat for seat in game.seats if last.get(seat) == b"end"]


def _places_of_questions(data: bytes) -> dict[bytes, int]:
    """Return where the log first puts each question."""
    places: dict[bytes, int] = {}
    for line in ASKED.finditer(data, max(0, data.find(b"\n[[log]]\n"))):
        for question in line[1].split():
            places.setdefault(question, line.start())
    return places


def _add_mine(
    game: ListedGame, document: dict[str, Any], data: bytes, keys: Iterable[PublicKey]
) -> None:
    """Note which seat one of the keys holds, and whether one of them is the referee's."""
    holders = {row["name"]: row.get("key") for row in document["seats"]}
    if b".transfer." in data:
        holders.update((seat.decode(), key.decode()) for seat, key in HANDED_OVER.findall(data))
    mine = {text: key for key in keys for text in (key.text, key.raw.hex())}
    game.keys = {seat: mine[held] for seat in game.seats if (held := holders.get(seat)) in mine}
    referee = REFEREE.search(data)
    if referee is None:
        raise ValueError("no file of ours lacks it")
    game.referee = referee[1].decode()
    game.is_referee = game.referee in mine
