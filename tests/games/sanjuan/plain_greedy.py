"""`greedy-1` for San Juan, written once more from schemas/GREEDY.md.

It reads the public table and a hand, and shares nothing with the program's own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

from referee.games.values import Held
from tests.games.sanjuan import plain_rules
from tests.games.sanjuan.plain_rules import Seen, goods_for, may_lay, share
from tests.games.sanjuan.plain_score import DWINDLING, MONUMENTS, sets
from tests.games.sanjuan.rule_sets import PRODUCTION

SCHEMAS = Path(__file__).parents[3] / "schemas"
_TABLE = (SCHEMAS / "GREEDY.md").read_text(encoding="utf-8").split("**Use**")[1].split("\n\n")[1]
USE = {name: Fraction(use) for name, use in re.findall(r"`([a-z-]+)` \| ([0-9.]+) ", _TABLE)}
TILES = ("11122", "11222", "11223", "12223", "12233")
ROLES = ("builder", "producer", "trader", "councillor", "prospector")
NAMES = [
    line.split("`")[1]
    for line in (SCHEMAS / "san-juan.md").read_text(encoding="utf-8").splitlines()
    if re.match(r"\| \d+ \|", line)
]
"""The cards by number."""
F = Fraction


class Build(NamedTuple):
    """The best build: what it gains, the card, the plot it covers, goods, number of cards paid."""

    gain: Fraction
    card: str
    over: str | None
    goods: list[str]
    pays: int


def average(card: str) -> Fraction:
    """The average price of a good of this building over the five tiles."""
    if card == "customs-office":
        return F(2)
    return F(sum(int(tile[PRODUCTION.index(card)]) for tile in TILES), len(TILES))


class Greedy:
    """One seat that thinks."""

    def __init__(self, seen: Seen, seat: str, hand: Sequence[Held]) -> None:
        self.seen = seen
        self.seat = seat
        self.hand = list(hand)
        self.names = [held.name for held in hand]
        self.city = seen.city(seat)
        self.mine = list(self.city.values())
        most = max(len(seen.city(name)) for name in seen.names)
        self.left = max(0, 12 - most)
        self.card = F(3, 4) * min(F(1), F(2 + self.left, 8))

    def points(self, card: str) -> int:
        return self.seen.rule_set.cards[card][1]

    def residence(self, city: Sequence[str]) -> int:
        rule_set = self.seen.rule_set
        return DWINDLING[min(4, sum(sets(rule_set, city, cost) for cost in range(1, 8)))]

    def worth(self, card: str) -> Fraction:
        mine, left = self.mine, self.left
        plants = [one for one in mine if one in PRODUCTION]
        value = self.points(card) + USE.get(card, F(0)) * left / 12
        if card in PRODUCTION:
            if "guild-hall" in mine:
                value += 1 if card in mine else 2
            value -= F("0.35") * left / 12 * mine.count(card)
        elif "city-hall" in mine:
            value += 1
        if card in MONUMENTS and "triumphal-arch" in mine:
            value += 2
        if "residence" in mine:
            value += self.residence([*mine, card]) - self.residence(mine)
        match card:
            case "guild-hall":
                value += len(plants) + len(set(plants)) + F(left, 4)
            case "city-hall":
                value += len(mine) - len(plants) + 1 + F(left, 4)
            case "triumphal-arch":
                have = len(set(mine) & set(MONUMENTS))
                held = bool(set(self.names) & set(MONUMENTS))
                value += (0, 4, 6, 8)[min(3, have + held)] - (0 if have else F("1.5"))
            case "residence":
                value += self.residence([*mine, card]) + F(left, 4)
            case "cathedral":
                others = [n for n in self.seen.names if n != self.seat]
                cities = [one for n in others for one in self.seen.city(n).values()]
                sixes = len([one for one in cities if self.seen.cost(one) == 6])
                value += DWINDLING[min(4, sixes)] + F("0.3") * left
            case "palace":
                value += 2 + F(sum(map(self.points, mine)), 4) + F("0.3") * left
        return value * F(5, 4) if "palace" in mine else value

    def price(self, card: str, over: str | None = None) -> int:
        return plain_rules.price(self.seen, self.seat, card, over)

    def hold(self, card: str) -> Fraction:
        if card not in PRODUCTION and card in self.mine:
            return F(0)
        price = self.price(card)
        far = max(0, price - len(self.hand) - 1)
        return self.worth(card) - self.card * price - F("0.6") * far

    def cheapest(self, cards: Sequence[int], count: int) -> list[int]:
        """Places in the hand."""
        values = []
        for at, place in enumerate(cards):
            name = self.names[place]
            before = [self.names[one] for one in cards[:at]]
            again = name not in PRODUCTION and name in before
            values.append((F(-1) if again else self.hold(name), place))
        return sorted(place for _, place in sorted(values)[:count])

    def best_build(self) -> Build | None:
        seen, seat, best = self.seen, self.seat, None
        beside = seen.table.get("beside", [])
        for card in sorted({*self.names, *beside}, key=NAMES.index):
            means = len(self.hand) - (card not in beside)
            for over in (None, *self.city):
                if not may_lay(seen, seat, card, over):
                    continue
                price = self.price(card, over)
                gain = self.worth(card) + F("0.4") - self.card * price
                if over:
                    good = over in seen.goods(seat)
                    gain -= self.worth(self.city[over]) + F("0.4") + good
                spots = goods_for(seen, seat, over)
                spots.sort(key=lambda plot: (NAMES.index(self.city[plot]), int(plot)))
                needs = max(0, price - means)
                if needs <= min(2, len(spots)) and gain > (best.gain if best else 0):
                    goods = sorted(spots[:needs], key=int)
                    best = Build(gain, card, over, goods, price - needs)
        return best

    # Roles and events.

    def brings(self, role: str, seat: str, p: int) -> Fraction:
        seen = self.seen
        goods = seen.goods(seat)
        city = seen.city(seat)
        match role:
            case "builder" if seat == self.seat:
                table = {**seen.table, "chooser": seat, "doubled": p == 2}
                build = Greedy(Seen(seen.rule_set, table), seat, self.hand).best_build()
                if build is None:
                    return F("-0.5")
                return F("0.35") * min(build.gain, F(6)) + p + F(1, 2) * max(0, len(self.hand) - 7)
            case "builder":
                return F("0.9") if seen.row(seat)["hand"] > 2 else F("0.3")
            case "producer":
                spots = seen.empty_plants(seat)
                best = sorted((average(city[plot]) for plot in spots), reverse=True)
                best = best[: 1 + p + seen.owns(seat, "aqueduct")]
                well = len(best) > 1 and seen.owns(seat, "well")
                return F("0.75") * sum(best, F(0)) + well
            case "trader":
                best = sorted((average(city[plot]) for plot in goods), reverse=True)
                best = best[: 1 + p + seen.owns(seat, "trading-post")]
                more = {"market-stand": 2, "market-hall": 1, "harbor": 1}
                extra = sum(seen.owns(seat, card) for card in more if len(best) >= more[card])
                return F(53, 80) * sum(best, F(0)) + extra
            case "councillor":
                office = [plot for plot, card in city.items() if card == "customs-office"]
                value = F("0.95") * share(seen, seat)[1] + (F(0), F("0.55"), F("0.75"))[p]
                return value + F("1.5") * bool([plot for plot in office if plot not in goods])
        return (
            p + F("0.25") * seen.owns(seat, "gold-mine") + F("0.5") * seen.owns(seat, "goldsmith")
        )

    def above(self, brings: Callable[[str], Fraction]) -> Fraction:
        others = [name for name in self.seen.names if name != self.seat]
        share = F("1.05") / (len(others) + 1)
        return brings(self.seat) - share * sum(map(brings, others), F(0))

    def role_value(self, role: str) -> Fraction:
        p = 2 if self.seen.library_is_free(self.seat) else 1
        return self.above(lambda seat: self.brings(role, seat, p if seat == self.seat else 0))

    def standing(self, seat: str, plot: str) -> Fraction:
        card = self.seen.city(seat)[plot]
        value = self.worth(card)
        if seat != self.seat:
            value = self.points(card) + USE.get(card, F(0)) / 2
        store = card in ("chapel", "bank", "harbor")
        return value + 3 * store + (plot in self.seen.goods(seat))

    def free(self) -> list[str]:
        names = sorted(set(self.names), key=NAMES.index)
        seen = self.seen
        return [n for n in names if seen.cost(n) <= 4 and may_lay(seen, self.seat, n, None)]

    def event_brings(self, event: str, seat: str) -> Fraction:
        held: int = self.seen.row(seat)["hand"]
        mine = seat == self.seat
        match event:
            case "earthquake":
                plots = self.seen.city(seat)
                return -min((self.standing(seat, plot) for plot in plots), default=F(0))
            case "debt-relief":
                return F(3)
            case "taxes":
                return F(-1) if held and not mine else F(0)
            case "general-amnesty":
                return F("0.1") * held
        if not mine:
            return F("1.8") if held else F(0)
        best = max(map(self.worth, self.free()), default=F("-0.4"))
        return F("0.4") * min(best + F("0.4"), F(6)) + (best > 0)

    def role(self) -> str:
        table = self.seen.table
        free = [role for role in ROLES if role not in table["used"]]
        best = max(self.role_value(role) for role in free)
        play = "role " + next(role for role in free if self.role_value(role) == best)
        for event in table.get("events", ()):
            text = f"event {event}"
            if event != "governor-visit":
                value = self.above(lambda seat, event=event: self.event_brings(event, seat))  # type: ignore[misc]
            elif table["used"]:
                value, at = max((self.role_value(r), ROLES.index(r)) for r in table["used"])
                text += f" {ROLES[at]}"
            else:
                continue
            if value > best:
                best, play = value, text
        return play

    # All other answers.

    def letters(self, places: Sequence[int]) -> list[str]:
        found = (self.hand[place].letter for place in places)
        return sorted(found, key=lambda letter: (len(letter), letter))

    def named(self, word: str, places: Sequence[int]) -> str:
        return " ".join((word, *self.letters(places))) if places else "pass"

    def build(self) -> str:
        best = self.best_build()
        if best is None:
            return "pass"
        _, card, over, goods, pays = best
        rest = list(range(len(self.hand)))
        if card in self.names:
            rest.remove(self.names.index(card))
        paid = self.letters(self.cheapest(rest, pays))
        words = ["build", card, *(["over", over] if over else [])]
        words += [*(["goods", *goods] if goods else []), *(["pay", *paid] if paid else [])]
        return " ".join(words)

    def dearest(self, plots: Sequence[str], count: int, price: Callable[[str], Fraction]) -> str:
        order = sorted(plots, key=lambda plot: (-price(self.city[plot]), int(plot)))
        return " ".join(sorted(order[:count], key=int))

    def produce(self) -> str:
        seen, seat = self.seen, self.seat
        count = plain_rules.most_produced(seen, seat)
        return "produce " + self.dearest(seen.empty_plants(seat), count, average)

    def sell(self) -> str:
        seen, seat = self.seen, self.seat
        tile = dict(zip(PRODUCTION, map(F, seen.table["tile"]), strict=True))
        tile["customs-office"] = F(2)
        count = plain_rules.most_sold(seen, seat)
        return "sell " + self.dearest(seen.goods(seat), count, tile.__getitem__)

    def keep(self) -> str:
        drawn, held = self.seen.row(self.seat)["drawn"], len(self.hand)
        gone = drawn - share(self.seen, self.seat)[1]
        if self.seen.owns(self.seat, "archive"):
            return self.named("discard", self.cheapest(range(held), gone))
        among = range(held - drawn, held)
        lost = self.cheapest(among, gone)
        return self.named("keep", [place for place in among if place not in lost])

    def draft(self) -> str:
        lost = self.cheapest(range(len(self.hand)), len(self.hand) - 4)
        return self.named("keep", [place for place in range(len(self.hand)) if place not in lost])

    def tidy(self) -> str:
        seen, seat = self.seen, self.seat
        limit, left = plain_rules.hand_limit(seen, seat), list(range(len(self.hand)))
        words: list[str] = []

        def put(word: str, count: int) -> None:
            places = self.cheapest(left, count)
            left[:] = [place for place in left if place not in places]
            words.extend([word, *self.letters(places)] if places else [])

        if seen.owns(seat, "chapel") and (len(left) > 2 or self.left <= 3):
            put("chapel", 1)
        if seen.owns(seat, "bank") and seat not in seen.table["bank-used"]:
            above = len(left) - limit
            put("bank", max(0, len(left) - 2) if self.left <= 2 else above if above > 2 else 0)
        put("discard", max(0, len(left) - limit))
        return " ".join(words) or "pass"

    def poor(self, count: int) -> str:
        places = self.cheapest(range(len(self.hand)), count)
        return self.named("discard", [one for one in places if self.hold(self.names[one]) < 0])

    def office(self) -> str:
        return self.poor(2)

    def amnesty(self) -> str:
        return self.poor(len(self.hand))

    def mine_(self) -> str:
        turned = self.seen.table["turned"]
        return "take " + max(
            map(str, turned), key=lambda name: (self.hold(name), NAMES.index(name))
        )

    def earthquake(self) -> str:
        plots = sorted(self.city, key=int)
        return "lose " + min(plots, key=lambda plot: self.standing(self.seat, plot))

    def taxes(self) -> str:
        return self.named("discard", self.cheapest(range(len(self.hand)), 1))

    def free_build(self) -> str:
        best = max(((self.worth(n), NAMES.index(n)) for n in self.free()), default=(F(0), 0))
        return f"build {NAMES[best[1]]}" if best[0] > 0 else "pass"


def answer(seen: Seen, seat: str, hand: Sequence[Held], kind: str) -> str:
    """The play of `greedy-1`."""
    name = {"mine": "mine_"}.get(kind, kind.replace("-", "_"))
    found: str = getattr(Greedy(seen, seat, hand), name)()
    return found
