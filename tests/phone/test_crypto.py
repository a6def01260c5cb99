"""The app's cryptography: the same known answers, and both ways with ssh-keygen, age and pyrage."""

from __future__ import annotations

import json
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest

from referee.crypto import sshsig
from referee.crypto.hashing import unb64
from referee.crypto.keys import PrivateKey, PublicKey
from referee.crypto.primitives import Broken, NotForThisKey, Primitives
from referee.crypto.sealing import AgeIdentity, armour, dearmour, seal, unseal
from referee.errors import BadSignature, Damaged, NoKey
from referee.phone.browser import BrowserPrimitives
from referee.phone.door import call
from tests.phone.curve import crafted
from tests.phone.site import Engine

HERE = Path(__file__).parents[1] / "vectors"
KNOWN = tomllib.loads((HERE / "signing.toml").read_text("utf-8"))
REFUSED = tomllib.loads((HERE / "keys.toml").read_text("utf-8"))["refused"]
SEED = bytes.fromhex(KNOWN["key"]["seed"])
SECRET = "ben holds the library: ünknown\n"
SIZES = (0, 1, 65535, 65536, 65537, 131072, 200_000)

OTHER = Primitives()


@pytest.fixture
def ours(engine: Engine) -> BrowserPrimitives:
    return BrowserPrimitives(engine, lambda value: value)


def test_known_signatures_are_made_and_taken(browsers: None) -> None:
    key, said = PrivateKey(SEED), KNOWN["signature"]
    assert key.public.hex == KNOWN["key"]["hex"]
    message = said["message"].encode()
    raw = sshsig.sign(key, said["namespace"], message)
    assert sshsig.armour(key.public, said["namespace"], raw) == said["armour"].lstrip("\n")
    assert sshsig.verify(key.public, said["namespace"], message, raw)
    assert not sshsig.verify(key.public, said["namespace"], message + b".", raw)
    assert not sshsig.verify(key.public, said["namespace"], message, raw[:-1])


@pytest.mark.parametrize("edge", KNOWN["edge"], ids=lambda edge: edge["why"])
def test_signatures_at_the_edge_are_judged_as_by_openssl(
    edge: dict[str, Any], browsers: None
) -> None:
    said = KNOWN["signature"]
    public, raw = PublicKey.parse(edge["key"]), unb64(edge["raw"], 64)
    assert sshsig.verify(public, said["namespace"], said["message"].encode(), raw) == edge["right"]


@pytest.mark.parametrize("refused", REFUSED, ids=lambda one: one["note"])
def test_refused_keys_are_refused_before_they_verify_anything(
    refused: dict[str, str], browsers: None
) -> None:
    with pytest.raises(BadSignature):
        PublicKey(bytes.fromhex(refused["hex"]))


def test_keys_that_verify_much_are_as_strict(ours: BrowserPrimitives) -> None:
    # After some signatures of a key the script looks its multiples up.
    public, sign = ours.signer(SEED)
    verify = ours.verifier(public)
    for number in range(12):
        data = f"message {number}".encode()
        assert verify(sign(data), data)
        assert not verify(sign(data), data + b"!")
        assert not verify(sign(data)[:32] + bytes(32), data)


def test_the_known_block_opens_to_both_its_keys(browsers: None) -> None:
    said = KNOWN["sealed"]
    identity = AgeIdentity(said["identity"])
    assert identity.recipient == said["recipient"]
    assert unseal(said["block"], PrivateKey(SEED)) == said["plain"]
    assert unseal(said["block"], identity) == said["plain"]


@pytest.mark.parametrize("size", SIZES)
def test_what_one_library_seals_the_other_opens(size: int, ours: BrowserPrimitives) -> None:
    key, identity = PrivateKey(SEED), KNOWN["sealed"]["identity"].encode()
    to = [key.public.text, KNOWN["sealed"]["recipient"]]
    plain = bytes(at * 7 % 251 for at in range(size))
    for seals, opens in ((ours, OTHER), (OTHER, ours), (ours, ours)):
        sealed = seals.encrypt(plain, to)
        assert opens.decrypt(sealed, key.openssh()) == plain
        assert opens.decrypt(sealed, identity) == plain


def test_age_opens_what_the_app_seals_and_the_other_way_round(
    browsers: None, tmp_path: Path
) -> None:
    key = PrivateKey(SEED)
    key.save(tmp_path / "key")
    opened = subprocess.run(
        ["age", "-d", "-i", tmp_path / "key"],
        input=seal(SECRET, [key.public.text]),
        capture_output=True,
        text=True,
        check=True,
    )
    assert opened.stdout == SECRET
    for to in (key.public.text, KNOWN["sealed"]["recipient"]):
        block = subprocess.run(
            ["age", "-a", "-r", to], input=SECRET, capture_output=True, text=True, check=True
        ).stdout
        opener = key if to == key.public.text else AgeIdentity(KNOWN["sealed"]["identity"])
        assert unseal(block, opener) == SECRET


