"""SSH Ed25519 keys: reading, checking, making, signing and verifying (PROTOCOL 4)."""

from __future__ import annotations

import binascii
import os
import re
from functools import lru_cache
from typing import TYPE_CHECKING

from referee.crypto.hashing import b64
from referee.crypto.keyplace import read_key_file
from referee.crypto.keytext import (
    CIPHERS,
    MAKE,
    damaged_key,
    decode_key_text,
    not_a_private_key,
    unsupported_cipher,
)
from referee.crypto.primitives import Broken, UnknownCipher, primitives
from referee.errors import BadSignature, NoKey
from referee.hashes import sha256
from referee.records import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from referee.crypto.keyplace import Place
    from referee.crypto.primitives import Verify

KIND = b"ssh-ed25519"
MAGIC = b"openssh-key-v1\0"
BEGIN = "-----BEGIN OPENSSH PRIVATE KEY-----"
END = "-----END OPENSSH PRIVATE KEY-----"

# Edwards25519: -x² + y² = 1 + dx²y² modulo P.
P = 2**255 - 19
D = -121665 * pow(121666, -1, P) % P
# The y of the eight points whose order divides 8; ±Y8 belong to the four of order 8.
Y8 = 0x7A03AC9277FDC74EC6CC392CFA53202A0F67100D760B3CBA4FD84D3D706A17C7
SMALL = frozenset((0, 1, P - 1, Y8, P - Y8))


def packed(*strings: bytes) -> bytes:
    """SSH wire strings: each with its length in four bytes before it."""
    return b"".join([len(string).to_bytes(4, "big") + string for string in strings])


def unpacked(data: bytes, count: int) -> list[bytes]:
    """Exactly `count` SSH wire strings that fill `data`; raises ValueError."""
    found, rest = _unpacked_some(data, count)
    if rest:
        raise ValueError("trailing bytes")
    return found


def _unpacked_some(data: bytes, count: int) -> tuple[list[bytes], bytes]:
    found = []
    for _ in range(count):
        end = 4 + int.from_bytes(data[:4], "big")
        if len(data) < max(4, end):
            raise ValueError("cut off")
        found.append(data[4:end])
        data = data[end:]
    return found, data


class PublicKey:
    """A seat's or the referee's public key: 32 bytes that are a usable point of the curve.

    Raises BadSignature for a point that is not on the curve, not canonically encoded, or of small
    order: under such a key anybody can sign, and what is sealed to it anybody can open.
    """

    __slots__ = ("_verifier", "raw")

    def __init__(self, raw: bytes) -> None:
        why = _fault(raw)
        if why:
            raise BadSignature(
                f"this public key cannot be used: {why}",
                "make another with `sanjuan-ref key --make FILE`",
                reason="bad-key",
            )
        self.raw = raw
        self._verifier: Verify | None = None

    @classmethod
    def parse(cls, text: str) -> PublicKey:
        """Return the key in an OpenSSH line (`ssh-ed25519 AAAA… comment`) or in 64 hex digits.

        Raises BadSignature, naming the kind of key where it is another one.
        """
        text = text.strip()
        if len(text) == 64 and re.fullmatch("[0-9a-f]{64}", text):
            return cls(bytes.fromhex(text))
        words = text.split(None, 2) if "\n" not in text and "\r" not in text else []
        if len(words) > 1 and words[0] == "ssh-ed25519":
            try:
                blob = binascii.a2b_base64(words[1].encode("ascii", "replace"))
                kind, raw = unpacked(blob, 2)
            except ValueError:
                kind = raw = b""
            if kind == KIND and len(raw) == 32 and _line(raw) == f"ssh-ed25519 {words[1]}":
                return cls(raw)
            raise BadSignature("this public key is damaged", reason="bad-key")
        if len(words) > 1 and re.fullmatch(r"(sk-)?(ssh|ecdsa)-[a-z0-9@.-]{1,60}", words[0]):
            raise BadSignature(
                f"this is a public key of kind {words[0]}; only ssh-ed25519 can be used",
                MAKE,
                reason="bad-key",
            )
        raise BadSignature(
            "this is not a public key",
            "it is a line that begins with ssh-ed25519, the content of a .pub file",
            reason="bad-key",
        )

    @property
    def blob(self) -> bytes:
        """The key as SSH puts it on the wire."""
        return packed(KIND, self.raw)

    @property
    def text(self) -> str:
        """The OpenSSH line without comment."""
        return _line(self.raw)

    @property
    def hex(self) -> str:
        """64 hex digits, as join notes carry it."""
        return self.raw.hex()

    @property
    def fingerprint(self) -> str:
        """`SHA256:…`, as ssh-keygen prints it."""
        return "SHA256:" + b64(sha256(self.blob))

    def verify(self, signature64: bytes, data: bytes) -> bool:
        """Return True if `signature64` is this key's Ed25519 signature of `data`."""
        if self._verifier is None:
            self._verifier = primitives().verifier(self.raw)
        return self._verifier(signature64, data)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PublicKey) and self.raw == other.raw

    def __hash__(self) -> int:
        return hash(self.raw)

    def __repr__(self) -> str:
        return f"PublicKey({self.text!r})"


