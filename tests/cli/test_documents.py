"""Every command prints with `--json` what its schema says."""

from __future__ import annotations

import json
import shlex
import shutil
import tomllib
from pathlib import Path

import pytest

from referee.cli.main import main
from referee.manual import pages
from tests.cli.documents import COMMON, FOLDER, GROUPS, check_document, commands, validator
from tests.cli.world import lay_out
from tests.git.club import seated
from tests.mail.office import Office, run

CASES = tomllib.loads(Path(__file__).with_name("documents.toml").read_text(encoding="utf-8"))
ELSEWHERE = {"mail-in", "mail-out", "mail-remind", "git-init", "git-setup", "git-referee"} | {
    "git-verify",
    "phone-fetch",
    "phone-build",
}
"""Commands with tests of their own here, as they need more than a folder with a game."""


def lines_of(state: str) -> list[tuple[int, list[str]]]:
    """The commands of a state, each with its exit code."""
    found = []
    for line in CASES[state].strip().splitlines():
        words = shlex.split(line)
        code = int(words.pop(0)) if words[0].isdecimal() else 0
        found.append((code, words))
    return found


@pytest.mark.parametrize("state", CASES)
def test_documents_are_what_their_schemas_say(state: str, workplace: Path) -> None:
    lay_out(workplace, state)
    for code, words in lines_of(state):
        done = run(*words, "--json")
        assert done.code == code, (words, done)
        check_document(words, done.out)
        assert json.loads(done.out)["exit"] == code


def test_every_command_has_a_schema_and_is_tried() -> None:
    names = set(commands())
    assert names == {path.name.partition(".")[0] for path in FOLDER.iterdir()} - {"common"}
    lines = [line for state in CASES for line in lines_of(state)]
    tried = {"-".join(words[: 2 if words[0] in GROUPS else 1]) for code, words in lines if not code}
    assert names == tried | ELSEWHERE


@pytest.mark.parametrize("name", sorted(commands()))
def test_schemas_are_schemas(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = validator(name)
    found.check_schema(found.schema)
    assert found.schema["$id"] == f"{name}.schema.json"
    assert not found.is_valid({"exit": 0, "surprise": 1})
    assert main(["help", f"commands/{name}.schema.json"]) == 0
    assert capsys.readouterr().out == (FOLDER / f"{name}.schema.json").read_text()
    assert f"commands/{COMMON}" in pages()


def test_documents_about_emails(workplace: Path) -> None:
    office = Office(workplace, "timed")
    late = "2026-03-03T18:00:00Z"
    out = ("--now", "2026-03-01T13:00:00Z", "--json")
    check_document(["mail", "out"], run("mail", "out", "game.toml", *out).out)
    check_document(
        ["mail", "remind"], run("mail", "remind", "game.toml", "--now", late, "--json").out
    )
    taken = office.take(office.mail("ana", office.note("ana")), "--json", now=late)
    assert taken.code == 0
    check_document(["mail", "in"], taken.out)
    check_document(["mail", "in"], office.take(b"From: nobody\n\nno note", "--json", now=late).out)


def test_documents_about_git(tmp_path: Path) -> None:
    club = seated(tmp_path / "club")

    def said(*words: str, at: Path) -> str:
        out = club.ref(*words, "--json", at=at)
        check_document(words, out)
        return out

    (name,) = club.asked()
    at = club.folder / name
    said("git", "setup", at=at)
    club.git("pull", "--quiet", at=at)
    play = club.suggestion(name, club.file(at))
    said("move", "game.toml", "--play", play, "--push", at=at)
    assert json.loads(said("git", "referee", ".", at=club.bare))["commit"]
    said("git", "verify", ".", "--branch", "main", at=club.bare)
    club.git("pull", "--quiet", at=at)
    said("show", "game.toml", at=at)
    shutil.copy(at / "game.toml", club.folder / "new.toml")
    (club.folder / "fresh").mkdir()
    shutil.move(club.folder / "new.toml", club.folder / "fresh" / "game.toml")
    said("git", "init", "fresh", at=club.folder)
