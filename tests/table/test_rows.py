"""The rows of the log are read and written as a library for TOML would."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from typing import Any

import pytest
import tomli_w

from referee.table import rows

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

ODD = {
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
}


def parsed(text: str) -> dict[str, Any]:
    body, log = rows.loads(text)
    return body | {"log": log} if log else body


def outcome(read: Callable[[str], dict[str, Any]], text: str) -> dict[str, Any] | str:
    """Return the values, or the message of the error."""
    try:
        return read(text)
    except tomllib.TOMLDecodeError as error:
        return str(error)


def test_the_usual_layout_is_read_at_once() -> None:
    body, log = rows.loads(WHOLE)
    assert len(log) == 3
    assert "log" not in body
    assert body | {"log": log} == tomllib.loads(WHOLE)
    assert [list(row) for row in log] == [list(row) for row in tomllib.loads(WHOLE)["log"]]


@pytest.mark.parametrize("kind", ODD)
def test_any_other_is_read_as_a_library_reads_it(kind: str) -> None:
    assert outcome(parsed, ODD[kind]) == outcome(tomllib.loads, ODD[kind])


@pytest.mark.parametrize(
    "play", ["role builder", "", "é", '"', "\\", "a\nb", "\t", "\x7f", "'''", "𝄞", "[[log]]"]
)
@pytest.mark.parametrize("then", [[], ["a"], ["a", "b c"], ['"'], ["a", "é"], ["\n"]])
def test_what_is_written_is_what_a_library_writes(play: str, then: list[str]) -> None:
    log: list[dict[str, Any]] = [
        {"decision": "1.1.role.ana", "by": "ana", "play": play, "seen": 3, "root": "x" * 43}
    ]
    log.append(log[0] | {"then": then, "signature": "y" * 86})
    body = tomllib.loads(HEAD) | {"log": log}
    text = rows.dumps(body)
    assert text == tomli_w.dumps(body, multiline_strings=True)
    end = '\n[signature]\nsshsig = """\na\nb\n"""\n'
    assert parsed(text + end) == body | {"signature": {"sshsig": "a\nb\n"}}
