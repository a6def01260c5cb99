"""The README's own commands, run as they stand: the first game, plain age, plain ssh-keygen."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()


def run(script: str, folder: Path) -> str:
    env = {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(folder),
        "LC_ALL": "C.UTF-8",
    }
    done = subprocess.run(
        ["/bin/sh", "-eux", "-c", script],
        cwd=folder,
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_commands_work_as_printed(tmp_path: Path) -> None:
    blocks = re.findall(r"```sh\n(.*?)```", README, re.DOTALL)
    assert len(blocks) == 3
    game, hand, check = (run(block, tmp_path) for block in blocks)
    assert "ana.move: 1.1.role.ana: applied as step 2" in game
    assert 'kind = "hand"' in hand
    assert 'Good "move@sanjuan-ref" signature for ana with ED25519 key' in check


def test_exit_codes_and_commands_are_all_there(tmp_path: Path) -> None:
    out = run("sanjuan-ref --help", tmp_path)
    for command in re.findall(r"^  ([a-z]+)  ", out, re.MULTILINE):
        assert f"| `{command}` |" in README
    for code in (0, 1, 2, *range(10, 19), 70):
        assert re.search(rf"\| {code} \|", README)


def test_links_lead_to_files() -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", README):
        assert (ROOT / target).exists(), target
