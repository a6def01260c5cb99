"""Every command says so of a game under rules that this program does not have."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from referee.games.sanjuan.rules import SanJuanRules
from referee.table.signing import signed_text
from referee.table.times import Clock
from tests.cli.world import KEYS
from tests.mail.office import BOOK, run
from tests.table.tables import REFEREE, Table
from tests.table.versions import FiveCards, have

HOST = ("--referee-key", "referee.key")
ANA = ("--key", "ana.key")
SENTENCE = "this game is played under version 2 of the rules of San Juan"

NEED_RULES = [
    ("show", "game.toml"),
    ("show", "game.toml", *ANA),
    ("show", "game.toml", "--card", "well"),
    ("move", "game.toml", "--role", "trader", *ANA),
    ("move", "game.toml", *ANA),
    ("apply", "game.toml", "ana.move", *HOST),
    ("expire", "game.toml", *HOST, "--now", "2026-03-09T12:00:00Z"),
    ("abandon", "game.toml", *HOST, "--yes"),
    ("audit", "game.toml", *HOST),
    ("audit", "over.toml"),
    ("score", "over.toml"),
    ("page", "game.toml"),
    ("page", "over.toml", "--image", "x.svg"),
    ("position", "over.toml"),
    ("position", "game.toml", *HOST),
    ("join", "open.toml", "--seat", "ana", *ANA),
    ("apply", "open.toml", "ana.join", *HOST),
    ("mail", "out", "game.toml"),
]
NEED_NONE = [
    ("verify", "game.toml", *ANA),
    ("verify", "over.toml"),
    ("verify", "open.toml"),
    ("compare", "game.toml", "over.toml", *ANA),
    ("compare", "game.toml", "game.toml"),
    ("log", "game.toml", "--raw"),
    ("log", "game.toml", "--note", "2"),
    ("log", "over.toml"),
    ("due", "game.toml", "--now", "2026-03-02T12:00:00Z"),
    ("key", "--allowed-signers", "game.toml"),
]


@pytest.fixture
def older(workplace: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with games under the second version; the program here has the first alone."""
    have(monkeypatch, SanJuanRules, FiveCards)
    for name, key in KEYS.items():
        key.save(workplace / f"{name}.key")
    (workplace / "addresses.toml").write_text(BOOK)
    table = Table(2, "older", clock=Clock(3, "bot", 1, 28))
    (workplace / "open.toml").write_text(table.text)
    join = run("join", "open.toml", "--seat", "ana", *ANA, "-o", "ana.join")
    assert join.code == 0, join.err
    table.join_all().answer(table.file.asked_ids()[0])
    (workplace / "game.toml").write_text(table.text)
    decision = table.file.asked_ids()[0]
    (workplace / "ana.move").write_text(table.note(decision, table.view("ana").suggest()))
    over = table.rush().file
    over.due = {}
    (workplace / "over.toml").write_text(signed_text(over, REFEREE))
    have(monkeypatch, SanJuanRules)
    return workplace


def test_what_needs_the_rules_says_which_version_plays_it(older: Path) -> None:
    before = {path.name: path.read_bytes() for path in older.iterdir()}
    for words in NEED_RULES:
        done = run(*words)
        assert done.code == 16, (words, done)
        assert f"{SENTENCE}, and this sanjuan-ref has version 1" in done.err, words
        assert "hint: update sanjuan-ref" in done.err, words
        for wrong in ("step", "damaged", "forged", "bug"):
            # A newer file beside the game is noted before.
            assert wrong not in done.err[done.err.index("error: ") :], words
        if words[0] not in ("page", "mail"):
            told = json.loads(run(*words, "--json").out)
            assert (told["exit"], told["reason"]) == (16, "other-rules"), words
    assert {path.name: path.read_bytes() for path in older.iterdir()} == before


def test_what_needs_none_works(older: Path) -> None:
    for words in NEED_NONE:
        done = run(*words)
        assert done.code == 0, (words, done)


def test_the_log_is_told_as_it_stands(older: Path) -> None:
    done = run("log", "over.toml")
    assert f"note: {SENTENCE}" in done.err
    assert done.out == run("log", "over.toml", "--raw").out
    entries = json.loads(run("log", "over.toml", "--json").out)["log"]
    assert entries[0]["decision"] == "0.0.deal.referee"
    assert entries[0]["told"]


def test_mail_waits_for_the_right_program(older: Path) -> None:
    mail = b"From: ana@example.org\nSubject: x\n\n" + (older / "ana.move").read_bytes()
    done = run("mail", "in", "game.toml", *HOST, given=mail)
    assert done.code == 75
    assert SENTENCE in done.err
    assert not (older / "mails").exists()


def test_new_and_show_say_the_version(older: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    have(monkeypatch, SanJuanRules, FiveCards)
    new = ("new", "new.toml", "--seat", "ana", "--seat", "ben", *HOST)
    for words in (new, ("show", "new.toml")):
        told = json.loads(run(*words, "--json").out)
        assert (told["module"], told["rules"], told["bot"]) == ("sanjuan", 2, "greedy-1")
    assert ", rules 2, " in run("show", "new.toml").out
    assert "rules sanjuan 2, xanadu 1" in run("--version").out


def test_a_file_of_a_later_format(older: Path) -> None:
    text = (older / "game.toml").read_text().replace("sanjuan-ref/1", "sanjuan-ref/2", 1)
    (older / "game.toml").write_text(text)
    for words in (
        ("show", "game.toml"),
        ("verify", "game.toml"),
        ("apply", "game.toml", "ana.move"),
    ):
        done = run(*words, *(HOST if words[0] == "apply" else ()))
        assert done.code == 16
        assert "was written by a newer sanjuan-ref\nhint: update sanjuan-ref" in done.err
    assert json.loads(run("show", "game.toml", "--json").out)["reason"] == "newer"


def git(*words: str) -> str:
    env = os.environ | {"GIT_CONFIG_NOSYSTEM": "1"}
    names = ("-c", "user.name=x", "-c", "user.email=x@example.org")
    done = subprocess.run(
        ["git", *names, *words], env=env, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


@pytest.mark.parametrize("later", [False, True], ids=["other rules", "later format"])
def test_a_repository_is_left_as_it_is(older: Path, later: bool) -> None:
    game = older / "game.toml"
    if later:
        game.write_text(game.read_text().replace("sanjuan-ref/1", "sanjuan-ref/2", 1))
    git("init", "--quiet", "-b", "main", ".")
    (older / "moves").mkdir()
    (older / "moves" / "ana.move").write_bytes((older / "ana.move").read_bytes())
    git("add", "game.toml", "moves")
    git("commit", "--quiet", "-m", "x")
    tip = git("rev-parse", "main")
    for more in ((), ("--branch-is-ledger",)):
        done = run("git", "referee", ".", "--branch", "main", *HOST, *more)
        assert done.code == 16, done
        assert ("newer sanjuan-ref" if later else SENTENCE) in done.err
    assert git("rev-parse", "main") == tip
    assert not list((older / "moves").glob("*.refused"))
