"""Recognising a game file by its first lines, whole or damaged, wherever one is sent or named."""

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
