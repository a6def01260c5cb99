"""A file that somebody names for the output, when something lies there already."""

from __future__ import annotations

import os
import shutil
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from referee.cli.app import app
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
    """Neither where it leads to something nor to nothing; nor through a folder that is one."""
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


CHECKS = ("check_named", "check_changed")


def places(words: str = "", command: Any = None) -> Iterator[tuple[str, str, bool]]:
    """All options and arguments of all commands that name a place, and which ones are checked."""
    command = command or typer.main.get_command(app)
    if hasattr(command, "commands"):
        for name in command.list_commands(None):
            yield from places(f"{words} {name}".strip(), command.get_command(None, name))
        return
    for param in command.params:
        if param.type.name == "path" or param.name == "output":
            name = max(param.opts, key=len) if param.param_type_name == "option" else param.metavar
            yield words, name, getattr(param.callback, "__name__", "") in CHECKS


READ = {
    *(
        "--aliases",
        "[FILE]",
        "[NOTE]...",
        "OTHER",
        "POSITION",
        "--addresses",
        "--allowed-signers",
        "--deck",
    ),
    *("--identity", "--key", "--like", "--mbox", "--referee-key"),
}
# At most a note or a page is written beside it, or `--key` with `--make`: see below and above.
BESIDE = {
    *("join", "show", "page", "move", "play", "log", "score", "verify", "compare", "due"),
    *("vacation", "transfer", "audit", "position", "plan", "bot", "leave", "vote", "review"),
}
# Git names the files of a merge; a check asks git for objects alone, and a list writes nothing.
READ_TOO = {
    *(("git merge", "OURS"), ("git merge", "THEIRS"), ("git verify", "[DIR]"), ("games", "DIR")),
    *(("results", "DIR"), ("phone serve", "DIR")),
    # Each game that is written is checked where it lies.
    *(("due", "--games"), ("audit", "--games"), ("expire", "--games")),
}
CHECKED = sorted({(command, name) for command, name, checked in places() if checked})
BY_MAIL = sorted(
    (command, name)
    for command, name, checked in places()
    if command.startswith("mail ") and not checked and name not in READ
)


def test_every_place_is_known_as_one_to_read_or_to_write() -> None:
    """Whoever adds an option that names a file says which it is."""
    for command, name, checked in places():
        read = name in READ or (name == "GAME" and command in BESIDE) or (command, name) in READ_TOO
        assert checked != (read or (command, name) in BY_MAIL), (command, name)


@pytest.fixture
def away(workplace: Path) -> Path:
    """A folder outside of a clone, with a game file, to which a link in the clone leads."""
    lay_out(workplace, "building")
    away = workplace.parent / "away"
    away.mkdir()
    shutil.copy("game.toml", away)
    Path("link").symlink_to(away)
    subprocess.run(["git", "init", "--quiet"], check=True)
    subprocess.run(["git", "add", "link"], check=True)
    return away


def contents(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def check_refused(words: list[str], away: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = contents(away)
    assert main(words) in (1, 75)
    assert "link is a link that was pushed" in capsys.readouterr().err
    assert contents(away) == before


@pytest.mark.parametrize(("command", "name"), CHECKED)
def test_no_command_writes_where_a_pushed_link_leads(
    command: str, name: str, away: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    check_refused([*command.split(), *[name] * name.startswith("-"), "link/x"], away, capsys)


@pytest.mark.parametrize(("command", "name"), BY_MAIL)
def test_no_mail_command_does(
    command: str, name: str, away: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`mail in` asks the mail server to keep the message."""
    key = ["--referee-key", "referee.key"] if command == "mail in" else []
    game = [] if name in ("[GAME]", "--games") else ["game.toml"]
    place = [*[name] * name.startswith("-"), "link"]
    check_refused([*command.split(), *game, *key, *place], away, capsys)


@pytest.mark.parametrize(
    "words",
    [
        ("move", "link/game.toml", "--key", "ana.key", "--pass"),
        ("page", "link/game.toml", "--public"),
    ],
    ids=lambda words: words[0],
)
def test_nothing_is_written_beside_a_game_where_a_pushed_link_leads(
    words: tuple[str, ...], away: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    check_refused(list(words), away, capsys)
