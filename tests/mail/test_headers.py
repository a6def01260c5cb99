"""Parameters of header fields, whoever wrote them; who sent a mail is in `test_machines`."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.notes.headers import mailboxes, parameters


@pytest.mark.parametrize(
    ("field", "found"),
    [
        ("text/plain", {"text/plain": ""}),
        ("", {"": ""}),
        ("Text/Plain; Charset=UTF-8", {"text/plain": "", "charset": "UTF-8"}),
        ('a/b; x="1; y=2"; y=3', {"a/b": "", "x": "1; y=2", "y": "3"}),
        (r'a/b; x="q\"q\\"', {"a/b": "", "x": r"q" + '"q\\'}),
        ("a/b; x=1; x=2", {"a/b": "", "x": "1"}),
        ("a/b ;x = 1 ; y", {"a/b": "", "x": "1", "y": ""}),
        ('a/b; x="never ends; y=2', {"a/b": "", "x": "never ends; y=2"}),
        ("a/b; x*=utf-8'de'Z%C3%BCge", {"a/b": "", "x": "Züge"}),
        ("a/b; x*1=b; x*0=a; x*2=c", {"a/b": "", "x": "abc"}),
        ("a/b; x*0*=utf-8''Z%C3%BC; x*1=ge", {"a/b": "", "x": "Züge"}),
        ("a/b; x*=%ZZ'%FF", {"a/b": "", "x": "\ufffd"}),
        ("a/b; x*0*=a; x*=b", {"a/b": "", "x": "a"}),
        ("a/b; x**=1; *=2; x*y=3", {"a/b": "", "x**": "1", "*": "2", "x*y": "3"}),
        (";;;==;\"", {"": ""}),
    ],
)  # fmt: skip
def test_parameters(field: str, found: dict[str, str]) -> None:
    assert parameters(field) == found


ANY = st.lists(st.sampled_from([*"()<>:;,\"\\=*'% a@b", "*0*=", "x="]), max_size=60).map("".join)


@given(ANY | st.text(max_size=60))
def test_any_field_is_read(field: str) -> None:
    parameters(field)
    for address in mailboxes(field):
        assert address == address.strip()


@pytest.mark.parametrize(
    "piece", ["(", "<", '"', "\\", ";", ";a", ';a="', ";a*0*=%", "=", " ", ","]
)
def test_a_long_field_is_gone_through_once(piece: str) -> None:
    """Quadratic time over these would be hours."""
    field = "a/b" + piece * 300_000
    parameters(field)
    mailboxes(field)
