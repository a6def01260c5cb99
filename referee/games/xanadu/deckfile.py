"""Deck files: the cards of a game of Xanadu read, and all that is wrong with them.

`deck-template.toml` says what the keys mean. Lists of resources may also be texts, and a field a
table with `price`, `resources` and `favour`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from referee.games.errors import NotUnderstood

COLOURS = ("brown", "blue", "yellow", "green")
"""The colours of the rule book, in the order in which they are laid at the beginning."""
SALE_BONUS = {"yellow": 1, "green": 2}
"""Bonus of these colours on a sale with five or six players."""
FIELDS = 4
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
        raise NotUnderstood(f"the deck is not TOML: {str(error)[:200]}") from None
    return read(document)


def read(document: object) -> dict[str, Any]:
    """Return a deck in its short form: each list of resources as one text, each field likewise.

    The short form of a short form is itself. Raises NotUnderstood like `load`.
    """
    reading = _Reading(document)
    if reading.faults:
        more = len(reading.faults) - _FAULTS
        rest = [f"and {more} more"] if more > 0 else []
        raise NotUnderstood.of_document(
            "this deck cannot be used",
            [*reading.faults[:_FAULTS], *rest],
            "`sanjuan-ref new --deck-template` prints a deck that can be used",
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
            self.fault("a deck", "", "is a table")
            return
        self._keys(document, KEYS, "the deck")
        if self._get(document, "schema", int, "the deck") not in (1, None):
            self.fault("the deck", "schema", "must be 1")
        self.deck["schema"] = 1
        for key in ("deck", "edition"):
            self.deck[key] = self._word(document, key)
        self.deck["official"] = self._get(document, "official", bool, "the deck")
        self.deck["resources"] = self._resources(document)
        if "colours" in document:
            self.colours = self._colours(document["colours"])
        counts = self._table(document, "counts", MAX_CARDS)
        base = self._table(document, "base") if "base" in document else None
        usual = {colour: SALE_BONUS.get(colour, 0) for colour in self.colours}
        many = self._table(document, "many", 9) if "many" in document else usual
        self.base = BASE if base is None else self._base(base)
        cards = document.get("card")
        if not isinstance(cards, list | tuple) or not MIN_CARDS <= len(cards) <= MAX_CARDS:
            self.fault("the deck", "card", f"must be {MIN_CARDS} to {MAX_CARDS} cards")
            return
        if self.colours != COLOURS:
            self.deck["colours"] = list(self.colours)
        self.deck["counts"] = counts
        if base is not None:
            self.deck["base"] = {colour: " ".join(names) for colour, names in self.base.items()}
        if many != usual:
            self.deck["many"] = many
        self.deck["card"] = [self._card(card, number) for number, card in enumerate(cards, 1)]
        if not self.faults:
            self._whole(counts)

    def fault(self, where: str, key: str, text: str) -> None:
        self.faults.append(f"{where}: {key} {text}" if key else f"{where} {text}")

    def _keys(self, table: Mapping[str, Any], known: Sequence[str], where: str) -> None:
        for key in table:
            if key not in known:
                self.faults.append(f"{str(key)[:40]!r} is not a key that {where} can have")

    def _get(self, table: Mapping[str, Any], key: str, kind: type, where: str) -> Any:
        """Return a value of this type; None after noting that it is missing or another."""
        value = table.get(key)
        if type(value) is kind:
            return value
        kinds = {int: "a number", str: "a text", bool: "true or false"}
        self.fault(where, key, "is missing" if value is None else f"must be {kinds[kind]}")
        return None

    def _word(self, table: Mapping[str, Any], key: str) -> str:
        value = self._get(table, key, str, "the deck")
        if value is not None and not (re.fullmatch(_WORD, value) and len(value) <= 40):
            self.fault("the deck", key, "must be lower-case words with hyphens")
        return value or ""

    def _resources(self, document: Mapping[str, Any]) -> list[str]:
        found = document.get("resources")
        names = list(found) if isinstance(found, list | tuple) else []
        if (
            not 1 <= len(names) <= 16
            or not all(type(name) is str and re.fullmatch("[a-z]{2,16}", name) for name in names)
            or len(set(names)) < len(names)
        ):
            self.fault("the deck", "resources", "must be 1 to 16 different lower-case words")
            return []
        self.resources = frozenset(names)
        return names

    def _colours(self, names: object) -> tuple[str, ...]:
        if (
            not isinstance(names, list | tuple)
            or not 1 <= len(names) <= MAX_COLOURS
            or not all(type(name) is str and re.fullmatch("[a-z]{2,16}", name) for name in names)
            or len(set(names)) < len(names)
        ):
            text = f"must be 1 to {MAX_COLOURS} different lower-case words"
            self.fault("the deck", "colours", text)
            return COLOURS
        return tuple(names)

    def _table(self, document: Mapping[str, Any], key: str, most: int = -1) -> dict[str, Any]:
        """Return a table with a value for each colour; `most` is for numbers."""
        value = document.get(key)
        if not isinstance(value, Mapping) or set(value) != set(self.colours):
            self.fault("the deck", key, f"must be a table of {', '.join(self.colours)}")
            return {}
        if most >= 0 and not all(
            type(count) is int and 0 <= count <= most for count in value.values()
        ):
            self.fault("the deck", key, f"must be numbers from 0 to {most}")
            return {}
        return {colour: value[colour] for colour in self.colours}

    def _base(self, table: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
        return {
            colour: tuple(self._names(names, "the deck", f"base.{colour}", 1, 16))
            for colour, names in table.items()
        }

    def _names(self, value: object, where: str, key: str, least: int, most: int) -> list[str]:
        """Return resources, given as a list or as one text."""
        names = value
        if isinstance(value, str):
            names = value.split() if re.fullmatch("[a-z ]*", value) else None
        if not isinstance(names, list | tuple) or not all(type(name) is str for name in names):
            self.fault(where, key, "must be resources")
            return []
        for name in names:
            if name not in self.resources:
                self.fault(where, key, f"names {name[:40]!r}, which is not among the resources")
        if not least <= len(names) <= most:
            count = f"{least} to {most}" if least < most else str(most)
            self.fault(where, key, f"must be {count} resources, not {len(names)}")
        return list(names)

    def _price(self, table: Mapping[str, Any], key: str, where: str, called: str) -> int:
        value = table.get(key)
        if type(value) is not int or not 0 <= value <= 99:
            self.fault(where, called, "must be a price from 0 to 99")
            return 0
        return value

    def _card(self, card: object, number: int) -> dict[str, Any]:
        where = f"card {number}"
        if not isinstance(card, Mapping):
            self.fault(where, "", "is not a table")
            return {}
        name = self._get(card, "name", str, where)
        if name is not None:
            where = f"card {name[:40]!r}" if name else where
            called = slug(name)
            if (
                not re.fullmatch(_WORD, called)
                or not 3 <= len(called) <= MAX_NAME
                or not name.isprintable()
                or len(name) > 60
                or called in RESERVED
            ):
                self.fault(where, "name", "makes no word for a play")
        self._keys(card, CARD_KEYS, where)
        short: dict[str, Any] = {"name": name}
        colour = self._get(card, "colour", str, where)
        if colour is not None and colour not in self.colours:
            self.fault(where, "colour", f"must be one of {', '.join(self.colours)}")
        short["colour"] = colour
        cost = self._names(card.get("cost"), where, "cost", 1, 8)
        base = self.base.get(str(colour), ())
        if base and cost and self.resources.issuperset(cost) and not set(base) & set(cost):
            self.fault(where, "cost", f"has none of the base cost of {colour}: {', '.join(base)}")
        short["cost"] = " ".join(cost)
        if "passive" in card:
            passive = self._names(card["passive"], where, "passive", 0, 2)
            if passive:
                short["passive"] = " ".join(passive)
        fields = card.get("field")
        if not isinstance(fields, list | tuple) or len(fields) != FIELDS:
            self.fault(where, "field", f"must be {FIELDS} fields")
        else:
            short["field"] = [
                self._field(field, where, f"field {number}")
                for number, field in enumerate(fields, 1)
            ]
        short["final_price"] = self._price(card, "final_price", where, "final_price")
        for key in ("id", "provenance"):
            if key in card:
                short[key] = self._get(card, key, str, where)
        if short.get("provenance", PROVENANCES[0]) not in PROVENANCES:
            self.fault(where, "provenance", f"must be one of {', '.join(PROVENANCES)}")
        mark = short.get("id") or ""
        if "id" in card and not (0 < len(mark) <= 40 and mark.isprintable()):
            self.fault(where, "id", "must be a short text")
        return short

    def _field(self, field: object, where: str, key: str) -> str:
        """Return a field as text: its price, what it gives, `+` and the favour."""
        if isinstance(field, str):
            match = re.fullmatch(" *([0-9]{1,2})((?: +[a-z]+)*)(?: +[+] +([a-z]+))? *", field)
            if not match:
                self.fault(where, key, "must be like '4 clay stone + gold'")
                return ""
            price, gives, favour = int(match[1]), match[2].split(), match[3]
        elif isinstance(field, Mapping):
            self._keys(field, FIELD_KEYS, f"{where}, {key}")
            price = self._price(field, "price", where, f"{key}, price")
            gives = field.get("resources", [])
            favour = field.get("favour")
            if favour is not None and type(favour) is not str:
                self.fault(where, f"{key}, favour", "must be a resource")
                favour = None
        else:
            self.fault(where, key, "is neither a text nor a table")
            return ""
        words = [str(price), *self._names(gives, where, key, 0, 4)]
        if favour is not None:
            words += ["+", *self._names([favour], where, f"{key}, favour", 1, 1)]
        return " ".join(words)

    def _whole(self, counts: Mapping[str, int]) -> None:
        """Note what only all cards together show."""
        cards = self.deck["card"]
        for key, names in (
            ("name", [slug(card["name"]) for card in cards]),
            ("id", [card["id"] for card in cards if "id" in card]),
        ):
            for name, times in Counter(names).items():
                if times > 1:
                    self.fault(f"card {name!r}", key, f"stands on {times} cards")
        found = Counter(card["colour"] for card in cards)
        for colour in self.colours:
            if counts[colour] != found[colour]:
                text = f"says {counts[colour]}, there are {found[colour]}"
                self.fault("the deck", f"counts.{colour}", text)
        made = {word for card in cards for word in card.get("passive", "").split()}
        for card in cards:
            for field in card["field"]:
                made.update(field.split())
        for card in cards:
            for name in dict.fromkeys(card["cost"].split()):
                if name not in made:
                    self.fault(
                        f"card {card['name']!r}", "cost", f"needs {name}, which nothing gives"
                    )
