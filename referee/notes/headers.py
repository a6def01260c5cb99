"""Reading structured header fields of mail: addresses and parameters (RFC 5322, 2045, 2231).

Strangers write these fields. The standard library's parsers call themselves for each bracket, take
quadratic time over quotes, and differ from one Python to the next; these go through a field once.
"""

from __future__ import annotations

import re

# A parameter of a field: its name, and its value as it stands there, quoted or not.
PARAMETER = r'(?s);[ \t]*+([^\s=;"]++)[ \t]*+(?:=[ \t]*+("(?:[^"\\]|\\.)*+"?+|[^;]*+))?+'
# RFC 2231: the number of a piece, and the star of one that is encoded.
PIECE = r"([^*]+)(?:\*(\d{1,3}))?(\*)?"
PERCENT = rb"%([0-9A-Fa-f]{2})"
ESCAPED = r"(?s)\\(.)"


def mailboxes(value: str) -> list[str]:
    """Return the addresses in a field such as From, in their order, as they stand there.

    Names, comments and quoted texts are left out, so that what is quoted is never an address.
    """
    found: list[str] = []
    plain: list[str] = []
    angle: list[str] | None = None
    inside, quoted, comments, passed = False, False, 0, False
    for char in f"{value},":
        if passed:
            passed = False
        elif char == "\\" and (quoted or comments):
            passed = True
        elif quoted:
            quoted = char != '"'
        elif comments:
            comments += {"(": 1, ")": -1}.get(char, 0)
        elif char == '"':
            quoted = True
        elif char == "(":
            comments = 1
        elif char == "<":
            angle, inside = [], True
        elif char == ">":
            inside = False
        elif inside and angle is not None and char != ",":
            angle.append(char)
        elif char == ":":
            # What stood there was the name of a group.
            plain = []
        elif char in ",;":
            address = "".join(plain if angle is None else angle).strip()
            if address or angle is not None:
                found.append(address)
            plain, angle, inside = [], None, False
        else:
            plain.append(char)
    return found


def parameters(value: str) -> dict[str, str]:
    """Return the parameters of a field such as Content-Type, their names in lower case.

    The first key is the value of the field itself, in lower case. Of several parameters of a name
    the first counts; one that comes in pieces is put together (RFC 2231), its charset aside.
    """
    found = {value.partition(";")[0].strip().lower(): ""}
    pieces: dict[str, dict[int, str]] = {}
    for match in re.finditer(PARAMETER, value):
        name, text = match[1].lower(), _unquoted((match[2] or "").strip())
        parts = re.fullmatch(PIECE, name)
        if parts is None or (parts[2] is None and parts[3] is None):
            found.setdefault(name, text)
            continue
        if parts[3]:
            # The first piece says charset and language before its text.
            text = text.split("'", 2)[-1] if int(parts[2] or 0) == 0 else text
            text = re.sub(PERCENT, _byte, text.encode("utf-8", "replace")).decode(
                "utf-8", "replace"
            )
        pieces.setdefault(parts[1], {}).setdefault(int(parts[2] or 0), text)
    for name, numbered in pieces.items():
        found.setdefault(name, "".join([text for _, text in sorted(numbered.items())]))
    return found


def _byte(match: re.Match[bytes]) -> bytes:
    return bytes([int(match[1], 16)])


def _unquoted(text: str) -> str:
    if not text.startswith('"'):
        return text
    return re.sub(ESCAPED, r"\1", text[1:].removesuffix('"'))
