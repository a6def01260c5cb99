"""SSH keys: against ssh-keygen and age, and every key that must be refused."""

from __future__ import annotations

import stat
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.crypto import keys
from referee.crypto.keyplace import find_key
from referee.crypto.keys import PrivateKey, PublicKey, load_public_key
from referee.errors import BadSignature, NoKey
from referee.games.errors import GameError
from referee.storage import NotWritten
from tests.tools import with_tools

HERE = Path(__file__).parents[1] / "vectors"
REFUSED = tomllib.loads((HERE / "keys.toml").read_text(encoding="utf-8"))["refused"]
KNOWN = tomllib.loads((HERE / "signing.toml").read_text(encoding="utf-8"))["key"]
SEED = bytes.fromhex(KNOWN["seed"])


def run(*command: str | Path, stdin: str | None = None) -> str:
    return subprocess.run(command, input=stdin, capture_output=True, text=True, check=True).stdout


def keygen(path: Path, kind: str = "ed25519", passphrase: str = "", *more: str) -> Path:
    run("ssh-keygen", "-q", "-t", kind, "-N", passphrase, "-C", "ana@home", *more, "-f", path)
    return path


def nobody(prompt: str) -> str:
    raise AssertionError(f"asked: {prompt}")


# Public keys


def test_public_key_has_its_known_forms() -> None:
    key = PrivateKey(SEED).public
    assert (key.hex, key.text, key.fingerprint) == (
        KNOWN["hex"],
        KNOWN["text"],
        KNOWN["fingerprint"],
    )


@pytest.mark.parametrize(
    "text",
    [KNOWN["hex"], KNOWN["text"], f"{KNOWN['text']} ana@home, the laptop\n", f" {KNOWN['text']} "],
)
def test_public_key_is_read_in_each_form(text: str) -> None:
    key = PublicKey.parse(text)
    assert key == PublicKey(bytes.fromhex(KNOWN["hex"]))
    assert len({key, PrivateKey(SEED).public}) == 1


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: case["note"])
def test_weak_public_keys_are_refused(case: dict[str, str]) -> None:
    raw = bytes.fromhex(case["hex"])
    for text in (case["hex"], keys._line(raw)):
        with pytest.raises(BadSignature, match=case["why"]) as caught:
            PublicKey.parse(text)
        assert (caught.value.exit_code, caught.value.reason) == (15, "bad-key")


def added(a: tuple[int, int], b: tuple[int, int]) -> tuple[int, int]:
    """The sum of two points of the curve, from its textbook formula."""
    (x1, y1), (x2, y2) = a, b
    k = keys.D * x1 * x2 * y1 * y2
    return (
        (x1 * y2 + x2 * y1) * pow(1 + k, -1, keys.P) % keys.P,
        (y1 * y2 + x1 * x2) * pow(1 - k, -1, keys.P) % keys.P,
    )


def point(y: int) -> tuple[int, int] | None:
    """A point with this y, or None where the curve has none."""
    square = (y * y - 1) * pow(keys.D * y * y + 1, -1, keys.P) % keys.P
    root = pow(square, (keys.P + 3) // 8, keys.P)
    for x in (root, root * pow(2, (keys.P - 1) // 4, keys.P) % keys.P):
        if x * x % keys.P == square:
            return x, y
    return None


def times(factor: int, p: tuple[int, int]) -> tuple[int, int]:
    total = (0, 1)
    while factor:
        if factor & 1:
            total = added(total, p)
        p, factor = added(p, p), factor >> 1
    return total


def test_the_list_of_small_order_is_complete() -> None:
    # The prime order of the main subgroup leaves of any point a point of the torsion subgroup.
    prime = 2**252 + 27742317777372353535851937790883648493
    points = [found for y in range(2, 60) if (found := point(y))]
    assert {times(prime, p)[1] for p in points} == keys.SMALL
    assert all(times(8, p) == (0, 1) for y in keys.SMALL if (p := point(y)))


@given(st.binary(min_size=32, max_size=32))
def test_exactly_the_points_of_the_curve_are_taken(raw: bytes) -> None:
    y = int.from_bytes(raw, "little") % 2**255
    fine = y < keys.P and point(y) is not None and y not in keys.SMALL
    assert (keys._fault(raw) == "") == fine


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "not a public key"),
        ("hello", "not a public key"),
        (KNOWN["hex"].upper(), "not a public key"),
        (KNOWN["hex"] + "00", "not a public key"),
        ("ssh-ed25519", "not a public key"),
        (f"{KNOWN['text']}\n{KNOWN['text']}", "not a public key"),
        (f'command="x" {KNOWN["text"]}', "not a public key"),
        (KNOWN["text"][:-4], "damaged"),
        (KNOWN["text"] + "=", "damaged"),
        (KNOWN["text"] + "AAAA", "damaged"),
        (KNOWN["text"].replace("C3Nz", "C3N\u200bz"), "damaged"),
        ("ssh-rsa AAAAB3NzaC1yc2EAAAADAQAB", "kind ssh-rsa"),
        ("sk-ssh-ed25519@openssh.com AAAA", "kind sk-ssh-ed25519@openssh.com"),
        ("ecdsa-sha2-nistp256 AAAA", "kind ecdsa-sha2-nistp256"),
    ],
)
def test_other_texts_are_no_public_key(text: str, says: str) -> None:
    with pytest.raises(BadSignature, match=says):
        PublicKey.parse(text)


