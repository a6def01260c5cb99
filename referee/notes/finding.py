"""Finding notes in what people saved from their mail (PROTOCOL 8)."""

from __future__ import annotations

import binascii
import itertools
import re
from typing import TYPE_CHECKING

from referee.crypto import sealing, sshsig
from referee.errors import BadSignature, Damaged
from referee.games.errors import GameError, NotUnderstood
from referee.notes.kinds import FORMAT, LINE_LIMIT, SEND_AS_FILE, from_words, parse, quote_untrusted
from referee.notes.recognising import (
    MAIL_LIMIT,
    TEXT_LIMIT,
    WHAT_NOTES_ARE,
    begins_as_game_file,
    is_game_file,
)
from referee.notes.signed import SignedNote

if TYPE_CHECKING:
    from collections.abc import Iterable

    from referee.crypto.keys import PrivateKey
    from referee.notes.mime import Message

# Each is answered, so that a small mail could ask for a very large answer.
MAX_NOTES = 200
# Stands for a line that is too long; no canonical text holds it.
OVERLONG = "\0long\0"
MAX_CACHED_CHARACTERS = 50_000
QUOTED_PRINTABLE = r"=(?:[0-9A-Fa-f]{2}|[ \t\r]*\n)"

START = r"(?<![\w./])(?i:sanjuan-ref)/\S+"
BEGIN = r"-\s*BEGIN\s+SSH\s+SIGNATURE\s*-"
END = r"-\s*END\s+SSH\s+SIGNATURE\s*-"
AGE_BEGIN = r"-\s*BEGIN\s+AGE\s+ENCRYPTED\s+FILE\s*-"
AGE_END = r"-\s*END\s+AGE\s+ENCRYPTED\s+FILE\s*-"

# What stands before a block, or in the line before a note begins, in a game file that was pasted
# into an email, whatever kind of quotation marks the mail program made of its own.
QUOTES = "\"'\u201c\u201d\u201e\u201f\u2018\u2019\u201a"
BLOCK_OF_A_GAME = rf"(?:sealed\s*=\s*|secret\s*=\s*\[\s*|[{QUOTES}]\s*,\s*)[{QUOTES}]{{1,3}}$"
LINE_OF_A_GAME = rf"(?:format|title)\s*=\s*[{QUOTES}][^{QUOTES}]*"
LOOK_BACK = 80


class NoNote(NotUnderstood):
    """Nothing in a text looks like a note."""

    reason = "no-note"


class OnlyGame(NoNote):
    """A text holds a piece of a game file where a note or a sealed block should be."""

    def __init__(self) -> None:
        super().__init__(
            "this is a game file, not a note",
            f"{WHAT_NOTES_ARE}: send that",
        )


class Found:
    """One thing found in a text: a signed note, a block sealed to somebody, or what is wrong.

    Exactly one of `signed`, `sealed` and `error` is there. `whole` is all that was sealed together
    with what was found in a block.
    """

    __slots__ = ("_inside", "error", "sealed", "signed", "whole")

    def __init__(
        self,
        signed: SignedNote | None = None,
        sealed: str | None = None,
        error: GameError | None = None,
    ) -> None:
        self.signed = signed
        self.sealed = sealed
        self.error = error
        self.whole = ""
        self._inside: tuple[PrivateKey, list[Found] | GameError] | None = None

    @property
    def text(self) -> str:
        """The note or block as it was sent, laid out anew; empty where something is wrong."""
        return self.signed.armoured if self.signed is not None else self.sealed or ""


def find_inside(found: Found, key: PrivateKey) -> list[Found]:
    """Return the notes in the sealed block of `found`, which is opened once for a key.

    Raises like `unseal` and `find`.
    """
    assert found.sealed is not None
    if found._inside is None or found._inside[0] is not key:
        try:
            whole = sealing.unseal(found.sealed, key)
            found._inside = key, find(whole)
            for one in found._inside[1]:
                one.whole = whole
        except GameError as error:
            found._inside = key, error
    inside = found._inside[1]
    if isinstance(inside, GameError):
        raise inside
    return inside


def find(text: str) -> list[Found]:
    """Return the notes and sealed blocks anywhere in a text, such as an email, in their order.

    Each is judged alone. The same note twice is found once. Raises NotUnderstood for a text over
    64 kB.
    """
    if len(text) > TEXT_LIMIT or len(text.encode("utf-8", "replace")) > TEXT_LIMIT:
        raise NotUnderstood("the text is over 64 kB", "give the note alone")
    found = _scan(fold(text))
    if re.search(QUOTED_PRINTABLE, text) and not _is_good(found):
        # Seldom in a file.
        from referee.notes.mime import decode

        undone = binascii.a2b_qp(text.encode("utf-8", "surrogatepass"))
        found = max(found, _scan(fold(decode(undone))), key=_worth)
    return found


