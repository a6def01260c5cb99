"""The README's own commands, run as they stand: the first game, plain age, plain ssh-keygen."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()


def run(script: str, folder: Path, **more: str) -> str:
    env = {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(folder),
        "LC_ALL": "C.UTF-8",
        **more,
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


def test_what_is_shown_is_what_comes(tmp_path: Path) -> None:
    shown = re.findall(r"```\n\$ (.*?)\n(.*?)```", README, re.DOTALL)
    assert len(shown) == 2
    (move, noted), (attempt, tried) = shown
    table = re.findall(r"```sh\n(.*?)```", README, re.DOTALL)[0].partition("# Ana sees")[0]
    run(table, tmp_path)
    told = run(move, tmp_path, SANJUAN_KEY="ana.key")
    game = re.findall(r"[0-9a-f]{8}(?=-1\.1)", told)[0]
    assert told == noted.replace("3f0d03c6", game)
    position = re.findall(r"```toml\n(.*?)```", README, re.DOTALL)[0]
    (tmp_path / "chapel.toml").write_text(position)
    assert run(attempt, tmp_path) == tried


def test_lines_fit_a_page() -> None:
    fenced = False
    for line in README.splitlines():
        fenced ^= line.startswith("```")
        assert len(line) <= (108 if fenced else 128) or line.startswith("|"), line


def test_exit_codes_and_commands_are_all_there(tmp_path: Path) -> None:
    out = run("sanjuan-ref --help", tmp_path)
    for command in re.findall(r"^  ([a-z]+)  ", out, re.MULTILINE):
        assert f"| `{command}` |" in README
    for code in (0, 1, 2, *range(10, 19), 70):
        assert re.search(rf"\| {code} \|", README)


def test_links_lead_to_files() -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", README):
        assert (ROOT / target).exists(), target
