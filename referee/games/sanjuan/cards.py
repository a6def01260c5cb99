"""The cards as data: what each kind costs, scores and how often it is in the deck.

A *kind* is a small number, the same in every rule set; a *card* is one copy of a kind, numbered
from 0 in the deck of one rule set. Event cards are kinds after all buildings, and the last cards
of the deck; cards that lie beside the deck are numbered after them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from referee import toml
from referee.hashes import sha256

_DATA: dict[str, Any] = toml.loads(
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
"""The buildings."""
KINDS: dict[str, int] = {name: number for number, name in enumerate(NAMES)}
EVENTS: tuple[str, ...] = tuple(name for cards in _DATA["events"].values() for name in cards)
FIRST_EVENT = len(NAMES)
"""The kind of the first event."""
_EVERY = NAMES + EVENTS
GOODS = len(_DATA["production"])
PRODUCTION = (1 << GOODS) - 1
CITY = (1 << len(NAMES)) - 1 & ~PRODUCTION


def bit(name: str) -> int:
    """Return the mask in which only the kind of this name is set."""
    return 1 << KINDS[name]


def name_of(mask: int) -> str:
    """Return the name of the kind that alone is set in a mask."""
    return NAMES[mask.bit_length() - 1]


FIXED_PRICES: dict[int, int] = {KINDS[name]: price for name, price in _DATA["holders"].items()}
"""Kinds whose good has a price of its own, whatever the tile says."""
HOLDERS = PRODUCTION | sum(1 << kind for kind in FIXED_PRICES)
"""Kinds on which a good can lie."""
MONUMENTS = sum(bit(name) for name in _DATA["monument"])


class Cards:
    """The cards of one rule set.

    `cost` and `points` are by kind; `kind_of` is by card; `first` is the lowest card of a kind
    (-1 where the set has none) and `copies` how many follow each other from there. The deck has
    `total` cards, those from `plain` on are events; `beside` are the cards that lie beside it.
    `dealt` are the kinds of the buildings in the deck, cheap ones first.
    """

    __slots__ = (
        "beside",
        "copies",
        "cost",
        "dealt",
        "digest",
        "edition",
        "first",
        "kind_of",
        "plain",
        "points",
        "total",
    )

    edition: str
    cost: tuple[int, ...]
    points: tuple[int, ...]
    copies: tuple[int, ...]
    first: tuple[int, ...]
    kind_of: Sequence[int]
    beside: tuple[int, ...]
    dealt: tuple[int, ...]
    plain: int
    total: int
    digest: str

    def __init__(self, edition: str, expansions: Sequence[str] = ()) -> None:
        """Number the cards of an edition with expansions; raises KeyError for an unknown one."""
        rows = {name: list(row) for name, row in _BASE.items()}
        for name, row in _DATA["editions"][edition].items():
            rows[name] = list(row)
        beside: dict[str, Sequence[int]] = {}
        events: dict[str, int] = {}
        for expansion in expansions:
            for name, row in _DATA["expansions"].get(expansion, {}).items():
                rows[name] = list(row)
            for name, more in _DATA["more"].get(expansion, {}).items():
                rows[name][2] += more
            beside |= _DATA["beside"].get(expansion, {})
            events |= _DATA["events"].get(expansion, {})
        rows |= {name: list(row) for name, row in beside.items()}
        table = [rows.get(name, (*_ALL[name][:2], 0)) for name in NAMES]
        table += [(0, 0, events.get(name, 0)) for name in EVENTS]
        self.edition = edition
        self.cost = tuple(row[0] for row in table)
        self.points = tuple(row[1] for row in table)
        self.copies = tuple(row[2] for row in table)
        kind_of: list[int] = []
        first = [-1] * len(table)
        apart = [KINDS[name] for name in beside]
        for kind in [kind for kind in range(len(table)) if kind not in apart] + apart:
            if kind == FIRST_EVENT:
                self.plain = len(kind_of)
            if self.copies[kind]:
                first[kind] = len(kind_of)
            kind_of += [kind] * self.copies[kind]
        self.first = tuple(first)
        self.kind_of = tuple(kind_of)
        self.total = len(kind_of) - sum(self.copies[kind] for kind in apart)
        self.beside = tuple(range(self.total, len(kind_of)))
        dealt = [kind for kind in range(FIRST_EVENT) if self.copies[kind] and kind not in apart]
        self.dealt = tuple(sorted(dealt, key=self.cost.__getitem__))
        text = "".join(f"{name} {row[0]} {row[1]} {row[2]}\n" for name, row in sorted(rows.items()))
        text += "".join(f"{name} event {copies}\n" for name, copies in sorted(events.items()))
        self.digest = sha256((text + " ".join(TILES)).encode()).hex()

    def name(self, card: int) -> str:
        """Return the name of a card."""
        return _EVERY[self.kind_of[card]]

    def deals(self, kind: int) -> bool:
        """Return True if the deck has buildings of a kind."""
        return kind in self.dealt

    def events(self) -> range:
        """Return the event cards of the set, in the order of EVENTS."""
        return range(self.plain, self.total)


UNKNOWN, UNKNOWN_NAME = len(_EVERY), "-"
"""The kind of a card that nobody has been shown, and its name."""


# Every look at a game file asks for them, and nobody changes them.
@lru_cache(maxsize=64)
def cards_of(edition: str, expansions: tuple[str, ...]) -> Cards:
    """Return the cards of an edition with expansions. Raises KeyError for an unknown one."""
    return Cards(edition, expansions)


class HiddenCards(Cards):
    """The cards of a rule set before anybody has seen one: `kind_of` is filled in bit by bit.

    Known from the start are the buildings with which so many seats begin, what lies beside the
    deck, and events, whose numbers tell them from other cards.
    """

    __slots__ = ()

    kind_of: list[int]

    def __init__(self, cards: Cards, seats: int) -> None:
        """Hide the cards of the same rule set."""
        for name in Cards.__slots__:
            setattr(self, name, getattr(cards, name))
        self.cost = (*cards.cost, 0)
        self.points = (*cards.points, 0)
        hidden = cards.plain - seats
        self.kind_of = [*cards.kind_of[:seats], *[UNKNOWN] * hidden, *cards.kind_of[cards.plain :]]

    def name(self, card: int) -> str:
        """Return the name of a card, or UNKNOWN_NAME until somebody has shown it."""
        kind = self.kind_of[card]
        return UNKNOWN_NAME if kind == UNKNOWN else _EVERY[kind]

    def hide(self, card: int) -> None:
        """Forget which card this is."""
        self.kind_of[card] = UNKNOWN

    def show(self, card: int, kind: int) -> bool:
        """Note that this card is of a kind; False if all copies of that kind are elsewhere."""
        if self.kind_of[card] == kind:
            return True
        if self.kind_of[card] != UNKNOWN or self.kind_of.count(kind) >= self.copies[kind]:
            return False
        self.kind_of[card] = kind
        return True
