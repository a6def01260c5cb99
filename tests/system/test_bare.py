"""Games where nothing of POSIX is to be had: by hand, by email, and through git."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from shlex import quote

import pytest

from tests.cli.world import lay_out
from tests.git.club import Club
from tests.mail.office import BOOK, Office

ROOT = Path(__file__).parents[2]
PLACES = os.pathsep.join([str(Path(__file__).with_name("bare")), str(ROOT)])
"""The first of them takes away what Windows lacks, in every Python that starts."""


def sanjuan(
    *words: str, given: bytes = b"", fine: bool = True, **more: str
) -> subprocess.CompletedProcess[str]:
    """Run a command in a Python that has nothing of POSIX; with `fine` it has to end well."""
    done = subprocess.run(
        [sys.executable, "-m", "referee", *words],
        env=os.environ | {"PYTHONPATH": PLACES} | more,
        input=given.decode(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert "bug:" not in done.stderr, done.stderr
    assert not fine or done.returncode == 0, (words, done.stdout, done.stderr)
    return done


def test_it_is_bare() -> None:
    script = "import os, sitecustomize; print([n for n in sitecustomize.NAMES if hasattr(os, n)])"
    done = subprocess.run(
        [sys.executable, "-c", f"{script}\nimport fcntl"],
        env=os.environ | {"PYTHONPATH": PLACES},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == "[]\n"
    assert "No module named 'fcntl'" in done.stderr


def test_the_tests_for_windows_can_be_read_there() -> None:
    """None of them, nor what they import, needs POSIX to begin with."""
    workflow = (ROOT / ".github" / "workflows" / "test.yml").read_text(encoding="utf-8")
    job = workflow.partition("\n  windows:")[2].partition("pytest -n auto ")[2]
    places = [word for word in job.split() if word.startswith("tests/")]
    assert len(places) > 5
    words = ("-q", "-p", "no:xdist", "-p", "no:cacheprovider", "--capture=sys", "--collect-only")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *words, *places],
        env=os.environ | {"PYTHONPATH": PLACES},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]


def test_a_whole_game(workplace: Path) -> None:
    sanjuan("demo", "game")
    sanjuan("audit", "game/game.toml")
    sanjuan("page", "game/game.toml", "-o", "game.html")
    sanjuan("score", "game/game.toml")


def test_a_table_by_hand(workplace: Path) -> None:
    key = ("--referee-key", "referee.key")
    for name in ("referee", "ana", "ben"):
        sanjuan("key", "--make", f"{name}.key")
    sanjuan("new", "game.toml", "--seat", "ana", "--seat", "ben", "--plans", *key)
    for name in ("ana", "ben"):
        sanjuan("join", "game.toml", "--seat", name, "--key", f"{name}.key", "-o", f"{name}.join")
    sanjuan("apply", "game.toml", "ana.join", "ben.join", *key)
    mine = ("--key", "ana.key")
    assert sanjuan("games", *mine).returncode == 0
    sanjuan("show", "game.toml", *mine)
    Path("my editor.py").write_text(
        "import sys\nopen(sys.argv[-1], 'wb').write(b'\\xef\\xbb\\xbfalways builder: best\\r\\n')\n"
    )
    editor = f"{quote(sys.executable)} 'my editor.py'"
    sanjuan("plan", "game.toml", "--edit", *mine, "-o", "ana.plan", VISUAL="", EDITOR=editor)
    sanjuan("move", "game.toml", "--role", "trader", *mine, "-o", "ana.move")
    sanjuan("apply", "game.toml", "ana.plan", "ana.move", *key)
    again = sanjuan("apply", "game.toml", "ana.move", *key, fine=False)
    assert again.returncode == 10
    sanjuan("verify", "game.toml", *mine)
    assert not [*workplace.glob(".*.new")]


@pytest.mark.parametrize("way", ['eml = "mails"', 'maildir = "Maildir"', "pipe"])
def test_a_table_by_email(workplace: Path, way: str) -> None:
    pipe = f"pipe = \"{sys.executable} -c 'import sys; sys.stdin.read()'\""
    office = Office(
        workplace, "dealt", BOOK.replace('eml = "mails"', pipe if way == "pipe" else way)
    )
    mail = office.mail("ana", office.note("ana"))
    now = ("--now", "2026-11-28T09:00:00Z")
    sanjuan("mail", "in", "game.toml", "--referee-key", "referee.key", *now, given=mail)
    assert office.file.step == 2
    sanjuan("mail", "out", "game.toml", *now)
    assert (workplace / way.partition('"')[2].strip('"')).exists()


def test_a_maildir_and_all_games_of_a_folder(workplace: Path) -> None:
    office = Office(workplace, "timed")
    box = Path("Maildir", "new")
    for part in ("cur", "tmp", "new"):
        box.with_name(part).mkdir(parents=True)
    (box / "1").write_bytes(office.mail("ana", office.note("ana")))
    host = ("--referee-key", "referee.key", "--now", "2026-03-01T13:00:00Z")
    sanjuan("mail", "in", "game.toml", "--maildir", "Maildir", *host)
    assert office.file.step == 2
    # No name has a colon on Windows.
    assert [path.name for path in box.with_name("cur").iterdir()] == ["1!2,S"]
    sanjuan("due", "--games", ".")
    sanjuan("expire", "--games", ".", *host)
    sanjuan("mail", "remind", "game.toml", "--now", "2026-03-03T18:00:00Z")
    sanjuan("help", "--man", "man")


def test_a_turn_through_git(tmp_path: Path) -> None:
    program = tmp_path / "bin" / "sanjuan-ref"
    program.parent.mkdir()
    program.write_text(
        f'#!/bin/sh\nPYTHONPATH={quote(PLACES)} exec {quote(sys.executable)} -m referee "$@"\n'
    )
    program.chmod(0o755)
    club = Club(tmp_path / "club", program=program).sit_down()
    name = club.asked()[0]
    club.turn(name)
    assert club.file().step > 1


def test_expiring_by_hand(workplace: Path) -> None:
    lay_out(workplace, "timed")
    late = ("--now", "2026-03-05T12:00:00Z", "--referee-key", "referee.key")
    said = json.loads(sanjuan("expire", "game.toml", "--json", *late).stdout)
    assert said["exit"] == 0
