"""The rules class, and how the table is drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any

from referee.games.board import ASKED, Board, Building, Face, Fact, Mark, Place, Row, Sheet
from referee.games.errors import NotUnderstood
from referee.games.fields import Fields
from referee.games.interface import Follower, Rules
from referee.games.values import Event, Held, Opened, Said, Shuffle, Shuffled
from tests.games.highcard.play import HighCard, HighCardFollower, View
from tests.games.highcard.state import HAND, NAMES, State
from tests.games.highcard.words import WORDS


class HighCardRules(Rules):
    """The one rule set."""

    module = "highcard"
    version = 1
    title = "High Card"
    words = WORDS
    seats = range(2, 7)
    kinds = ("put",)
    bot = "highest-1"
    legend = "number"

    @classmethod
    def choose(
        cls,
        edition: str | None,
        expansions: Sequence[str],
        variants: Sequence[str],
        options: Mapping[str, str],
        deck: str | None = None,
    ) -> HighCardRules:
        if edition not in (None, "plain") or expansions or variants or options or deck:
            raise NotUnderstood("High Card has nothing to choose")
        return cls()

    def terms(self) -> dict[str, Any]:
        digest = sha256(" ".join(NAMES).encode()).hexdigest()
        lists: dict[str, Any] = {"expansions": [], "variants": [], "options": {}}
        return {"edition": "plain", **lists, "cards": digest}

    def card_name(self, pile: str, card: int) -> str:
        return NAMES[card]

    def start(self, seats: Sequence[str], shuffle: Shuffle) -> tuple[HighCard, list[Event]]:
        if self.fits(len(seats)):
            raise NotUnderstood(self.fits(len(seats)))
        st = State(seats, shuffle)
        st.deck = tuple(shuffle("deck", 0, range(len(NAMES))))
        events: list[Event] = [Shuffled("deck", 0, len(NAMES))]
        st.log = events
        st.draw(HAND)
        st.say(Said("round 1"))
        st.log = None
        return HighCard(self, st), events

    def follower(self, seats: Sequence[str], opened: Sequence[Opened]) -> Follower:
        return HighCardFollower(self, seats, opened)

    def view(
        self, seats: Sequence[str], table: Mapping[str, Any], seat: str, hand: Sequence[Held]
    ) -> View:
        st = self._read(seats, table)
        own = st.seats.index(seat)
        if len(hand) != len(st.hand[own]) or not {card.name for card in hand} <= set(NAMES):
            raise NotUnderstood("this hand does not fit the table")
        st.hand[own] = [NAMES.index(card.name) for card in hand]
        return View(st, seat, hand)

    def _read(self, seats: Sequence[str], table: Mapping[str, Any]) -> State:
        fields = Fields(table, "table")
        st = State(seats, lambda pile, epoch, cards: cards)
        st.round = fields.number("round", 1, len(NAMES))
        st.deck = (0,) * fields.number("deck", 0, len(NAMES))
        rows = fields.rows("seats", 8)
        for at, row in enumerate(rows):
            if at >= len(seats) or row.table.get("name") != seats[at]:
                raise row.wrong("name")
            st.hand[at] = [0] * row.number("hand", 0, HAND)
            st.put[at] = row.some_of("put", NAMES)
        if "asking" in table:
            fields.one_of("asking", self.kinds)
            st.actor = len(seats) - len(fields.some_of("waiting", seats))
        for row, won in zip(rows, st.won, strict=True):
            row.number("won", won, won)
        return st

    def board(self, table: Mapping[str, Any], said: Sequence[str] = ()) -> Board:
        st = self._read([str(row["name"]) for row in table["seats"]], table)
        heading = f"The game ended in round {st.round}" if st.over else f"Round {st.round}"
        piles = Row("", "Cards", (), (Fact("deck", len(st.deck), f"deck {len(st.deck)}"),))
        return Board(
            heading, st.round, (piles,), tuple(self._place(st, at) for at in range(len(st.seats)))
        )

    def _place(self, st: State, seat: int) -> Place:
        won, hand = st.won[seat], len(st.hand[seat])
        marks = [Mark(ASKED)] if seat in st.waiting else []
        marks += [Mark("wins", "wins")] if st.over and won == max(st.won) else []
        facts = (Fact("points", won, f"rounds won {won}"), Fact("hand", hand, f"hand {hand}"))
        city = (
            Building(plot, NAMES[card], self.facts(NAMES[card]), "green")
            for plot, card in enumerate(st.put[seat], 1)
        )
        return Place(st.seats[seat], tuple(marks), facts, tuple(city), hand)

    def sheets(self, table: Mapping[str, Any], said: Sequence[str]) -> list[Sheet]:
        st = self._read([str(row["name"]) for row in table["seats"]], table)
        won = zip(st.seats, st.won, strict=True)
        return [Sheet(seat, (("rounds won", points),), points) for seat, points in won]

    def faces(self) -> dict[str, Face]:
        return {name: Face("", self.facts(name), "number", name) for name in NAMES}

    def hand_rank(self, name: str) -> tuple[int, int]:
        return 0, int(self.facts(name)) if name in NAMES else 0

    def facts(self, name: str) -> str:
        return name.removeprefix("card-")

    def colour(self, name: str) -> str:
        return "green" if name in NAMES else ""

    def text(self, name: str, language: str = "en") -> str:
        return f"Beats every card with a number below {self.facts(name)}."

    def card_aliases(self) -> Mapping[str, str]:
        return {name: name for name in NAMES}

    def result(self, table: Mapping[str, Any]) -> list[str]:
        rows = table["seats"]
        most = max(row["won"] for row in rows)
        names = " and ".join(row["name"] for row in rows if row["won"] == most)
        return [] if "asking" in table else [f"{names} won {most} rounds"]


VERSIONS = (HighCardRules,)
