"""TOML is read line by line as the library reads it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

import referee
from referee import toml
from tests.make_examples import EXAMPLES

SHIPPED = sorted(
    path
    for path in Path(referee.__file__).parent.rglob("*.toml")
    if path.name not in ("library.toml", "deck-template.toml") and path.parent.name != "refusals"
)
GAMES = sorted(EXAMPLES.glob("*/game.toml"))
OTHERS = sorted({*EXAMPLES.rglob("*.toml")} - {*GAMES})
HEAD = 'format = "x"\n\n[game]\nid = "1"\n'
ROW = """
[[log]]
decision = "1.1.role.ana"
by = "ana"
play = "role builder"
seen = 12
signature = "c2ln"
then = [
    "draw ana deck 0 3-4",
    "ask 1.1.build.ana",
]
root = "cm9vdA"
"""
SHORT = """
[[log]]
decision = "0.0.deal.referee"
by = "referee"
play = "deal"
seen = 0
root = "x"
"""
END = '\n[signature]\nsshsig = """\nabc\n"""\n'
WHOLE = HEAD + SHORT + ROW + ROW + END

LAYOUTS = {
    "no log": HEAD + END,
    "no signature": HEAD + ROW,
    "a signature in the last row": HEAD + SHORT + "\n[signature]\n[[log]]\nx = 1\n" + END,
    "a key more": WHOLE.replace('by = "ana"\n', 'by = "ana"\nx = 1\n'),
    "another order": WHOLE.replace('by = "ana"\nplay = "role builder"', 'play = "a"\nby = "b"'),
    "an escape": WHOLE.replace("role builder", r"role \u0041"),
    "a quote": WHOLE.replace("role builder", r"role \"x\""),
    "an open string": WHOLE.replace('"role builder"', '"role builder'),
    "a control character": WHOLE.replace("role builder", "role \x01"),
    "other letters": WHOLE.replace("role builder", "rôle"),
    "a large number": WHOLE.replace("seen = 12", "seen = 1234567890"),
    "a number with zeros": WHOLE.replace("seen = 12", "seen = 012"),
    "no comma": WHOLE.replace('3-4",', '3-4"'),
    "an array in a line": WHOLE.replace('root = "x"', 'then = ["a", "b"]\nroot = "x"'),
    "an empty array": WHOLE.replace('root = "x"', 'then = []\nroot = "x"'),
    "a comment": WHOLE.replace('root = "x"', 'root = "x" # y'),
    "a comment before": HEAD + "# [[log]]" + SHORT + END,
    "a string around it": HEAD + 'x = """' + SHORT + END + '"""\n',
    "a string from before to behind it": HEAD + 'x = """' + SHORT + '\n[signature]\n"""\n',
    "an array around it": HEAD + "x = [" + SHORT + END + "]\n",
    "a log before": HEAD + "[log]\nx = 1\n" + SHORT + END,
    "a log as a value": "log = 1\n" + HEAD + SHORT + END,
    "a log after": WHOLE + SHORT,
    "a key after": HEAD + SHORT + "signature = 1\n" + END,
    "a signature before": HEAD + "[signature]\nx = 1\n" + SHORT + END,
    "two signatures": WHOLE + END,
    "a table after": WHOLE + "[x]\ny = 1\n",
    "a table in the signature": WHOLE + "[signature.x]\ny = 1\n",
    "a table in the log": WHOLE + "[log.x]\ny = 1\n",
    "another key in the log": HEAD + SHORT + "\n[log.x]\ny = 1\n" + END,
    "blank lines": HEAD + "\n" + SHORT + "\n" + ROW + END,
    "blanks": WHOLE.replace('    "ask', '  "ask'),
    "a quoted key": '"a b" = 1\n',
    "a quoted key twice": 'a = 1\n"a" = 2\n',
    "a key twice": "a = 1\na = 2\n",
    "a dotted key": "a.b = 1\n",
    "a table twice": "[a]\nb = 1\n[a]\nc = 1\n",
    "a table in a table": "[a]\nb = 1\n[a.c]\nd = 1\n",
    "a table after what is in it": "[a.b]\nc = 1\n[a]\nd = 1\n",
    "a table for a value": "[a]\nb = 1\n[a.b]\nc = 1\n",
    "a table for an array": "[[a]]\nb = 1\n[a]\nc = 1\n",
    "a table in an array": "[[a]]\nb = 1\n[a.c]\nd = 1\n",
    "an array in an array": "[[a]]\nb = 1\n[[a.c]]\nd = 1\n",
    "an array for a table": "[a]\nb = 1\n[[a]]\nc = 1\n",
    "an array for rows": "a = [\n    { b = 1 },\n]\n[[a]]\nb = 1\n",
    "a table in a line": "a = { b = 1, c = true }\n",
    "a table in a line again": "a = { b = 1 }\n[a.c]\nd = 1\n",
    "a table in a line with a comma": "a = { b = 1, }\n",
    "an empty table in a line": "a = {}\n",
    "a table in a line with a key twice": "a = { b = 1, b = 2 }\n",
    "an array with a comma": "a = [1, 2, ]\n",
    "an array without": "a = [1 2]\n",
    "an array of arrays": 'a = [\n    ["x"],\n    [["y"]],\n]\n',
    "a deep array": "a = " + "[" * 9 + "]" * 9 + "\n",
    "an array that never ends": "a = [\n    1,\n",
    "rows without comma": "a = [\n    1\n]\n",
    "a comment in rows": "a = [\n    # x\n    1,\n]\n",
    "two on a row": 'a = [\n    "b", "c",\n]\n',
    "nothing in rows": "a = [\n]\n",
    "a value after rows": "a = [\n    1,\n] b\n",
    "a text in a row": 'a = [\n    """\nx\n""",\n]\n',
    "four quotes": 'a = [\n    """b""",\n]\n',
    "five quotes": 'a = """"b"""\n',
    "a text of several lines": 'a = """\nb\n\nc\n"""\n',
    "an empty text of several lines": 'a = """\n"""\n',
    "a text that begins at once": 'a = """b\nc\n"""\n',
    "a text that never ends": 'a = """\nb\n',
    "a text of one quote": 'a = "\n',
    "a word": "a = b\n",
    "a number below zero": "a = -1\n",
    "a number with a point": "a = 1.5\n",
    "a day": "a = 2026-01-01\n",
    "digits of others": "a = \u0661\n",
    "a sign": "a = ²\n",
    "no value": "a = \n",
    "no key": " = 1\n",
    "a key of others": "é = 1\n",
    "no blank": "a=1\n",
    "blanks behind": "a = 1 \n",
    "blanks before": " a = 1\n",
    "a comment behind": "a = 1 # b\n",
    "a heading with blanks": "[ a ]\nb = 1\n",
    "a heading with quotes": '["a"]\nb = 1\n',
    "half a heading": "[[a]\nb = 1\n",
    "a heading of nothing": "[]\nb = 1\n",
    "a long heading": "[a.b.c.d.e.f]\ng = 1\n",
    "other lines": "a = 1\r\nb = 2\r\n",
    "half a line": "a = 1\rb = 2\n",
    "nothing": "",
}


