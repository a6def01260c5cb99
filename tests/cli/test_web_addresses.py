"""Addresses of the web where files are wanted: the program opens none, and says so."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.cli.main import main
from tests.cli.world import lay_out


@pytest.mark.parametrize(
    "words",
    [
        "new x.toml --seat ana --seat ben={} --referee-key referee.key",
        "transfer game.toml --seat ana --to {} --key ana.key",
        "new x.toml --seat ana --seat ben --backup {} --referee-key referee.key",
        "show {}",
        "show game.toml --key {}",
        "apply game.toml {} --referee-key referee.key",
    ],
)
def test_no_address_is_opened(
    words: str, workplace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lay_out(workplace, "dealt")
    assert main(words.format("https://github.com/x.keys").split()) in (2, 16, 18)
    said = capsys.readouterr().err
    assert "this program opens no" in said
    assert "hint: " in said
    assert "download what is there, and name " in said
