"""Recognising game files, whole or damaged, and what people name by mistake in their place."""

from __future__ import annotations

import re

# Mail servers take no larger ones. What lies behind is not looked at: pictures, nearly always.
MAIL_LIMIT = 40_000_000
# A note is much shorter.
TEXT_LIMIT = 1 << 16
# None of these is compiled before it is needed: commands start faster without.
OURS = b"#:schema game.schema.json"
"""The beginning of a game file as we write it."""
# Neither a BOM nor what stands above or around it makes a file another one.
SAYS_GAME = (
    rb"(?m)^(?:\xef\xbb\xbf)?[ \t]*(?:#:schema game\.schema\.json"
    rb"|([\"']?)format\1[ \t]*=[ \t]*[\"']sanjuan-ref/\d)"
)

ABOVE = rb"(?:\xef\xbb\xbf)?(?:[ \t\r]*+(?:#(?!:schema)[^\n]*+)?\n)*+"
STEP = rb"(?m)^step = (\d{1,9})\r?$"


WHAT_NOTES_ARE = (
    "a note is a file written by `move`, `plan`, `join`, `vacation`, `transfer`, `leave` or `vote`"
)

BEGINNINGS = {
    b"sanjuan-ref/1 ": "a note",
    b"-----BEGIN AGE ENCRYPTED FILE-----": "a sealed note",
    b"-----BEGIN OPENSSH PRIVATE KEY-----": "a private key",
    b"ssh-ed25519 ": "a public key",
    b"# created: ": "an age identity",
    b"AGE-SECRET-KEY-": "an age identity",
}
"""Things that people give by mistake, by their beginnings."""
HEADER = rb"(?:From \S|[A-Za-z][A-Za-z0-9-]{0,60}:[ \t])[^\n]*\n"
MAIL = rb"(?mi)^(?:From|To|Subject|Message-ID|MIME-Version):"
FIRST = 1 << 14
FIRST_BYTES = frozenset(b"%c" % byte for byte in b"\xef \t\r\n#\"'f")
"""With one of them a game file begins, however it is written."""


def name_kind(data: bytes) -> str:
    """Return what a file is that is none of the expected: `a private key`; "" if unknown."""
    begin = data[:FIRST].lstrip()
    for words, kind in BEGINNINGS.items():
        if begin.startswith(words):
            return kind
    if begins_as_game_file(data):
        return "a game file"
    if b":" not in begin.partition(b"\n")[0] and not begin.startswith(b"From "):
        return ""
    return "an email" if re.match(HEADER, begin) and re.search(MAIL, begin) else ""


def is_game_file(data: bytes) -> bool:
    """Return True if a TOML file says that it is a game file, perhaps a damaged or a newer one."""
    return data.startswith(OURS) or re.search(SAYS_GAME, data) is not None


def begins_as_game_file(data: bytes) -> bool:
    """Return True if the first line says so that is neither empty nor a comment."""
    if data.startswith(OURS):
        return True
    if data[:1] not in FIRST_BYTES:
        return False
    above = re.match(ABOVE, data)
    return re.compile(SAYS_GAME).match(data, above.end() if above else 0) is not None


def step_in(data: bytes) -> int | None:
    """Return the step that a game file names, without checking the file; None if it names none."""
    match = re.search(STEP, data)
    return int(match[1]) if match else None
