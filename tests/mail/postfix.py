"""A Postfix of our own on loopback: mailboxes for players, a pipe for the referee, no way out.

It touches nothing of the system's Postfix but its programs, and leaves nothing behind. It needs to
be started by root, and delivers as a user who can do nothing else.
"""

from __future__ import annotations

import compileall
import os
import pwd
import shutil
import smtplib
import socket
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

EXAMPLE = Path(__file__).parents[2] / "examples" / "mail" / "postfix-pipe.cf"
DOMAIN = "example.org"
TABLE = f"table@{DOMAIN}"
USER = "nobody"
PATIENCE = 120.0

MAIN = """\
compatibility_level = 3.6
queue_directory = {root}/queue
data_directory = {root}/data
mail_owner = postfix
setgid_group = postdrop
maillog_file = {root}/maillog
maillog_file_prefixes = {root}
myhostname = mail.{domain}
mydestination =
local_recipient_maps =
alias_maps =
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
mynetworks = 127.0.0.0/8
default_transport = error:no mail leaves this machine
relay_transport = error:no mail leaves this machine
virtual_transport = virtual
virtual_mailbox_domains = {domain}
virtual_mailbox_base = {root}/boxes
virtual_mailbox_maps = inline:{{ {boxes} }}
virtual_uid_maps = static:{uid}
virtual_gid_maps = static:{gid}
virtual_minimum_uid = 1
transport_maps = inline:{{ {{ {table} = sanjuan: }} }}
sanjuan_destination_recipient_limit = 1
smtpd_recipient_restrictions = permit_mynetworks, reject
smtpd_peername_lookup = no
smtp_dns_support_level = disabled
queue_run_delay = 1s
minimal_backoff_time = 1s
maximal_backoff_time = 2s
message_size_limit = 10240000
"""
MASTER = """\
127.0.0.1:{port} inet n - n - - smtpd
pickup    unix  n - n 1 1 pickup
cleanup   unix  n - n - 0 cleanup
qmgr      unix  n - n 1 1 qmgr
rewrite   unix  - - n - - trivial-rewrite
bounce    unix  - - n - 0 bounce
defer     unix  - - n - 0 bounce
trace     unix  - - n - 0 bounce
verify    unix  - - n - 1 verify
proxymap  unix  - - n - - proxymap
anvil     unix  - - n - 1 anvil
error     unix  - - n - - error
retry     unix  - - n - - error
discard   unix  - - n - - discard
virtual   unix  - n n - - virtual
showq     unix  n - n - - showq
postlog   unix-dgram n - n - 1 postlogd
{pipe}
"""
# What `sendmail -t` does, for a user whom the system's sendmail allows no other configuration.
SENDMAIL = """\
import smtplib, sys
from email import message_from_binary_file
message = message_from_binary_file(sys.stdin.buffer)
with smtplib.SMTP("127.0.0.1", {port}) as server:
    server.sendmail("{table}", [message["To"]], message.as_bytes())
"""


def missing() -> str:
    """Why there can be no Postfix of our own here; nothing where there can be."""
    if os.geteuid() != 0:
        return "only root can start a Postfix"
    if not all(Path(name).exists() for name in ("/usr/sbin/postfix", "/usr/sbin/sendmail")):
        return "Postfix is not installed"
    return ""


def portable(root: Path) -> dict[str, str]:
    """A copy of this Python and its packages in a folder that every user can read.

    The variables with which it runs; root's own Python may lie where nobody else can look.
    """
    name = f"python{sys.version_info[0]}.{sys.version_info[1]}"
    base, home, site = Path(sys.base_prefix), root / "python", root / "site"
    unused = shutil.ignore_patterns("test", "idlelib", "tkinter", "site-packages", "config-*")
    shutil.copytree(base / "lib" / name, home / "lib" / name, ignore=unused)
    (home / "bin").mkdir()
    shutil.copy2(os.path.realpath(sys.executable), home / "bin" / name)
    for library in (base / "lib").glob("libpython*"):
        shutil.copy2(library, home / "lib" / library.name)
    tools = shutil.ignore_patterns(
        "pip*", "mypy*", "ruff*", "playwright*", "hypothesis*", "_pytest"
    )
    shutil.copytree(sysconfig.get_path("purelib"), site, ignore=tools)
    package = Path(__file__).parents[2] / "referee"
    shutil.copytree(package, site / "referee", dirs_exist_ok=True)
    compileall.compile_dir(str(site / "referee"), quiet=2)
    return {
        "PYTHON": str(home / "bin" / name),
        "PYTHONHOME": str(home),
        "PYTHONPATH": str(site),
        "LD_LIBRARY_PATH": str(home / "lib"),
    }


