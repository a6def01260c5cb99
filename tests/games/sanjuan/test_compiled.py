"""The compiled core, which must play the same games; it takes a minute to make."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
SAME = ("tests/games/test_golden.py", "tests/games/sanjuan/test_cases.py", "tests/bots")
"""Tests of what is played, and not of how."""


@pytest.mark.long
def test_a_compiled_core_plays_the_same_games(tmp_path: Path) -> None:
    for needed in ("hatchling", "mypyc", "setuptools"):
        pytest.importorskip(needed)
    if shutil.which("cc") is None and os.name != "nt":
        pytest.skip("there is no compiler")
    made = _run(ROOT, ".ci/compile.py", str(tmp_path))
    assert "flow" in made
    for name in ("tests", "schemas", "examples"):
        shutil.copytree(ROOT / name, tmp_path / name)
    where = "from referee.games.sanjuan import flow, search; print(flow.__file__, search.__file__)"
    assert ".py" not in _run(tmp_path, "-c", where)
    assert " passed" in _run(tmp_path, "-m", "pytest", "-q", "-p", "no:cacheprovider", *SAME)


def _run(place: Path, *words: str) -> str:
    done = subprocess.run(
        [sys.executable, *words],
        cwd=place,
        env={**os.environ, "PYTHONPATH": str(place)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
