"""The app as a folder of files for any static host, the same byte for byte each time."""

from __future__ import annotations

import ast
import errno
import hashlib
import io
import json
import os
import posixpath
import re
import shutil
import subprocess
import tomllib
import zipfile
from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path

from referee.games.texts import FALLBACK
from referee.phone import icon, parts
from referee.phone.refusal import FOLDER as REFUSALS
from referee.records import NamedTuple
from referee.render.page.markup import element, joined
from referee.render.page.write import frame_policy
from referee.storage import (
    NotRead,
    NotWritten,
    not_written,
    recover_folder,
    replace,
    replace_folder,
    scratch,
    sweep_folder,
)

HERE = Path(__file__).parent
PACKAGE = HERE.parent
SITE = HERE / "site"
COMPILE = HERE / "compile.mjs"
START = "referee.phone.browser"
"""The module from which all is imported that the app needs of this program."""
PARTS = ("rules", "words")
"""Modules of each game that are imported by name, and by the app."""
ABSENT = "referee.git"
"""Is imported late, for tables in a clone, which no browser has."""
DATA = (".toml", ".json", ".js", ".css", ".html", ".svg", ".bin")
"""Endings of the files that are read beside modules."""
SCHEMAS = PACKAGE / "schemas"
"""Lie in the package where it was installed, and beside it in a checkout; the app reads none."""
NOBLE = ("@noble/curves", "@noble/hashes", "@noble/ciphers")
PYODIDE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")
MARK = "files.json"
LIBRARY = "python_stdlib"
IMPORT = re.compile(r'(\bfrom\s+|\bimport\s+|\bimport\()(["\'])([^"\']+)\2')
LONG_AGO = (1980, 1, 1, 0, 0, 0)


class Built(NamedTuple):
    """A build: its version, the SHA-256 of each file in hex, by path, and the size of all."""

    version: str
    hashes: dict[str, str]
    size: int


def build(target: Path) -> Built:
    """Build the app into a folder that is new, empty, or one of an earlier build.

    Raises NotRead for parts that are missing, NotWritten.
    """
    place = Path(os.path.realpath(target))
    recover_folder(place)
    _check_target(target)
    with scratch() as work:
        try:
            files = _made(work)
        except OSError as error:
            raise not_written(work, error) from None
    replace_folder(place, files)
    hashes = {name: hashlib.sha256(data).hexdigest() for name, data in files.items()}
    version = json.loads(files[MARK])["version"]
    return Built(version, hashes, sum(map(len, files.values())))


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def _check_target(target: Path) -> None:
    if target.exists() and not target.is_dir():
        raise NotWritten(f"{target} is a file", "name a folder")
    if target.exists() and any(target.iterdir()) and not (target / MARK).is_file():
        raise NotWritten(
            f"{target} holds other files, and was not changed", "name a new or an empty folder"
        )


def _made(work: Path) -> dict[str, bytes]:
    """Return all files of the app, by path. Raises OSError where they cannot be put together."""
    made = work / "site"
    made.mkdir()
    pyodide = parts.unpacked("pyodide", work)
    for name in PYODIDE:
        shutil.copyfile(pyodide / name, made / name)
    info = json.loads((pyodide / "pyodide-lock.json").read_text("utf-8"))["info"]
    _write(made / "python.json", _json({"info": info, "packages": {}}))
    sources = {LIBRARY: _library_sources(pyodide, work), "referee": _our_sources(work)}
    for name, archive in _compiled(pyodide, sources, work).items():
        (made / f"{name}.zip").write_bytes(archive)
    _copy_scripts(made, work)
    languages = []
    for path in sorted((HERE / "lang").glob("*.toml"), key=_fallback_first):
        said = tomllib.loads(path.read_text("utf-8"))
        _write(made / f"{path.stem}.json", _json(said))
        languages.append(element("option", {"value": path.stem}, said["language-name"]))
    for size in icon.SIZES:
        (made / f"icon-{size}.png").write_bytes(icon.png(size))
    script, style = frame_policy()
    places = {"FRAME_SCRIPT": script, "FRAME_STYLE": style, "LANGUAGES": joined(languages)}
    for name in ("index.html", "selftest.html"):
        page = (SITE / name).read_text("utf-8")
        for word, text in places.items():
            page = page.replace(word, text)
        _write(made / name, page)
    for name in ("app.css", "manifest.webmanifest", "icon.svg"):
        shutil.copyfile(SITE / name, made / name)
    shutil.copyfile(HERE / "known.json", made / "known.json")
    _write_worker(made)
    return {path.relative_to(made).as_posix(): path.read_bytes() for path in _files(made)}


