"""The rows of the log in a game file's text, written at once in the layout they have.

Most of a late game file is its log, and a library for TOML writes it value by value. What is not so
plain is left to the library.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

ROW = "[[log]]\n"
_BETWEEN = '",\n    "'


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
