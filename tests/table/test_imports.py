"""The primitives are cheap to import: what is slow or rare is loaded where it is used."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import referee

ROOT = Path(referee.__file__).parent
ARROWS = {
    "games": {"games"},
    "manual": {"manual"},
    "table": {"games", "table"},
    "show": {"games", "table", "show"},
    "page": {"games", "table", "show", "page"},
    "mail": {"games", "table", "show", "page", "mail"},
    "git": {"games", "table", "git"},
    "cli": {"games", "manual", "table", "show", "page", "mail", "git", "cli"},
}
"""What each package may import of the others."""

MODULES = ("errors", "hashing", "keys", "sshsig", "sealing", "notes", "mail")


@pytest.mark.parametrize("module", MODULES)
def test_nothing_slow_is_imported(module: str) -> None:
    script = (
        "import sys, re, typing, datetime, hashlib, hmac, binascii, referee.games.interface\n"
        "before = set(sys.modules)\n"
        f"import referee.table.{module}\n"
        "print(*(set(sys.modules) - before))"
    )
    loaded = subprocess.run(
        [sys.executable, "-I", "-c", f"import sys; sys.path.insert(0, '.')\n{script}"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    assert f"referee.table.{module}" in loaded
    # Not cryptography, pyrage, email, json or unicodedata, nor anything else.
    assert [name for name in loaded if name.split(".")[0] != "referee"] == []


def wanted(path: Path) -> Iterator[str]:
    """The packages of ours that a file imports from, anywhere in it."""
    for node in ast.walk(ast.parse(path.read_text())):
        names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        for name in names:
            if name.startswith("referee."):
                yield name.split(".")[1]


@pytest.mark.parametrize("package", ARROWS)
def test_arrows_point_one_way(package: str) -> None:
    paths = sorted((ROOT / package).rglob("*.py"))
    assert paths
    for path in paths:
        assert set(wanted(path)) <= ARROWS[package], path


def test_every_package_has_its_arrows() -> None:
    assert {path.parent.name for path in ROOT.glob("*/__init__.py")} == set(ARROWS)
