"""Files that people write by hand: where quotes are missing in one, it is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.cli.main import main
from tests.cli.world import lay_out


@pytest.mark.parametrize(
    ("name", "line", "words"),
    [
        ("addresses.toml", "address = t@x.org", "mail out game.toml"),
        ("names.toml", "Ana = [SHA256:x]", "results --aliases names.toml"),
        ("spot.toml", "title = Some spot", "try spot.toml"),
        (
            "deck.toml",
            "title = Some deck",
            "new x.toml --game xanadu --seat ana --seat ben --referee-key referee.key "
            "--deck deck.toml",
        ),
    ],
)
def test_quotes_that_are_missing_are_asked_for(
    name: str, line: str, words: str, workplace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lay_out(workplace, "dealt")
    (workplace / name).write_text(f"{line}\n")
    assert main(words.split()) in (2, 13, 16)
    assert "\nhint: texts stand in quotes: " in capsys.readouterr().err
