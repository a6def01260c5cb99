"""Undoing what mail programs do to a text, before notes are looked for in it (PROTOCOL 8)."""

from __future__ import annotations

import binascii
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

LINE_LIMIT = 1 << 12
# Stands for a line that is too long; no canonical text holds it.
OVERLONG = "\0"


def decode(data: bytes) -> str:
    """The text in a file, whatever program saved it: UTF-8, UTF-16 with its mark, or Latin-1."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", "replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def readings(text: str) -> Iterator[str]:
    """What the text may say: as it is, then with its MIME encodings undone."""
    yield text
    if re.match(r"(From [^\n]*\n)?[!-9;-~]+:", text) and re.search(
        r"^(MIME-Version|Content-[A-Za-z-]+):", text, re.IGNORECASE | re.MULTILINE
    ):
        yield from _mime(text)
    if "=" in text:
        yield _text_of(binascii.a2b_qp(text.encode("utf-8", "surrogatepass")))


def fold(text: str) -> str:
    """The text with everything gone that mail may change: lines of words, one blank between.

    Quote marks are blanks; marks, invisible characters and empty lines are dropped; the rest is
    NFKC with one kind of dash. A word broken after a hyphen at a line's end is put together.
    """
    if not text.isascii():
        # Late, because nearly all notes arrive as ASCII.
        from unicodedata import category, normalize

        # Before NFKC, which takes its time over piles of marks.
        text = "".join([c for c in text if category(c) not in ("Mn", "Mc", "Me", "Cf")])
        text = normalize("NFKC", text)
        text = "".join(["-" if category(c) == "Pd" or c == "\N{MINUS SIGN}" else c for c in text])
    lines = [
        " ".join(line.replace(">", " ").split()) if _fits(line) else OVERLONG
        for line in text.splitlines()
    ]
    return re.sub("(?<=[a-z0-9]-)\n", "", "\n".join([line for line in lines if line]))


def _fits(line: str) -> bool:
    return len(line) <= LINE_LIMIT // 4 or len(line.encode("utf-8", "replace")) <= LINE_LIMIT


def _text_of(data: bytes, charset: str = "utf-8") -> str:
    try:
        return data.decode(charset)
    except (UnicodeDecodeError, LookupError):
        return data.decode("latin-1")


def _mime(text: str) -> Iterator[str]:
    """The texts and attachments of a mail that was saved whole."""
    from email import message_from_string

    parts = []
    try:
        for part in message_from_string(text).walk():
            if part.is_multipart() or part.get_content_type() == "text/html":
                continue
            if part.get_content_maintype() in ("image", "audio", "video"):
                continue
            if str(part.get("content-transfer-encoding", "")).strip().lower() in (
                "base64",
                "quoted-printable",
            ):
                data = part.get_payload(decode=True)
                charset = part.get_content_charset() or "utf-8"
                parts.append(_text_of(data, charset) if isinstance(data, bytes) else "")
            else:
                parts.append(str(part.get_payload()))
    # A hostile mail can make the parser fail in more ways than it documents; then there is
    # simply no such reading.
    except Exception:
        return
    yield "\n".join(parts)
