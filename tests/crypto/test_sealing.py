"""Sealed blocks: in both directions with age, to SSH and age keys, and when they are broken."""

from __future__ import annotations

import subprocess
import tomllib
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from referee.crypto import sealing
from referee.crypto.keys import PrivateKey
from referee.crypto.sealing import (
    AgeIdentity,
    canonical_recipient,
    load_age_identity,
    pad,
    seal,
    unseal,
)
from referee.errors import BadSignature, Damaged, NoKey
from referee.games.errors import GameError, NotUnderstood
from tests.tools import with_tools

HERE = Path(__file__).parents[1] / "vectors"
KNOWN = tomllib.loads((HERE / "signing.toml").read_text(encoding="utf-8"))
KEY = PrivateKey(bytes.fromhex(KNOWN["key"]["seed"]))
SEALED = KNOWN["sealed"]
AGE = AgeIdentity(SEALED["identity"])
REFUSED = tomllib.loads((HERE / "recipients.toml").read_text(encoding="utf-8"))["refused"]
SECRET = "ben holds the library: ünknown\n"


def age(*arguments: str | Path, stdin: str = "") -> str:
    return subprocess.run(
        ["age", *arguments], input=stdin, capture_output=True, text=True, check=True
    ).stdout


def test_the_known_block_opens_to_both_its_keys() -> None:
    assert AGE.recipient == SEALED["recipient"]
    assert unseal(SEALED["block"], KEY) == unseal(SEALED["block"], AGE) == SEALED["plain"]


@with_tools("age")
def test_age_opens_what_we_seal(tmp_path: Path) -> None:
    KEY.save(tmp_path / "ssh")
    (tmp_path / "age").write_text(SEALED["identity"] + "\n")
    block = seal(SECRET, [KEY.public.text, AGE.recipient])
    for identity in ("ssh", "age"):
        assert age("-d", "-i", tmp_path / identity, stdin=block) == SECRET


@with_tools("age", "age-keygen")
def test_we_open_what_age_seals(tmp_path: Path) -> None:
    subprocess.run(["age-keygen", "-o", tmp_path / "age"], check=True, capture_output=True)
    identity = load_age_identity(tmp_path / "age")
    for to, key in ((KEY.public.text, KEY), (identity.recipient, identity)):
        block = age("-a", "-r", to, stdin=SECRET)
        assert unseal(block, key) == SECRET
        assert sealing.armour(sealing.dearmour(block)) == block


OTHER = PrivateKey(bytes(32)).public.text


@pytest.mark.parametrize("words", [b"x " + b"y " * 2000 + b"z", b"x" * 4000])
def test_a_long_header_is_not_looked_at(words: bytes) -> None:
    """The library takes time quadratic in its size: seconds for 46 kB."""
    head, mark, rest = sealing.dearmour(seal(SECRET, [KEY.public.text])).partition(b"\n-> ")
    long = sealing.armour(head + mark + words + b"\n" + b"A" * 43 + mark + rest)
    for look in (lambda: unseal(long, KEY), lambda: sealing.is_sealed_to(long, [OTHER], 1)):
        with pytest.raises(Damaged, match="4096"):
            look()


def test_grease_without_a_word_is_passed_over() -> None:
    head, mark, rest = sealing.dearmour(seal("#" * 256, [KEY.public.text])).partition(b"\n-> ")
    greased = sealing.armour(head + mark + b"x-grease\n" + b"A" * 43 + mark + rest)
    assert sealing.is_sealed_to(greased, [KEY.public.text], 256)
    for words in (b"x", b""):
        odd = sealing.armour(head + mark + words + b"\n" + b"A" * 43 + mark + rest)
        assert not sealing.is_sealed_to(odd, [KEY.public.text], 256)


