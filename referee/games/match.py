"""Games in memory with nothing hidden: dealt from a seed, or gone on with from a position."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Protocol, Self, cast

from referee.games import DEFAULT, all_games, part, parts, rules_of
from referee.games.errors import NoSeat, NotAsked, NotUnderstood
from referee.games.interface import Game, Rules, View
from referee.games.values import (
    Decision,
    Drawn,
    Event,
    Held,
    Said,
    Score,
    Shown,
    Shuffled,
    Taken,
    letter,
)
from referee.records import NamedTuple

REMARKS = ("title", "rulings", "example", "note", "expect")
"""Keys of a position that say something about it and nothing in it."""


class Positions(Protocol):
    """The module `position` of a game."""

    def load(self, document: Mapping[str, Any]) -> Game:
        """Return the game that a position describes. Raises NotUnderstood with all its faults."""

    def status(self, document: Mapping[str, Any]) -> list[str]:
        """Return everything that is impossible about a position."""

    def dump(self, game: Game) -> dict[str, Any]:
        """Return the position of a game; to load it gives an equal game."""


class Outcome(NamedTuple):
    """A play that took effect, and what it caused: the events, and lines for people."""

    decision: str
    play: str
    events: tuple[Event, ...]
    lines: tuple[str, ...]


def positions_of(module: object) -> Positions:
    """Return the module `position` of a game; raises NotUnderstood for an unknown game."""
    if not isinstance(module, str):
        raise NotUnderstood(f"there is no game {module!r}", f"games: {', '.join(all_games())}")
    return cast(Positions, part(module, "position"))


def document_of(module: str, game: Game) -> dict[str, Any]:
    """Return the position of a game, which names the game unless it is the default."""
    dumped = positions_of(module).dump(game)
    return dumped if module == DEFAULT else {"game": module, **dumped}


def _unknown_keys(faults: Sequence[str]) -> int:
    return sum(" is not a key that " in fault for fault in faults)


def _check_game_named(body: Mapping[str, Any], faults: Sequence[str]) -> None:
    """Raise NotUnderstood if a position fits another game than the one it is taken for."""
    for module, positions in parts("position"):
        if module == DEFAULT:
            continue
        others = positions.status(body)
        if not others or _unknown_keys(others) < _unknown_keys(faults):
            title = rules_of(module).title
            raise NotUnderstood(
                f"the key 'game' is missing: this looks like a position of {title}",
                f'put game = "{module}" at its top',
            )


class Match:
    """A game in memory whose whole state its owner may see.

    `opened` are the lines of what it began with by itself, `waiting` the answers (decision to play)
    that wait for others to the same question.
    """

    def __init__(self, game: Game, seats: Sequence[str], opened: Sequence[Event]) -> None:
        self.game = game
        self.rules = game.rules
        self.seats = list(seats)
        self.opened = self.lines(opened)
        self.waiting: dict[str, str] = {}

    @classmethod
    def deal(cls, rules: Rules, seats: Sequence[str], seed: int | str) -> Self:
        """Begin a game; the same seed deals the same cards everywhere.

        Raises NotUnderstood where the rule set is not for so many seats.
        """
        if len(set(seats)) < len(seats):
            raise NotUnderstood("two seats have the same name")
        misfit = rules.fits(len(seats))
        if misfit:
            raise NotUnderstood(misfit)
        random = Random(f"{seed}")

        def shuffle(pile: str, epoch: int, cards: Sequence[int]) -> Sequence[int]:
            # Of `random` only this sequence of numbers is the same in every version of Python.
            names = {card: rules.card_name(pile, card) for card in cards}
            draws = {card: random.random() for card in sorted(cards, key=lambda c: (names[c], c))}
            return sorted(draws, key=draws.__getitem__)

        game, events = rules.start(list(seats), shuffle)
        return cls(game, seats, events)

    @classmethod
    def from_position(cls, document: Mapping[str, Any]) -> Self:
        """Go on from a position of the game that it names as `game` (else the first there is).

        Raises NotUnderstood for an impossible one, with all that is wrong with it.
        """
        positions = positions_of(document.get("game", DEFAULT))
        body = {key: value for key, value in document.items() if key not in ("game", *REMARKS)}
        try:
            game = positions.load(body)
        except NotUnderstood:
            if "game" not in document:
                _check_game_named(body, positions.status(body))
            raise
        return cls(game, [str(seat["name"]) for seat in body["seats"]], game.opened)

    @property
    def over(self) -> bool:
        """True once the game has ended by rule."""
        return self.game.over

    def __repr__(self) -> str:
        asks = "it is over" if self.over else f"{', '.join(self.missing())} open"
        return f"<Match of {self.rules.title}, {' '.join(self.seats)}: {asks}>"

    def held(self, seat: str) -> list[Held]:
        """Return the seat's cards under the letters a, b, … in deal order: nothing is hidden."""
        pile = self.rules.hand_piles[0]
        names = [self.rules.card_name(pile, card) for card in self.game.hand(seat)]
        return [Held(letter(index), name) for index, name in enumerate(names)]

    def view(self, seat: str) -> View:
        """Return what the seat sees, built from the public table as on a player's machine."""
        return self.rules.view(self.seats, self.game.table(), seat, self.held(seat))

    def open_to(self, seat: str) -> Decision:
        """Return the decision that a seat is to answer now. Raises Illegal if there is none."""
        if seat not in self.seats:
            raise NoSeat(f"there is no seat {seat!r}", f"seats: {', '.join(self.seats)}")
        open_ones = self.game.decisions()
        for decision in open_ones:
            if decision.seat == seat and decision.id not in self.waiting:
                return decision
        left = ", ".join(self.missing())
        if any(decision.seat == seat for decision in open_ones):
            raise NotAsked(f"{seat} has answered already, and that waits for {left}")
        if not left:
            raise NotAsked("the game is over")
        raise NotAsked(f"it is {self._turns()}, so {seat} cannot play")

    def _turns(self) -> str:
        left = [id_.split(".") for id_ in self.missing()]
        return " and ".join(f"{who}'s turn ({kind})" for _, _, kind, who in left)

    def play_row(self, row: str) -> list[Outcome]:
        """Answer as `ana: role trader` says; see `play`."""
        seat, colon, text = (part.strip() for part in row.partition(":"))
        if not colon:
            raise NotUnderstood(
                f"{row!r} is not a play", "write it as SEAT: PLAY, `ana: role trader`"
            )
        return self.play(seat, text)

    def play(self, seat: str, text: str) -> list[Outcome]:
        """Answer what is asked of a seat, in the words that `View.read` takes.

        Returns what took effect: nothing while other parallel answers are missing. Raises
        NotUnderstood or Illegal, and nothing has changed then.
        """
        decision = self.open_to(seat)
        self.waiting[decision.id] = self.view(seat).read(text)
        batch = self.game.decisions()
        if self.missing():
            return []
        return [self._take(asked) for asked in batch]

    @property
    def seats_asked(self) -> list[str]:
        """Return the seats that owe an answer, in the order in which the answers take effect."""
        missing = set(self.missing())
        return [decision.seat for decision in self.game.decisions() if decision.id in missing]

    def scores(self) -> list[Score]:
        """Return the result of a match that is over, in seat order."""
        return self.game.scores()

    def missing(self) -> list[str]:
        """Return the open decisions that are not answered yet."""
        return [
            decision.id for decision in self.game.decisions() if decision.id not in self.waiting
        ]

    def _take(self, decision: Decision) -> Outcome:
        play = self.waiting.pop(decision.id)
        letters = [letter(index) for index in range(len(self.game.hand(decision.seat)))]
        events = self.game.take(decision.id, play, letters)
        return Outcome(decision.id, play, tuple(events), tuple(self.lines(events)))

    def lines(self, events: Sequence[Event]) -> list[str]:
        """Return events in the words of the log, but with cards for positions, and no proofs."""
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
        """Return the position as it is now; answers that still wait are not in it."""
        return document_of(self.rules.module, self.game)
