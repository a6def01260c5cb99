"""The content of a game file, as classes and as the plain values that are signed (DESIGN 3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from referee.crypto.hashing import b64
from referee.crypto.keys import PublicKey
from referee.crypto.sealing import recipients_of
from referee.records import NamedTuple
from referee.table.decisions import DecisionId
from referee.table.times import Away, Clock, format_time

if TYPE_CHECKING:
    from datetime import datetime

    from referee.games.interface import Follower

FORMAT = "sanjuan-ref/1"
FIRST_LINE = "#:schema game.schema.json"
STATUSES = ("open", "playing", "finished", "abandoned")
MAX_FILE = 1_000_000
GAME_KEYS = (
    *("id", "title", "module", "rules", "bot", "plans", "ahead", "hints", "shuffle-seats"),
    "clock",
)
"""No terms of a game have one of these keys."""
NO_HINTS = "off"


class Seat:
    """A place at the table. `key` is None until somebody joins, unless it was reserved.

    `key`, `seal`, `salt` and `signature` are those of the join; `holder` and `holder_seal` are
    whose the seat is now: another's after a transfer. A seat of a program has none of them: `bot`
    is the program's name and version.
    """

    __slots__ = ("_taken", "bot", "key", "name", "referee", "reserved", "salt", "seal", "signature")

    def __init__(
        self,
        name: str,
        key: PublicKey | None = None,
        *,
        reserved: bool = False,
        referee: bool = False,
        seal: str = "",
        salt: bytes = b"",
        signature: bytes = b"",
        bot: str = "",
    ) -> None:
        self.name = name
        self.bot = bot
        self.key = key
        self.reserved = reserved
        self.referee = referee
        self.seal = seal
        self.salt = salt
        self.signature = signature
        self._taken: tuple[PublicKey, str] | None = None

    def __repr__(self) -> str:
        return f"<Seat {self.name}, {self.bot or ('joined' if self.joined else 'free')}>"

    def take(self, key: PublicKey, seal: str) -> None:
        """Give the seat to this key, its hands sealed to `seal` or else to the key."""
        self._taken = key, seal

    @property
    def holder(self) -> PublicKey | None:
        return self._taken[0] if self._taken else self.key

    @property
    def holder_seal(self) -> str:
        return self._taken[1] if self._taken else self.seal

    @property
    def joined(self) -> bool:
        return bool(self.signature)

    @property
    def is_free(self) -> bool:
        """True as long as neither a key has joined nor a bot sits there."""
        return not (self.joined or self.bot)


class Entry:
    """One line of the log: a play as it took effect, and what it caused."""

    __slots__ = ("by", "decision", "play", "root", "seen", "signature", "then")

    def __init__(
        self,
        decision: str,
        by: str,
        play: str,
        seen: int,
        signature: bytes,
        then: tuple[str, ...],
        root: bytes,
    ) -> None:
        self.decision = decision
        self.by = by
        self.play = play
        self.seen = seen
        self.signature = signature
        self.then = then
        self.root = root

    def __repr__(self) -> str:
        return f"<Entry {self.decision} by {self.by}: {self.play}>"

    def answers_for(self, seat: str) -> bool:
        """Return True if this is the answer to a question of the seat, whoever gave it."""
        asked = DecisionId.parse(self.decision)
        # Round 0 has transfers and plans.
        return asked.seat == seat and asked.round > 0


class Pending:
    """An answer that waits for the other parallel ones, sealed to the referee."""

    __slots__ = ("commitment", "decision", "number", "plan", "sealed")

    def __init__(self, decision: str, commitment: bytes, sealed: str, number: int = 1) -> None:
        self.decision = decision
        self.commitment = commitment
        self.sealed = sealed
        self.number = number
        self.plan = 0

    @classmethod
    def by_plan(cls, decision: str, plan: int) -> Pending:
        """Return the answer of a seat's plan: any note of the seat's takes its place."""
        one = cls(decision, b"", "", 0)
        one.plan = plan
        return one


class KeptPlan:
    """A plan that waits for the next answers to take effect, or that the log has.

    A plan in the log says there what its note says: then `seen` is 0, and `clauses` and `signature`
    are empty. `sealed` is its text while the game goes on; when it is over, `salt` and `lines` are.
    """

    __slots__ = ("clauses", "lines", "number", "salt", "sealed", "seat", "seen", "signature")

    def __init__(
        self,
        seat: str,
        number: int,
        sealed: str = "",
        *,
        seen: int = 0,
        clauses: bytes = b"",
        signature: bytes = b"",
        salt: bytes = b"",
        lines: tuple[str, ...] = (),
    ) -> None:
        self.seat = seat
        self.number = number
        self.sealed = sealed
        self.seen = seen
        self.clauses = clauses
        self.signature = signature
        self.salt = salt
        self.lines = lines

    def __repr__(self) -> str:
        return f"<KeptPlan {self.number} of {self.seat}>"

    @property
    def waits(self) -> bool:
        """True as long as it is not in the log."""
        return bool(self.signature)


class Consent(NamedTuple):
    """One signature under a transfer: whose key it is, and what step its author had seen."""

    key: PublicKey
    seen: int
    signature: bytes


class Question(NamedTuple):
    """A decision that is open: its id, its seat, and what may be answered as far as is public."""

    id: str
    seat: str
    may: tuple[str, ...]

    def document(self) -> dict[str, Any]:
        """Return the question as plain values, as they are signed and hashed."""
        return {"id": self.id, "seat": self.seat, "may": list(self.may)}


class Transfer:
    """A seat that is to change hands, as soon as everybody has signed who has to."""

    __slots__ = ("consents", "key", "seal", "seat")

    def __init__(self, seat: str, key: PublicKey, seal: str, consents: list[Consent]) -> None:
        self.seat = seat
        self.key = key
        self.seal = seal
        self.consents = consents


class HandBlock:
    """A hand as the file holds it: sealed to its owner, and the commitment to the text."""

    __slots__ = ("commitment", "sealed")

    def __init__(self, sealed: str, commitment: bytes) -> None:
        self.sealed = sealed
        self.commitment = commitment


class Pile:
    """The leaves of one pile in one epoch, in the order in which its cards are drawn."""

    __slots__ = ("epoch", "leaves", "pile")

    def __init__(self, pile: str, epoch: int, leaves: list[bytes]) -> None:
        self.pile = pile
        self.epoch = epoch
        self.leaves = leaves


class GameFile:
    """The whole game. `seating` is the seats as they play.

    `terms` are those of the rules module, `version` is that of its rules; `bot` names who answers
    for seats that are late; `plan_language` is the version in which seats plan, or 0 where they do
    not; `ahead` is how many of the seats whose turns come next are invited to plan them; `hints`
    says that programs may advise players. `size` is how many bytes the text had that it was read
    from, or 0; `followed` is what `rebuild.followed` has found, with the step and the head for
    which it holds.
    """

    def __init__(
        self,
        game: str,
        title: str,
        rules_module: str,
        version: int,
        bot: str,
        terms: dict[str, Any],
        referee: PublicKey,
        secret: list[str],
        seats: list[Seat],
        commitment: bytes,
    ) -> None:
        self.status = "open"
        self.head = b""
        self.size = 0
        self.game = game
        self.title = title
        self.rules_module = rules_module
        self.version = version
        self.bot = bot
        self.terms = terms
        self.shuffle_seats = False
        self.referee = referee
        self.secret = secret
        self.seats = seats
        self.commitment = commitment
        self.seating: list[str] = []
        self.piles: list[Pile] = []
        self.revealed_secret: bytes | None = None
        self.table: dict[str, Any] = {}
        self.asked: list[Question] = []
        self.pending: list[Pending] = []
        self.hands: dict[str, HandBlock] = {}
        self.log: list[Entry] = []
        self.signature = ""
        self.clock: Clock | None = None
        self.now: datetime | None = None
        self.due: dict[str, datetime] = {}
        self.vacations: list[Away] = []
        self.transfers: list[Transfer] = []
        self.plan_language = 0
        self.ahead = 0
        self.hints = True
        self.plans: list[KeptPlan] = []
        self.followed: tuple[int, bytes, Follower | None] | None = None

    def __repr__(self) -> str:
        return f"<GameFile {self.game}, {self.rules_module}, {self.status} at step {self.step}>"

    @property
    def step(self) -> int:
        return len(self.log)

    def seat(self, name: str) -> Seat | None:
        return next((seat for seat in self.seats if seat.name == name), None)

    def seat_of(self, key: PublicKey) -> Seat | None:
        """Return the seat that is this key's now."""
        return next((seat for seat in self.seats if seat.holder == key), None)

    @property
    def referee_plays(self) -> bool:
        """True if whoever holds the referee's key holds a seat, too."""
        return any(seat.referee or seat.holder == self.referee for seat in self.seats)

    def recipient(self, seat: Seat) -> str:
        """Return to whom the hand of a seat is sealed.

        That is its holder's age recipient, or else the SSH key; the referee's key for a bot's.
        """
        if seat.holder_seal:
            return seat.holder_seal
        return (seat.holder or self.referee).text

    @property
    def secret_keys(self) -> int:
        """The number of keys to which the deal secret is sealed. Raises Damaged."""
        return sum(map(recipients_of, self.secret))

    @property
    def referee_alone(self) -> bool:
        """True if nobody but whoever has the referee's key holds a seat."""
        held = [seat for seat in self.seats if seat.holder is not None]
        return bool(held) and all(seat.referee or seat.holder == self.referee for seat in held)

    @property
    def bots(self) -> dict[str, str]:
        """The seats of bots, each with the name and the version of its program."""
        return {seat.name: seat.bot for seat in self.seats if seat.bot}

    def log_lines(self) -> list[str]:
        """Return all lines of the log, as a rules module takes them."""
        return [line for entry in self.log for line in entry.then]

    def asked_ids(self) -> list[str]:
        return [asked.id for asked in self.asked]

    def waiting_answer(self, decision: str) -> Pending | None:
        """The answer to a decision that has arrived and waits for the other parallel ones."""
        return next((one for one in self.pending if one.decision == decision), None)


