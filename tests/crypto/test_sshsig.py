"""SSHSIG in both directions with ssh-keygen, and what is no signature."""

from __future__ import annotations

import base64
import subprocess
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.crypto import sshsig
from referee.crypto.hashing import unb64
from referee.crypto.keys import PrivateKey, PublicKey, packed
from referee.errors import BadSignature
from referee.games.errors import GameError
from tests.tools import with_tools

KNOWN = tomllib.loads(
    (Path(__file__).parents[1] / "vectors" / "signing.toml").read_text(encoding="utf-8")
)
KEY = PrivateKey(bytes.fromhex(KNOWN["key"]["seed"]))
SIGNATURE = KNOWN["signature"]
NAMESPACES = (sshsig.MOVE, sshsig.JOIN, sshsig.STATE, sshsig.SALT)


def keygen(*arguments: str | Path, message: bytes) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(["ssh-keygen", "-Y", *arguments], input=message, capture_output=True)


def test_signature_has_its_known_answer() -> None:
    raw = unb64(SIGNATURE["raw"], 64)
    message = SIGNATURE["message"].encode()
    assert sshsig._signed(SIGNATURE["namespace"], message).hex() == SIGNATURE["signed"]
    assert sshsig.sign(KEY, SIGNATURE["namespace"], message) == raw
    assert sshsig.armour(KEY.public, SIGNATURE["namespace"], raw) == SIGNATURE["armour"]
    found = sshsig.parse(SIGNATURE["armour"])
    assert (found.public, found.namespace, found.raw64) == (
        KEY.public,
        SIGNATURE["namespace"],
        raw,
    )


@with_tools("ssh-keygen")
@pytest.mark.parametrize("edge", KNOWN["edge"], ids=lambda edge: edge["why"])
def test_where_implementations_part(edge: dict[str, Any], tmp_path: Path) -> None:
    """One file must not hold for some and be forged for others."""
    public, raw = PublicKey.parse(edge["key"]), unb64(edge["raw"], 64)
    namespace, message = SIGNATURE["namespace"], SIGNATURE["message"].encode()
    assert sshsig.verify(public, namespace, message, raw) == edge["right"]
    (tmp_path / "signers").write_text(f"ana {public.text}\n")
    (tmp_path / "sig").write_text(sshsig.armour(public, namespace, raw))
    words = ("-f", tmp_path / "signers", "-I", "ana", "-n", namespace, "-s", tmp_path / "sig")
    theirs = keygen("verify", *words, message=message)
    # OpenSSH looks at the highest bits of s alone, so that there are two texts of one signature.
    assert (theirs.returncode == 0) == (edge["right"] or edge["why"] == "s is not below L")


@with_tools("ssh-keygen")
@pytest.mark.parametrize("namespace", NAMESPACES)
@pytest.mark.parametrize("message", [b"", b"hello\n", bytes(range(256)) * 50], ids=len)
def test_ssh_keygen_writes_what_we_write(tmp_path: Path, namespace: str, message: bytes) -> None:
    KEY.save(tmp_path / "key")
    theirs = keygen("sign", "-n", namespace, "-f", tmp_path / "key", message=message)
    raw = sshsig.sign(KEY, namespace, message)
    # Ed25519 has one signature for a message, so that the whole text must be the same.
    assert theirs.stdout.decode() == sshsig.armour(KEY.public, namespace, raw)
    assert sshsig.parse(theirs.stdout.decode()).raw64 == raw


@with_tools("ssh-keygen")
@pytest.mark.parametrize("namespace", NAMESPACES)
def test_ssh_keygen_verifies_what_we_sign(tmp_path: Path, namespace: str) -> None:
    key = PrivateKey.generate()
    message = b"over the hills\n"
    (tmp_path / "signers").write_text(f'ana namespaces="*@sanjuan-ref" {key.public.text}\n')
    (tmp_path / "sig").write_text(
        sshsig.armour(key.public, namespace, sshsig.sign(key, namespace, message))
    )

    def verdict(space: str, text: bytes) -> int:
        return keygen(
            *("verify", "-f", tmp_path / "signers", "-I", "ana"),
            *("-n", space, "-s", tmp_path / "sig"),
            message=text,
        ).returncode

    assert verdict(namespace, message) == 0
    assert verdict(namespace, message + b"x") != 0
    assert verdict("file", message) != 0


