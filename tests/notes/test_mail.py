"""Notes as mail leaves them: recorded samples, random manglings, and hostile texts."""

from __future__ import annotations

import quopri
import subprocess
import sys
import textwrap
import time
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.crypto import sshsig
from referee.crypto.keys import PrivateKey
from referee.crypto.sshsig import BEGIN, END
from referee.errors import BadSignature, Damaged
from referee.games.errors import GameError, NotUnderstood
from referee.notes import kinds
from referee.notes.finding import Found, find, find_in_bytes
from referee.notes.kinds import parse
from referee.notes.mime import decode, is_mail

HERE = Path(__file__).parents[1] / "vectors"
KNOWN = tomllib.loads((HERE / "signing.toml").read_text(encoding="utf-8"))
NOTES = {case["name"]: case["text"] for case in KNOWN["note"]}
KEY = PrivateKey(bytes.fromhex(KNOWN["key"]["seed"]))
BLOCK = KNOWN["sealed"]["block"]
MOVE = NOTES["move"]
MAILS = sorted((HERE / "mails").iterdir())
HOLDS = {"several": ["move", "join-age", "sealed"], "wrapped-66-quoted": ["join-age"]}


def whole(found: Found) -> str:
    """Return what was found, as it was before it was mailed."""
    if found.error is not None:
        raise found.error
    assert (found.sealed is None) != (found.signed is None)
    assert found.signed is None or found.signed.holds()
    return found.text


def errors(text: str) -> list[GameError]:
    return [found.error for found in find(text) if found.error]


@pytest.mark.parametrize("path", MAILS, ids=lambda path: path.name)
def test_a_recorded_mail_holds_its_notes(path: Path) -> None:
    usual = ["sealed" if path.name.startswith("sealed") else "move"]
    expected = [(NOTES | {"sealed": BLOCK})[name] for name in HOLDS.get(path.stem, usual)]
    assert [whole(found) for found in find_in_bytes(path.read_bytes())] == expected


# Random manglings. Each keeps the meaning, whatever was done before.

MARKS = ["\u0301", "\u200b", "\u00ad", "\u2060", "\ufeff", "\ufe0f", "\u0332"]
DASHES = ["-", "\u2010", "\u2011", "\u2013", "\u2014", "\u2212", "\ufe63", "\uff0d"]
BLANKS = [" ", "  ", "\u00a0", "\t", "\u2003", "\u3000", "\u202f"]


def quote(text: str, mark: str) -> str:
    return "".join(f"{mark}{line}\n" for line in text.splitlines())


def rewrap(text: str, width: int) -> str:
    """All lines run together and broken anew, at hyphens too, and hashes in the middle."""
    # Invisible characters can make any word longer than a line; no program then breaks it.
    lines = textwrap.wrap(" ".join(text.split()), width, break_long_words=text.isascii())
    return "\n".join(lines) + "\n"


def wrap_armour(text: str, width: int) -> str:
    begin, end = text.find(BEGIN) + len(BEGIN), text.find(END)
    if text.find(BEGIN) < 0 or end < 0:
        return text
    return f"{text[:begin]}\n{rewrap(text[begin:end], width)}{text[end:]}"


def exchanged(old: str, new: str) -> Callable[[str], str]:
    return lambda text: text.replace(old, new)


def marked(mark: str, every: int) -> Callable[[str], str]:
    return lambda text: "".join(
        char + mark if char.isalnum() and not at % every else char for at, char in enumerate(text)
    )


def embedded(before: str, after: str) -> Callable[[str], str]:
    return lambda text: f"{before}\n{text}\n{after}"


