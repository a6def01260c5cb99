"""Files whose names we make: no link leads them elsewhere, and no mode lets others read or write.

Whoever shares a repository can push a link under the name that the next note will have.
"""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from referee import storage
from referee.cli.main import main
from referee.storage import replace, scratch
from tests.cli.world import lay_out
from tests.mail.office import BOOK

WAYS = {
    "join": ("open", "join game.toml --seat ana --key ana.key"),
    "move": ("building", "move game.toml --pass --key ana.key"),
    "vacation": (
        "timed",
        "vacation game.toml --from 2026-03-05 --until 2026-03-06 --key ana.key "
        "--now 2026-03-02T10:00:00Z",
    ),
    "leave": ("building", "leave game.toml --key ana.key"),
    "vote": ("building", "vote game.toml --key ana.key"),
    "transfer": ("building", "transfer game.toml --seat ana --to ben.pub --key ana.key"),
    "page": ("building", "page game.toml --public"),
    "own page": ("building", "page game.toml --key ana.key"),
}
TARGETS: dict[str, Callable[[Path], object]] = {
    "nothing": lambda path: None,
    "an empty file": lambda path: path.write_text(""),
    "somebody's work": lambda path: path.write_text("precious"),
    "another note": lambda path: path.write_text("sanjuan-ref/1 move\n"),
    "a folder": lambda path: path.mkdir(),
}


def made(folder: Path, words: list[str]) -> Path:
    """The file that a command makes under a name of its own."""
    before = set(folder.iterdir())
    assert main(words) == 0
    (path,) = set(folder.iterdir()) - before
    return path


@pytest.mark.parametrize("way", WAYS)
def test_a_link_in_the_place_of_a_file_is_replaced(way: str, workplace: Path) -> None:
    state, line = WAYS[way]
    lay_out(workplace, state)
    (workplace / "ben.pub").write_text((workplace / "stranger.key.pub").read_text())
    path = made(workplace, line.split(" "))
    data = path.read_bytes()
    elsewhere = workplace.parent / "elsewhere"
    for name, put in TARGETS.items():
        path.unlink()
        target = elsewhere / name
        elsewhere.mkdir(exist_ok=True)
        put(target)
        before = target.read_bytes() if target.is_file() else None
        path.symlink_to(target)
        assert main(line.split(" ")) == 0
        assert not path.is_symlink(), name
        # What travels sealed is another text each time.
        assert len(path.read_bytes()) in range(len(data) - 200, len(data) + 200)
        assert (target.read_bytes() if target.is_file() else None) == before
        assert target.exists() == (name != "nothing")


@pytest.mark.parametrize("way", ["move", "page"])
def test_a_link_that_the_user_names_is_followed(way: str, workplace: Path) -> None:
    lay_out(workplace, WAYS[way][0])
    (workplace / "out").symlink_to("target")
    assert main([*WAYS[way][1].split(" "), "-o", "out"]) == 0
    assert (workplace / "out").is_symlink()
    assert (workplace / "target").stat().st_size > 100


def test_a_folder_in_the_place_of_a_note_is_left(workplace: Path) -> None:
    lay_out(workplace, "building")
    path = made(workplace, WAYS["move"][1].split(" "))
    path.unlink()
    path.mkdir()
    assert main(WAYS["move"][1].split(" ")) == 1
    assert path.is_dir()


@pytest.mark.parametrize("ending", [".ledger", ".ledger.lock", ".ledger.newest.toml"])
def test_no_link_leads_away_from_the_ledger(ending: str, workplace: Path) -> None:
    lay_out(workplace, "building")
    line = ["move", "game.toml", "--pass", "--key", "ana.key", "--referee-key", "referee.key"]
    (path,) = workplace.parent.glob(f"state/*/games/*/*/*{ending}")
    path.unlink()
    target = workplace / "target"
    path.symlink_to(target)
    main(line)
    assert not target.exists()


SECRET = 0o600