def deal_document(file: GameFile) -> dict[str, Any]:
    """`[deal]` without the secret: what the roots cover of it."""
    deal: dict[str, Any] = {"commitment": b64(file.commitment)}
    if file.seating:
        deal["order"] = file.seating
    if file.piles:
        deal["piles"] = [
            {"pile": pile.pile, "epoch": pile.epoch, "leaves": [b64(leaf) for leaf in pile.leaves]}
            for pile in file.piles
        ]
    return deal


def game_document(file: GameFile) -> dict[str, Any]:
    """`[game]`: what is played, under which terms."""
    out: dict[str, Any] = {
        "id": file.game,
        "title": file.title,
        "module": file.rules_module,
        "rules": file.version,
        "bot": file.bot,
    }
    if file.plan_language:
        out["plans"] = file.plan_language
    if file.ahead:
        out["ahead"] = file.ahead
    if not file.hints:
        out["hints"] = NO_HINTS
    if file.shuffle_seats:
        out["shuffle-seats"] = True
    if file.clock is not None:
        out["clock"] = _clock_document(file.clock)
    return {**out, **file.terms}


def _clock_document(clock: Clock) -> dict[str, Any]:
    unit = "hours" if clock.hourly else "days"
    out: dict[str, Any] = {unit: clock.length, "late": clock.late, "vacation": clock.vacation}
    if clock.acts:
        out["grace"] = clock.grace
    if clock.skip:
        out["skip"] = clock.skip
    if clock.offset:
        out["offset"] = clock.offset
    return out


