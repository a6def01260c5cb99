"""Sealing texts to keys as age files in ASCII armour (PROTOCOL 6)."""

from __future__ import annotations

import binascii
import re
from typing import TYPE_CHECKING

from referee.crypto.keyplace import read_key_file
from referee.crypto.keys import PrivateKey, PublicKey
from referee.crypto.keytext import decode_key_text, is_public, not_a_private_key
from referee.crypto.primitives import Broken, NotForThisKey, primitives
from referee.errors import Damaged, NoKey
from referee.games.errors import NotUnderstood
from referee.hashes import sha256

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

BEGIN = "-----BEGIN AGE ENCRYPTED FILE-----"
END = "-----END AGE ENCRYPTED FILE-----"
COLUMNS = 64

BLOCK, NOTE_BLOCK = 256, 1024
NONCE, CHUNK, TAG = 16, 65536, 16
"""Bytes of a payload (age-encryption.org/v1): before the chunks, in each, and behind each."""
# The library takes time quadratic in the size of the header, and strangers send blocks.
MAX_STANZAS, MAX_HEADER = 16, 4096

BECH32 = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
# Montgomery u of the points of Curve25519 and its twist whose order divides 8.
P = 2**255 - 19
U8 = 0x57119FD0DD4E22D8868E1C58C45C44045BEF839C55B1D0B1248C50A3BC959C5F
U8_TWIN = 0xB8495F16056286FDB1329CEB8D09DA6AC49FF1FAE35616AEB8413B7C7AEBE0
SMALL = frozenset((0, 1, P - 1, U8, U8_TWIN))


class AgeIdentity:
    """An age key pair (`AGE-SECRET-KEY-1…`), which opens what was sealed to its `age1…`."""

    __slots__ = ("_identity", "recipient")

    def __init__(self, text: str) -> None:
        try:
            self.recipient = primitives().age_recipient(text)
        except Broken:
            raise NoKey("this is not an age identity: its checksum is wrong") from None
        self._identity = text


def holds_ssh_key(path: Path) -> bool:
    """Return True if a file that is to open something holds an SSH key. Raises NoKey."""
    either = "a private SSH key, or what age-keygen wrote"
    return "PRIVATE KEY-----" in _identity_text(path, "key or age identity", either)


def load_age_identity(path: Path) -> AgeIdentity:
    """Return the identity in a file as age-keygen writes it. Raises NoKey."""
    way = "the file that age-keygen wrote when you made it"
    text = _identity_text(path, "age identity", way)
    lines = [line.strip() for line in text.splitlines()]
    keys = [line for line in lines if line and not line.startswith("#")]
    if len(keys) != 1 or not re.fullmatch("AGE-SECRET-KEY-1[A-Z0-9]+", keys[0]):
        hint = "it holds one line that begins with AGE-SECRET-KEY-1, as age-keygen writes it"
        if "PRIVATE KEY-----" in text:
            hint = f"{hint}; a hand that is sealed to an SSH key opens with --key alone"
        raise NoKey(f"{path} is not an age identity file", hint)
    return AgeIdentity(keys[0])


def _identity_text(path: Path, kinds: str, way: str) -> str:
    """Return the text of a file that is to open something; `kinds` are those of keys that may lie
    there, and `way` says where such a file comes from. Raises NoKey."""
    try:
        text = decode_key_text(read_key_file(path))
    except NoKey as error:
        if error.reason == "no-key-file":
            error.message = f"there is no {kinds} file {path}"
            error.hint = f"check the name; it is {way}"
        raise
    if is_public(text):
        raise not_a_private_key(path, text)
    return text


def canonical_recipient(text: str) -> str:
    """Return the canonical text of a recipient: `age1…` or `ssh-ed25519 AAAA…` without comment.

    Raises NotUnderstood for another text, and like PublicKey.parse for an SSH key that cannot be
    used.
    """
    text = text.strip()
    if text.startswith("ssh-"):
        return PublicKey.parse(text).text
    fault = _age_fault(text)
    if fault:
        raise NotUnderstood(
            f"this is not a recipient to seal to: {fault}",
            "use the line age1… that age-keygen prints, or an ssh-ed25519 public key",
        )
    return text


def _age_fault(text: str) -> str:
    if not re.fullmatch("age1[a-z0-9]{58}", text):
        return "it is neither an X25519 recipient (age1 and 58 more) nor an ssh-ed25519 key"
    values = [BECH32.find(char) for char in text[4:]]
    # The prefix `age`, spread as Bech32 (BIP 173) wants it.
    check = 1
    for value in [3, 3, 3, 0, 1, 7, 5, *values]:
        top = check >> 25
        check = (check & 0x1FFFFFF) << 5 ^ value
        for bit, part in enumerate((0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3)):
            if top >> bit & 1:
                check ^= part
    number = 0
    for value in values[:-6]:
        number = number << 5 | value
    if -1 in values or check != 1 or number & 15:
        return "its checksum is wrong"
    u = int.from_bytes((number >> 4).to_bytes(32, "big"), "little")
    if u >= P:
        return "its point is not canonically encoded"
    if u in SMALL:
        return "its point has small order, so anybody could open what is sealed to it"
    return ""


