"""A Postfix of our own on loopback: mailboxes for players, a pipe for the referee, no way out.

Its lines for the referee, and the referee's address book, are those of `examples/mail`. It uses
nothing of the system's Postfix but its programs, and leaves nothing behind. Only root can start
one; the referee's commands run as a user who can do nothing else.
"""

from __future__ import annotations

import importlib.metadata
import json
import os
import pwd
import re
import shutil
import smtplib
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

from packaging.requirements import Requirement

from referee.mail import addresses

SOURCES = Path(__file__).parents[2]
EXAMPLES = SOURCES / "examples" / "mail"
DOMAIN = "example.org"
USER = "nobody"
PROGRAMS = tuple(
    Path("/usr/sbin") / name for name in ("postfix", "postmap", "postqueue", "sendmail")
)
PATIENCE = 120.0
TRIES = 5

# No `smtp` among the services: what is to nobody here has no way to anywhere else.
MAIN = """\
compatibility_level = 3.6
queue_directory = {root}/queue
data_directory = {root}/data
command_directory = {root}/sbin
maillog_file = {root}/maillog
maillog_file_prefixes = {root}
myhostname = mail.{domain}
myorigin = {domain}
mydestination =
local_recipient_maps =
alias_maps =
inet_interfaces = loopback-only
inet_protocols = ipv4
mynetworks = 127.0.0.0/8
smtpd_relay_restrictions = permit_mynetworks, reject
smtpd_peername_lookup = no
smtp_dns_support_level = disabled
default_transport = error:no mail leaves this machine
relay_transport = error:no mail leaves this machine
virtual_mailbox_domains = {domains}
virtual_mailbox_base = {root}/boxes
virtual_mailbox_maps = inline:{{ {boxes} }}
virtual_uid_maps = static:{uid}
virtual_gid_maps = static:{gid}
virtual_minimum_uid = 1
queue_run_delay = 1s
minimal_backoff_time = 1s
maximal_backoff_time = 2s
{lines}
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
proxymap  unix  - - n - - proxymap
anvil     unix  - - n - 1 anvil
error     unix  - - n - - error
retry     unix  - - n - - error
virtual   unix  - n n - - virtual
showq     unix  n - n - - showq
postlog   unix-dgram n - n - 1 postlogd
{lines}
"""
RUNNER = """\
#!/bin/sh
export HOME={home} PYTHONHOME={root}/python PYTHONPATH={root}/site LD_LIBRARY_PATH={root}/python/lib
exec {root}/python/bin/python -m referee "$@"
"""


def missing() -> str:
    """Return why there can be no Postfix of our own here; empty where there can be."""
    if os.geteuid() != 0:
        return "only root can start a Postfix"
    absent = [str(path) for path in PROGRAMS if not path.exists()]
    return f"Postfix is not installed: there is no {absent[0]}" if absent else ""


class Example(NamedTuple):
    """The lines of examples/mail/postfix-pipe.cf, by the file they are for."""

    master: str
    main: str
    transport: str

    @classmethod
    def read(cls, changes: dict[str, str]) -> Example:
        """The lines with other names in them; each that is changed has to be there."""
        text = (EXAMPLES / "postfix-pipe.cf").read_text()
        for old, new in changes.items():
            assert old in text, f"the example has no {old}"
            text = text.replace(old, new)
        lines: dict[str, list[str]] = {"master.cf": [], "main.cf": [], "transport": []}
        about = "master.cf"
        for line in text.splitlines():
            if match := re.match(r"# \S*/(master\.cf|main\.cf|transport)\b", line):
                about = match[1]
            elif line.startswith("#   "):
                lines[about].append(line.removeprefix("#   "))
            elif line and not line.startswith("#"):
                assert about == "master.cf", f"a line of {about} is no comment: {line}"
                lines[about].append(line)
        assert all(lines.values()), f"the example lacks lines: {lines}"
        return cls(*("\n".join(lines[name]) for name in ("master.cf", "main.cf", "transport")))


