"""PROTOCOL 17 lists what must be refused; every point names tests, and each of them is there."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SECTION = (
    (ROOT / "schemas" / "PROTOCOL.md")
    .read_text(encoding="utf-8")
    .split("\n## 17. ")[1]
    .split("\n## ")[0]
)
POINT = re.compile(r"^(\d+)\. (.+?)(?=^\S|\Z)", re.MULTILINE | re.DOTALL)
WHO = ("**A reader**", "**`verify`**", "**`compare`**", "**`audit`**")
NAMED = re.compile(r"`([a-z]+/[a-z_]+\.py::[^`]+)`")


def lists() -> dict[str, list[tuple[int, str]]]:
    """By who refuses: number and text of each point."""
    parts = re.split(f"({'|'.join(map(re.escape, WHO))})", SECTION)
    return {
        who: [
            (int(number), text)
            for number, text in re.findall(
                r"^(\d+)\. (.+?)(?=^\S|\Z)", part, re.MULTILINE | re.DOTALL
            )
        ]
        for who, part in zip(parts[1::2], parts[2::2], strict=True)
    }


@pytest.mark.parametrize("who", WHO)
def test_every_point_has_its_number_and_its_tests(who: str) -> None:
    points = lists()[who]
    assert [number for number, _ in points] == list(range(1, len(points) + 1))
    assert points
    assert [text for _, text in points if not NAMED.search(text)] == []


def test_every_test_is_there() -> None:
    named = NAMED.findall(SECTION)
    files = sorted({f"tests/{one.split('::')[0]}" for one in named})
    command = [
        sys.executable,
        "-m",
        "pytest",
        "--collect-only",
        "-q",
        "-p",
        "no:cacheprovider",
        *files,
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    there = set(done.stdout.splitlines())
    there |= {one.partition("[")[0] for one in there}
    assert [one for one in named if f"tests/{one}" not in there] == []
