"""The words of Xanadu's plays and its choices for `new`, importable without the rules."""

from __future__ import annotations

from referee.games.values import Word

WORDS = (
    Word("open", "CARD", "a card from your hand to start with, free", several=True),
    Word("sell", "PLOT", "a building of yours to sell, before anything else", several=True),
    Word(
        "work",
        "CARD SEAT PLOT",
        "a worker card to put on the next space of a building",
        several=True,
    ),
    Word("build", "CARD", "the hand card to build"),
    Word("pass", "", "do nothing"),
)

TERMS = {
    "seats": "2 to 6",
    "variant": "advanced",
    "option": "passes=2 or 3, stall_guard=on or off",
    "deck": "as TOML",
    "deck_template": "cards and colours",
}
"""The choices that `new` and `demo` offer in this game, by option, for their help."""