def outcome(read: Callable[[str], dict[str, Any]], text: str) -> dict[str, Any] | str:
    """Return the values, or the message of the error."""
    try:
        return read(text)
    except tomllib.TOMLDecodeError as error:
        return str(error)


def order_of(value: object) -> object:
    """Return keys and values in the order in which they stand."""
    if isinstance(value, dict):
        return [(key, order_of(inner)) for key, inner in value.items()]
    if isinstance(value, list):
        return [order_of(inner) for inner in value]
    return value, type(value)


@pytest.mark.parametrize("path", [*SHIPPED, *GAMES], ids=lambda path: path.name)
def test_what_is_read_often_is_read_line_by_line(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert order_of(toml.read_lines(text)) == order_of(tomllib.loads(text))


@pytest.mark.parametrize("kind", LAYOUTS)
def test_any_other_is_read_as_the_library_reads_it(kind: str) -> None:
    text = LAYOUTS[kind]
    assert order_of(outcome(toml.loads, text)) == order_of(outcome(tomllib.loads, text))


@pytest.mark.parametrize("path", OTHERS, ids=lambda path: path.stem)
def test_examples_are_read_as_the_library_reads_them(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert order_of(toml.loads(text)) == order_of(tomllib.loads(text))


PIECES = [
    *(
        "#",
        " ",
        "\n",
        "\n\n",
        "    ",
        '"',
        '""',
        '"""',
        "'",
        "[",
        "]",
        "[[",
        "]]",
        "{",
        "}",
        "=",
        " = ",
    ),
    *(",", ".", "-", "a", "0", "01", "1", "true", "\t", "\r", "é", "\\", "-----BEGIN ", "-----"),
    *("\n]\n", '",\n    "', "\n[log]\n", "\n[[log]]\n", " = [\n", "a = {}\n", "a = 1\n", "# x\n"),
    *('    "a=b",\n', 'a = """\n', "seats = []\n", "{ a = 1 },\n"),
]


def changed(text: str, random: Random) -> str:
    """Return a text in which something was put in, taken out, or put twice."""
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        at = random.randrange(len(text))
        if random.random() < 0.3:
            lines = text.split("\n")
            at = random.randrange(len(lines))
            lines.insert(random.randrange(len(lines)), lines[at])
            text = "\n".join(lines)
        else:
            # Ends of lines are where most is decided.
            at = text.find("\n", at) if random.random() < 0.5 else at
            at += random.randrange(-2, 3)
            at = max(at, 0)
            text = text[:at] + random.choice(PIECES) + text[at + random.choice((0, 0, 1, 2)) :]
    return text


def small(text: str) -> str:
    """Return a game file with less of what there is much of."""
    text = re.sub(r'(?m)(?:^    "[A-Za-z0-9+/]{43}",\n){3,}', f'    "{"x" * 43}",\n', text)
    rows = text.split("\n[[log]]\n")
    end = rows[-1].partition("\n[signature]")[2]
    return "\n[[log]]\n".join(rows[:4]) + "\n[signature]" + end


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.parent.name)
def test_a_changed_file_is_read_as_the_library_reads_it(path: Path) -> None:
    random = Random(path.parent.name)
    text = small(path.read_text(encoding="utf-8"))
    assert toml.read_lines(text) is not None
    read_so = 0
    for _ in range(1500):
        other = changed(text, random)
        read = toml.read_lines(other)
        if read is None:
            continue
        read_so += 1
        assert order_of(read) == order_of(outcome(tomllib.loads, other)), other
    assert read_so > 200


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("ben = b@x.org", 'texts stand in quotes: ben = "…"'),
        ("ben = yes", 'texts stand in quotes: ben = "…"'),
        ("ben = [b@x.org, c@x.org]", 'texts stand in quotes: ben = ["…", "…"]'),
        ("ben = [\n  b@x.org\n]", 'texts stand in quotes: "…"'),
        ('"Ana M" = SHA256:x', 'texts stand in quotes: "…"'),
        ('Ana M = "b@x.org"', 'a name with blanks or other signs in it stands in quotes: "…" = …'),
        ('b@x.org = "ben"', 'a name with blanks or other signs in it stands in quotes: "…" = …'),
        ('ben = "b@x.org', ""),
        ("ben = 1.2.3", ""),
        ("[[seats]", ""),
        ("ben = [", ""),
        ("ben =", ""),
    ],
)
def test_missing_quotes_are_seen(line: str, hint: str) -> None:
    text = f'[seats]\nana = "a@x.org"\n{line}\n'
    with pytest.raises(tomllib.TOMLDecodeError) as caught:
        toml.loads(text)
    assert toml.missing_quotes(text, caught.value) == hint
