"""Taking an email apart: from the bytes of a message to the texts in it (PROTOCOL 8)."""

from __future__ import annotations

import binascii
import codecs
import re
from contextlib import suppress
from typing import TYPE_CHECKING

from referee.games.errors import NotUnderstood
from referee.notes.headers import parameters
from referee.notes.recognising import MAIL_LIMIT, TEXT_LIMIT, begins_as_game_file, is_game_file

if TYPE_CHECKING:
    from collections.abc import Iterator

HEAD_LIMIT = 1 << 18
HEADS_LIMIT = 1 << 20
VALUE_LIMIT = 1 << 14
PARAM_LIMIT = 1 << 12
DEPTH = 10
PARTS = 100
# In each transfer encoding and charset a text of TEXT_LIMIT is shorter.
BODY_LIMIT = 8 * TEXT_LIMIT
BODIES_LIMIT = 4_000_000
FILE_LIMIT = 2 * TEXT_LIMIT
# So much of a large file is looked at to see what it is.
SNIFF_LIMIT = 1 << 12
RUNS = 20

NEW_MAIL = "write a new mail with nothing but the note in it"
UNREADABLE = {
    "tnef": "Outlook packed it into a winmail.dat: send it again as plain text",
    "encrypted": "the email is encrypted, which a referee cannot read: send it again without, "
    "and let the move be sealed instead (move --seal)",
    "signed": "S/MIME packed the text into a smime.p7m: send it again without signing the email",
    "packed": "archives (zip and the like), documents of office programs and PDFs are not read: "
    "attach the note itself, or put it into the email",
}
PACKED = (
    *(b"PK\3\4", b"\x1f\x8b", b"7z\xbc\xaf", b"Rar!", b"BZh", b"\xfd7zXZ"),
    *(b"%PDF", b"{\\rtf", b"\xd0\xcf\x11\xe0"),
)
"""Beginnings of archives and documents, whatever they are called."""

FIELD = rb"([!-9;-~]+)[ \t]*:"
# These are compiled when they are needed: who applies a file with a note needs none of them.
KNOWN = (
    rb"(?im)^(from|to|cc|subject|date|received|return-path|delivered-to|message-id|mime-version"
    rb"|content-[a-z-]+)[ \t]*:"
)
WORD = r"(?i)=\?([^?*\s]+)(?:\*[^?\s]*)?\?([bq])\?([^?\n]*)\?="
GUESS = rb"(?i)\n--([^\n]{1,200}+)\n(?=content-[a-z-]+:)"
# A body, or the beginning of one, of which each line is base64.
BASE64 = rb"(?:[ \t\r\f\v]*+(?:[A-Za-z0-9+/]++={0,2})?+[ \t\r\f\v]*+(?:\n|\Z))*+"

# Python's names of the charsets that mail may name. Its other codecs are no charsets (rot13, hex,
# idna), or such that ASCII does not show in the bytes; UTF-16 is told by looking at them.
CHARSET = (
    r"ascii|utf-8|cp(?:437|85[0-9]|86[0-9]|874|932|949|950|125[0-8])|iso8859-[0-9]+"
    r"|iso2022_(?:jp|kr)\w*|koi8-[rtu]|tis-620|mac-[a-z0-9]+|big5\w*|euc_\w+|gb\w+|shift_jis\w*"
    r"|johab|hz"
)
OTHER_NAMES = {
    "iso-8859-8-i": "iso8859-8",
    "x-sjis": "cp932",
    "x-mac-roman": "mac-roman",
    "x-gbk": "gbk",
}
SHIFTING = ("iso2022", "hz")

SKIPPED = r"(?is)<!--(?:.*?-->|.*)|<(style|script|title)\b(?:.*?</\1[^<>]*>?|.*)"
BLOCK = (
    r"(?i)</?(?:address|article|aside|blockquote|body|br|center|d[dlt]|div|fieldset|figure|footer|form"
    r"|h[1-6r]|head|header|html|li|main|nav|[ou]l|p|pre|section|table|t[dhr]|tbody|tfoot|thead)"
    r"(?![a-z0-9:-])[^<>]*>?"
)
TAG = r"<[a-zA-Z!?/][^<>]*>?"