@with_tools("age")
@pytest.mark.parametrize("to", [KEY.public.text, AGE.recipient])
def test_anybody_sees_for_how_many_and_how_much_is_sealed(to: str) -> None:
    for size in (256, 1024, 65536, 65536 + 256):
        for block in (seal("#" * size, [to]), age("-a", "-r", to, stdin="#" * size)):
            assert sealing.is_sealed_to(block, [to], 256)
            assert not sealing.is_sealed_to(block, [to], 1024 * 1024)
            assert not sealing.is_sealed_to(block, [OTHER], 256)
        both = seal("#" * size, [to, OTHER])
        assert sealing.recipients_of(both) == 2
        assert not sealing.is_sealed_to(both, [to], 256)
        assert sealing.is_sealed_to(both, [to, OTHER], 256)
        assert not sealing.is_sealed_to(block, [to, OTHER], 256)
        assert not sealing.is_sealed_to(seal("#" * (size - 1), [to]), [to], 256)
    assert not sealing.is_sealed_to(seal("", [to]), [to], 256)
    with pytest.raises(Damaged):
        sealing.is_sealed_to(sealing.armour(b"age-encryption.org/v1\n"), [to], 256)


@pytest.mark.parametrize("form", ["utf-8-sig", "utf-16"])
def test_marks_of_other_systems_do_not_matter_to_an_identity(tmp_path: Path, form: str) -> None:
    text = f"# created: now\r\n{SEALED['identity']}\r\n"
    (tmp_path / "age").write_bytes(text.encode(form))
    assert load_age_identity(tmp_path / "age").recipient == SEALED["recipient"]


def test_blocks_differ_each_time() -> None:
    assert seal(SECRET, [KEY.public.text]) != seal(SECRET, [KEY.public.text])


def test_the_wrong_key_is_told_so() -> None:
    block = seal(SECRET, [KEY.public.text])
    for key in (PrivateKey.generate(), AGE):
        with pytest.raises(NoKey, match="not sealed to this key") as caught:
            unseal(block, key)
        assert caught.value.reason == "not-sealed-to-you"


WITH_A_PASSPHRASE = """\
-----BEGIN AGE ENCRYPTED FILE-----
YWdlLWVuY3J5cHRpb24ub3JnL3YxCi0+IHNjcnlwdCBuMWNHV0JKNVoyUFZuT1Jm
V1hrSDJ3IDE0CmhDeEkrUEtiWmJXaFFRWEV3cEJYQklSbTJZazBWdHlPWVoyRFox
bUlPN1kKLS0tIDVuN29BTVluZ1ZLYzFIVXhCd3I1NThzVFNYYmJQQXM0Uno1TVN0
V3JoakEKaeutNu37uIUtJPoWfh5CzNlKqb1iRS+5RErUI2IYYzSF
-----END AGE ENCRYPTED FILE-----
"""
"""An x under the passphrase y, as age makes it, which takes seconds."""


def test_a_block_with_a_passphrase_is_not_sealed_to_a_key() -> None:
    with pytest.raises(NoKey):
        unseal(WITH_A_PASSPHRASE, KEY)


def test_what_is_sealed_must_be_text() -> None:
    from pyrage import encrypt, ssh  # type: ignore[import-untyped]

    raw = encrypt(b"\xff\xfe secret", [ssh.Recipient.from_str(KEY.public.text)])
    with pytest.raises(Damaged, match="not text") as caught:
        unseal(sealing.armour(raw), KEY)
    assert "secret" not in str(caught.value)
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__


@given(st.integers(0), st.integers(1, 255))
def test_a_changed_block_is_damaged(at: int, bits: int) -> None:
    raw = bytearray(sealing.dearmour(SEALED["block"]))
    raw[at % len(raw)] ^= bits
    # NoKey, when what was hit is the part that says to whom it is sealed.
    with pytest.raises((Damaged, NoKey)) as caught:
        unseal(sealing.armour(bytes(raw)), PrivateKey(bytes(32)) if at % 2 else KEY)
    assert "library" not in str(caught.value)


@pytest.mark.parametrize("cut", [0, 1, 30, 100, 250, 330])
def test_a_cut_block_is_damaged(cut: int) -> None:
    raw = sealing.dearmour(SEALED["block"])
    with pytest.raises(Damaged):
        unseal(sealing.armour(raw[:cut]), KEY)
    with pytest.raises(Damaged):
        unseal(SEALED["block"][:cut], KEY)


@given(st.text(max_size=200), st.integers(0, 700))
def test_garbage_is_no_block(text: str, at: int) -> None:
    block = SEALED["block"]
    for broken in (text, block[:at] + text, block[:at] + text + block[at:]):
        if broken != block:
            with pytest.raises(Damaged):
                unseal(broken, KEY)


