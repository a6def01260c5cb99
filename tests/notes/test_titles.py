"""Titles of games: what a title may be made of, and how it is told."""

from __future__ import annotations

import pytest

from referee.notes.forms import A_TITLE

HIDDEN = (
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180e\u200b\u202e\u2066\u2800\u3164\ufe00\ufe0f\uffa0"
    "\U00013430\U0001bca0\U0001d173\U0001d17a\U000e0100\U000e01ef"
)


@pytest.mark.parametrize("char", HIDDEN, ids=ascii)
def test_a_title_has_no_character_that_is_not_seen(char: str) -> None:
    assert not A_TITLE.fits(f"Friday{char}")


@pytest.mark.parametrize(
    ("title", "fits"),
    [
        ("Friday's game, 2nd try", True),
        ("Jeu d'été, Spiel für zwei, игра, 金曜日", True),
        ("ליל שישי", True),
        ("a\u0301\u0302\u0303", True),
        ("a\u0301\u0302\u0303\u0304", False),
        ("x" * 201, False),
    ],
)
def test_marks_are_not_heaped(title: str, fits: bool) -> None:
    assert A_TITLE.fits(title) is fits
