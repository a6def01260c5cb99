"""The referee's address book: `addresses.toml`, which lies beside the game and never in it.

[referee]
address = "dora@example.org"
about = "Dora invites you. ..."       # optional: a line for invitations
app = "https://players.example/app/"  # optional: the app for players with nothing but a phone
plus = true                           # optional: answers go to dora+GAME@example.org

[seats]
ana = "ana@example.org"
ben = ["ben@example.org", "ben@work.example.org"]
carl = ""                             # gets no email, and plays by file

[out]
pipe = "sendmail -t -i"
picture = "png"                       # optional: a picture of the table in every mail, or "svg"
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from referee.errors import Damaged
from referee.games.errors import NotUnderstood
from referee.games.near import near
from referee.notes.finding import NoNote, find_in_bytes
from referee.notes.mime import printable_line
from referee.records import NamedTuple
from referee.storage import NotRead, read_limited
from referee.table.fields import FileFields
from referee.table.filetext import load_toml
from referee.table.gamefile import is_seat_name

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

NAME = "addresses.toml"
PIPE = "pipe"
WAYS = ("eml", "maildir", PIPE)
PICTURES = ("svg", "png")
MAX_BOOK = 100_000
# The dot-atom form of an address (RFC 5322 3.4.1), which cannot end a header field.
ATOM = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
ADDRESS = re.compile(rf"{ATOM}(?:\.{ATOM})*@{LABEL}(?:\.{LABEL})*")
MAX_ADDRESS = 254
MAX_LOCAL = 64
"""The longest part of an address before the `@` (RFC 5321 4.5.3.1.1)."""
GAME_ID = 16
MAX_ABOUT = 300
# Nothing in it that a mail program could take for the end of the address, or for a name in it.
APP = re.compile(rf"https://{LABEL}(?:\.{LABEL})*(?::[0-9]{{1,5}})?/[A-Za-z0-9_~/.-]*")
MAX_APP = 60


class Way(NamedTuple):
    """A place for emails: `kind` is one of WAYS, `place` a folder or a command."""

    kind: str
    place: str


class Book(NamedTuple):
    """The addresses of the seats. A seat gets email at its first address.

    `picture` is the kind of picture of the table that is attached, if any; `about` is the line
    in invitations on who invites and where to get the program, `app` the address of the app for
    players with nothing but a phone. `without` are the seats that are
    to get no email, and `path` is the file of the book. With `plus`, answers go to the referee's
    address of the game.
    """

    referee: str
    seats: dict[str, tuple[str, ...]]
    out: Way | None
    picture: str = ""
    about: str = ""
    without: frozenset[str] = frozenset()
    path: str = NAME
    app: str = ""
    plus: bool = False

    def address_of(self, game: str) -> str:
        """Return the address to which answers in a game go."""
        return _with_game(self.referee, game) if self.plus else self.referee

    @property
    def names(self) -> list[str]:
        """The seats that the book names, with an address or without."""
        return [*self.seats, *sorted(self.without)]

    def seats_at(self, address: str) -> list[str]:
        """Return the seats that have this address."""
        wanted = address.lower()
        return [seat for seat, known in self.seats.items() if wanted in map(str.lower, known)]


class NoAddress(Damaged):
    """Error for a seat that has something to be told, and no address in the book."""

    reason = "no-address"


def no_address(book: Book, seat: str, seats: Iterable[str], why: str) -> NoAddress:
    """Return the error for a seat without an address; `seats` are all seats of its game.

    `why` says what the seat is to be told, for instance "is asked".
    """
    strangers = [name for name in book.names if name not in set(seats)]
    guesses = (f" (it has {name}: {said})" for name in strangers if (said := near(name, [seat])))
    guess = next(guesses, "")
    name = book.path.rpartition("/")[2]
    return NoAddress(
        f"{seat} {why}, but {name} has no address for {seat}{guess}",
        f'add {seat} to [seats] in {book.path}; or {seat} = "" if {seat} is to get no mail',
    )


LINES = (
    'an address book begins: [referee], address = "referee@example.org", [seats], '
    'ana = "ana@example.org", each on a line; `sanjuan-ref help email` shows one'
)
"""The hint if there is no address book, or one that lacks these lines."""


def is_address(text: str) -> bool:
    """Return True if a text is a plain address in ASCII, without a name or quotes."""
    return len(text) <= MAX_ADDRESS and ADDRESS.fullmatch(text) is not None


def read(path: Path) -> Book:
    """Return the address book in a file; a relative folder in it starts at that of the book.

    Raises NotRead, or Damaged, naming the key that is wrong.
    """
    try:
        book = parse(read_limited(path, MAX_BOOK))
    except Damaged as error:
        hint = LINES if "missing" in error.message else error.hint
        raise Damaged(f"{path}: {error.message}", hint) from None
    except NotRead as error:
        error.hint = error.hint or LINES
        raise
    book = book._replace(path=str(path))
    # A mail server may start the program in any folder.
    if book.out is None or book.out.kind == PIPE:
        return book
    return book._replace(out=Way(book.out.kind, str(path.parent / book.out.place)))


def parse(data: bytes) -> Book:
    """Return the address book in a TOML text; raise Damaged, naming the key that is wrong."""
    fields = FileFields(load_toml(data, "address book"))
    head = fields.sub("referee")
    referee = _address(head.text("address", MAX_ADDRESS), "referee.address")
    plus = head.flag("plus", False)
    if plus:
        _check_plus(referee)
    about = _about(head.text("about", MAX_ABOUT)) if head.has("about") else ""
    app = _app(head.text("app", MAX_APP)) if head.has("app") else ""
    _end(head)
    names = fields.sub("seats").rest()
    known = {name: _seat(name, value, referee, plus) for name, value in names.items()}
    seats = {name: found for name, found in known.items() if found}
    without = frozenset(known) - frozenset(seats)
    out, picture = _out(fields.sub("out")) if fields.has("out") else (None, "")
    _end(fields)
    return Book(referee, seats, out, picture, about, without, plus=plus, app=app)


def _with_game(address: str, game: str) -> str:
    """Return an address with the id of a game in it (RFC 5233)."""
    local, _, domain = address.partition("@")
    return f"{local}+{game}@{domain}"


def _check_plus(referee: str) -> None:
    longest = _with_game(referee, "0" * GAME_ID)
    if len(longest) > MAX_ADDRESS or longest.index("@") > MAX_LOCAL:
        raise Damaged(
            "referee.plus: the id of a game makes referee.address too long",
            f"take an address with at most {MAX_LOCAL - GAME_ID - 1} characters before the @",
        )


def _is_referee(address: str, referee: str, plus: bool) -> bool:
    """Return True if what is sent to an address comes to the referee."""
    local, _, domain = address.lower().partition("@")
    own, _, at = referee.lower().partition("@")
    return domain == at and (local == own or (plus and local.startswith(f"{own}+")))


def _seat(name: str, value: object, referee: str, plus: bool) -> tuple[str, ...]:
    key = f"seats.{name[:40]}"
    if not is_seat_name(name):
        raise Damaged(f"{key!r} is not a seat name")
    if value == "":
        return ()
    values = value if isinstance(value, list) else [value]
    found = tuple(_address(text, key) for text in values if isinstance(text, str))
    if not found or len(found) < len(values):
        raise Damaged(f"{key} is neither an address nor a list of them in [ ]")
    if any(_is_referee(address, referee, plus) for address in found):
        raise Damaged(
            f"{key} is the address of the referee, which a program reads",
            "give the address at which this player reads",
        )
    return found


def _address(text: str, key: str) -> str:
    if not is_address(text):
        raise Damaged(f"{key}: {text[:80]!r} should look like ana@example.org")
    return text


def _about(text: str) -> str:
    if not text or printable_line(text) != text:
        raise Damaged("referee.about is not one line of plain text")
    # It will be wrapped, so any word may begin a line.
    words = find_in_bytes(text.replace(" ", "\n").encode())
    if not all(isinstance(found.error, NoNote) for found in words):
        raise Damaged("referee.about looks like a note")
    return text


def _app(text: str) -> str:
    if not APP.fullmatch(text):
        raise Damaged("referee.app should look like https://players.example/app/")
    return text


def _out(fields: FileFields) -> tuple[Way | None, str]:
    picture = fields.text("picture") if fields.has("picture") else ""
    if picture and picture not in PICTURES:
        raise Damaged(f"out.picture is one of {', '.join(PICTURES)}")
    ways = [Way(kind, fields.text(kind)) for kind in WAYS if fields.has(kind)]
    _end(fields)
    if not ways and picture:
        return None, picture
    if len(ways) != 1 or not ways[0].place:
        raise Damaged(f"[out] names one of {', '.join(WAYS)}, and no more than one")
    return ways[0], picture


def _end(fields: FileFields) -> None:
    for key in fields.rest():
        raise Damaged(
            f"{fields.path + '.' if fields.path else ''}{key[:40]} is an unknown key in "
            "the address book"
        )


def chosen(book: Book, given: list[Way]) -> Way:
    """Return where emails go: by the command line, else by the book. Raises NotUnderstood."""
    if len(given) > 1:
        raise NotUnderstood("emails go to one place: choose one of the options")
    way = given[0] if given else book.out
    if way is None:
        raise NotUnderstood(
            "no way to send email is set",
            f"add [out] to {NAME}, or give --eml DIR or --pipe COMMAND",
        )
    return way
