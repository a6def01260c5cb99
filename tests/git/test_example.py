"""The example of a table that plays by git: the script as it is, in a new folder, for a round."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from tests.ready import program

SCRIPT = Path(__file__).parents[2] / "examples" / "git" / "play.sh"


def test_a_round_by_pushes(tmp_path: Path) -> None:
    path = f"{program().parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        [str(SCRIPT), str(tmp_path / "table"), "1"],
        env={"PATH": path, "HOME": str(tmp_path), "GIT_CONFIG_NOSYSTEM": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "1.1 ana: role builder" in done.stdout
    assert "none of them ignored" in done.stdout
    assert "the scores are right" in done.stdout
    assert "refused" not in done.stdout
