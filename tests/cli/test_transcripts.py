"""The output of commands, as text files: `$ command`, output, `! error output`, `[exit code]`.

A file begins with `@ STATE`, the game that lies in the folder (tests/cli/world.py). Besides
sanjuan-ref there are `note NAME` and `file NAME` (tests/cli/hostile.py), `lock NAME` (a key file
under a passphrase), `identity` and its `recipient` (of age), `book` (an address book), `letter
SENDER FILE` (a mail with what is in FILE), `newest SEAT` (the newest mail to a seat in `mails`,
without what is attached), `cp` and `cat`; `< FILE` and `> FILE` redirect. Lines that begin with
`# ` are comments. Whatever is random or a hash is printed as …, and so is what Python's TOML
parser says, which depends on its version.

With UPDATE=1 in the environment the files are rewritten; read what changed before you keep it.
"""

from __future__ import annotations

import io
import os
import re
import shlex
import shutil
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from referee.cli.main import main
from referee.crypto.sealing import AgeIdentity
from tests.cli.documents import check_document
from tests.cli.hostile import FILES, NOTES, Forger
from tests.cli.world import lay_out, locked
from tests.mail.office import BOOK, letter, newest

# Bech32 of 32 bytes of zero, worthless like all keys here.
AGE = "AGE-SECRET-KEY-1QQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQ8H00W3"
FOLDER = Path(__file__).parent / "transcripts"
PARTED = re.compile("/games/[0-9a-f]{2}/[0-9a-f]{2}/")
HASHES = re.compile(
    r"\b[0-9a-f]{16,}\b|\b[0-9a-f]{8}(?=-)"
    r"|(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{43}(?![A-Za-z0-9+/=])"
    r"|(?<=SHA256:)[A-Za-z0-9+/]+|(?<=ssh-ed25519 AAAA)[A-Za-z0-9+/=]+"
)
TOML_SAYS = re.compile(r"(?<=cannot be read as TOML: )(?!nested)[^\n\"]+")
BASE64 = re.compile(
    r"U1NI(?:[A-Za-z0-9+/=]|\\n)+|^[A-Za-z0-9+/]{30,}={0,2}$|^[A-Za-z0-9+/]{1,70}={1,2}$",
    re.MULTILINE,
)


class Shell:
    """Runs the lines of one transcript in a folder."""

    def __init__(self, folder: Path, state: str) -> None:
        self.folder = folder
        self.state = state
        lay_out(folder, state)

    def run(self, line: str) -> str:
        """A command's output, error output and exit code as a transcript has them."""
        words = shlex.split(line)
        source = target = ""
        if ">" in words:
            target = words[words.index(">") + 1]
            words = words[: words.index(">")]
        if "<" in words:
            source = words[words.index("<") + 1]
            words = words[: words.index("<")]
        before = self._files()
        out, err, code = self._command(words, Path(source).read_bytes() if source else b"")
        if code:
            self._unharmed(before, out.decode() + err)
        if target:
            Path(target).write_bytes(out)
            out = b""
        text = out.decode()
        assert "\x1b" not in text + err, "a control character reaches the terminal"
        assert "Traceback" not in err
        assert "bug:" not in err, err
        shown = text + "".join(f"! {line}\n" for line in err.splitlines())
        shown = shown.replace(str(self.folder.parent), "/tmp/x")
        shown = TOML_SAYS.sub("…", PARTED.sub("/games/…/…/", shown))
        return BASE64.sub("…", HASHES.sub("…", shown)) + (f"[{code}]\n" if code else "")

    def _command(self, words: list[str], given: bytes) -> tuple[bytes, str, int]:
        match words:
            case ["sanjuan-ref", *rest]:
                return _sanjuan(rest, given)
            case ["note", name]:
                return NOTES[name](self._forger()).encode(), "", 0
            case ["file", name]:
                return FILES[name](self._forger()), "", 0
            case ["cat", *names]:
                return b"".join([Path(name).read_bytes() for name in names]), "", 0
            case ["lock", name]:
                return locked(name, "secret"), "", 0
            case ["identity"]:
                return AGE.encode(), "", 0
            case ["recipient"]:
                return f"{AgeIdentity(AGE).recipient}\n".encode(), "", 0
            case ["book"]:
                return BOOK.encode(), "", 0
            case ["letter", sender, name]:
                return letter(sender, Path(name).read_text()), "", 0
            case ["newest", seat]:
                return newest(seat).encode(), "", 0
            case ["cp", old, new]:
                shutil.copy(old, new)
                return b"", "", 0
        raise LookupError(words)

    def _forger(self) -> Forger:
        return Forger(Path("game.toml").read_text())

    def _files(self) -> dict[Path, bytes]:
        files = (path for path in self.folder.rglob("*") if path.is_file())
        return {path: path.read_bytes() for path in files if path.suffix != ".lock"}

    def _unharmed(self, before: dict[Path, bytes], said: str) -> None:
        """A command that failed has left all files as they were, but for the notes it accepted."""
        if not re.search(
            "applied as|applied:|accepted;|joined;|brought up to date|your note is in", said
        ):
            assert self._files() == before


def _sanjuan(words: list[str], given: bytes) -> tuple[bytes, str, int]:
    out, err = io.TextIOWrapper(io.BytesIO()), io.StringIO()
    old = sys.stdin
    sys.stdin = io.TextIOWrapper(io.BytesIO(given))
    try:
        with redirect_stdout(out), redirect_stderr(err):
            code = main(words)
    finally:
        sys.stdin = old
    out.flush()
    if "--json" in words:
        check_document(words, out.buffer.getvalue().decode())
    return out.buffer.getvalue(), err.getvalue(), code


@pytest.fixture
def place(workplace: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in, in which the machine's own keys are not found."""
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr("referee.render.text.prompt.can_ask_secret", lambda: False)
    return workplace


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.txt")), ids=lambda path: path.stem)
def test_transcript(path: Path, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = path.read_text().splitlines(keepends=True)
    said: list[str] = []
    shell: Shell | None = None
    for line in lines:
        if line.startswith("@ "):
            shutil.rmtree(place)
            place.mkdir()
            os.chdir(place)
            shutil.rmtree(place.parent / "state", ignore_errors=True)
            shell = Shell(place, line[2:].strip())
            said += [line, "\n"]
        elif line.startswith("# "):
            said.append(line)
        elif line.startswith("$ "):
            assert shell is not None
            said += [line, shell.run(line[2:].strip()), "\n"]
    text = "".join(said)
    if os.environ.get("UPDATE"):
        path.write_text(text)
    assert text == path.read_text()
