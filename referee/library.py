"""The library behind `import referee`: game files, views, notes, and games in memory."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from referee.checking.audit import audit
from referee.checking.compare import Comparison, compare
from referee.checking.verify import verify
from referee.crypto.keys import PrivateKey, PublicKey
from referee.crypto.sealing import AgeIdentity
from referee.games import DEFAULT, rules_of
from referee.games.interface import Rules, View
from referee.games.match import Match
from referee.notes.finding import find
from referee.playing import player
from referee.playing.planning import Planner
from referee.playing.reader import Reader
from referee.records import NamedTuple
from referee.refereeing import commit
from referee.refereeing.judging import Judge, Verdict
from referee.table import opening, views
from referee.table.capacity import check_opening
from referee.table.clock import stamp_due_times
from referee.table.gamefile import GameFile
from referee.table.planreplay import texts_of
from referee.table.replay import Session
from referee.table.rules import rules_for
from referee.table.signing import checked, load, signed_text
from referee.table.times import Clock, current_time


class Applied(NamedTuple):
    """The table after some notes, and a verdict on each: accepted unless it has an `error`."""

    table: Table
    verdicts: list[Verdict]


class Table:
    """A game file, opened and checked: its referee's signature, its chain, and what they cover.

    `file` is everything it says; `text` is the file as TOML. A table never changes: `apply` gives
    another one.
    """

    def __init__(self, file: GameFile, text: str, heads: Sequence[bytes]) -> None:
        self.file = file
        self.text = text
        self.heads = list(heads)
        self.rules = rules_for(file)

    @classmethod
    def open(cls, path: Path | str) -> Table:
        """Read a game file. Raises NotRead, Damaged or BadSignature."""
        file, heads = load(Path(path))
        return cls(file, Path(path).read_text("utf-8"), heads)

    @classmethod
    def parse(cls, text: str) -> Table:
        """Read the text of a game file. Raises Damaged or BadSignature."""
        file, heads = checked(text.encode())
        return cls(file, text, heads)

    @classmethod
    def new(
        cls,
        rules: Rules,
        seats: Mapping[str, PublicKey | None] | Sequence[str],
        referee: PrivateKey,
        *,
        title: str = "",
        clock: Clock | None = None,
        now: datetime | None = None,
        plans: bool = True,
        ahead: int = 0,
    ) -> Table:
        """Open a table that waits for its players; `seats` may name the keys they are kept for.

        With `plans` they may answer ahead, and `ahead` of those whose turns come next are invited
        to. Raises NotUnderstood or Illegal.
        """
        named = list(seats.items()) if isinstance(seats, Mapping) else [(s, None) for s in seats]
        at = now or current_time()
        file = opening.open_table(
            rules,
            title or rules.title,
            named,
            referee,
            clock=clock,
            now=at,
            plans=plans,
            ahead=ahead,
        )
        text = signed_text(file, referee)
        check_opening(text)
        return cls.parse(text)

    def __repr__(self) -> str:
        file = self.file
        asked = f", asks {', '.join(self.asked)}" if self.asked else ""
        return f"<Table {file.game}, {self.rules.title}, {file.status} at step {file.step}{asked}>"

    @property
    def status(self) -> str:
        """One of `open`, `playing`, `finished` and `abandoned`."""
        return self.file.status

    @property
    def step(self) -> int:
        """The number of log entries so far."""
        return self.file.step

    @property
    def seats(self) -> list[str]:
        """The names of the seats, in playing order once the cards are dealt."""
        return list(self.file.seating) or [seat.name for seat in self.file.seats]

    @property
    def asked(self) -> list[str]:
        """The ids of the open decisions, in the order in which they will take effect."""
        return self.file.asked_ids()

    def join(self, seat: str, key: PrivateKey) -> str:
        """Return the signed note with which a key takes a seat. Raises NotYours or Stale."""
        return opening.sign_join(self.file, seat, key).armoured

    def view(self, key: PrivateKey, identity: AgeIdentity | None = None) -> View:
        """Open the hand of a key's seat, prove it, and return what that seat may know.

        `identity` opens the hand where it is sealed to an age identity. Raises NotYours, NoKey,
        BadSignature or Damaged.
        """
        seat = player.my_seat(self.file, key.public)
        return views.view_of(self.file, views.open_hand(self.file, seat, identity or key))

    def sign(self, key: PrivateKey, play: str) -> str:
        """Return the signed note with a play, read as `View.read` does, to the key's decision.

        It is sealed to the referee where other seats answer at the same time. While an answer of
        the seat's waits for those of others, the new one takes its place. Raises NotUnderstood,
        Illegal, Stale, or what `view` raises.
        """
        view = self.view(key)
        decision = player.decision_of(self.file, view.seat)
        text = view.read(play)
        sealed = player.is_parallel(self.file, decision)
        number = player.next_number(self.file, decision)
        return player.move_text(self.file, key, decision, text, sealed, number)

    def plan(
        self,
        key: PrivateKey,
        clauses: Sequence[str],
        identity: AgeIdentity | None = None,
        *,
        number: int | None = None,
    ) -> str:
        """Return the sealed note with answers given ahead, each clause as people write it.

        It takes the place of the plan before; no clauses at all withdraw that. `number` is one more
        than the table knows: give a higher one while another plan is on its way. Raises
        NotUnderstood, Illegal, Stale, or what `view` raises.
        """
        planner = self._planner(key, identity)
        read = planner.read(clauses)
        return planner.sign(read, number or planner.next_number()).text

    def plan_tells(
        self, key: PrivateKey, clauses: Sequence[str], identity: AgeIdentity | None = None
    ) -> list[str]:
        """Return in words what clauses would answer to questions that may be put before long."""
        planner = self._planner(key, identity)
        return planner.told(planner.read(clauses))

    def _planner(self, key: PrivateKey, identity: AgeIdentity | None) -> Planner:
        seat = player.my_seat(self.file, key.public)
        hand = None
        if self.file.status == "playing":
            hand = views.open_hand(self.file, seat, identity or key)
        return Planner(self.file, Reader(seat, key, hand), identity)

    def apply(
        self, notes: Iterable[str], referee: PrivateKey, *, now: datetime | None = None
    ) -> Applied:
        """Judge notes in memory, as the referee does, until nothing more applies.

        It asks no ledger: a referee who applies two different notes to one table this way has
        signed two histories. `referee.apply_notes` guards a file on disk against that.
        """
        file = Table.parse(self.text).file
        session = Session.replay(file, opening.deal_secret(file, referee), texts_of(file, referee))
        at = now or current_time()
        judge = Judge(session, referee, at)
        verdicts = judge.apply([("note", found) for note in notes for found in find(note)])
        if not judge.changed:
            return Applied(self, verdicts)
        session.refresh()
        stamp_due_times(file, at)
        return Applied(Table.parse(signed_text(file, referee)), verdicts)

    def verify(self) -> list[str]:
        """Check all that is public, and return what was checked. Raises BadSignature or Damaged."""
        return verify(self.file, self.heads)

    def audit(self, referee: PrivateKey | None = None) -> list[str]:
        """Replay the game from its deal secret, and return what was checked.

        Only its `referee` has the secret of a game that still runs. Raises Stale, Damaged or
        BadSignature.
        """
        secret = opening.deal_secret(self.file, referee) if referee is not None else None
        return audit(self.file, self.heads, secret, referee)

    def compare(self, other: Table) -> Comparison:
        """Return whether `other` is the same, newer or older. Raises Fork, or Damaged."""
        return compare(self.file, self.heads, other.file, other.heads)


def open(path: Path | str) -> Table:  # noqa: A001 - `referee.open`, as people say it
    """Open and check a game file. Raises NotRead, Damaged or BadSignature."""
    return Table.open(path)


def rules(
    game: str = DEFAULT,
    *,
    edition: str | None = None,
    expansions: Sequence[str] = (),
    variants: Sequence[str] = (),
    options: Mapping[str, str] | None = None,
    deck: str | None = None,
) -> Rules:
    """Return the rule set of these choices, those of `new`. Raises NotUnderstood."""
    return rules_of(game).choose(edition, expansions, variants, options or {}, deck)


def deal(
    chosen: Rules | str = DEFAULT,
    seats: Sequence[str] = ("ana", "ben"),
    *,
    seed: int | str = 0,
) -> Match:
    """Begin a game in memory; the same seed deals the same cards. Raises NotUnderstood."""
    return Match.deal(rules(chosen) if isinstance(chosen, str) else chosen, seats, seed)


def position(source: str | Path | Mapping[str, Any]) -> Match:
    """Go on from a position: a file, its text, or its value. Raises NotUnderstood."""
    if isinstance(source, Path):
        source = source.read_text("utf-8")
    return Match.from_position(tomllib.loads(source) if isinstance(source, str) else source)


def apply_notes(
    path: Path | str,
    notes: Iterable[str],
    referee: PrivateKey,
    *,
    ledger: Path | None = None,
    now: datetime | None = None,
) -> Applied:
    """Judge notes and write the game file, as `sanjuan-ref apply` does, with the ledger's guard.

    Raises NotRead, NotWritten, Damaged, BadSignature, NoKey, Stale or Fork; the file is then as it
    was.
    """
    found = [("note", one) for note in notes for one in find(note)]
    with commit.open_game(Path(path), referee, ledger=ledger) as desk:
        verdicts = commit.apply_notes(desk, found, now or current_time())
    return Applied(Table.open(path), verdicts)