PROSE = st.sampled_from(
    ["", "Hello Dora,", "see sanjuan-ref/1 for the format", "> quoted > twice", "-- \nAna", "=3D="]
)
MANGLINGS = st.one_of(
    st.sampled_from(["> ", ">", "> > ", ">>", "  ", "\t", " > "]).map(
        lambda mark: lambda text: quote(text, mark)
    ),
    st.integers(29, 120).map(lambda width: lambda text: rewrap(text, width)),
    st.integers(1, 90).map(lambda width: lambda text: wrap_armour(text, width)),
    st.sampled_from(["\r\n", "\n\n", "\n \n", " \n", "\r", "\u2028"]).map(
        lambda end: exchanged("\n", end)
    ),
    st.sampled_from(BLANKS).map(lambda blank: exchanged(" ", blank)),
    st.sampled_from(DASHES).map(lambda dash: exchanged("-", dash)),
    st.builds(marked, st.sampled_from(MARKS), st.integers(1, 9)),
    st.builds(embedded, PROSE, PROSE),
    st.just(exchanged("sanjuan-ref/1 ", "Sanjuan-ref/1 ")),
    st.just(exchanged("-----", "\u2014")),
)


@given(st.sampled_from([*NOTES.values(), BLOCK]), st.lists(MANGLINGS, max_size=6))
def test_mangled_notes_keep_their_meaning(text: str, manglings: list[Callable[[str], str]]) -> None:
    mangled = text
    for mangling in manglings:
        mangled = mangling(mangled)
    if len(mangled.encode()) < 65_536 and max(map(len, mangled.splitlines())) < 1000:
        assert [whole(found) for found in find(mangled) if not found.error] == [text]


@given(
    st.sampled_from([*NOTES.values(), BLOCK]),
    st.sampled_from([" ", "\u00a0"]),
    st.booleans(),
    st.booleans(),
)
def test_quoted_printable_is_undone(text: str, blank: str, flat: bool, crlf: bool) -> None:
    layout = " ".join(text.split()) if flat else text
    encoded = quopri.encodestring(layout.replace(" ", blank).encode()).decode()
    (found,) = find(encoded.replace("\n", "\r\n") if crlf else encoded)
    assert whole(found) == text


@pytest.mark.parametrize(
    ("head", "mail"),
    [
        ("From: ana@example.com\nSubject: x\n", True),
        ("\n\nfrom: ana@example.com\n", True),
        ("From ana@example.com Fri Nov 27 18:03:11 2026\nX-A: b\nTo: dora@example.org\n", True),
        ("Content-Type: text/plain\n", True),
        ("X-A: b\n folded\nReceived: c\n", True),
        ("Hello Dora,\nFrom: me\n", False),
        ("Note: this is mine\nit is\n", False),
        ("From here on it is yours\n", False),
        ("X-A: b\n\nFrom: me\n", False),
        ("", False),
    ],
)
def test_a_mail_is_told_from_a_text(head: str, mail: bool) -> None:
    data = f"{head}\n{MOVE}".encode()
    assert is_mail(data) == is_mail(data.replace(b"\n", b"\r")) == mail
    assert is_mail(b"\xef\xbb\xbf" + data) == is_mail(f"{head}\n{MOVE}".encode("utf-16")) == mail
    assert [whole(found) for found in find_in_bytes(data)] == [MOVE]


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "it is empty"),
        (b"Hello Dora, I shall answer tomorrow.", "no note in it"),
        (b"From: ana@example.com\n\nI shall answer tomorrow.", "no note in it"),
        (b"#:schema game.schema.json\nformat = 1\n" + BLOCK.encode(), "is a game file, not a note"),
        (MOVE[:99].encode(), "cut off"),
    ],
)
def test_what_holds_no_note_says_so(data: bytes, says: str) -> None:
    (found,) = find_in_bytes(data)
    assert found.error
    assert says in found.error.message


@pytest.mark.parametrize("text", NOTES.values(), ids=NOTES)
def test_a_file_as_it_was_written_is_read_like_any_text(text: str) -> None:
    assert [whole(found) for found in find_in_bytes(text.encode())] == [text]
    assert [whole(found) for found in find(text)] == [text]
    note, end = text[: text.index("-----")], text[text.index("-----") :]
    foreign = sshsig.armour(KEY.public, "file", sshsig.sign(KEY, "file", note.encode()))
    for wrong in (note + foreign, note, text[:-9], f"{note.upper()}{end}", f"{note}\n{end}"):
        files, texts = find_in_bytes(wrong.encode()), find(wrong)
        assert [(one.text, str(one.error)) for one in files] == [
            (one.text, str(one.error)) for one in texts
        ]