@given(st.text() | st.text("0123456789abcdef", min_size=64, max_size=64))
def test_garbage_is_no_public_key(text: str) -> None:
    try:
        key = PublicKey.parse(text)
    except GameError:
        return
    assert PublicKey.parse(key.text) == PublicKey.parse(key.hex) == key


def test_signatures_verify_under_their_key_and_data_only() -> None:
    key = PrivateKey(SEED)
    signature = key.sign(b"data")
    assert signature == PrivateKey(SEED).sign(b"data")
    assert key.public.verify(signature, b"data")
    assert not key.public.verify(signature, b"date")
    assert not key.public.verify(signature[:-1], b"data")
    assert not key.public.verify(bytes(64), b"data")
    assert not PrivateKey.generate().public.verify(signature, b"data")
    # The same signature with s + L, which a lax verifier takes too.
    s = int.from_bytes(signature[32:], "little") + 2**252 + 27742317777372353535851937790883648493
    assert not key.public.verify(signature[:32] + s.to_bytes(32, "little"), b"data")


# Private keys


@with_tools("ssh-keygen")
@pytest.mark.parametrize("passphrase", ["", "correct horse é"])
def test_keys_of_ssh_keygen_are_read(tmp_path: Path, passphrase: str) -> None:
    path = keygen(tmp_path / "id", passphrase=passphrase)
    asked: list[str] = []

    def ask(prompt: str) -> str:
        asked.append(prompt)
        return passphrase

    key = PrivateKey.load(path, ask)
    public = (tmp_path / "id.pub").read_text()
    assert key.public == PublicKey.parse(public) == load_public_key(path)
    assert asked == ([f"Passphrase for {path}: "] if passphrase else [])
    assert key.public.fingerprint in run("ssh-keygen", "-l", "-f", path)


@with_tools("ssh-keygen")
@pytest.mark.parametrize("cipher", ["aes256-ctr", "aes256-gcm@openssh.com", "aes256-cbc"])
def test_ciphers_of_ssh_keygen_are_read(tmp_path: Path, cipher: str) -> None:
    path = keygen(tmp_path / "id", "ed25519", "secret", "-Z", cipher)
    assert PrivateKey.load(path, lambda _: "secret").public == load_public_key(path)


@with_tools("age", "ssh-keygen")
def test_a_made_key_is_one_for_ssh_keygen_and_age(tmp_path: Path) -> None:
    path = tmp_path / "new" / "ana.key"
    key = PrivateKey.generate()
    key.save(path, "ana\nfor the game é")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    line = (tmp_path / "new" / "ana.key.pub").read_text()
    assert line == f"{key.public.text} anafor the game\n"
    assert run("ssh-keygen", "-y", "-f", path) == line
    assert PrivateKey.load(path, nobody).sign(b"x") == key.sign(b"x")
    sealed = run("age", "-a", "-R", f"{path}.pub", stdin="hello")
    assert run("age", "-d", "-i", path, stdin=sealed) == "hello"


@with_tools("ssh-keygen")
def test_ssh_keygen_can_put_a_passphrase_on_a_made_key(tmp_path: Path) -> None:
    path = tmp_path / "key"
    key = PrivateKey.generate()
    key.save(path)
    run("ssh-keygen", "-q", "-p", "-P", "", "-N", "new one", "-f", path)
    assert PrivateKey.load(path, lambda _: "new one").public == key.public


