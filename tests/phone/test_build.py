"""The build: the same each time, nothing of anybody else's, and no larger than a phone can bear."""

from __future__ import annotations

import base64
import errno
import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import tarfile
import zipfile
import zlib
from pathlib import Path

import pytest

import referee
from referee.cli.main import main
from referee.phone import build as build_module
from referee.phone import icon, parts
from referee.phone.build import build
from referee.phone.parts import Part
from referee.storage import NotRead, NotWritten
from tests.cli.documents import check_document

MOST_SENT = 6_000_000
"""Bytes of all files, each compressed with brotli, as hosts do it in passing."""
MOST = {
    "pyodide.asm.wasm": 9_700_000,
    "python_stdlib.zip": 5_200_000,
    "referee.zip": 3_000_000,
    "app.js": 30_000,
}
SIZE = """
import { brotliCompressSync, constants } from "node:zlib";
import { readFileSync } from "node:fs";
const params = { [constants.BROTLI_PARAM_QUALITY]: 6 };
const size = (name) => brotliCompressSync(readFileSync(name), { params }).length;
console.log(process.argv.slice(2).reduce((sum, name) => sum + size(name), 0));
"""

START = """
import { readFileSync } from "node:fs";
const [pyodide, site] = process.argv.slice(2);
const { loadPyodide } = await import(`${pyodide}/pyodide.mjs`);
const python = await loadPyodide({ indexURL: `${pyodide}/`, stdLibURL: `${site}/python_stdlib.zip`,
  lockFileContents: readFileSync(`${site}/python.json`, "utf8"), packageBaseUrl: "/" });
console.log(python.runPython(`
import json, sys
modules = sorted(sys.modules)
import inspect, traceback
lines = [str(inspect.signature(lambda a, *, b=1: 0))]
try:
    raise ValueError("x")
except ValueError as error:
    lines.append(traceback.format_exception(error)[-1])
json.dumps([modules, lines])
`));
"""
COSTLY = {"ast", "asyncio.events", "concurrent.futures", "dis", "shutil", "tokenize", "zipfile"}
"""Modules of the library that would cost the app a tenth of a second and more at its start."""


