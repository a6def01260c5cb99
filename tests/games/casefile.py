"""What the rule cases of all games expect alike."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pytest

from referee.games.interface import GameError
from referee.games.trial import Trial


def expect_of_seats(trial: Trial, step: Mapping[str, Any]) -> None:
    """Compares `asked`, `over`, `legal`, `offers`, `refuses`, `hand` and `tucked` of a step."""
    game = trial.game
    if "asked" in step:
        assert [decision.id for decision in game.decisions()] == step["asked"]
    if "over" in step:
        assert game.over == step["over"]
    for seat, plays in step.get("legal", {}).items():
        found = trial.view(seat).plays()
        assert found is not None
        assert sorted(found) == sorted(plays)
    for key in ("legal", "offers"):
        for seat, plays in step.get(key, {}).items():
            for text in plays:
                trial.view(seat).check(text)
    for seat, plays in step.get("refuses", {}).items():
        for text in plays:
            refuses(trial, seat, text, step.get("because", ""))
    for seat, names in step.get("hand", {}).items():
        assert [held.name for held in trial.held(seat)] == names
    for seat, names in step.get("tucked", {}).items():
        tucked = [f"{at} {trial.rules.card_name('deck', c)}" for at, c in game.tucked(seat)]
        assert tucked == names


def refuses(trial: Trial, seat: str, text: str, because: str) -> None:
    """Neither the seat's own program nor the referee's takes this play, and nothing changes."""
    why = re.escape(because) or None
    with pytest.raises(GameError, match=why) as refusal:
        trial.view(seat).check(text)
    assert refusal.value.exit_code in (13, 14)
    first = trial.game.decisions()[0]
    if first.seat == seat:
        before = trial.document()
        letters = [held.letter for held in trial.held(seat)]
        with pytest.raises(GameError, match=why):
            trial.game.take(first.id, text, letters)
        assert trial.document() == before


def expect_lines(lines: Sequence[str], wanted: Sequence[str]) -> None:
    """Public lines in this order, among others; each may go on after these words."""
    left = iter(lines)
    for words in wanted:
        assert any(f"{line} ".startswith(f"{words} ") for line in left), (
            f"{words!r} is not, in this order, in {lines}"
        )


def expect_secret(names: Sequence[str], lines: Sequence[str], table: object) -> None:
    """None of these cards stands in a public line or in the public table."""
    public = [*lines, *texts_in(table)]
    for name in names:
        word = re.compile(rf"(?<![a-z-]){name}(?![a-z-])")
        assert not any(word.search(text) for text in public), f"{name} is public"


def texts_in(value: object) -> Iterator[str]:
    """Every text in a tree of tables and lists, keys apart."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            yield from texts_in(item)
    elif isinstance(value, str):
        yield value
