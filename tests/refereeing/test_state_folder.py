"""The tree of what the referee's machine remembers, and the flat folder of earlier versions."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from referee.cli.main import main
from referee.errors import Damaged
from referee.mail.journal import journal_of
from referee.refereeing import ledger
from referee.refereeing.statefolder import default_folder, memory_of, places_of
from referee.storage import NotWritten, locked
from referee.system import NO_FOLLOW
from tests.cli.world import lay_out
from tests.table.tables import load

GAME = "3f0d03c6a1b2c3d4"


def flat_lock(ending: str = ".ledger") -> Path:
    return default_folder() / f"{GAME}{ending}.lock"


def test_a_new_game_is_remembered_in_the_tree(workplace: Path) -> None:
    path = memory_of(GAME, ".ledger")
    assert path == default_folder() / "games" / "3f" / "0d" / f"{GAME}.ledger"
    assert path.parent.is_dir()
    assert memory_of(GAME, ".ledger") == path
    assert journal_of(GAME, None).parent == path.parent


def test_what_an_earlier_version_keeps_stays_in_its_place(workplace: Path) -> None:
    for name in (f"{GAME}.ledger", f"{GAME}.ledger.newest.toml", f"{GAME}.ledger.lock"):
        default_folder().mkdir(parents=True, exist_ok=True)
        (default_folder() / name).write_text("")
        assert memory_of(GAME, ".ledger") == default_folder() / f"{GAME}.ledger", name
        (default_folder() / name).unlink()


def test_an_earlier_version_refuses_a_game_of_the_tree(workplace: Path) -> None:
    """It opens its lock without following links, before it reads or writes anything."""
    for ending in (".ledger", ".ledger.mail"):
        memory_of(GAME, ending)
        with pytest.raises(NotWritten), locked(flat_lock(ending)):
            pass
        # Windows cannot be asked for that.
        if NO_FOLLOW:
            with pytest.raises(OSError, match="symbolic links"):
                os.open(flat_lock(ending), os.O_RDWR | os.O_CREAT | NO_FOLLOW, 0o600)


def test_where_no_links_are_made_a_folder_stands_there(
    workplace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(Path, "symlink_to", refuse)
    path = memory_of(GAME, ".ledger")
    assert flat_lock().is_dir()
    assert memory_of(GAME, ".ledger") == path
    assert path.parent.name == "0d"


def test_whoever_comes_first_decides(workplace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An earlier version has made its lock in the moment before ours would be a link."""
    make = Path.symlink_to

    def late(path: Path, target: str) -> None:
        path.write_text("")
        make(path, target)

    monkeypatch.setattr(Path, "symlink_to", late)
    assert memory_of(GAME, ".ledger") == default_folder() / f"{GAME}.ledger"


@pytest.mark.parametrize("is_link", [True, False])
def test_two_memories_of_one_game_are_said_to_be_two(workplace: Path, is_link: bool) -> None:
    tree = memory_of(GAME, ".ledger")
    tree.write_text("")
    (default_folder() / f"{GAME}.ledger").write_text("")
    if not is_link:
        flat_lock().unlink()
    with pytest.raises(Damaged, match="in two places"):
        memory_of(GAME, ".ledger")


def test_a_copy_of_the_folder_in_which_links_became_files_is_known(workplace: Path) -> None:
    """Whoever took the only memory for one of two would lose it."""
    memory_of(GAME, ".ledger").write_text("")
    flat_lock().unlink()
    flat_lock().write_text("")
    with pytest.raises(Damaged, match="is a plain file") as error:
        memory_of(GAME, ".ledger")
    assert "take that file away" in error.value.hint
    flat_lock().unlink()
    assert memory_of(GAME, ".ledger").exists()


def test_a_machine_that_stopped_before_anything_was_kept(workplace: Path) -> None:
    memory_of(GAME, ".ledger").parent.rmdir()
    assert memory_of(GAME, ".ledger").parent.is_dir()


@pytest.mark.parametrize("place", ["flat", "tree"])
def test_an_older_file_is_stale_by_either_memory(workplace: Path, place: str) -> None:
    lay_out(workplace, "dealt")
    file = load(Path("game.toml").read_text())
    if place == "flat":
        shutil.rmtree(default_folder())
        default_folder().mkdir(parents=True)
        (default_folder() / f"{file.game}.ledger.lock").write_text("")
    old = Path("game.toml").read_bytes()
    host = ("--referee-key", "referee.key")
    assert main(["move", "game.toml", "--role", "builder", "--key", "ana.key", "-o", "a.move"]) == 0
    assert main(["apply", "game.toml", "a.move", *host]) == 0
    tree, flat = places_of(file.game, ".ledger")
    assert (flat if place == "flat" else tree).exists()
    assert not (tree if place == "flat" else flat).exists()
    newest = ledger.last_signed(file.game)
    assert newest is not None
    assert newest.step == 2
    Path("game.toml").write_bytes(old)
    assert main(["move", "game.toml", "--role", "trader", "--key", "ana.key", "-o", "c.move"]) == 0
    assert main(["apply", "game.toml", "c.move", *host]) in (10, 11)
    assert load(Path("game.toml").read_text()).head == newest.head
