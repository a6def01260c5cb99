"""Games by real mail: Postfix, a pipe into `mail in`, four mailboxes, from first join to audit."""

from __future__ import annotations

import os
import random
import re
import time
from collections.abc import Sequence
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

import pytest

from referee.table import opening, player
from referee.table.audit import audit
from referee.table.chain import heads
from referee.table.gamefile import GameFile
from tests.mail.postfix import DOMAIN, PATIENCE, TABLE, Postfix, missing, postfix
from tests.table.tables import REFEREE, key_of, load

NAMES = ("ana", "ben", "carl", "dora")
WHY_NOT = missing()
# Where everything is set up for it, a test that cannot run is a failure.
pytestmark = pytest.mark.skipif(
    bool(WHY_NOT) and not os.environ.get("SANJUAN_REF_POSTFIX"), reason=WHY_NOT or "no reason"
)


class Player:
    """Somebody with a mail program of some style, who answers the newest mail."""

    def __init__(self, name: str, style: int) -> None:
        self.name, self.style = name, style
        self.key = key_of(name)
        self.file: GameFile | None = None
        self.answered: set[str] = set()
        self.got: list[EmailMessage] = []
        self.sent = 0

    def read(self, data: bytes) -> EmailMessage | None:
        """A mail of the table's; the reply to it, if there is anything to answer."""
        mail = message_from_bytes(data, policy=policy.default)
        assert isinstance(mail, EmailMessage)
        self.got.append(mail)
        [attached] = mail.iter_attachments()
        file = load(attached.get_content().decode())
        if self.file is None or file.step >= self.file.step:
            self.file = file
        note = self._note(file)
        return self._reply(mail, note) if note else None

    def _note(self, file: GameFile) -> str:
        seat = file.seat(self.name)
        assert seat is not None
        if file.status == "open":
            if "join" in self.answered or seat.joined:
                return ""
            self.answered.add("join")
            return opening.write_join(file, self.name, self.key)
        waiting = {one.decision for one in file.pending}
        for one in file.asked:
            if one["seat"] == self.name and one["id"] not in self.answered | waiting:
                self.answered.add(one["id"])
                mine = player.my_seat(file, self.key.public)
                view = player.view_of(file, player.open_hand(file, mine, self.key))
                sealed = player.is_parallel(file, one["id"])
                return player.write_move(file, self.key, one["id"], view.suggest(), sealed)
        return ""

    def _reply(self, mail: EmailMessage, note: str) -> EmailMessage:
        reply = EmailMessage()
        self.sent += 1
        reply["From"], reply["To"] = f"{self.name}@{DOMAIN}", TABLE
        reply["Subject"] = f"Re: {mail['Subject']}"
        reply["Message-ID"] = f"<{self.name}.{self.sent}@players.{DOMAIN}>"
        reply["In-Reply-To"] = mail["Message-ID"]
        reply["References"] = f"{mail['References'] or ''} {mail['Message-ID']}".strip()
        body = mail.get_body(("plain",))
        assert body is not None
        quoted = "".join([f"> {line}\n" for line in body.get_content().splitlines()])
        if self.style == 0:
            reply.set_content(
                f"{note}\nOn a fine day the table wrote:\n{quoted}", cte="quoted-printable"
            )
            reply.add_alternative(f"<pre>{note}</pre><blockquote>…</blockquote>", subtype="html")
        elif self.style == 1:
            reply.set_content(f"{quoted}\n{note}\n-- \nsent with care\n", cte="base64")
        elif self.style == 2:
            reply.set_content("See the attached file.\n")
            reply.add_attachment(
                note.encode(), maintype="application", subtype="octet-stream", filename="my.note"
            )
        else:
            reply.set_content(note.replace("\n", "\r\n"), cte="8bit")
        return reply


def noise(name: str, prompt: EmailMessage, number: int) -> list[tuple[str, EmailMessage]]:
    """What machines send back: a vacation reply and a bounce, both quoting all that they got."""
    away, bounce = EmailMessage(), EmailMessage()
    body = prompt.get_body(("plain",))
    assert body is not None
    for one in (away, bounce):
        one["To"] = TABLE
        one["Message-ID"] = f"<noise.{name}.{number}.{id(one)}@{DOMAIN}>"
        one.set_content(body.get_content())
    away["From"], away["Auto-Submitted"] = f"{name}@{DOMAIN}", "auto-replied (vacation)"
    bounce["From"] = f"MAILER-DAEMON@{DOMAIN}"
    return [(f"{name}@{DOMAIN}", away), ("", bounce)]