def _fallback_first(path: Path) -> tuple[bool, str]:
    return path.stem != FALLBACK, path.stem


def _write_worker(made: Path) -> None:
    """Write the service worker last, because it knows the hashes of all other files."""
    files = {
        path.relative_to(made).as_posix(): "sha256-"
        + b64encode(hashlib.sha256(path.read_bytes()).digest()).decode()
        for path in _files(made)
    }
    version = hashlib.sha256(_json(files).encode()).hexdigest()[:16]
    worker = (SITE / "sw.js").read_text("utf-8")
    _write(
        made / "sw.js", worker.replace('"VERSION"', f'"{version}"').replace('"FILES"', _json(files))
    )
    _write(made / MARK, _json({"version": version, "files": files}))


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, indent=0) + "\n"


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="\n")


# Python.


def _library_sources(pyodide: Path, work: Path) -> Path:
    target = work / "library"
    chosen = tomllib.loads((HERE / "library.toml").read_text("utf-8"))
    unused = set(chosen["unused"])
    with zipfile.ZipFile(pyodide / "python_stdlib.zip") as archive:
        for name in archive.namelist():
            parents = [name.removesuffix(".py"), *(str(one) for one in Path(name).parents)]
            if name.endswith(".py") and not unused.intersection(parents):
                archive.extract(name, target)
    for name, other in chosen["moved"].items():
        (target / name).rename(target / other)
    for name, text in chosen["replaced"].items():
        (target / name).parent.mkdir(exist_ok=True)
        _write(target / name, text.lstrip())
    return target


def _our_sources(work: Path) -> Path:
    """Copy the modules that the app can import, and the data beside them."""
    target = work / "ours"
    found = sorted(_needed(START))
    for module in found:
        path = _path_of(module)
        assert path is not None
        _copy(path, target)
    for folder in sorted({_path_of(module).parent for module in found}):  # type: ignore[union-attr]
        for path in sorted(folder.rglob("*")):
            if SCHEMAS in path.parents or (HERE in path.parents and path.parent != REFUSALS):
                continue
            if path.suffix in DATA:
                _copy(path, target)
    return target


def _copy(path: Path, target: Path) -> None:
    place = target / path.relative_to(PACKAGE.parent)
    place.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(path, place)


def _path_of(module: str) -> Path | None:
    path = PACKAGE.parent.joinpath(*module.split("."))
    for one in (path.with_suffix(".py"), path / "__init__.py"):
        if one.is_file():
            return one
    return None


def _needed(start: str) -> set[str]:
    """Return a module, the games, and all of ours that they import at once or later."""
    games = [path.parent.name for path in (PACKAGE / "games").glob("*/rules.py")]
    found: set[str] = set()
    queue = [start, *(f"referee.games.{game}.{part}" for game in games for part in PARTS)]
    while queue:
        module = queue.pop()
        if module in found or module.startswith(ABSENT) or _path_of(module) is None:
            continue
        found.add(module)
        # A module's packages are imported before it.
        queue.append(module.rpartition(".")[0])
        queue.extend(_imported(module))
    return found


