"""The game file: TOML to classes and back, by hand, with messages that name the key (DESIGN 3)."""

from __future__ import annotations

import tomllib
from typing import Any

from referee.table.errors import Damaged
from referee.table.fields import Fields
from referee.table.hashing import b64, unb64
from referee.table.keys import PublicKey

FORMAT = "sanjuan-ref/1"
FIRST_LINE = "#:schema game.schema.json"
STATUSES = ("open", "playing", "finished", "abandoned")
MAX_FILE = 1_000_000
MAX_TITLE = 200
MAX_LINE = 4096
# tomllib needs time quadratic in the parts of a dotted key and stack for nested brackets, so a
# hostile file is turned away before it is parsed. Decision ids are all the dots that we write.
MAX_DOTS_A_LINE = 40
MAX_DOTS = 30_000
MAX_DEPTH = 12


class Seat:
    """A place at the table. `key` is None until somebody joins, unless it was reserved."""

    __slots__ = ("key", "name", "referee", "reserved", "salt", "seal", "signature")

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
    ) -> None:
        self.name = name
        self.key = key
        self.reserved = reserved
        self.referee = referee
        self.seal = seal
        self.salt = salt
        self.signature = signature

    @property
    def joined(self) -> bool:
        return bool(self.signature)

    @property
    def recipient(self) -> str:
        """Whom the seat's hand is sealed to: the age recipient of the join, or the SSH key."""
        if self.seal:
            return self.seal
        assert self.key is not None
        return self.key.text


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


class Pending:
    """An answer that waits for the other parallel ones, sealed to the referee."""

    __slots__ = ("commitment", "decision", "sealed")

    def __init__(self, decision: str, commitment: bytes, sealed: str) -> None:
        self.decision = decision
        self.commitment = commitment
        self.sealed = sealed


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
    """The whole game. `terms` are those of the rules module; `order` is the seats as they play."""

    def __init__(
        self,
        game: str,
        title: str,
        module: str,
        terms: dict[str, Any],
        referee: PublicKey,
        secret: list[str],
        seats: list[Seat],
        commitment: bytes,
    ) -> None:
        self.status = "open"
        self.head = b""
        self.game = game
        self.title = title
        self.module = module
        self.terms = terms
        self.shuffle_seats = False
        self.referee = referee
        self.secret = secret
        self.seats = seats
        self.commitment = commitment
        self.order: list[str] = []
        self.piles: list[Pile] = []
        self.opened: bytes | None = None
        self.table: dict[str, Any] = {}
        self.asked: list[dict[str, Any]] = []
        self.pending: list[Pending] = []
        self.hands: dict[str, HandBlock] = {}
        self.log: list[Entry] = []
        self.signature = ""

    @property
    def step(self) -> int:
        return len(self.log)

    def seat(self, name: str) -> Seat | None:
        return next((seat for seat in self.seats if seat.name == name), None)

    def seat_of(self, key: PublicKey) -> Seat | None:
        return next((seat for seat in self.seats if seat.key == key), None)

    def asked_ids(self) -> list[str]:
        return [asked["id"] for asked in self.asked]


def deal_document(file: GameFile) -> dict[str, Any]:
    """`[deal]` without the secret: what the roots cover of it."""
    deal: dict[str, Any] = {"commitment": b64(file.commitment)}
    if file.order:
        deal["order"] = file.order
    if file.piles:
        deal["piles"] = [
            {"pile": pile.pile, "epoch": pile.epoch, "leaves": [b64(leaf) for leaf in pile.leaves]}
            for pile in file.piles
        ]
    return deal


def game_document(file: GameFile) -> dict[str, Any]:
    """`[game]`: what is played, under which terms."""
    out: dict[str, Any] = {"id": file.game, "title": file.title, "module": file.module}
    if file.shuffle_seats:
        out["shuffle-seats"] = True
    return {**out, **file.terms}


def _seat_document(seat: Seat) -> dict[str, Any]:
    out: dict[str, Any] = {"name": seat.name}
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


def document(file: GameFile) -> dict[str, Any]:
    """The file as plain values, without `[signature]`: what is signed and what is written."""
    deal = deal_document(file)
    if file.opened is not None:
        deal["secret"] = file.opened.hex()
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
        out["asked"] = file.asked
    if file.pending:
        out["pending"] = [
            {"decision": one.decision, "commitment": b64(one.commitment), "sealed": one.sealed}
            for one in file.pending
        ]
    if file.hands:
        out["hands"] = {
            name: {"commitment": b64(hand.commitment), "sealed": hand.sealed}
            for name, hand in file.hands.items()
        }
    if file.log:
        out["log"] = [_entry_document(entry) for entry in file.log]
    return out


def render(file: GameFile) -> str:
    """The text of a signed game file."""
    import tomli_w

    body = document(file)
    body["signature"] = {"sshsig": file.signature}
    return FIRST_LINE + "\n" + tomli_w.dumps(body, multiline_strings=True)


def load_toml(data: bytes, what: str = "game file") -> dict[str, Any]:
    """The values in a TOML text from outside, which may be hostile; raises Damaged."""
    if len(data) > MAX_FILE:
        raise Damaged(f"this is no {what}: it is larger than {MAX_FILE} bytes")
    try:
        text = data.decode()
    except UnicodeDecodeError:
        raise Damaged(f"this is no {what}: it is not UTF-8") from None
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    dots = 0
    for line in text.split("\n"):
        here = line.count(".")
        dots += here
        if len(line) > MAX_LINE or here > MAX_DOTS_A_LINE or dots > MAX_DOTS:
            raise Damaged(f"this is no {what}: a line is longer than any that we write")
    try:
        body = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, ValueError, RecursionError) as error:
        why = str(error) if isinstance(error, tomllib.TOMLDecodeError) else "nested too deeply"
        raise Damaged(f"the {what} cannot be read as TOML: {why[:200]}") from None
    _plain(body, what)
    return body


