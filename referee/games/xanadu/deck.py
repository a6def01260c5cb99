"""The cards of one deck as flat numbers: what each costs, gives, unlocks and sells for.

A multiset of resources is one number with eight bits for each resource; sums of multisets are sums
of numbers. The highest bit of each eight stays free: it is set in `guard`, so that a pool covers a
cost if and only if `(pool | guard) - cost & guard == guard`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from referee import toml
from referee.games.xanadu import deckfile
from referee.games.xanadu.deckfile import COLOURS, END_CARD, SALE_BONUS, slug
from referee.hashes import sha256

UNKNOWN = "-"
"""The name of a card that nobody has been shown."""


class Deck:
    """The cards, numbered from 0 in the order of the deck file; `end` is the End card.

    `colours` are in the order in which they are laid at the beginning; `many` is what a building of
    each sells for beyond its price with five or six players. By card: `names` and `colour`, `cost`,
    `prices` with 0 to 4 workers, `gives` (what the next worker gains on 0 to 3 workers), `favours`
    (what that worker unlocks) and `income` (what the owner has each turn with 0 to 4 workers:
    passive resource and favours).
    """

    names: Sequence[str]
    colour: Sequence[int]

    __slots__ = (
        *("colour", "colours", "cost", "digest", "document", "edition", "end", "favours", "gives"),
        *(
            "guard",
            "id",
            "income",
            "many",
            "names",
            "number",
            "official",
            "prices",
            "resources",
            "titles",
            "total",
        ),
    )

    def __init__(self, document: Mapping[str, Any]) -> None:
        """Number the cards of a deck in its short form, as `deckfile.read` makes it."""
        self.document = dict(document)
        self.id: str = document["deck"]
        self.edition: str = document["edition"]
        self.official: bool = document["official"]
        self.resources: tuple[str, ...] = tuple(document["resources"])
        unit = {name: 1 << 8 * place for place, name in enumerate(self.resources)}
        self.guard = sum(128 * lowest for lowest in unit.values())
        cards = document["card"]
        self.total = self.end = len(cards)
        self.titles = tuple(card["name"] for card in cards)
        self.names = (*(slug(name) for name in self.titles), END_CARD)
        self.number = {name: card for card, name in enumerate(self.names)}
        self.colours: tuple[str, ...] = tuple(document.get("colours", COLOURS))
        many: Mapping[str, int] = document.get("many", SALE_BONUS)
        self.many = tuple(many.get(colour, 0) for colour in self.colours)
        self.colour = tuple(self.colours.index(card["colour"]) for card in cards)
        self.cost = tuple(_sum(unit, card["cost"].split()) for card in cards)
        prices: list[tuple[int, ...]] = []
        gives: list[tuple[int, ...]] = []
        favours: list[tuple[int, ...]] = []
        income: list[tuple[int, ...]] = []
        for card in cards:
            rows = [field.partition("+") for field in card["field"]]
            plain = [row[0].split() for row in rows]
            unlocks = [_sum(unit, row[2].split()) for row in rows]
            prices.append((*(int(row[0]) for row in plain), card["final_price"]))
            gives.append(tuple(_sum(unit, row[1:]) for row in plain))
            favours.append(tuple(unlocks))
            owned = [_sum(unit, card.get("passive", "").split())]
            for more in unlocks:
                owned.append(owned[-1] + more)
            income.append(tuple(owned))
        self.prices = tuple(prices)
        self.gives = tuple(gives)
        self.favours = tuple(favours)
        self.income = tuple(income)
        self.digest = sha256(_text(document).encode()).hex()

    def covers(self, pool: int, cost: int) -> bool:
        """Return True if a pool holds all that a cost names."""
        return (pool | self.guard) - cost & self.guard == self.guard

    def missing(self, pool: int, cost: int) -> int:
        """Return the resources of a cost that a pool lacks."""
        lacks = 0
        for place in range(0, 8 * len(self.resources), 8):
            more = (cost >> place & 255) - (pool >> place & 255)
            if more > 0:
                lacks += more << place
        return lacks

    def listed(self, bundle: int) -> list[str]:
        """Return the resources of a multiset, each as often as it is in it."""
        found: list[str] = []
        for place, name in enumerate(self.resources):
            found += [name] * (bundle >> 8 * place & 255)
        return found

    def told(self, bundle: int) -> str:
        """Name a multiset of resources for people: `jade, 2 bronze`."""
        found = self.listed(bundle)
        words = [
            name if found.count(name) == 1 else f"{found.count(name)} {name}"
            for name in dict.fromkeys(found)
        ]
        return ", ".join(words) or "nothing"


class HiddenDeck(Deck):
    """The cards of a deck before anybody has seen one.

    What lies in a pile or a hand is a stranger: a number above those of the cards, which gets its
    name when it comes to light. Nobody knows its colour: it stands above all that there are.
    """

    __slots__ = ()

    names: list[str]
    colour: list[int]

    def __init__(self, deck: Deck) -> None:
        """Hide the cards of the same deck."""
        for name in Deck.__slots__:
            setattr(self, name, getattr(deck, name))
        self.names = list(deck.names)
        self.colour = [*deck.colour, len(COLOURS)]

    def strangers(self, count: int) -> range:
        """Return so many new cards that nobody knows."""
        first = len(self.names)
        self.names += [UNKNOWN] * count
        self.colour += [len(COLOURS)] * count
        return range(first, first + count)


def _sum(unit: Mapping[str, int], names: Iterable[str]) -> int:
    return sum(unit[name] for name in names)


def _text(document: Mapping[str, Any]) -> str:
    """Write a deck in its short form as text, in one order (PROTOCOL 16)."""
    rows = [(key, document[key]) for key in deckfile.KEYS[:-1] if key in document]
    for card in document["card"]:
        rows += [(key, card[key]) for key in deckfile.CARD_KEYS if key in card]
    lines = []
    for key, value in rows:
        if isinstance(value, Mapping):
            lines += [f"{key}.{name}={value[name]}" for name in document.get("colours", COLOURS)]
        elif isinstance(value, bool):
            lines.append(f"{key}={'true' if value else 'false'}")
        else:
            text = value if isinstance(value, str | int) else ", ".join(value)
            lines.append(f"{key}={text}")
    return "\n".join(lines)


@cache
def shipped() -> Deck:
    """Return the deck that comes with the program; its file is in the short form already."""
    return Deck(toml.loads(_text_of("deck.toml")))


def template() -> str:
    """Return a deck file to be changed: its keys explained, and the cards of the shipped deck."""
    # Provenance is about our cards, and nothing about theirs.
    cards = _text_of("deck.toml").partition("[[card]]")
    rows = "".join(cards[1:]).splitlines(keepends=True)
    own = [row for row in rows if not row.startswith("provenance")]
    return _text_of("deck-template.toml") + "".join(own)


def _text_of(name: str) -> str:
    return Path(__file__).with_name(name).read_text(encoding="utf-8")
