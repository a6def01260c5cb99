"""A message that came in: its sender, whether that is a person, and the notes in it."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING

from referee.games.errors import GameError, NotUnderstood
from referee.mail.addresses import is_address
from referee.notes import mime
from referee.notes.finding import Found, NoNote, find_in_bytes, find_inside
from referee.notes.headers import mailboxes

if TYPE_CHECKING:
    from referee.crypto.keys import PrivateKey

OWN_FIELD = "X-Sanjuan-Ref"
# An identifier of RFC 5322 3.6.4, without the quoted forms that nobody writes.
MESSAGE_ID = re.compile(r"<[!-;=?A-~]{1,200}@[!-;=?A-~]{1,200}>")
# Anybody can send sealed blocks, and each takes time to open; a player sends one or two.
MAX_BLOCKS = 8
THREAD = re.compile(r"<([0-9a-f]{16})\.[a-z]")
TAGGED = re.compile(r"\+([0-9a-f]{16})@")
RECIPIENTS = ("delivered-to", "x-original-to", "to", "cc")
# A message names one or two games as a rule; each of them is looked for.
MAX_GAMES = 16

# Fields of answering machines that do not go by RFC 3834.
AUTO_FIELDS = (
    *("x-autoreply", "x-autorespond", "x-autoresponder", "x-mail-autoreply", "x-auto-reply-from"),
    *("x-vacation", "x-failed-recipients"),
)
DAEMON = "mailer-daemon"


class Incoming:
    """One message, taken apart once.

    `sender` is its From address in lower case, or empty; `machine` says why it is not from a
    person; `own` is True for one of our own. `id` is its Message-ID, `games` are those whose
    threads it belongs to, or to whose addresses (`table+ID@…`) it went. `mark` is the same for
    each copy of it that is delivered.
    """

    def __init__(self, source: str, data: bytes) -> None:
        self.source = source
        head, envelope = _head(data)
        self.sender = _sender(head)
        self.machine = _machine(head, envelope)
        self.own = bool(head.raw(OWN_FIELD))
        self.id = next(iter(head.raw("message-id")), "").strip()
        # The `email` package would take that for an encoded word.
        if not MESSAGE_ID.fullmatch(self.id) or "=?" in self.id:
            self.id = ""
        quoted = " ".join([*head.raw("in-reply-to"), *head.raw("references")])
        to = " ".join(value for name in RECIPIENTS for value in head.raw(name))
        named = [*THREAD.findall(quoted), *TAGGED.findall(to.lower())]
        self.games = list(dict.fromkeys(named))[:MAX_GAMES]
        self.found: list[Found] = [] if self.own else _few_blocks(find_in_bytes(data))
        # A mailing list adds fields and a footer to its copy, but keeps the identifier.
        id_ = self.id or hashlib.sha256(data).hexdigest()
        parts = [id_, self.sender, *[found.text for found in self.found if found.text]]
        self.mark = hashlib.sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()

    def open_blocks(self, key: PrivateKey) -> None:
        """Open the sealed notes in it, before a game is locked."""
        for found in self.found:
            game_of(found, key)


def _few_blocks(notes: list[Found]) -> list[Found]:
    """Return the notes, with one error in place of all sealed blocks after MAX_BLOCKS."""
    sealed = [found for found in notes if found.sealed is not None]
    if len(sealed) <= MAX_BLOCKS:
        return notes
    few = sealed[:MAX_BLOCKS]
    kept = [found for found in notes if found.sealed is None or found in few]
    what = f"there are over {MAX_BLOCKS} sealed notes in it; the others were not opened"
    return [*kept, Found(error=NotUnderstood(what, "send fewer at once"))]


def is_nothing(found: Found) -> bool:
    """Return True if `find_in_bytes` has found no note at all."""
    return isinstance(found.error, NoNote)


def game_of(found: Found, key: PrivateKey) -> str:
    """Return the game that a note names, which may be sealed to `key`; empty if it names none."""
    if found.sealed is not None:
        try:
            inside = find_inside(found, key)
        except GameError:
            return ""
        found = inside[0] if len(inside) == 1 else found
    return found.signed.note.game if found.signed is not None else ""


def filed(data: bytes) -> bytes:
    """Return a message of an mbox, without the line `From ` before it if it names its sender.

    Programs that file messages make that line up where they know no envelope.
    """
    begin, _, rest = data.partition(b"\n")
    return rest if begin.startswith(b"From ") and _sender(_head(data)[0]) else data


def _head(data: bytes) -> tuple[mime.Header, str]:
    """Return the header, and the sender in the line `From ` before it, if any."""
    data = mime.normalize_line_ends(data[: mime.HEAD_LIMIT])
    envelope = ""
    if data.startswith(b"From "):
        line, _, data = data.partition(b"\n")
        envelope = " ".join(line.decode("ascii", "replace").split()[1:2]).lower()
    return mime.read_header(data), envelope


def _sender(head: mime.Header) -> str:
    fields = head.raw("from")
    senders = mailboxes(fields[0]) if len(fields) == 1 else []
    return senders[0].lower() if len(senders) == 1 and is_address(senders[0].lower()) else ""


def _machine(head: mime.Header, envelope: str) -> str:
    """Return why no machine may answer a message; empty if a person wrote it.

    `Precedence: list` and `List-Id` come from people on a mailing list.
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
