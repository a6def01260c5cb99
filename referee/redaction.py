"""Keeping keys out of messages: who gave one by mistake must not find it in a log of CI.

A command cannot know which of the texts that it quotes is a key: `--key "$(cat my.key)"` names a
file, as far as it can tell. So every error goes through here on its way out.
"""

from __future__ import annotations

import re
from functools import cache

HIDDEN = "(not shown)"
LENGTH = 40
"""So many characters of base64 in a row may be a part of a key."""

_RUN = f"[A-Za-z0-9+/]{{{LENGTH},}}={{0,2}}"
# Compiled when it is needed: commands start faster without.
_compiled = cache(re.compile)
_KEY = (
    # What is public, and as long: fingerprints, public keys, hashes, recipients.
    r"(?P<public>(?<![A-Za-z0-9+/])"
    r"(?:SHA256:[A-Za-z0-9+/]{43}"
    r"|(?:ssh-ed25519 )AAAAC3NzaC1lZDI1NTE5AAAAI[A-Za-z0-9+/]{43}"
    r"|[0-9a-f]{40,}|age1[a-z0-9]{58})(?![A-Za-z0-9+/]))"
    r"|-*(?:BEGIN |END )?[A-Z0-9 ]{0,40}PRIVATE KEY-*(?:(?:\r?\n|\\r|\\n)+[A-Za-z0-9+/=]+)*"
    r"|(?i:AGE-SECRET-KEY-[A-Z0-9-]{8,})"
    # Where a message has cut a long text, a part of one is left.
    rf"|(?P<run>{_RUN}|[A-Za-z0-9+/]{{{LENGTH // 2},}}(?=(?:\s|\\n|\\r)*…))"
)
_LINE_BEFORE = r"[A-Za-z0-9+/]{12,}=*(?:\s|\\n|\\r|\\)+$"
_LINE_AFTER = r"(?:\s|\\n|\\r)+[A-Za-z0-9+/]{12,}=*"
_SAYS_SO = "PRIVATE KEY-----|(?i:AGE-SECRET-KEY-[A-Z0-9-]{8})|PuTTY-User-Key-File-"
_BREAK = r"(?s)\s*[\r\n].*"
_BETWEEN = " \t\r\n'\"`=("


def redact_keys(text: str) -> str:
    """Return a text without what may be a key: from its first to its last part nothing is left.

    The path of a file stays, however long it is, if its first folder is there.
    """
    if len(text) < LENGTH and "KEY" not in text:
        return text
    spans = [match.span() for match in _compiled(_KEY).finditer(text) if _is_secret(text, match)]
    if not spans:
        return text
    start, end = spans[0][0], spans[-1][1]
    # The first and the last line of what was given may be shorter.
    if match := _compiled(_LINE_BEFORE).search(text, max(0, start - 2 * LENGTH), start):
        start = match.start()
    if match := _compiled(_LINE_AFTER).match(text, end):
        end = match.end()
    return text[:start] + HIDDEN + text[end:]


def redact(text: str) -> str:
    """Return a message without what may be a key, in one line."""
    text = redact_keys(text)
    return re.sub(_BREAK, " …", text) if "\n" in text or "\r" in text else text


def is_key(text: str) -> bool:
    """Return whether a text says of itself that it is a private key."""
    if len(text) < 16 or "key" not in text.lower():
        return False
    return re.search(_SAYS_SO, text) is not None


def filename_fault(text: str) -> str:
    """Return why a text is not the name of a file that a message could say; "" if it could be."""
    if redact_keys(text) != text:
        return "holds what may be a key itself"
    return "has several lines" if "\n" in text or "\r" in text else ""


def _is_secret(text: str, match: re.Match[str]) -> bool:
    if match["public"]:
        return False
    return not match["run"] or not _is_path(text, *match.span())


def _is_path(text: str, start: int, end: int) -> bool:
    """Return whether a stretch of a message belongs to a path, whose first folder is there."""
    from pathlib import Path

    begin = max(text.rfind(char, 0, start) for char in _BETWEEN) + 1
    parts = text[begin:end].split("/")
    folder = "/".join(parts[:1] if parts[0] else parts[:2])
    if len(parts) < 2 or not folder or re.search(_RUN.replace("/", ""), text[begin:end]):
        return False
    try:
        return Path(folder).expanduser().is_dir()
    except (OSError, RuntimeError, ValueError):
        return False
