"""Public keys and recipients as people give them: the text itself, or a file that holds it."""

from __future__ import annotations

import os
import re
from pathlib import Path
from shlex import quote

from referee.cli.usage import Usage, no_address
from referee.crypto.keys import PublicKey
from referee.crypto.keytext import decode_key_text, is_public, other_key_kind, public_lines
from referee.games.errors import GameError
from referee.storage import read_limited

LIMIT = 1 << 16
BEGINNINGS = ("ssh-", "sk-", "ecdsa-", "age1")


def public_line(given: str) -> str:
    """Return the one public key or recipient in a text, or in the file that it names.

    It may come from a `.pub` file, from `authorized_keys`, or from a forge's NAME.keys. Raises
    Usage for a private key, and where there are several to choose from; NotRead.
    """
    begun = given.startswith(BEGINNINGS) and not os.path.exists(given)  # noqa: PTH110 - too long
    if begun or is_public(given):
        return _the_one(given, "this")
    if "PRIVATE KEY-----" in given or "AGE-SECRET-KEY-" in given:
        raise Usage("a private key is given, and its public half is wanted", hint="name its .pub")
    if not os.path.exists(given):  # noqa: PTH110 - too long
        if re.match("(?i)https?://", given):
            raise no_address(given)
        if given.endswith(".pub"):
            raise Usage(f"there is no file {given}", hint="check the name, and the folder")
        raise Usage(
            f"{given!r} is neither a public key, an age recipient (age1…) nor a .pub file",
            hint="check the name of the file",
        )
    text = decode_key_text(read_limited(Path(given), LIMIT))
    if "PRIVATE KEY-----" in text or text.startswith("PuTTY-User-Key-File-"):
        raise Usage(f"{given} is a private key; its public half is wanted here", hint=_half(given))
    if "AGE-SECRET-KEY-" in text:
        raise Usage(
            f"{given} is an age identity, and its recipient is wanted",
            hint=f"`age-keygen -y {quote(given)}` prints it",
        )
    if text.startswith("---- BEGIN SSH2 PUBLIC KEY"):
        raise Usage(
            f"{given} is a public key as PuTTY writes it",
            hint=f"`ssh-keygen -i -f {quote(given)}` prints it as it is wanted here",
        )
    return _the_one(text, given)


def _the_one(text: str, name: str) -> str:
    found = public_lines(text)
    if len(found) > 1:
        keys = []
        for line in found:
            try:
                keys.append(PublicKey.parse(line).fingerprint)
            except GameError:
                keys.append("a damaged one")
        raise Usage(
            f"{name} has {len(found)} keys of kind ssh-ed25519: {', '.join(keys)}",
            hint="give the line of one, in quotes, or a file with that line alone",
        )
    if found:
        return found[0]
    kind = other_key_kind(text)
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    # Its faults are reported where it is read.
    return f"{kind} AAAA" if kind else lines[0] if lines else ""


def _half(given: str) -> str:
    """Return how somebody gets the public half of a private key who has given that."""
    if not given.endswith(".pub") and Path(f"{given}.pub").is_file():
        return f"name {given}.pub"
    return f"`sanjuan-ref key {quote(given)}` prints it, whatever the file is called"
