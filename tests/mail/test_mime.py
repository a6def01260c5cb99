"""Taking mails apart: header fields, charsets, limits, and what is sent to do harm."""

from __future__ import annotations

import base64
import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.notes import mime
from referee.notes.finding import find_in_bytes, fold
from tests.mail.samples import NOTES, content, name_of

ANA = NOTES["ana"]
MIXED = 'MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="%s"\n\n'


def names(data: bytes) -> list[str]:
    return [name_of(one) for one in find_in_bytes(data) if one.error is None]


def errors(data: bytes) -> list[str]:
    return [one.error.message for one in find_in_bytes(data) if one.error]


# Header fields.


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("Subject: my move", "my move"),
        ("SUBJECT  :\tmy move  ", "my move"),
        ("Subject:my\n move\n\tof today", "my move of today"),
        ("Subject: =?utf-8?q?Z=C3=BCge_heute?=", "Züge heute"),
        ("Subject: =?UTF-8?B?WsO8Z2U=?= heute", "Züge heute"),
        ("Subject: =?utf-8?b?WsM=?=\n =?utf-8?b?vGdl?=", "Züge"),
        ("Subject: =?iso-8859-1?q?Z=FCge?= =?koi8-r?b?5MAh?=", "ZügeДю!"),
        ("Subject: =?iso-2022-jp?b?GyRCJDMkcyRLJEEkTxsoQg==?=", "こんにちは"),
        ("Subject: a =?utf-8*de?q?b?= c", "a b c"),
        ("Subject: =?x-unknown?q?Z=FCge?=", "Züge"),
        ("Subject: =?rot13?q?nop?= =?hex?q?6162?=", "nop6162"),
        ("Subject: =?utf-8?b?W?= =?utf-8?b?Ws?= =?utf-8?b?!!?=", "Z"),
        ("Subject: =?utf-8?q?no end", "=?utf-8?q?no end"),
        ("Subject: Z\u00fcge", "Züge"),
        ("Subject: a\0b\x1b[31mc\u202ed", "a b [31mc d"),
        ("Subject: =?utf-8?q?a=0D=0ABcc:_x?=", "a Bcc: x"),
        ("Subject: a\rBcc: x", "a"),
        ("Subject:", ""),
        ("Topic: x", ""),
    ],
)
def test_a_header_field_is_one_harmless_line(field: str, value: str) -> None:
    message = mime.read(f"From: ana@example.com\n{field}\n\nbody".encode())
    assert message.header("subject") == value


def test_bytes_of_windows_1252_in_a_header_are_read() -> None:
    assert mime.read(b"Subject: Z\xfcge \x96 heute\n\n").header("Subject") == "Züge \u2013 heute"


def test_all_fields_of_a_name_are_given_in_their_order() -> None:
    message = mime.read(content("headers-twice"))
    assert [value.split()[0] for value in message.headers("from")] == ["Ana", "Ben"]
    assert message.header("From") == "Ana <ana@example.com>"
    assert message.headers("x-nothing") == []


def test_a_long_field_is_cut() -> None:
    message = mime.read(b"Subject: " + b"x " * 100_000 + b"\n\n")
    assert message.raw("subject") == ["x " * (8192)]
    assert len(message.header("subject")) < 16_384


def test_an_encoded_word_makes_no_address() -> None:
    """For `raw`, from which addresses are to be read, it is only a word."""
    message = mime.read(b"From: =?utf-8?q?ana=40example.org_=3C?= <ben@example.com>\n\n")
    assert message.raw("from") == ["=?utf-8?q?ana=40example.org_=3C?= <ben@example.com>"]


@given(st.binary(max_size=200))
def test_any_header_is_some_line(value: bytes) -> None:
    for field in (value, b"=?utf-8?q?" + value + b"?=", b"=?" + value + b"?b?" + value + b"?="):
        message = mime.read(b"Subject: " + field + b"\nTo: x\n\n")
        for line in message.headers("subject") + message.headers("to"):
            assert line.isprintable()