def armour(raw: bytes) -> str:
    """Return an age file in its text form, ending in a line end."""
    return _framed(binascii.b2a_base64(raw, newline=False).decode())


def dearmour(block: str) -> bytes:
    """Return the age file of which `block` is the armour. Raises Damaged."""
    body = "".join(block.split("\n")[1:-2])
    try:
        raw = binascii.a2b_base64(body.encode("ascii", "replace"))
    except binascii.Error:
        raw = b""
    if not raw or armour(raw) != block:
        raise Damaged("the sealed block is damaged")
    return raw


def rebuild_armour(body: str) -> str:
    """Return the armoured block around base64 that lost its line ends. Raises Damaged."""
    block = _framed(body)
    dearmour(block)
    return block


def _framed(body: str) -> str:
    lines = [body[at : at + COLUMNS] for at in range(0, len(body), COLUMNS)]
    return "\n".join([BEGIN, *lines, END, ""])


def seal(plain: str, recipients: Sequence[str]) -> str:
    """Return an armoured block that each of the recipients can open, and nobody else.

    Raises like `recipient`.
    """
    to = [canonical_recipient(text) for text in recipients]
    if not to:
        raise ValueError("nobody to seal to")
    return armour(primitives().encrypt(plain.encode(), to))


def unseal(block: str, key: PrivateKey | AgeIdentity) -> str:
    """Return the text in a block.

    Raises NoKey when it is sealed to other keys, Damaged when it is broken. Neither quotes it.
    """
    raw = dearmour(block)
    if len(_stanzas(raw)) > MAX_STANZAS:
        raise Damaged(f"the block is sealed to more than {MAX_STANZAS} keys")
    identity = key.openssh() if isinstance(key, PrivateKey) else key._identity.encode()
    try:
        return primitives().decrypt(raw, identity).decode()
    except NotForThisKey:
        raise NoKey("the block is not sealed to this key", reason="not-sealed-to-you") from None
    except Broken:
        raise Damaged("the sealed block is damaged") from None
    except UnicodeDecodeError:
        raise Damaged("what is sealed in the block is not text") from None


def is_sealed_to(block: str, to: Sequence[str], unit: int, exact: int | None = None) -> bool:
    """Return True if an age file is for these recipients, in this order, and nobody else, and its
    text `unit` bytes or a multiple.

    With `exact` it has just so many bytes.

    Anybody can see that much of it: the header names an SSH key by four bytes of its SHA-256, an
    X25519 key not at all. Raises Damaged.
    """
    raw = dearmour(block)
    stanzas = _recipient_stanzas(raw)
    payload = raw.partition(b"\n--- ")[2].partition(b"\n")[2]
    fits = len(stanzas) == len(to) and all(map(_is_for, stanzas, to))
    sealed = len(payload) - NONCE
    size = sealed - TAG * -(-sealed // (CHUNK + TAG))
    return fits and size > 0 and size % unit == 0 and exact in (None, size)


def names(block: str, key: PublicKey) -> bool:
    """Return True if a block may be for an SSH key, which four bytes name. Raises Damaged."""
    return any(_is_for(stanza, key.text) for stanza in _recipient_stanzas(dearmour(block)))


def recipients_of(block: str) -> int:
    """Return to how many keys a block is sealed; raise Damaged."""
    return len(_recipient_stanzas(dearmour(block)))


def _recipient_stanzas(raw: bytes) -> list[list[bytes]]:
    return [words for words in _stanzas(raw) if not words[0].endswith(b"-grease")]


def _is_for(stanza: list[bytes], to: str) -> bool:
    """Return True if a stanza may be that of a recipient."""
    kind, share = (*stanza, b"")[:2]
    if not to.startswith("ssh-"):
        return kind == b"X25519"
    tag = sha256(PublicKey.parse(to).blob)[:4]
    named = binascii.b2a_base64(tag, newline=False).rstrip(b"=")
    return (kind, share) == (b"ssh-ed25519", named)


def _stanzas(raw: bytes) -> list[list[bytes]]:
    """Return the words of the first line of each stanza in an age file's header; raise Damaged."""
    header, end, _ = raw[:MAX_HEADER].partition(b"\n--- ")
    if not end:
        raise Damaged(f"the sealed block has no header of at most {MAX_HEADER} bytes")
    return [line.split(b" ")[1:] for line in header.split(b"\n") if line.startswith(b"-> ")]


def seal_note(note: str, referee: PublicKey) -> str:
    """Return a signed note, sealed to the referee; its size does not tell which answer it holds."""
    return seal(pad(note, NOTE_BLOCK), [referee.text])


def pad(text: str, block: int = BLOCK) -> str:
    """`text`, made a multiple of `block` bytes long by a line of `#` at its end, a TOML comment.

    `text` is empty or ends in a line end; where one byte is missing the line is empty.
    """
    missing = -len(text.encode()) % block
    return text + "#" * (missing - 1) + "\n" if missing else text
