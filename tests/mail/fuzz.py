"""Damaging real-looking mails, the same way for the same seed."""

from __future__ import annotations

import base64
import random
import re
from collections.abc import Callable

from tests.mail.samples import SAMPLES, content

Damage = Callable[[random.Random, bytes], bytes]

CHARSETS = b"utf-8 utf-16 utf-7 us-ascii iso-8859-1 iso-2022-jp hz rot13 hex idna x koi8-r".split()
ENCODINGS = b"7bit 8bit base64 quoted-printable x-uuencode binary BASE64 =".split()
KINDS = (
    b"text/plain text/html multipart/mixed multipart/alternative multipart/digest message/rfc822"
    b" application/octet-stream application/ms-tnef image/png text multipart/encrypted /"
).split()
BITS = (
    *(
        b"\0",
        b"\r",
        b"\n\n",
        b"\xff",
        b"\xc2\xa0",
        b"=",
        b"=\n",
        b"--",
        b"<",
        b"<!--",
        b"</",
        b"&#",
    ),
    *(b'"', b";", b"> ", b"| ", b"\xcc\x81" * 99, b"=?utf-8?b?", b"sanjuan-ref/1 ", b" play "),
    *(b"-----END SSH SIGNATURE-----", b"-----BEGIN SSH SIGNATURE-----", b"\x1b$B", b"~{", b" "),
)


def _span(rng: random.Random, data: bytes) -> tuple[int, int]:
    start = rng.randrange(len(data) + 1)
    return start, min(len(data), start + rng.choice([1, 2, 7, 40, 300, 3000]))


def cut(rng: random.Random, data: bytes) -> bytes:
    start, end = _span(rng, data)
    return rng.choice([data[:start], data[start:], data[:start] + data[end:]])


def doubled(rng: random.Random, data: bytes) -> bytes:
    start, end = _span(rng, data)
    return data[:end] + data[start:]


def swapped(rng: random.Random, data: bytes) -> bytes:
    lines = data.split(b"\n")
    one, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    lines[one], lines[other] = lines[other], lines[one]
    return b"\n".join(lines)


def spoilt(rng: random.Random, data: bytes) -> bytes:
    spoiling = bytearray(data)
    for _ in range(rng.choice([1, 1, 3, 20]) if data else 0):
        spoiling[rng.randrange(len(data))] = rng.randrange(256)
    return bytes(spoiling)


def inserted(rng: random.Random, data: bytes) -> bytes:
    at = rng.randrange(len(data) + 1)
    return data[:at] + rng.choice(BITS) * rng.choice([1, 1, 2, 50]) + data[at:]


def _exchanged(pattern: bytes, values: list[bytes]) -> Damage:
    def damage(rng: random.Random, data: bytes) -> bytes:
        places = list(re.finditer(pattern, data, re.IGNORECASE))
        if not places:
            return data
        place = rng.choice(places)
        return data[: place.start(1)] + rng.choice(values) + data[place.end(1) :]

    return damage


def headers_changed(rng: random.Random, data: bytes) -> bytes:
    lines = data.split(b"\n")
    fields = [at for at, line in enumerate(lines) if re.match(rb"[A-Za-z-]+:", line)]
    if not fields:
        return data
    at = rng.choice(fields)
    lines[at : at + 1] = rng.choice(
        [[], [lines[at]] * 2, [b" " + lines[at]], [lines[at].replace(b":", b"")], [b"", lines[at]]]
    )
    return b"\n".join(lines)


def boundary_damaged(rng: random.Random, data: bytes) -> bytes:
    places = list(re.finditer(rb"(?m)^--.*$|boundary=\S*", data))
    if not places:
        return data
    place = rng.choice(places)
    there = place[0]
    instead = rng.choice([b"", there[:-1], there + b"x", there + b"--", there * 2, there + b" "])
    return data[: place.start()] + instead + data[place.end() :]


def ends_changed(rng: random.Random, data: bytes) -> bytes:
    if rng.random() < 0.3:
        return b"".join(line + rng.choice([b"\n", b"\r\n", b"\r"]) for line in data.split(b"\n"))
    return data.replace(b"\n", rng.choice([b"\r\n", b"\r", b"\n\n", b" \n", b"\r\r\n"]))


def nested(rng: random.Random, data: bytes) -> bytes:
    for _ in range(rng.choice([1, 1, 2, 5, 20])):
        mail = b"Content-Type: message/rfc822\n"
        if rng.random() < 0.5:
            other = content(rng.choice(list(SAMPLES)))[: 1 << 14]
            parts = b"".join(b"--b\n%s\n%s\n" % (mail, one) for one in (data, other))
            data = b"MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n" + parts
        else:
            mail += b"MIME-Version: 1.0\nContent-Transfer-Encoding: base64\n\n"
            data = mail + base64.encodebytes(data)
    return data


def joined(rng: random.Random, data: bytes) -> bytes:
    return data + rng.choice([b"", b"\n", b"\n\n"]) + content(rng.choice(list(SAMPLES)))


DAMAGES: list[Damage] = [
    *(cut, doubled, swapped, spoilt, inserted, headers_changed, boundary_damaged, ends_changed),
    *(nested, joined),
    _exchanged(rb"charset=\"?([^\s\";]*)", CHARSETS),
    _exchanged(rb"content-transfer-encoding: *(\S*)", ENCODINGS),
    _exchanged(rb"content-type: *([^\s;]*)", KINDS),
]


def variant(seed: int) -> bytes:
    """A mail that was damaged in one to six ways."""
    rng = random.Random(seed)
    data = content(rng.choice(list(SAMPLES)))
    for _ in range(rng.randint(1, 6)):
        data = rng.choice(DAMAGES)(rng, data)
    return data