@pytest.mark.parametrize(
    "header",
    [
        "From ana@example.com Fri Nov 27 18:03:11 2026\nFrom: Ana\n",
        "From: Ana\n>From ana@example.com Fri Nov 27 18:03:11 2026\n",
        "From: Ana\n",
        "From: Ana\nX-Empty:\n\t\n \n",
    ],
)
def test_a_header_ends_where_it_does(header: str) -> None:
    message = mime.read(f"{header}To: Dora\n\nFrom: me\n".encode())
    assert (message.headers("from"), message.header("to")) == (["Ana"], "Dora")
    assert message.texts == ["From: me\n"]


# Charsets.


@pytest.mark.parametrize(
    "name",
    [
        *("rot13", "rot_13", "hex", "idna", "punycode", "undefined", "unicode_escape", "utf-7"),
        *("raw_unicode_escape", "zlib", "bz2", "base64", "quopri", "uu", "mbcs", "utf-16", "cp037"),
        *("utf-32", "", "x-unknown", "\0", "a" * 99, "../../x", "..", "é", "aliases", "cp875"),
    ],
)
def test_what_is_no_charset_of_mail_is_none(name: str) -> None:
    assert mime.known_charset(name) == ""
    assert mime.decode(b"a\xe9\\x41 +AGE- b", name) == "aé\\x41 +AGE- b"


@pytest.mark.parametrize(
    ("data", "charset", "text"),
    [
        ("Zug \u2013 é".encode(), "iso-8859-1", "Zug \u2013 é"),
        (b"Zug \x96 \xe9", "iso-8859-1", "Zug \u2013 é"),
        (b"Zug \x96 \xe9", "us-ascii", "Zug \u2013 é"),
        (b"Zug \x96 \xe9", "UTF-8", "Zug \u2013 é"),
        ("é ".encode() + b"\x96 \xe9", "utf-8", "é \u2013 é"),
        ("Дю!".encode("koi8-r"), "KOI8-R", "Дю!"),
        ("Дю!".encode("koi8-r"), "x-unknown", "äÀ!"),
        ("朵拉".encode("gbk"), "gb2312", "朵拉"),
        ("ドラ".encode("shift_jis"), "x-sjis", "ドラ"),
        ("ドラ".encode("iso-2022-jp"), "iso-2022-jp", "ドラ"),
        ("Zug é".encode("utf-16"), "x", "Zug é"),
        ("Zug é".encode("utf-16-le"), "utf-16", "Zug é"),
        ("Zug é".encode("utf-16-be"), "", "Zug é"),
        (b"\xff\xfeZ\0u", "", "Z\ufffd"),
        (b"Zug", "utf-16", "Zug"),
        (b"\xef\xbb\xbfZug", "utf-8", "Zug"),
        (b"\x81", "windows-1252", "\ufffd"),
        (b"", "utf-16", ""),
    ],
)
def test_bytes_become_the_text_that_was_meant(data: bytes, charset: str, text: str) -> None:
    assert mime.decode(data, charset) == text


@given(st.binary(max_size=60), st.text(max_size=12) | st.sampled_from(["utf-16", "iso-2022-kr"]))
def test_any_bytes_are_some_text(data: bytes, charset: str) -> None:
    mime.decode(data, charset).encode()


# What mail does to a body.


@given(st.binary(max_size=200), st.sampled_from(["base64", "quoted-printable", "x-none", ""]))
def test_any_body_is_some_bytes(body: bytes, encoding: str) -> None:
    mime.undo_transfer_encoding(body, encoding)
    if encoding == "base64":
        assert mime.undo_transfer_encoding(base64.encodebytes(body), encoding) == body


