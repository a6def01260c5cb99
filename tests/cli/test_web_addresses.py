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
        "compare game.toml {}",
        "games {}",
        "key --key {}",
        "key {}",
        "git init {}",
        "new x.toml --like {} --referee-key referee.key",
        "new x.toml --seat ana --seat ben --game xanadu --deck {}",
    ],
)
@pytest.mark.parametrize("address", ["https://github.com/x.keys", "HTTPS://E.org:8443/x"])
def test_no_address_is_opened(
    words: str, address: str, workplace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lay_out(workplace, "dealt")
    assert main(words.format(address).split()) in (2, 16, 18)
    said = capsys.readouterr().err
    assert "this program opens no" in said
    assert address in said
    assert "hint: " in said
    assert "download what is there, and name " in said


@pytest.mark.parametrize("words", ["show {}", "compare game.toml {}", "key --key {}"])
def test_the_address_of_a_file_is_to_be_its_name(
    words: str, workplace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lay_out(workplace, "dealt")
    assert main(words.format("file:///tmp/x").split()) in (2, 16, 18)
    said = capsys.readouterr().err
    assert "file:///tmp/x" in said
    assert "name the file itself: /tmp/x\n" in said


def test_a_repository_that_cannot_be_fetched_is_no_mere_address(
    workplace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["show", "file:///nowhere/x.git:game.toml"]) == 2
    said = capsys.readouterr().err
    assert "git cannot fetch from file:///nowhere/x.git\n" in said
    assert "hint: try `git ls-remote file:///nowhere/x.git`\n" in said
