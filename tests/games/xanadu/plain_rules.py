"""Xanadu's rules of legality, written plainly from the rules page: names, lists, no cleverness.

The engine is compared with this; nothing here is shared with it but the deck file.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from referee.games.values import Held

DECK = Path(__file__).parents[3] / "referee" / "games" / "xanadu" / "deck.toml"
COLOURS = ["brown", "blue", "yellow", "green"]


def _called(name: str) -> str:
    return re.sub("[^a-z]+", "-", name.lower().replace("'", "")).strip("-")


class Card:
    """Everything that is printed on a card."""

    def __init__(self, row: Mapping[str, Any]) -> None:
        self.colour: str = row["colour"]
        self.cost = Counter(row["cost"].split())
        self.passive: list[str] = row.get("passive", "").split()
        self.gives: list[list[str]] = []
        self.favours: list[list[str]] = []
        self.prices: list[int] = []
        for field in row["field"]:
            before, _, after = field.partition("+")
            price, *gives = before.split()
            self.prices.append(int(price))
            self.gives.append(gives)
            self.favours.append(after.split())
        self.prices.append(row["final_price"])


CARDS = {_called(row["name"]): Card(row) for row in tomllib.loads(DECK.read_text("utf-8"))["card"]}


def limit(seats: int, advanced: bool) -> int:
    """The number of buildings that a seat may have on the table."""
    if advanced:
        return 6
    return 4 if seats > 4 else 5


def legal_opening(need: int, hand: Sequence[Held], letters: Sequence[str]) -> bool:
    """Return True if a seat may begin with the cards of these letters."""
    names = {held.letter: held.name for held in hand}
    if len(letters) != min(need, len(hand)) or not set(letters) <= set(names):
        return False
    chosen = [COLOURS.index(CARDS[names[letter]].colour) for letter in letters]
    left = [COLOURS.index(CARDS[n].colour) for letter, n in names.items() if letter not in letters]
    return all(low <= high for low in chosen for high in left)


def legal_turn(
    table: Mapping[str, Any], seat: str, hand: Sequence[Held], play: str, advanced: bool
) -> bool:
    """Return True if a grammatical play is legal, from the public table and the hand."""
    if play == "pass":
        return True
    names = {held.letter: held.name for held in hand}
    cities = {
        row["name"]: {
            entry["plot"]: [entry["card"], len(entry["workers"])] for entry in row["city"]
        }
        for row in table["seats"]
    }
    mine = cities[seat]
    sells, steps = taken_apart(play)
    if sells:
        if table["asking"] == "after" or not set(sells) <= set(mine):
            return False
        for number in sells:
            del mine[number]
        if steps and not any(cities.values()):
            return False
    pool: Counter[str] = Counter()
    for card, crew in mine.values():
        pool.update(CARDS[card].passive)
        for favour in CARDS[card].favours[:crew]:
            pool.update(favour)
    used: set[str] = set()
    rows, builds = len(mine), 0
    for word, *rest in steps:
        if word == "work":
            letter, owner, plot = rest
            if letter not in names or names[letter] in used:
                return False
            used.add(names[letter])
            if owner not in cities or int(plot) not in cities[owner]:
                return False
            building = cities[owner][int(plot)]
            if building[1] == 4:
                return False
            pool.update(CARDS[building[0]].gives[building[1]])
            if owner == seat:
                pool.update(CARDS[building[0]].favours[building[1]])
            building[1] += 1
            continue
        (name,) = rest
        if name not in names.values() or name in used:
            return False
        used.add(name)
        builds += 1
        if builds > 1 and not advanced:
            return False
        rows += 1
        if rows > limit(len(cities), advanced) or not CARDS[name].cost <= pool:
            return False
        pool -= CARDS[name].cost
        pool.update(CARDS[name].passive)
    return True


def taken_apart(play: str) -> tuple[list[int], list[list[str]]]:
    """The plots sold and the steps of a turn's play."""
    words = play.split()
    sells: list[int] = []
    steps: list[list[str]] = []
    for word in words:
        if word in ("sell", "work", "build"):
            steps.append([word])
        else:
            steps[-1].append(word)
    if steps[0][0] == "sell":
        sells = [int(plot) for plot in steps.pop(0)[1:]]
    return sells, steps


def text_of(sells: Sequence[int], steps: Sequence[Sequence[str]]) -> str:
    """The play of plots sold and steps."""
    words = ["sell", *map(str, sells)] if sells else []
    return " ".join([*words, *(word for step in steps for word in step)]) or "pass"


def every_turn(
    table: Mapping[str, Any], seat: str, hand: Sequence[Held], advanced: bool
) -> Iterator[str]:
    """Every legal turn, found by trying; only for small hands."""
    own = next(row for row in table["seats"] if row["name"] == seat)
    plots = [entry["plot"] for entry in own["city"]]
    spots = [(row["name"], str(e["plot"])) for row in table["seats"] for e in row["city"]]

    def extend(sells: list[int], steps: list[list[str]]) -> Iterator[str]:
        play = text_of(sells, steps)
        if not legal_turn(table, seat, hand, play, advanced):
            return
        yield play
        for held in hand:
            for spot in spots:
                yield from extend(sells, [*steps, ["work", held.letter, *spot]])
            yield from extend(sells, [*steps, ["build", held.name]])

    for chosen in range(1 << len(plots)):
        yield from extend([plot for at, plot in enumerate(plots) if chosen >> at & 1], [])


def after_turn(
    table: Mapping[str, Any], seat: str, play: str
) -> tuple[dict[str, int], dict[str, dict[int, tuple[str, int]]], int]:
    """Return what a legal turn leaves: coins, cities (plot to card and crew), cards to draw."""
    rows = {row["name"]: row for row in table["seats"]}
    coins = {name: row["coins"] for name, row in rows.items()}
    cities = {
        name: {entry["plot"]: (entry["card"], len(entry["workers"])) for entry in row["city"]}
        for name, row in rows.items()
    }
    sells, steps = ([], []) if play == "pass" else taken_apart(play)

    def paid(card: str, crew: int) -> int:
        bonus = {"yellow": 1, "green": 2}.get(CARDS[card].colour, 0) if len(rows) > 4 else 0
        return CARDS[card].prices[crew] + bonus

    for plot in sells:
        coins[seat] += paid(*cities[seat].pop(plot))
    held = rows[seat]["hand"]
    laid = rows[seat]["plots"]
    for step in steps:
        held -= 1
        if step[0] == "build":
            laid += 1
            cities[seat][laid] = (step[1], 0)
            continue
        owner, spot = step[2], int(step[3])
        card, crew = cities[owner][spot]
        cities[owner][spot] = (card, crew + 1)
        if crew + 1 == 4:
            coins[owner] += paid(card, 4)
    for city in cities.values():
        for spot in [spot for spot, (_, crew) in city.items() if crew == 4]:
            del city[spot]
    draws = 3 if sells or table["asking"] == "after" else 1 if steps else 7
    return coins, cities, min(draws, 7 - held)
