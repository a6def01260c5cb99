"""A name that was mistyped is answered with the one that was meant."""

from __future__ import annotations

import pytest

from referee.games.errors import NotUnderstood
from referee.games.match import Match
from referee.games.near import aside, near

POSITION = {
    "governor": "aan",
    "used": ["buider"],
    "seats": [
        {"name": "ana", "hand": ["libary"], "citty": [], "city": [{"card": "indigo-plant"}]},
        {"name": "ben", "city": [{"card": "indigo-plnt"}]},
    ],
}
XANADU = {
    "game": "xanadu",
    "active": "bne",
    "seats": [{"name": "ana", "hand": ["tea-stal"]}, {"name": "ben", "hands": []}],
}


def test_the_nearest_names_are_offered() -> None:
    assert near("Quary", ["quarry", "query-hall", "well"]) == "did you mean quarry?"
    assert near("xyz", ["quarry"], "all of them") == "all of them"
    assert aside("wel", ["well", "wall", "crane"]) == " (did you mean well?)"
    assert aside("xyz", ["well"]) == ""


@pytest.mark.parametrize(
    ("position", "meant"),
    [
        (POSITION, ["library", "city", "indigo-plant", "ana", "builder"]),
        (XANADU, ["tea-stall", "hand", "ben"]),
    ],
)
def test_a_position_says_what_was_meant(position: dict[str, object], meant: list[str]) -> None:
    with pytest.raises(NotUnderstood) as caught:
        Match.from_position(position)
    for name in meant:
        assert f"did you mean {name}?" in caught.value.message
