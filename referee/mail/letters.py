"""Emails as they are sent: headers, the text, the game file attached (RFC 5322, 3834)."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

from referee.mail.incoming import OWN_FIELD
from referee.records import NamedTuple

if TYPE_CHECKING:
    from datetime import datetime

SUBTYPE = "toml"
PICTURE_TYPES = {"svg": "svg+xml", "png": "png"}
IDENTIFIERS = ("Message-ID", "In-Reply-To", "References")
WHITE = "\n "


class Thread(NamedTuple):
    """The parts that all emails about a seat of a game share.

    `title` is that of the game; `name` stands before the address of the `sender`. Answers go to
    the address `reply`, if that is another.
    """

    game: str
    seat: str
    title: str
    sender: str
    name: str = ""
    reply: str = ""

    @property
    def domain(self) -> str:
        return self.sender.rpartition("@")[2].lower()

    def id(self, name: str = "") -> str:
        """Return the Message-ID of an email in the thread; without a name, of the thread itself."""
        return f"<{'.'.join([self.game, self.seat, *([name] if name else [])])}@{self.domain}>"

    @property
    def subject(self) -> str:
        """Return the end of all subjects, which tells the emails of this game from others'."""
        return f"{self.title} ({self.seat}, {self.game[:8]})"


class Letter(NamedTuple):
    """One email to one seat.

    `name` tells it from all others of its thread; `about` begins its subject. `answers` is the
    Message-ID of the message that it answers, if any. `picture` shows the table, in the form that
    `picture_form` names.
    """

    thread: Thread
    name: str
    to: str
    time: datetime
    body: str
    game: bytes
    game_name: str
    about: str = ""
    answer: bool = False
    answers: str = ""
    picture: bytes = b""
    picture_form: str = ""

    @property
    def file_name(self) -> str:
        """A name for it that uses nothing from a message."""
        return f"{self.thread.game[:8]}-{self.thread.seat}-{self.name}"

    @property
    def text(self) -> str:
        """The whole email in ASCII, with LF line ends."""
        from email.headerregistry import Address
        from email.message import EmailMessage
        from email.utils import format_datetime

        mail = EmailMessage(policy=_policy())
        about = f"{self.about}: " if self.about else ""
        subject = f"{about}{self.thread.subject}"
        mail["From"] = Address(self.thread.name, addr_spec=self.thread.sender)
        mail["Reply-To"] = self.thread.reply or self.thread.sender
        mail["To"] = self.to
        mail["Subject"] = f"Re: {subject}" if self.answer else subject
        mail["Date"] = format_datetime(self.time)
        mail["Message-ID"] = self.thread.id(self.name)
        root = self.thread.id()
        mail["In-Reply-To"] = self.answers or root
        mail["References"] = f"{root} {self.answers}".rstrip()
        mail["Auto-Submitted"] = "auto-replied" if self.answer else "auto-generated"
        # Exchange goes by this field instead.
        mail["X-Auto-Response-Suppress"] = "All"
        mail[OWN_FIELD] = self.thread.game
        mail.set_content(self.body)
        attached = [_attachment(self.game, "application", SUBTYPE, self.game_name)]
        if self.picture:
            name = f"{self.game_name.rpartition('.')[0]}.{self.picture_form}"
            kind = PICTURE_TYPES[self.picture_form]
            attached.append(_attachment(self.picture, "image", kind, name))
        # A random boundary would make the same email differ each time it is written.
        boundary = f"sanjuan-ref-{self.thread.game}-{self.thread.seat}-{self.name}"[:69]
        mail.make_mixed(boundary)
        begun = mail.as_bytes().decode("ascii").removesuffix(f"\n--{boundary}--\n")
        parts = "".join([f"\n--{boundary}\n{part}" for part in attached])
        return f"{begun}{parts}\n--{boundary}--\n"


# Every seat gets the same file.
@lru_cache(maxsize=2)
def _attachment(data: bytes, kind: str, subtype: str, name: str) -> str:
    """Return an attached file as a part of an email, header and all (RFC 2183)."""
    from email.message import EmailMessage

    part = EmailMessage(policy=_policy())
    part.set_content(data, maintype=kind, subtype=subtype, disposition="attachment", filename=name)
    return part.as_bytes().decode("ascii")


@cache
def _policy() -> Any:
    """Return the standard library's policy, except that long identifiers are not encoded."""
    # Imported late because most commands write no email.
    from email.policy import EmailPolicy

    class Policy(EmailPolicy):
        def fold_binary(self, name: str, value: Any) -> bytes:
            if name in IDENTIFIERS:
                return f"{name}: {WHITE.join(str(value).split())}\n".encode("ascii")
            return super().fold_binary(name, value)

    # RFC 2047: an encoded word has at most 75 characters, and a blank before it.
    return Policy(cte_type="7bit", max_line_length=76)
