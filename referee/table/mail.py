"""Finding notes in what people saved from their mail (PROTOCOL 8)."""

from __future__ import annotations

import binascii
import itertools
import re
from typing import TYPE_CHECKING

from referee.games.interface import GameError, NotUnderstood
from referee.table import sealing, sshsig
from referee.table.errors import BadSignature, Damaged
from referee.table.notes import LINE_LIMIT, AnyNote, from_words, shown

if TYPE_CHECKING:
    from collections.abc import Iterator

TEXT_LIMIT = 1 << 16
# Stands for a line that is too long; no canonical text holds it.
OVERLONG = "\0long\0"

START = r"(?<![\w./])(?i:sanjuan-ref)/\S+"
BEGIN = r"-\s*BEGIN\s+SSH\s+SIGNATURE\s*-"
END = r"-\s*END\s+SSH\s+SIGNATURE\s*-"
AGE_BEGIN = r"-\s*BEGIN\s+AGE\s+ENCRYPTED\s+FILE\s*-"
AGE_END = r"-\s*END\s+AGE\s+ENCRYPTED\s+FILE\s*-"


class Found:
    """One thing found in a text: a signed note, a block sealed to somebody, or what is wrong.

    Exactly one of `note` (with its `signature`, of the right namespace but not yet verified),
    `sealed` and `error` is there.
    """

    __slots__ = ("error", "note", "sealed", "signature")

    def __init__(
        self,
        note: AnyNote | None = None,
        signature: sshsig.Signature | None = None,
        sealed: str | None = None,
        error: GameError | None = None,
    ) -> None:
        self.note = note
        self.signature = signature
        self.sealed = sealed
        self.error = error


def find(text: str) -> list[Found]:
    """The notes and sealed blocks anywhere in a text, such as a mail, in their order.

    Each is judged alone. The same note twice is found once. Raises NotUnderstood for a text over
    64 kB.
    """
    if len(text) > TEXT_LIMIT or len(text.encode("utf-8", "replace")) > TEXT_LIMIT:
        raise NotUnderstood("the text is over 64 kB", "give the note alone")
    best: list[Found] = []
    best_rank: tuple[int, int] | None = None
    for reading in readings(text):
        found = _scan(fold(reading))
        bad = sum(1 for one in found if one.error)
        rank = (len(found) - bad, -bad)
        if best_rank is None or rank > best_rank:
            best, best_rank = found, rank
        if best and best_rank[1] == 0:
            break
    return best


def _scan(text: str) -> list[Found]:
    places: dict[int, Found] = {}
    seen: set[object] = set()
    for judge, start in ((_note, START), (_block, AGE_BEGIN)):
        begins = [match.start() for match in re.finditer(start, text)]
        for at, end in itertools.pairwise([*begins, len(text)]):
            leads = not text[text.rfind("\n", 0, at) + 1 : at].strip("-")
            found = judge(text[at:end], leads)
            if found is None:
                continue
            mark = (found.note, found.signature and found.signature.armour(), found.sealed)
            if found.error is None and mark in seen:
                continue
            seen.add(mark)
            places[at] = found
    return [places[at] for at in sorted(places)]


def _note(text: str, leads: bool) -> Found | None:
    """The note at the beginning of `text`; None where it is but a mention in prose."""
    begin, end = re.search(BEGIN, text), re.search(END, text)
    if end is None and not leads:
        return None
    try:
        if end is None:
            raise NotUnderstood("the note is cut off: it has no line END SSH SIGNATURE")
        if begin is None or begin.end() > end.start():
            raise BadSignature("the note is not signed: it has no line BEGIN SSH SIGNATURE")
        if OVERLONG in text[: end.start()]:
            raise NotUnderstood("a line of the note is over 4 kB")
        note = from_words(text[: begin.start()].rstrip("-").lower().split())
        signature = sshsig.parse_body(_body(text[begin.end() : end.start()]))
        if signature.namespace != note.namespace:
            raise BadSignature(
                f"the note is signed as {shown(signature.namespace)}, not as {note.namespace}"
            )
    except GameError as error:
        return Found(error=error)
    return Found(note=note, signature=signature)


def _block(text: str, leads: bool) -> Found | None:
    """The age block at the beginning of `text`; None where it is but a mention in prose."""
    begin, end = re.search(AGE_BEGIN, text), re.search(AGE_END, text)
    if begin is None or end is None:
        return Found(error=Damaged("the sealed block is cut off")) if leads else None
    try:
        return Found(sealed=sealing.rebuilt(_body(text[begin.end() : end.start()])))
    except GameError as error:
        return Found(error=error)


def _body(text: str) -> str:
    """The base64 between two armour lines, of which only the innermost dashes were taken."""
    return "".join(text.split()).strip("-")


def decode(data: bytes) -> str:
    """The text in a file, whoever saved it: UTF-8, UTF-16 with its mark, or Windows-1252."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", "replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def readings(text: str) -> Iterator[str]:
    """What the text may say: as it is, then with its MIME encodings undone."""
    yield text
    text = text.lstrip()
    if re.match(r"(From [^\n]*\n)?[!-9;-~]+:", text) and re.search(
        r"^(MIME-Version|Content-[A-Za-z-]+):", text, re.IGNORECASE | re.MULTILINE
    ):
        yield from _mime(text)
    if "=" in text:
        yield _text_of(binascii.a2b_qp(text.encode("utf-8", "surrogatepass")))


def fold(text: str) -> str:
    """The text with everything gone that mail may change: lines of words, one blank between.

    Quote marks are blanks; marks, invisible characters and empty lines are dropped; the rest is
    NFKC with one kind of dash. A word that was broken after a hyphen is put together.
    """
    if not text.isascii():
        # Late, because nearly all notes arrive as ASCII.
        from unicodedata import category, normalize

        # Before NFKC, which takes its time over piles of marks.
        text = "".join([c for c in text if category(c) not in ("Mn", "Mc", "Me", "Cf")])
        text = normalize("NFKC", text)
        text = "".join(["-" if category(c) == "Pd" or c == "\u2212" else c for c in text])
    lines = [
        " ".join(line.replace(">", " ").split()) if _fits(line) else OVERLONG
        for line in text.splitlines()
    ]
    return re.sub(r"(?<=[a-z0-9]-)\s", "", "\n".join([line for line in lines if line]))


def _fits(line: str) -> bool:
    return len(line) <= LINE_LIMIT // 4 or len(line.encode("utf-8", "replace")) <= LINE_LIMIT


def _text_of(data: bytes, charset: str = "utf-8") -> str:
    try:
        return data.decode(charset)
    except (UnicodeDecodeError, LookupError):
        return data.decode("cp1252", "replace")


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
