"""The words of San Juan's plays and its choices for `new`, importable without the rules."""

from __future__ import annotations

from referee.games.interface import Word

WORDS = (
    Word("role", "ROLE", "the role to choose"),
    Word("event", "EVENT", "the event to take instead; governor-visit: then the used role"),
    Word("no-library", "", "keep the library for later"),
    Word("build", "CARD", "the card to build"),
    Word("over", "PLOT", "the building that the crane covers"),
    Word("goods", "PLOT", "a good to give up through the black market"),
    Word("pay", "CARD", "a hand card to pay with"),
    Word("decline", "NAME", "a discount not to take: privilege, smithy or quarry"),
    Word("produce", "PLOT", "a production building that gets a good"),
    Word("sell", "PLOT", "a building whose good is sold"),
    Word("take", "CARD", "the card to take of those turned over"),
    Word("lose", "PLOT", "the building that the earthquake destroys"),
    Word("keep", "CARD", "a drawn card to keep"),
    Word("discard", "CARD", "a hand card to discard"),
    Word("chapel", "CARD", "the hand card that goes under the chapel"),
    Word("bank", "CARD", "a hand card that goes under the bank"),
    Word("pass", "", "do nothing"),
)

TERMS = {
    "edition": "2014, or else 2004",
    "expansion": "new-buildings, events",
    "variant": "draft-start",
    "option": "round_limit=1 to 100",
}
"""Choices that `new` offers, by option, for its help."""
