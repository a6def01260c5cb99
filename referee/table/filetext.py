"""The text of a game file: TOML to classes and back, with messages that name the key (DESIGN 3)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from shlex import quote
from typing import Any

from referee import toml
from referee.crypto.hashing import unb64
from referee.errors import Damaged, Newer
from referee.games.errors import NotUnderstood
from referee.notes.forms import (
    A_BLOCK,
    A_BOT,
    A_CLAUSE,
    A_NAME,
    A_NOTE,
    A_SIGNATURE,
    A_TITLE,
    A_TURN,
    MOST_ANSWERS,
)
from referee.notes.recognising import name_kind
from referee.table import layout
from referee.table.fields import FileFields
from referee.table.gamefile import (
    FIRST_LINE,
    FORMAT,
    MAX_FILE,
    NO_HINTS,
    STATUSES,
    Consent,
    Entry,
    GameFile,
    HandBlock,
    KeptPlan,
    Pending,
    Pile,
    Question,
    Seat,
    Transfer,
    file_document,
    is_seat_name,
)
from referee.table.shape import check_shape
from referee.table.times import EAST, WEST, Away, Clock, check_clock_terms
from referee.table.transfer import is_transfer, read_play

MAX_LINE = 4096
SIGNED = "[signature]"
BOM = "\ufeff".encode()
BEGIN = (
    rb'#:schema game\.schema\.json\nformat = "sanjuan-ref/1"\nstatus = "([a-z]{1,16})"\n'
    rb'step = (0|[1-9][0-9]{0,8})\nhead = "([0-9a-f]{64})"\n'
)
"""The beginning of each game file."""
BEGINNING = f'{FIRST_LINE}\nformat = "{FORMAT}"\n'.encode()
LATER_FORMAT = rb'(?m)^[ \t]*format[ \t]*=[ \t]*["\']sanjuan-ref/([1-9][0-9]{0,3})["\']'
# tomllib needs time quadratic in the parts of a dotted key and stack for nested brackets, so a
# hostile file is turned away before it is parsed. Decision ids and titles have all the
# dots that we write.
MAX_DOTS_A_LINE = 250
MAX_DOTS = 30_000
MAX_DEPTH = 12
ASK_AGAIN = "check that you named the right file; if you did, ask the referee for the file again"


KEYS = ("a private key", "a public key", "an age identity")
"""Kinds of files that people name in the place of a game file (`name_kind`)."""


def render(file: GameFile) -> str:
    """Return the text of a signed game file."""
    return unsigned(file) + ending(file)


def unsigned(file: GameFile) -> str:
    """Return the text of a game file that its signature covers: all before `[signature]`."""
    return f"{FIRST_LINE}\n{layout.dumps(file_document(file))}\n"


def ending(file: GameFile) -> str:
    """Return the end of its text, which has the signature."""
    return f'{SIGNED}\nsshsig = """\n{file.signature}"""\n'


def a(what: str) -> str:
    """Return a noun with its article."""
    return f"{'an' if what[:1] in 'aeio' else 'a'} {what}"


def load_toml(data: bytes, what: str = "game file", name: str = "this") -> dict[str, Any]:
    """Return the values in a TOML text from outside, which may be hostile. Raises Damaged.

    `name` is what messages call it, where it is another file altogether.
    """
    other = name_kind(data)
    if other == "an email":
        raise Damaged(
            f"{name} is an email, not {a(what)}", f"save the {what} attached to it, and name that"
        )
    if other and other != a(what):
        first = f"name the {what}"
        if what == "game file" and other in KEYS:
            first = "the game file comes first, and a key is named with --key"
        elif what == "game file":
            first = "the game file comes first: sanjuan-ref apply game.toml ana.move"
        raise Damaged(f"{name} is {other}, not {a(what)}", first)
    _check_size(data, what)
    try:
        text = data.decode()
    except UnicodeDecodeError:
        raise Damaged(f"this is not {a(what)}: it is not text in UTF-8") from None
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    check_lines(text, what)
    body = toml.read_lines(text)
    if body is not None:
        # Nothing deep, large or of another kind is read so.
        return body
    # Seldom needed.
    import tomllib

    try:
        body = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        if what == "game file" and other and SIGNED not in text:
            raise Damaged(f"{name} is an incomplete game file: its end is missing") from None
        why = str(error) if isinstance(error, tomllib.TOMLDecodeError) else "nested too deeply"
        subject = f"the {what}" if name == "this" else name
        hint = "" if what == "game file" else toml.missing_quotes(text, error)
        raise Damaged(f"{subject} cannot be read as TOML: {why[:200]}", hint) from None
    _plain(body, what)
    return body


def _check_size(data: bytes, what: str) -> None:
    if len(data) > MAX_FILE:
        raise Damaged(f"this is not {a(what)}: it is larger than {MAX_FILE} bytes")


def check_lines(text: str, what: str) -> None:
    long = [line for line in text.split("\n") if len(line) > MAX_DOTS_A_LINE]
    if text.count(".") > MAX_DOTS or any(
        len(line) > MAX_LINE or line.count(".") > MAX_DOTS_A_LINE for line in long
    ):
        raise Damaged(f"this is not {a(what)}: a line is longer than {a(what)} can have")


def check_readable(file: GameFile, text: str, known: int = 0) -> None:
    """Raise Damaged unless the text of a file, still to be written, can be read again.

    Every limit of a reader is one of the writer's too: nobody could go on from such a file. So
    many entries of the log are `known`: they were read already, and entries never change.
    """
    _check_size(text.encode(), "game file")
    check_lines(text, "game file")
    body = file_document(file, known) | {"signature": {"sshsig": file.signature}}
    _plain(body, "game file")
    _read(body, file.log[:known])


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
        raise Damaged(f"{path} is no text, whole number, true or false, or list")


def _seat(fields: FileFields) -> Seat:
    name = fields.text("name")
    if not is_seat_name(name):
        raise Damaged(f"{fields.path}.name is not a seat name")
    seat = Seat(
        name, reserved=fields.flag("reserved", False), referee=fields.flag("referee", False)
    )
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
    elif seat.salt or seat.seal or (seat.key is not None and not seat.reserved):
        raise Damaged(f"{fields.path} has a key, seal or salt of somebody who has not joined")
    if fields.has("bot"):
        seat.bot = fields.form("bot", A_BOT)
        if seat.key is not None or seat.reserved or seat.referee:
            raise Damaged(f"{fields.path} is a bot's, and somebody's as well")
    fields.end()
    return seat


def _entry(fields: FileFields) -> Entry:
    entry = Entry(
        decision=fields.text("decision", 80),
        by=fields.text("by", 16),
        play=fields.text("play"),
        seen=fields.number("seen"),
        signature=fields.raw("signature", 64) if fields.has("signature") else b"",
        then=tuple(fields.texts("then", ())),
        root=fields.raw("root", 32),
    )
    fields.end()
    return entry


def _pending(fields: FileFields) -> Pending:
    if fields.has("plan"):
        planned = Pending.by_plan(fields.text("decision", 80), _plan_number(fields, "plan"))
        fields.end()
        return planned
    number = 1
    if fields.has("number"):
        number = fields.number("number")
        if not 1 < number <= MOST_ANSWERS:
            raise Damaged(f"{fields.path}.number is out of range")
    one = Pending(
        fields.text("decision", 80),
        fields.raw("commitment", 32),
        fields.form("sealed", A_NOTE),
        number,
    )
    fields.end()
    return one


def _plan_number(fields: FileFields, key: str) -> int:
    number = fields.number(key)
    if not 0 < number < 10**6:
        raise Damaged(f"{fields.path}.{key} is out of range")
    return number


def _plan(fields: FileFields) -> KeptPlan:
    one = KeptPlan(fields.text("seat", 16), _plan_number(fields, "number"))
    if fields.has("signature"):
        one.seen, one.clauses = fields.number("seen"), fields.hex("clauses", 32)
        one.signature = fields.raw("signature", 64)
    if fields.has("sealed"):
        one.sealed = fields.form("sealed", A_NOTE)
    else:
        one.salt, one.lines = fields.hex("salt", 32), tuple(fields.texts("text", ()))
        if not all(A_CLAUSE.fits(line) for line in one.lines):
            raise Damaged(f"{fields.path}.text is no text of a plan")
    fields.end()
    return one


def _version(game: FileFields) -> int:
    if not game.has("rules"):
        raise Damaged(
            "game.rules, the version of the rules, is missing",
            "where the file is as its referee wrote it, an older sanjuan-ref plays it",
        )
    return game.number("rules", 1)


def _clock(fields: FileFields) -> Clock:
    hourly = fields.has("hours")
    length = fields.number("hours" if hourly else "days")
    late, vacation = fields.text("late", 8), fields.number("vacation")
    acts = fields.has("grace")
    grace = fields.number("grace") if acts else 0
    skip = fields.text("skip", 8) if fields.has("skip") else ""
    offset = fields.number("offset", WEST, EAST) if fields.has("offset") else 0
    clock = Clock(length, late, grace, vacation, hourly, skip, offset)
    misfit = (clock.acts, bool(skip), bool(offset)) != (
        acts,
        fields.has("skip"),
        fields.has("offset"),
    )
    fields.end()
    try:
        check_clock_terms(clock)
    except NotUnderstood as error:
        raise Damaged(f"game.clock: {error.message}") from None
    if misfit:
        raise Damaged("game.clock does not fit together")
    return clock


def _time(file: GameFile, fields: FileFields) -> None:
    file.now = fields.time("now")
    if fields.has("due"):
        due = fields.sub("due")
        for id_ in list(due.rest()):
            if not A_TURN.fits(id_):
                raise Damaged("time.due names something that is not a question")
            file.due[id_] = due.time(id_)
    for one in fields.rows("vacations", default=()):
        seat, first, last = one.text("seat", 16), one.day("from"), one.day("until")
        if first > last or file.seat(seat) is None:
            raise Damaged(f"{one.path} is not a vacation of a seat")
        seen, signature = one.number("seen"), one.raw("signature", 64)
        file.vacations.append(Away(seat, first, last, seen, signature))
        one.end()
    fields.end()
    if file.clock is None:
        raise Damaged("time: this game has no clock")


def _transfer(fields: FileFields) -> Transfer:
    seat, key = fields.text("seat", 16), fields.key("key")
    seal = fields.text("seal", 62) if fields.has("seal") else ""
    consents = []
    for one in fields.rows("consents", default=()):
        consents.append(Consent(one.key("key"), one.number("seen"), one.raw("signature", 64)))
        one.end()
    fields.end()
    return Transfer(seat, key, seal, consents)


def _settle(file: GameFile) -> None:
    """Give the seats the keys that they have after the log; `verify` checks if rightly so."""
    for entry in file.log:
        if is_transfer(entry.decision):
            seat = file.seat(entry.by)
            if seat is None:
                raise Damaged(f"{entry.decision}: there is no seat {entry.by[:16]!r}")
            seat.take(*read_play(entry.play))
    held = [seat.holder for seat in file.seats if seat.holder is not None]
    if len(set(held)) < len(held):
        raise Damaged("seats: two seats have the same key")


def _blocks(referee: FileFields) -> list[str]:
    blocks = referee.texts("secret", ())
    if not all(A_BLOCK.fits(block) for block in blocks):
        raise Damaged("referee.secret holds something a game file cannot have there")
    return blocks


def _pile(fields: FileFields) -> Pile:
    name, epoch = fields.form("pile", A_NAME), fields.number("epoch")
    try:
        leaves = [unb64(leaf, 32) for leaf in fields.texts("leaves", ())]
    except ValueError:
        raise Damaged(f"{fields.path}.leaves are not 32 bytes each in base64") from None
    fields.end()
    return Pile(name, epoch, leaves)


def _check_kind(body: Mapping[str, Any], name: str) -> None:
    """Raise Damaged for another kind of file of ours, which is known by its keys."""
    if isinstance(body.get("seats"), list):
        how = f"`sanjuan-ref try {quote(name)}` plays on it"
        raise Damaged(f"{name} is a position, not a game file", how)
    if isinstance(body.get("seats"), dict):
        raise Damaged(f"{name} is an address book, not a game file", "name the game file there")
    if isinstance(body.get("card"), list):
        how = f"`sanjuan-ref new --game xanadu --deck {quote(name)}` opens a table with it"
        raise Damaged(f"{name} is a deck, not a game file", how)


def parse(data: bytes, name: str = "this") -> tuple[GameFile, bytes]:
    """Return a game file from its bytes, with those that its signature covers.

    The signature is not checked here. Raises Damaged, naming the key that is wrong; `name` is
    what it says of another file.
    """
    later = None if data.startswith(BEGINNING) else re.search(LATER_FORMAT, data[:MAX_LINE])
    if later and later[1] != b"1":
        raise Newer(f"{name} is of the format sanjuan-ref/{later[1].decode()}, and it")
    try:
        body = load_toml(data, name=name)
        if "format" not in body:
            _check_kind(body, name)
        file = _read(body)
        covered = _covered(data, file)
    except Damaged as error:
        error.hint = error.hint or ASK_AGAIN
        raise
    # Anybody can put blanks at its end.
    file.size = len(covered) + len(ending(file))
    return file, covered


def begin_of(text: bytes) -> tuple[str, int, str] | None:
    """Return the status, the step and the head that a file says; None where it does not begin so.

    `text` is plain.
    """
    begin = re.match(BEGIN, text)
    return None if begin is None else (begin[1].decode(), int(begin[2]), begin[3].decode())


def plain(data: bytes) -> bytes:
    """Return the text of a file without what carries no meaning around it."""
    return data.removeprefix(BOM).replace(b"\r\n", b"\n").rstrip()


def _covered(data: bytes, file: GameFile) -> bytes:
    """Return the bytes that the signature of a file covers.

    Raises Damaged where they are not just those that a referee writes for what the file says.
    Whatever looks for something in a file without taking it apart then overlooks nothing.
    """
    covered = unsigned(file).encode()
    if plain(data) != (covered + ending(file).encode()).rstrip():
        raise Damaged("this file is not laid out as game files are")
    return covered


def _read(body: dict[str, Any], before: Sequence[Entry] = ()) -> GameFile:
    """Return the game file of which these are the values; raise Damaged.

    The log begins with the entries `before`, which were read already.
    """
    fields = FileFields(body)
    if not fields.has("format") or fields.text("format") != FORMAT:
        raise Damaged("this is not a game file")
    status = fields.text("status")
    if status not in STATUSES:
        raise Damaged(f"status is not one of {', '.join(STATUSES)}")
    step, head = fields.number("step"), fields.hex("head", 32)
    file = _opening(fields)
    file.status, file.head = status, head
    file.table = fields.sub("table").rest() if fields.has("table") else {}
    _read_beside_the_log(file, fields)
    file.log = [*before, *(_entry(entry) for entry in fields.rows("log", default=()))]
    check_shape(file, len(before))
    _settle(file)
    if step != file.step:
        raise Damaged(
            f"step is {step}, but the log has {file.step} entries",
            "the file was changed by hand: ask the referee for the file again",
        )
    signature = fields.sub("signature")
    file.signature = signature.form("sshsig", A_SIGNATURE)
    signature.end()
    fields.end()
    return file


def _opening(fields: FileFields) -> GameFile:
    """Return the file with what the game began with: terms, referee, seats and deal."""
    game = fields.sub("game")
    referee = fields.sub("referee")
    deal = fields.sub("deal")
    file = GameFile(
        game=game.hex("id", 8).hex(),
        title=game.form("title", A_TITLE),
        rules_module=game.form("module", A_NAME),
        version=_version(game),
        bot=game.form("bot", A_BOT),
        terms={},
        referee=referee.key("key"),
        secret=_blocks(referee),
        seats=[_seat(seat) for seat in fields.rows("seats", default=())],
        commitment=deal.raw("commitment", 32),
    )
    file.plan_language = game.number("plans") if game.has("plans") else 0
    if game.has("ahead"):
        file.ahead = game.number("ahead")
        _check_ahead(file)
    if game.has("hints"):
        # Other values are for later versions to write.
        if game.value("hints") != NO_HINTS:
            game.newer("hints")
        file.hints = False
    file.shuffle_seats = game.flag("shuffle-seats", False)
    if game.has("clock"):
        file.clock = _clock(game.sub("clock"))
    file.terms = game.rest()
    referee.end()
    file.seating = deal.texts("order", ())
    _check_seats(file)
    file.piles = [_pile(pile) for pile in deal.rows("piles", default=())]
    if deal.has("secret"):
        file.revealed_secret = deal.hex("secret", 32)
    deal.end()
    return file


def _check_seats(file: GameFile) -> None:
    """Raise Damaged where names, keys, the referee's seat or the order do not go together."""
    if sum(seat.referee for seat in file.seats) > 1 or any(
        seat.referee and not seat.joined for seat in file.seats
    ):
        raise Damaged("seats: only one seat can be the referee's own, and it joins in `new`")
    if any(seat.key == file.referee and not seat.referee for seat in file.seats):
        raise Damaged("seats: the referee's key holds a seat that it did not take in `new`")
    names = [seat.name for seat in file.seats]
    keys = [seat.key for seat in file.seats if seat.key is not None]
    if len(set(names)) < len(names) or len(set(keys)) < len(keys):
        raise Damaged("seats: a name or a key stands there twice")
    if all(seat.bot for seat in file.seats):
        raise Damaged("seats: nobody sits there but bots")
    if file.seating and sorted(file.seating) != sorted(names):
        raise Damaged("deal.order does not name each seat once")