@pytest.mark.parametrize(
    ("text", "delsp", "whole"),
    [
        ("a \nb", False, "\na b"),
        ("a \nb", True, "\nab"),
        ("a  \nb\nc", True, "\na b\nc"),
        ("> a \n> b\n>> c", False, "\n> a b\n> > c"),
        ("> a \nb", False, "\n> a \nb"),
        (" From x \n  y", False, "\nFrom x  y"),
        ("a \n-- \nb", False, "\na \n-- \nb"),
        ("> a \n> -- \n> b", False, "\n> a \n> -- \n> b"),
    ],
)
def test_flowed_text_is_put_together(text: str, delsp: bool, whole: str) -> None:
    assert mime.unflow(text, delsp) == whole


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("<p>a<b>b</b><br/>c<P class='x'>d</p>", "\nab\nc\nd\n"),
        ("a<!-- <p> -->b<!--[if mso]>x<![endif]-->c<![if x]>d<![endif]>e<!doctype html>", "abcde"),
        ("<style>a > b</style>c<script>'</p>'</SCRIPT >d<title>e</title>f", "cdf"),
        ("a&nbsp;b&lt;c&#45;d&#x2d;e&bogus;f&", "a\u00a0b<c-d-e&bogus;f&"),
        ("a &#9" + "9" * 5000 + "; b", "a  b"),
        ("a<!-- never ends", "a"),
        ("a<b", "a"),
        ("1 < 2 <3", "1 < 2 <3"),
        ("<pre>a\nb</pre><o:p>c</o:p><body-x>d", "\na\nb\ncd"),
    ],
)
def test_html_becomes_its_words(page: str, text: str) -> None:
    assert mime.html_to_text(page) == text


@given(
    st.lists(st.sampled_from(["<!--", "-->", "<style", "</style", "<p", *">&;</x9", "&#", "&#x"]))
)
def test_any_page_is_some_text(pieces: list[str]) -> None:
    mime.html_to_text("".join(pieces))


# Parts.


def test_parts_are_given_in_reading_order_and_pictures_not() -> None:
    assert [text.strip() for text in mime.read(content("picture-and-note")).texts] == [ANA.strip()]
    texts = mime.read(content("several-notes-attached")).texts
    assert texts == ["three", NOTES["ana"], NOTES["ben"], NOTES["carl"]]


def test_what_is_encrypted_is_no_text() -> None:
    assert mime.read(content("pgp-mime-encrypted")).texts == []
    assert mime.read(content("smime-signed-opaque")).texts == []


@pytest.mark.parametrize("boundary", ["b ", "b\t", "a b", "(b)'+_,./:=?", "b" * 70, "ü", "--", "-"])
def test_any_boundary_parts(boundary: str) -> None:
    part = f"--{boundary.strip()}\n\n"
    data = (MIXED % boundary + part + ANA + part + NOTES["ben"]).encode()
    assert mime.read(data).texts == [ANA[:-1], NOTES["ben"]]


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("application/ms-tnef", ""),
        ("application/vnd.ms-tnef", "x"),
        ("application/octet-stream", "WINMAIL.DAT"),
        ("image/x; name=winmail.dat", "x.png"),
    ],
)
def test_a_winmail_dat_goes_by_its_type_or_name(kind: str, name: str) -> None:
    part = f"--b\nContent-Type: {kind}\nContent-Disposition: attachment; filename={name}\n\nx\n"
    message = mime.read((MIXED % "b" + part).encode())
    assert ("winmail.dat" in message.advice) == (not kind.startswith("image"))


# What is too much, and what is sent to do harm.


def nested(depth: int) -> bytes:
    start = "".join(
        f"Content-Type: multipart/mixed; boundary=b{n}\n\n--b{n}\n" for n in range(depth)
    )
    return f"MIME-Version: 1.0\n{start}\n{ANA}".encode()


def test_parts_in_parts_are_read_as_deep_as_mail_goes() -> None:
    assert names(nested(10)) == ["ana"]
    assert errors(nested(11)) == ["the email has too many emails in one another"]


@pytest.mark.parametrize(
    "data",
    [
        nested(5_000),
        b"Content-Type: message/rfc822\n\n" * 5_000 + ANA.encode(),
        b"MIME-Version: 1.0\nContent-Type: multipart/digest; boundary=b\n\n--b\n\n" * 5_000,
    ],
    ids=["multiparts", "mails", "digests"],
)
def test_thousands_of_parts_in_one_another_are_refused(data: bytes) -> None:
    assert errors(data)[0] in (
        "the email has too many emails in one another",
        "the email has over 100 parts",
    )