class Header:
    """The header fields of an email."""

    __slots__ = ("_fields",)

    def __init__(self, fields: list[tuple[str, bytes]]) -> None:
        self._fields = fields

    def header(self, name: str) -> str:
        """Return the first field of that name as one harmless line, decoded; empty when missing."""
        return next(iter(self.headers(name)), "")

    def headers(self, name: str) -> list[str]:
        """Return all fields of that name, each as `header` gives it.

        An encoded word may decode to anything, an address too: do not look for addresses here.
        """
        return [printable_line(decode_words(value)) for value in self.raw(name)]

    def raw(self, name: str) -> list[str]:
        """Return all fields of that name, each in one line, with its encoded words as they came.

        Of a long one only the beginning.
        """
        return [decode(value)[:VALUE_LIMIT] for key, value in self._fields if key == name.lower()]


class Message(Header):
    """An email, taken apart: its header fields and the texts in it, in reading order.

    `advice` is for its sender, if something could not be read; `games` says whether a game file
    was passed over.
    """

    __slots__ = ("_pages", "advice", "games", "leaves")

    def __init__(self, fields: list[tuple[str, bytes]], reader: _Reader) -> None:
        super().__init__(fields)
        self._pages = reader.pages
        self.leaves = reader.leaves
        self.advice = reader.advice
        self.games = reader.games

    @property
    def texts(self) -> list[str]:
        """The texts, as the header of each part says that it is to be read."""
        return [leaf.text for leaf in self.leaves]

    def pages(self) -> list[str]:
        """Return the HTML as texts, for when `texts` hold nothing."""
        texts, left = [], BODIES_LIMIT
        for part, body in self._pages:
            page = undo_transfer_encoding(body[:left], part.encoding)
            left -= min(left, len(body))
            texts.append(html_to_text(decode(page, part.params.get("charset", ""))))
        return texts


def is_mail(data: bytes) -> bool:
    """Return True if the bytes begin like an email that was saved whole."""
    data = normalize_line_ends(data[:HEAD_LIMIT])
    field = data.partition(b"\n")[2] if data.startswith(b"From ") else data
    return bool(re.match(FIELD, field) and re.search(KNOWN, data.partition(b"\n\n")[0]))


def read_header(data: bytes) -> Header:
    """Return the header of an email, as far as it is not too long. Raises nothing."""
    return Header(_fields(normalize_line_ends(data[:HEAD_LIMIT]))[0])


def read(data: bytes) -> Message:
    """Return the message of which `data` are the bytes, whatever they are: the first LIMIT of them.

    Raises NotUnderstood for one with too long headers, or too many parts in or behind each other.
    """
    reader = _Reader()
    fields, body = reader.split(normalize_line_ends(data[:MAIL_LIMIT]))
    reader.part(_Part(fields), body, 0)
    return Message(fields, reader)


class _Part:
    """The header of one part, as far as it tells of its body."""

    __slots__ = ("encoding", "kind", "name", "params", "shown")

    def __init__(self, fields: list[tuple[str, bytes]], kind: str = "") -> None:
        head = {
            name: decode(value[:PARAM_LIMIT])
            for name, value in reversed(fields)
            if name.startswith("content-")
        }
        self.params = parameters(head.get("content-type", ""))
        place = parameters(head.get("content-disposition", ""))
        self.kind = next(iter(self.params), "") or kind
        self.name = decode_words(place.get("filename") or self.params.get("name", "")).lower()
        self.shown = "attachment" not in place and not self.name
        self.encoding = head.get("content-transfer-encoding", "").partition(";")[0].strip().lower()

    def unreadable(self) -> str:
        """Return the kind of UNREADABLE that this part is, if any."""
        kind = self.kind.replace("/x-", "/").replace("/vnd.", "/")
        if kind == "application/ms-tnef" or self.name == "winmail.dat":
            return "tnef"
        if kind == "application/pkcs7-mime" or self.name == "smime.p7m":
            signed = self.params.get("smime-type", "").lower() == "signed-data"
            return "signed" if signed else "encrypted"
        return "encrypted" if kind == "multipart/encrypted" else ""


