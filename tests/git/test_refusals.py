"""Everybody can read of a refused note its kind, and nothing that a hand says."""

from __future__ import annotations

import re
from pathlib import Path

from tests.git.club import seated
from tests.refusals import cards_in, refused
from tests.table.tables import key_of

KIND = r"[a-z-]+ \((1[1-8])\)"
JUDGED = r"judged (?:for good )?at (?:step \d+|steps \d+ to \d+), signed [A-Za-z0-9+/]{86}\n"


def test_every_kind_of_refusal(tmp_path: Path) -> None:
    club = seated(tmp_path, hook=True)
    club.git("pull", "--quiet", "--rebase", at=club.folder / "ana")
    club.ref("move", "game.toml", "--role", "builder", "--push", at=club.folder / "ana")
    at = club.folder / "ben"
    club.git("pull", "--quiet", "--rebase", at=at)
    notes = refused(club.file(), {name: key_of(name) for name in club.names})
    for name, text in notes.items():
        (at / "moves" / f"{name}.note").write_text(text)
    club.git("add", "moves", at=at)
    club.git("commit", "--quiet", "-m", "x", at=at)
    club.git("push", "--quiet", at=at)
    assert club.file().step == 2
    codes = set()
    for name in notes:
        said = club.show(f"main:moves/{name}.note.refused").decode("ascii")
        form = (
            rf"{KIND}\n  [a-z' ,]+\n{JUDGED}"
            if name.startswith("sealed ")
            else rf"{KIND}.*\n(  .*\n)?{JUDGED}"
        )
        match = re.fullmatch(form, said)
        assert match, (name, said)
        codes.add(int(match[1]))
        assert not cards_in(said), (name, said)
        assert "dance" not in said
    assert codes == set(range(11, 19))
    message = club.git("log", "-1", "--format=%B", "main", at=club.bare)
    for line in message.partition("\n\nJudged: ")[0].splitlines()[2:]:
        assert re.fullmatch(r"refused: [a-z0-9. -]+: [a-z' ,]+", line), line
    assert not cards_in(message)
    assert "none of them ignored" in club.ref("git", "verify", at=club.bare)
