"""The text of a game file is laid out as a library for TOML does it, and read back unchanged."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
import tomli_w
from hypothesis import given
from hypothesis import strategies as st

from referee.table import layout
from tests.make_examples import EXAMPLES

TEXTS = st.text(max_size=12) | st.sampled_from(
    ("x" * 43, "x" * 90, "a\nb\n", "\x7f", "a\r\nb", '"""', "\\", "é 𝄞", "1.1.role.ana")
)
KEYS = st.sampled_from(("a", "key", "a-b", "a_b", "1.1.role.ana", "", "é", '"')) | TEXTS
LEAVES = TEXTS | st.booleans() | st.integers(-(10**9), 10**9)
VALUES = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(KEYS, inner, max_size=3)
        | st.lists(st.dictionaries(KEYS, inner, max_size=3), max_size=3)
    ),
    max_leaves=12,
)


@given(st.dictionaries(KEYS, VALUES, max_size=5))
def test_what_is_written_is_what_a_library_writes(body: dict[str, Any]) -> None:
    text = layout.dumps(body)
    assert text == tomli_w.dumps(body, multiline_strings=True)


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*/*.toml")), ids=str)
def test_whole_files_are_written_as_a_library_writes_them(path: Path) -> None:
    body = tomllib.loads(path.read_text(encoding="utf-8"))
    assert layout.dumps(body) == tomli_w.dumps(body, multiline_strings=True)


@pytest.mark.parametrize("value", [None, 1.5, b"x", [None], {"x": 1.5}])
def test_other_values_have_no_text(value: object) -> None:
    with pytest.raises(TypeError, match="cannot hold"):
        layout.dumps({"x": value})