@pytest.mark.parametrize("there", ["key", "key.pub"])
def test_nothing_is_overwritten(tmp_path: Path, there: str) -> None:
    (tmp_path / there).write_text("precious")
    with pytest.raises(NotWritten, match="already exists") as caught:
        PrivateKey.generate().save(tmp_path / "key")
    # As for a game file, a note or a page that is in the way.
    assert caught.value.exit_code == 1
    assert there in caught.value.message
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [(there, "precious")]


def test_a_key_that_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(NoKey, match="cannot write"):
        PrivateKey.generate().save(tmp_path / "file" / "key")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@with_tools("ssh-keygen")
def test_a_wrong_passphrase_is_said(tmp_path: Path) -> None:
    path = keygen(tmp_path / "id", passphrase="right")
    with pytest.raises(NoKey, match="wrong passphrase"):
        PrivateKey.load(path, lambda _: "wrong")
    with pytest.raises(NoKey, match="wrong passphrase"):
        PrivateKey.load(path, lambda _: "")
    with pytest.raises(NoKey, match="needs a passphrase"):
        PrivateKey.load(path, None)


@with_tools("ssh-keygen")
@pytest.mark.parametrize(
    ("kind", "name"), [("rsa", "ssh-rsa"), ("ecdsa", "ecdsa-sha2-nistp256")], ids=str
)
@pytest.mark.parametrize("passphrase", ["", "secret"], ids=["plain", "encrypted"])
def test_other_kinds_of_key_are_named(
    tmp_path: Path, kind: str, name: str, passphrase: str
) -> None:
    path = keygen(tmp_path / "id", kind, passphrase)
    with pytest.raises(NoKey, match=f"kind {name}") as caught:
        PrivateKey.load(path, nobody)
    assert "sanjuan-ref key --make" in caught.value.hint


def test_other_files_are_named(tmp_path: Path) -> None:
    path = tmp_path / "key"
    good = PrivateKey(SEED).openssh("c").decode()
    for text, says in [
        ("", "is not a private key"),
        ("hello", "is not a private key"),
        (KNOWN["text"], "is a public key"),
        ("# created\nAGE-SECRET-KEY-1QQQ\n", "is an age identity"),
        (
            "-----BEGIN RSA PRIVATE KEY-----\nMII",
            "private key of kind RSA, not",
        ),
        (
            "-----BEGIN PRIVATE KEY-----\nMC4CAQ",
            "private key in PKCS 8, not",
        ),
        (good[:-40], "cut off"),
        (good.replace("b3BlbnNz", "AAAAAAAA"), "damaged"),
        (good.replace("AAAA", "____", 1), "damaged"),
        (good + "x" * 70_000, "too big"),
    ]:
        path.write_text(text)
        with pytest.raises(NoKey, match=says):
            PrivateKey.load(path, nobody)
    with pytest.raises(NoKey, match="no key file"):
        PrivateKey.load(tmp_path / "none", nobody)
    with pytest.raises(NoKey, match="is a folder, not a key file"):
        PrivateKey.load(tmp_path, nobody)
    path.write_text(good.replace("\n", "\r\n"))
    assert PrivateKey.load(path, nobody).public == PrivateKey(SEED).public


def test_every_damaged_byte_is_found_or_harmless(tmp_path: Path) -> None:
    key = PrivateKey(SEED)
    path = tmp_path / "key"
    good = key.openssh("comment")
    refused = 0
    for at in range(len(good)):
        path.write_bytes(good[:at] + bytes([good[at] ^ 1]) + good[at + 1 :])
        try:
            loaded = PrivateKey.load(path, lambda _: "x")
        except NoKey:
            refused += 1
        else:
            assert loaded.public == key.public
    # What is left is the text of the comment, and letters that base64 overlooks.
    assert refused > len(good) - 60


def test_halves_of_two_keys_are_refused(tmp_path: Path) -> None:
    mine, other = PrivateKey(SEED), PrivateKey(bytes(32))
    mixed = PrivateKey(SEED)
    mixed.public = other.public
    (tmp_path / "key").write_bytes(mixed.openssh())
    with pytest.raises(NoKey, match="do not belong together"):
        PrivateKey.load(tmp_path / "key", nobody)
    assert mine.public != other.public


def test_a_private_key_is_never_printed() -> None:
    key = PrivateKey(SEED)
    for text in (repr(key), str(key)):
        assert SEED.hex() not in text
        assert repr(SEED) not in text


