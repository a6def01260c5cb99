"""The recorded games of Xanadu: `python -m tests.games.xanadu.golden` writes them again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from referee.games import rules_of as registered
from referee.games.interface import Rules
from tests.games.golden import Album, Recorded, shown

FOLDER = Path(__file__).parent / "golden"


def rules_of(version: int, words: Sequence[str]) -> Rules:
    """The rule set of `base` or `advanced`, options as `passes=3`, and `own-deck`."""
    options = dict(word.split("=") for word in words if "=" in word)
    variants = [word for word in words if word == "advanced"]
    own = (FOLDER / "own-deck.toml").read_text("utf-8") if "own-deck" in words else None
    return registered("xanadu", version).choose(None, [], variants, options, own)


def building(entry: Mapping[str, Any]) -> str:
    """A building as everybody sees it."""
    return f"{entry['card']} for {entry['price']}, workers {shown(entry['workers'])}"


ALBUM = Album(
    FOLDER,
    rules_of,
    building,
    "working at",
    {
        "base-2": Recorded("base", 2, 14),
        "base-3": Recorded("base passes=3", 3, 7),
        "base-4": Recorded("base passes=2 stall_guard=off", 4, 14),
        "base-5": Recorded("base own-deck", 5, 8),
        "base-6": Recorded("base", 6, 4),
        "advanced-2": Recorded("advanced own-deck", 2, 7),
        "advanced-3": Recorded("advanced passes=2", 3, 5),
        "advanced-4": Recorded("advanced passes=3", 4, 15),
    },
    few=2000,
)

if __name__ == "__main__":
    ALBUM.main()