def files_in(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_the_same_files_come_out_each_time(
    site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Into a cache of its own, so that all is compiled anew.
    for part in parts.parts().values():
        (tmp_path / "parts").mkdir(exist_ok=True)
        shutil.copyfile(parts.place() / part.file, tmp_path / "parts" / part.file)
    monkeypatch.setenv(parts.PLACE, str(tmp_path / "parts"))
    build(tmp_path / "again")
    assert files_in(tmp_path / "again") == files_in(site)


def test_files_are_known_by_their_hashes(site: Path) -> None:
    listed = json.loads((site / "files.json").read_text())
    found = files_in(site)
    assert set(found) == {*listed["files"], "files.json", "sw.js"}
    for name, said in listed["files"].items():
        digest = base64.b64encode(hashlib.sha256(found[name]).digest()).decode()
        assert said == f"sha256-{digest}", name
        assert said in (site / "sw.js").read_text()
    assert listed["version"] in (site / "sw.js").read_text()


def test_it_is_small_enough(site: Path, tmp_path: Path) -> None:
    for name, most in MOST.items():
        assert (site / name).stat().st_size <= most, name
    (tmp_path / "size.mjs").write_text(SIZE)
    node = shutil.which("node")
    assert node is not None
    names = [str(path) for path in site.rglob("*") if path.is_file()]
    said = subprocess.run(
        [node, str(tmp_path / "size.mjs"), *names], capture_output=True, text=True, check=True
    )
    assert int(said.stdout) <= MOST_SENT


def test_what_modules_read_is_beside_them(site: Path) -> None:
    with zipfile.ZipFile(site / "referee.zip") as archive:
        names = set(archive.namelist())
    root = Path(referee.__file__).parent
    for path in (root / "games").rglob("*"):
        if path.is_file() and path.suffix not in (".py", ".pyc", ".so", ".c"):
            assert path.relative_to(root.parent).as_posix() in names, path


def test_rooms_that_no_browser_uses_are_left_out(site: Path) -> None:
    with zipfile.ZipFile(site / "referee.zip") as archive:
        rooms = {name.split("/")[1] for name in archive.namelist()}
    assert not rooms & {"cli", "git", "mail"}


def test_python_starts_with_few_modules(site: Path, tmp_path: Path) -> None:
    """And with those of its library that cost much only once they are wanted."""
    pyodide = parts.unpacked("pyodide", tmp_path)
    (tmp_path / "start.mjs").write_text(START)
    node = shutil.which("node")
    assert node is not None
    words = [node, str(tmp_path / "start.mjs"), str(pyodide), str(site)]
    said = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    modules, later = json.loads(said)
    assert len(modules) < 100
    assert not COSTLY & set(modules)
    assert later == ["(a, *, b=1)", "ValueError: x\n"]


def test_scripts_import_only_what_is_there(site: Path) -> None:
    for path in site.rglob("*.js"):
        for named in re.findall(
            r"^(?:import|export) .*?from [\"']([^\"']+)", path.read_text(), re.M
        ):
            assert named.startswith("."), (path, named)
            assert (path.parent / named).is_file(), (path, named)


def test_no_version_of_zlib_changes_the_icon(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zlib, "compress", None)
    for size in icon.SIZES:
        picture = icon.png(size)
        assert picture == (site / f"icon-{size}.png").read_bytes()
        begin = picture.index(b"IDAT")
        length = int.from_bytes(picture[begin - 4 : begin])
        data = picture[begin + 4 : begin + 4 + length]
        assert len(zlib.decompress(data)) == size * (size // 4 + 1)


def test_nothing_of_a_referee_s_machine_is_in_it(site: Path) -> None:
    for name, data in files_in(site).items():
        assert str(Path.home()).encode() not in data or str(Path.home()) == "/root", name
        assert str(Path(__file__).parents[2]).encode() not in data, name


def test_a_folder_with_other_files_stays_as_it_is(site: Path, tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("mine")
    with pytest.raises(NotWritten, match="holds other files"):
        build(tmp_path)
    assert (tmp_path / "letter.txt").read_text() == "mine"
    assert main(["phone", "build", str(tmp_path / "letter.txt")]) == 1


def test_missing_and_changed_parts_are_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(parts.PLACE, str(tmp_path))
    assert {part.name for part in parts.missing()} == set(parts.parts())
    with pytest.raises(NotRead, match="is not in"):
        build(tmp_path / "site")
    part = next(iter(parts.parts().values()))
    (tmp_path / part.file).write_bytes(b"something else")
    assert part in parts.missing()
    assert main(["phone", "build", str(tmp_path / "site")]) == 2
    assert "phone fetch" in capsys.readouterr().err


def test_documents_are_what_their_schemas_say(
    site: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for words in (["phone", "fetch"], ["phone", "build", str(tmp_path / "site")]):
        assert main([*words, "--json"]) == 0
        check_document(words, capsys.readouterr().out)


def test_npm_is_not_believed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An archive with another hash is not kept."""
    tools = tmp_path / "tools"
    tools.mkdir()
    npm = tools / "npm"
    npm.write_text('#!/bin/sh\nfor one; do last=$one; done\necho false >"$last/x-1.tgz"\n')
    npm.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tools}:/usr/bin:/bin")
    monkeypatch.setenv(parts.PLACE, str(tmp_path / "parts"))
    monkeypatch.setattr(parts, "parts", lambda: {"x": Part("x", "1", "sha512-AAAA")})
    with pytest.raises(NotRead, match="its hash is another"):
        parts.fetch()
    assert not (tmp_path / "parts").exists()


def packed(folder: Path, *members: tarfile.TarInfo) -> Part:
    """A part that holds these members, each of them the one byte `x` where it is a file."""
    packing = io.BytesIO()
    with tarfile.open(fileobj=packing, mode="w:gz") as archive:
        for member in members:
            member.size = int(member.isfile())
            archive.addfile(member, io.BytesIO(b"x"))
    hashed = base64.b64encode(hashlib.sha512(packing.getvalue()).digest()).decode()
    part = Part("x", "1", f"sha512-{hashed}")
    (folder / part.file).write_bytes(packing.getvalue())
    return part


def linked(name: str, target: str) -> tarfile.TarInfo:
    member = tarfile.TarInfo(name)
    member.type, member.linkname = tarfile.SYMTYPE, target
    return member


@pytest.mark.parametrize(
    "member",
    [
        tarfile.TarInfo("package/../../../beside"),
        tarfile.TarInfo("/tmp/beside"),
        linked("package/way", "/"),
    ],
    ids=lambda member: member.name,
)
def test_a_part_is_unpacked_in_its_folder_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, member: tarfile.TarInfo
) -> None:
    monkeypatch.setenv(parts.PLACE, str(tmp_path))
    good = packed(tmp_path, tarfile.TarInfo("package/deep/file"))
    monkeypatch.setattr(parts, "parts", lambda: {"x": good})
    found = parts.unpacked("x", tmp_path / "good")
    assert files_in(found) == {"deep/file": b"x"}
    bad = packed(tmp_path, member)
    monkeypatch.setattr(parts, "parts", lambda: {"x": bad})
    with pytest.raises(NotRead, match="no file of a package"):
        parts.unpacked("x", tmp_path / "bad")
    assert not files_in(tmp_path / "bad")


def test_only_a_build_is_served(tmp_path: Path) -> None:
    assert main(["phone", "serve", str(tmp_path)]) == 2


def test_an_archive_that_was_cut_off_is_made_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a full disk or a kill has left in the cache never comes into the app."""
    cache, sources = tmp_path / "cache", tmp_path / "sources"
    for folder in (cache, sources):
        folder.mkdir()
    (sources / "game.toml").write_text("of the game\n" * 100)
    monkeypatch.setenv(parts.PLACE, str(cache))
    started: list[list[str]] = []
    monkeypatch.setattr(build_module, "_run_node", started.append)

    def compiled(work: str) -> bytes:
        return build_module._compiled(tmp_path, {"referee": sources}, tmp_path / work)["referee"]

    whole = compiled("first")
    assert compiled("second") == whole
    assert len(started) == 1
    (kept,) = cache.iterdir()
    for torn in (whole[:100], whole[:-1], bytes(len(whole)), b""):
        kept.write_bytes(torn)
        assert compiled(f"after {len(torn)} {torn[:1]!r}") == whole
        assert kept.read_bytes() == whole
    assert len(started) == 5
    assert list(cache.iterdir()) == [kept]


@pytest.mark.parametrize("full", ["_made", "replace_folder"])
def test_a_full_disk_leaves_the_older_build(
    full: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    app = tmp_path / "app"
    app.mkdir()
    (app / "files.json").write_text("older")

    def fails(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    if full == "_made":
        monkeypatch.setattr(build_module, "_made", fails)
    else:
        monkeypatch.setattr(build_module, "_made", lambda _: {"files.json": b'{"version": "1"}'})
        monkeypatch.setattr("referee.storage._write_new", fails)
    assert main(["phone", "build", str(app)]) == 1
    said = capsys.readouterr().err
    assert said.startswith("error: cannot write ")
    assert "hint: make room" in said
    assert files_in(tmp_path) == {"app/files.json": b"older"}


def test_node_without_room_is_no_fault_of_the_app(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    node = tmp_path / "node"
    node.write_text("#!/bin/sh\necho 'Error: ENOSPC: no space left, write' >&2\nexit 1\n")
    node.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    with pytest.raises(OSError, match="No space left"):
        build_module._run_node([])
