"""Notes, the signed texts that players send: their canonical form (PROTOCOL 7)."""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING, ClassVar

from referee.games.interface import GameError, NotUnderstood
from referee.table import mail, sealing, sshsig
from referee.table.errors import BadSignature, Damaged

if TYPE_CHECKING:
    from collections.abc import Sequence

    from referee.table.keys import PrivateKey, PublicKey

FORMAT = "sanjuan-ref/1"
NOTE_LIMIT = 1 << 16
# No value of a note is one of these words, so that line ends need not be kept by mail.
KEYS = ("game", "turn", "seen", "play", "seat", "key", "seal", "salt")

SEAT = "[a-z][a-z0-9-]{0,15}"
NUMBER = "(?:0|[1-9][0-9]{0,5})"
WORD = "[a-z0-9]+(?:-[a-z0-9]+)*"
VALUES = {
    "game": "[0-9a-f]{16}",
    "turn": rf"{NUMBER}\.{NUMBER}\.[a-z][a-z-]{{0,30}}\.{SEAT}",
    "seen": f"{NUMBER} [0-9a-f]{{64}}",
    "play": f"{WORD}(?: {WORD})*",
    "seat": SEAT,
    "key": "[0-9a-f]{64}",
    "seal": "age1[a-z0-9]{58}",
    "salt": "[0-9a-f]{64}",
}


class Note:
    """What a player says: a Join or a Move. Raises NotUnderstood for a value out of form."""

    __slots__ = ("fields",)
    kind: ClassVar[str]
    namespace: ClassVar[str]
    keys: ClassVar[tuple[str, ...]]
    optional: ClassVar[tuple[str, ...]] = ()

    def _fill(self, fields: dict[str, str]) -> None:
        for key, value in fields.items():
            check(key, value)
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
        """The signature of this note, in the namespace of its kind."""
        return sshsig.sign(key, self.namespace, self.text.encode())

    def verify(self, public: PublicKey, sig64: bytes) -> bool:
        """Whether the holder of `public` signed this note."""
        return sshsig.verify(public, self.namespace, self.text.encode(), sig64)

    def armoured(self, public: PublicKey, sig64: bytes) -> str:
        """The note as it is sent: its text and the signature in armour."""
        return self.text + sshsig.armour(public, self.namespace, sig64)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Note) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)

    def __repr__(self) -> str:
        return f"parse({self.text!r})"


class Move(Note):
    """An answer to one decision."""

    __slots__ = ()
    kind = "move"
    namespace = sshsig.MOVE
    keys = ("game", "turn", "seen", "play")

    def __init__(self, game: str, turn: str, step: int, head: str, play: str) -> None:
        self._fill({"game": game, "turn": turn, "seen": f"{step} {head}", "play": play})

    @property
    def turn(self) -> str:
        """The id of the decision."""
        return self.fields["turn"]

    @property
    def play(self) -> str:
        """The answer: words with one blank between them."""
        return self.fields["play"]


class Join(Note):
    """The wish to sit down: a key for a seat, where to seal to, and randomness for the deal."""

    __slots__ = ()
    kind = "join"
    namespace = sshsig.JOIN
    keys = ("game", "seat", "seen", "key", "seal", "salt")
    optional = ("seal",)

    def __init__(
        self, game: str, seat: str, head: str, key: str, salt: str, seal: str | None = None
    ) -> None:
        fields = {"game": game, "seat": seat, "seen": f"0 {head}", "key": key, "salt": salt}
        if seal is not None:
            fields["seal"] = seal
        self._fill(fields)

    @property
    def seat(self) -> str:
        """The name of the seat."""
        return self.fields["seat"]

    @property
    def key(self) -> str:
        """The seat's signing key: 64 hex digits."""
        return self.fields["key"]

    @property
    def seal(self) -> str | None:
        """Where hands are sealed to (`age1…`), or None for the signing key."""
        return self.fields.get("seal")

    @property
    def salt(self) -> str:
        """The seat's part in the shuffle: 64 hex digits."""
        return self.fields["salt"]


KINDS: dict[str, type[Move] | type[Join]] = {"move": Move, "join": Join}


def check(key: str, value: str) -> None:
    """Raises NotUnderstood unless `value` has the canonical form of a note's `key`."""
    if not re.fullmatch(VALUES[key], value) or len(key) + 1 + len(value) >= mail.LINE_LIMIT:
        raise NotUnderstood(f"the note's {key} is not in its form: {shown(value)}")
    if any(word in KEYS for word in value.split(" ")):
        raise NotUnderstood(f"the note's {key} holds a reserved word: {shown(value)}")


def shown(text: str) -> str:
    """A foreign text, short and harmless, for a message."""
    return ascii(text if len(text) <= 40 else text[:39] + "…")


def render(note: Note) -> str:
    """The canonical text of a note, ending in a line end."""
    return note.text


