"""Tables that are told by the public log alone are those that there were."""

from __future__ import annotations

import random
from functools import partial
from typing import Any

import pytest

from referee.games.interface import View
from referee.games.picture import Board, picture_of
from referee.page.model import model_of
from referee.show.story import heard
from referee.table import opening
from referee.table.errors import Damaged
from referee.table.replay import each_step
from tests.games.test_contract import RULE_SETS
from tests.page.worlds import game_of
from tests.table.tables import REFEREE, Table


def choose(chance: random.Random, view: View) -> str:
    plays = view.plays(200)
    return chance.choice(plays) if plays and chance.random() < 0.3 else view.suggest()


def told(board: Board) -> list[Any]:
    """What follows from the log: all but the piles, and whose turn it is."""
    # When the trader is done is not told, but only that somebody goes on.
    rows = [
        row._replace(key=row.key.removeprefix("last-"))
        for row in board.rows
        if row.key not in ("turned", "removed")
    ]
    return [
        board.facts["round"],
        rows,
        [(side.name, side.facts, side.city, "governor" in side.badges) for side in board.sides],
    ]


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("name", RULE_SETS)
def test_the_log_tells_every_table(name: str, seats: int) -> None:
    rules = RULE_SETS[name]
    picture = picture_of(rules)
    table = Table(seats, f"follow {name}", rules=rules).join_all()
    file = table.rush(partial(choose, random.Random(name))).file
    secret = opening.deal_secret(file, REFEREE)
    points = each_step(file, secret, lambda game: {one.seat: one.points for one in game.scores()})
    tables = each_step(file, secret, lambda game: game.table())
    lines = list(heard(file))
    followed = picture.follow(file.order, lines)
    assert len(followed) == file.step
    said: list[str] = []
    for was, known, new, board in zip(tables, points, lines, followed, strict=True):
        said += new
        assert told(board) == told(picture.board(was, known, said))


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


def test_a_running_game_has_all_its_tables() -> None:
    file = game_of("in-progress")
    model = model_of(file, None)
    assert len(model.boards) == file.step
    assert model.replayed
    assert "deck" in model.boards[-1].facts
    assert "deck" not in model.boards[-2].facts
