"""SSHSIG, the signatures of `ssh-keygen -Y`: the framing around Ed25519 (PROTOCOL 5).

The format is OpenSSH's PROTOCOL.sshsig, version 1, with Ed25519 keys and sha512.
"""

from __future__ import annotations

import binascii

from referee.crypto.keys import PrivateKey, PublicKey, packed, unpacked
from referee.errors import BadSignature
from referee.hashes import sha512

MOVE = "move@sanjuan-ref"
JOIN = "join@sanjuan-ref"
STATE = "state@sanjuan-ref"
SALT = "salt@sanjuan-ref"
VACATION = "vacation@sanjuan-ref"
TRANSFER = "transfer@sanjuan-ref"
PLAN = "plan@sanjuan-ref"
VOTE = "vote@sanjuan-ref"
LEAVE = "leave@sanjuan-ref"

MAGIC = b"SSHSIG"
HASH = "sha512"
BEGIN = "-----BEGIN SSH SIGNATURE-----"
END = "-----END SSH SIGNATURE-----"
COLUMNS = 70


class Signature:
    """The content of an armour: who signed, as what, and the 64 bytes of Ed25519."""

    __slots__ = ("namespace", "public", "raw64")

    def __init__(self, public: PublicKey, namespace: str, raw64: bytes) -> None:
        self.public = public
        self.namespace = namespace
        self.raw64 = raw64

    def armour(self) -> str:
        """Return the text that `ssh-keygen -Y sign` would have written."""
        return armour(self.public, self.namespace, self.raw64)


def _signed(namespace: str, message: bytes) -> bytes:
    digest = sha512(message)
    return MAGIC + packed(namespace.encode(), b"", HASH.encode(), digest)


def sign(key: PrivateKey, namespace: str, message: bytes) -> bytes:
    """Return the 64 bytes of Ed25519 under `message`; the same every time."""
    return key.sign(_signed(namespace, message))


def verify(public: PublicKey, namespace: str, message: bytes, sig64: bytes) -> bool:
    """Return True if the holder of `public` signed `message` in this namespace."""
    return public.verify(sig64, _signed(namespace, message))


def armour(public: PublicKey, namespace: str, sig64: bytes) -> str:
    """Return the text form, byte for byte as ssh-keygen lays it out, ending in a line end."""
    blob = (
        MAGIC
        + (1).to_bytes(4, "big")
        + packed(public.blob, namespace.encode(), b"", HASH.encode(), packed(b"ssh-ed25519", sig64))
    )
    body = binascii.b2a_base64(blob, newline=False).decode()
    lines = [body[at : at + COLUMNS] for at in range(0, len(body), COLUMNS)]
    return "\n".join([BEGIN, *lines, END, ""])


def parse(armoured: str) -> Signature:
    """Return the signature in an armoured text. Raises BadSignature for anything else."""
    lines = armoured.split("\n")
    if len(lines) < 4 or lines[0] != BEGIN or lines[-2:] != [END, ""]:
        raise BadSignature("this is not an SSH signature")
    found = parse_body("".join(lines[1:-2]))
    if found.armour() != armoured:
        raise BadSignature("the SSH signature is not laid out as ssh-keygen does it")
    return found


def parse_body(body: str) -> Signature:
    """Return the signature in the base64 between the armour lines. Raises BadSignature."""
    try:
        blob = binascii.a2b_base64(body.encode("ascii", "replace"))
    except binascii.Error:
        blob = b""
    if not blob or binascii.b2a_base64(blob, newline=False).decode() != body:
        raise BadSignature(
            "the SSH signature is damaged: its base64 is broken or cut off",
            "send the note again, attached as the file that was written",
        )
    if blob[:10] != MAGIC + b"\0\0\0\1":
        raise BadSignature("the SSH signature has an unknown format")
    try:
        blob_key, namespace, reserved, hash_name, blob_sig = unpacked(blob[10:], 5)
        kind, raw64 = unpacked(blob_sig, 2)
        key_kind, raw = unpacked(blob_key, 2)
    except ValueError:
        raise BadSignature("the SSH signature is damaged, or not one of an Ed25519 key") from None
    if kind != b"ssh-ed25519" or key_kind != kind or len(raw64) != 64:
        raise BadSignature("the SSH signature is not one of an Ed25519 key")
    if hash_name != HASH.encode() or reserved:
        raise BadSignature("the SSH signature does not use sha512, ssh-keygen's default")
    if not namespace or not all(0x21 <= byte <= 0x7E for byte in namespace):
        raise BadSignature("the SSH signature has a namespace that is not a word")
    return Signature(PublicKey(raw), namespace.decode(), raw64)