class Postfix:
    """A mail system that runs, in the folder `root`.

    `games` is the referee's folder, `home` the referee's home, `book` who has which address.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self.games, self.home = root / "games", root / "home"
        self.book = addresses.read(EXAMPLES / addresses.NAME)
        self.port = 0
        self._master = 0
        self._config, self._queue = root / "config", root / "queue"
        self._user = pwd.getpwnam(USER)

    # What a test does with it.

    def referee(self, *words: str) -> str:
        """Run a command as the user for whom the pipe runs, and return what it says."""
        done = subprocess.run(
            [str(self.root / "bin" / "sanjuan-ref"), *words],
            user=self._user.pw_uid,
            group=self._user.pw_gid,
            extra_groups=[],
            cwd=self.games,
            # As the pipe has it, so that `sendmail` finds this Postfix and no other.
            env={"PATH": "/usr/bin:/bin", "MAIL_CONFIG": str(self._config)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr + self.log()
        return done.stdout

    def send(self, sender: str, data: bytes) -> None:
        """Hand a message to the referee over as mail programs do; reports have no sender."""
        with smtplib.SMTP("127.0.0.1", self.port, timeout=PATIENCE) as server:
            server.sendmail(sender, [self.book.referee], data)

    def bounce(self, to: str, data: bytes) -> None:
        """Send something in the referee's name to an address that nobody has: it comes back."""
        words = ["-C", str(self._config), "-i", "-f", self.book.referee, to]
        done = subprocess.run(
            ["/usr/sbin/sendmail", *words], input=data, capture_output=True, check=False
        )
        assert done.returncode == 0, done.stderr.decode() + self.log()

    def has_new(self, seat: str) -> bool:
        """Return True if anything has come to a seat since."""
        return any((self.root / "boxes" / seat / "new").glob("*"))

    def new(self, seat: str) -> list[bytes]:
        """Take out of a seat's mailbox what has come since, oldest first."""
        found = []
        here = (self.root / "boxes" / seat / "new").glob("*")
        for path in sorted(here, key=lambda path: path.stat().st_mtime_ns):
            found.append(path.read_bytes())
            path.unlink()
        return found

    def queue(self) -> list[dict[str, Any]]:
        """The messages that are still on their way."""
        said = self._command("postqueue", "-j").stdout
        return [json.loads(line) for line in said.splitlines()]

    def log(self, lines: int = 60) -> str:
        """The end of Postfix's log, for whoever reads why a test failed; or all of it with 0."""
        path = self.root / "maillog"
        said = path.read_text(errors="replace") if path.exists() else "Postfix wrote no log\n"
        return "\n" + "\n".join(said.splitlines()[-lines:])

    def wait(self, what: str, there: Callable[[], bool]) -> None:
        """Wait until something is so; the time allowed is for machines that hang."""
        end = time.monotonic() + PATIENCE
        while not there():
            assert time.monotonic() < end, f"{what}: waited in vain; {self.queue()}{self.log()}"
            time.sleep(0.05)

    def give(self, path: Path) -> None:
        """Make the referee the owner of a file."""
        os.chown(path, self._user.pw_uid, self._user.pw_gid)

    # How it comes and goes.

    def lay_out(self) -> None:
        """Write everything that is needed, but for master.cf."""
        self.root.chmod(0o755)
        for folder in (self.games, self.home, self.root / "boxes"):
            folder.mkdir()
            self.give(folder)
        for name in ("config", "queue", "data", "bin"):
            (self.root / name).mkdir()
        shutil.chown(self.root / "data", "postfix")
        _programs(self.root / "sbin")
        _python(self.root)
        runner = self.root / "bin" / "sanjuan-ref"
        runner.write_text(RUNNER.format(root=self.root, home=self.home))
        runner.chmod(0o755)
        shutil.copy(EXAMPLES / addresses.NAME, self.games)
        lines = self._example
        boxes = {one: seat for seat, all_ in self.book.seats.items() for one in all_}
        boxes[self.book.referee] = "table"
        main = MAIN.format(
            root=self.root,
            domain=DOMAIN,
            domains=" ".join(sorted({one.rpartition("@")[2] for one in boxes})),
            boxes=", ".join(f"{{ {one} = {seat}/ }}" for one, seat in boxes.items()),
            uid=self._user.pw_uid,
            gid=self._user.pw_gid,
            lines=lines.main,
        )
        (self._config / "main.cf").write_text(main)
        (self._config / "transport").write_text(f"{lines.transport}\n")
        maps = re.search(r"^transport_maps = (\w+):", lines.main, re.MULTILINE)
        assert maps, lines.main
        if maps[1] != "texthash":
            (self._config / "master.cf").touch()
            done = self._command("postmap", f"{maps[1]}:{self._config}/transport")
            assert done.returncode == 0, done.stderr

    @property
    def _example(self) -> Example:
        changes = {
            "user=dora": f"user={USER}",
            "/usr/local/bin/": f"{self.root}/bin/",
            "/home/dora/games": str(self.games),
            "/etc/postfix/": f"{self._config}/",
        }
        return Example.read(changes)

    def start(self) -> None:
        """Start, and wait until it answers."""
        for _ in range(TRIES):
            self.port = _free_port()
            text = MASTER.format(port=self.port, lines=self._example.master)
            (self._config / "master.cf").write_text(text)
            done = self._command("postfix", "start")
            if done.returncode == 0:
                break
            # Somebody else may have taken the port meanwhile.
            assert "Address already in use" in self.log(), done.stderr + self.log()
        # Our `postdrop` has no rights of its own to the folder of what `sendmail` was given.
        (self._queue / "maildrop").chmod(0o1733)
        (self._queue / "public").chmod(0o2711)
        self.wait("Postfix answers", self._answers)

    def _answers(self) -> bool:
        try:
            with smtplib.SMTP("127.0.0.1", self.port, timeout=PATIENCE) as server:
                return server.noop()[0] == 250
        except (OSError, smtplib.SMTPException):
            return False

    def stop(self) -> None:
        """Stop it, whatever state it is in, and wait until its processes have gone."""
        self._master = self._pid()
        self._command("postfix", "abort")
        end = time.monotonic() + PATIENCE
        while self.processes() and time.monotonic() < end:
            time.sleep(0.02)

    def processes(self) -> list[int]:
        """All that run for it: the daemons, and what they have started."""
        master, found = self._master or self._pid(), []
        for path in Path("/proc").glob("[0-9]*"):
            # They may end meanwhile.
            with suppress(OSError):
                ours = bytes(self.root) in (path / "cmdline").read_bytes()
                # What has ended may stay listed where nobody takes note of it.
                ended = (path / "stat").read_text().rpartition(")")[2].split()[0] == "Z"
                if not ended and (ours or os.getsid(int(path.name)) == master):
                    found.append(int(path.name))
        return found

    def _pid(self) -> int:
        try:
            return int((self._queue / "pid" / "master.pid").read_text())
        except (OSError, ValueError):
            return 0

    def _command(self, name: str, *words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [f"/usr/sbin/{name}", "-c", str(self._config), *words],
            capture_output=True,
            text=True,
            check=False,
        )


