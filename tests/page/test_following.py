"""Tables of a running game are those that there were, piles and all."""

from __future__ import annotations

import random
from functools import partial

import pytest

from referee.errors import Damaged
from referee.games.interface import View
from referee.render.page.model import Album, model_of
from referee.render.text.story import narrator_lines
from referee.table import opening
from referee.table.replay import each_step
from referee.table.signing import load
from tests.games.test_contract import RULE_SETS
from tests.make_examples import EXAMPLES
from tests.page.worlds import game_of
from tests.table.tables import REFEREE, Table


def choose(chance: random.Random, view: View) -> str:
    plays = view.plays(200)
    return chance.choice(plays) if plays and chance.random() < 0.3 else view.suggest()


@pytest.mark.parametrize("name", RULE_SETS)
def test_a_running_game_has_all_its_tables(name: str) -> None:
    rules = RULE_SETS[name]
    table = Table(3, f"follow {name}", rules=rules).join_all()
    file = table.rush(partial(choose, random.Random(name)), until=16).file
    assert file.revealed_secret is None
    steps, said = narrator_lines(file), list[str]()
    boards = []
    for was, scores in each_step(
        file, opening.deal_secret(file, REFEREE), lambda game: (game.table(), game.scores())
    ):
        said += next(steps)
        boards.append(rules.board(was, said))
        if rules.scale == "points":
            counted = {place.seat: place.numbers["points"] for place in boards[-1].places}
            assert counted == {one.seat: one.points for one in scores}
    model = model_of(file, None)
    assert model.boards == boards
    assert model.replayed


@pytest.mark.parametrize("name", ["finished", "planned"])
def test_tables_are_the_same_with_and_without_the_deal_secret(name: str) -> None:
    path = EXAMPLES / name / "game.toml"
    read, replayed = Album(), Album()
    file, _ = load(path, read.see)
    assert file.revealed_secret is not None
    each_step(file, file.revealed_secret, partial(replayed.see, file))
    boards = model_of(file, None, album=read).boards
    assert len(boards) == file.step
    assert boards == model_of(file, None).boards == replayed.boards


def test_a_log_of_another_game_is_damage() -> None:
    for line in (
        "lose ana well plot 9",
        "draw ana deck many",
        "build ana nothing plot 2",
        "keep zoe 1",
    ):
        file = game_of("in-progress")
        file.log[5].then += (line,)
        with pytest.raises(Damaged):
            model_of(file, None)
