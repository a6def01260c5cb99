"""The rooms of the house: dependencies point one way, nothing goes in circles, crypto is light."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import referee

ROOT = Path(referee.__file__).parent
FLOORS = (
    ("redaction",),
    ("games",),
    ("errors",),
    ("storage",),
    ("crypto",),
    ("notes",),
    ("table",),
    ("refereeing", "checking"),
    ("git",),
    ("playing",),
    ("render",),
    ("mail",),
    ("library", "manual"),
    ("cli",),
    ("__main__",),
)
"""From the ground up: a room may import from itself and from the floors below it."""
BANNED = {
    "git": {"library", "manual"},
    "mail": {"git", "checking"},
    "render": {"git", "refereeing"},
    "playing": {"refereeing"},
    "library": {"git", "render", "mail"},
    "cli": {"library"},
}
"""Rooms on floors below from which a room imports nothing all the same."""
LIGHT = (
    *("errors", "crypto.hashing", "crypto.keys", "crypto.sshsig", "crypto.sealing"),
    *("notes.kinds", "notes.finding"),
)


def modules() -> dict[str, Path]:
    """All modules of the package, each with its file."""
    found = {}
    for path in sorted(ROOT.rglob("*.py")):
        parts = path.relative_to(ROOT.parent).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


@cache
def imports(for_types: bool = False) -> dict[str, set[str]]:
    """Modules of ours that each module imports when it runs: on top, and inside functions.

    Those that it imports only `for_types` count too, if that is asked for.
    """
    known = modules()
    return {name: set(_imported(path, known, for_types)) - {name} for name, path in known.items()}


def _imported(path: Path, known: dict[str, Path], for_types: bool) -> Iterator[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    tree.body = [node for node in tree.body if for_types or not _is_for_types(node)]
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("referee"):
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                yield inner if inner in known else str(node.module)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)


def _is_for_types(node: ast.stmt) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"


def room(module: str) -> str:
    return module.split(".")[1] if "." in module else ""


ROOMS = sorted({room(name) for name in modules()} - {""})


def test_every_room_has_its_floor() -> None:
    assert sorted(name for floor in FLOORS for name in floor) == ROOMS


@pytest.mark.parametrize("name", ROOMS)
def test_arrows_point_down(name: str) -> None:
    below = {name}
    for floor in FLOORS:
        if name in floor:
            break
        below.update(floor)
    below -= BANNED.get(name, set())
    used = {module: wants for module, wants in imports().items() if room(module) == name}
    assert used
    for module, wants in used.items():
        assert {room(want) for want in wants} - {""} <= below, module


def test_nothing_goes_in_circles() -> None:
    # Raises CycleError, which names the circle.
    TopologicalSorter(imports(for_types=True)).prepare()


def test_games_are_in_no_circle_of_types_either() -> None:
    wanted = imports(for_types=True)
    TopologicalSorter({name: wanted[name] for name in wanted if room(name) == "games"}).prepare()


def test_rules_modules_know_nothing_of_each_other() -> None:
    games = {path.name for path in (ROOT / "games").iterdir() if (path / "__init__.py").exists()}
    for module, wants in imports().items():
        own = set(module.split(".")[2:3]) & games
        others = {want.split(".")[2] for want in wants if want.startswith("referee.games.")}
        assert (others & games) <= own, module


@pytest.mark.parametrize("module", LIGHT)
def test_nothing_slow_is_imported(module: str) -> None:
    script = (
        "import sys, re, typing, datetime, hashlib, hmac, binascii, referee.games.interface\n"
        "before = set(sys.modules)\n"
        f"import referee.{module}\n"
        "print(*(set(sys.modules) - before))"
    )
    loaded = subprocess.run(
        [sys.executable, "-I", "-c", f"import sys; sys.path.insert(0, '.')\n{script}"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    assert f"referee.{module}" in loaded
    # Not cryptography, pyrage, email, json or unicodedata, nor anything else.
    assert [name for name in loaded if name.split(".")[0] != "referee"] == []