def _is_good(found: list[Found]) -> bool:
    """Return True if there is something, and nothing broken beside it."""
    return bool(found) and all(one.error is None for one in found)


def _worth(found: list[Found]) -> tuple[int, bool, int]:
    """Return the worth of a reading: good things above all, and something broken before nothing."""
    good = sum(1 for one in found if one.error is None)
    return good, bool(found), good - len(found)


def find_in_bytes(data: bytes) -> list[Found]:
    """Return what is in the bytes of a note file, of an email saved whole, or of any text.

    There is always something: where nothing else is found, what is wrong. Raises nothing.
    """
    as_written = _as_written(data)
    if as_written is not None:
        return [as_written]
    # Most files of notes are as they were written.
    from referee.notes import mime

    advice, called, games, there = "", "", False, "it"
    try:
        if mime.is_mail(data):
            message = mime.read(data)
            found, advice, games = _in_message(message), message.advice, message.games
            if any(_holds_private_key(leaf.text) for leaf in message.leaves):
                called, advice = PRIVATE, LEAKED
            if len(data) > MAIL_LIMIT:
                there = "the first 40 MB of it"
                advice = advice or "send the note without what is so large beside it"
        elif begins_as_game_file(data) or (len(data) > TEXT_LIMIT and is_game_file(data)):
            found = [Found(error=OnlyGame())]
        else:
            # So many bytes of any charset are a text that is too long.
            found, called = find(mime.decode(data[: 2 * TEXT_LIMIT + 4])), _called(data)
            advice = LEAKED if called == PRIVATE else ""
    except GameError as error:
        return [Found(error=error)]
    found = _without_games(found)
    if len(found) > MAX_NOTES:
        what = f"there are over {MAX_NOTES} notes in it"
        return [Found(error=NotUnderstood(what, "send fewer at once"))]
    if not found and games:
        return [Found(error=OnlyGame())]
    return found or [Found(error=NoNote(called or f"there is no note in {there}", advice))]


def _as_written(data: bytes) -> Found | None:
    """Return the note in a file that holds just one, byte for byte as it was signed.

    None for anything else, which `find` takes apart word by word.
    """
    if len(data) > TEXT_LIMIT or not data.startswith(FORMAT.encode()) or not data.isascii():
        return None
    text, begin, rest = data.decode().partition(sshsig.BEGIN)
    try:
        note, signature = parse(text), sshsig.parse(begin + rest)
    except GameError:
        return None
    if signature.namespace != note.namespace:
        return None
    return Found(SignedNote(note, signature))


EMPTY = "it is empty"
PRIVATE = "this is a private key, to be kept secret, and there is no note in it"
LEAKED = (
    "if it was sent, others may have it: make another with `sanjuan-ref key --make FILE`, and give "
    "your seat to that with `transfer`"
)


def _holds_private_key(text: str) -> bool:
    return "PRIVATE KEY-----" in text or "AGE-SECRET-KEY-1" in text


def _called(data: bytes) -> str:
    """Return what holds no note, where that is a key or nothing; "" for anything else."""
    begin = data[:64].lstrip()
    if len(data) <= TEXT_LIMIT and not data.strip():
        return EMPTY
    if begin.startswith((b"ssh-", b"ecdsa-")):
        return "this is a public key, and there is no note in it"
    if b"PRIVATE KEY-----" in begin or b"AGE-SECRET-KEY-1" in data[:1024]:
        return PRIVATE
    return ""


def _without_games(found: list[Found]) -> list[Found]:
    """Return what was found, without the game files beside it; or else one of them."""
    others = [one for one in found if not isinstance(one.error, OnlyGame)]
    return others or found[:1]


def _in_message(message: Message) -> list[Found]:
    found = _in_all([(leaf.text, leaf.others()) for leaf in message.leaves])
    if all(one.error for one in found):
        # Most emails say everything once more in HTML, which may have come through whole.
        found = max(found, _in_all([(page, ()) for page in message.pages()]), key=_worth)
    return found


def _in_all(texts: Iterable[tuple[str, Iterable[str]]]) -> list[Found]:
    """Return what is in the parts of an email, each judged alone: a text, and other readings."""
    places: list[Found] = []
    seen: set[object] = set()
    for text, others in texts:
        found = _found(text)
        for other in others if not _is_good(found) else ():
            found = max(found, _found(other), key=_worth)
        places += [one for one in found if one.error or one.text not in seen]
        seen.update(one.text for one in found)
        if len(places) > MAX_NOTES:
            break
    return _without_games(places)