def test_points_of_small_order_in_a_block_are_only_damage() -> None:
    """A stranger may send the referee a block whose ephemeral share is a small point."""
    import hashlib

    from referee.crypto.hashing import b64

    tag = b64(hashlib.sha256(KEY.public.blob).digest()[:4])
    for u in sealing.SMALL:
        share = b64(u.to_bytes(32, "little"))
        for stanza in (f"ssh-ed25519 {tag}", "X25519"):
            header = f"age-encryption.org/v1\n-> {stanza} {share}\n{b64(bytes(32))}\n--- "
            raw = header.encode() + b64(bytes(32)).encode() + b"\n" + bytes(40)
            for key in (KEY, AGE):
                with pytest.raises((Damaged, NoKey)):
                    unseal(sealing.armour(raw), key)


# Recipients


def test_recipients_are_made_canonical() -> None:
    assert canonical_recipient(f" {KEY.public.text} ana@home\n") == KEY.public.text
    assert canonical_recipient(AGE.recipient + "\n") == AGE.recipient


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: case["note"])
def test_other_recipients_are_refused(case: dict[str, str]) -> None:
    error = BadSignature if case["text"].startswith("ssh-") else NotUnderstood
    with pytest.raises(error, match=case["why"]):
        canonical_recipient(case["text"])
    with pytest.raises(error, match=case["why"]):
        seal("x", [AGE.recipient, case["text"]])


def test_the_list_of_small_order_follows_from_that_of_ed25519() -> None:
    from referee.crypto.keys import SMALL

    p = sealing.P
    mapped = {(1 + y) * pow(1 - y, -1, p) % p for y in SMALL if y != 1}
    # y = 1 has no image. Of the twist, which X25519 serves too, -1 stands in for it.
    assert mapped <= sealing.SMALL
    assert sealing.SMALL - mapped <= {1, p - 1}


@given(st.integers(4, 61), st.sampled_from(sealing.BECH32 + "bio1AZ"))
def test_one_wrong_letter_is_found(at: int, letter: str) -> None:
    text = AGE.recipient[:at] + letter + AGE.recipient[at + 1 :]
    if text != AGE.recipient:
        with pytest.raises(NotUnderstood):
            canonical_recipient(text)


@given(st.text())
def test_garbage_is_no_recipient(text: str) -> None:
    with pytest.raises(GameError):
        canonical_recipient(text)


def test_every_recipient_of_age_keygen_is_one() -> None:
    from pyrage import x25519

    for _ in range(50):
        text = str(x25519.Identity.generate().to_public())
        assert canonical_recipient(text) == text


# Identity files


@pytest.mark.parametrize(
    "text",
    [
        "",
        "hello",
        f"{SEALED['identity']}\n{SEALED['identity']}\n",
        SEALED["identity"][:-1] + "Q",
        SEALED["identity"].lower(),
        "AGE-PLUGIN-YUBIKEY-1QQQQ",
        KEY.openssh().decode(),
    ],
)
def test_other_files_are_no_identity(tmp_path: Path, text: str) -> None:
    (tmp_path / "identity").write_text(text)
    with pytest.raises(NoKey) as caught:
        load_age_identity(tmp_path / "identity")
    assert "AGE-SECRET-KEY-1X" not in str(caught.value)
    with pytest.raises(NoKey, match="no age identity file"):
        load_age_identity(tmp_path / "none")


# Padding


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"])), st.sampled_from([2, 16, 256]))
@example("a" * 254, 256)
@example("a" * 253, 256)
def test_padding_is_a_comment_up_to_a_multiple(comment: str, block: int) -> None:
    text = f"# {comment}\na = 1\n"
    padded = pad(text, block)
    assert len(padded.encode()) % block == 0
    assert len(padded.encode()) - len(text.encode()) < block
    assert padded.startswith(text)
    assert padded.endswith("\n")
    assert tomllib.loads(padded) == {"a": 1}
    assert pad(padded, block) == padded


@pytest.mark.parametrize(("size", "padded"), [(0, 0), (1, 256), (254, 256), (255, 256), (256, 256)])
def test_padded_sizes(size: int, padded: int) -> None:
    text = "x" * (size - 1) + "\n" if size else ""
    assert len(pad(text)) == padded