def forms(text: str) -> list[bytes]:
    """Return what becomes of a text that passes through editors and shells of other systems."""
    return [
        b"\xef\xbb\xbf" + text.encode(),
        text.encode("utf-16"),
        b"\xfe\xff" + text.encode("utf-16-be"),
        text.replace("\n", "\r\n").encode("utf-8-sig"),
        text.rstrip("\n").encode(),
    ]


@with_tools("ssh-keygen")
@pytest.mark.parametrize("form", range(5))
def test_marks_and_line_ends_of_other_systems_do_not_matter(tmp_path: Path, form: int) -> None:
    path = tmp_path / "key"
    path.write_bytes(forms(PrivateKey(SEED).openssh().decode())[form])
    assert PrivateKey.load(path, nobody).public == load_public_key(path) == PrivateKey(SEED).public
    locked = keygen(tmp_path / "id", passphrase="secret")
    path.write_bytes(forms(locked.read_text())[form])
    assert PrivateKey.load(path, lambda _: "secret").public == load_public_key(locked)


CIPHERS = ("chacha20-poly1305@openssh.com", "aes128-ctr", "3des-cbc")


@with_tools("ssh-keygen")
@pytest.mark.parametrize("cipher", CIPHERS)
def test_a_cipher_that_cannot_be_undone_is_named_before_anybody_is_asked(
    tmp_path: Path, cipher: str
) -> None:
    path = keygen(tmp_path / "my id", "ed25519", "secret", "-Z", cipher)
    for read in (load_public_key, lambda path: PrivateKey.load(path, nobody)):
        with pytest.raises(NoKey, match=cipher) as caught:
            read(path)
        assert caught.value.hint.startswith("`ssh-keygen -p -Z aes256-ctr -f '")
    words = ("ssh-keygen", "-q", "-p", "-Z", "aes256-ctr", "-P", "secret", "-N", "secret", "-f")
    run(*words, path)
    assert PrivateKey.load(path, lambda _: "secret").public == load_public_key(path)


def test_keys_of_putty_are_named(tmp_path: Path) -> None:
    path = tmp_path / "my key.ppk"
    path.write_text("PuTTY-User-Key-File-3: ssh-ed25519\r\nEncryption: none\r\n")
    with pytest.raises(NoKey, match="a key of PuTTY") as caught:
        PrivateKey.load(path, nobody)
    assert caught.value.hint.startswith("`puttygen '")
    assert "-O private-openssh -o my.key`" in caught.value.hint
    path.write_text("---- BEGIN SSH2 PUBLIC KEY ----\nAAAA\n---- END SSH2 PUBLIC KEY ----\n")
    with pytest.raises(NoKey, match="is a public key"):
        PrivateKey.load(path, nobody)


def test_a_link_that_leads_nowhere_is_no_missing_file(tmp_path: Path) -> None:
    (tmp_path / "key").symlink_to(tmp_path / "gone")
    with pytest.raises(NoKey, match=r"key is a link to .*gone, and there is nothing"):
        PrivateKey.load(tmp_path / "key", nobody)


# Which key


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    monkeypatch.delenv("SANJUAN_KEY", raising=False)
    return tmp_path


def put(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("")
    return path


def test_the_search_goes_from_near_to_far(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(NoKey) as caught:
        find_key(None, "SANJUAN_KEY")
    assert caught.value.hint.startswith("make one with `sanjuan-ref key --make`")
    expected = put(home / ".ssh" / "id_ed25519")
    assert find_key(None, "SANJUAN_KEY") == expected
    expected = put(home / ".config" / "sanjuan-ref" / "key")
    assert find_key(None, "SANJUAN_KEY") == expected
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / "xdg"))
    expected = put(home / "xdg" / "sanjuan-ref" / "key")
    assert find_key(None, "SANJUAN_KEY") == expected
    monkeypatch.setenv("SANJUAN_KEY", "~/elsewhere")
    assert find_key(None, "SANJUAN_KEY") == home / "elsewhere"
    assert find_key(Path("given"), "SANJUAN_KEY") == Path("given")
    monkeypatch.setenv("SANJUAN_KEY", "")
    assert find_key(None, "SANJUAN_KEY") == expected


@given(st.binary(max_size=300))
def test_garbage_is_no_private_key(tmp_path_factory: Any, data: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "garbage"
    for content in (data, keys.BEGIN.encode() + data + keys.END.encode()):
        path.write_bytes(content)
        with pytest.raises(NoKey):
            PrivateKey.load(path, lambda _: "x")