class Leaf:
    """A part that holds a `text`, as its header says that it is to be read, and other readings.

    `data` are the bytes of the text.
    """

    __slots__ = ("_body", "_part", "data", "text")

    def __init__(self, part: _Part, body: bytes) -> None:
        self._part = part
        self._body = body
        self.data = undo_transfer_encoding(body, part.encoding)
        self.text = self._as_text(self.data)

    def others(self) -> Iterator[str]:
        """Yield the text in other ways, for where nothing good comes of the first.

        Some programs send as it is what they call quoted-printable; and RFC 2045 wants whatever is
        no base64 to be ignored.
        """
        if self._part.encoding == "quoted-printable":
            yield self._as_text(self._body)
        elif self._part.encoding == "base64":
            yield self._as_text(_base64_runs(re.sub(rb"[^A-Za-z0-9+/=]", b"", self._body)))

    def _as_text(self, data: bytes) -> str:
        params = self._part.params
        text = decode(data, params.get("charset", ""))
        if params.get("format", "").lower() == "flowed":
            text = unflow(text, params.get("delsp", "").lower() == "yes")
        return text


class _Reader:
    """Collects what is in a message, part by part.

    The parts are cut here and not by the `email` package, because that calls itself for each
    part in a part, takes its time over many of them, and knows no limits.
    """

    def __init__(self) -> None:
        self.leaves: list[Leaf] = []
        self.pages: list[tuple[_Part, bytes]] = []
        self.advice = ""
        self.games = False
        self.parts = 0
        self._heads = 0
        self._bodies = 0

    def split(self, data: bytes) -> tuple[list[tuple[str, bytes]], bytes]:
        """Return the header fields, unfolded, and the body."""
        fields, at = _fields(data)
        self._heads += at
        if at > HEAD_LIMIT or self._heads > HEADS_LIMIT:
            what = "256 kB" if at > HEAD_LIMIT else "1 MB with those of its parts"
            raise NotUnderstood(f"the header of the email is over {what}", NEW_MAIL)
        return fields, data[at:]

    def take(self, body: bytes, limit: int = BODIES_LIMIT) -> bytes:
        """So much of a body as may be decoded after all that was before."""
        body = body[: min(limit, BODIES_LIMIT - self._bodies)]
        self._bodies += len(body)
        return body

    def message(self, data: bytes, depth: int) -> None:
        fields, body = self.split(data)
        self.part(_Part(fields), body, depth)

    def part(self, part: _Part, body: bytes, depth: int) -> None:
        self.parts += 1
        if depth > DEPTH or self.parts > PARTS:
            what = f"over {PARTS} parts" if self.parts > PARTS else "too many emails in one another"
            raise NotUnderstood(f"the email has {what}", NEW_MAIL)
        family = part.kind.partition("/")[0]
        if family in ("image", "audio", "video", "font"):
            return
        if unreadable := part.unreadable():
            self.advice = UNREADABLE[unreadable]
        elif family == "multipart" or (not part.kind and re.search(GUESS, b"\n" + body)):
            self.several(part, body, depth)
        elif part.kind in ("message/rfc822", "message/global") or part.name.endswith(".eml"):
            if part.encoding in ("base64", "quoted-printable"):
                body = undo_transfer_encoding(self.take(body), part.encoding)
            self.message(normalize_line_ends(body), depth + 1)
        else:
            self.leaf(part, body)

    def several(self, part: _Part, body: bytes, depth: int) -> None:
        before, inner, behind = _split_multipart(body, part.params.get("boundary", ""))
        self.stray(before)
        inherited = "message/rfc822" if part.kind == "multipart/digest" else ""
        told = False
        for piece in inner:
            fields, content = self.split(piece)
            child = _Part(fields, inherited)
            plain = child.shown and child.kind in ("", "text/plain", "text/enriched")
            if plain and part.kind == "multipart/alternative":
                # The same once more.
                if told:
                    continue
                told = bool(content.strip())
            self.part(child, content, depth + 1)
        self.stray(behind)

    def stray(self, data: bytes) -> None:
        """Take what belongs to no part: a word to programs without parts, or a broken email."""
        if data.strip():
            self.leaf(_Part([]), data)

    def leaf(self, part: _Part, body: bytes) -> None:
        inline = part.shown and part.kind.partition("/")[0] in ("", "text")
        if part.kind == "text/html" and (inline or len(body) <= BODY_LIMIT):
            self.pages.append((part, body))
            return
        # Whatever is attached there, if it is that large it is no note.
        large = not inline and len(body) > FILE_LIMIT
        leaf = Leaf(part, body[:SNIFF_LIMIT] if large else self.take(body, BODY_LIMIT))
        large = large or (not inline and len(leaf.data) > TEXT_LIMIT)
        if not inline and leaf.data.startswith(PACKED):
            self.advice = UNREADABLE["packed"]
            return
        begins = not inline and begins_as_game_file(leaf.data)
        self.games = self.games or begins or (large and is_game_file(leaf.data))
        if begins or large:
            return
        if "-----BEGIN PGP MESSAGE-----" in leaf.text:
            self.advice = UNREADABLE["encrypted"]
        self.leaves.append(leaf)