class Mischief:
    """A mail system as bad as they come, but repeatable: it doubles, holds back and reorders."""

    def __init__(self, system: Postfix, seed: int) -> None:
        self.system, self.rng = system, random.Random(seed)
        self.held: list[EmailMessage] = []
        self.deliveries: dict[str, int] = {}

    def take(self, mail: EmailMessage) -> None:
        """A player sends this; sooner or later it arrives, perhaps more than once."""
        if self.rng.random() < 0.2:
            self.held.append(mail)
            return
        self._deliver(mail)
        if self.rng.random() < 0.15:
            self._deliver(mail)
        if self.rng.random() < 0.1:
            del mail["Message-ID"]
            mail["Message-ID"] = f"<again.{self.rng.random()}@{DOMAIN}>"
            self._deliver(mail)

    def release(self) -> bool:
        """What was held back arrives, in another order; whether there was any."""
        late, self.held = self.held, []
        self.rng.shuffle(late)
        for mail in late:
            self._deliver(mail)
        return bool(late)

    def _deliver(self, mail: EmailMessage) -> None:
        sender = str(mail["From"])
        name = sender.partition("@")[0]
        self.deliveries[name] = self.deliveries.get(name, 0) + 1
        self.system.send(sender, mail.as_bytes())


def play(system: Postfix, players: Sequence[Player], seed: int) -> Mischief:
    """Let everybody answer their mail until nobody has anything to say."""
    mischief = Mischief(system, seed)
    rng = random.Random(seed)
    number, quiet = 0, time.monotonic()
    while True:
        busy = False
        for one in players:
            for data in system.new(one.name):
                busy = True
                reply = one.read(data)
                if reply is not None:
                    mischief.take(reply)
                if rng.random() < 0.05:
                    number += 1
                    for sender, mail in noise(one.name, one.got[-1], number):
                        system.send(sender, mail.as_bytes())
        if busy:
            quiet = time.monotonic()
            continue
        if all(one.file is not None and one.file.status == "finished" for one in players):
            return mischief
        if system.queue():
            time.sleep(0.05)
        elif mischief.release():
            continue
        if time.monotonic() - quiet > PATIENCE:
            raise AssertionError(f"nothing more comes\n{system.queue()}\n{system.log()}")
        time.sleep(0.02)


def settled(system: Postfix) -> None:
    """Wait until the last message has arrived."""
    end = time.monotonic() + PATIENCE
    while system.queue():
        assert time.monotonic() < end, system.queue() + system.log()
        time.sleep(0.1)


def by_mail_alone(options: Sequence[str], seed: int) -> None:
    """A game from the invitations to the audited end, and what must hold of its mails."""
    with postfix(NAMES) as system:
        key = system.games / "referee.key"
        REFEREE.save(key)
        for path in (key, key.with_name("referee.key.pub")):
            os.chown(path, system.user.pw_uid, system.user.pw_gid)
        seats = [word for name in NAMES for word in ("--seat", name)]
        system.referee("new", "game.toml", *seats, *options)
        system.referee("mail", "out", "--games", ".")
        players = [Player(name, style) for style, name in enumerate(NAMES)]
        mischief = play(system, players, seed)
        mischief.release()
        settled(system)
        for one in players:
            for data in system.new(one.name):
                one.read(data)
        final = load((system.games / "game.toml").read_text())
        assert final.status == "finished"
        assert any("the scores are right" in line for line in audit(final, heads(final)))
        for one in players:
            assert one.file is not None
            assert (one.file.step, one.file.head) == (final.step, final.head)
            threads = {str(mail["References"]).split()[0] for mail in one.got if mail["References"]}
            assert len(threads) == 1
            asked = sum(entry.decision.endswith(f".{one.name}") for entry in final.log)
            # An invitation, a question each, an answer for each note that arrived, the result.
            assert len(one.got) <= 2 + asked + mischief.deliveries[one.name]
        log = Path(system.root / "maillog").read_text(errors="replace")
        assert set(re.findall(r" to=<([^>]*)>", log)) <= {
            TABLE,
            *(f"{name}@{DOMAIN}" for name in NAMES),
        }
        assert "status=bounced" not in log


def test_a_short_game() -> None:
    by_mail_alone(["--option", "round_limit=3"], 1)


@pytest.mark.long
def test_a_whole_game() -> None:
    by_mail_alone([], 2)