def test_more_parts_than_mail_has_are_refused() -> None:
    head = (MIXED % "b").encode()
    note = f"--b\n\n{ANA}".encode()
    assert names(head + b"--b\n\nx\n" * (98) + note) == ["ana"]
    assert errors(head + b"--b\n\nx\n" * (99) + note) == ["the email has over 100 parts"]
    assert errors(head + b"--b\n" * 900_000) == ["the email has over 100 parts"]


PHOTO = "Content-Type: image/jpeg\nContent-Transfer-Encoding: base64\n\n" + "A" * 76 + "\n"
FILE = "Content-Type: application/pdf\nContent-Disposition: attachment\n\n"


@pytest.mark.parametrize("beside", [PHOTO, FILE, "Content-Type: text/html\n\n<img src='data:"])
@pytest.mark.parametrize("first", [True, False])
def test_what_is_large_in_a_mail_does_not_hide_the_note(beside: str, first: bool) -> None:
    large = f"--b\n{beside}{'A' * 6_000_000}\n"
    parts = [f"--b\n\n{ANA}", large]
    data = MIXED % "b" + "".join(parts if first else reversed(parts)) + "--b--\n"
    assert names(data.encode()) == ["ana"]


def test_many_files_in_a_mail_do_not_hide_the_note() -> None:
    files = f"--b\n{FILE}{'x' * 300_000}\n" * 30
    assert names((MIXED % "b" + files + f"--b\n\n{ANA}").encode()) == ["ana"]


def test_so_much_of_a_mail_is_read() -> None:
    head = MIXED % "b" + f"--b\n{PHOTO}"
    end = f"\n--b\n\n{ANA}"
    data = head.ljust(40_000_000 - len(end), "x") + end
    assert names(data.encode()) == ["ana"]
    data = head.ljust(40_000_000, "x") + end
    (found,) = find_in_bytes(data.encode())
    assert found.error is not None
    assert found.error.message == "there is no note in the first 40 MB of it"
    assert found.error.hint == "send the note without what is so large beside it"