class _GameReader(_Reader):
    """Collects the game files that are attached to a message."""

    def __init__(self) -> None:
        super().__init__()
        self.files: list[bytes] = []

    def leaf(self, part: _Part, body: bytes) -> None:
        data = undo_transfer_encoding(self.take(body), part.encoding)
        if begins_as_game_file(data):
            self.files.append(data)


def attached_games(data: bytes) -> list[bytes]:
    """Return the game files attached to an email, as they came; of a long email the first LIMIT.

    Raises NotUnderstood like `read`.
    """
    reader = _GameReader()
    reader.message(normalize_line_ends(data[:MAIL_LIMIT]), 0)
    return reader.files


def _fields(data: bytes) -> tuple[list[tuple[str, bytes]], int]:
    """Return the header fields at the beginning of an email, unfolded, and where its body is."""
    fields: list[tuple[str, list[bytes]]] = []
    at = 0
    while at < len(data):
        end = data.find(b"\n", at)
        end = len(data) if end < 0 else end
        line = data[at:end]
        match = re.match(FIELD, line)
        if match:
            fields.append((match[1].decode().lower(), [line[match.end() :].strip()]))
        elif fields and line[:1] in (b" ", b"\t"):
            fields[-1][1].append(line.strip())
        elif not re.match(rb">?From ", line):
            # The body needs no empty line before it.
            at = end + 1 if not line else at
            break
        at = end + 1
        if at > HEAD_LIMIT:
            break
    return [(name, b" ".join(value)) for name, value in fields], at


def _split_multipart(body: bytes, boundary: str) -> tuple[bytes, list[bytes], bytes]:
    """Return what stands before the parts of a multipart, the parts, and what follows them."""
    # A line end in front makes all lines alike, so that the search begins with fixed bytes.
    body = b"\n" + body
    mark = None
    if boundary:
        mark = _delimiter(boundary.rstrip().encode("utf-8", "replace")).search(body)
    if mark is None and (guess := re.search(GUESS, body)):
        # Not there, or not the one that the header names: then the one that looks like it.
        name = guess[1].rstrip(b" \t")
        mark = _delimiter(name.removesuffix(b"--") or name).search(body)
    if mark is None:
        return body[1:], [], b""
    before = body[1 : mark.start()]
    pieces: list[bytes] = []
    # One more than are allowed is enough to say so.
    while not mark["end"] and len(pieces) <= PARTS:
        following = mark.re.search(body, mark.end())
        if following is None:
            return before, [*pieces, body[mark.end() + 1 :]], b""
        pieces.append(body[mark.end() + 1 : following.start()])
        mark = following
    return before, pieces, body[mark.end() :]


def _delimiter(boundary: bytes) -> re.Pattern[bytes]:
    return re.compile(rb"\n--" + re.escape(boundary) + rb"(?P<end>--)?+[ \t]*+(?=\n|\Z)")


