"""Notes, the signed texts that players send: their canonical form (PROTOCOL 7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar

from referee.crypto import sshsig
from referee.crypto.keys import PublicKey
from referee.crypto.sealing import canonical_recipient
from referee.games.errors import NotUnderstood
from referee.notes.forms import DAY, MOST_ANSWERS, NUMBER, SEAT, TURN, WORD, has_form, read_day

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from referee.crypto.keys import PrivateKey

FORMAT = "sanjuan-ref/1"
LINE_LIMIT = 1 << 12
# No value of a note is one of these words, so that line ends need not be kept by mail.
KEYS = (
    *("game", "turn", "seen", "play", "seat", "key", "seal", "salt", "from", "until"),
    *("number", "clauses"),
)
RESERVED = frozenset(KEYS)

VALUES = {
    "game": "[0-9a-f]{16}",
    "turn": TURN,
    "seen": f"{NUMBER} [0-9a-f]{{64}}",
    "number": f"[2-{MOST_ANSWERS}]",
    "clauses": "[0-9a-f]{64}",
    "play": f"{WORD}(?: {WORD})*",
    "seat": SEAT,
    "key": "[0-9a-f]{64}",
    "seal": "age1[a-z0-9]{58}",
    "salt": "[0-9a-f]{64}",
    "from": DAY,
    "until": DAY,
}


class Note:
    """A text that a player signs. Raises like `check` for a value out of form."""

    __slots__ = ("fields",)
    kind: ClassVar[str]
    namespace: ClassVar[str]
    keys: ClassVar[tuple[str, ...]]
    optional: ClassVar[tuple[str, ...]] = ()
    forms: ClassVar[Mapping[str, str]] = VALUES

    def _fill(self, fields: dict[str, str]) -> None:
        for key, value in fields.items():
            check_value(key, value, self.forms)
        self.fields = fields

    @property
    def game(self) -> str:
        """The id of the game: 16 hex digits."""
        return self.fields["game"]

    @property
    def step(self) -> int:
        """The number of log entries that the author had seen."""
        return int(self.fields["seen"].split()[0])

    @property
    def head(self) -> str:
        """The hash of the chain at that step: 64 hex digits."""
        return self.fields["seen"].split()[1]

    @property
    def text(self) -> str:
        """The canonical text, the one that is signed."""
        lines = [f"{key} {self.fields[key]}\n" for key in self.keys if key in self.fields]
        return f"{FORMAT} {self.kind}\n{''.join(lines)}"

    def sign(self, key: PrivateKey) -> bytes:
        """Return the signature of this note, in the namespace of its kind."""
        return sshsig.sign(key, self.namespace, self.text.encode())

    def verify(self, public: PublicKey, sig64: bytes) -> bool:
        """Return True if the holder of `public` signed this note."""
        return sshsig.verify(public, self.namespace, self.text.encode(), sig64)

    def armoured(self, public: PublicKey, sig64: bytes) -> str:
        """Return the note as it is sent: its text and the signature in armour."""
        return self.text + sshsig.armour(public, self.namespace, sig64)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Note) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)

    def __repr__(self) -> str:
        return f"parse({self.text!r})"


class Move(Note):
    """An answer to one decision, or one that is to take the place of those with lower numbers."""

    __slots__ = ()
    kind = "move"
    namespace = sshsig.MOVE
    keys = ("game", "turn", "seen", "number", "play")
    optional = ("number",)

    def __init__(
        self, game: str, turn: str, step: int, head: str, play: str, number: int = 1
    ) -> None:
        fields = {"game": game, "turn": turn, "seen": f"{step} {head}", "play": play}
        if number != 1:
            fields["number"] = str(number)
        self._fill(fields)

    @property
    def turn(self) -> str:
        """The id of the decision."""
        return self.fields["turn"]

    @property
    def play(self) -> str:
        """The answer: words with one blank between them."""
        return self.fields["play"]

    @property
    def number(self) -> int:
        """Number of this answer among those of its author to the decision; the highest counts."""
        return int(self.fields.get("number", "1"))


class SeatNote(Note):
    """A note about a seat."""

    __slots__ = ()

    @property
    def seat(self) -> str:
        """The name of the seat."""
        return self.fields["seat"]


class KeyNote(SeatNote):
    """A note that gives a seat a key."""

    __slots__ = ()
    optional = ("seal",)

    @property
    def key(self) -> str:
        """The key that is to sign for the seat: 64 hex digits."""
        return self.fields["key"]

    @property
    def seal(self) -> str | None:
        """The recipient to which hands are sealed (`age1…`), or None for that key."""
        return self.fields.get("seal")


class Join(KeyNote):
    """The wish to sit down: a key for a seat, where to seal to, and randomness for the deal."""

    __slots__ = ()
    kind = "join"
    namespace = sshsig.JOIN
    keys = ("game", "seat", "seen", "key", "seal", "salt")

    def __init__(
        self, game: str, seat: str, head: str, key: str, salt: str, seal: str | None = None
    ) -> None:
        fields = {"game": game, "seat": seat, "seen": f"0 {head}", "key": key, "salt": salt}
        if seal is not None:
            fields["seal"] = seal
        self._fill(fields)

    @property
    def salt(self) -> str:
        """The seat's part in the shuffle: 64 hex digits."""
        return self.fields["salt"]


