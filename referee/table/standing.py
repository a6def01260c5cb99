"""Seats that leave and come back, and votes to end a game: what the log says (PROTOCOL 20)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from referee.errors import BadSignature, Damaged, Stale
from referee.games.errors import Illegal
from referee.notes.kinds import Leave, Vote
from referee.table.capacity import MAX_STANDINGS_PER_SEAT
from referee.table.chain import ABANDON, BY_VOTE, head_seen
from referee.table.decisions import NO_DECISION, DecisionId
from referee.table.transfer import is_transfer, read_play

if TYPE_CHECKING:
    from referee.crypto.keys import PublicKey
    from referee.table.gamefile import Entry, GameFile
    from referee.table.transfer import Holders

MADE: dict[str, type[Vote | Leave]] = {Vote.kind: Vote, Leave.kind: Leave}


def is_standing(decision: str) -> bool:
    """Return True if a log entry of this id is a vote, or says that a seat leaves or comes back."""
    if ".vote." not in decision and ".leave." not in decision:
        return False
    return re.fullmatch(r"0\.[0-9]+\.(vote|leave)\.\S+", decision) is not None


def decision_id(log: Iterable[Entry], kind: str, seat: str) -> str:
    """Return the id of the next such entry after a log: `0.NUMBER.KIND.SEAT`."""
    mark = f".{kind}."
    count = sum(is_standing(entry.decision) and mark in entry.decision for entry in log)
    return f"0.{1 + count}.{kind}.{seat}"


def note_of(file: GameFile, entry: Entry, heads: Sequence[bytes]) -> Vote | Leave:
    """Return the note behind such an entry, rebuilt word for word."""
    made = MADE[DecisionId.parse(entry.decision).kind]
    return made(file.game, entry.by, entry.seen, head_seen(heads, entry, entry.seen), entry.play)


class Standing:
    """Follows a log, and knows who has left the table and who wants to end the game."""

    def __init__(self, file: GameFile) -> None:
        self.voting: list[str] = []
        self._seats = [seat.name for seat in file.seats if not seat.bot]
        self._keys: dict[str, PublicKey | None] = {seat.name: seat.key for seat in file.seats}
        self._spans: dict[str, list[tuple[int, int | None]]] = {}
        self._last: dict[tuple[str, str], int] = {}
        self._counts: dict[tuple[str, str], int] = {}
        self._moved: dict[str, int] = {}
        self._seen: dict[str, int] = {}

    @classmethod
    def after(cls, file: GameFile, step: int | None = None) -> Standing:
        """Return what holds after the log of a file, or its first entries."""
        walk = cls(file)
        for at, entry in enumerate(file.log[:step], 1):
            walk.follow(at, entry)
        return walk

    @classmethod
    def during(cls, file: GameFile, first: int, last: int) -> Iterator[Standing]:
        """Yield what held at each step from `first` to `last`, the same object each time."""
        walk = cls.after(file, first)
        yield walk
        for at, entry in enumerate(file.log[first:last], first + 1):
            walk.follow(at, entry)
            yield walk

    def follow(self, step: int, entry: Entry) -> None:
        """Go over the log's next entry."""
        seat = entry.by
        if is_transfer(entry.decision):
            key, self._moved[seat] = read_play(entry.play)[0], step
            # Whoever gets the seat plays, and has voted for nothing.
            if key != self._keys.get(seat):
                self._back(seat, step)
                self._silent(seat)
            self._keys[seat] = key
        elif is_standing(entry.decision):
            kind = DecisionId.parse(entry.decision).kind
            self._last[kind, seat] = step
            self._counts[kind, seat] = self.count(kind, seat) + 1
            if kind == Leave.kind:
                self._silent(seat)
                if entry.play == Leave.plays[0]:
                    self._spans.setdefault(seat, []).append((step, None))
                else:
                    self._back(seat, step)
            elif entry.play == Vote.plays[0]:
                self.voting.append(seat)
            else:
                self._silent(seat)
        elif entry.signature:
            self._seen[seat] = max(entry.seen, self._seen.get(seat, 0))

    def _back(self, seat: str, step: int) -> None:
        if seat in self.left:
            begin, _ = self._spans[seat].pop()
            self._spans[seat].append((begin, step))

    def _silent(self, seat: str) -> None:
        self.voting = [one for one in self.voting if one != seat]

    @property
    def left(self) -> list[str]:
        """The seats that have left and are not back, in the order of their leaving."""
        gone = [(spans[-1][0], seat) for seat, spans in self._spans.items() if not spans[-1][1]]
        return [seat for _, seat in sorted(gone)]

    def left_at(self, seat: str, opened: int) -> int:
        """Return the step at which a seat was gone first since a question was put; 0 if never."""
        for begin, end in self._spans.get(seat, ()):
            if end is None or end > opened:
                return max(begin, opened)
        return 0

    def last(self, kind: str, seat: str) -> int:
        """Return the step of the last entry of a kind for a seat; 0 where there is none."""
        return self._last.get((kind, seat), 0)

    def since(self, seat: str) -> int:
        """Return the step that such a note of the seat must have seen.

        That is all that the seat has said of the two kinds, and what it had seen when it signed an
        answer or a plan: what it said before that was not meant to last, and may have been held
        back.
        """
        said = (self.last(kind, seat) for kind in MADE)
        return max(1, *said, self._moved.get(seat, 0), self._seen.get(seat, 0))

    def count(self, kind: str, seat: str) -> int:
        """Return the number of entries of a kind for a seat."""
        return self._counts.get((kind, seat), 0)

    def stands(self, kind: str, seat: str) -> str:
        """Return the play of a kind that says how it is with a seat now."""
        said = self.left if kind == Leave.kind else self.voting
        return MADE[kind].plays[0 if seat in said else 1]

    @property
    def is_deserted(self) -> bool:
        """True if every player has left."""
        return set(self.left) >= set(self._seats)

    @property
    def silent(self) -> list[str]:
        """The seats that have neither left nor voted for the end; with none the game is over."""
        said = {*self.left, *self.voting}
        return [seat for seat in self._seats if seat not in said]

    @property
    def is_agreed(self) -> bool:
        """True if the game ends here."""
        return not self.silent

    def check_count(self, kind: str, seat: str) -> None:
        """Raise Illegal where a seat has said so as often as it can in one game."""
        if self.count(kind, seat) >= MAX_STANDINGS_PER_SEAT:
            what = "left and come back" if kind == Leave.kind else "voted and taken it back"
            raise Illegal(
                f"{seat} has {what} {MAX_STANDINGS_PER_SEAT} times in all, as often as it can",
                "what was said last holds; the referee can end the game with `sanjuan-ref abandon`",
            )

    def check(
        self, file: GameFile, step: int, entry: Entry, holders: Holders, heads: Sequence[bytes]
    ) -> None:
        """Raise Damaged or BadSignature where such an entry cannot stand at this step."""
        where, kind = f"step {step} ({entry.decision})", DecisionId.parse(entry.decision).kind
        if entry.decision != decision_id(file.log[: step - 1], kind, entry.by) or entry.then:
            raise Damaged(f"{where}: it is not the next of its kind")
        if entry.by not in self._seats or entry.play not in MADE[kind].plays:
            raise Damaged(f"{where}: no seat of a player says that")
        if not self.since(entry.by) <= entry.seen < step:
            raise Damaged(f"{where}: its author had not seen what it is about")
        if self.stands(kind, entry.by) == entry.play or (
            kind == Vote.kind and entry.by in self.left
        ):
            raise Damaged(f"{where}: it says nothing new")
        if self.count(kind, entry.by) >= MAX_STANDINGS_PER_SEAT:
            raise Damaged(f"{where}: {entry.by} has said so too often")
        key = holders.at(entry.by, entry.seen)
        note = note_of(file, entry, heads)
        if key is None or not note.verify(key, entry.signature):
            raise BadSignature(f"{where}: {entry.by} did not sign it")


