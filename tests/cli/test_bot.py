"""`bot`: a program answers what a player is asked, from that player's view alone."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

import pytest

from referee.cli.main import main
from referee.playing.botanswer import Answerer, answer
from referee.playing.reader import KeyOptions, player_of
from referee.playing.turn import Turn
from referee.table.signing import load
from tests.cli.world import lay_out, text_of
from tests.git.club import Club, seated
from tests.mail.office import letter, run

BOT = ("bot", "game.toml", "--key", "ana.key")
SPIES = """
import json, os, sys
for line in sys.stdin:
    open(os.environ["SPY"], "a").write(line)
    question = json.loads(line)
    print(json.dumps({"id": question["id"], "play": question["suggested"]}), flush=True)
"""


def turn(seat: str = "ana") -> Turn:
    file, _ = load(Path("game.toml"))
    return Turn(file, player_of(file, KeyOptions(Path(f"{seat}.key"))))


@pytest.fixture
def building(workplace: Path) -> Path:
    lay_out(workplace, "building")
    return workplace


def engine(script: str) -> str:
    return shlex.join([sys.executable, "-c", script])


def test_it_signs_what_the_bot_plays_and_does_so_once(building: Path) -> None:
    play = turn().view.suggest()
    done = run(*BOT)
    assert done.code == 0
    (note,) = building.glob("*.move")
    before = note.read_bytes()
    assert f"\nplay {play}\n".encode() in before
    done = run(*BOT)
    assert done.code == 1
    assert "your answer is on its way" in done.err
    assert note.read_bytes() == before
    assert run("apply", "game.toml", str(note), "--referee-key", "referee.key").code == 0
    assert run(*BOT).code == 1


def test_it_is_a_filter_of_emails(building: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("mail").write_bytes(letter("dora@example.org", Path("game.toml").read_text()))
    done = run("bot", "mail", "--key", "ana.key", "--level", "easy", "-o", "-")
    assert done.code == 0
    assert done.out.startswith("sanjuan-ref/1 move\n")
    done = run("bot", "mail", "--key", "ben.key", "-o", "-")
    assert (done.code, done.out) == (1, "")


def test_an_engine_is_told_the_view_of_its_seat(
    building: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spied = building / "spied"
    monkeypatch.setenv("SPY", str(spied))
    assert run(*BOT, "--engine", engine(SPIES), "-o", "one.move").code == 0
    told = json.loads(spied.read_text())
    mine = turn()
    assert told["decision"]["id"] == mine.decision
    assert [card["card"] for card in told["hand"]] == [card.name for card in mine.view.hand]
    assert told["table"] == mine.file.table
    # The same question has the same seed, and another question another.
    Path("one.move").unlink()
    assert run(*BOT, "--engine", engine(SPIES), "-o", "two.move").code == 0
    assert spied.read_text().splitlines()[0] == spied.read_text().splitlines()[1]
    Path("game.toml").write_text(text_of("dealt"))
    assert run(*BOT, "--engine", engine(SPIES), "-o", "three.move").code == 0
    seeds = {json.loads(line)["seed"] for line in spied.read_text().splitlines()}
    assert len(seeds) == 2


@pytest.mark.parametrize(
    ("script", "says"),
    [
        ("raise SystemExit(3)", "ended with 3"),
        ("print('build everything')", "is not JSON"),
        ("""print('{"id":1,"play":"build library"}')""", "library"),
    ],
)
def test_an_engine_that_fails_signs_nothing(script: str, says: str, building: Path) -> None:
    before = sorted(building.iterdir())
    done = run(*BOT, "--engine", engine(script))
    assert done.code == 19
    assert says in done.err
    assert sorted(building.iterdir()) == before


def test_where_the_referee_is_here_it_goes_on_to_the_end(workplace: Path) -> None:
    assert main(["practice", "--name", "ana", "--option", "round_limit=3", "--seed", "1"]) == 0
    keys = ("--referee-key", "practice/keys/referee", "--ledger", "practice/referee.ledger")
    done = run("bot", "practice/game.toml", "--key", "practice/keys/ana", *keys)
    assert done.code == 0
    assert load(Path("practice/game.toml"))[0].status == "finished"
    assert run("audit", "practice/game.toml").code == 0


def test_a_dry_run_writes_nothing(building: Path) -> None:
    before = sorted(building.iterdir())
    assert run(*BOT, "--dry-run").code == 0
    assert sorted(building.iterdir()) == before


def test_every_level_answers_the_same_each_time(building: Path) -> None:
    for level in ("easy", "medium"):
        assert answer(turn(), Answerer(level)) == answer(turn(), Answerer(level))


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["--level", "grand-master"], 2),
        (["--level", "easy", "--engine", "true"], 2),
        (["--engine", "'"], 13),
        (["--engine", "/no/program"], 19),
        (["--key", "stranger.key"], 12),
    ],
)
def test_wrong_usage(words: list[str], code: int, building: Path) -> None:
    assert run(*BOT, *words).code == code
    assert not list(building.glob("*.move"))


@pytest.fixture
def club(tmp_path: Path) -> Club:
    return seated(tmp_path, hook=True)


def test_it_pushes_as_a_player_would(club: Club) -> None:
    said = club.ref("bot", "game.toml", "--push", at=club.folder / "ana")
    assert "and pushed" in said
    assert club.file(club.folder / "ana").log[-1].by == "ana"
