"""Every key of a file wrong in turn, and every line of its log, signed by its referee: whatever
is said of it, it is no bug of the program."""

from __future__ import annotations

import copy
import functools
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from referee.cli.main import main
from referee.errors import Damaged
from referee.games import GAMES
from referee.games.errors import GameError
from referee.table import chain
from referee.table.filetext import parse
from referee.table.gamefile import GameFile
from referee.table.shape import is_line
from referee.table.signing import checked, signed_text
from tests.games import fullest
from tests.table.tables import REFEREE, Table, key_of, laid_out, load

BUG = 70
RULES = {game: fullest(game) for game in GAMES}
WRONG: tuple[Any, ...] = (999_999_999, "x", [])
MANY = 20


@functools.cache
def text(module: str, until: int) -> str:
    return Table(3, seed="forged", rules=RULES[module]).join_all().rush(until=until).text


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Paths to every key and to the first item of every array."""
    inner = value.items() if isinstance(value, dict) else enumerate(value[:1])
    for key, below in inner:
        yield (*path, key)
        if isinstance(below, dict | list):
            yield from places(below, (*path, key))


def sign(file: GameFile) -> None:
    """Write the file with everything above what was changed made to fit."""
    commitments = [file.hands[name].commitment for name in file.seating if name in file.hands]
    if file.log:
        file.log[-1].root = chain.step_root(
            file.table, file.asked, chain.deal_hash(file), commitments
        )
    file.head = chain.heads(file)[-1]
    Path("game.toml").write_text(signed_text(file, REFEREE))


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("ana", "ben", "carl", "referee"):
        Path(f"{name}.key").write_text(key_of(name).openssh().decode())
        Path(f"{name}.key").chmod(0o600)


@pytest.mark.parametrize("module", RULES)
def test_wrong_keys(module: str, capsys: pytest.CaptureFixture[str]) -> None:
    whole = tomllib.loads(text(module, 25))
    me = whole["asked"][0]["seat"]
    tried = 0
    for path in places({key: whole[key] for key in ("game", "seats", "table", "asked", "log")}):
        for wrong in WRONG:
            body = copy.deepcopy(whole)
            *up, last = path
            functools.reduce(lambda value, key: value[key], up, body)[last] = wrong
            try:
                file, _ = parse(laid_out(body).encode())
            except GameError:
                continue
            sign(file)
            tried += 1
            move = ["move", "game.toml", "--play", "pass", "-o", "-", "--key", f"{me}.key"]
            # Both read the file in the same way.
            for command in (move, ["score", "game.toml"]) if wrong == WRONG[0] else (move,):
                assert main(command) != BUG, (path, wrong, capsys.readouterr().err)
    assert tried > MANY


@pytest.mark.parametrize("module", RULES)
def test_wrong_lines(module: str, capsys: pytest.CaptureFixture[str]) -> None:
    honest = load(text(module, 1000))
    kinds = {
        (words[0], len(words)): words
        for entry in honest.log
        for line in entry.then
        if (words := line.split(" "))[0] != "shuffle"
    }
    assert len(kinds) > 8
    forged = []
    for words in kinds.values():
        forged += [words[:-1], [*words, "x"]]
        forged += [[*words[:at], "x", *words[at + 1 :]] for at in range(len(words))]
    lines = [" ".join(words) for words in forged if is_line(" ".join(words))]
    assert len(lines) > MANY
    file = load(text(module, 25))
    last, before = file.log[-1], file.log[-1].then
    for line in lines:
        last.then = (line, *before)
        sign(file)
        with pytest.raises(Damaged):
            checked(Path("game.toml").read_bytes())
    move = ("move", "--play", "pass", "-o", "-", "--key", "ana.key")
    for command, *more in (("show",), ("log",), ("score",), ("page",), ("verify",), move):
        assert main([command, "game.toml", *more]) == Damaged.exit_code, command
        assert f"step {file.step} " in capsys.readouterr().err