class Postfix:
    """A mail system that runs: `games` is the referee's directory, `boxes` are Maildirs."""

    def __init__(self, root: Path, names: Sequence[str]) -> None:
        self.root, self.names = root, tuple(names)
        self.games, self.boxes, self.config = root / "games", root / "boxes", root / "config"
        self.port = _free_port()
        self.user = pwd.getpwnam(USER)

    def _give(self, path: Path) -> None:
        os.chown(path, self.user.pw_uid, self.user.pw_gid)

    def lay_out(self) -> None:
        """Write the configuration. The lines of the pipe are those of the example."""
        self.root.chmod(0o755)
        for folder in (self.games, self.boxes, self.root / "state", self.root / "home"):
            folder.mkdir()
            self._give(folder)
        for folder in (self.config, self.root / "queue", self.root / "data"):
            folder.mkdir()
        shutil.chown(self.root / "data", "postfix")
        boxes = ", ".join(f"{{ {name}@{DOMAIN} = {name}/ }}" for name in self.names)
        main = MAIN.format(
            root=self.root,
            domain=DOMAIN,
            table=TABLE,
            boxes=f"{boxes}, {{ {TABLE} = table/ }}",
            uid=self.user.pw_uid,
            gid=self.user.pw_gid,
        )
        (self.config / "main.cf").write_text(main)
        variables = {
            "HOME": self.root / "home",
            "XDG_STATE_HOME": self.root / "state",
            "SANJUAN_REFEREE_KEY": self.games / "referee.key",
            **portable(self.root),
        }
        exports = " ".join(f"{key}={value}" for key, value in variables.items())
        wrapper = self.root / "mail-in"
        wrapper.write_text(f'#!/bin/sh\nexport {exports}\nexec "$PYTHON" -m referee "$@"\n')
        wrapper.chmod(0o755)
        lines = [line for line in EXAMPLE.read_text().splitlines() if not line.startswith("#")]
        pipe = "\n".join(line for line in lines if line)
        for old, new in (
            ("user=dora", f"user={USER}"),
            ("/usr/local/bin/sanjuan-ref", str(wrapper)),
            ("/home/dora/games", str(self.games)),
        ):
            assert old in pipe
            pipe = pipe.replace(old, new)
        (self.config / "master.cf").write_text(MASTER.format(port=self.port, pipe=pipe))
        script = self.root / "sendmail.py"
        script.write_text(SENDMAIL.format(port=self.port, table=TABLE))
        seats = "".join(f'{name} = "{name}@{DOMAIN}"\n' for name in self.names)
        book = self.games / "addresses.toml"
        book.write_text(
            f'[referee]\naddress = "{TABLE}"\n[seats]\n{seats}'
            f'[out]\npipe = "{variables["PYTHON"]} {script}"\n'
        )
        self._give(book)

    def referee(self, *words: str) -> str:
        """A command of the referee's, as the user who gets the mail."""
        done = subprocess.run(
            [str(self.root / "mail-in"), *words],
            user=self.user.pw_uid,
            group=self.user.pw_gid,
            extra_groups=[],
            cwd=self.games,
            env={"PATH": os.environ["PATH"]},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def command(self, *words: str) -> str:
        done = subprocess.run(
            [*words], capture_output=True, text=True, check=False, env={"PATH": os.environ["PATH"]}
        )
        return done.stdout + done.stderr

    def start(self) -> None:
        said = self.command("/usr/sbin/postfix", "-c", str(self.config), "start")
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            try:
                with smtplib.SMTP("127.0.0.1", self.port, timeout=5) as server:
                    server.noop()
                    return
            except (OSError, smtplib.SMTPException):
                time.sleep(0.1)
        raise AssertionError(f"Postfix does not answer: {said}\n{self.log()}")

    def stop(self) -> None:
        self.command("/usr/sbin/postfix", "-c", str(self.config), "abort")

    def log(self) -> str:
        path = self.root / "maillog"
        return path.read_text(errors="replace")[-4000:] if path.exists() else "no log"

    def send(self, sender: str, data: bytes, to: str = TABLE) -> None:
        """Hand a message over as a player's mail program does; an empty sender is a bounce's."""
        with smtplib.SMTP("127.0.0.1", self.port, timeout=30) as server:
            server.sendmail(sender, [to], data)

    def new(self, name: str) -> list[bytes]:
        """What has come to a player since; it is taken out of the mailbox."""
        folder = self.boxes / name / "new"
        here = list(folder.iterdir()) if folder.exists() else []
        found = []
        for path in sorted(here, key=lambda path: path.stat().st_mtime_ns):
            found.append(path.read_bytes())
            path.unlink()
        return found

    def queue(self) -> str:
        """What is still on its way: one line a message, nothing where there is none."""
        return self.command("/usr/sbin/postqueue", "-c", str(self.config), "-j")


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


@contextmanager
def postfix(names: Sequence[str]) -> Iterator[Postfix]:
    """A mail system for these players, for a while."""
    root = Path(tempfile.mkdtemp(prefix="sanjuan-ref-mail-"))
    system = Postfix(root, names)
    try:
        system.lay_out()
        system.start()
        yield system
    finally:
        system.stop()
        shutil.rmtree(root, ignore_errors=True)
