"""What may be played and who is asked, written once more from the rules page, to compare with.

Slow and plain on purpose: it reads only the public table and a hand, and shares nothing with the
engine but the names of the table's keys.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import combinations
from typing import Any

from referee.games.interface import Held

Table = Mapping[str, Any]
Clauses = dict[str, list[str]]
"""A play taken apart: each word with what it names, in the order of the text."""

ROLES = ("builder", "councillor", "producer", "prospector", "trader")
CARDS = {
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
"""Cost, printed victory points and copies in the 2014 edition (1.1)."""
PRODUCTION = tuple(CARDS)[:5]


def text_of(clauses: Clauses) -> str:
    """The play as a line of words."""
    return " ".join(word for key, named in clauses.items() for word in (key, *named))


def row_of(table: Table, seat: str) -> Table:
    """The seat's own part of the table."""
    found: Table = next(row for row in table["seats"] if row["name"] == seat)
    return found


def city_of(table: Table, seat: str) -> dict[str, str]:
    """Plot and card of what the seat has in play."""
    return {str(entry["plot"]): entry["card"] for entry in row_of(table, seat)["city"]}


def plots(table: Table, seat: str, *, full: bool) -> list[str]:
    """The seat's production buildings with a good, or without one."""
    city = row_of(table, seat)["city"]
    return [str(e["plot"]) for e in city if e["card"] in PRODUCTION and e["good"] is full]


def clockwise(table: Table, first: str) -> list[str]:
    """All seats, from `first` on."""
    names = [row["name"] for row in table["seats"]]
    at = names.index(first)
    return names[at:] + names[:at]


def price(
    table: Table, seat: str, card: str, over: str | None, declined: Collection[str] = ()
) -> int:
    """What a building costs before goods (B1, B4, B5, L1)."""
    city = city_of(table, seat)
    covered = city.pop(over) if over else None
    own = set(city.values())
    off = {}
    if seat == table["chooser"]:
        off["privilege"] = 2 if table["doubled"] and "library" in own else 1
    if "smithy" in own and card in PRODUCTION:
        off["smithy"] = 1
    if "quarry" in own and card not in PRODUCTION:
        off["quarry"] = 1
    cost = CARDS[card][0] - (CARDS[covered][0] if covered else 0)
    return max(0, cost - sum(less for name, less in off.items() if name not in declined))


def may_lay(table: Table, seat: str, card: str, over: str | None) -> bool:
    """Whether the seat may build the card there at all (B2, B4)."""
    city = city_of(table, seat)
    if card not in PRODUCTION and card in city.values():
        return False
    if over is None:
        return True
    return "crane" in city.values() and city.get(over, "crane") not in ("crane", card)


def goods_for(table: Table, seat: str, over: str | None) -> list[str]:
    """The plots whose goods the black market takes in this build (B3, B5)."""
    city = city_of(table, seat)
    if over:
        del city[over]
    if "black-market" not in city.values():
        return []
    return [plot for plot in plots(table, seat, full=True) if plot != over]


def most_produced(table: Table, seat: str) -> int:
    """How many goods the seat may produce (P1)."""
    more = 0
    if seat == table["chooser"]:
        more = 2 if table["doubled"] else 1
    return 1 + more + ("aqueduct" in city_of(table, seat).values())


def most_sold(table: Table, seat: str) -> int:
    """How many goods the seat may sell (S1)."""
    more = 0
    if seat == table["chooser"]:
        more = 2 if table["doubled"] else 1
    return 1 + more + ("trading-post" in city_of(table, seat).values())


def hand_limit(table: Table, seat: str) -> int:
    """How many cards the seat may hold at a round start (section 2)."""
    return 12 if "tower" in city_of(table, seat).values() else 7


def share(table: Table, seat: str) -> tuple[int, int]:
    """How many cards a seat draws in a councillor phase, and how many of them it keeps (C1)."""
    draws = 2
    if seat == table["chooser"]:
        draws = 8 if table["doubled"] else 5
    return draws, 2 if "prefecture" in city_of(table, seat).values() else 1


def _is_set(named: Sequence[str], among: Collection[str]) -> bool:
    return len(set(named)) == len(named) and set(named) <= set(among)


def _build(table: Table, seat: str, hand: Sequence[Held], play: Clauses) -> bool:
    (card,) = play["build"]
    over = play["over"][0] if "over" in play else None
    goods, pay, declined = (play.get(word, []) for word in ("goods", "pay", "decline"))
    if card not in CARDS or not may_lay(table, seat, card, over):
        return False
    for name in declined:
        others = [other for other in declined if other != name]
        if price(table, seat, card, over, others) == price(table, seat, card, over, declined):
            return False
    cost = price(table, seat, card, over, declined)
    if not _is_set(goods, goods_for(table, seat, over)) or len(goods) > min(2, cost):
        return False
    left = [held.name for held in hand if held.letter not in pay]
    letters = [held.letter for held in hand]
    return card in left and len(pay) == cost - len(goods) and _is_set(pay, letters)


