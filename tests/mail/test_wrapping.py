"""Whatever is done to a note on its way by mail, it is found, and it is the same note."""

from __future__ import annotations

import base64
import html
import quopri
import textwrap
from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from referee.notes.finding import find_in_bytes
from tests.mail.samples import NOTES, name_of

HEAD = "From: Ana <ana@example.com>\nSubject: my move\nMIME-Version: 1.0\n"
CHARSETS = ["utf-8", "us-ascii", "iso-8859-1", "windows-1252", "koi8-r", "gb18030", "x-unknown"]


def rewrapped(text: str, width: int) -> str:
    """All in one paragraph, broken anew at blanks and hyphens, and where there is neither."""
    return textwrap.fill(" ".join(text.split()), width) + "\n"


def each_wrapped(text: str, width: int) -> str:
    """Each line that is too long broken at its blanks."""
    lines = [textwrap.wrap(line, width, break_on_hyphens=False) for line in text.splitlines()]
    return "".join(f"{piece}\n" for line in lines for piece in line)


def quoted(text: str, marks: list[str]) -> str:
    for mark in marks:
        text = "".join(f"{mark}{line}\n" for line in text.splitlines())
    return text


def flowed(text: str, width: int, delsp: bool) -> str:
    """A text as format=flowed, in lines of about `width` (RFC 3676, 4.2)."""
    done = []
    for line in text.splitlines():
        words = line.lstrip(">")
        depth = ">" * (len(line) - len(words))
        words = words.strip()
        while len(words) > width:
            # With DelSp a line may end anywhere; without only where there is a blank.
            at = width if delsp else words.rfind(" ", 0, width) + 1
            if not at:
                break
            done.append(f"{depth} {words[:at]}{' ' if delsp else ''}")
            words = words[at:]
        done.append(f"{depth} {words}")
    return "".join(f"{line}\n" for line in done)


def plain(text: str, charset: str) -> str:
    return f"Content-Type: text/plain; charset={charset}\n\n{text}"


def in_quoted_printable(text: str, charset: str) -> str:
    body = quopri.encodestring(text.encode()).decode()
    return (
        f"Content-Type: text/plain; charset={charset}\n"
        f"Content-Transfer-Encoding: quoted-printable\n\n{body}"
    )


def in_base64(text: str, charset: str) -> str:
    body = base64.encodebytes(text.encode()).decode()
    return (
        f"Content-Type: text/plain; charset={charset}\nContent-Transfer-Encoding: base64\n\n{body}"
    )


def in_utf_16(text: str, charset: str) -> str:
    body = base64.encodebytes(text.encode("utf-16")).decode()
    return f"Content-Type: text/plain\nContent-Transfer-Encoding: base64\n\n{body}"


def in_html(text: str, charset: str) -> str:
    body = "<br>\n".join(html.escape(line) for line in text.splitlines())
    return f"Content-Type: text/html; charset={charset}\n\n<p>{body}</p>"


def attached(text: str, charset: str) -> str:
    return (
        f"Content-Type: multipart/mixed; boundary=b\n\n--b\n\nattached\n--b\n"
        f"Content-Disposition: attachment; filename=note\n{in_base64(text, charset)}--b--\n"
    )


def forwarded(text: str, charset: str) -> str:
    return f"Content-Type: message/rfc822\n\n{HEAD}{in_quoted_printable(text, charset)}"


WAYS: list[Callable[[str, str], str]] = [
    plain,
    in_quoted_printable,
    in_base64,
    in_utf_16,
    in_html,
    attached,
    forwarded,
]
MARKS = st.lists(st.sampled_from(["> ", ">", "| ", "|", " > ", ">> ", "> | "]), max_size=4)
ENDS = st.sampled_from([b"\n", b"\r\n", b"\r"])
WRAPS = st.sampled_from([rewrapped, each_wrapped])


def check(name: str, mail: str, end: bytes) -> None:
    assert [name_of(one) for one in find_in_bytes(mail.encode().replace(b"\n", end))] == [name]


@given(
    st.sampled_from(sorted(NOTES)),
    WRAPS,
    st.integers(60, 78),
    MARKS,
    st.sampled_from(WAYS),
    st.sampled_from(CHARSETS),
    st.integers(60, 78) | st.none(),
    ENDS,
)
def test_a_note_that_was_wrapped_quoted_and_encoded_is_the_same(
    name: str,
    wrap: Callable[[str, int], str],
    width: int,
    marks: list[str],
    way: Callable[[str, str], str],
    charset: str,
    again: int | None,
    end: bytes,
) -> None:
    text = quoted(wrap(NOTES[name], width), marks)
    if again:
        text = wrap(text, again)
    check(name, HEAD + way(text, charset), end)


@given(
    st.sampled_from(sorted(NOTES)),
    st.integers(60, 78),
    st.integers(0, 3),
    st.integers(40, 78),
    st.booleans(),
    ENDS,
)
def test_a_note_that_flowed_is_the_same(
    name: str, width: int, depth: int, flow: int, delsp: bool, end: bytes
) -> None:
    text = flowed(quoted(each_wrapped(NOTES[name], width), [">"] * depth), flow, delsp)
    kind = f"text/plain; format=Flowed; DelSp={'yes' if delsp else 'no'}"
    check(name, f"{HEAD}Content-Type: {kind}\n\n{text}", end)


def test_every_width_of_every_note() -> None:
    for name, note in NOTES.items():
        for width in range(60, 79):
            for wrap in (rewrapped, each_wrapped):
                check(name, HEAD + plain(wrap(note, width), "utf-8"), b"\n")
