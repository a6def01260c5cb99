"""A third game comes in one folder: it is played through files, and draws itself everywhere."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from referee import games
from referee.checking.audit import audit
from referee.games.errors import OtherVersion
from referee.games.flat import Action
from referee.render.page.image import svg
from referee.render.page.model import model_of
from referee.render.page.write import page
from referee.render.text import overview, terminal
from referee.table import chain, opening
from referee.table.rules import rules_for
from referee.table.times import BOT, DAY, Clock
from tests.games.highcard.play import View
from tests.games.highcard.rules import HighCardRules
from tests.games.highcard.state import NAMES as CARDS
from tests.mail.office import run
from tests.table.tables import NAMES, REFEREE, Table, key_of, load

ROOT = Path(__file__).parents[3]
HOST = ("--referee-key", "referee.key")
SEATS = ("ana", "ben")


def do(*words: str) -> str:
    done = run(*words)
    assert done.code == 0, (words, done.err)
    return done.out


@pytest.fixture
def opened(workplace: Path) -> Path:
    """A place with a game file in which everybody has joined."""
    REFEREE.save(workplace / "referee.key")
    for name in SEATS:
        key_of(name).save(workplace / f"{name}.key")
    do("new", "game.toml", "--game", "highcard", "--seat", "ana", "--seat", "ben", *HOST)
    for name in SEATS:
        do("join", "game.toml", "--seat", name, "--key", f"{name}.key", "-o", f"{name}.join")
    do("apply", "game.toml", "ana.join", "ben.join", *HOST)
    return workplace


def test_a_game_is_played_by_commands(opened: Path) -> None:
    rounds = 0
    while load(Path("game.toml").read_text()).asked:
        rounds += 1
        for name in SEATS:
            key = ("--key", f"{name}.key")
            assert "Your turn, " in do("show", "game.toml", *key)
            do("move", "game.toml", "--put", "ab"[rounds % 2], *key, "-o", f"{name}.move")
        do("apply", "game.toml", "ana.move", "ben.move", *HOST)
    assert rounds == 12
    assert "ana puts card-" in do("log", "game.toml")
    assert "rounds won" in do("score", "game.toml")
    do("verify", "game.toml", "--key", "ana.key")
    do("audit", "game.toml")


def test_a_name_of_a_card_is_read(opened: Path) -> None:
    view = Table(2, rules=HighCardRules()).join_all().view("ana")
    for held in view.hand:
        assert view.read(f"put {held.name}") == f"put {held.letter}"


def test_it_draws_itself(capsys: pytest.CaptureFixture[str]) -> None:
    table = Table(3, rules=HighCardRules()).join_all().rush(until=9)
    file = table.file
    terminal.prepare()
    overview.table(file, rules_for(file), "ana")
    drawn = capsys.readouterr().out
    model = model_of(file, None)
    for place in model.boards[-1].places:
        assert f"{place.seat}{' (you)' * (place.seat == 'ana')}: rounds won " in drawn
        for one in place.city:
            assert f"{one.plot} {one.card} {one.facts}" in drawn
            assert f'data-card="{one.card}" data-seat="{place.seat}"' in page(model)
    assert svg(model, "de").count("<use ") == sum(len(one.city) for one in model.boards[-1].places)
    assert "Draw pile" in page(model)


def test_late_answers_go_by_what_lay_there_when_the_question_was_put(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Also those that take effect after others to the same question."""

    def follow(view: View) -> Action:
        """Put the lowest card after somebody who has put one in this round, else the highest."""
        st, mine = view.state, view.state.hand[view.index]
        led = any(len(put) == st.round for put in st.put)
        return (mine.index(min(mine) if led else max(mine)),)

    monkeypatch.setattr(View, "_greedy", follow)
    table = Table(3, rules=HighCardRules(), clock=Clock(3, BOT, 1)).join_all()
    highest = [
        max((card.name for card in table.view(seat).hand), key=CARDS.index) for seat in NAMES[:3]
    ]
    table.now += 5 * DAY
    table.expire()
    file = table.file
    assert [row["put"][0] for row in file.table["seats"]] == highest
    audit(file, chain.heads(file), opening.deal_secret(file, REFEREE))


def test_a_name_belongs_to_one_game() -> None:
    games.register("highcard", "tests.games.highcard")
    for name in ("highcard", games.DEFAULT):
        with pytest.raises(ValueError, match=f"there is a game '{name}' already"):
            games.register(name, "elsewhere")


@pytest.fixture
def installed(workplace: Path) -> dict[str, str]:
    """The environment of a program beside which two packages with games are installed."""
    told = workplace / "lib" / "toys-1.dist-info"
    told.mkdir(parents=True)
    (told / "METADATA").write_text("Metadata-Version: 2.1\nName: toys\nVersion: 1\n")
    (told / "entry_points.txt").write_text(
        f"[{games.GROUP}]\nhighcard = tests.games.highcard\nbroken = no.such.package\n"
    )
    return {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{told.parent}"}


def test_an_installed_game_is_found(opened: Path, installed: dict[str, str]) -> None:
    def call(*words: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "referee", *words]
        return subprocess.run(command, env=installed, capture_output=True, text=True, check=False)

    done = call("move", "game.toml", "--put", "a", "--key", "ana.key", "-o", "ana.move")
    assert done.returncode == 0, done.stderr
    assert "--put CARD" in call("move", "--help").stdout
    assert "highcard" in call("new", "--help").stdout
    done = call("rules", "--game", "broken")
    assert done.returncode == OtherVersion.exit_code
    assert "the game 'broken' is installed, but cannot be imported" in done.stderr
