"""Expectations that the rule cases of all games share."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pytest

from referee.games.errors import GameError
from referee.games.match import Match


def expect_of_seats(match: Match, step: Mapping[str, Any]) -> None:
    """Compares `asked`, `over`, `legal`, `offers`, `refuses`, `hand` and `tucked` of a step."""
    game = match.game
    if "asked" in step:
        assert [decision.id for decision in game.decisions()] == step["asked"]
    if "over" in step:
        assert game.over == step["over"]
    for seat, plays in step.get("legal", {}).items():
        found = match.view(seat).plays()
        assert found is not None
        assert sorted(found) == sorted(plays)
    for key in ("legal", "offers"):
        for seat, plays in step.get(key, {}).items():
            for text in plays:
                match.view(seat).check(text)
    for seat, plays in step.get("refuses", {}).items():
        for text in plays:
            refuses(match, seat, text, step.get("because", ""))
    for seat, names in step.get("hand", {}).items():
        assert [held.name for held in match.held(seat)] == names
    for seat, names in step.get("tucked", {}).items():
        tucked = [f"{at} {match.rules.card_name('deck', c)}" for at, c in game.tucked(seat)]
        assert tucked == names


def refuses(match: Match, seat: str, text: str, because: str) -> None:
    """Neither the seat's own program nor the referee's takes this play, and nothing changes."""
    why = re.escape(because) or None
    with pytest.raises(GameError, match=why) as refusal:
        match.view(seat).check(text)
    assert refusal.value.exit_code in (13, 14)
    first = match.game.decisions()[0]
    if first.seat == seat:
        before = match.document()
        letters = [held.letter for held in match.held(seat)]
        with pytest.raises(GameError, match=why):
            match.game.take(first.id, text, letters)
        assert match.document() == before


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