def left_to_bot(file: GameFile) -> list[str]:
    """Return the open questions that the table's bot answers because their seats have left.

    It stays the bot's even if its seat comes back; an answer that had arrived before counts.
    """
    if not any(".leave." in entry.decision for entry in file.log):
        return []
    standing, arrived = Standing.after(file), {one.decision for one in file.pending}
    lasts = [entry.then[-1] if entry.then else "" for entry in file.log]
    step = max((at for at, line in enumerate(lasts, 1) if line.startswith("ask ")), default=0)
    return [
        one.id for one in file.asked if one.id not in arrived and standing.left_at(one.seat, step)
    ]


def game_over(file: GameFile) -> Stale:
    """Return the error for what nobody can do once the game is over; it says who ended it early."""
    why, last = "", file.log[-1] if file.log else None
    if last is not None and last.decision == ABANDON:
        why = ": the referee has ended it"
        if last.play == BY_VOTE:
            deserted = Standing.after(file).is_deserted
            why = ": all who played have left it" if deserted else ": all have agreed to end it"
    return Stale(f"the game is over{why}", reason="game-over")


def own_question(file: GameFile, decision: str) -> str:
    """Return the question of a hand if its player answers it; "" for none, or one left to a bot."""
    return "" if decision == NO_DECISION or decision in left_to_bot(file) else decision


def for_bots(file: GameFile) -> set[str]:
    """Return the open questions that a bot answers: of bots' seats, and of seats that have left."""
    bots = file.bots
    return {one.id for one in file.asked if one.seat in bots} | set(left_to_bot(file))
