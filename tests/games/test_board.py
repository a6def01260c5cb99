"""Every rules module tells its table in words that fit, with points that are right."""

from __future__ import annotations

import pytest

from referee.games.board import COLOURS, Board, Sheet
from referee.games.errors import GameError
from referee.games.values import letter
from tests.games.test_contract import EVERY, Shuffler, each_rules, each_table, held
from tests.table.tables import NAMES


def whole_game(name: str, seats: int) -> list[tuple[Board, list[Sheet], list[tuple[str, int]]]]:
    """The board and the sheets at every moment, and at the end the scores."""
    from referee.games.match import Match

    rules = EVERY[name]
    game, events = rules.start(NAMES[:seats], Shuffler(f"board {name}"))
    narrator = Match.__new__(Match)
    narrator.rules = rules
    said = narrator.lines(events)
    found: list[tuple[Board, list[Sheet], list[tuple[str, int]]]] = []
    while True:
        scores = [(one.seat, one.points) for one in game.scores()] if game.over else []
        found.append((rules.board(game.table(), said), rules.sheets(game.table(), said), scores))
        if game.over:
            return found
        first = game.decisions()[0]
        letters = [letter(index) for index in range(len(game.hand(first.seat)))]
        hand = held(rules, game, first.seat, letters)
        view = rules.view(NAMES[:seats], game.table(), first.seat, hand)
        said += narrator.lines(game.take(first.id, view.suggest(), letters))


@each_table
def test_boards_and_sheets(name: str, seats: int) -> None:
    for board, sheets, scores in whole_game(name, seats):
        assert "\n" not in board.heading
        assert [place.seat for place in board.places] == list(NAMES[:seats])
        for row in board.rows:
            assert row.label
            assert all(item.text.isprintable() for item in row.items)
        for building in [one for place in board.places for one in place.city]:
            assert building.colour in COLOURS
            assert 0 <= building.tokens <= building.room
            assert building.token or not building.room
        for sheet in sheets:
            assert sum(points or 0 for _, points in sheet.parts) == sheet.points
        if scores:
            assert [(sheet.seat, sheet.points) for sheet in sheets] == scores


@each_rules
def test_what_is_no_table_is_refused(name: str) -> None:
    rules = EVERY[name]
    game, _ = rules.start(NAMES[:2], Shuffler(1))
    good = game.table()
    strange: list[object] = ["x", -1, [7], {}, None, [{"name": 3}]]
    for key in good:
        for bad in strange:
            for call in (rules.board, rules.sheets):
                with pytest.raises((GameError, LookupError, TypeError, ValueError, AttributeError)):
                    call({**good, key: bad}, [])