def _line(raw: bytes) -> str:
    blob = packed(KIND, raw)
    return f"ssh-ed25519 {binascii.b2a_base64(blob, newline=False).decode()}"


def _fault(raw: bytes) -> str:
    return _fault_of_point(raw) if len(raw) == 32 else "it does not have 32 bytes"


# A file of notes can name one key thousands of times.
@lru_cache(maxsize=1024)
def _fault_of_point(raw: bytes) -> str:
    number = int.from_bytes(raw, "little")
    y = number & (1 << 255) - 1
    if y >= P:
        return "its point is not canonically encoded"
    # Before the sign bit is looked at: x = 0 with the bit set is among these.
    if y in SMALL:
        return "its point has small order, so anybody could sign with it"
    # x² = u/v is a square exactly when u·v is.
    u, v = y * y - 1, D * y * y + 1
    if pow(u * v, (P - 1) // 2, P) != 1:
        return "its point is not on the curve"
    return ""


class PrivateKey:
    """A private key that signs. It has no text form but the one of `openssh`."""

    __slots__ = ("_seed", "_signer", "public")

    def __init__(self, seed: bytes) -> None:
        self._seed = seed
        public, self._signer = primitives().signer(seed)
        self.public = PublicKey(public)

    @classmethod
    def generate(cls) -> PrivateKey:
        """Return a new key from the system's randomness."""
        return cls(os.urandom(32))

    @classmethod
    def load(cls, path: Place, ask: Callable[[str], str] | None = None) -> PrivateKey:
        """Return the key in an OpenSSH private key file; `ask` puts the question for a passphrase.

        Raises NoKey where there is none that can be used, saying why.
        """
        return cls.read(path, decode_key_text(read_key_file(path)), ask)

    @classmethod
    def read(cls, path: Place, text: str, ask: Callable[[str], str] | None = None) -> PrivateKey:
        """Return the key in the text of such a file, which is called `path` in messages."""
        file = KeyFile.parse(path, text)
        if file.cipher != "none":
            return cls._unlocked(path, text, file.public, ask)
        try:
            seed = file.seed()
        except ValueError:
            raise damaged_key(path) from None
        return cls._matching(path, seed, file.public)

    @classmethod
    def _unlocked(
        cls, path: Place, text: str, public: PublicKey, ask: Callable[[str], str] | None
    ) -> PrivateKey:
        if ask is None:
            raise NoKey(
                f"the key {path} needs a passphrase, and there is nobody to ask",
                "run this on a terminal, or use a key without a passphrase for this game",
                reason="passphrase",
            )
        passphrase = ask(f"Passphrase for {path}: ").encode("utf-8", "surrogateescape")
        try:
            seed = primitives().unlock(text.strip().encode(), passphrase)
        except UnknownCipher:
            raise unsupported_cipher(path, "another-cipher") from None
        except Broken as error:
            if str(error) == "kind":
                raise damaged_key(path) from None
            raise NoKey(f"wrong passphrase for {path}", "try again", reason="passphrase") from None
        return cls._matching(path, seed, public)

    @classmethod
    def _matching(cls, path: Place, seed: bytes, public: PublicKey) -> PrivateKey:
        key = cls(seed)
        if key.public != public:
            raise NoKey(f"the key {path} is damaged: its two halves do not belong together")
        return key

    def sign(self, data: bytes) -> bytes:
        """Return the 64 bytes of Ed25519; the same every time."""
        return self._signer(data)

    def openssh(self, comment: str = "") -> bytes:
        """Return the unencrypted OpenSSH text, as ssh-keygen and age read it."""
        check = os.urandom(4)
        blob = self.public.blob
        inner = check + check + blob + packed(self._seed + self.public.raw, comment.encode())
        inner += bytes(range(1, 1 + -len(inner) % 8))
        outer = MAGIC + packed(b"none", b"none", b"") + b"\0\0\0\1" + packed(blob, inner)
        body = binascii.b2a_base64(outer, newline=False).decode()
        lines = [body[at : at + 70] for at in range(0, len(body), 70)]
        return "\n".join([BEGIN, *lines, END, ""]).encode()

    def save(self, path: Path, comment: str = "") -> None:
        """Write the private file, for its owner only, and `.pub` beside it.

        Raises NotWritten where one of the two exists (nothing is ever overwritten) or cannot be
        written. `comment` is cut down to printable ASCII.
        """
        from referee.storage import NotWritten, make_private, not_written

        comment = "".join(char for char in comment if " " <= char <= "~").strip()
        line = f"{self.public.text} {comment}".rstrip() + "\n"
        beside = path.with_name(path.name + ".pub")
        made: list[Path] = []
        try:
            make_private(path.parent)
            for name, data, mode in (
                (path, self.openssh(comment), 0o600),
                (beside, line.encode(), 0o644),
            ):
                handle = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
                made.append(name)
                with os.fdopen(handle, "wb") as file:
                    file.write(data)
                    file.flush()
                    os.fsync(handle)
        except OSError as error:
            for name in made:
                name.unlink(missing_ok=True)
            if isinstance(error, FileExistsError) and path.parent.is_dir():
                raise NotWritten(
                    f"{beside if made else path} already exists; it was not changed",
                    "choose another path, or use that key",
                ) from None
            raise not_written(path, error) from None
        except NotWritten as error:
            raise NoKey(error.message, error.hint) from None

    def __repr__(self) -> str:
        return f"PrivateKey({self.public.text!r})"


def load_public_key(path: Place) -> PublicKey:
    """Return the public key of a private key file, without its passphrase. Raises NoKey."""
    return KeyFile.parse(path, decode_key_text(read_key_file(path))).public


class KeyFile(NamedTuple):
    """An OpenSSH private key file: how its private section is encrypted, and that section."""

    cipher: str
    kdf: str
    options: bytes
    public: PublicKey
    section: bytes
    tag: bytes

    @classmethod
    def parse(cls, path: Place, text: str) -> KeyFile:
        """Return the content of a key file, called `path` in messages. Raises NoKey."""
        text = text.strip()
        if not text.startswith(BEGIN) or not text.endswith(END):
            raise not_a_private_key(path, text)
        try:
            cipher, kdf, options, blob, inner, tag = _outer(
                "".join(text[len(BEGIN) : -len(END)].split())
            )
            (kind,), point = _unpacked_some(blob, 1)
            if kind != KIND:
                raise _other_kind(path, kind.decode("ascii", "replace"))
            public = PublicKey(unpacked(point, 1)[0])
        except ValueError:
            raise damaged_key(path) from None
        except BadSignature as error:
            raise NoKey(f"the key {path} is damaged: {error.message}") from None
        if cipher not in CIPHERS:
            raise unsupported_cipher(path, cipher)
        return cls(cipher, kdf, options, public, inner, tag)

    def seed(self, section: bytes = b"") -> bytes:
        """Return the 32 secret bytes of the private section, or of one that was decrypted.

        Raises ValueError.
        """
        inner = section or self.section
        (kind, point, secret, _comment), fill = _unpacked_some(inner[8:], 4)
        if (
            inner[:4] != inner[4:8]
            or (kind, point, secret[32:]) != (KIND, self.public.raw, self.public.raw)
            or len(secret) != 64
            or fill != bytes(range(1, 1 + len(fill)))
        ):
            raise ValueError("not the private half of the key")
        return secret[:32]


def _outer(body: str) -> tuple[str, str, bytes, bytes, bytes, bytes]:
    """Cipher, KDF and its options, public blob, private section and tag; raises ValueError."""
    raw = binascii.a2b_base64(body.encode("ascii", "replace"))
    (cipher, kdf, options), rest = _unpacked_some(raw[len(MAGIC) :], 3)
    # Behind the private section is the tag of a cipher that has one.
    (blob, inner), tag = _unpacked_some(rest[4:], 2)
    if not raw.startswith(MAGIC) or rest[:4] != b"\0\0\0\1":
        raise ValueError("not one key in OpenSSH's format")
    named, derived = (name.decode("ascii", "replace") for name in (cipher, kdf))
    return named, derived, options, blob, inner, tag


def _other_kind(path: Place, kind: str) -> NoKey:
    if not re.fullmatch("[a-z0-9@.-]{1,64}", kind):
        return damaged_key(path)
    return NoKey(
        f"{path} is a key of kind {kind}; only ssh-ed25519 can be used",
        MAKE,
        reason="other-kind",
    )