def _seat_document(seat: Seat) -> dict[str, Any]:
    out: dict[str, Any] = {"name": seat.name}
    if seat.bot:
        out["bot"] = seat.bot
    if seat.key is not None:
        out["key"] = seat.key.text
    if seat.reserved:
        out["reserved"] = True
    if seat.referee:
        out["referee"] = True
    if seat.seal:
        out["seal"] = seat.seal
    if seat.salt:
        out["salt"] = seat.salt.hex()
    if seat.signature:
        out["signature"] = b64(seat.signature)
    return out


def _entry_document(entry: Entry) -> dict[str, Any]:
    out: dict[str, Any] = {
        "decision": entry.decision,
        "by": entry.by,
        "play": entry.play,
        "seen": entry.seen,
    }
    if entry.signature:
        out["signature"] = b64(entry.signature)
    if entry.then:
        out["then"] = list(entry.then)
    out["root"] = b64(entry.root)
    return out


def _plan_document(one: KeptPlan) -> dict[str, Any]:
    out: dict[str, Any] = {"seat": one.seat, "number": one.number}
    if one.waits:
        out |= {"seen": one.seen, "clauses": one.clauses.hex(), "signature": b64(one.signature)}
    if one.sealed:
        return out | {"sealed": one.sealed}
    return out | {"salt": one.salt.hex(), "text": list(one.lines)}


