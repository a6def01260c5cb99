"""What a mail says of a refused note: its kind and its own words, and nothing that a hand says."""

from __future__ import annotations

import re

import pytest

from referee.mail import answers, post
from tests.cli.world import KEYS
from tests.mail.conftest import Open
from tests.mail.office import text_of
from tests.refusals import cards_in, refused


def test_every_kind_of_refusal(office: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(post, "FRUITLESS_A_DAY", 1000)
    at = office("building")
    step, codes = at.file.step, set()
    for name, note in refused(at.file, {name: KEYS[name] for name in ("ana", "ben")}).items():
        before = at.mails().keys()
        done = at.take(at.mail("ben", note))
        (new,) = (one for one in at.mails().keys() - before if one.startswith("ben-refusal"))
        said = text_of(at.mails()[new]).partition("\n\n")[0].replace("\n", " ")
        kinds = [code for code, kind in answers.KINDS.items() if f"is refused: {kind}" in said]
        assert len(kinds) == 1, (name, said, done.err)
        codes.add(kinds[0])
        about, _, own = said.partition(" > ")
        assert not cards_in(about), (name, said)
        if name.startswith("sealed ") or not own:
            assert not cards_in(said)
            assert "dance" not in said
        if name.startswith("sealed "):
            assert re.match(rf"Your sealed note is refused: {answers.KINDS[kinds[0]]}\.", said)
            assert not cards_in(done.err + done.out)
    assert codes == set(range(11, 19))
    assert at.file.step == step