def test_modes_are_said_whatever_the_mask_is(workplace: Path) -> None:
    before = os.umask(0)
    try:
        state = workplace.parent / "state"
        for words in (
            "key --make keys/deep/ana.key",
            "key --make keys/deep/ben.key",
            "key --make referee.key",
            "new game.toml --seat ana --seat ben --referee-key referee.key",
            "join game.toml --seat ana --key keys/deep/ana.key --referee-key referee.key",
            "join game.toml --seat ben --key keys/deep/ben.key --referee-key referee.key",
            "page game.toml --key keys/deep/ana.key",
            "position game.toml --referee-key referee.key -o all.toml",
            "position game.toml --referee-key referee.key -o json.toml --json",
        ):
            assert main(words.split(" ")) == 0, words
        Path("addresses.toml").write_text(BOOK)
        assert main(["mail", "out", "game.toml"]) == 0
        assert main(["mail", "out", "game.toml", "--again", "ana", "--to-maildir", "box/in"]) == 0
    finally:
        os.umask(before)
    files = [path for path in state.rglob("*") if path.is_file()]
    assert {path.suffix for path in files} >= {".ledger", ".lock", ".toml", ".mail"}
    files += [Path(name) for name in ("game.html", "all.toml", "json.toml", "referee.key")]
    files += [*Path("keys").rglob("*.key"), *Path("box/in/new").iterdir()]
    for path in files:
        assert stat.S_IMODE(path.stat().st_mode) == SECRET, path
    folders = [state, *(path for path in state.rglob("*") if path.is_dir())]
    for folder in [*folders, Path("keys"), Path("keys/deep"), Path("box/in")]:
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700, folder
    for mail in Path("mails").iterdir():
        assert stat.S_IMODE(mail.stat().st_mode) == 0o644


def test_what_was_open_to_all_is_closed(workplace: Path) -> None:
    lay_out(workplace, "building")
    state = [path for path in (workplace.parent / "state").rglob("*") if path.is_file()]
    for path in state:
        path.chmod(0o666)
    line = ["move", "game.toml", "--pass", "--key", "ana.key", "--referee-key", "referee.key"]
    assert main(line) == 0
    for path in state:
        if path.suffix != ".lock":
            assert stat.S_IMODE(path.stat().st_mode) == SECRET, path


def test_a_shared_file_stays_shared(workplace: Path) -> None:
    before = os.umask(0o022)
    try:
        path = Path("game.toml")
        path.write_text("old")
        path.chmod(0o664)
        replace(path, "new")
    finally:
        os.umask(before)
    assert stat.S_IMODE(path.stat().st_mode) == 0o664


def dead() -> int:
    """The number of a process that has ended."""
    with subprocess.Popen([sys.executable, "-c", ""]) as done:
        pass
    return done.pid


def killed(act: Callable[[], object], monkeypatch: pytest.MonkeyPatch, call: str) -> None:
    """Do something in a process that is killed at a call of the operating system."""
    child = os.fork()
    if not child:
        setattr(os, call, lambda *args, **more: os.kill(os.getpid(), signal.SIGKILL))
        act()
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL


LINES = {
    "note": ("building", "move game.toml --pass --key ana.key"),
    "named note": ("building", "move game.toml --pass --key ana.key -o out.move"),
    "page": ("building", "page game.toml --key ana.key"),
    "new": ("nothing", "new new.toml --seat ana --seat ben --referee-key referee.key"),
    "mail": ("building", "mail out game.toml"),
    "position": ("finished", "position game.toml -o position.toml"),
}


@pytest.mark.parametrize("name", LINES)
def test_what_a_killed_run_left_is_removed_by_the_next(
    name: str, workplace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    state, line = LINES[name]
    lay_out(workplace, state)
    Path("addresses.toml").write_text(BOOK)
    killed(lambda: main(line.split(" ")), monkeypatch, "fsync")
    assert [*workplace.parent.rglob(".*.new")]
    assert main(line.split(" ")) == 0
    # The memory of a table that never came about has a folder of its own.
    folder = workplace if name == "new" else workplace.parent
    assert not [*folder.rglob(".*.new")]


def test_folders_of_killed_runs_are_removed_and_no_others(
    workplace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(workplace))

    def hold() -> None:
        with scratch() as folder:
            (folder / "game.toml").write_text("x")
            os.fsync(0)

    killed(hold, monkeypatch, "fsync")
    assert [*workplace.rglob("game.toml")]
    others = [f"sanjuan-ref-{os.getppid()}-abc", "sanjuan-ref-x-abc", "sanjuan-ref-1-abc"]
    for other in others:
        (workplace / other).mkdir()
    (workplace / f"sanjuan-ref-{dead()}-link").symlink_to(workplace / others[0])
    with scratch() as folder:
        assert folder.parent == workplace
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    left = sorted(path.name for path in workplace.iterdir())
    assert [name for name in left if not name.endswith("-link")] == sorted(others)


def test_what_a_process_is_writing_now_stays(workplace: Path) -> None:
    busy = workplace / f".note.{os.getppid()}.new"
    busy.write_text("half")
    (workplace / f".note.{dead()}.new").write_text("left")
    replace(workplace / "note", "whole")
    storage.sweep(workplace / "note")
    assert sorted(path.name for path in workplace.iterdir()) == [busy.name, "note"]
