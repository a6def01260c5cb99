"""Recorded games go on as they went: the same plays, public lines and views, to the letter."""

from __future__ import annotations

import pytest

from tests.games.sanjuan.golden import GAMES, RECORDED, replay


@pytest.mark.parametrize("name", RECORDED)
def test_a_recorded_game_replays_to_the_letter(name: str) -> None:
    text = (GAMES / f"{name}.txt").read_text("utf-8")
    assert replay(text).splitlines() == text.splitlines()


def test_the_recorded_games_show_every_kind_of_decision() -> None:
    texts = [(GAMES / f"{name}.txt").read_text("utf-8") for name in RECORDED]
    lines = [line for text in texts for line in text.splitlines() if line.startswith("> ")]
    kinds = {line.split(": ")[0].split(".")[2] for line in lines}
    assert kinds == {
        *("role", "build", "produce", "sell", "keep", "tidy", "draft", "office", "mine"),
        *("earthquake", "taxes", "amnesty", "free-build"),
    }
