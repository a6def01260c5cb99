"""The hash chain: what a head covers, and the public lines that a log entry carries (DESIGN 3)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from referee.crypto.hashing import H, b64, canonical, unb64
from referee.crypto.keys import PublicKey
from referee.errors import Damaged
from referee.games.errors import GameError
from referee.notes.forms import MOST_ANSWERS
from referee.records import NamedTuple
from referee.table import times
from referee.table.gamefile import Entry, GameFile, Question, deal_document, game_document

if TYPE_CHECKING:
    from datetime import datetime

DEAL = "0.0.deal.referee"
ABANDON = "0.0.abandon.referee"
BY_HOST, BY_VOTE = "abandon", "vote"
"""The plays with which a game ends before its end: the referee's will, or that of all seats."""
REFEREE = "referee"
BEGINNINGS = (*("draw", "shuffle", "open", "take", "ask", "late", "agreed", "answer", "plan"),)
"""The first words of the lines below."""
NUMBERS = [str(number) for number in range(2, MOST_ANSWERS + 1)]


def accepted_terms(file: GameFile) -> dict[str, Any]:
    """Return what a player accepts by joining, as plain values.

    That is `[game]`, the deal commitment, the referee's key, the seats in order, which of them are
    bots', reserved keys, and the salt of a referee who plays.
    """
    seats: list[dict[str, Any]] = []
    for seat in file.seats:
        one: dict[str, Any] = {"name": seat.name}
        if seat.bot:
            one["bot"] = seat.bot
        if (seat.reserved or seat.referee) and seat.key is not None:
            one["key"] = seat.key.text
        if seat.referee:
            one["salt"] = seat.salt.hex()
        seats.append(one)
    return {
        "game": game_document(file),
        "commitment": b64(file.commitment),
        "referee": file.referee.text,
        "seats": seats,
    }


def first_head(file: GameFile) -> bytes:
    """Return head(0), the hash of all that a player accepts by joining."""
    return H("head-0", canonical(accepted_terms(file)))


def entry_hash(entry: Entry) -> bytes:
    """Return the hash of all that a log entry says, its root aside."""
    return H(
        "entry",
        entry.decision,
        entry.by,
        entry.play,
        entry.seen,
        entry.signature,
        *entry.then,
    )


def next_head(head: bytes, entry: Entry) -> bytes:
    """head(n) from head(n-1) and entry n."""
    return H("head", head, entry_hash(entry), entry.root)


def heads(file: GameFile) -> list[bytes]:
    """head(0) to head(step), recomputed from the file."""
    out = [first_head(file)]
    for entry in file.log:
        out.append(next_head(out[-1], entry))
    return out


def head_at(file: GameFile, step: int) -> bytes:
    """Return the head after a step of a file that was checked."""
    return file.head if step == file.step else heads(file)[step]


def deal_hash(file: GameFile) -> bytes:
    """Return the hash of `[deal]` without the secret."""
    return H("deal-table", canonical(deal_document(file)))


def step_root(
    table: Mapping[str, Any],
    asked: Sequence[Question],
    deal: bytes,
    commitments: Iterable[bytes],
) -> bytes:
    """Return the root of a step: the public meaning after it, and every hand's commitment.

    `deal` is `deal_hash`; `commitments` are in the order of the seats as they play.
    """
    return H(
        "root",
        canonical(dict(table)),
        canonical([one.document() for one in asked]),
        deal,
        *commitments,
    )


def state_text(game: str, step: int, head: str, covered: bytes) -> str:
    """Return the text that the referee signs for a file of these bytes, up to `[signature]`."""
    rest = H("state", covered)
    return f"sanjuan-ref/1 state\ngame {game}\nstep {step}\nhead {head}\nrest {rest.hex()}\n"


class Draw(NamedTuple):
    """`draw WHO PILE EPOCH FIRST-LAST`: cards that left a pile."""

    who: str
    pile: str
    epoch: int
    first: int
    last: int

    @property
    def line(self) -> str:
        return f"draw {self.who} {self.pile} {self.epoch} {self.first}-{self.last}"


class Shuffling(NamedTuple):
    """`shuffle PILE EPOCH COUNT LEAVES`: a pile in a new secret order, bound by its leaves."""

    pile: str
    epoch: int
    size: int
    leaves: bytes

    @property
    def line(self) -> str:
        return f"shuffle {self.pile} {self.epoch} {self.size} {b64(self.leaves)}"


class Opening(NamedTuple):
    """`open PILE EPOCH POSITION NAME SALT`: a card that all may see, proven by its leaf."""

    pile: str
    epoch: int
    position: int
    name: str
    salt: bytes

    @property
    def line(self) -> str:
        return f"open {self.pile} {self.epoch} {self.position} {self.name} {b64(self.salt)}"


class Taking(NamedTuple):
    """`take WHO PILE EPOCH POSITION`: an open card that went into a hand."""

    who: str
    pile: str
    epoch: int
    position: int

    @property
    def line(self) -> str:
        return f"take {self.who} {self.pile} {self.epoch} {self.position}"


class Asking(NamedTuple):
    """`ask ID…`: decisions that this entry opened, together."""

    decisions: tuple[str, ...]

    @property
    def line(self) -> str:
        return " ".join(("ask", *self.decisions))


class Late(NamedTuple):
    """`late DUE NOW`: the referee answers for a seat, because its answer was due before now."""

    due: datetime
    now: datetime

    @property
    def line(self) -> str:
        return f"late {times.format_time(self.due)} {times.format_time(self.now)}"


