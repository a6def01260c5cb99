"""An email says of a refused note its kind and its own words, and nothing that a hand says."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.mail.journal import journal_of
from referee.refereeing.refusals import KINDS
from tests.cli.world import KEYS
from tests.mail.conftest import Open
from tests.mail.office import text_of
from tests.mail.samples import content
from tests.refusals import cards_in, refused

WORDS = [
    *KINDS.items(),
    (13, "it is for another game"),
    (18, "the key of this game's referee does not open it, so it is for another game or another "
     "referee"),
]  # fmt: skip
"""Exit codes and the words for them, those for a single reason last."""


def test_every_kind_of_refusal(office: Open) -> None:
    at = office("building")
    step, codes = at.file.step, set()
    for name, note in refused(at.file, {name: KEYS[name] for name in ("ana", "ben")}).items():
        before = at.mails().keys()
        # The same note, sealed or not, is answered once.
        journal_of(at.file.game, None).unlink(missing_ok=True)
        done = at.take(at.mail("ana", note))
        new = [text_of(at.mails()[one]) for one in at.mails().keys() - before]
        # What ben has signed he is told of, in a paragraph behind another.
        (said,) = (text for text in new if " was refused: " in text.replace("\n", " "))
        said = next(one for one in said.split("\n\n") if "refused:" in one).replace("\n", " ")
        kinds = [code for code, kind in WORDS if f"was refused: {kind}" in said]
        assert len(kinds) == 1, (name, said, done.err)
        codes.add(kinds[0])
        about, _, own = said.partition(" > ")
        assert not cards_in(about), (name, said)
        if name.startswith("sealed ") or not own:
            assert not cards_in(said)
            assert "dance" not in said
        if name.startswith("sealed "):
            words = dict(WORDS)[kinds[0]] if "other" in name else KINDS[kinds[0]]
            assert said.startswith(f"Your sealed note was refused: {words}. ") or (
                said == f"Your sealed note was refused: {words}."
            )
            assert not cards_in(done.err + done.out)
    assert codes == set(range(11, 19))
    assert at.file.step == step


def damaged(note: str) -> str:
    """A copy of which a letter of the signature was lost."""
    return note.replace("U1NIU0lH", "U1NIU0l", 1)


ADVICE = {
    "damaged": ("attached as the file that was written", damaged),
    "changed": ("attached as the file that was written", lambda note: note.replace("role", "sell")),
    "cut off": ("attached as the file that was written", lambda note: note[:300]),
    "too long": ("Give the note alone.", lambda note: note + "x\n" * 40_000),
    "too many": ("Send fewer at once.", lambda _: "sanjuan-ref/1 move\n" * 300),
    "nothing": ("A note is what `move`, `plan` or `join` writes", lambda _: "Hello\n"),
    "a game": ("A note is a file written by `move`, `plan`, `join`, `vacation`, `transfer`, ",
               lambda _: Path("game.toml").read_text()),
    "a private key": ("but a private key. If it was sent, others may have it: make another with",
                      lambda _: KEYS["ana"].openssh().decode()),
    "a secret of age": ("but a private key. If it was sent, others may have it",
                        lambda _: f"here is my key:\n{AGE}\n"),
}  # fmt: skip
AGE = "AGE-SECRET-KEY-1QQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQ8H00W3"


@pytest.mark.parametrize("name", ADVICE)
def test_advice_is_about_what_is_wrong(office: Open, name: str) -> None:
    at = office("dealt")
    advice, spoil = ADVICE[name]
    at.take(at.mail("ana", spoil(at.note("ana"))))
    said = at.texts("ana refusal")[0].partition("\n\n")[0].replace("\n", " ")
    assert advice in said
    assert ("send all of it" in said) == (name == "nothing")
    assert "--key" not in said


@pytest.mark.parametrize("name", ["zip-attached", "rtf-attached"])
def test_what_is_packed_is_to_be_unpacked(office: Open, name: str) -> None:
    at = office("dealt")
    at.take(content(name).replace(b"@example.com", b"@example.org"))
    said = at.texts("ana refusal")[0].replace("\n", " ")
    assert said.startswith("There was no note in your mail. Archives (zip and the like), ")
    assert "attach the note itself, or put it into the email. " in said
    assert "send all of it" not in said


def test_a_note_that_comes_too_late_is_told_what_is_asked_now(office: Open) -> None:
    at = office("dealt")
    old = [at.note("ana", play) for play in ("role builder", "role trader")]
    at.take(at.mail("ana", old[0]))
    at.take(at.mail("ana", old[1]))
    said = at.texts("ana refusal")[0].replace("\n", " ")
    assert "What has taken effect is final; " in said
    assert "1.1.build.ana" in said