def _plain(value: object, path: str, depth: int = 0) -> None:
    if depth > MAX_DEPTH:
        raise Damaged(f"{path} is nested too deeply")
    if isinstance(value, dict):
        for key, inner in value.items():
            _plain(inner, f"{path}.{key}" if len(path) < 80 else path, depth + 1)
    elif isinstance(value, list):
        for inner in value:
            _plain(inner, path, depth + 1)
    elif type(value) is int:
        if not -(10**9) < value < 10**9:
            raise Damaged(f"{path} is out of range")
    elif type(value) not in (str, bool):
        raise Damaged(f"{path} is neither string, integer, boolean, array nor table")


def _seat(fields: Fields) -> Seat:
    name = fields.text("name")
    if not is_seat_name(name):
        raise Damaged(f"{fields.path}.name is no seat name")
    seat = Seat(name, reserved=fields.flag("reserved"), referee=fields.flag("referee"))
    if fields.has("key"):
        seat.key = fields.key("key")
    if fields.has("seal"):
        seat.seal = fields.text("seal")
    if fields.has("salt"):
        seat.salt = fields.hex("salt", 32)
    if fields.has("signature"):
        seat.signature = fields.raw("signature", 64)
        if seat.key is None or not seat.salt:
            raise Damaged(f"{fields.path} has a signature without key and salt")
    fields.end()
    return seat


def is_seat_name(name: str) -> bool:
    """Whether `name` can name a seat: a small letter, then small letters, digits and single
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
        *("seats", "tiles", "deck", "pass"),
    )
)


def _entry(fields: Fields) -> Entry:
    entry = Entry(
        decision=fields.text("decision", 80),
        by=fields.text("by", 16),
        play=fields.text("play"),
        seen=fields.number("seen"),
        signature=fields.raw("signature", 64) if fields.has("signature") else b"",
        then=tuple(fields.texts("then")),
        root=fields.raw("root", 32),
    )
    fields.end()
    return entry


def _pile(fields: Fields) -> Pile:
    name, epoch = fields.text("pile", 16), fields.number("epoch")
    try:
        leaves = [unb64(leaf, 32) for leaf in fields.texts("leaves")]
    except ValueError:
        raise Damaged(f"{fields.path}.leaves are not 32 bytes each in base64") from None
    fields.end()
    return Pile(name, epoch, leaves)


def parse(data: bytes) -> tuple[GameFile, dict[str, Any]]:
    """A game file from its bytes, with the document that its signature covers.

    The signature is not checked here. Raises Damaged, naming the key that is wrong.
    """
    body = load_toml(data)
    fields = Fields(body, "")
    if not fields.has("format") or fields.text("format") != FORMAT:
        raise Damaged("this is no game file: it does not say format = " + repr(FORMAT))
    status = fields.text("status")
    if status not in STATUSES:
        raise Damaged(f"status is not one of {', '.join(STATUSES)}")
    step, head = fields.number("step"), fields.hex("head", 32)
    game = fields.sub("game")
    referee = fields.sub("referee")
    deal = fields.sub("deal")
    file = GameFile(
        game=game.hex("id", 8).hex(),
        title=game.text("title", MAX_TITLE),
        module=game.text("module", 16),
        terms={},
        referee=referee.key("key"),
        secret=referee.texts("secret"),
        seats=[_seat(seat) for seat in fields.tables("seats")],
        commitment=deal.raw("commitment", 32),
    )
    file.shuffle_seats = game.flag("shuffle-seats")
    file.terms = game.rest()
    referee.end()
    if sum(seat.referee for seat in file.seats) > 1 or any(
        seat.referee and not seat.joined for seat in file.seats
    ):
        raise Damaged("seats: only one seat can be the referee's own, and it joins in `new`")
    names = [seat.name for seat in file.seats]
    keys = [seat.key for seat in file.seats if seat.key is not None]
    if len(set(names)) < len(names) or len(set(keys)) < len(keys):
        raise Damaged("seats: a name or a key stands there twice")
    file.order = deal.texts("order")
    if file.order and sorted(file.order) != sorted(names):
        raise Damaged("deal.order does not name each seat once")
    file.piles = [_pile(pile) for pile in deal.tables("piles")]
    if deal.has("secret"):
        file.opened = deal.hex("secret", 32)
    deal.end()
    file.status, file.head = status, head
    file.table = fields.table("table") if fields.has("table") else {}
    for asked in fields.tables("asked"):
        one = {"id": asked.text("id", 80), "seat": asked.text("seat", 16)}
        file.asked.append({**one, "may": asked.texts("may")})
        asked.end()
    for waiting in fields.tables("pending"):
        file.pending.append(
            Pending(
                waiting.text("decision", 80),
                waiting.raw("commitment", 32),
                waiting.text("sealed", 20_000),
            )
        )
        waiting.end()
    if fields.has("hands"):
        hands = fields.sub("hands")
        for name in names:
            if hands.has(name):
                hand = hands.sub(name)
                file.hands[name] = HandBlock(
                    hand.text("sealed", 40_000), hand.raw("commitment", 32)
                )
                hand.end()
        hands.end()
    file.log = [_entry(entry) for entry in fields.tables("log")]
    if step != file.step:
        raise Damaged(f"step is {step}, but the log has {file.step} entries")
    signature = fields.sub("signature")
    file.signature = signature.text("sshsig", 2000)
    signature.end()
    fields.end()
    del body["signature"]
    return file, body
