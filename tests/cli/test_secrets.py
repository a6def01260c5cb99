"""A key that was given in the place of something else: no command ever says it again."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.cli.main import main
from referee.games.errors import GameError
from referee.redaction import HIDDEN, LENGTH, filename_fault, redact
from tests.cli.world import KEYS, lay_out, locked
from tests.table.tables import key_of

PEM = KEYS["referee"].openssh("dora").decode().rstrip("\n")
AGE = "AGE-SECRET-KEY-1QQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQ8H00W3"
PUTTY = (
    "PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nPrivate-Lines: 1\n"
    "AAAAIE8Dp3vQzWmY4b7sJ5gX2kLrT9uHcNfAeVdBiPqRsxyz0123\nPrivate-MAC: 00ff"
)
SECRETS = {
    "ssh": PEM,
    "ssh with a passphrase": locked("ana", "secret").decode(),
    "one line": PEM.replace("\n", " "),
    "no line ends": "".join(PEM.splitlines()),
    "its middle": PEM.split("\n")[1],
    "with CR": PEM.replace("\n", "\r\n"),
    "age": AGE,
    "age as age-keygen writes it": f"# created: now\n# public key: age1q\n{AGE}",
    "putty": PUTTY,
}
OTHER = "game.toml"
WORDS = [
    "key @",
    "key --key @",
    "key --make @",
    "key --allowed-signers @",
    "new @ --seat ana --seat ben --referee-key referee.key",
    "new x.toml --seat @ --seat ben --referee-key referee.key",
    "new x.toml --seat ana=@ --seat ben --referee-key referee.key",
    "new x.toml --seat ana --seat ben --referee-key @",
    "new x.toml --seat ana --seat ben --referee-key referee.key --backup @",
    "new x.toml --seat ana --seat ben --referee-key referee.key --me @",
    "new x.toml --seat ana --seat ben --referee-key referee.key --me ana --key @",
    "new x.toml --seat ana --seat ben --referee-key referee.key --deck @",
    "new x.toml --seat ana --seat ben --referee-key referee.key --game @",
    "new x.toml --seat ana --seat ben --referee-key referee.key --edition @",
    "new x.toml --seat ana --seat ben --referee-key referee.key --option @",
    "new x.toml --seat ana --seat ben --referee-key referee.key --option round_limit=@",
    "new x.toml --seat ana --seat ben --referee-key referee.key --days @",
    "new x.toml --seat ana --seat ben --referee-key referee.key --days 3 --late @",
    "new x.toml --seat ana --seat ben --referee-key referee.key --ledger @/x",
    "join open.toml --seat ana --key @",
    "join open.toml --seat @ --key ana.key",
    "join open.toml --seat ana --key ana.key --seal @",
    "join open.toml --seat ana --key ana.key -o @",
    "show @",
    "show game.toml --key @",
    "show game.toml --identity @",
    "show game.toml --seat @",
    "show game.toml --card @",
    "move game.toml --pass --key @",
    "move game.toml --pass --key ana.key --identity @",
    "move game.toml --play @ --key ana.key",
    "move game.toml --build @ --key ana.key",
    "move game.toml --pass @ --key ana.key",
    "move game.toml --pass --key ana.key -o @",
    "move game.toml --pass --key ana.key --referee-key @",
    "move game.toml --pass --key ana.key --now @",
    "apply @",
    "apply game.toml @ --referee-key referee.key",
    "apply game.toml note --referee-key @",
    "apply game.toml note --referee-key referee.key --ledger @",
    "page game.toml -o @",
    "page game.toml --image @",
    "page game.toml --lang @",
    "log game.toml --since @",
    "log game.toml --seat @",
    "verify game.toml --key @",
    "compare game.toml @",
    "audit game.toml --referee-key @",
    "audit game.toml --identity @",
    "transfer game.toml --seat ana --to @ --key ana.key",
    "transfer game.toml --seat @ --key ana.key",
    "vacation game.toml --from @ --until 2026-01-01 --key ana.key",
    "due @",
    "try @",
    "try position.toml --play @",
    "position game.toml -o @ --referee-key referee.key",
    "rules @",
    "help @",
    "score @",
    "demo @ --seats 2 --option round_limit=1",
    "git verify @",
    "git verify --branch @",
    "git referee . --branch @ --remote @ --referee-key referee.key",
    "git init @",
    "git init . --branch @",
    "git init . --hook @",
    "mail in game.toml --addresses @ --referee-key referee.key",
    "mail in --games @ --referee-key referee.key",
    "mail in game.toml --mbox @ --referee-key referee.key",
    "mail out game.toml --to-maildir @",
    "@",
    "show --@",
]


def pieces(secret: str) -> Iterator[str]:
    """All that must not be said: any eight characters of a secret that are not its frame."""
    for line in secret.replace("-----", "\n").split():
        body = line.removeprefix("AGE-SECRET-KEY-1")
        for at in range(0, len(body) - 16, 4) if len(line) >= LENGTH else ():
            if not any(body[at : at + 16] in key.public.text for key in KEYS.values()):
                yield body[at : at + 16]


@pytest.fixture
def place(workplace: Path) -> Path:
    lay_out(workplace, "open")
    Path("game.toml").rename("open.toml")
    for path in workplace.glob("*.key*"):
        path.unlink()
    lay_out(workplace, "building")
    Path("note").write_text("nothing")
    Path("position.toml").write_text('[[seats]]\nname = "ana"\n[[seats]]\nname = "ben"\n')
    return workplace


def said_by(words: list[str], capfd: pytest.CaptureFixture[str]) -> str:
    """Return the words of a command that fails; a line of a key can be the name of a new file."""
    code = main(words)
    told = capfd.readouterr()
    if "--json" in words:
        json.loads(told.out)
    assert code != 70, words
    return told.out + told.err if code else ""


@pytest.mark.parametrize("name", SECRETS)
def test_no_option_says_a_key_that_was_given(
    name: str, place: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SANJUAN_DEBUG", "1")
    secret = SECRETS[name]
    # What is no key by its looks comes as far as a line of one; the others are turned away at once.
    lines = WORDS if name in ("ssh", "its middle") else WORDS[::10]
    for line in lines:
        for more in ([], ["--json"]):
            words = [word.replace("@", secret) for word in line.split(" ")] + more
            told = said_by(words, capfd)
            for piece in pieces(secret):
                assert piece not in told, (line, told)
        if name == "its middle":
            made = [path for path in place.glob(f"{secret}*") if path.is_file()]
            for path in made:
                path.unlink()
            shutil.rmtree(secret, ignore_errors=True)


@pytest.mark.parametrize("name", SECRETS)
@pytest.mark.parametrize("variable", ["SANJUAN_KEY", "SANJUAN_REFEREE_KEY", "SANJUAN_IDENTITY"])
def test_no_variable_says_the_key_in_it(
    variable: str,
    name: str,
    place: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(variable, SECRETS[name])
    lines = ["key", "show game.toml", "move game.toml --pass", "apply game.toml note"]
    for line in [*lines, "audit game.toml", "new x.toml --seat ana --seat ben"]:
        main([*line.split(" "), "--json"])
        main(line.split(" "))
        told = "".join(capfd.readouterr())
        for piece in pieces(SECRETS[name]):
            assert piece not in told, (line, told)


def test_the_variable_is_named_that_holds_a_key_in_place_of_a_name(
    place: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SANJUAN_REFEREE_KEY", PEM)
    assert main(["apply", "game.toml", "note"]) == 18
    told = capfd.readouterr().err
    assert "$SANJUAN_REFEREE_KEY holds what may be a key itself" in told
    assert "$SANJUAN_REFEREE_KEY_TEXT is to hold the key itself" in told


@pytest.mark.parametrize("text", [PEM, PEM + "\n", PEM.replace("\n", "\r\n"), f"\ufeff{PEM}"])
def test_a_variable_can_hold_the_referee_s_key(
    text: str, place: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["move", "game.toml", "--pass", "--key", "ana.key", "-o", "ana.move"]) == 0
    Path("referee.key").unlink()
    before = {path: path.read_bytes() for path in place.parent.rglob("*") if path.is_file()}
    monkeypatch.setenv("SANJUAN_REFEREE_KEY_TEXT", text)
    assert main(["apply", "game.toml", "ana.move"]) == 0
    told = "".join(capfd.readouterr())
    assert not any(piece in told for piece in pieces(PEM))
    for path in place.parent.rglob("*"):
        if path.is_file() and before.get(path) != path.read_bytes():
            # Its other lines begin with what a signature begins with, too.
            assert PEM.split("\n")[3][:30].encode() not in path.read_bytes(), path


def test_a_named_key_comes_before_one_in_a_variable(
    place: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["move", "game.toml", "--pass", "--key", "ana.key", "-o", "ana.move"]) == 0
    other = key_of("stranger").openssh().decode()
    monkeypatch.setenv("SANJUAN_REFEREE_KEY_TEXT", other)
    assert main(["apply", "game.toml", "ana.move"]) == 15
    assert "is not that of this game's referee" in capfd.readouterr().err
    monkeypatch.setenv("SANJUAN_REFEREE_KEY", str(place / "referee.key"))
    assert main(["apply", "game.toml", "ana.move"]) == 0


def test_a_damaged_key_in_a_variable_is_called_by_its_name(
    place: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SANJUAN_REFEREE_KEY_TEXT", PEM[:200])
    assert main(["apply", "game.toml", "note"]) == 18
    assert "$SANJUAN_REFEREE_KEY_TEXT" in capfd.readouterr().err


def test_no_program_that_is_called_gets_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    from referee.git.repo import environment
    from referee.mail.addresses import PIPE, Way
    from referee.mail.outbox import put

    monkeypatch.setenv("SANJUAN_REFEREE_KEY_TEXT", PEM)
    assert not [name for name, value in environment().items() if value == PEM]
    put(Way(PIPE, "sh -c 'test -z \"$SANJUAN_REFEREE_KEY_TEXT\"'"), "x", "x\n")
    assert subprocess.run(["sh", "-c", 'test -n "$SANJUAN_REFEREE_KEY_TEXT"'], check=False)
    assert os.environ["SANJUAN_REFEREE_KEY_TEXT"] == PEM


@pytest.mark.parametrize(
    "text",
    [
        f"cannot read {'SanJuan'}: No such file or directory",
        f"the key x ({KEYS['ana'].public.fingerprint}) holds none of the seats",
        f"it is {KEYS['ana'].public.text}",
        f"git has no {'0123456789abcdef' * 4}, which is x",
        "the hand is sealed to age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p",
        "ana.key is a private key, and its public half is wanted here",
        "it holds one line that begins with AGE-SECRET-KEY-1, as age-keygen writes it",
    ],
)
def test_what_is_public_is_said(text: str) -> None:
    assert redact(text) == text


def test_the_path_of_a_file_is_said_however_long_it_is(tmp_path: Path) -> None:
    deep = tmp_path / "Documents" / "SpieleabendeMitGrossmama" / "SanJuanUndXanadu" / "anaskey"
    assert len(str(deep)) > LENGTH
    text = f"cannot read {deep}: No such file or directory"
    assert redact(text) == text
    assert filename_fault(str(deep)) == ""
    assert redact(f"ana={'/nowhere' + 'AbcdeFghijk/' * 6}") == f"ana={HIDDEN}"


@pytest.mark.parametrize("name", SECRETS)
def test_an_error_says_no_key_whatever_becomes_of_it(name: str) -> None:
    secret = SECRETS[name]
    for text in (secret, repr(secret), ascii(secret), secret[:90], f"{secret}.pub", f"x={secret}"):
        error = GameError(f"unexpected argument {text}", f"give {text} elsewhere")
        error.message = f"here: {error.message}"
        error.hint += f" or {text}"
        for told in (error.message, error.hint, str(error), repr(error)):
            assert not any(piece in told for piece in pieces(secret)), told
        assert error.message.isprintable()
