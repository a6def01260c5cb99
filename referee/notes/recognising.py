"""Recognising game files, whole or damaged, and what people name by mistake in their place."""

from __future__ import annotations

import re

# Neither a BOM nor what stands above or around it makes a file another one.
SAYS_GAME = re.compile(
    rb"^(?:\xef\xbb\xbf)?[ \t]*(?:#:schema game\.schema\.json"
    rb"|([\"']?)format\1[ \t]*=[ \t]*[\"']sanjuan-ref/\d)",
    re.MULTILINE,
)

ABOVE = re.compile(rb"(?:\xef\xbb\xbf)?(?:[ \t\r]*+(?:#(?!:schema)[^\n]*+)?\n)*+")
STEP = re.compile(rb"^step = (\d{1,9})$", re.MULTILINE)


BEGINNINGS = {
    b"sanjuan-ref/1 ": "a note",
    b"-----BEGIN AGE ENCRYPTED FILE-----": "a sealed note",
    b"-----BEGIN OPENSSH PRIVATE KEY-----": "a private key",
    b"ssh-ed25519 ": "a public key",
    b"# created: ": "an age identity",
    b"AGE-SECRET-KEY-": "an age identity",
}
"""Things that people give by mistake, by their beginnings."""
HEADER = re.compile(rb"(?:From \S|[A-Za-z][A-Za-z0-9-]{0,60}:[ \t])[^\n]*\n")
MAIL = re.compile(rb"^(?:From|To|Subject|Message-ID|MIME-Version):", re.MULTILINE | re.IGNORECASE)
FIRST = 1 << 14


def name_kind(data: bytes) -> str:
    """Return what a file is that is none of the expected: `a private key`; "" if unknown."""
    begin = data[:FIRST].lstrip()
    for words, kind in BEGINNINGS.items():
        if begin.startswith(words):
            return kind
    if begins_as_game_file(data):
        return "a game file"
    return "an email" if HEADER.match(begin) and MAIL.search(begin) else ""


def is_game_file(data: bytes) -> bool:
    """Return True if a TOML file says that it is a game file, perhaps a damaged or a newer one."""
    return SAYS_GAME.search(data) is not None


def begins_as_game_file(data: bytes) -> bool:
    """Return True if the first line says so that is neither empty nor a comment."""
    above = ABOVE.match(data)
    return SAYS_GAME.match(data, above.end() if above else 0) is not None


def step_in(data: bytes) -> int | None:
    """Return the step that a game file names, without checking the file; None if it names none."""
    match = STEP.search(data)
    return int(match[1]) if match else None