class Vacation(SeatNote):
    """The days on which a seat's time stands still, the first and the last included."""

    __slots__ = ()
    kind = "vacation"
    namespace = sshsig.VACATION
    keys = ("game", "seat", "seen", "from", "until")

    def __init__(self, game: str, seat: str, step: int, head: str, first: date, last: date) -> None:
        days = {"from": first.isoformat(), "until": last.isoformat()}
        self._fill({"game": game, "seat": seat, "seen": f"{step} {head}", **days})

    @property
    def days(self) -> tuple[date, date]:
        """The first and the last day; raises NotUnderstood where the calendar has no such day."""
        try:
            first, last = (read_day(self.fields[key]) for key in ("from", "until"))
        except ValueError:
            raise NotUnderstood("the note names a day that no calendar has") from None
        return first, last


class Transfer(KeyNote):
    """One of the signatures with which a seat gets another key: all sign the same but `seen`."""

    __slots__ = ()
    kind = "transfer"
    namespace = sshsig.TRANSFER
    keys = ("game", "seat", "seen", "key", "seal")

    def __init__(
        self, game: str, seat: str, step: int, head: str, key: str, seal: str | None = None
    ) -> None:
        fields = {"game": game, "seat": seat, "seen": f"{step} {head}", "key": key}
        if seal is not None:
            fields["seal"] = seal
        self._fill(fields)


class Plan(SeatNote):
    """Answers given ahead: which ones, only a hash says, whose text travels beside the note."""

    __slots__ = ()
    kind = "plan"
    namespace = sshsig.PLAN
    keys = ("game", "seat", "number", "seen", "clauses")
    forms: ClassVar[Mapping[str, str]] = {**VALUES, "number": "[1-9][0-9]{0,5}"}

    def __init__(
        self, game: str, seat: str, number: int, step: int, head: str, clauses: str
    ) -> None:
        fields = {"number": f"{number}", "seen": f"{step} {head}", "clauses": clauses}
        self._fill({"game": game, "seat": seat, **fields})

    @property
    def number(self) -> int:
        """Number of this plan among those of its seat; the highest counts."""
        return int(self.fields["number"])

    @property
    def clauses(self) -> bytes:
        """Hash of the clauses: 32 bytes."""
        return bytes.fromhex(self.fields["clauses"])


class StandingNote(SeatNote):
    """A word of a seat about the table itself: one of `plays`, of which the second is so at first.

    The later one counts, which has seen the one before.
    """

    __slots__ = ()
    keys = ("game", "seat", "seen", "play")
    plays: ClassVar[tuple[str, str]]

    def __init__(self, game: str, seat: str, step: int, head: str, play: str) -> None:
        self._fill({"game": game, "seat": seat, "seen": f"{step} {head}", "play": play})

    @property
    def play(self) -> str:
        """The one of `plays` that the seat says."""
        return self.fields["play"]


