"""TOML in the layout that this program writes, read line by line; all other by the library.

The library takes a text apart character by character, which is a good part of what a command does.
What is read here means exactly what it means there. Whatever does not look as expected, wrong TOML
too, is left to the library.
"""

from __future__ import annotations

from typing import Any

MOST_PARTS = 4
"""So many names can a heading have between its dots."""
MOST_DEEP = 3
"""So deeply can arrays and tables in one line stand in each other."""
MOST_DIGITS = 9


class _Other(ValueError):
    """Raised where a text is laid out in another way."""


def loads(text: str) -> dict[str, Any]:
    """Return the values in a TOML text. Raises like `tomllib.loads`."""
    read = read_lines(text)
    if read is not None:
        return read
    # Seldom needed.
    import tomllib

    return tomllib.loads(text)


def missing_quotes(text: str, error: Exception) -> str:
    """Return how to mend the line of a text at which the library has stopped, where quotes are what
    it lacks; "" elsewhere."""
    # Few files are wrong.
    import re

    at = re.search(r"at line ([0-9]{1,7})", str(error))
    lines = text.split("\n")
    line = lines[int(at[1]) - 1].strip() if at is not None and int(at[1]) <= len(lines) else ""
    name, sign, value = (part.strip() for part in line.partition("="))
    value = value if sign else name
    is_bare = re.fullmatch("[A-Za-z0-9_.-]{1,32}", name) is not None
    if sign and not is_bare and not name.startswith(('"', "'")):
        return 'a name with blanks or other signs in it stands in quotes: "…" = …'
    if value in ("true", "false") or re.search("[\"'#]|^$", value):
        return ""
    if not re.search("[A-Za-z]", value) or (not sign and value.startswith("[")):
        return ""
    example = '["…", "…"]' if value.startswith("[") else '"…"'
    return f"texts stand in quotes: {f'{name} = ' if sign and is_bare else ''}{example}"


def read_lines(text: str) -> dict[str, Any] | None:
    """Return what is in a text of our layout; None for any other."""
    if "\\" in text or not text.replace("\n", "").isprintable():
        return None
    reader = _Reader(text.split("\n"))
    try:
        reader.read()
    except (ValueError, IndexError):
        return None
    return reader.root


