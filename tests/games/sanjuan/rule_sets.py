"""Every rule set there is, and its cards, written down once more from the rules page (1.1, 1.2)."""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

from referee.games.sanjuan.rules import RULES, SanJuanRules

BASE = {
    "indigo-plant": (1, 1, 10),
    "sugar-mill": (2, 1, 8),
    "tobacco-storage": (3, 2, 8),
    "coffee-roaster": (4, 2, 8),
    "silver-smelter": (5, 3, 8),
    "smithy": (1, 1, 3),
    "gold-mine": (1, 1, 3),
    "archive": (1, 1, 3),
    "poor-house": (2, 1, 3),
    "black-market": (2, 1, 3),
    "trading-post": (2, 1, 3),
    "well": (2, 1, 3),
    "market-stand": (2, 1, 3),
    "crane": (2, 1, 3),
    "chapel": (3, 2, 3),
    "tower": (3, 2, 3),
    "aqueduct": (3, 2, 3),
    "carpenter": (3, 2, 3),
    "prefecture": (4, 2, 3),
    "market-hall": (4, 2, 3),
    "quarry": (4, 2, 3),
    "library": (5, 3, 3),
    "statue": (3, 3, 3),
    "victory-column": (4, 4, 3),
    "hero": (5, 5, 3),
    "guild-hall": (6, 0, 2),
    "city-hall": (6, 0, 2),
    "triumphal-arch": (6, 0, 2),
    "palace": (6, 0, 2),
}
"""Cost, printed victory points and copies in the 2014 edition."""
NEW = {
    "guard-room": (1, 1, 3),
    "office-building": (1, 1, 3),
    "hut": (1, 1, 3),
    "tavern": (2, 1, 3),
    "park": (3, 2, 3),
    "customs-office": (3, 2, 3),
    "bank": (3, 2, 3),
    "harbor": (4, 2, 3),
    "goldsmith": (5, 3, 3),
    "residence": (6, 0, 2),
    "indigo-plant": (1, 1, 11),
    "tobacco-storage": (3, 2, 9),
    "coffee-roaster": (4, 2, 9),
    "silver-smelter": (5, 3, 9),
    "cathedral": (7, 0, 1),
}
"""Cards that the new buildings add or change; the cathedral lies beside the deck."""
EVENTS = ("debt-relief", "earthquake", "free-build", "general-amnesty", "governor-visit", "taxes")
PRODUCTION = tuple(BASE)[:5]


class RuleSet(NamedTuple):
    """One of the ways to play."""

    edition: str
    expansions: tuple[str, ...]
    variants: tuple[str, ...]

    def __str__(self) -> str:
        return "+".join((self.edition, *self.expansions, *self.variants))

    @property
    def cards(self) -> dict[str, tuple[int, int, int]]:
        """The buildings of the rule set: cost, printed victory points, copies."""
        prefecture = (3 if self.edition == "2004" else 4, 2, 3)
        return BASE | {"prefecture": prefecture} | (NEW if self.new_buildings else {})

    @property
    def new_buildings(self) -> bool:
        """True if the new buildings are in."""
        return "new-buildings" in self.expansions

    @property
    def events(self) -> tuple[str, ...]:
        """The events of the rule set, one card each."""
        return EVENTS if "events" in self.expansions else ()

    @property
    def rules(self) -> SanJuanRules:
        """The rules module's own object."""
        found = RULES.choose(self.edition, self.expansions, self.variants, {})
        assert isinstance(found, SanJuanRules)
        return found


EVERY = tuple(
    RuleSet(edition, expansions, variants)
    for expansions, variants, edition in product(
        ((), ("new-buildings",), ("events",), ("new-buildings", "events")),
        ((), ("draft-start",)),
        ("2014", "2004"),
    )
)
NAMED = {
    "2014": RuleSet("2014", (), ()),
    "2004": RuleSet("2004", (), ()),
    "new-buildings": RuleSet("2014", ("new-buildings",), ()),
    "events": RuleSet("2014", ("events",), ()),
    "all": RuleSet("2004", ("new-buildings", "events"), ("draft-start",)),
}
"""A few that show everything, for what is too long to be done with every one."""
