"""Files are whole after a run that was killed, found no room, or met another at the same file.

The runs are real processes: forked, so that none pays for starting an interpreter. A fault is put
before, in or after the n-th of the calls with which files are changed, for every n there is.
"""

from __future__ import annotations

import errno
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import IO, Any

import pytest

from referee.cli.main import main
from referee.storage import recover_folder, replace_folder
from referee.table.gamefile import GameFile
from referee.table.plans import plan_behind
from referee.table.signing import load
from tests.cli.hostile import NOTES, Forger
from tests.cli.world import lay_out

Fault = Callable[[str], None]
APPLY = ["apply", "game.toml", "note", "--referee-key", "referee.key"]
CALLS = ("open", "fdopen", "fsync", "replace", "rename", "unlink", "link", "ftruncate", "mkdir")
MOST = 200


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a dealt game and a note for it."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def lay(place: Path, state: str = "dealt", note: str = "good") -> bytes:
    """Put everything into its first state; the game file's bytes."""
    for path in place.rglob("*"):
        if path.is_file():
            path.unlink()
    lay_out(place, state)
    data = (place / "game.toml").read_bytes()
    (place / "note").write_text(NOTES[note](Forger(data.decode())))
    return data


class Interposed:
    """Stands between the program and `os`, and lets a fault happen at the n-th change.

    Changes by other calls than `only` are not counted, if any are named.
    """

    def __init__(self, count: int, fault: Fault, only: Sequence[str]) -> None:
        self.count = count
        self.fault = fault
        self.only = only
        self.real = {name: getattr(os, name) for name in CALLS}
        for name in CALLS:
            setattr(os, name, self._wrapped(name))

    def _wrapped(self, name: str) -> Callable[..., Any]:
        def call(*args: Any, **more: Any) -> Any:
            reading = name == "open" and not args[1] & (os.O_CREAT | os.O_WRONLY | os.O_RDWR)
            self.strike(name, reading)
            result = self.real[name](*args, **more)
            if name == "fdopen":
                return _Torn(result, self)
            # An error says that a call has not done its work, a kill may come after it.
            self.strike(name, reading or self.fault is not kill)
            return result

        return call

    def strike(self, name: str, harmless: bool = False) -> None:
        if not harmless and (not self.only or name in self.only):
            self.count -= 1
            if self.count == 0:
                self.fault(name)


class _Torn:
    """A file that may be cut off in the middle of a write."""

    def __init__(self, file: IO[bytes], around: Interposed) -> None:
        self._file = file
        self._around = around

    def write(self, data: bytes) -> None:
        half = len(data) // 2
        self._file.write(data[:half])
        self._file.flush()
        self._around.strike("write")
        self._file.write(data[half:])

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)

    def __enter__(self) -> _Torn:
        return self

    def __exit__(self, *error: object) -> None:
        self._file.close()


def forked(count: int, fault: Fault, only: Sequence[str] = ()) -> tuple[int, str, bool]:
    """An `apply` in a process of its own, with a fault.

    Its exit code (-9 if it was killed), its errors, and whether the fault was ever met.
    """
    with Path("stderr").open("w+") as errors, Path(os.devnull).open("w") as nowhere:
        child = os.fork()
        if not child:
            sys.stdout, sys.stderr = nowhere, errors
            around = Interposed(count, fault, only)
            code = main(APPLY)
            errors.write("\0" if around.count > 0 else "")
            errors.flush()
            os._exit(code)
        _, status = os.waitpid(child, 0)
        errors.seek(0)
        text = errors.read()
    Path("stderr").unlink()
    return os.waitstatus_to_exitcode(status), text.rstrip("\0"), not text.endswith("\0")


def kill(name: str) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def refuse(number: int) -> Fault:
    """An error of the operating system."""

    def fault(name: str) -> None:
        raise OSError(number, os.strerror(number))

    return fault


def everywhere(
    place: Path, fault: Fault, only: Sequence[str] = ()
) -> Iterator[tuple[int, str, bytes]]:
    """Runs with the fault at the first, second, … change, until one does not meet it."""
    for count in range(1, MOST):
        old = lay(place)
        code, errors, met = forked(count, fault, only)
        if not met:
            assert code == 0
            return
        yield code, errors, old
    raise AssertionError("it never ends")


def game() -> GameFile:
    return load(Path("game.toml"))[0]


