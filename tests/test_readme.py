"""The README's and the manual's own commands: run as they stand, and none that does not exist."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import typer.main

from referee.cli.app import app
from referee.cli.commands import COMMANDS
from referee.manual import pages

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
MANUAL = sorted((ROOT / "referee" / "manual").glob("*.md"))
PAGES = [README, *MANUAL]
BLOCK = re.compile(r"```sh\n(.*?)```", re.DOTALL)
SHOWN = re.compile(r"```\n\$ (.*?)\n(.*?)```", re.DOTALL)
CODE = re.compile(r"(?<!`)`([^`\n]+(?:\n[^`\n]+)?)`(?!`)")
AFTER_THE_FIRST_GAME = {"checking.md"}
"""Pages whose commands begin where the README's first game ends."""


def named(path: Path) -> str:
    return path.name


def run(script: str, folder: Path, **more: str) -> str:
    env = {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(folder),
        "LC_ALL": "C.UTF-8",
        **{
            f"GIT_{who}_{what}": "dora@example.org"
            for who in ("AUTHOR", "COMMITTER")
            for what in ("NAME", "EMAIL")
        },
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


@pytest.mark.parametrize("page", [one for one in PAGES if BLOCK.search(one.read_text())], ids=named)
def test_the_commands_work_as_printed(page: Path, tmp_path: Path) -> None:
    blocks = BLOCK.findall(page.read_text())
    if page.name in AFTER_THE_FIRST_GAME:
        run(BLOCK.findall(README.read_text())[0], tmp_path)
    out = "".join([run(block, tmp_path) for block in blocks])
    assert SAYS[page.name] in out


SAYS = {
    "README.md": "ana.move: 1.1.role.ana: applied as step 2",
    "hosting.md": "friday.toml",
    "email.md": "ana@example.org",
    "git.md": "The referee has it",
    "checking.md": 'Good "move@sanjuan-ref" signature for ana with ED25519 key',
}
"""By page, something that its commands print when they have done their work."""


def test_what_is_shown_is_what_comes(tmp_path: Path) -> None:
    ((move, noted),) = SHOWN.findall(README.read_text())
    table = BLOCK.findall(README.read_text())[0].partition("# Ana sees")[0]
    run(table, tmp_path)
    told = run(move, tmp_path, SANJUAN_KEY="ana.key")
    game = re.findall(r"[0-9a-f]{8}(?=-1\.1)", told)[0]
    assert told == noted.replace("3f0d03c6", game)
    positions = (ROOT / "referee" / "manual" / "positions.md").read_text()
    ((attempt, tried),) = SHOWN.findall(positions)
    (position,) = re.findall(r"```toml\n(.*?)```", positions, re.DOTALL)
    (tmp_path / "chapel.toml").write_text(position)
    assert run(attempt, tmp_path) == tried


def options(words: list[str]) -> set[str] | None:
    """The options that a command knows, which the words begin with; nothing if it is none."""
    command: Any = typer.main.get_command(app)
    for word in words:
        found = getattr(command, "get_command", lambda *_: None)(None, word)
        if found is None:
            break
        command = found
    else:
        word = ""
    return {name for param in command.params for name in param.opts}


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_every_command_and_option_that_is_named_is_there(page: Path) -> None:
    for code in CODE.findall(page.read_text()):
        words = code.removeprefix("sanjuan-ref ").split()
        if words[0] not in COMMANDS:
            assert not code.startswith("sanjuan-ref ") or words[0].startswith("-"), code
            continue
        known = options(words)
        assert known is not None
        flags = {word.partition("=")[0] for word in words if word.startswith("--")}
        assert flags <= known, code


def test_lines_fit_a_page() -> None:
    for page in PAGES:
        most = 108 if page == README else 80
        fenced = False
        for line in page.read_text().splitlines():
            fenced ^= line.startswith("```")
            assert len(line) <= (108 if fenced else most) or line.startswith(("|", "![")), line
    assert len(README.read_text().splitlines()) < 150


def test_exit_codes_commands_and_pages_are_all_there(tmp_path: Path) -> None:
    table = (ROOT / "referee" / "manual" / "commands.md").read_text()
    for command in COMMANDS:
        assert f"| `{command}` |" in table
    for code in (0, 1, 2, *range(10, 20), 70):
        assert re.search(rf"\| {code} \|", table)
    for page in pages().values():
        assert page.path.suffix == ".json" or f"[{page.topic}]" in README.read_text()


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_links_lead_to_files(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", page.read_text()):
        assert (page.parent / target).exists(), target