# The library for programs is no part of the app, and imports what only a referee needs.
def _imported(module: str) -> Iterator[str]:
    path = _path_of(module)
    assert path is not None
    if module == "referee":
        return
    tree = ast.parse(path.read_text("utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            node.body = []
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("referee"):
            yield str(node.module)
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.startswith("referee"))


def _compiled(pyodide: Path, sources: dict[str, Path], work: Path) -> dict[str, bytes]:
    """Compile folders of sources, and return an archive of each.

    What was compiled before is taken as it was; for all others Python is started once.
    """
    begins = {name: f"{name}-{_key(folder)}-" for name, folder in sources.items()}
    found = {name: data for name, begin in begins.items() if (data := _kept(begin)) is not None}
    missing = {name: folder for name, folder in sources.items() if name not in found}
    words = []
    for name, folder in missing.items():
        compiled = work / f"{name}-compiled"
        for path in _files(folder):
            place = compiled / path.relative_to(folder)
            place.parent.mkdir(parents=True, exist_ok=True)
            if path.suffix != ".py":
                shutil.copyfile(path, place)
        # Nobody reads the docstrings of the library there; our own code stays as it is.
        words += [str(folder), str(compiled), "2" if name == LIBRARY else "0"]
    if missing:
        _run_node([str(COMPILE), str(pyodide), *words])
        sweep_folder(parts.place())
    for name in missing:
        found[name] = _archive(work / f"{name}-compiled")
        for old in parts.place().glob(f"{name}-*.zip"):
            old.unlink(missing_ok=True)
        replace(parts.place() / f"{begins[name]}{_digest(found[name])}.zip", found[name])
    return found


def _kept(begin: str) -> bytes | None:
    """Return an archive that was compiled before, if it is there as it was."""
    for path in parts.place().glob(f"{begin}*.zip"):
        data = path.read_bytes()
        if path.name == f"{begin}{_digest(data)}.zip":
            return data
    return None


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:32]


def _key(folder: Path) -> str:
    """Return what tells sources, and how they are compiled, from all others."""
    known = hashlib.sha256(parts.parts()["pyodide"].integrity.encode() + COMPILE.read_bytes())
    for path in _files(folder):
        data = path.read_bytes()
        known.update(f"{path.relative_to(folder).as_posix()} {len(data)}\n".encode() + data)
    return known.hexdigest()[:32]


def _run_node(arguments: list[str]) -> None:
    node = shutil.which("node")
    if node is None:
        raise NotRead("there is no node on this machine, which compiles the app", "install nodejs")
    said = subprocess.run(  # noqa: S603
        [node, *arguments], check=False, capture_output=True, text=True
    )
    if "ENOSPC" in said.stderr:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    if said.returncode:
        last = (said.stderr.strip().splitlines() or ["it said nothing"])[-1]
        raise NotRead(f"node cannot compile the app: {last[:300]}")


def _archive(folder: Path) -> bytes:
    """Return an archive without compression: that is for the host, and differs between machines."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as archive:
        for path in _files(folder):
            name = path.relative_to(folder).as_posix()
            archive.writestr(zipfile.ZipInfo(name, LONG_AGO), path.read_bytes())
    return target.getvalue()


# JavaScript.


def _copy_scripts(made: Path, work: Path) -> None:
    """Copy our scripts, and of the libraries just the modules that they import."""
    folders = {name: parts.unpacked(name, work) for name in NOBLE}
    queue = [(path, Path(path.name)) for path in sorted(SITE.glob("*.js")) if path.name != "sw.js"]
    done: set[Path] = set()
    while queue:
        source, place = queue.pop()
        if place in done:
            continue
        done.add(place)
        text = source.read_text("utf-8")

        def replaced(match: re.Match[str], source: Path = source, place: Path = place) -> str:
            named = match[3]
            for name, folder in folders.items():
                if named.startswith(f"{name}/"):
                    inner = Path(named.removeprefix(f"{name}/"))
                    other = Path("lib", name.removeprefix("@noble/"), inner)
                    queue.append((folder / inner, other))
                    return f"{match[1]}{match[2]}{_relative(place, other)}{match[2]}"
            if named.startswith(".") and place.parts[0] == "lib":
                inner = (source.parent / named).resolve()
                queue.append((inner, Path(posixpath.normpath((place.parent / named).as_posix()))))
            return match[0]

        text = IMPORT.sub(replaced, text)
        (made / place).parent.mkdir(parents=True, exist_ok=True)
        _write(made / place, text)


def _relative(place: Path, other: Path) -> str:
    up = "../" * (len(place.parts) - 1)
    return f"{up or './'}{other.as_posix()}"
