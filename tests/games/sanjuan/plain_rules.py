"""The legal plays, written once more from the rules page, to compare with.

Slow and plain on purpose: it reads only the public table and a hand, and shares nothing with the
engine but the names of the table's keys.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

from referee.games.values import Held
from tests.games.sanjuan.rule_sets import PRODUCTION, RuleSet

Clauses = dict[str, list[str]]
"""A play taken apart: each word with what it names, in the order of the text."""

ROLES = ("builder", "councillor", "producer", "prospector", "trader")
PASSES = ("build", "sell", "office", "amnesty", "free-build")
"""Kinds of decisions that may always be answered by `pass`."""


class Seen(NamedTuple):
    """Everything that all see: the rule set and the public table."""

    rule_set: RuleSet
    table: Mapping[str, Any]

    @property
    def names(self) -> list[str]:
        """All seats in their order."""
        return [row["name"] for row in self.table["seats"]]

    def row(self, seat: str) -> Mapping[str, Any]:
        """The seat's own part of the table."""
        found: Mapping[str, Any] = next(r for r in self.table["seats"] if r["name"] == seat)
        return found

    def city(self, seat: str) -> dict[str, str]:
        """Plot and card of what the seat has in play."""
        return {str(entry["plot"]): entry["card"] for entry in self.row(seat)["city"]}

    def owns(self, seat: str, card: str) -> bool:
        """Return True if the seat has the building in play."""
        return card in self.city(seat).values()

    def cost(self, card: str) -> int:
        """The printed cost."""
        return self.rule_set.cards[card][0]

    def empty_plants(self, seat: str) -> list[str]:
        """The plots of production buildings without a good."""
        city = self.row(seat)["city"]
        return [str(e["plot"]) for e in city if e["card"] in PRODUCTION and not e["good"]]

    def goods(self, seat: str) -> list[str]:
        """The plots with a good, on a production building or a customs office."""
        return [str(e["plot"]) for e in self.row(seat)["city"] if e.get("good")]

    def more(self, seat: str, single: int, doubled: int) -> int:
        """The number that the privilege of the running phase adds for the seat (L1)."""
        if seat != self.table["chooser"]:
            return 0
        return doubled if self.table["doubled"] else single

    def library_is_free(self, seat: str) -> bool:
        """Return True if the seat could double the privilege of the role it takes now (L1)."""
        return self.owns(seat, "library") and seat not in self.table["library-used"]


def text_of(clauses: Clauses) -> str:
    """The play as a line of words."""
    return " ".join(word for key, named in clauses.items() for word in (key, *named))


def price(
    seen: Seen, seat: str, card: str, over: str | None, declined: Collection[str] = ()
) -> int:
    """The price of a building before goods (B1, B4, B5, L1)."""
    city = seen.city(seat)
    covered = city.pop(over) if over else None
    own = set(city.values())
    off = {}
    if seat == seen.table["chooser"]:
        off["privilege"] = 2 if seen.table["doubled"] and "library" in own else 1
    if "smithy" in own and card in PRODUCTION:
        off["smithy"] = 1
    if "quarry" in own and card not in PRODUCTION:
        off["quarry"] = 1
    cost = seen.cost(card)
    if covered:
        cost -= 6 if covered == "park" else seen.cost(covered)
    return max(0, cost - sum(less for name, less in off.items() if name not in declined))


def may_lay(seen: Seen, seat: str, card: str, over: str | None) -> bool:
    """Return True if the seat may build the card there at all (B2, B4, B8)."""
    city = seen.city(seat)
    if card not in PRODUCTION and card in city.values():
        return False
    if card == "cathedral" and card not in seen.table.get("beside", ()):
        return False
    if over is None:
        return True
    return "crane" in city.values() and city.get(over, "crane") not in ("crane", card)


def goods_for(seen: Seen, seat: str, over: str | None) -> list[str]:
    """The plots whose goods the black market takes in this build (B3, B5)."""
    city = seen.city(seat)
    if over:
        del city[over]
    if "black-market" not in city.values():
        return []
    return [plot for plot in seen.goods(seat) if plot != over]


def most_produced(seen: Seen, seat: str) -> int:
    """The number of goods that the seat may produce (P1)."""
    return 1 + seen.more(seat, 1, 2) + seen.owns(seat, "aqueduct")


def most_sold(seen: Seen, seat: str) -> int:
    """The number of goods that the seat may sell (S1)."""
    return 1 + seen.more(seat, 1, 2) + seen.owns(seat, "trading-post")


def hand_limit(seen: Seen, seat: str) -> int:
    """The number of cards that the seat may hold at a round start (section 2)."""
    if seen.owns(seat, "tower"):
        return 12
    guarded = any(seen.owns(name, "guard-room") for name in seen.names)
    return 6 if guarded and not seen.owns(seat, "guard-room") else 7


def share(seen: Seen, seat: str) -> tuple[int, int]:
    """The number of cards a seat draws in a councillor phase, and of those that it keeps (C1)."""
    return 2 + seen.more(seat, 3, 6), 2 if seen.owns(seat, "prefecture") else 1


def _is_set(named: Sequence[str], among: Collection[str]) -> bool:
    return len(set(named)) == len(named) and set(named) <= set(among)