@with_tools("ssh-keygen")
def test_an_encrypted_key_signs_as_ssh_keygen_would(tmp_path: Path) -> None:
    KEY.save(tmp_path / "key")
    subprocess.run(
        ["ssh-keygen", "-q", "-p", "-P", "", "-N", "pass", "-f", tmp_path / "key"], check=True
    )
    key = PrivateKey.load(tmp_path / "key", lambda _: "pass")
    assert sshsig.sign(key, sshsig.MOVE, b"x") == sshsig.sign(KEY, sshsig.MOVE, b"x")


def test_a_signature_is_for_one_namespace_message_and_key() -> None:
    raw = sshsig.sign(KEY, sshsig.MOVE, b"text")
    assert sshsig.verify(KEY.public, sshsig.MOVE, b"text", raw)
    assert not sshsig.verify(KEY.public, sshsig.JOIN, b"text", raw)
    assert not sshsig.verify(KEY.public, sshsig.MOVE, b"text\n", raw)
    assert not sshsig.verify(PrivateKey.generate().public, sshsig.MOVE, b"text", raw)


def blob(
    *,
    magic: bytes = b"SSHSIG\0\0\0\1",
    key: bytes = packed(b"ssh-ed25519", KEY.public.raw),
    namespace: bytes = b"state@sanjuan-ref",
    reserved: bytes = b"",
    hash_name: bytes = b"sha512",
    signature: bytes = packed(b"ssh-ed25519", bytes(64)),
    more: bytes = b"",
) -> bytes:
    return magic + packed(key, namespace, reserved, hash_name, signature) + more


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (blob(magic=b"SSHSIG\0\0\0\2"), "unknown format"),
        (blob(magic=b"SSHSIX\0\0\0\1"), "unknown format"),
        (blob(key=packed(b"ssh-rsa", b"\1\0\1", b"n")), "not one of an Ed25519"),
        (blob(key=packed(b"ssh-ed25519", bytes(31))), "32 bytes"),
        (blob(key=packed(b"ssh-ed25519", bytes(32))), "small order"),
        (blob(key=packed(b"ssh-ed25519", KEY.public.raw) + b"x"), "damaged"),
        (blob(namespace=b""), "not a word"),
        (blob(namespace=b"a b"), "not a word"),
        (blob(namespace=b"caf\xc3\xa9"), "not a word"),
        (blob(reserved=b"x"), "sha512"),
        (blob(hash_name=b"sha256"), "sha512"),
        (blob(signature=packed(b"ssh-ed25519", bytes(63))), "not one of an Ed25519"),
        (blob(signature=packed(b"sk-ssh-ed25519@openssh.com", bytes(64))), "not one of an Ed"),
        (blob(more=b"x"), "damaged"),
        (blob()[:-1], "damaged"),
        (b"SSHSIG\0\0\0\1", "damaged"),
        (b"", "damaged"),
    ],
)
def test_other_blobs_are_no_signature(data: bytes, says: str) -> None:
    with pytest.raises(BadSignature, match=says):
        sshsig.parse_body(base64.b64encode(data).decode())


def test_the_whole_blob_is_one() -> None:
    assert sshsig.parse_body(base64.b64encode(blob()).decode()).raw64 == bytes(64)


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text[:-1],
        lambda text: text + "\n",
        lambda text: " " + text,
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.replace("\n", "\n\n", 1),
        lambda text: text.replace("==", ""),
        lambda text: text.replace("Dw==", "Dx=="),
        lambda text: text.replace("SSH SIGNATURE", "PGP SIGNATURE"),
        lambda text: sshsig.BEGIN + "\n" + sshsig.END + "\n",
        lambda text: text.replace("AAAA", "AAA\u0410", 1),
        lambda text: "".join(text.split("\n")),
    ],
)
def test_the_armour_is_read_strictly(change: Callable[[str], str]) -> None:
    changed = change(SIGNATURE["armour"])
    assert changed != SIGNATURE["armour"]
    with pytest.raises(BadSignature):
        sshsig.parse(changed)


@given(st.text() | st.text("ABCab=/+\n"), st.integers(0, 300))
def test_garbage_is_no_signature(text: str, at: int) -> None:
    whole = SIGNATURE["armour"]
    for armour in (text, f"{sshsig.BEGIN}\n{text}\n{sshsig.END}\n", whole[:at] + text + whole[at:]):
        try:
            found = sshsig.parse(armour)
        except GameError:
            continue
        assert found.armour() == armour


def test_a_key_of_small_order_would_verify_anything() -> None:
    """Such keys are refused because this one needs no secret at all."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    identity = bytes([1]) + bytes(31)
    forged = identity + bytes(32)
    Ed25519PublicKey.from_public_bytes(identity).verify(forged, b"whatever I like")
    with pytest.raises(BadSignature):
        PublicKey(identity)
