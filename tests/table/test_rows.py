"""The rows of the log are written as a library for TOML would."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest
import tomli_w

from referee.table import rows

HEAD = 'format = "x"\n\n[game]\nid = "1"\n'


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
