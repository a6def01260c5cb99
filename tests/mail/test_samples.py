"""Mails as mail programs write and spoil them: each gives exactly the notes that were signed."""

from __future__ import annotations

import pytest

from referee.games.errors import NotUnderstood
from referee.notes import mime
from referee.notes.finding import find_in_bytes
from tests.mail.samples import HERE, NOTES, SAMPLES, content, name_of


def ends(name: str) -> list[bytes]:
    """The line ends to try: where they are not what the sample is about, both."""
    return [b"\n"] if SAMPLES[name].get("as-is") else [b"\n", b"\r\n"]


@pytest.mark.parametrize(
    ("name", "end"),
    [(name, end) for name in SAMPLES for end in ends(name)],
    ids=lambda value: value if isinstance(value, str) else {b"\n": "lf", b"\r\n": "crlf"}[value],
)
def test_a_sample_gives_its_notes(name: str, end: bytes) -> None:
    expected = SAMPLES[name]
    data = content(name).replace(b"\n", end)
    found = find_in_bytes(data)
    good = [one for one in found if one.error is None]
    wrong = [one.error for one in found if one.error is not None]
    assert [name_of(one) for one in good] == (
        ["forged"] if expected.get("forged") else expected["finds"]
    )
    says: str = expected.get("refused") or expected.get("broken") or ""
    assert [says in error.message for error in wrong] == ([True] if says else [])
    advice = expected.get("advice", "")
    assert advice in mime.read(data).advice
    if advice and wrong:
        assert advice in wrong[0].hint
    if not advice and not good:
        assert mime.read(data).advice == ""


def test_every_file_is_described_and_every_note_is_in_some_mail() -> None:
    assert {path.stem for path in (HERE / "samples").glob("*.eml")} == set(SAMPLES)
    assert {note for one in SAMPLES.values() for note in one["finds"]} == set(NOTES) - {"dora"}


@pytest.mark.parametrize("name", ["winmail-dat", "pgp-mime-encrypted", "smime-signed-opaque"])
def test_what_cannot_be_read_is_told_from_what_is_not_there(name: str) -> None:
    (found,) = find_in_bytes(content(name))
    assert isinstance(found.error, NotUnderstood)
    assert "send it again" in found.error.hint