def test_all_bodies_together_are_read_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hundred parts are decoded in no more time than a few."""
    decoded = []
    true = mime.undo_transfer_encoding

    def counted(body: bytes, encoding: str) -> bytes:
        decoded.append(len(body))
        return true(body, encoding)

    monkeypatch.setattr(mime, "undo_transfer_encoding", counted)
    for kind in ("text/plain", "text/html", "message/rfc822", "application/pdf"):
        part = f"--b\nContent-Type: {kind}\nContent-Transfer-Encoding: base64\n\n"
        data = MIXED % "b" + (part + "QQ==\n" * 20_000) * 90
        decoded.clear()
        find_in_bytes(data.encode())
        assert 0 < sum(decoded) <= 8_000_000


def test_all_headers_together_are_read_so_far() -> None:
    part = b"--b\n" + b"X-A: b\n" * 35_000 + b"\nx\n"
    head = (MIXED % "b").encode()
    assert errors(head + part * 4) == ["there is no note in it"]
    assert errors(head + part * 5) == [
        "the header of the email is over 1 MB with those of its parts"
    ]


def test_a_body_is_read_as_it_came_too() -> None:
    """Its header may name a wrong encoding; the text that is read is the one signed, or broken."""
    away = NOTES["vacation"]
    head = "From: ana@example.com\nContent-Transfer-Encoding: %s\n\n"
    assert names((head % "quoted-printable" + away).encode()) == ["vacation"]
    assert names((head % "base64" + away).encode()) == ["vacation"]
    both = base64.encodebytes(away.encode()).decode().replace("A", "A *")
    assert names((head % "base64" + both).encode()) == ["vacation"]
    assert errors((head % "quoted-printable" + away[:-60]).encode()) == [
        "the note is cut off: it has no line END SSH SIGNATURE"
    ]


def test_a_large_text_is_refused_without_reading_all_of_it() -> None:
    for data in (b"x" * 60_000_000, ("é" * 70_000).encode(), b"\xff\xfe" + b"x\0" * 70_000):
        assert errors(data) == ["the text is over 64 kB"]


def test_each_part_of_a_mail_may_be_as_long_as_a_text() -> None:
    part = "--b\n\n%s\n" + "x\n" * 25_000
    data = MIXED % "b" + part % ANA + part % NOTES["ben"]
    assert names(data.encode()) == ["ana", "ben"]
    longer = MIXED % "b" + "--b\n\n" + "x\n" * 40_000 + part % NOTES["ben"]
    assert names(longer.encode()) == ["ben"]
    assert errors(longer.encode()) == ["the text is over 64 kB"]


def test_more_notes_than_anybody_sends_are_refused() -> None:
    cut = "sanjuan-ref/1 move\n" * 99
    data = MIXED % "b" + f"--b\n\n{cut}" * 2
    assert len(find_in_bytes(f"{data}--b\n\n{ANA}{NOTES['ben']}".encode())) == 200
    too_many = f"{data}--b\n\n{ANA}{NOTES['ben']}{NOTES['carl']}".encode()
    assert errors(too_many) == ["there are over 200 notes in it"]
    assert errors((cut * 4).encode()) == ["there are over 200 notes in it"]


def test_a_hundred_thousand_header_fields_are_refused() -> None:
    for field in (b"X-A: b\n", b"From: a\n", b" b\n"):
        data = b"From: ana@example.com\n" + field * 100_000 + b"\n" + ANA.encode()
        assert errors(data) == ["the header of the email is over 256 kB"]


def test_many_marks_on_a_letter_take_no_time() -> None:
    marks = ("a" + "\u0301\u0327" * 250_000).encode()
    head = (MIXED % "b").encode()
    spoilt = head + b"--b\n\n" + marks + b"\n--b\n\n" + ANA.encode()
    attached = spoilt.replace(b"--b\n\n", b"--b\nContent-Disposition: attachment\n\n", 1)
    assert names(spoilt) == names(attached) == ["ana"]
    assert errors(spoilt) == ["the text is over 64 kB"]
    assert errors(attached) == []
    short = head + b"--b\n\n" + marks[:60_001] + b"\n--b\n\n" + ANA.encode()
    assert names(short) == ["ana"]


@pytest.mark.parametrize(
    "field", ["filename*=utf-8''a; filename*0=b", "filename*0*=a; filename*=x"]
)
def test_file_names_that_contradict_themselves_do_no_harm(field: str) -> None:
    kind = f"text/plain; {field.replace('file', '')}"
    part = f"Content-Type: {kind}\nContent-Disposition: attachment; {field}\n\n{ANA}"
    assert names((MIXED % "b" + f"--b\n{part}").encode()) == ["ana"]
    message = mime.read(part.replace("text/plain", "text/html").encode())
    assert (message.texts, len(message.pages())) == ([], 1)


def test_only_so_much_of_a_field_is_taken_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    lengths = []

    def counted(value: str) -> dict[str, str]:
        lengths.append(len(value))
        return {value: ""}

    monkeypatch.setattr(mime, "parameters", counted)
    mime.read(b"Content-Type: text/plain" + b";" * 200_000 + b"\n\n")
    assert lengths == [4096, 0]


BOMBS = [
    b"Content-Type: text/plain" + b";" * 200_000,
    b"Content-Type: text/plain" + b'; a="' * 50_000,
    b"Content-Type: text/plain; " + b"name*0*=a; " * 20_000,
    b"Content-Type: multipart/mixed; boundary=" + b"b" * 200_000,
    b"Content-Type: multipart/mixed; boundary=\n\n" + b"--\n" * 300_000,
    b"Content-Type: multipart/mixed\n\n" + b"--x\n" * 300_000,
    b"Content-Type: multipart/mixed\n\n" + b"-" * 1_000_000,
    b"Content-Type: multipart/mixed\n\n--" + b" " * 30_000_000 + b"x",
    b"Content-Type: multipart/mixed\n\n" + (b"--" + b" " * 180 + b"\n") * 150_000,
    b"Content-Type: multipart/mixed; boundary=q\n\n--q" + b" " * 30_000_000 + b"x",
    b"Content-Type: multipart/mixed; boundary=q\n\n" + (b"--q" + b" " * 99 + b"x\n") * 300_000,
    b"Content-Type: multipart/mixed; boundary=q\n\n"
    + (b'--q\nContent-Type: text/plain; a="' + b";" * 4000 + b"\n\nx\n") * 95,
    b"Content-Type: multipart/mixed; boundary=q\n\n"
    + (b"--q\nContent-Transfer-Encoding: base64\n\n" + b"A=\n" * 99_000) * 95,
    b"Content-Type: multipart/mixed; boundary=q\n\n"
    + (b"--q\nContent-Type: text/html\n\n" + b"</style" * 50_000 + b"\n") * 95,
    b"Content-Type: message/rfc822\n\n" * 9 + b"x\n" * 15_000_000,
    b"\n" + b'format = "sanjuan-ref/1 ' * 2_000,
    b"\n" + b'sealed = """-----BEGIN AGE ENCRYPTED FILE-----\n' * 1_000,
    b"Content-Type: text/html\n\n" + b"<!--" * 250_000,
    b"Content-Type: text/html\n\n" + b"<style " * 150_000,
    b"Content-Type: text/html\n\n" + b"<" * 1_000_000,
    b"Content-Type: text/html\n\n" + b"<a " * 300_000,
    b"Content-Type: text/html\n\n" + b"&" * 1_000_000,
    b"Content-Type: text/html\n\n" + b"&#" + b"1" * 1_000_000,
    b"Content-Type: text/plain; format=flowed; delsp=yes\n\n" + b"a \n" * 300_000,
    b"Content-Type: text/plain; format=flowed\n\n" + b">" * 1_000_000,
    b"Content-Transfer-Encoding: base64\n\n" + b"A\n" * 500_000,
    b"Content-Transfer-Encoding: base64\n\n" + b"AA==\n" * 200_000,
    b"Content-Transfer-Encoding: quoted-printable\n\n" + b" " * 1_000_000 + b"=\n=",
    b"Subject: " + b"=?utf-8?q?" * 20_000,
    b"Subject: " + b"=?utf-8?q?a?= " * 15_000,
    b"Subject: " + b"=?" * 100_000,
]


