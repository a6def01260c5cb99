"""The contents of key files, and the errors for those that cannot be used."""

from __future__ import annotations

import re

from referee.errors import NoKey

MAKE = "make one with `sanjuan-ref key --make`"
CIPHERS = ("none", "aes256-ctr", "aes256-cbc", "aes256-gcm@openssh.com")
"""Those of `ssh-keygen -Z` that the library can undo."""

# Compiled when they are needed: commands start faster without.
_PUBLIC = r"(?:^|\s)(ssh-ed25519\s+AAAA[A-Za-z0-9+/]+=*)(?=\s|$)"
_OTHER = r"(?:^|\s)((?:sk-)?(?:ssh|ecdsa)-[a-z0-9@.-]{1,60})\s+AAAA"
_QUOTED = r'"(?:\\.|[^"\\])*"'


def decode_key_text(data: bytes) -> str:
    """Return the text of a key file: with or without a mark at its beginning, or in UTF-16."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", "replace")
    return data.removeprefix(b"\xef\xbb\xbf").decode("ascii", "replace")


def public_lines(text: str) -> list[str]:
    """Return the ssh-ed25519 keys in a text, each once, as `ssh-ed25519 AAAA…`.

    That is the content of a `.pub` file, of `authorized_keys` with options in front of the keys,
    or what a forge gives as NAME.keys, with keys of other kinds between them.
    """
    found = [re.search(_PUBLIC, re.sub(_QUOTED, '""', line)) for line in _lines(text)]
    return list(dict.fromkeys(" ".join(match[1].split()) for match in found if match))


def other_key_kind(text: str) -> str:
    """Return the kind of the first public key in a text that is of another; "" without one."""
    found = [re.search(_OTHER, re.sub(_QUOTED, '""', line)) for line in _lines(text)]
    return next((match[1] for match in found if match and match[1] != "ssh-ed25519"), "")


def is_public(text: str) -> bool:
    """Return whether a text holds a public key of any kind, and so is none of a file's name."""
    return bool(public_lines(text) or other_key_kind(text))


def _lines(text: str) -> list[str]:
    return [line for line in text.splitlines() if not line.lstrip().startswith("#")]


def damaged_key(path: object, why: str = "") -> NoKey:
    """Return what is said of a private key that cannot be read any more."""
    hint = "take it from your backup; a new key opens no seat or table that you have already"
    return NoKey(f"the key {path} is damaged{why}", hint)


def not_a_private_key(path: object, text: str) -> NoKey:
    """Return what is said of a file that holds no OpenSSH private key."""
    if is_public(text) or text.startswith("---- BEGIN SSH2 PUBLIC KEY"):
        return NoKey(
            f"{path} is a public key; the private one is needed here",
            "it is usually beside it, without the .pub",
            reason="public",
        )
    if text.startswith("PuTTY-User-Key-File-"):
        name = _quoted(path)
        return NoKey(
            f"{path} is a key of PuTTY, not an OpenSSH private key",
            f"`puttygen {name} -O private-openssh -o my.key` makes one of it; in PuTTYgen that is "
            "Conversions, Export OpenSSH key",
            reason="other-kind",
        )
    if "AGE-SECRET-KEY-" in text:
        return NoKey(
            f"{path} is an age identity, which can open but not sign",
            "an ssh-ed25519 key does both",
            reason="other-kind",
        )
    found = re.match("-----BEGIN ([A-Z0-9 ]{0,40})PRIVATE KEY-----", text)
    if found and "OPENSSH" not in found[1]:
        kind = f"private key of kind {found[1].strip()}" if found[1] else "private key in PKCS 8"
        return NoKey(f"{path} holds a {kind}, not an OpenSSH one", MAKE, reason="other-kind")
    if found:
        return damaged_key(path, ": it is cut off")
    return NoKey(
        f"{path} is not a private key",
        "give a key file such as `sanjuan-ref key --make FILE` or `ssh-keygen` writes",
    )


def unsupported_cipher(path: object, cipher: str) -> NoKey:
    """Return what is said of a private key that is encrypted in another way than the usual."""
    if not re.fullmatch("[a-z0-9@.-]{1,64}", cipher):
        return damaged_key(path)
    return NoKey(
        f"the key {path} is encrypted with {cipher}, which cannot be undone here",
        f"`ssh-keygen -p -Z aes256-ctr -f {_quoted(path)}` encrypts it in another way",
        reason="cipher",
    )


def _quoted(path: object) -> str:
    from shlex import quote

    return quote(str(path))
