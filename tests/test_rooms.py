"""The rooms of the house: dependencies point one way, nothing goes in circles, crypto is light."""

from __future__ import annotations

import ast
import re
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
    ("redaction", "records", "system", "hashes"),
    ("toml",),
    ("standings",),
    ("games",),
    ("bots",),
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
    ("library", "manual", "phone"),
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
MOST_PARAMETERS = 7
LIGHT = (
    *("errors", "crypto.hashing", "crypto.keys", "crypto.sshsig", "crypto.sealing"),
    *("notes.kinds", "notes.finding"),
)

LATER = {
    "filter": ("extract", "extractall", "unpack_archive"),
    "strict": ("getaddresses", "parseaddr"),
    "verify_generated_headers": ("EmailPolicy", "Compat32"),
}
"""Arguments that not every Python 3.11 knows, each with the functions that take it."""


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
        "import sys, re, typing, datetime, binascii, referee.games.interface\n"
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


def test_nothing_came_with_a_later_release_of_the_oldest_python() -> None:
    """Some safeguards came to 3.11 in later releases than that of Debian 12, its second."""
    for module, path in modules().items():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                called = ast.unparse(node.func).rpartition(".")[2]
                for word in node.keywords:
                    assert called not in LATER.get(word.arg or "", ()), f"{module}:{node.lineno}"


@pytest.mark.parametrize("name", ["cli", "playing"])
def test_late_imports_stand_at_a_command_s_door_or_give_a_reason(name: str) -> None:
    """A command imports first of all; in other functions a comment above says why it is late."""
    for module, path in modules().items():
        if room(module) != name:
            continue
        lines = path.read_text(encoding="utf-8").splitlines()
        for function, first in _late_imports(path):
            above = lines[first - 2].strip()
            at_the_door = is_command(function) and above.endswith('"""')
            assert at_the_door or above.startswith("#"), f"{module}:{first}"


def _late_imports(path: Path) -> Iterator[tuple[ast.FunctionDef, int]]:
    """Functions that import, each with the first line of each block of its imports."""
    for function in functions(path):
        last = 0
        for node in ast.walk(function):
            if isinstance(node, ast.Import | ast.ImportFrom):
                # An empty line may part our modules from others.
                if node.lineno > last + 2:
                    yield function, node.lineno
                last = node.end_lineno or node.lineno


def functions(path: Path) -> list[ast.FunctionDef]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]


def is_command(function: ast.FunctionDef) -> bool:
    return any(".command(" in ast.unparse(one) for one in function.decorator_list)


@pytest.mark.parametrize("name", ["cli", "playing"])
def test_functions_take_few_parameters(name: str) -> None:
    """A command takes as many as it has options; what travels together in others is grouped."""
    for module, path in modules().items():
        for function in functions(path) if room(module) == name else ():
            args = function.args
            count = len([*args.posonlyargs, *args.args, *args.kwonlyargs])
            assert count <= MOST_PARAMETERS or is_command(function), f"{module}.{function.name}"


def test_typer_finds_the_options_of_commands_as_values() -> None:
    """It would compile and evaluate each text of an annotation four times."""
    for module, path in modules().items():
        if any(is_command(function) for function in functions(path)):
            assert "from __future__ import annotations" not in path.read_text("utf-8"), module


def test_a_player_s_side_prints_nothing() -> None:
    for module, path in modules().items():
        if room(module) == "playing":
            tree = ast.parse(path.read_text(encoding="utf-8"))
            names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
            assert not names & {"print", "input", "sys"}, module
            assert not any(room(want) in ("render", "cli") for want in imports()[module]), module


def test_one_room_writes_to_the_terminal() -> None:
    """All else says it through `terminal`; `main` is there when nothing can be said any more."""
    streams = re.compile(r"\bprint\(|\bsys\.(stdout|stderr)\b")
    writers = {name for name, path in modules().items() if streams.search(path.read_text("utf-8"))}
    assert {name for name in writers if not name.startswith("referee.render.text.")} == {
        "referee.cli.main"
    }