def test_a_file_as_it_was_written_needs_nothing_of_mail() -> None:
    script = (
        "import sys, referee.notes.finding as finding\n"
        "assert finding.find_in_bytes(sys.stdin.buffer.read())[0].signed\n"
        "print('referee.notes.mime' in sys.modules)"
    )
    said = subprocess.check_output([sys.executable, "-c", script], input=MOVE.encode())
    assert said.strip() == b"False"


def test_the_same_note_twice_is_found_once() -> None:
    assert len(find(MOVE + quote(MOVE, "> ") + BLOCK + BLOCK)) == 2


def test_notes_are_judged_alone() -> None:
    broken = MOVE.replace("759c", "759x")
    cut = MOVE[: MOVE.index(END)]
    found = find(f"{broken}{NOTES['join']}{cut}\n{BLOCK[:200]}\n{MOVE}{BLOCK}")
    assert [type(one.error) for one in found] == [
        NotUnderstood,
        type(None),
        NotUnderstood,
        Damaged,
        type(None),
        type(None),
    ]
    assert [whole(one) for one in found if not one.error] == [NOTES["join"], MOVE, BLOCK]


@pytest.mark.parametrize(
    ("text", "error", "says"),
    [
        ("sanjuan-ref/1 move\n", NotUnderstood, "cut off"),
        (MOVE[: MOVE.index(END)], NotUnderstood, "cut off"),
        (MOVE.replace(BEGIN, ""), BadSignature, "not signed"),
        (MOVE.replace("sanjuan-ref/1 move", "sanjuan-ref/1 foo"), NotUnderstood, "kind .* 'foo'"),
        (MOVE.replace("sanjuan-ref/1 move", "sanjuan-ref/2 move"), NotUnderstood, "ref/1"),
        (MOVE.replace("turn ", "turn 1"), None, ""),
        (MOVE.replace("game", "hello game"), NotUnderstood, "unknown key: 'hello'"),
        (MOVE.replace("turn", "game 759c3a44e1d09b52\nturn"), NotUnderstood, "game twice"),
        (MOVE.replace("seen", "see"), NotUnderstood, "does not say its seen"),
        (MOVE.replace("play build", "play bu\u0131ld"), NotUnderstood, "play is not in its form"),
        (MOVE.replace("U1NI", "U1N"), BadSignature, "damaged"),
        (MOVE.replace("U1NI", "U1NJ"), BadSignature, "unknown format"),
        (MOVE.replace("U1NI", "U1N!"), BadSignature, "damaged"),
        (MOVE.replace("U1NI", "<b>U1NI"), BadSignature, "damaged"),
        (MOVE.replace("play", "x" * 5000 + " play"), NotUnderstood, "over 4 kB"),
        (MOVE.replace("play build", "play bu\0ild"), NotUnderstood, "not in its form"),
        (MOVE[: MOVE.index(BEGIN)] + KNOWN["signature"]["armour"], BadSignature, "state@sanjuan"),
        (
            MOVE[: MOVE.index(BEGIN)] + NOTES["join"][NOTES["join"].index(BEGIN) :],
            BadSignature,
            "signed as 'join@sanjuan-ref', not as move@sanjuan-ref",
        ),
        (BLOCK[:100], Damaged, "cut off"),
        (BLOCK.replace("YWdl", "YWd"), Damaged, "damaged"),
        (BLOCK.replace("YWdl", "YWd*"), Damaged, "damaged"),
    ],
)
def test_what_is_wrong_is_said(text: str, error: type[GameError] | None, says: str) -> None:
    (found,) = find(f"Hello,\n{text}\nAna\n")
    if error is None:
        assert found.signed
    else:
        assert type(found.error) is error
        with pytest.raises(error, match=says):
            whole(found)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Hello, I shall play tomorrow.",
        "Notes begin with sanjuan-ref/1 move and end with a signature.",
        "https://example.org/sanjuan-ref/1 is the page",
        "Blocks begin with -----BEGIN AGE ENCRYPTED FILE----- as you know.",
        KNOWN["signature"]["armour"],
    ],
)
def test_prose_holds_no_note(text: str) -> None:
    assert find(text) == []


