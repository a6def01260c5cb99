"""Playing on a position, where nothing is hidden: how an argument is settled and a rule tested."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any, NamedTuple, Protocol

from referee.games import GAMES
from referee.games.interface import (
    Decision,
    Drawn,
    Event,
    Game,
    Held,
    Illegal,
    NotUnderstood,
    Said,
    Shown,
    Shuffled,
    Taken,
    View,
    letter,
)

REMARKS = ("title", "rulings", "example", "note", "expect")
"""Keys of a position that say something about it and nothing in it."""


class Positions(Protocol):
    """What the module `position` of a game offers."""

    def load(self, document: Mapping[str, Any]) -> Game:
        """The game that a position describes; raises NotUnderstood with all that is wrong."""

    def status(self, document: Mapping[str, Any]) -> list[str]:
        """Everything that is impossible about a position."""

    def dump(self, game: Game) -> dict[str, Any]:
        """The position of a game; to load it gives an equal game."""


class Outcome(NamedTuple):
    """A play that took effect, and what it caused: the events, and lines for people."""

    decision: str
    play: str
    events: tuple[Event, ...]
    lines: tuple[str, ...]


def positions_of(module: object) -> Positions:
    """The module `position` of a game; raises NotUnderstood for an unknown game."""
    if not isinstance(module, str) or module not in GAMES:
        raise NotUnderstood(f"there is no game {module!r}", f"games: {', '.join(GAMES)}")
    found: Positions = import_module(f"referee.games.{module}.position")
    return found


def document_of(module: str, game: Game) -> dict[str, Any]:
    """The position of a game, which says what game it is unless that is the first there is."""
    dumped = positions_of(module).dump(game)
    return dumped if module == GAMES[0] else {"game": module, **dumped}


class Trial:
    """A position that is played on. `opened` are the lines of what it began with by itself,
    `waiting` the answers (decision to play) that wait for others to the same question.

    A document is a position of its game, which it names as `game` (else the first one there is).
    Raises NotUnderstood for an impossible one.
    """

    def __init__(self, document: Mapping[str, Any]) -> None:
        self.module = document.get("game", GAMES[0])
        self.positions = positions_of(self.module)
        body = {key: value for key, value in document.items() if key not in ("game", *REMARKS)}
        self.game = self.positions.load(body)
        self.rules = self.game.rules
        self.seats = [str(seat["name"]) for seat in body["seats"]]
        self.opened = self.lines(self.game.opened)
        self.waiting: dict[str, str] = {}

    def held(self, seat: str) -> list[Held]:
        """The seat's cards under the letters a, b, … in deal order: nothing is hidden here."""
        pile = self.rules.hand_piles[0]
        names = [self.rules.card_name(pile, card) for card in self.game.hand(seat)]
        return [Held(letter(index), name) for index, name in enumerate(names)]

    def view(self, seat: str) -> View:
        """What the seat sees, built from the public table as on a player's machine."""
        return self.rules.view(self.seats, self.game.table(), seat, self.held(seat))

    def open_to(self, seat: str) -> Decision:
        """The decision that is the seat's to answer now; raises Illegal when there is none."""
        if seat not in self.seats:
            raise NotUnderstood(f"there is no seat {seat!r}", f"seats: {', '.join(self.seats)}")
        open_ones = self.game.decisions()
        for decision in open_ones:
            if decision.seat == seat and decision.id not in self.waiting:
                return decision
        left = ", ".join(self.missing())
        if any(decision.seat == seat for decision in open_ones):
            raise Illegal(f"{seat} has answered already, and that waits for {left}")
        raise Illegal(
            f"nothing is asked of {seat}: " + (f"open is {left}" if left else "it is over")
        )

    def play(self, row: str) -> list[Outcome]:
        """`ana: role trader`: a seat answers.

        What took effect: nothing while other parallel answers are missing. Raises NotUnderstood or
        Illegal, and nothing has changed then.
        """
        seat, colon, text = (part.strip() for part in row.partition(":"))
        if not colon:
            raise NotUnderstood(f"{row!r} is no play", "write it as SEAT: PLAY, `ana: role trader`")
        decision = self.open_to(seat)
        self.waiting[decision.id] = self.view(seat).read(text)
        batch = self.game.decisions()
        if self.missing():
            return []
        return [self._take(one) for one in batch]

    def missing(self) -> list[str]:
        """The open decisions that are not answered yet."""
        return [one.id for one in self.game.decisions() if one.id not in self.waiting]

    def _take(self, decision: Decision) -> Outcome:
        play = self.waiting.pop(decision.id)
        letters = [letter(index) for index in range(len(self.game.hand(decision.seat)))]
        events = self.game.take(decision.id, play, letters)
        return Outcome(decision.id, play, tuple(events), tuple(self.lines(events)))

    def lines(self, events: Sequence[Event]) -> list[str]:
        """Events in the words of the log, but with cards for positions, and no proofs."""
        return [self._line(event) for event in events]

    def _line(self, event: Event) -> str:
        match event:
            case Drawn(who, pile, _, _, size):
                return f"draw {who} {pile} {size}"
            case Shuffled(pile, epoch, size):
                return f"shuffle {pile} {epoch} {size}"
            case Shown(pile, card):
                return f"open {pile} {self.rules.card_name(pile, card)}"
            case Taken(who, pile, card):
                return f"take {who} {pile} {self.rules.card_name(pile, card)}"
            case Said(words):
                return words

    def document(self) -> dict[str, Any]:
        """The position as it is now; answers that still wait are not in it."""
        return document_of(self.rules.module, self.game)
