"""The cards as data: what each kind costs, scores and how often it is in the deck.

A *kind* is a small number, the same in every rule set; a *card* is one copy of a kind, numbered
from 0 in the deck of one rule set.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

_DATA: dict[str, Any] = tomllib.loads(
    Path(__file__).with_name("cards.toml").read_text(encoding="utf-8")
)
TILES: tuple[str, ...] = tuple(_DATA["tiles"])
PRICES: tuple[tuple[int, ...], ...] = tuple(tuple(map(int, tile)) for tile in TILES)
ALIASES: dict[str, str] = _DATA["aliases"]

_BASE: dict[str, Sequence[int]] = {
    **_DATA["production"],
    **_DATA["city"],
    **_DATA["monument"],
    **_DATA["bonus"],
}
_ALL: dict[str, Sequence[int]] = dict(_BASE)
for _group in ("expansions", "beside"):
    for _cards in _DATA[_group].values():
        _ALL.update(_cards)

NAMES: tuple[str, ...] = tuple(_ALL)
KINDS: dict[str, int] = {name: number for number, name in enumerate(NAMES)}
GOODS = len(_DATA["production"])
PRODUCTION = (1 << GOODS) - 1
CITY = (1 << len(NAMES)) - 1 & ~PRODUCTION


def bit(name: str) -> int:
    """The mask in which only the kind of this name is set."""
    return 1 << KINDS[name]


HOLDERS = PRODUCTION | bit("customs-office")
"""Kinds on which a good can lie."""
MONUMENTS = sum(bit(name) for name in _DATA["monument"])


class Cards:
    """The cards of one rule set.

    `cost` and `points` are by kind; `kind_of` is by card; `first` is the lowest card of a kind
    (-1 where the set has none) and `copies` how many follow each other from there.
    """

    __slots__ = ("copies", "cost", "digest", "edition", "first", "kind_of", "points", "total")

    edition: str
    cost: tuple[int, ...]
    points: tuple[int, ...]
    copies: tuple[int, ...]
    first: tuple[int, ...]
    kind_of: tuple[int, ...]
    total: int
    digest: str

    def __init__(self, edition: str, expansions: Sequence[str] = ()) -> None:
        """The deck of an edition with these expansions; raises KeyError for unknown ones."""
        rows = {name: list(row) for name, row in _BASE.items()}
        for name, row in _DATA["editions"][edition].items():
            rows[name] = list(row)
        for expansion in expansions:
            for name, row in _DATA["expansions"][expansion].items():
                rows[name] = list(row)
            for name, more in _DATA["more"].get(expansion, {}).items():
                rows[name][2] += more
        table = [rows.get(name, (*_ALL[name][:2], 0)) for name in NAMES]
        self.edition = edition
        self.cost = tuple(row[0] for row in table)
        self.points = tuple(row[1] for row in table)
        self.copies = tuple(row[2] for row in table)
        kind_of: list[int] = []
        first: list[int] = []
        for kind, count in enumerate(self.copies):
            first.append(len(kind_of) if count else -1)
            kind_of += [kind] * count
        self.first = tuple(first)
        self.kind_of = tuple(kind_of)
        self.total = len(kind_of)
        text = "".join(f"{name} {row[0]} {row[1]} {row[2]}\n" for name, row in sorted(rows.items()))
        self.digest = sha256((text + " ".join(TILES)).encode()).hexdigest()

    def name(self, card: int) -> str:
        """The name of a card."""
        return NAMES[self.kind_of[card]]