@pytest.mark.parametrize("data", BOMBS, ids=range(len(BOMBS)))
def test_what_is_sent_to_take_time_takes_none(data: bytes) -> None:
    """Quadratic time over these would be minutes; the suite would not end."""
    data = b"MIME-Version: 1.0\nFrom: ana@example.com\n" + data
    assert all(one.error for one in find_in_bytes(data))
    message = mime.read(data)
    message.header("subject")
    message.pages()


@pytest.mark.parametrize("text", ["\ufdfa", "sanjuan-ref/1 move\n", "\ufdfa\nsanjuan-ref/1 move\n"])
def test_a_mail_full_of_texts_is_read_in_no_time(text: str) -> None:
    """Sixty of the largest texts: seconds, when each is normalised as a whole and read through."""
    size = len(text.encode())
    parts = ["Content-Type: text/plain; charset=utf-8\n\n" + text * (60_000 // size)] * 60
    body = "".join([f"--q\n{part}\n" for part in parts])
    start = time.process_time()
    assert all(one.error for one in find_in_bytes((MIXED % "q" + body).encode()))
    assert time.process_time() - start < 1


def test_characters_become_what_they_stand_for() -> None:
    """One by one, which is the same as NFKC of the whole wherever ASCII comes out."""
    gone = ("Mn", "Mc", "Me", "Cf")
    for point in (*range(0x80, 0xD800), *range(0xE000, 0x20000), 0xE0001):
        char = chr(point)
        whole = unicodedata.normalize("NFKC", f"x{char}y")
        if unicodedata.category(char) in gone:
            assert fold(f"x{char}y") == "xy"
        elif whole.isascii():
            assert fold(f"x{char}y") == fold(whole), hex(point)
        else:
            found = fold(f"x{char}y")
            assert found in ("x-y", "x y", "x\ny") or not found.isascii()
