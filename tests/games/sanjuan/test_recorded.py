"""The recorded games of San Juan have everything in them."""

from __future__ import annotations

from tests.games.sanjuan.golden import ALBUM


def test_the_recorded_games_show_every_kind_of_decision() -> None:
    assert ALBUM.kinds() == {
        *("role", "build", "produce", "sell", "keep", "tidy", "draft", "office", "mine"),
        *("earthquake", "taxes", "amnesty", "free-build"),
    }