def parse(text: str) -> Move | Join:
    """The note of which `text` is the canonical text; raises NotUnderstood for anything else."""
    note = from_words(text.split())
    if note.text != text:
        raise NotUnderstood("the note is not in its canonical form")
    return note


def from_words(words: Sequence[str]) -> Move | Join:
    """The note that the words say, line ends aside; raises NotUnderstood."""
    if len(words) < 2 or words[0] != FORMAT:
        raise NotUnderstood(f"this is not a note: it does not begin with {FORMAT}")
    if words[1] not in KINDS:
        raise NotUnderstood(
            f"there is no kind of note called {shown(words[1])}", f"kinds: {', '.join(KINDS)}"
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
            raise NotUnderstood(f"the note has an unknown key: {shown(word)}")
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
    """A value from its words. Long ones have no blank, so mail may have broken them."""
    if key == "play":
        return " ".join(pieces)
    if key == "seen":
        return " ".join([*pieces[:1], "".join(pieces[1:])])
    return "".join(pieces)


class Found:
    """One thing found in a text: a signed note, a block sealed to somebody, or what is wrong.

    Exactly one of `note` (with its `signature`, of the right namespace but not yet verified),
    `sealed` and `error` is there.
    """

    __slots__ = ("error", "note", "sealed", "signature")

    def __init__(
        self,
        note: Move | Join | None = None,
        signature: sshsig.Signature | None = None,
        sealed: str | None = None,
        error: GameError | None = None,
    ) -> None:
        self.note = note
        self.signature = signature
        self.sealed = sealed
        self.error = error


START = r"(?<![\w./])sanjuan-ref/\S+"
BEGIN = r"-\s*BEGIN\s+SSH\s+SIGNATURE\s*-"
END = r"-\s*END\s+SSH\s+SIGNATURE\s*-"
AGE_BEGIN = r"-\s*BEGIN\s+AGE\s+ENCRYPTED\s+FILE\s*-"
AGE_END = r"-\s*END\s+AGE\s+ENCRYPTED\s+FILE\s*-"


def find(text: str) -> list[Found]:
    """The notes and sealed blocks anywhere in a text, such as a mail, in their order.

    Each is judged alone. The same note twice is found once. Raises NotUnderstood for a text over
    64 kB.
    """
    if len(text) > NOTE_LIMIT or len(text.encode("utf-8", "replace")) > NOTE_LIMIT:
        raise NotUnderstood("the text is over 64 kB", "give the note alone")
    best: list[Found] = []
    best_rank: tuple[int, int] | None = None
    for reading in mail.readings(text):
        found = _scan(mail.fold(reading))
        bad = sum(1 for one in found if one.error)
        rank = (len(found) - bad, -bad)
        if best_rank is None or rank > best_rank:
            best, best_rank = found, rank
        if best and best_rank[1] == 0:
            break
    return best


def _scan(text: str) -> list[Found]:
    places: dict[int, Found] = {}
    seen: set[object] = set()
    for judge, start in ((_note, START), (_block, AGE_BEGIN)):
        begins = [match.start() for match in re.finditer(start, text, re.IGNORECASE)]
        for at, end in itertools.pairwise([*begins, len(text)]):
            found = judge(text[at:end], at == 0 or text[at - 1] == "\n")
            if found is None:
                continue
            mark = (found.note, found.signature and found.signature.raw64, found.sealed)
            if found.error is None and mark in seen:
                continue
            seen.add(mark)
            places[at] = found
    return [places[at] for at in sorted(places)]


def _note(text: str, leads: bool) -> Found | None:
    """The note at the beginning of `text`; None where it is but a mention in prose."""
    begin, end = re.search(BEGIN, text), re.search(END, text)
    if end is None and not leads:
        return None
    try:
        if end is None:
            raise NotUnderstood("the note is cut off: it has no line END SSH SIGNATURE")
        if begin is None or begin.end() > end.start():
            raise BadSignature("the note is not signed: it has no line BEGIN SSH SIGNATURE")
        if mail.OVERLONG in text[: end.start()]:
            raise NotUnderstood("a line of the note is over 4 kB")
        note = from_words(text[: begin.start()].rstrip("-").lower().split())
        signature = sshsig.parse_body(_body(text[begin.end() : end.start()]))
        if signature.namespace != note.namespace:
            raise BadSignature(
                f"the note is signed as {shown(signature.namespace)}, not as {note.namespace}"
            )
    except GameError as error:
        return Found(error=error)
    return Found(note=note, signature=signature)


def _block(text: str, leads: bool) -> Found | None:
    """The age block at the beginning of `text`."""
    begin, end = re.search(AGE_BEGIN, text), re.search(AGE_END, text)
    if begin is None or end is None:
        return Found(error=Damaged("the sealed block is cut off"))
    try:
        return Found(sealed=sealing.rebuilt(_body(text[begin.end() : end.start()])))
    except GameError as error:
        return Found(error=error)


def _body(text: str) -> str:
    """The base64 between two armour lines, of which only the innermost dashes were taken."""
    return "".join(text.split()).strip("-")
