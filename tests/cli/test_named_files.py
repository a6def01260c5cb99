"""What becomes of a file that somebody names for the output, when something lies there already."""

from __future__ import annotations

import os
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
