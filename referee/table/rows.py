"""The rows of the log in a game file's text, read and written at once in the layout they have.

Most of a late game file is its log, and a library for TOML takes it apart character by character.
What is not in exactly this layout is left to the library, which knows all others.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

ROW = "[[log]]\n"
AFTER = "[signature]\n"
"""What follows the last row."""
_TEXT = '"([^"\n]*+)"\n'
_ROW = (
    rf"\[\[log\]\]\ndecision = {_TEXT}by = {_TEXT}play = {_TEXT}seen = (0|[1-9][0-9]{{0,8}})\n"
    rf"(?:signature = {_TEXT})?(?:then = \[\n((?:    \"[^\"\n]*+\",\n)++)\]\n)?root = {_TEXT}\n"
)
_BETWEEN = '",\n    "'


def loads(text: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Return the values in a TOML text, and beside them the rows of its log if it is laid out so.

    Raises like `tomllib.loads`.
    """
    start = text.find(f"\n{ROW}") + 1
    end = text.rfind(f"\n{AFTER}") + 1
    if 0 < start < end:
        rows = _rows(text[start:end])
        # Each side is TOML of its own, so that no string or table goes on from one to the other.
        with suppress(ValueError, RecursionError):
            body, last = tomllib.loads(text[:start]), tomllib.loads(text[end:])
            if rows and "log" not in body and last.keys() == {"signature"} - body.keys():
                return body | last, rows
    return tomllib.loads(text), []


def _rows(text: str) -> list[dict[str, Any]]:
    """Return the rows that a text consists of; none where any is laid out in another way."""
    if "\\" in text or not text.isascii() or not text.replace("\n", "").isprintable():
        return []
    rows: list[dict[str, Any]] = []
    at = 0
    for match in re.finditer(_ROW, text):
        if match.start() != at:
            return []
        at = match.end()
        decision, by, play, seen, signature, then, root = match.groups()
        row = {"decision": decision, "by": by, "play": play, "seen": int(seen)}
        if signature is not None:
            row["signature"] = signature
        if then is not None:
            row["then"] = then[5:-3].split(_BETWEEN)
        row["root"] = root
        rows.append(row)
    return rows if at == len(text) else []


def dumps(body: Mapping[str, Any]) -> str:
    """Return the TOML text of a game file's values without signature; `log` is the last of them."""
    import tomli_w

    rows = "".join([_row_text(row) for row in body.get("log", ())])
    if not rows or "\0" in rows:
        return tomli_w.dumps(body, multiline_strings=True)
    before = {key: value for key, value in body.items() if key != "log"}
    return tomli_w.dumps(before, multiline_strings=True) + rows


def _row_text(row: Mapping[str, Any]) -> str:
    """Return a row as it is laid out; a NUL for one that the library must write."""
    text = f"\n{ROW}"
    for key, value in row.items():
        if type(value) is str and _is_plain(value):
            text += f'{key} = "{value}"\n'
        elif type(value) is int:
            text += f"{key} = {value}\n"
        elif type(value) is list and value and all(map(_is_plain, value)):
            text += f'{key} = [\n    "{_BETWEEN.join(value)}",\n]\n'
        else:
            return "\0"
    return text


def _is_plain(text: object) -> bool:
    if not isinstance(text, str):
        return False
    return text.isascii() and text.isprintable() and '"' not in text and "\\" not in text