class _Reader:
    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.at = 0
        self.root: dict[str, Any] = {}
        self._bare: set[str] = set()
        """Keys without quotes that were met."""
        self._arrays: dict[str, list[dict[str, Any]]] = {}
        """Arrays of tables, by their headings."""
        self._closed: set[int] = set()
        """Tables on the line of their keys, which no heading opens again."""

    def read(self) -> None:
        """Fill `root`. Raises ValueError or IndexError for another layout."""
        lines, bare, table = self.lines, self._bare, self.root
        if lines[0].startswith("#:schema "):
            self.at = 1
        end = len(lines)
        while self.at < end:
            line = lines[self.at]
            self.at += 1
            if not line:
                continue
            if line[0] == "[":
                table = self._table(line)
                continue
            if line[0] == "#":
                continue
            key, parted, value = line.partition(" = ")
            if not parted:
                raise _Other
            if key not in bare:
                key = self._key(key)
            if key in table:
                raise _Other
            if value[:1] == '"' == value[-1:] and value.count('"') == 2:
                table[key] = value[1:-1]
            elif value == "[":
                table[key] = self._rows()
            elif value == '"""':
                table[key] = self._block('"""')
            else:
                table[key] = self._one_line(value)

    def _key(self, key: str) -> str:
        """Return a key without its quotes, if it has any."""
        if key[:1] == '"' == key[-1:] and key.count('"') == 2:
            return key[1:-1]
        self._check_bare(key)
        return key

    def _check_bare(self, key: str) -> None:
        if not key.isascii() or not key.replace("-", "a").replace("_", "a").isalnum():
            raise _Other
        self._bare.add(key)

    def _table(self, line: str) -> dict[str, Any]:
        """Return the table that a heading opens."""
        rows = self._arrays.get(line)
        if rows is None:
            of_array = line[:2] == "[["
            name = line[2:-2] if of_array else line[1:-1]
            if line != (f"[[{name}]]" if of_array else f"[{name}]"):
                raise _Other
            *outer, last = name.split(".")
            if len(outer) >= MOST_PARTS:
                raise _Other
            inside = self.root
            for part in outer:
                self._check_bare(part)
                inside = inside.setdefault(part, {})
                if type(inside) is not dict or id(inside) in self._closed:
                    raise _Other
            self._check_bare(last)
            if last in inside:
                raise _Other
            if not of_array:
                made: dict[str, Any] = {}
                inside[last] = made
                return made
            rows = inside[last] = self._arrays[line] = []
        rows.append({})
        return rows[-1]

    def _rows(self) -> list[Any]:
        """Return the array whose items stand on the lines from here on."""
        end = self.lines.index("]", self.at)
        rows = self.lines[self.at : end]
        text = "\n".join(rows)
        indent, _, first = text.partition('"')
        if first[-2:] == '",' and text.count('"') == 2 * len(rows) and not indent.strip(" "):
            texts = first[:-2].split(f'",\n{indent}"')
            if len(texts) == len(rows):
                self.at = end + 1
                return texts
        items: list[Any] = []
        while (line := self.lines[self.at]) != "]":
            self.at += 1
            if line == '    """':
                items.append(self._block('""",'))
                continue
            if line[:4] != "    " or line[-1:] != ",":
                raise _Other
            item, stop = self._scan(line, 4)
            if stop != len(line) - 1:
                raise _Other
            items.append(item)
        self.at += 1
        return items

    def _block(self, close: str) -> str:
        """Return the text of several lines that begins on the next one."""
        end = self.lines.index(close, self.at)
        lines = self.lines[self.at : end]
        text = "\n".join([*lines, ""])
        if not lines or '"' in text:
            raise _Other
        self.at = end + 1
        return text

    def _one_line(self, text: str) -> Any:
        """Return the value on the line of its key."""
        value, end = self._scan(text, 0)
        if end != len(text):
            raise _Other
        if type(value) is dict:
            self._closed.add(id(value))
        return value

    def _scan(self, text: str, at: int, depth: int = 0) -> tuple[Any, int]:
        """Return the value at a place of a line, and the place behind it."""
        if depth > MOST_DEEP:
            raise _Other
        first = text[at]
        if first == '"':
            end = text.index('"', at + 1)
            if text[end + 1 : end + 2] == '"':
                raise _Other
            return text[at + 1 : end], end + 1
        if first == "[":
            return self._array(text, at + 1, depth + 1)
        if first == "{":
            return self._inline(text, at + 1, depth + 1)
        end = at
        while text[end : end + 1].isalnum():
            end += 1
        return _word(text[at:end]), end

    def _array(self, text: str, at: int, depth: int) -> tuple[list[Any], int]:
        items: list[Any] = []
        while text[at] != "]":
            item, at = self._scan(text, at, depth)
            items.append(item)
            if text[at : at + 2] == ", ":
                at += 2
            elif text[at] != "]":
                raise _Other
        return items, at + 1

    def _inline(self, text: str, at: int, depth: int) -> tuple[dict[str, Any], int]:
        table: dict[str, Any] = {}
        while text[at] == " ":
            end = text.index(" = ", at)
            key = text[at + 1 : end]
            if key not in self._bare:
                self._check_bare(key)
            if key in table:
                raise _Other
            table[key], at = self._scan(text, end + 3, depth)
            if text[at : at + 2] == " }":
                return table, at + 2
            if text[at] != ",":
                raise _Other
            at += 1
        raise _Other


def _word(text: str) -> int | bool:
    """Return a number, true or false."""
    if text in ("true", "false"):
        return text == "true"
    if not text.isascii() or not text.isdecimal() or len(text) > MOST_DIGITS:
        raise _Other
    if text[0] == "0" and text != "0":
        raise _Other
    return int(text)
