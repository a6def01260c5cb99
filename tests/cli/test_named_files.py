"""What becomes of a file that somebody names for the output, when something lies there already."""

from __future__ import annotations

import os
import subprocess
import threading
from pathlib import Path

import pytest

from referee.cli.main import main
from tests.cli.world import lay_out

POSITION = next(Path(__file__).parents[2].glob("examples/positions/2014/*.toml"))
WAYS = {
    "move": ("move", "game.toml", "--key", "ana.key", "--pass", "-o"),
    "page": ("page", "game.toml", "--public", "-o"),
    "picture": ("page", "game.toml", "--image"),
    "position": ("try", str(POSITION), "--save"),
}


@pytest.mark.parametrize("way", WAYS)
def test_somebody_s_work_is_left_alone(way: str, workplace: Path) -> None:
    lay_out(workplace, "building")
    Path("mine.svg").write_bytes(Path("ana.key").read_bytes())
    assert main([*WAYS[way], "mine.svg" if way == "picture" else "ana.key"]) == 1
    assert Path("ana.key").read_bytes() == Path("mine.svg").read_bytes()


@pytest.mark.parametrize("way", WAYS)
def test_what_is_ours_is_replaced_and_a_pipe_stays_one(way: str, workplace: Path) -> None:
    lay_out(workplace, "building")
    ending = ".svg" if way == "picture" else ""
    assert [main([*WAYS[way], f"out{ending}"]) for _ in range(2)] == [0, 0]
    os.mkfifo(f"pipe{ending}")
    found: list[bytes] = []
    reader = threading.Thread(target=lambda: found.append(Path(f"pipe{ending}").read_bytes()))
    reader.start()
    assert main([*WAYS[way], f"pipe{ending}"]) == 0
    reader.join()
    assert Path(f"pipe{ending}").is_fifo()
    assert found == [Path(f"out{ending}").read_bytes()]


@pytest.mark.parametrize("way", [*WAYS, "new position", "key"])
@pytest.mark.parametrize("there", ["", "older", "folder"])
def test_nothing_goes_through_a_link_that_was_pushed(way: str, there: str, workplace: Path) -> None:
    """Whether there is something where it leads, or nothing; nor through a folder that is one."""
    lay_out(workplace, "finished" if way == "new position" else "building")
    words = {
        "new position": ("position", "game.toml", "--step", "3", "-o"),
        "key": ("key", "--make"),
    } | WAYS
    away = workplace.parent / "away"
    away.mkdir()
    ending = ".svg" if way == "picture" else ""
    if there == "older" and way in WAYS:
        assert main([*words[way], f"{away}/file{ending}"]) == 0
    before = {path: path.read_bytes() for path in away.iterdir()}
    name = f"link/file{ending}" if there == "folder" else f"link{ending}"
    Path(name.partition("/")[0]).symlink_to(away if there == "folder" else away / f"file{ending}")
    subprocess.run(["git", "init", "--quiet"], check=True)
    subprocess.run(["git", "add", name.partition("/")[0]], check=True)
    assert main([*words[way], name]) == 1
    assert {path: path.read_bytes() for path in away.iterdir()} == before
    # One's own link is followed on purpose.
    subprocess.run(["git", "rm", "--quiet", "--cached", name.partition("/")[0]], check=True)
    if way in WAYS:
        assert main([*words[way], name]) == 0
        assert [path.name for path in away.iterdir()] == [f"file{ending}"]
