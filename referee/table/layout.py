"""The one layout of a game file's text (PROTOCOL 9): plain values become just these bytes.

It is that of tomli-w, which would take several times as long: a reader lays out each file anew, to
see that nothing in it is said in another way.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

INDENT = "    "
LONGEST_ROW = 100
"""Tables in an array stand on a line each, unless one of the lines would be longer."""
_ESCAPED = {
    **{code: f"\\u{code:04x}" for code in (*range(32), 127) if code != ord("\t")},
    **{ord(char): "\\" + letter for char, letter in zip('\b\n\f\r"\\', 'bnfr"\\', strict=True)},
}
_ESCAPED_IN_LINES = {code: text for code, text in _ESCAPED.items() if code != ord("\n")}
_BETWEEN = f'",\n{INDENT}"'


def dumps(body: Mapping[str, Any]) -> str:
    """Return the TOML text of tables, arrays, texts, whole numbers, true and false.

    Raises TypeError for any other value.
    """
    parts: list[str] = []
    _add_table(parts, body, "", "")
    return "".join(parts)


def _add_table(parts: list[str], table: Mapping[str, Any], name: str, heading: str) -> None:
    """Add a table below its heading, and what stands under headings in it."""
    values: list[str] = []
    inner: list[tuple[str, Mapping[str, Any], bool]] = []
    # Nearly all values are texts in which nothing need be escaped.
    plain = _is_plain("".join([value for value in table.values() if type(value) is str]))
    for key, value in table.items():
        if type(value) is str:
            text = f'"{value}"' if plain else _text(value)
            values.append(f"{_key(key)} = {text}\n")
        elif isinstance(value, list | tuple) and value:
            rows = _rows(value)
            if rows is None:
                inner.extend((key, row, True) for row in value)
            elif rows:
                values.append(f"{_key(key)} = [\n{rows}]\n")
            else:
                values.append(f"{_key(key)} = {_value(value)}\n")
        elif type(value) is not int and isinstance(value, Mapping):
            inner.append((key, value, False))
        else:
            values.append(f"{_key(key)} = {_value(value)}\n")
    if heading and (values or not inner or heading[1] == "["):
        values.insert(0, heading)
    if values and parts:
        parts.append("\n")
    parts.extend(values)
    for key, row, in_array in inner:
        whole = f"{name}.{_key(key)}" if name else _key(key)
        _add_table(parts, row, whole, f"[[{whole}]]\n" if in_array else f"[{whole}]\n")


def _rows(items: Sequence[Any]) -> str | None:
    """Return the lines of an array of tables; None if they do not fit, "" for another array."""
    if not all(isinstance(item, Mapping) for item in items):
        return ""
    rows = ""
    for item in items:
        # An array that is not empty stands on several lines.
        if any(isinstance(value, list | tuple) and value for value in item.values()):
            return None
        row = f"{INDENT}{_inline(item)},"
        if len(row) > LONGEST_ROW or "\n" in row:
            return None
        rows += f"{row}\n"
    return rows


def _value(value: object, depth: int = 0) -> str:
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, Mapping):
        return _inline(value)
    if not isinstance(value, list | tuple):
        raise TypeError(f"a game file cannot hold {type(value).__name__}")
    if not value:
        return "[]"
    if depth == 0 and {str}.issuperset(map(type, value)) and _is_plain("".join(value)):
        return f'[\n{INDENT}"{_BETWEEN.join(value)}",\n]'
    indent = INDENT * depth
    items = [f"{indent}{INDENT}{_value(item, depth + 1)},\n" for item in value]
    return f"[\n{''.join(items)}{indent}]"


def _inline(table: Mapping[str, Any]) -> str:
    inside = ", ".join([f"{_key(key)} = {_value(value)}" for key, value in table.items()])
    return f"{{ {inside} }}" if inside else "{}"


# The same keys stand in every row.
@lru_cache(maxsize=256)
def _key(key: str) -> str:
    bare = key.isascii() and key.replace("-", "a").replace("_", "a").isalnum()
    return key if bare else f'"{key.translate(_ESCAPED)}"'


def _text(text: str) -> str:
    if _is_plain(text):
        return f'"{text}"'
    if "\n" in text:
        lines = text.replace("\r\n", "\n").translate(_ESCAPED_IN_LINES)
        return f'"""\n{lines}"""'
    return f'"{text.translate(_ESCAPED)}"'


def _is_plain(text: str) -> bool:
    return text.isascii() and text.isprintable() and '"' not in text and "\\" not in text
