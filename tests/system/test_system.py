"""Steps that operating systems do differently: locks, links, processes, commands."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from threading import Thread

import portalocker
import pytest

from referee import storage, system
from referee.cli.main import main
from referee.storage import NotWritten
from referee.table.source import is_held
from tests.system.test_bare import PLACES, ROOT

HOLDER = """
import os, sys
from referee.storage import locked
with locked(sys.argv[1]):
    print("held", flush=True)
    sys.stdin.read()
    os._exit(0)
"""


@pytest.fixture(params=["fcntl", "portalocker"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """The library that locks: without `fcntl` the other one."""
    if request.param != "fcntl":
        monkeypatch.setitem(sys.modules, "fcntl", None)
    return str(request.param)


def test_a_lock_is_held_by_one(way: str, tmp_path: Path) -> None:
    order = []

    def second() -> None:
        with storage.locked(tmp_path / "lock"):
            order.append("second")

    with storage.locked(tmp_path / "lock"):
        other = Thread(target=second)
        other.start()
        other.join(0.1)
        order.append("first")
    other.join()
    assert order == ["first", "second"]


def test_a_lock_dies_with_its_process(way: str, tmp_path: Path) -> None:
    lock = tmp_path / "lock"
    place = str(ROOT) if way == "fcntl" else PLACES
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(lock)],
        env=os.environ | {"PYTHONPATH": place},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        with lock.open("rb") as file, pytest.raises(portalocker.AlreadyLocked):
            portalocker.lock(file, portalocker.LOCK_EX | portalocker.LOCK_NB)
        holder.kill()
        # What it leaves is a file that nobody holds.
        with storage.locked(lock):
            assert lock.exists()


def test_a_lock_that_gives_up_is_asked_for_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "fcntl", None)
    refusals, real = [1, 2], portalocker.lock

    def lock(handle: int, flags: portalocker.LockFlags) -> None:
        if refusals:
            refusals.pop()
            raise portalocker.AlreadyLocked("ten seconds are over")
        real(handle, flags)

    monkeypatch.setattr(portalocker, "lock", lock)
    with storage.locked(tmp_path / "lock"):
        assert not refusals


@pytest.mark.parametrize("flag", [system.NO_FOLLOW, 0])
def test_no_link_is_followed_where_a_lock_lies(
    flag: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(system, "NO_FOLLOW", flag)
    (tmp_path / "lock").symlink_to("elsewhere")
    with pytest.raises(NotWritten), storage.locked(tmp_path / "lock"):
        pass
    assert not (tmp_path / "elsewhere").exists()


def test_a_file_that_is_open_is_replaced_when_it_is_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(system, "POSIX", False)
    monkeypatch.setattr(system, "PAUSE", 0)
    tries, real = [], os.replace

    def replace(spare: Path, target: Path) -> None:
        tries.append(target)
        if len(tries) < 4:
            raise PermissionError(13, "somebody reads it")
        real(spare, target)

    monkeypatch.setattr(os, "replace", replace)
    storage.replace(tmp_path / "game.toml", "new")
    assert (tmp_path / "game.toml").read_text() == "new"
    tries.clear()
    monkeypatch.setattr(system, "TRIES", 1)
    with pytest.raises(NotWritten):
        storage.replace(tmp_path / "game.toml", "newer")
    assert [one.name for one in tmp_path.iterdir()] == ["game.toml"]


def test_processes() -> None:
    assert system.is_running(os.getpid())
    with subprocess.Popen([sys.executable, "-c", ""]) as gone:
        pass
    assert not system.is_running(gone.pid)
    assert not system.is_running(1 << 70)


@pytest.mark.parametrize(
    ("sep", "text", "words"),
    [
        ("/", "code --wait", ["code", "--wait"]),
        ("/", "'my editor' -n", ["my editor", "-n"]),
        ("/", r"my\ editor", ["my editor"]),
        ("\\", r'"C:\Program Files\Vim\gvim.exe" -f', [r"C:\Program Files\Vim\gvim.exe", "-f"]),
        ("\\", r"C:\bin\edit.exe", [r"C:\bin\edit.exe"]),
        ("\\", "it's # fine", ["it's", "#", "fine"]),
    ],
)
def test_words_of_a_command(
    sep: str, text: str, words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.sep", sep)
    assert system.split_command(text) == words


def test_the_path_of_a_program_may_have_blanks(workplace: Path) -> None:
    Path("my editor").touch()
    assert system.split_command("my editor") == ["my editor"]
    with pytest.raises(ValueError, match="quotation"):
        system.split_command("'my editor")


@pytest.mark.parametrize("name", [r"C:\games\x.toml", "c:/games/x.toml"])
def test_a_path_with_a_drive_is_a_file(
    name: str, workplace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["show", name]) == 2
    assert "git" not in capsys.readouterr().err
    assert not is_held(Path(name))


@pytest.mark.skipif(not system.POSIX, reason="a terminal is made here as POSIX does")
def test_what_was_typed_too_early_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    import pty

    far, near = pty.openpty()
    with os.fdopen(far, "wb", buffering=0) as keys, os.fdopen(near) as terminal:
        monkeypatch.setattr(sys, "stdin", terminal)
        keys.write(b"1\n\nhal")
        system.forget_typed()
        keys.write(b"2\n")
        assert terminal.readline() == "2\n"


def test_what_is_no_terminal_keeps_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "answers").write_text("1\n")
    with (tmp_path / "answers").open() as answers:
        monkeypatch.setattr(sys, "stdin", answers)
        system.forget_typed()
        assert answers.read() == "1\n"
    monkeypatch.setattr(sys, "stdin", None)
    system.forget_typed()