def _found(text: str) -> list[Found]:
    try:
        return find(text)
    except GameError as error:
        return [Found(error=error)]


def _scan(text: str) -> list[Found]:
    places: dict[int, Found] = {}
    seen: set[object] = set()
    games = False
    for judge, start in ((_note, START), (_block, AGE_BEGIN)):
        begins = [match.start() for match in re.finditer(start, text)]
        for at, end in itertools.pairwise([*begins, len(text)]):
            line = text[text.rfind("\n", 0, at) + 1 : at]
            before = text[max(0, at - LOOK_BACK) : at].rstrip("- \n")
            if (line and re.fullmatch(LINE_OF_A_GAME, line)) or (
                judge is _block and before[-1:] in QUOTES and re.search(BLOCK_OF_A_GAME, before)
            ):
                games = True
                continue
            found = judge(text[at:end], leads=not line.strip("-"))
            if found is None:
                continue
            if found.error is None and found.text in seen:
                continue
            seen.add(found.text)
            places[at] = found
    if games and not places:
        return [Found(error=OnlyGame())]
    return [places[at] for at in sorted(places)]


def _note(text: str, leads: bool) -> Found | None:
    """Return the note at the beginning of `text`, or None if it is but a mention in prose."""
    begin, end = re.search(BEGIN, text), re.search(END, text)
    if end is None and not leads:
        return None
    try:
        if end is None:
            raise NotUnderstood(
                "the note is cut off: it has no line END SSH SIGNATURE", SEND_AS_FILE
            )
        if begin is None or begin.end() > end.start():
            raise BadSignature(
                "the note is not signed: it has no line BEGIN SSH SIGNATURE", SEND_AS_FILE
            )
        if OVERLONG in text[: end.start()]:
            raise NotUnderstood("a line of the note is over 4 kB")
        note = from_words(text[: begin.start()].rstrip("- \n").lower().split())
        signature = sshsig.parse_body(_body(text[begin.end() : end.start()]))
        if signature.namespace != note.namespace:
            raise BadSignature(
                f"the note is signed as {quote_untrusted(signature.namespace)}, "
                f"not as {note.namespace}"
            )
    except GameError as error:
        return Found(error=error)
    return Found(SignedNote(note, signature))


def _block(text: str, leads: bool) -> Found | None:
    """Return the age block at the beginning of `text`, or None if it is but a mention in prose."""
    begin, end = re.search(AGE_BEGIN, text), re.search(AGE_END, text)
    if begin is None or end is None:
        return Found(error=Damaged("the sealed block is cut off", SEND_AS_FILE)) if leads else None
    try:
        return Found(sealed=sealing.rebuild_armour(_body(text[begin.end() : end.start()])))
    except GameError as error:
        return Found(error=error)


def _body(text: str) -> str:
    """Return the base64 between two armour lines, of which only the innermost dashes were taken."""
    return "".join(text.split()).strip("-")


def fold(text: str) -> str:
    """Return the text with everything gone that mail may change: lines of words, one blank between.

    Quote marks are blanks; marks, invisible characters and empty lines are dropped; the rest is
    NFKC with one kind of dash. A word that was broken after a hyphen is put together.
    """
    if not text.isascii():
        text = text.translate(PLAIN)
    lines = [
        " ".join(line.replace(">", " ").replace("|", " ").split()) if _fits(line) else OVERLONG
        for line in text.splitlines()
    ]
    return re.sub(r"(?<=[a-z0-9]-)\s", "", "\n".join([line for line in lines if line]))


class _Plain(dict[int, str]):
    """The plain text for each character, worked out when it is first met.

    That is NFKC and one kind of dash, one character at a time: what they become together is no
    ASCII, and so no part of a note, nor is one that would become more than ASCII.
    """

    def __missing__(self, point: int) -> str:
        # Late, because nearly all notes arrive as ASCII.
        from unicodedata import category, normalize

        if len(self) >= MAX_CACHED_CHARACTERS:
            self.clear()
        char = plain = chr(point)
        kind = category(char)
        if kind in ("Mn", "Mc", "Me", "Cf"):
            plain = ""
        elif kind == "Pd" or char == "\u2212":
            plain = "-"
        elif (parts := normalize("NFKC", char)) != char:
            parts = "".join(["-" if category(c) == "Pd" or c == "\u2212" else c for c in parts])
            plain = parts if parts.isascii() else char
        self[point] = plain
        return plain


PLAIN = _Plain()


def _fits(line: str) -> bool:
    return len(line) <= LINE_LIMIT // 4 or len(line.encode("utf-8", "replace")) <= LINE_LIMIT
