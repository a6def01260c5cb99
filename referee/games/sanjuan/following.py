"""The table after every step as the public log alone tells it, for a game that still runs.

Nobody needs to know a card for it: cities, goods, roles and counts of cards follow from what
everybody was told. What nobody is told in so many words (what lies in the piles) is left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from referee.games.sanjuan.cards import HOLDERS, KINDS, NAMES, Cards
from referee.games.sanjuan.state import ROLES

START = NAMES[0]
COUNCILLOR = "councillor"


class Follower:
    """A table that goes on line by line, in the words of a Teller."""

    def __init__(self, seats: Sequence[str], cards: Cards) -> None:
        self.seats = list(seats)
        self.cards = cards
        self.beside = [cards.name(card) for card in cards.beside]
        self.round = 1
        self.governor = self.seats[0]
        self.used: list[str] = []
        self.tile = ""
        self.events: list[str] = []
        self.hand = dict.fromkeys(self.seats, 0)
        self.drawn = dict.fromkeys(self.seats, 0)
        self.city: dict[str, dict[int, dict[str, Any]]] = {
            seat: {1: _building(1, START)} for seat in self.seats
        }
        self.drafts = True
        self.draws_apart = False

    def table(self) -> dict[str, Any]:
        """The table now: all that is needed to look at it, and to count what the cities score."""
        return {
            "round": self.round,
            "governor": self.governor,
            "turn": 1,
            "chooser": self.governor,
            "phase": "role",
            "asking": "role",
            "waiting": [self.governor],
            "used": [role for role in ROLES if role in self.used],
            "doubled": False,
            "library-used": [],
            "deck": 0,
            "discards": 0,
            **({"tile": self.tile} if self.tile else {}),
            **self._expansions(),
            "seats": [self._row(seat) for seat in self.seats],
        }

    def _expansions(self) -> dict[str, Any]:
        """What a table has there in some rule sets only."""
        found: dict[str, Any] = {}
        if self.cards.events():
            found |= {"events": list(self.events), "events-in-deck": 0}
        if self.cards.beside:
            found |= {"beside": list(self.beside), "bank-used": []}
        return found

    def _row(self, seat: str) -> dict[str, Any]:
        drawn = {"drawn": self.drawn[seat]} if self.drawn[seat] else {}
        city = [dict(building) for _, building in sorted(self.city[seat].items())]
        return {"name": seat, "hand": self.hand[seat], **drawn, "city": city}

    def hear(self, line: str) -> None:
        """Let a line of the log happen; what says nothing about the table is passed over."""
        word, *rest = line.split(" ")
        match word, rest:
            case "draw", [seat, "deck", count] if seat in self.hand:
                where = self.drawn if self.draws_apart else self.hand
                where[seat] += int(count)
            case "take", [seat, _, _]:
                self.hand[seat] += 1
            case "round", [number, _, governor]:
                self.round, self.governor, self.used = int(number), governor, []
                self._phase("")
            case "role", [_, role, *_]:
                self.used.append(role)
                self._phase(role)
            case "event", ["laid", event]:
                self.events.append(event)
            case "event", [_, event]:
                self.events.remove(event)
                self._phase("")
            case "tile", [tile]:
                self.tile = tile
            case "build", [seat, card, _, plot, *more]:
                self._build(seat, card, int(plot), more)
            case "lose", [seat, _, _, plot]:
                del self.city[seat][int(plot)]
            case "produce" | "customs-office", [seat, *plots]:
                self._goods(seat, plots, True)
            case "sell", [seat, *plots]:
                self._goods(seat, plots, False)
            case "keep", [seat, count]:
                self._keep(seat, int(count))
            case "discard", [seat, count]:
                # With an archive from all cards; elsewhere nothing is drawn.
                self.hand[seat] += self.drawn[seat] - int(count)
                self.drawn[seat] = 0
            case "chapel" | "bank", [seat, count]:
                self.hand[seat] -= int(count)

    def _phase(self, role: str) -> None:
        self.tile = ""
        self.draws_apart = role == COUNCILLOR
        self.drafts = self.drafts and not role

    def _keep(self, seat: str, count: int) -> None:
        """Kept are some of the cards drawn; in the draft, of the whole hand."""
        self.hand[seat] = count if self.drafts else self.hand[seat] + count
        self.drawn[seat] = 0

    def _build(self, seat: str, card: str, plot: int, more: Sequence[str]) -> None:
        price, word = 0, ""
        goods = []
        for token in more:
            if token in ("over", "goods", "price"):
                word = token
            elif word == "goods":
                goods.append(token)
            elif word == "price":
                price = int(token)
        self._goods(seat, goods, False)
        if card in self.beside:
            self.beside.remove(card)
        else:
            self.hand[seat] -= 1
        self.hand[seat] -= price
        below = self.city[seat].get(plot)
        self.city[seat][plot] = _building(plot, card)
        if below is not None:
            self.city[seat][plot]["over"] = [*below.get("over", ()), below["card"]]

    def _goods(self, seat: str, plots: Sequence[str], there: bool) -> None:
        for plot in plots:
            self.city[seat][int(plot)]["good"] = there


def _building(plot: int, card: str) -> dict[str, Any]:
    holds = HOLDERS >> KINDS[card] & 1
    return {"plot": plot, "card": card} | ({"good": False} if holds else {})
