"""The workflow that publishes the app: its own commands, run here."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from referee.phone import parts
from tests.phone.test_build import files_in

ROOT = Path(__file__).parents[2]
WORKFLOW = ROOT / "examples" / "phone" / "publish.yml"
OTHERS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def scripts() -> list[str]:
    """The commands of its steps, but for the one that installs this program."""
    found = re.findall(r"\n        run: (?:\|\n((?:          .*\n)+)|(.*)\n)", WORKFLOW.read_text())
    return [lines or line for lines, line in found if "pip install" not in line]


def test_what_it_does_builds_the_same_app_and_says_its_hash(site: Path, tmp_path: Path) -> None:
    tools = tmp_path / "tools"
    tools.mkdir()
    program = tools / "sanjuan-ref"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m referee "$@"\n')
    program.chmod(0o755)
    # As the wheel lays it out, which is what the workflow installs.
    installed = tmp_path / "installed"
    shutil.copytree(ROOT / "referee", installed / "referee")
    shutil.copytree(ROOT / "schemas", installed / "referee" / "schemas")
    # Fetching anew would need a network: the parts lie there already.
    fetched = tmp_path / "parts"
    fetched.mkdir()
    for path in parts.place().iterdir():
        shutil.copyfile(path, fetched / path.name)
    summary = tmp_path / "summary"
    found = hashlib.sha256((site / "files.json").read_bytes()).hexdigest()
    env = os.environ | {
        "PATH": f"{tools}:{os.environ['PATH']}",
        "PYTHONPATH": str(installed),
        "GITHUB_STEP_SUMMARY": str(summary),
        parts.PLACE: str(fetched),
    }
    steps = scripts()
    assert len(steps) == 3
    for wanted, right in (("", True), (found, True), ("0" * 64, False)):
        for script in steps if not wanted else steps[-1:]:
            done = subprocess.run(
                ["bash", "-eo", "pipefail", "-c", script],
                cwd=tmp_path,
                env=env | {"WANTED": wanted},
                capture_output=True,
                text=True,
                check=False,
            )
        assert (done.returncode == 0) == right, done.stderr
        assert ("is not published" in done.stderr) != right
    assert files_in(tmp_path / "site") == files_in(site)
    assert f"files.json {found}\n" in summary.read_text()


def test_it_runs_the_actions_that_the_others_run_in_the_same_versions() -> None:
    """And nothing but actions of the forge's own."""
    known = dict(
        one.split("@")
        for path in OTHERS
        for one in re.findall(r"uses: (actions/\S+)", path.read_text())
    )
    for name, version in re.findall(r"uses: ([^@\s]+)@(\S+)", WORKFLOW.read_text()):
        assert name.startswith("actions/"), name
        assert re.fullmatch(r"v\d+", version), name
        assert version == known.get(name, version), name


def test_it_may_write_nothing_but_pages() -> None:
    text = WORKFLOW.read_text()
    assert "permissions:\n  contents: read\njobs:" in text
    assert re.findall(r"(\S+): write", text) == ["pages", "id-token"]
    assert "secrets." not in text
