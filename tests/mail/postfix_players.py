"""People who play by mail, each with another mail program, and a network that is not kind to them.

They have their mailboxes, their keys and the commands, and see nothing else of the table.
"""

from __future__ import annotations

import random
import textwrap
from collections.abc import Sequence
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

from referee.cli.flags import flags_of
from referee.games import words
from referee.playing import player
from referee.table import views
from referee.table.gamefile import GameFile
from tests.mail.office import attached, run, text_of
from tests.mail.postfix import Postfix
from tests.table.tables import key_of, load

STYLES = ("quoted-printable", "base64", "attachment", "flowed")


class Player:
    """Somebody who answers what the newest file asks; `got` is all that came, `file` the newest."""

    def __init__(self, name: str, sends_from: Sequence[str], style: str, folder: Path) -> None:
        self.name = name
        self.got: list[EmailMessage] = []
        self.path = folder / "none"
        self._addresses = sends_from
        self._style = style
        self._folder = folder
        self._answered: set[str] = set()
        self._sent = 0
        folder.mkdir()
        self._key = key_of(name)
        self._key.save(folder / "my.key")

    @property
    def file(self) -> GameFile | None:
        return load(self.path.read_text()) if self.path.exists() else None

    def read(self, data: bytes) -> EmailMessage | None:
        """Take a mail from the table; the reply to it, if anything is to be answered."""
        mail = message_from_bytes(data, policy=policy.default)
        self.got.append(mail)
        [part] = mail.iter_attachments()
        text = attached(mail)
        old = self.file
        if old is None or load(text.decode()).step >= old.step:
            self.path = self._folder / str(part.get_filename())
            self.path.write_bytes(text)
        note = self._note()
        return self._reply(mail, note) if note else None

    def _note(self) -> str:
        """Return what the player's next command writes; empty where none is called for."""
        file = self.file
        assert file is not None
        seat = file.seat(self.name)
        assert seat is not None
        if file.status == "open":
            if seat.joined or "join" in self._answered:
                return ""
            return self._run("join", "join", "--seat", self.name)
        hers = [one.id for one in file.asked if one.seat == self.name]
        if not hers or hers[0] in self._answered:
            return ""
        hand = views.open_hand(file, player.my_seat(file, self._key.public), self._key)
        play = views.view_of(file, hand).suggest()
        return self._run(hers[0], "move", *flags_of(play, words()))

    def _run(self, what: str, command: str, *flags: str) -> str:
        self._answered.add(what)
        note = self._folder / f"{what}.note"
        where = ("--key", str(self._folder / "my.key"), "-o", str(note))
        done = run(command, str(self.path), *flags, *where)
        assert done.code == 0, done.err
        return note.read_text()

    def _reply(self, mail: EmailMessage, note: str) -> EmailMessage:
        self._sent += 1
        sender = self._addresses[self._sent % len(self._addresses)]
        reply = EmailMessage()
        reply["From"] = f"{self.name.title()} <{sender}>"
        reply["To"] = mail["Reply-To"]
        reply["Subject"] = f"Re: {mail['Subject'].removeprefix('Re: ')}"
        reply["Message-ID"] = f"<{self._sent}.{self.name}@mua.example.org>"
        reply["In-Reply-To"] = mail["Message-ID"]
        reply["References"] = f"{mail['References'] or ''} {mail['Message-ID']}".strip()
        quoted = "".join(f"> {line}".rstrip() + "\n" for line in text_of(mail).splitlines())
        if self._style == "quoted-printable":
            text = f"{note}\nAt a quarter past nine “the table” wrote:\n{quoted}"
            reply.set_content(text, cte="quoted-printable")
            reply.add_alternative(f"<pre>{note}</pre><p>…</p>", subtype="html")
        elif self._style == "base64":
            reply.set_content(f"{quoted}\n{note}\n-- \nsent with care\n", cte="base64")
        elif self._style == "attachment":
            reply.set_content(f"See there.\n\n{quoted}")
            reply.add_attachment(note.encode(), "application", "octet-stream", filename="my.note")
        else:
            reply.set_content(f"{quoted}\n{_flowed(note)}", cte="7bit")
            reply.set_param("format", "flowed")
        return reply


def _flowed(text: str) -> str:
    """RFC 3676: long lines are broken at a blank, which stays at their ends."""
    lines = []
    for line in text.splitlines():
        stuffed = f" {line}" if line.startswith((" ", ">", "From ")) else line
        broken = textwrap.wrap(stuffed, 70, break_long_words=False, break_on_hyphens=False)
        lines.append(" \n".join(broken))
    return "\n".join(lines) + "\n"


def machine_reply(player: Player, mail: EmailMessage, number: int) -> EmailMessage:
    """Return what a player's mailbox sends back while its owner is away, with all that came."""
    reply = EmailMessage()
    reply["From"] = f"{player.name}@example.org"
    reply["To"] = mail["From"]
    reply["Subject"] = f"Out of office: {mail['Subject']}"
    reply["Message-ID"] = f"<{number}.{player.name}@vacation.example.org>"
    reply["In-Reply-To"] = reply["References"] = mail["Message-ID"]
    reply["Auto-Submitted"] = "auto-replied (vacation)"
    reply.set_content(f"I am away.\n\n{text_of(mail)}")
    return reply


class Network:
    """Between players and referee: it doubles, holds back and reorders, the same way each time.

    `sent` are the Message-IDs of what players wrote, `copies` those of the same sent again by the
    Message-ID it copies, and `fates` says how often what happened.
    """

    # Drawn like cards, so that each happens in any game.
    FATES = ("plain", "plain", "plain", "twice", "renamed", "held", "held", "late")

    def __init__(self, system: Postfix, seed: int) -> None:
        self.sent: dict[str, str] = {}
        self.copies: dict[str, str] = {}
        self.fates: dict[str, int] = dict.fromkeys(self.FATES, 0)
        self._system = system
        self._rng = random.Random(seed)
        self._left: list[str] = []
        self._held: list[EmailMessage] = []
        self._late: list[EmailMessage] = []

    def take(self, player: Player, mail: EmailMessage) -> None:
        """A player sends this."""
        if not self._left:
            self._left = self._rng.sample(self.FATES, len(self.FATES))
        fate = self._left.pop()
        self.fates[fate] += 1
        self.sent[mail["Message-ID"]] = player.name
        if fate == "held":
            self._held.append(mail)
            return
        self._deliver(mail)
        if fate == "twice":
            self._deliver(mail)
        elif fate == "late":
            self._late.append(mail)
        elif fate == "renamed":
            again = message_from_bytes(mail.as_bytes(), policy=policy.default)
            again.replace_header("Message-ID", mail["Message-ID"].replace("<", "<again."))
            self.copies[again["Message-ID"]] = mail["Message-ID"]
            self._deliver(again)
        # Second copies of what was dealt with long ago.
        if len(self._late) > 3:
            self._deliver(self._late.pop(self._rng.randrange(len(self._late))))

    def release(self) -> bool:
        """Let what was held back arrive, in another order; whether there was any."""
        held, self._held = self._held, []
        self._rng.shuffle(held)
        for mail in held:
            self._deliver(mail)
        return bool(held)

    def end(self) -> None:
        """Let all that is left arrive."""
        late, self._late = self._late, []
        for mail in late:
            self._deliver(mail)

    def _deliver(self, mail: EmailMessage) -> None:
        [sender] = mail["From"].addresses
        self._system.send(sender.addr_spec, mail.as_bytes(policy=policy.SMTP))