def _programs(folder: Path) -> None:
    """Postfix's commands, as a `command_directory`.

    The system's `postdrop` has the rights of its group, and therefore takes no configuration from
    us; a copy of it has none, and does.
    """
    folder.mkdir()
    for path in Path("/usr/sbin").glob("post*"):
        if path.name == "postdrop":
            shutil.copyfile(path, folder / path.name)
            (folder / path.name).chmod(0o755)
        else:
            (folder / path.name).symlink_to(path)


def _python(root: Path) -> None:
    """Copies of this Python and of the packages that are needed.

    The ones that run this test may lie where only root can look.
    """
    name = f"python{sys.version_info[0]}.{sys.version_info[1]}"
    base, home, site = Path(sys.base_prefix), root / "python", root / "site"
    unused = shutil.ignore_patterns(
        *("site-packages", "dist-packages", "test", "tests", "idlelib", "tkinter", "config-*"),
        *("ensurepip", "lib2to3", "*.opt-1.pyc", "*.opt-2.pyc"),
    )
    shutil.copytree(base / "lib" / name, home / "lib" / name, ignore=unused)
    (home / "bin").mkdir()
    shutil.copy(Path(sys.executable).resolve(), home / "bin" / "python")
    for library in (base / "lib").glob(f"lib{name}*.so.*"):
        shutil.copy(library, home / "lib")
    for package in _needed("sanjuan-ref"):
        for file in importlib.metadata.files(package) or ():
            if ".." not in file.parts and Path(str(file.locate())).is_file():
                (site / file).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(str(file.locate()), site / file)
    shutil.copytree(SOURCES / "referee", site / "referee", dirs_exist_ok=True)


def _needed(package: str) -> set[str]:
    """The packages without which a package does not run, and itself."""
    found, left = set(), [package]
    while left:
        one = left.pop()
        if one not in found:
            found.add(one)
            wanted = [Requirement(text) for text in importlib.metadata.requires(one) or ()]
            left += [w.name for w in wanted if not w.marker or w.marker.evaluate({"extra": ""})]
    return found


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


@contextmanager
def postfix() -> Iterator[Postfix]:
    """A mail system, for a while."""
    root = Path(tempfile.mkdtemp(prefix="sanjuan-ref-mail-"))
    try:
        system = Postfix(root)
        try:
            system.lay_out()
            system.start()
            yield system
        finally:
            system.stop()
    finally:
        shutil.rmtree(root)
