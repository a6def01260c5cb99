"""Errors of other processes: they come over as what they were."""

from __future__ import annotations

import pickle
from collections.abc import Iterator

import pytest

from referee.errors import Fork, OtherRules, Stale
from referee.games.errors import GameError, Illegal, NotUnderstood
from referee.games.values import Choice
from referee.storage import NotRead


def kinds(of: type[GameError]) -> Iterator[type[GameError]]:
    yield of
    for more in of.__subclasses__():
        yield from kinds(more)


@pytest.mark.parametrize("made", [*kinds(GameError)], ids=lambda made: made.__name__)
def test_an_error_travels_between_processes(made: type[GameError]) -> None:
    error = Exception.__new__(made)
    error.message, error.hint = "it is so", "do this"
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is made
    assert (again.message, again.hint) == ("it is so", "do this")


def test_it_keeps_what_else_it_says() -> None:
    stale = Stale("late", reason="over")
    illegal = Illegal("no", choices=[Choice("pass", "")])
    for error in (
        stale,
        illegal,
        Fork("two"),
        OtherRules("x", "y"),
        NotRead("z"),
        NotUnderstood("q"),
    ):
        again = pickle.loads(pickle.dumps(error))
        assert again.__dict__ == error.__dict__
        assert (again.exit_code, again.reason) == (error.exit_code, error.reason)
