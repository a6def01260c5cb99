"""Deck files: the cards of a game of Xanadu read, and all that is wrong with them.

`deck-template.toml` says what the keys mean. Lists of resources may also be texts, and a field a
table with `price`, `resources` and `favour`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

from referee.games.errors import NotUnderstood
from referee.games.fields import Document
from referee.toml import missing_quotes

COLOURS = ("brown", "blue", "yellow", "green")
"""The colours of the rule book, in the order in which they are laid at the beginning."""
SALE_BONUS = {"yellow": 1, "green": 2}
"""Bonus of these colours on a sale with five or six players."""
FIELDS = 4
TEMPLATE = "`sanjuan-ref new --deck-template` prints a deck that can be used"
END_CARD = "end-of-game"
"""The name of the card that ends the game; it is not a building."""

BASE = {
    "brown": ("wood", "clay", "stone"),
    "blue": ("silk", "porcelain", "ink"),
    "yellow": ("gold", "bronze"),
    "green": ("jade",),
}
"""The base costs of the rule book; stone alone is let pass for brown."""

MIN_CARDS, MAX_CARDS = 60, 120
"""Limits to the cards of a deck: six hands and the openings never take all of them."""

KEYS = (
    *("schema", "deck", "edition", "official", "resources", "colours", "counts", "base", "many"),
    "card",
)
MAX_COLOURS = 8
MAX_RESOURCES = 16
MAX_PRICE = 99
CARD_KEYS = (*("id", "name", "colour", "cost", "passive", "field", "final_price", "provenance"),)
FIELD_KEYS = ("price", "resources", "favour")
PROVENANCES = ("official", "name-from-rules", "substitute")
RESERVED = frozenset(
    (
        *("game", "turn", "seen", "play", "seat", "key", "seal", "salt", "from", "until"),
        *("number", "clauses"),
        *("open", "sell", "work", "build", "pass", END_CARD),
    )
)
"""Words that must not name cards: a note or a play could be misread."""

MAX_NAME = 24
"""Limit to the letters of the word for a card."""

_WORD = "[a-z][a-z0-9]*(?:-[a-z0-9]+)*"
_FAULTS = 12


def slug(name: str) -> str:
    """Return the word for a card in plays: `Tailor's Shop` is tailors-shop."""
    text = "".join(letter for letter in name.lower() if letter not in "'\u2019.")
    return "-".join(re.findall("[a-z0-9]+", text))


def load(text: str) -> dict[str, Any]:
    """Read the text of a deck file, and return the deck in its short form.

    Raises NotUnderstood with what is wrong, by card and key.
    """
    import tomllib

    try:
        document = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        hint = missing_quotes(text, error) or TEMPLATE
        raise NotUnderstood(f"the deck is not TOML: {str(error)[:200]}", hint) from None
    return read(document)


def read(document: object) -> dict[str, Any]:
    """Return a deck in its short form: each list of resources as one text, each field likewise.

    The short form of a short form is itself. Raises NotUnderstood like `load`.
    """
    reading = _Reading(document)
    if found := reading.faults:
        more = [f"and {len(found) - _FAULTS} more"] if len(found) > _FAULTS else []
        raise NotUnderstood.of_document(
            "this deck cannot be used",
            [*found[:_FAULTS], *more],
            TEMPLATE,
        )
    return reading.deck


def faults(document: object) -> list[str]:
    """List all that is wrong with a deck; nothing when it can be used."""
    return _Reading(document).faults


class _Reading:
    """One pass over a document that notes what is wrong and puts the rest in its short form."""

    def __init__(self, document: object) -> None:
        self.faults: list[str] = []
        self.deck: dict[str, Any] = {}
        self.resources: frozenset[str] = frozenset()
        self.colours: tuple[str, ...] = COLOURS
        if not isinstance(document, Mapping):
            self.faults.append("a deck has lines such as edition = 1")
            return
        self.top = top = Document(document, "the deck", self.faults)
        top.keys(KEYS)
        self.deck["schema"] = top.number("schema", 1, 1, default=1)
        for key in ("deck", "edition"):
            self.deck[key] = self._word(key)
        self.deck["official"] = top.flag("official")
        self.deck["resources"] = self._names_given("resources", MAX_RESOURCES)
        self.resources = frozenset(self.deck["resources"])
        if top.has("colours"):
            self.colours = tuple(self._names_given("colours", MAX_COLOURS)) or COLOURS
        counts = self._by_colour("counts", MAX_CARDS)
        usual = {colour: SALE_BONUS.get(colour, 0) for colour in self.colours}
        many = self._by_colour("many", 9) if top.has("many") else usual
        self.base = self._base() if top.has("base") else BASE
        cards = top.value("card")
        if not isinstance(cards, list | tuple) or not MIN_CARDS <= len(cards) <= MAX_CARDS:
            top.misfit("card", f"{MIN_CARDS} to {MAX_CARDS} cards")
            return
        if self.colours != COLOURS:
            self.deck["colours"] = list(self.colours)
        self.deck["counts"] = counts
        if self.base is not BASE:
            self.deck["base"] = {colour: " ".join(names) for colour, names in self.base.items()}
        if many != usual:
            self.deck["many"] = many
        self.deck["card"] = [self._card(card, number) for number, card in enumerate(cards, 1)]
        if not self.faults:
            self._check_the_whole(counts)

    def _word(self, key: str) -> str:
        word = self.top.value(key)
        if type(word) is str and re.fullmatch(_WORD, word) and len(word) <= 40:
            return word
        self.top.misfit(key, "lower-case words with hyphens")
        return ""

    def _names_given(self, key: str, most: int) -> list[str]:
        """Return the names that a deck gives to its own things, such as its resources."""
        names = self.top.value(key)
        if (
            not isinstance(names, list | tuple)
            or not 1 <= len(names) <= most
            or not all(type(name) is str and re.fullmatch("[a-z]{2,16}", name) for name in names)
            or len(set(names)) < len(names)
        ):
            self.top.misfit(key, f"1 to {most} different lower-case words")
            return []
        return list(names)

    def _by_colour(self, key: str, most: int = -1) -> dict[str, Any]:
        """Return a table with a value for each colour; `most` is for numbers."""
        value = self.top.value(key)
        if not isinstance(value, Mapping) or set(value) != set(self.colours):
            self.top.misfit(key, f"said for each of {', '.join(self.colours)}")
            return {}
        if most >= 0 and not all(
            type(count) is int and 0 <= count <= most for count in value.values()
        ):
            self.top.misfit(key, f"numbers from 0 to {most}")
            return {}
        return {colour: value[colour] for colour in self.colours}

    def _base(self) -> dict[str, tuple[str, ...]]:
        base = {f"base.{colour}": names for colour, names in self._by_colour("base").items()}
        table = self.top.inner(base, self.top.path)
        return {
            colour: tuple(self._resources(table, f"base.{colour}", 1, 16))
            for colour in (self.colours if base else ())
        }

    def _resources(self, table: Document, key: str, least: int, most: int) -> list[str]:
        """Return resources, given as a list or as one text."""
        names = table.value(key)
        if isinstance(names, str):
            names = names.split() if re.fullmatch("[a-z ]*", names) else None
        if not isinstance(names, list | tuple) or not all(type(name) is str for name in names):
            table.misfit(key, "resources")
            return []
        for name in names:
            if name not in self.resources:
                called = f"{table.name(key)} names {name[:40]!r}"
                table.fault(f"{called}, which is not among the resources")
        if not least <= len(names) <= most:
            count = f"{least} to {most}" if least < most else str(most)
            table.misfit(key, f"{count} resources, not {len(names)}")
        return list(names)

    def _card(self, row: object, number: int) -> dict[str, Any]:
        if not isinstance(row, Mapping):
            self.top.fault(f"card {number} is no part with lines of its own, below [[card]]")
            return {}
        name = row.get("name")
        called = repr(name[:40]) if isinstance(name, str) and name else number
        card = self.top.inner(row, f"card {called}")
        if type(name) is not str or not _makes_a_word(name):
            card.misfit("name", "a name that makes a word for a play")
        card.keys(CARD_KEYS)
        short: dict[str, Any] = {"name": name, "colour": card.value("colour")}
        if short["colour"] not in self.colours:
            card.misfit("colour", f"one of {', '.join(self.colours)}")
        short["cost"] = " ".join(self._cost(card))
        if card.has("passive") and (passive := self._resources(card, "passive", 0, 2)):
            short["passive"] = " ".join(passive)
        fields = card.value("field")
        if isinstance(fields, list | tuple) and len(fields) == FIELDS:
            short["field"] = [
                self._field(field, card, f"field {place}") for place, field in enumerate(fields, 1)
            ]
        else:
            card.misfit("field", f"{FIELDS} fields")
        short["final_price"] = card.number("final_price", 0, MAX_PRICE)
        if card.has("id"):
            short["id"] = mark = card.text("id", 40)
            if not mark or not mark.isprintable():
                card.misfit("id", "a short text")
        if card.has("provenance"):
            short["provenance"] = card.value("provenance")
            if short["provenance"] not in PROVENANCES:
                card.misfit("provenance", f"one of {', '.join(PROVENANCES)}")
        return short

    def _cost(self, card: Document) -> list[str]:
        cost = self._resources(card, "cost", 1, 8)
        colour = card.value("colour")
        base = self.base.get(colour, ()) if type(colour) is str else ()
        if base and cost and self.resources.issuperset(cost) and not set(base) & set(cost):
            text = f"has none of the base cost of {colour}: {', '.join(base)}"
            card.fault(f"{card.name('cost')} {text}")
        return cost

    def _field(self, field: object, card: Document, key: str) -> str:
        """Return a field as text: its price, what it gives, `+` and the favour."""
        if isinstance(field, str):
            match = re.fullmatch(" *([0-9]{1,2})((?: +[a-z]+)*)(?: +[+] +([a-z]+))? *", field)
            if not match:
                card.fault(f"{card.name(key)} must be like '4 clay stone + gold'")
                return ""
            price, gives, favour = int(match[1]), match[2].split(), match[3]
        elif isinstance(field, Mapping):
            inner = self.top.inner(field, f"{card.path}, {key}")
            inner.keys(FIELD_KEYS)
            price = inner.number("price", 0, MAX_PRICE)
            gives = inner.value("resources", [])
            favour = inner.value("favour")
            if favour is not None and type(favour) is not str:
                inner.misfit("favour", "a resource")
                favour = None
        else:
            card.fault(f"{card.name(key)} is neither a text nor {{ price = 4 }}")
            return ""
        parts = self.top.inner({key: gives, f"{key}, favour": [favour]}, card.path)
        words = [str(price), *self._resources(parts, key, 0, 4)]
        if favour is not None:
            words += ["+", *self._resources(parts, f"{key}, favour", 1, 1)]
        return " ".join(words)

    def _check_the_whole(self, counts: Mapping[str, int]) -> None:
        """Note what only all cards together show."""
        cards = self.deck["card"]
        for key, names in (
            ("name", [slug(card["name"]) for card in cards]),
            ("id", [card["id"] for card in cards if "id" in card]),
        ):
            for name, times in Counter(names).items():
                if times > 1:
                    self.top.fault(f"card {name!r}: {key} stands on {times} cards")
        found = Counter(card["colour"] for card in cards)
        for colour in self.colours:
            if counts[colour] != found[colour]:
                text = f"counts.{colour} says {counts[colour]}, there are {found[colour]}"
                self.top.fault(f"the deck: {text}")
        made = {word for card in cards for word in card.get("passive", "").split()}
        for card in cards:
            for field in card["field"]:
                made.update(field.split())
        for card in cards:
            for name in dict.fromkeys(card["cost"].split()):
                if name not in made:
                    text = f"cost needs {name}, which nothing gives"
                    self.top.fault(f"card {card['name']!r}: {text}")


def _makes_a_word(name: str) -> bool:
    """Return True if a card's name gives a word that a play can say."""
    word = slug(name)
    return (
        re.fullmatch(_WORD, word) is not None
        and 3 <= len(word) <= MAX_NAME
        and name.isprintable()
        and len(name) <= 60
        and word not in RESERVED
    )