def _check_ahead(file: GameFile) -> None:
    """Raise Damaged unless it is a table that can invite so many seats to plan."""
    if not file.plan_language or not 0 < file.ahead < len(file.seats):
        raise Damaged("game.ahead: seats are invited to plan that do not plan, or too many")
    if any(seat.referee for seat in file.seats):
        raise Damaged("game.ahead: nobody is invited to plan where the referee plays")


def _read_beside_the_log(file: GameFile, fields: FileFields) -> None:
    """Read what is asked now, what waits, and the hands."""
    for asked in fields.rows("asked", default=()):
        id_, seat = asked.text("id", 80), asked.text("seat", 16)
        file.asked.append(Question(id_, seat, tuple(asked.texts("may", ()))))
        asked.end()
    if fields.has("time"):
        _time(file, fields.sub("time"))
    file.transfers = [_transfer(one) for one in fields.rows("transfers", default=())]
    file.plans = [_plan(one) for one in fields.rows("plans", default=())]
    file.pending = [_pending(waiting) for waiting in fields.rows("pending", default=())]
    if not fields.has("hands"):
        return
    hands = fields.sub("hands")
    for name in [seat.name for seat in file.seats]:
        if hands.has(name):
            hand = hands.sub(name)
            block, commitment = hand.form("sealed", A_BLOCK), hand.raw("commitment", 32)
            file.hands[name] = HandBlock(block, commitment)
            hand.end()
    hands.end()