def test_killed_anywhere(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kills, restored = 0, 0
    for code, errors, old in everywhere(place, kill):
        assert (code, errors) == (-9, "")
        kills += 1
        data = Path("game.toml").read_bytes()
        assert game().step == (1 if data == old else 2)
        # The same command again brings it to the end, whichever way that is.
        assert main(APPLY) in (0, 10)
        restored += "brought up to date" in capsys.readouterr().err
        assert game().step == 2
        assert main(APPLY) == 10
        assert main(["verify", "game.toml"]) == 0
        assert not list(place.rglob(".*.new"))
    assert kills > 20
    assert restored


def test_killed_anywhere_while_plans_answer(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Ten answers follow from one note: all of them are there, or none, and always the same."""
    heads: set[bytes] = set()
    for count in range(1, MOST):
        lay(place, "planned")
        old = game()
        code, errors, met = forked(count, kill)
        if met:
            assert (code, errors) == (-9, "")
            assert game().step == old.step or game().head in heads or not heads
            assert main(APPLY) in (0, 10)
        file = game()
        heads.add(file.head)
        assert sum(bool(plan_behind(entry)) for entry in file.log) >= 10
        assert main(["verify", "game.toml"]) == 0
        if not met:
            break
    assert count > 20
    assert len(heads) == 1
    capsys.readouterr()


def test_killed_anywhere_while_an_answer_is_changed(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The one before waits, or the new one, and nothing else has changed."""
    kills: set[int] = set()
    for count in range(1, MOST):
        lay(place, "keeping")
        for letter in "ab":
            move = ["move", "game.toml", "--keep", letter, "--key", "ana.key", "-o", "note"]
            assert main([*move, "--number", str(" ab".index(letter))]) == 0
            if letter == "a":
                assert main(APPLY) == 0
        step = game().step
        code, errors, met = forked(count, kill)
        if not met:
            assert code == 0
            break
        assert (code, errors) == (-9, "")
        (left,) = game().pending
        kills.add(left.number)
        assert game().step == step
        assert main(APPLY) in (0, 10)
        assert [(one.decision, one.number) for one in game().pending] == [(left.decision, 2)]
        assert main(APPLY) == 10
        assert main(["verify", "game.toml"]) == 0
        assert game().step == step
    assert kills == {1, 2}
    capsys.readouterr()


@pytest.mark.parametrize(
    ("number", "only"),
    [
        (errno.ENOSPC, ()),
        (errno.EDQUOT, ("write", "fsync", "fdopen")),
        (errno.EIO, ("fsync",)),
        (errno.EROFS, ("open", "mkdir", "unlink", "replace")),
        (errno.EACCES, ("open", "replace")),
    ],
)
def test_no_room(
    place: Path, number: int, only: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    failures, standing = 0, 0
    for code, errors, old in everywhere(place, refuse(number), only):
        if code == 0:
            # It has hit a call without which one can do.
            assert game().step == 2
            continue
        failures += 1
        assert code == 1, errors
        assert errors.startswith("error: cannot write ")
        assert os.strerror(number) in errors
        assert Path("game.toml").read_bytes() == old
        assert not list(place.rglob(".*.new"))
        # Whatever was said of the note is so.
        stands = "what was accepted stands" in errors
        assert stands != bool(re.search("nothing was (changed|applied)", errors))
        standing += stands
        assert main(APPLY) == (10 if stands else 0)
        assert game().step == 2
    assert failures
    assert standing
    capsys.readouterr()


def test_a_really_full_disk(place: Path, capfd: pytest.CaptureFixture[str]) -> None:
    old = lay(place)
    child = os.fork()
    if not child:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (len(old) // 2, resource.RLIM_INFINITY))
        os._exit(main(APPLY))
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 1
    assert Path("game.toml").read_bytes() == old
    assert main(APPLY) in (0, 10)
    assert game().step == 2


def test_two_at_once(place: Path) -> None:
    lay(place, "keeping")
    for name in ("ana", "ben"):
        words = ["move", "game.toml", "--keep", "a", "--key", f"{name}.key", "-o", f"{name}.move"]
        assert main(words) == 0
    names = ["ana.move", "ben.move"] * 3
    runs = [
        subprocess.Popen(
            [sys.executable, "-m", "referee", "apply", "game.toml", name, *APPLY[3:]],
            env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for name in names
    ]
    codes = [run.wait() for run in runs]
    assert sorted(codes) == [0, 0, 10, 10, 10, 10]
    assert game().step == 7
    assert not game().pending
    assert main(["audit", "game.toml", "--referee-key", "referee.key"]) == 0


def in_folder(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_folder_is_the_old_or_the_new_one_after_a_kill(tmp_path: Path) -> None:
    """As that of a build for phones, which whoever comes next finds whole."""
    folder = tmp_path / "app"
    old, new = {"one": b"old", "two": b"old"}, {"one": b"new", "deep/three": b"new"}
    states = set()
    for count in range(1, MOST):
        for left in tmp_path.iterdir():
            shutil.rmtree(left)
        folder.mkdir()
        for name, data in old.items():
            (folder / name).write_bytes(data)
        child = os.fork()
        if not child:
            around = Interposed(count, kill, ())
            replace_folder(folder, new)
            os._exit(0 if around.count > 0 else 1)
        _, status = os.waitpid(child, 0)
        recover_folder(folder)
        assert list(tmp_path.iterdir()) == [folder]
        found = in_folder(folder)
        assert found in ({"one": b"old", "two": b"old"}, {"one": b"new", "three": b"new"})
        states.add(found["one"])
        if not status:
            break
        assert os.waitstatus_to_exitcode(status) == -signal.SIGKILL
    else:
        raise AssertionError("it never ends")
    assert count > 12
    assert states == {b"old", b"new"}