def test_crafted_signatures_are_judged_as_by_openssl(ours: BrowserPrimitives) -> None:
    right = []
    for public, message, signature in crafted(160, "edge"):
        found = OTHER.verifier(public)(signature, message)
        assert ours.verifier(public)(signature, message) == found
        right.append(found)
    # Points of small order cancel out now and then.
    assert all(right[:4])
    assert 10 < sum(right) < 80


def test_the_app_takes_a_signature_of_ssh_keygen(browsers: None, tmp_path: Path) -> None:
    key = PrivateKey(SEED)
    key.save(tmp_path / "key")
    arguments = ["-f", "key", "-n", sshsig.MOVE, "play"]
    (tmp_path / "play").write_bytes(b"play\n")
    subprocess.run(
        ["ssh-keygen", "-Y", "sign", *arguments], cwd=tmp_path, check=True, capture_output=True
    )
    made = (tmp_path / "play.sig").read_text()
    found = sshsig.parse(made)
    assert found.public == key.public
    assert sshsig.verify(found.public, sshsig.MOVE, b"play\n", found.raw64)
    # The same text comes from both, so that a note is one note wherever it was signed.
    assert made == sshsig.armour(key.public, sshsig.MOVE, sshsig.sign(key, sshsig.MOVE, b"play\n"))


def test_ssh_keygen_reads_a_key_of_the_app(browsers: None, tmp_path: Path) -> None:
    made = json.loads(call("make_key", "{}"))["done"]
    (tmp_path / "key").write_text(made["openssh"])
    (tmp_path / "key").chmod(0o600)
    said = subprocess.run(
        ["ssh-keygen", "-y", "-f", "key"], cwd=tmp_path, check=True, capture_output=True, text=True
    )
    assert said.stdout.split()[:2] == made["public"].split()[:2]


def test_ssh_keygen_takes_a_signature_of_the_app(browsers: None, tmp_path: Path) -> None:
    key = PrivateKey(SEED)
    (tmp_path / "signers").write_text(f'ana namespaces="move@sanjuan-ref" {key.public.text}\n')
    raw = sshsig.sign(key, sshsig.MOVE, b"play\n")
    (tmp_path / "play.sig").write_text(sshsig.armour(key.public, sshsig.MOVE, raw))
    arguments = ["-f", "signers", "-I", "ana", "-n", sshsig.MOVE, "-s", "play.sig"]
    subprocess.run(
        ["ssh-keygen", "-Y", "verify", *arguments],
        input=b"play\n",
        cwd=tmp_path,
        check=True,
        capture_output=True,
    )


@pytest.mark.parametrize("cipher", ["aes256-ctr", "aes256-cbc", "aes256-gcm@openssh.com"])
def test_a_key_with_a_passphrase_is_opened(browsers: None, tmp_path: Path, cipher: str) -> None:
    path = tmp_path / "key"
    # Few rounds: they take time, and are all alike.
    more = ["-Z", cipher, "-a", "2", "-f", str(path)]
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "päss", *more], check=True)
    key = PrivateKey.load(path, lambda _: "päss")
    assert key.public.text in (tmp_path / "key.pub").read_text()
    with pytest.raises(NoKey, match="wrong passphrase"):
        PrivateKey.load(path, lambda _: "pass")


def test_blocks_for_others_and_broken_ones_are_told_apart(ours: BrowserPrimitives) -> None:
    key, other = PrivateKey(SEED), PrivateKey(bytes(32))
    sealed = OTHER.encrypt(b"text", [key.public.text])
    with pytest.raises(NotForThisKey):
        ours.decrypt(sealed, other.openssh())
    for at in range(0, len(sealed), 7):
        changed = sealed[:at] + bytes([sealed[at] ^ 1]) + sealed[at + 1 :]
        with pytest.raises((Broken, NotForThisKey)):
            ours.decrypt(changed, key.openssh())
    for cut in (0, 10, 100, len(sealed) - 1):
        with pytest.raises(Broken):
            ours.decrypt(sealed[:cut], key.openssh())


def test_a_changed_block_is_damaged(browsers: None) -> None:
    key = PrivateKey(SEED)
    raw = dearmour(seal(SECRET, [key.public.text]))
    with pytest.raises(Damaged):
        unseal(armour(raw[:-1] + bytes([raw[-1] ^ 1])), key)