class Agreed(NamedTuple):
    """`agreed KEY SEEN SIGNATURE`: one more key under the transfer of a seat."""

    key: PublicKey
    seen: int
    signature: bytes

    @property
    def line(self) -> str:
        return f"agreed {self.key.hex} {self.seen} {b64(self.signature)}"


class Answer(NamedTuple):
    """`answer NUMBER`: the play was the seat's second answer to its question, or a later one."""

    number: int

    @property
    def line(self) -> str:
        return f"answer {self.number}"


class Planned(NamedTuple):
    """`plan NUMBER`: the play follows from this plan of the seat's."""

    number: int

    @property
    def line(self) -> str:
        return f"plan {self.number}"


Line = Draw | Shuffling | Opening | Taking | Asking | Late | Agreed | Answer | Planned


def _number(text: str) -> int:
    # No pile has more cards, and no game more epochs; a hostile range costs nothing this way.
    if not text.isascii() or not text.isdigit() or str(int(text[:4])) != text:
        raise ValueError(text)
    return int(text)


def _key(text: str) -> PublicKey:
    if len(text) != 64:
        raise ValueError(text)
    try:
        return PublicKey.parse(text)
    except GameError:
        raise ValueError(text) from None


def leaves_hash(leaves: Iterable[bytes]) -> bytes:
    """Return the hash of a pile's leaves that its `shuffle` line says."""
    return H("leaves", *leaves)


def check_last_root(file: GameFile) -> None:
    """Raise Damaged unless leaves, table, questions and hands are those that the log covers.

    Leaves are bound by the lines of their shuffles, the rest by the newest root.
    """
    if not file.log:
        return
    bound = {}
    for entry in file.log:
        for text in entry.then:
            if text.startswith("shuffle "):
                line = read_line(text)
                if isinstance(line, Shuffling):
                    bound[line.pile, line.epoch] = (line.size, line.leaves)
    said = {
        (pile.pile, pile.epoch): (len(pile.leaves), leaves_hash(pile.leaves)) for pile in file.piles
    }
    if said != bound or len(file.piles) != len(said):
        raise Damaged("deal.piles are not the piles that the log shuffles")
    commitments = [file.hands[name].commitment for name in file.seating if name in file.hands]
    if len(commitments) != len(file.seating):
        raise Damaged("a seat has no hand")
    if step_root(file.table, file.asked, deal_hash(file), commitments) != file.log[-1].root:
        raise Damaged("table, questions, deal or hands are not what the last root covers")


# Reading, following and telling a log each take its lines apart.
@lru_cache(maxsize=2048)
def read_line(line: str) -> Line | None:
    """Return a line of the protocol's own vocabulary; None for one of the game's.

    Raises ValueError when the line begins like one of ours and is not.
    """
    if line.partition(" ")[0] not in BEGINNINGS:
        return None
    words = line.split(" ")
    match words:
        case ["draw", who, pile, epoch, span]:
            first, _, last = span.partition("-")
            return Draw(who, pile, _number(epoch), _number(first), _number(last))
        case ["shuffle", pile, epoch, count, leaves]:
            return Shuffling(pile, _number(epoch), _number(count), unb64(leaves, 32))
        case ["open", pile, epoch, position, name, salt]:
            return Opening(pile, _number(epoch), _number(position), name, unb64(salt, 32))
        case ["take", who, pile, epoch, position]:
            return Taking(who, pile, _number(epoch), _number(position))
        case ["ask", _, *_]:
            return Asking(tuple(words[1:]))
        case ["late", due, now]:
            return Late(times.parse_time(due), times.parse_time(now))
        case ["agreed", key, seen, signature]:
            return Agreed(_key(key), _number(seen), unb64(signature, 64))
        case ["answer", number] if number in NUMBERS:
            return Answer(int(number))
        case ["plan", number] if number.isascii() and number.isdigit() and len(number) < 7:
            if number.startswith("0"):
                raise ValueError(line)
            return Planned(int(number))
        case _:
            raise ValueError(line)


def number_of(entry: Entry) -> int:
    """Return which of the seat's answers to its question an entry is, as its first line says."""
    counted = entry.signature and entry.then and entry.then[0].startswith("answer ")
    line = read_line(entry.then[0]) if counted else None
    return line.number if isinstance(line, Answer) else 1


def answer_number(file: GameFile, decision: str) -> int:
    """Return the number of the answer to a decision that waits or has taken effect.

    0 where there is none of the seat's.
    """
    waiting = file.waiting_answer(decision)
    if waiting is not None:
        return waiting.number
    done = next((entry for entry in file.log if entry.decision == decision), None)
    return number_of(done) if done is not None and done.by != REFEREE else 0


def lines_of_number(number: int) -> list[str]:
    """Return the lines with which the entry of an answer of this number begins."""
    return [Answer(number).line] if number > 1 else []


def head_seen(heads: Sequence[bytes], entry: Entry, step: int) -> str:
    """Return the head that the author of a signature in a log entry had seen, in hexadecimal.

    Raises Damaged if that step is still to come.
    """
    if step >= len(heads):
        raise Damaged(f"{entry.decision} says it has seen step {step}, which is to come")
    return heads[step].hex()


def asking_step(file: GameFile, decision: str) -> int:
    """Return the step whose entry opened a decision that is still open or in the log."""
    for step in range(file.step, 0, -1):
        lines = file.log[step - 1].then
        if lines and lines[-1].startswith("ask ") and decision in lines[-1].split(" "):
            return step
    raise Damaged(f"the log never asks {decision}")
