"""The recorded games of San Juan: `python -m tests.games.sanjuan.golden` writes them again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from referee.games import rules_of as registered
from referee.games.interface import Rules
from tests.games.golden import Album, Recorded, shown
from tests.games.sanjuan.rule_sets import NAMED


def rules_of(version: int, words: Sequence[str]) -> Rules:
    """The rule set of an edition and the names of its expansions and variants."""
    edition, *more = words
    draft = [name for name in more if name == "draft-start"]
    others = [name for name in more if name not in draft]
    return registered("sanjuan", version).choose(edition, others, draft, {})


def words_of(name: str) -> str:
    """The words that choose a rule set."""
    which = NAMED[name]
    return " ".join((which.edition, *which.expansions, *which.variants))


def building(entry: Mapping[str, Any]) -> str:
    """A building as everybody sees it."""
    good = " good" if entry.get("good") else ""
    over = f" over {shown(entry['over'])}" if "over" in entry else ""
    return f"{entry['card']}{good}{over}"


ALBUM = Album(
    Path(__file__).parent / "golden",
    rules_of,
    building,
    "under plot",
    {
        name: Recorded(words_of(name), seats, seed)
        for name, seats, seed in (
            ("2014", 3, 1),
            ("2004", 2, 2),
            ("new-buildings", 2, 3),
            ("events", 3, 4),
            ("all", 2, 5),
        )
    },
)

if __name__ == "__main__":
    ALBUM.main()
