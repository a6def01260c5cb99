"""A message that came in: who sent it, whether that is a person, and the notes in it."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING

from referee.games.interface import GameError, NotUnderstood
from referee.mail.addresses import is_address
from referee.notes import mime
from referee.notes.finding import Found, NoNote, find_in_bytes, find_inside
from referee.notes.headers import mailboxes

if TYPE_CHECKING:
    from referee.crypto.keys import PrivateKey

OWN_FIELD = "X-Sanjuan-Ref"
# An identifier of RFC 5322 3.6.4, without the quoted forms that nobody writes.
MESSAGE_ID = re.compile(r"<[!-;=?A-~]{1,200}@[!-;=?A-~]{1,200}>")
# Anybody can send blocks, and each takes time to open; a player sends one or two.
MAX_BLOCKS = 8
THREAD = re.compile(r"<([0-9a-f]{16})\.[a-z]")

# Marks of answering machines: RFC 3834, and what programs did before and beside it.
AUTO_FIELDS = (
    *("x-autoreply", "x-autorespond", "x-autoresponder", "x-mail-autoreply", "x-auto-reply-from"),
    *("x-vacation", "x-failed-recipients"),
)
DAEMON = "mailer-daemon"


class Incoming:
    """One message, taken apart once.

    `sender` is its From address, small, or empty; `machine` says why it is not from a person, and
    `own` whether it is one of ours. `id` is its Message-ID and `games` the games whose threads it
    belongs to. `mark` is the same for each copy of it that is delivered.
    """

    def __init__(self, source: str, data: bytes) -> None:
        self.source = source
        head, envelope = _head(data)
        self.sender = _sender(head)
        self.machine = _machine(head, envelope)
        self.own = bool(head.raw(OWN_FIELD))
        self.id = next(iter(head.raw("message-id")), "").strip()
        # Not what the `email` package would take for an encoded word.
        if not MESSAGE_ID.fullmatch(self.id) or "=?" in self.id:
            self.id = ""
        quoted = " ".join([*head.raw("in-reply-to"), *head.raw("references")])
        self.games = list(dict.fromkeys(THREAD.findall(quoted)))
        self.found: list[Found] = [] if self.own else _few_blocks(find_in_bytes(data))
        # A list adds fields and a footer to the copy that it delivers, but keeps the identifier.
        id_ = self.id or hashlib.sha256(data).hexdigest()
        self.mark = _hash([id_, self.sender, *[one.text for one in self.found if one.text]])

    def open_blocks(self, key: PrivateKey) -> None:
        """Open what is sealed in it, so that no game is kept locked for that."""
        for found in self.found:
            game_of(found, key)

    @property
    def empty(self) -> bool:
        """Return True if nothing in it looks like a note."""
        return len(self.found) == 1 and is_nothing(self.found[0])


def _hash(parts: list[str]) -> str:
    return hashlib.sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()


def _few_blocks(all_: list[Found]) -> list[Found]:
    """Return what was found, with one error in place of all sealed blocks after MAX_BLOCKS."""
    sealed = [found for found in all_ if found.sealed is not None]
    if len(sealed) <= MAX_BLOCKS:
        return all_
    few = sealed[:MAX_BLOCKS]
    kept = [found for found in all_ if found.sealed is None or found in few]
    what = f"there are over {MAX_BLOCKS} sealed notes in it; the others were not opened"
    return [*kept, Found(error=NotUnderstood(what, "send fewer at once"))]


def is_nothing(found: Found) -> bool:
    """Return True if this is what `find_in_bytes` gives for a message without any note."""
    return isinstance(found.error, NoNote)


def game_of(found: Found, key: PrivateKey) -> str:
    """The id of the game that a note says, sealed to `key` or not; empty where it says none."""
    if found.sealed is not None:
        try:
            inside = find_inside(found, key)
        except GameError:
            return ""
        found = inside[0] if len(inside) == 1 else found
    return found.signed.note.game if found.signed is not None else ""


def _head(data: bytes) -> tuple[mime.Header, str]:
    """The header alone, and the sender in the line `From ` before it, if any."""
    data = mime.normalize_line_ends(data[: mime.HEAD_LIMIT])
    envelope = ""
    if data.startswith(b"From "):
        line, _, data = data.partition(b"\n")
        envelope = " ".join(line.decode("ascii", "replace").split()[1:2]).lower()
    return mime.read_header(data), envelope


def _sender(head: mime.Header) -> str:
    named = head.raw("from")
    if len(named) != 1:
        return ""
    found = [address.lower() for address in mailboxes(named[0])]
    return found[0] if len(found) == 1 and is_address(found[0]) else ""


def _machine(head: mime.Header, envelope: str) -> str:
    """Return why no machine may answer a message; empty when a person wrote it.

    `Precedence: list` and `List-Id` are those of people on a list.
    """
    for value in head.raw("auto-submitted"):
        if value.partition(";")[0].strip().lower() not in ("", "no"):
            return f"Auto-Submitted: {mime.printable_line(value)[:40]}"
    for value in head.raw("precedence"):
        if value.strip().lower() in ("bulk", "junk", "auto_reply"):
            return f"Precedence: {mime.printable_line(value)[:40]}"
    paths = [*head.raw("return-path"), *([envelope] if envelope else [])]
    if any(not path.strip(" <>") for path in paths):
        return "its return path is empty"
    if any(DAEMON in path.lower() for path in [*paths, *head.raw("from")[:1]]):
        return f"it is from {DAEMON}"
    kind = " ".join(head.raw("content-type")).lower()
    if re.match(r"\s*(multipart/report|message/(delivery|disposition))", kind):
        return "it is a report about a mail"
    for field in AUTO_FIELDS:
        if any(value.strip().lower() not in ("", "no") for value in head.raw(field)):
            return f"it has the field {field}"
    return ""
