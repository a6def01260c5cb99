"""The recorded games of Xanadu have everything in them."""

from __future__ import annotations

from tests.games.xanadu.golden import ALBUM


def test_the_recorded_games_show_what_can_happen() -> None:
    assert ALBUM.kinds() == {*ALBUM.rules_of(1, ["base"]).kinds}
    lines = [line for text in ALBUM.texts() for line in text.splitlines()]
    for said in ("sell", "work", "build", "full", "clear", "reset", "end", "pass 3 of 3", "open"):
        assert any(f"{line} ".startswith(f"  {said} ") for line in lines), said
    tables = {(which.seats, which.rules.split()[0]) for which in ALBUM.games.values()}
    assert tables == {
        *((seats, "base") for seats in range(2, 7)),
        *((seats, "advanced") for seats in range(2, 5)),
    }