def _pending_document(one: Pending) -> dict[str, Any]:
    out: dict[str, Any] = {"decision": one.decision}
    if one.plan:
        return out | {"plan": one.plan}
    if one.number > 1:
        out["number"] = one.number
    return out | {"commitment": b64(one.commitment), "sealed": one.sealed}


def file_document(file: GameFile, since: int = 0) -> dict[str, Any]:
    """Return the file as plain values, without `[signature]`, as it is signed and written.

    With `since`, its log begins after that step.
    """
    deal = deal_document(file)
    if file.revealed_secret is not None:
        deal["secret"] = file.revealed_secret.hex()
    out: dict[str, Any] = {
        "format": FORMAT,
        "status": file.status,
        "step": file.step,
        "head": file.head.hex(),
        "game": game_document(file),
        "referee": {"key": file.referee.text, "secret": file.secret},
        "seats": [_seat_document(seat) for seat in file.seats],
        "deal": deal,
    }
    if file.table:
        out["table"] = file.table
    if file.asked:
        out["asked"] = [asked.document() for asked in file.asked]
    if file.pending:
        out["pending"] = [_pending_document(one) for one in file.pending]
    if file.now is not None:
        out["time"] = _time_document(file, file.now)
    if file.plans:
        out["plans"] = [_plan_document(one) for one in file.plans]
    if file.transfers:
        out["transfers"] = [_transfer_document(one) for one in file.transfers]
    if file.hands:
        out["hands"] = {
            seat.name: {"commitment": b64(hand.commitment), "sealed": hand.sealed}
            for seat in file.seats
            if (hand := file.hands.get(seat.name))
        }
    if file.step > since:
        out["log"] = [_entry_document(entry) for entry in file.log[since:]]
    return out


def is_seat_name(name: str) -> bool:
    """Return True if `name` can name a seat: a small letter, then small letters, digits and single
    hyphens in between, 16 in all, and no reserved word: so it can be a word of a play."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    return (
        0 < len(name) <= 16
        and name[0] in letters
        and not name.strip(letters + "0123456789-")
        and "--" not in name
        and name[-1] != "-"
        and name not in RESERVED
    )


# The words with which a note or a line of the log could be misread if a seat were called so.
RESERVED = frozenset(
    (
        *("referee", "table", "ask", "draw", "shuffle", "open", "take", "deal", "abandon"),
        *("game", "turn", "seen", "play", "seat", "key", "seal", "salt", "move", "join", "state"),
        *("seats", "tiles", "deck", "pass", "laid"),
        *("from", "until", "vacation", "transfer", "late", "agreed"),
        *("plan", "clauses", "number", "bot", "answer"),
    )
)


def _time_document(file: GameFile, now: datetime) -> dict[str, Any]:
    out: dict[str, Any] = {"now": format_time(now)}
    if file.due:
        out["due"] = {id_: format_time(due) for id_, due in file.due.items()}
    if file.vacations:
        out["vacations"] = [
            {
                "seat": one.seat,
                "from": one.first.isoformat(),
                "until": one.last.isoformat(),
                "seen": one.seen,
                "signature": b64(one.signature),
            }
            for one in file.vacations
        ]
    return out


def _transfer_document(one: Transfer) -> dict[str, Any]:
    out: dict[str, Any] = {"seat": one.seat, "key": one.key.text}
    if one.seal:
        out["seal"] = one.seal
    out["consents"] = [
        {"key": by.key.text, "seen": by.seen, "signature": b64(by.signature)} for by in one.consents
    ]
    return out
