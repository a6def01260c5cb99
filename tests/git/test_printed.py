"""Commands that are printed in a clone as the next step: each runs there as it is printed."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from referee.table.standing import Standing
from tests.git.club import Club, seated


@pytest.fixture
def club(tmp_path: Path) -> Club:
    return seated(tmp_path, hook=True)


def printed(said: str, command: str) -> list[str]:
    """Return the words of a command that is printed on a line of its own or in backquotes."""
    found = re.search(rf"(?:^  |`)sanjuan-ref ({command} [^`\n]*)", said, re.MULTILINE)
    assert found is not None, said
    return shlex.split(found[1])


def test_leaving_voting_and_coming_back_run_as_they_are_printed(club: Club) -> None:
    ana, ben = club.folder / "ana", club.folder / "ben"
    key = ("--key", str(club.folder / "ben.key"))
    club.ref("leave", "game.toml", "--push", at=ben)
    refused = club.ref("vote", "game.toml", *key, "--push", at=ben, fine=False)
    assert printed(refused, "leave")[1:] == ["--back", "--push"]
    back = printed(club.ref("show", "game.toml", *key, at=ben), "leave")
    assert back == ["leave", "game.toml", "--back", *key, "--push"]
    club.ref(*back, at=ben)
    assert Standing.after(club.file()).left == []

    club.ref("vote", "game.toml", "--push", at=ana)
    assert "If you agree" not in club.ref("show", "game.toml", at=ana)
    club.git("pull", "--quiet", "--rebase", at=ben)
    said = club.ref("show", "game.toml", *key, at=ben)
    assert "ana votes for the end of the game. If you agree:\n" in said
    club.ref(*printed(said, "vote"), at=ben)
    assert club.file().status == "abandoned"


def test_a_transfer_is_signed_by_what_is_printed_for_the_others(club: Club) -> None:
    key = str(club.folder / "new.key")
    club.ref("key", "--make", key)
    at = club.folder / "ana"
    said = club.ref("transfer", "game.toml", "--seat", "ana", "--key", key, "--push", at=at)
    words = printed(said, "transfer")
    assert "--push" in words
    shown = club.ref("show", "game.toml", at=at)
    assert "ana is to get another key. Still to sign: the old key of ana" in shown
    assert printed(shown, "transfer") == words[:-2]
    other = club.ref("show", "game.toml", "--key", key, at=at, fine=False)
    assert "ana is to get another key" not in other
    club.ref(*words[:-2], at=at)
    assert any(".transfer." in entry.decision for entry in club.file().log)