def test_a_foreign_word_is_quoted_short_and_harmless() -> None:
    (error,) = errors(MOVE.replace("game", "\x1b[2J\u202e" + "w" * 500 + " game"))
    assert len(error.message) < 100
    assert error.message.isprintable()


def test_a_long_text_is_refused_whole() -> None:
    assert len(find(MOVE + "\n" * (65_536 - len(MOVE)))) == 1
    for long in (MOVE + "\n" * 65_536, MOVE + "é\n" * (65_536 // 3)):
        with pytest.raises(NotUnderstood, match="64 kB"):
            find(long)


def test_a_long_line_elsewhere_does_no_harm() -> None:
    assert [whole(found) for found in find(f"{'x' * 9000}\n{MOVE}{'y' * 9000}")] == [MOVE]


HOSTILE = [
    "-" * 65_000,
    "sanjuan-ref/1\n" * 4_600,
    "sanjuan-ref/1 move -----END SSH SIGNATURE----- " * 1_300,
    "-----BEGIN SSH SIGNATURE-----\n" * 2_000,
    "-----BEGIN AGE ENCRYPTED FILE-----\n" * 1_800,
    "a" + "\u0301" * 30_000,
    "\ufdfa" * 20_000,
    "> " * 32_000,
    "- \n" * 20_000,
    "sanjuan-ref/1 move\n" + "play " * 13_000,
    "From: a\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n" + "--b\n" * 16_000,
    "MIME-Version: 1.0\n"
    + "".join(f"Content-Type: multipart/mixed; boundary=b{n}\n\n--b{n}\n" for n in range(1_000)),
    "Content-Type: message/rfc822\n\n" * 2_000,
    "Content-Type: text/plain; charset=\0\nContent-Transfer-Encoding: base64\n\n/////",
    "Content-Type: text/plain; charset=utf-7\nContent-Transfer-Encoding: base64\n\n/////",
    "Content-Type: text/plain; charset=rot13\nContent-Transfer-Encoding: base64\n\nAAAA",
    "=" * 65_000,
    "=\n" * 30_000,
    "\ud800" * 1_000 + "=",
]


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_a_hostile_text_takes_no_time_and_spoils_nothing(text: str) -> None:
    started = time.process_time()
    for one in (text, f"{text[:60_000]}\n{MOVE}"):
        found = find(one)
        assert all(item.error for item in found if not item.signed)
    assert [whole(item) for item in found if item.signed] == [MOVE]
    assert time.process_time() - started < 2


PIECES = [
    *("sanjuan-ref/1", "sanjuan-", "ref/1 ", "move", "join", *kinds.KEYS, "\n", "\r\n", "> ", " "),
    *(
        BEGIN,
        END,
        "-----",
        BLOCK[:40],
        BLOCK[-40:],
        "U1NIU0lH",
        "=\n",
        "=3D",
        "=20",
        "\0",
        "\ud800",
    ),
    *("From: x\n", "MIME-Version: 1.0\n", "Content-Type: ", "multipart/mixed; boundary=b\n", "--b"),
    *("Content-Transfer-Encoding: base64\n\n", "text/plain; charset=", "\n\n", "utf-16", "\u0301"),
]


@given(st.text() | st.lists(st.sampled_from(PIECES) | st.text(max_size=5)).map("".join))
def test_garbage_holds_no_note(text: str) -> None:
    for garbage in (text, MOVE[:90] + text, text + MOVE[90:]):
        assert all(found.error for found in find(garbage))


@given(st.integers(0, len(MOVE) - 1), st.characters(codec="ascii"))
def test_a_changed_letter_is_never_the_same_move(at: int, letter: str) -> None:
    """A note that is still found says what was signed, or its signature fails."""
    for found in find(MOVE[:at] + letter + MOVE[at + 1 :]):
        if found.signed:
            same = found.signed.note == parse(MOVE[: MOVE.index(BEGIN)])
            good = found.signed.signature.public == KEY.public and found.signed.holds()
            assert same or not good


@given(st.binary(max_size=300))
def test_any_file_is_some_text(data: bytes) -> None:
    for content in (data, b"\xff\xfe" + data, b"\xef\xbb\xbf" + data):
        assert all(found.error for found in find(decode(content)))