def normalize_line_ends(data: bytes) -> bytes:
    """Return the bytes of an email with LF at the ends of lines, and nothing before the first."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        data = decode(data).encode("utf-8", "replace")
    data = data.removeprefix(b"\xef\xbb\xbf")
    return data.replace(b"\r\n", b"\n").replace(b"\r", b"\n").lstrip(b"\n")


def undo_transfer_encoding(body: bytes, encoding: str) -> bytes:
    """Return a body with its Content-Transfer-Encoding undone, as far as it really has one."""
    if encoding == "quoted-printable":
        # Blanks at the end of a line were added on the way, also behind a soft line end.
        return binascii.a2b_qp(b"\n".join([line.rstrip(b" \t") for line in body.split(b"\n")]))
    if encoding != "base64":
        return body
    # Behind the first line that is none it was no base64 at all, or a mailing list added a text.
    match = re.match(BASE64, body)
    end = match.end() if match else 0
    rest = b"\n" + body[end:] if end < len(body) else b""
    return _base64_runs(b"".join(body[:end].split())) + rest


def _base64_runs(text: bytes) -> bytes:
    """Return the bytes of base64 that was put together of several, each padded at its end."""
    return b"".join([_base64(run) for run in re.split(rb"=+", text, maxsplit=RUNS)])


def _base64(text: bytes) -> bytes:
    text = text.partition(b"=")[0]
    # One letter alone is less than a byte: the rest was cut off.
    text = text[: len(text) - (len(text) % 4 == 1)]
    return binascii.a2b_base64(text + b"=" * (-len(text) % 4))


def decode(data: bytes, charset: str = "") -> str:
    """Return the text in some bytes, whoever wrote them, and whatever they say of themselves.

    UTF-16 if they look like that; the named charset if it is one that shifts; UTF-8; the named
    charset; and else UTF-8 in which bytes that are none are those of Windows-1252.
    """
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", "replace")
    zeros = data.count(0)
    if zeros * 3 > len(data):
        little = data[1::2].count(0) * 2 > zeros
        return data.decode("utf-16-le" if little else "utf-16-be", "replace")
    if not charset and data.isascii():
        # Notes in files, for which nothing of what follows need be imported and compiled.
        return data.decode("ascii")
    codec = known_charset(charset) or "utf-8-sig"
    for name in (codec, "utf-8-sig") if codec.startswith(SHIFTING) else ("utf-8-sig", codec):
        with suppress(UnicodeDecodeError):
            return data.decode(name)
    text = data.decode("utf-8-sig", "surrogateescape")
    return re.sub(
        "[\udc80-\udcff]",
        lambda match: bytes([ord(match[0]) - 0xDC00]).decode("cp1252", "replace"),
        text,
    )


def known_charset(name: str) -> str:
    """Python's name of a charset that mail may name; empty for any other."""
    name = name.strip().lower().replace("_", "-")
    name = OTHER_NAMES.get(name, name)
    if not re.fullmatch("[a-z0-9][a-z0-9.:+-]{0,40}", name):
        return ""
    try:
        found = codecs.lookup(name).name
    except (LookupError, ValueError):
        return ""
    # Who says Latin-1 means the Windows one, which has dashes too.
    found = "cp1252" if found == "iso8859-1" else found
    return found if re.fullmatch(CHARSET, found) else ""


def unflow(text: str, delsp: bool) -> str:
    """Return a text of format=flowed (RFC 3676) with its paragraphs put together."""
    done: list[str] = []
    flows = -1
    for line in text.split("\n"):
        words = line.lstrip(">")
        depth = len(line) - len(words)
        words = words.removeprefix(" ")
        signature = words == "-- "
        if flows != depth or signature:
            done.append("\n" + "> " * depth)
        flows = depth if words.endswith(" ") and not signature else -1
        done.append(words[:-1] if flows >= 0 and delsp else words)
    return "".join(done)


def html_to_text(page: str) -> str:
    """Return the text of an HTML page, as far as a note needs it; no page is too broken for that.

    The standard library's parser raises on some pages and takes quadratic time over others.
    """
    from html import unescape

    text = re.sub(TAG, "", re.sub(BLOCK, "\n", re.sub(SKIPPED, "", page)))
    # Python refuses to read a number of thousands of digits.
    return unescape(re.sub("&#[xX]?[0-9a-fA-F]{9,};?", "", text))


def decode_words(value: str) -> str:
    """Return the value of a header field with its encoded words (RFC 2047) decoded."""
    done: list[str] = []
    at = 0
    # Neighbours of one charset are decoded together, because some programs cut inside a letter.
    waiting, charset = b"", ""
    for match in re.finditer(WORD, value):
        between = value[at : match.start()]
        name, way, content = match[1].lower(), match[2].lower(), match[3].encode()
        if between.strip() or name != charset or not at:
            done.append(decode(waiting, charset))
            waiting, charset = b"", name
            if between.strip() or not at:
                done.append(between)
        if way == "b":
            waiting += _base64(re.sub(rb"[^A-Za-z0-9+/]", b"", content))
        else:
            waiting += binascii.a2b_qp(content, header=True)
        at = match.end()
    return "".join([*done, decode(waiting, charset), value[at:]])


def printable_line(text: str) -> str:
    """Return a foreign text as one line without control characters."""
    return " ".join("".join([c if c.isprintable() else " " for c in text]).split())
