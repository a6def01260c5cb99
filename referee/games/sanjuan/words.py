"""The words of San Juan's plays and its choices for `new`, importable without the rules."""

from __future__ import annotations

from referee.games.values import Word

WORDS = (
    Word("role", "ROLE", "the role to choose"),
    Word("event", "EVENT", "an event instead of a role; after governor-visit, the used role"),
    Word("no-library", "", "keep the library for later"),
    Word("build", "CARD", "the card to build"),
    Word("over", "PLOT", "the building the crane covers"),
    Word("goods", "PLOT", "a good to give up for the black market", several=True),
    Word("pay", "CARD", "a hand card to pay with", several=True),
    Word(
        "decline", "NAME", "a discount you do not want: privilege, smithy or quarry", several=True
    ),
    Word("produce", "PLOT", "a production building that gets a good", several=True),
    Word("sell", "PLOT", "a building whose good is sold", several=True),
    Word("take", "CARD", "the turned-up card to take"),
    Word("lose", "PLOT", "the building that the earthquake destroys"),
    Word("keep", "CARD", "a drawn card to keep", several=True),
    Word("discard", "CARD", "a hand card to discard", several=True),
    Word("chapel", "CARD", "the hand card to put under the chapel"),
    Word("bank", "CARD", "a hand card to put under the bank", several=True),
    Word("pass", "", "do nothing"),
)

TERMS = {
    "seats": "2 to 4",
    "edition": "2014 (the default) or 2004",
    "expansion": "new-buildings, events",
    "variant": "draft-start",
    "option": "round_limit=1 to 100",
}
"""The choices that `new` and `demo` offer in this game, by option, for their help."""
