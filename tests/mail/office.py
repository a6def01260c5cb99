"""A referee's folder with an address book, mails to it, and what came out of it."""

from __future__ import annotations

import io
import sys
from contextlib import redirect_stderr, redirect_stdout
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from pathlib import Path
from typing import NamedTuple

from referee.cli.main import main
from referee.games.interface import View
from referee.playing import player
from referee.table import views
from referee.table.gamefile import GameFile
from tests.cli.world import KEYS, lay_out
from tests.table.tables import load

NOW = "2026-11-28T09:00:00Z"
BOOK = """\
[referee]
address = "table@example.org"
[seats]
ana = "ana@example.org"
ben = ["ben@example.org", "ben@work.example.org"]
[out]
eml = "mails"
"""
HOST = ("--referee-key", "referee.key")


class Done(NamedTuple):
    """The outcome of a command: its exit code, and what it said."""

    code: int
    out: str
    err: str


def run(*words: str, given: bytes = b"") -> Done:
    """Run one command in this folder."""
    out, err, old = io.StringIO(), io.StringIO(), sys.stdin
    sys.stdin = io.TextIOWrapper(io.BytesIO(given))
    try:
        with redirect_stdout(out), redirect_stderr(err):
            code = main(list(words))
    finally:
        sys.stdin = old
    assert "bug:" not in err.getvalue(), err.getvalue()
    return Done(code, out.getvalue(), err.getvalue())


class Office:
    """The folder of a referee who has a game in some state, and mails that come to it."""

    def __init__(self, folder: Path, state: str, book: str = BOOK) -> None:
        self.folder = folder
        lay_out(folder, state)
        (folder / "addresses.toml").write_text(book)
        self._count = 0

    @property
    def file(self) -> GameFile:
        return load((self.folder / "game.toml").read_text())

    def view(self, seat: str) -> View:
        key, file = KEYS[seat], self.file
        hand = views.open_hand(file, player.my_seat(file, key.public), key)
        return views.view_of(file, hand)

    def note(self, seat: str, play: str = "", *, sealed: bool = False) -> str:
        """An answer of a seat to what it is asked, by default a legal one."""
        decision = player.decision_of(self.file, seat)
        play = play or self.view(seat).suggest()
        return player.move_text(self.file, KEYS[seat], decision, play, sealed)

    def mail(self, seat: str, body: str, **fields: str) -> bytes:
        """A mail of a seat to the referee."""
        self._count += 1
        named = {name.replace("_", "-"): text for name, text in fields.items()}
        return letter(f"{seat}@example.org", body, self._count, **named)

    def take(self, mail: bytes, *more: str, now: str = NOW) -> Done:
        """Give a mail to `mail in`."""
        return run("mail", "in", "game.toml", *HOST, "--now", now, *more, given=mail)

    def send(self, *more: str, now: str = NOW) -> Done:
        return run("mail", "out", "game.toml", "--now", now, *more)

    def mails(self, folder: str = "mails") -> dict[str, EmailMessage]:
        """The emails that were written, by file name without the game's id."""
        paths = sorted((self.folder / folder).glob("*.eml"))
        return {
            path.stem.partition("-")[2]: message_from_bytes(path.read_bytes(), policy=default)
            for path in paths
        }

    def kinds(self) -> list[str]:
        """Seat and kind of each mail that was written, as `ana answer`."""
        return sorted(" ".join(name.split(".")[0].split("-")) for name in self.mails())

    def texts(self, kind: str) -> list[str]:
        """The texts of the emails of a kind, `kind` being as in `kinds`."""
        return [
            text_of(mail)
            for name, mail in self.mails().items()
            if " ".join(name.split(".")[0].split("-")) == kind
        ]


def letter(sender: str, body: str, number: int = 1, **fields: str) -> bytes:
    """A mail to the referee, its Message-ID made of `number` and sender."""
    name = sender.partition("@")[0]
    head = {
        "From": f"{name.title()} <{sender}>",
        "To": "table@example.org",
        "Subject": "Re: our game",
        "Message-ID": f"<{number}.{name}@mua.example.org>",
    }
    lines = [f"{name}: {text}\n" for name, text in (head | fields).items() if text]
    return f"{''.join(lines)}\n{body}".encode()


def newest(seat: str) -> str:
    """The newest mail to a seat: its header, and its text."""
    path = max(Path("mails").glob(f"*-{seat}-*"), key=lambda path: path.stat().st_mtime_ns)
    mail = message_from_bytes(path.read_bytes(), policy=default)
    own = ("MIME-Version", "Content-Type")
    head = [f"{name}: {text}\n" for name, text in mail.items() if name not in own]
    files = [f"[{part.get_filename()}]\n" for part in mail.iter_attachments()]
    return "".join([*head, "\n", text_of(mail), *files])


def text_of(mail: EmailMessage) -> str:
    """The text of a mail of ours, which comes first and is plain."""
    first = next(mail.iter_parts())
    assert first.get_content_type() == "text/plain"
    return str(first.get_content())


def attached(mail: EmailMessage) -> bytes:
    """The game file in a mail of ours."""
    (part,) = mail.iter_attachments()
    assert part.get_content_type() == "application/toml"
    return bytes(part.get_content())


def names(folder: str) -> list[str]:
    """The names of the files in a folder."""
    return sorted(path.name for path in Path(folder).iterdir())