class Vote(StandingNote):
    """The wish of a seat that the game ends here, or that it goes on."""

    __slots__ = ()
    kind = "vote"
    namespace = sshsig.VOTE
    plays = ("end", "go-on")
    forms: ClassVar[Mapping[str, str]] = {**VALUES, "play": "end|go-on"}


class Leave(StandingNote):
    """A seat leaves, so that the table's bot answers for it, or is back."""

    __slots__ = ()
    kind = "leave"
    namespace = sshsig.LEAVE
    plays = ("leave", "back")
    forms: ClassVar[Mapping[str, str]] = {**VALUES, "play": "leave|back"}


AnyNote = Move | Join | Vacation | Transfer | Plan | Vote | Leave
KINDS: dict[str, type[AnyNote]] = {
    made.kind: made for made in (Move, Join, Vacation, Transfer, Plan, Vote, Leave)
}


def check_value(key: str, value: str, forms: Mapping[str, str] = VALUES) -> None:
    """Raise NotUnderstood unless `value` has the canonical form of a note's `key`.

    A public key and a recipient must be usable too: raises like PublicKey and `recipient`.
    """
    _check_form(key, value, forms[key])


# Each answer in a log is read, and becomes a note again whose signature is checked.
@lru_cache(maxsize=1024)
def _check_form(key: str, value: str, form: str) -> None:
    if not has_form(value, form) or len(key) + len(value) + 2 > LINE_LIMIT:
        raise NotUnderstood(f"the note's {key} is not in its form: {quote_untrusted(value)}")
    if not RESERVED.isdisjoint(value.split(" ")):
        raise NotUnderstood(f"the note's {key} holds a reserved word: {quote_untrusted(value)}")
    if key == "key":
        PublicKey.parse(value)
    elif key == "seal":
        canonical_recipient(value)


def quote_untrusted(text: str) -> str:
    """Return a foreign text, short and harmless, for a message: what is invisible is escaped."""
    return repr(text if len(text) <= 40 else text[:39] + "…")


def render(note: Note) -> str:
    """Return the canonical text of a note, ending in a line end."""
    return note.text


def parse(text: str) -> AnyNote:
    """Return the note of which `text` is the canonical text.

    Raises NotUnderstood for anything else, and like `check`.
    """
    note = from_words(text.split())
    if note.text != text:
        raise NotUnderstood("the note is not in its canonical form")
    return note


def from_words(words: Sequence[str]) -> AnyNote:
    """Return the note that the words say, line ends aside. Raises NotUnderstood."""
    if len(words) < 2 or words[0] != FORMAT:
        raise NotUnderstood(f"this is not a note: it does not begin with {FORMAT}")
    if words[1] not in KINDS:
        raise NotUnderstood(
            f"there is no kind of note called {quote_untrusted(words[1])}",
            f"kinds: {', '.join(KINDS)}",
        )
    made = KINDS[words[1]]
    values: dict[str, list[str]] = {}
    last = ""
    for word in words[2:]:
        if word in KEYS:
            if word in values:
                raise NotUnderstood(f"the note says {word} twice")
            if word not in made.keys or (last and made.keys.index(word) < made.keys.index(last)):
                raise NotUnderstood(f"a {made.kind} does not say {word} there")
            last = word
            values[word] = []
        elif not last:
            raise NotUnderstood(f"the note has an unknown key: {quote_untrusted(word)}")
        else:
            values[last].append(word)
    for key in made.keys:
        if key not in values and key not in made.optional:
            raise NotUnderstood(f"the note does not say its {key}")
    note = made.__new__(made)
    note._fill({key: _joined(key, pieces) for key, pieces in values.items()})
    if made is Join and note.step:
        raise NotUnderstood("a join is signed over step 0")
    return note


def _joined(key: str, pieces: list[str]) -> str:
    """Join the words of a value. Hashes and keys have no blank, so email may have broken them."""
    if key in ("game", "key", "seal", "salt", "clauses"):
        return "".join(pieces)
    if key == "seen":
        return " ".join([*pieces[:1], "".join(pieces[1:])])
    return " ".join(pieces)


SEND_AS_FILE = "send it again, attached as the file that was written"
