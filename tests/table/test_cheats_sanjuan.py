"""Cheats that only San Juan knows: those with the trader's tiles."""

from __future__ import annotations

import pytest

from referee.table import chain
from tests.table.cheating import SANJUAN, Cheat, Cheater, Cheats, check

cheat = Cheats()


@cheat("tile_turned", "show")
def turn_another_tile(c: Cheater) -> None:
    c.change_line(
        "open tiles",
        lambda words: [*words[:4], "12233" if words[4] != "12233" else "11122", words[5]],
    )


@cheat("tile_turned", "show")
def turn_the_tile_after_the_next(c: Cheater) -> None:
    def next_one(words: list[str]) -> list[str]:
        tile = c.card_at("tiles", 0, (int(words[3]) + 1) % 5)
        return chain.Opening(*tile[2:5], tile.name, tile.salt).line.split(" ")

    c.change_line("open tiles", next_one)


@pytest.mark.parametrize(
    ("name", "when", "by", "act"), cheat.all, ids=[one[0] for one in cheat.all]
)
def test_cheat_is_found(name: str, when: str, by: str, act: Cheat) -> None:
    check(SANJUAN, when, act, by)