def _keep(table: Table, seat: str, hand: Sequence[Held], play: Clauses) -> bool:
    drawn = row_of(table, seat)["drawn"]
    kept = share(table, seat)[1]
    letters = [held.letter for held in hand]
    if "archive" in city_of(table, seat).values():
        named = play.get("discard", [])
        return list(play) == ["discard"] and len(named) == drawn - kept and _is_set(named, letters)
    named = play.get("keep", [])
    return list(play) == ["keep"] and len(named) == kept and _is_set(named, letters[-drawn:])


def _tidy(table: Table, seat: str, hand: Sequence[Held], play: Clauses) -> bool:
    tucked, discarded = play.get("chapel", []), play.get("discard", [])
    if not set(play) <= {"chapel", "discard"} or len(tucked) > 1:
        return False
    if tucked and "chapel" not in city_of(table, seat).values():
        return False
    excess = max(0, len(hand) - len(tucked) - hand_limit(table, seat))
    letters = [held.letter for held in hand]
    return len(discarded) == excess and _is_set([*tucked, *discarded], letters)


def legal(kind: str, table: Table, seat: str, hand: Sequence[Held], play: Clauses) -> bool:
    """Whether a play in canonical form answers the seat's open decision."""
    if "pass" in play:
        over = len(hand) > hand_limit(table, seat)
        return kind in ("build", "sell") or (kind == "tidy" and not over)
    if kind == "role":
        free = "library" in city_of(table, seat).values() and seat not in table["library-used"]
        fits = bool(free) or "no-library" not in play
        return fits and play["role"][0] in {*ROLES} - {*table["used"]}
    if kind == "produce":
        named = play["produce"]
        empty = plots(table, seat, full=False)
        return len(named) == most_produced(table, seat) and _is_set(named, empty)
    if kind == "sell":
        named = play["sell"]
        full = plots(table, seat, full=True)
        return len(named) <= most_sold(table, seat) and _is_set(named, full)
    judge = {"build": _build, "keep": _keep, "tidy": _tidy}[kind]
    return judge(table, seat, hand, play)


def could_build(table: Table, seat: str) -> bool:
    """Whether some card could be paid for with this many hand cards, whatever they are."""
    cards = row_of(table, seat)["hand"]
    for card in CARDS:
        for over in (None, *city_of(table, seat)):
            if may_lay(table, seat, card, over):
                goods = min(2, len(goods_for(table, seat, over)))
                if max(0, price(table, seat, card, over) - goods) <= cards - 1:
                    return True
    return False


def asked(table: Table) -> list[str]:
    """The seats that are asked in the phase that begins on this table, in their order.

    `phase` is the role just taken, or `round-start`; `chooser` and `doubled` belong to it.
    """
    order = clockwise(table, table["chooser"])
    rows = {seat: row_of(table, seat) for seat in order}
    match table["phase"]:
        case "builder":
            return [seat for seat in order if could_build(table, seat)]
        case "producer":
            empty = {seat: len(plots(table, seat, full=False)) for seat in order}
            return [seat for seat in order if empty[seat] > most_produced(table, seat)]
        case "trader":
            return [seat for seat in order if plots(table, seat, full=True)]
        case "councillor":
            return _asked_to_keep(table, order)
        case "round-start":
            return [
                seat
                for seat in order
                if rows[seat]["hand"] > hand_limit(table, seat)
                or (rows[seat]["hand"] and "chapel" in city_of(table, seat).values())
            ]
    return []


def _asked_to_keep(table: Table, order: Sequence[str]) -> list[str]:
    left = table["deck"] + table["discards"]
    found = []
    for seat in order:
        draws, kept = share(table, seat)
        drawn = min(draws, left)
        left -= min(drawn, kept)
        if drawn > kept:
            found.append(seat)
    return found


def one_by_one(table: Table) -> bool:
    """Whether the seats of the phase that begins on this table are asked one after another."""
    phase: str = table["phase"]
    left: int = table["deck"] + table["discards"]
    shares = sum(share(table, row["name"])[0] for row in table["seats"])
    return phase == "builder" or (phase == "councillor" and left < shares)


def every_build(table: Table, seat: str, hand: Sequence[Held]) -> list[str]:
    """All legal answers to `build`, by trying every combination of words of the right number."""
    found = ["pass"]
    city = city_of(table, seat)
    letters = sorted(held.letter for held in hand)
    names = ("privilege", "smithy", "quarry")
    for card in {held.name for held in hand}:
        for over in (None, *city):
            full = plots(table, seat, full=True)
            for goods in (g for count in range(3) for g in combinations(full, count)):
                for declined in (d for count in range(4) for d in combinations(names, count)):
                    pays = price(table, seat, card, over, declined) - len(goods)
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
                        if _build(table, seat, hand, play):
                            found.append(text_of(play))
    return found
