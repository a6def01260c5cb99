"""A command imports nothing that it does not need, because players wait for it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.world import lay_out

ROOT = Path(__file__).parents[2]
# Modules whose import is slow, and that nobody asked for.
NEVER = {
    "_hashlib",
    "rich",
    "pydantic",
    "email",
    "unicodedata",
    "dataclasses",
    "cryptography.hazmat.primitives.serialization",
    "cryptography.x509",
    "asyncio",
    "tempfile",
    "importlib.metadata",
    "getpass",
    # What is in our own layout is read and written without a library.
    "tomllib",
    "tomli_w",
    "referee.bots.engine",
}
HELP = NEVER | {"cryptography", "pyrage", "referee.table", "referee.games.sanjuan"}


def imported(place: Path, *words: str) -> set[str]:
    """The modules that a command imports, by `-X importtime`."""
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "referee", *words],
        cwd=place,
        env={**os.environ, "PYTHONPATH": str(ROOT), "XDG_STATE_HOME": str(place / "state")},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    lines = (line for line in done.stderr.splitlines() if line.startswith("import time:"))
    return {line.rsplit("|", 1)[1].strip() for line in lines}


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    lay_out(tmp_path, "dealt")
    return tmp_path


def test_help_imports_no_protocol(place: Path) -> None:
    assert imported(place, "--help") & HELP == set()
    assert imported(place, "mail", "in", "--help") & HELP == set()


def test_commands_import_no_more_than_they_need(place: Path) -> None:
    mine = ["--key", "ana.key"]
    host = ["--referee-key", "referee.key"]
    thinking = {"referee.games.sanjuan.greedy", "referee.games.sanjuan.mind"}
    seen = imported(place, "show", "game.toml", *mine)
    late = {"referee.notes.mime", "referee.table.planreplay", "referee.table.opening", "json"}
    late |= {"referee.playing.written", "referee.playing.listing", "referee.playing.outgoing"}
    late |= {"referee.games.sanjuan.reading"}
    assert seen & (NEVER | thinking | late) == set()
    played = imported(place, "move", "game.toml", "--role", "trader", *mine, "-o", "ana.move")
    # A note that was signed here is not looked for in its own text.
    readers = {"referee.notes.finding", "referee.notes.mime", "referee.refereeing"}
    readers |= {"referee.table.provenance", "referee.table.opening"}
    drawing = {"referee.games.board", "referee.render.text.board"}
    assert played & (NEVER | readers | thinking | drawing) == set()
    applied = imported(place, "apply", "game.toml", "ana.move", *host)
    assert applied & (NEVER | thinking | drawing | {"referee.notes.mime"}) == set()
    drawn = imported(place, "page", "game.toml", "--public", "-o", "page.html")
    reviewing = {"referee.bots.judging", "referee.playing.reviewing", "referee.playing.planning"}
    assert drawn & (NEVER | thinking | reviewing | {"referee.render.page.image"}) == set()