def _build(seen: Seen, seat: str, hand: Sequence[Held], play: Clauses) -> bool:
    (card,) = play["build"]
    over = play["over"][0] if "over" in play else None
    goods, pay, declined = (play.get(word, []) for word in ("goods", "pay", "decline"))
    if card not in seen.rule_set.cards or not may_lay(seen, seat, card, over):
        return False
    for name in declined:
        others = [other for other in declined if other != name]
        if price(seen, seat, card, over, others) == price(seen, seat, card, over, declined):
            return False
    cost = price(seen, seat, card, over, declined)
    if not _is_set(goods, goods_for(seen, seat, over)) or len(goods) > min(2, cost):
        return False
    left = [held.name for held in hand if held.letter not in pay]
    if card not in left and card != "cathedral":
        return False
    letters = [held.letter for held in hand]
    return len(pay) == cost - len(goods) and _is_set(pay, letters)


def _keep(seen: Seen, seat: str, hand: Sequence[Held], play: Clauses) -> bool:
    drawn = seen.row(seat)["drawn"]
    kept = share(seen, seat)[1]
    letters = [held.letter for held in hand]
    if seen.owns(seat, "archive"):
        named = play.get("discard", [])
        return list(play) == ["discard"] and len(named) == drawn - kept and _is_set(named, letters)
    named = play.get("keep", [])
    return list(play) == ["keep"] and len(named) == kept and _is_set(named, letters[-drawn:])


def _tidy(seen: Seen, seat: str, hand: Sequence[Held], play: Clauses) -> bool:
    chapel, bank, discard = (play.get(word, []) for word in ("chapel", "bank", "discard"))
    if len(chapel) > (1 if seen.owns(seat, "chapel") else 0):
        return False
    if bank and (not seen.owns(seat, "bank") or seat in seen.table["bank-used"]):
        return False
    excess = max(0, len(hand) - len(chapel) - len(bank) - hand_limit(seen, seat))
    letters = [held.letter for held in hand]
    return len(discard) == excess and _is_set([*chapel, *bank, *discard], letters)


def _role(seen: Seen, seat: str, hand: Sequence[Held], play: Clauses) -> bool:
    library = "no-library" in play
    if library and not seen.library_is_free(seat):
        return False
    if "role" in play:
        return "event" not in play and play["role"][0] in {*ROLES} - {*seen.table["used"]}
    event, *role = play["event"]
    if event not in seen.table.get("events", ()):
        return False
    if event == "governor-visit":
        return len(role) == 1 and role[0] in seen.table["used"]
    return not role and not library


def _free_build(seen: Seen, seat: str, hand: Sequence[Held], play: Clauses) -> bool:
    (card,) = play["build"]
    if card not in [held.name for held in hand] or list(play) != ["build"]:
        return False
    return seen.cost(card) <= 4 and (card in PRODUCTION or not seen.owns(seat, card))


def legal(kind: str, seen: Seen, seat: str, hand: Sequence[Held], play: Clauses) -> bool:
    """Return True if a play in canonical form answers the seat's open decision."""
    if "pass" in play:
        return kind in PASSES or (kind == "tidy" and len(hand) <= hand_limit(seen, seat))
    judges = {"build": _build, "keep": _keep, "tidy": _tidy, "role": _role}
    if kind in judges:
        return judges[kind](seen, seat, hand, play)
    if kind == "free-build":
        return _free_build(seen, seat, hand, play)
    (named,) = play.values()
    letters = [held.letter for held in hand]
    bounds: dict[str, tuple[Sequence[str], int, int]] = {
        "draft": (letters, 4, 4),
        "office": (letters, 1, 2),
        "taxes": (letters, 1, 1),
        "amnesty": (letters, 1, len(letters)),
        "produce": (seen.empty_plants(seat), most_produced(seen, seat), most_produced(seen, seat)),
        "sell": (seen.goods(seat), 1, most_sold(seen, seat)),
        "mine": (seen.table.get("turned", []), 1, 1),
        "earthquake": (list(seen.city(seat)), 1, 1),
    }
    among, least, most = bounds[kind]
    return least <= len(named) <= most and _is_set(named, among)


def every_build(seen: Seen, seat: str, hand: Sequence[Held]) -> list[str]:
    """All legal answers to `build`, by trying every combination of words of the right number."""
    found = ["pass"]
    city = seen.city(seat)
    letters = sorted(held.letter for held in hand)
    names = ("privilege", "smithy", "quarry")
    full = seen.goods(seat)
    for card in {*(held.name for held in hand), *seen.table.get("beside", ())}:
        for over in (None, *city):
            for goods in (g for count in range(3) for g in combinations(full, count)):
                for declined in (d for count in range(4) for d in combinations(names, count)):
                    pays = price(seen, seat, card, over, declined) - len(goods)
                    if pays < 0:
                        continue
                    for pay in combinations(letters, pays):
                        play: Clauses = {"build": [card]}
                        for word, named in (
                            ("over", (over,) if over else ()),
                            ("goods", goods),
                            ("pay", pay),
                            ("decline", declined),
                        ):
                            if named:
                                play[word] = list(named)
                        if _build(seen, seat, hand, play):
                            found.append(text_of(play))
    return found
