"""Plays one rule case: a position, what the seats play, and what must follow by the rules.

A case is a TOML file under `cases/`, in a folder named after the phase of the rule book:

    title = "…"                      # the rule in one sentence
    rulings = ["B4", "B5"]           # ids of the rules page; "2 …" is its section 2
    pairs = [["smithy", "library"]]  # functions that it shows acting together, or side by side
    [position]                       # as referee.games.sanjuan.position describes it
    [[step]]                         # a play, or only a look at the position as it stands
    play = "ana: build well pay b"   # letters a, b, … are the seat's hand in deal order
    then = ["build ana well"]        # public lines in this order; each may go on after these words
    draws = ["ana 1", "shuffle 4"]   # exactly who took how many cards, in order; `table`: no hand
    shows = ["library"]              # exactly the cards and tiles turned over for all to see
    takes = ["ana well"]             # exactly which of them went into whose hand
    asked = ["1.1.build.ben"]        # exactly the open decisions; none when the game is over
    legal.ben = ["pass"]             # exactly the legal plays, in any order
    offers.ben = ["build well"]      # legal plays among others
    refuses.ben = ["keep a"]         # plays that are refused
    reads.ben = [["build households", "build well"]]   # what is typed, and what it means
    hand.ana = [], city.ana = []     # exactly, as in a position
    counts.ana = [2, 5]              # what the public table says of the hand: held, just drawn
    tucked.ana = ["2 well"]          # what the owner sees under the building on plot 2
    table.events = ["taxes"]         # exactly what the public table has under this key
    deck = [], discards = []         # exactly; discards in any order
    tiles = ["11122"]                # the whole pile, next first
    over = false                     # whether the game has ended
    scores.ana = 20, ties.ana = 3, winner = ["ana"]
    secret = ["hero"]                # names that no public line and no public table shows

A worked example of a booklet is a position of its own under `examples/positions/`: what is under
`[position]` stands at the top of the file, `example` names it, and the steps are `[[expect]]`.
Before the first play, `then`, `draws`, `shows` and `takes` are about what the position began with.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Self

from referee.games.interface import Game
from referee.games.match import REMARKS, Match
from referee.games.sanjuan import position
from referee.games.values import Drawn, Event, Said, Shown, Shuffled, Taken
from tests.games.casefile import expect_lines, expect_of_seats, expect_secret

CASES = Path(__file__).parent / "cases"
EXAMPLES = Path(__file__).parents[3] / "examples" / "positions"
KEYS = {"title", "rulings", "pairs", "position", "step"}
LOOKS = (
    *("then", "draws", "shows", "takes", "asked", "over", "legal", "offers", "refuses", "reads"),
    *("hand", "counts", "city", "tucked", "table", "deck", "discards", "tiles"),
    *("scores", "ties", "winner", "secret"),
)


class Case(NamedTuple):
    """A position and what must follow; `example` names the worked example that it is, if any."""

    title: str
    rulings: Sequence[str]
    example: str
    pairs: Sequence[Sequence[str]]
    position: Mapping[str, Any]
    steps: Sequence[Mapping[str, Any]]


def read(path: Path) -> Case:
    """A case or example file; a key that nothing looks at is a mistake."""
    case = tomllib.loads(path.read_text("utf-8"))
    if CASES in path.parents:
        assert set(case) <= KEYS, f"unknown keys: {set(case) - KEYS}"
        document, steps = case["position"], case["step"]
    else:
        document = {key: value for key, value in case.items() if key not in REMARKS}
        steps = case["expect"]
    assert case["rulings"]
    for step in steps:
        unknown = set(step) - {"play", *LOOKS}
        assert not unknown, f"unknown keys: {unknown}"
    return Case(
        case["title"],
        case["rulings"],
        case.get("example", ""),
        case.get("pairs", ()),
        document,
        steps,
    )


def run(path: Path) -> None:
    """Play a case and compare all that it expects."""
    case = read(path)
    bench = Bench.from_position(case.position)
    for number, step in enumerate(case.steps, 1):
        try:
            if "play" in step:
                bench.answer(step["play"])
            bench.expect(step)
        except BaseException as error:
            error.add_note(f"{case.title}: step {number} of {path.name}")
            raise


class Bench(Match):
    """A position on the bench: every expectation of a step is compared.

    Unlike at a table, parallel answers take effect one by one, so that each can be looked at.
    """

    def __init__(self, game: Game, seats: Sequence[str], opened: Sequence[Event]) -> None:
        super().__init__(game, seats, opened)
        self.events = opened

    @classmethod
    def from_position(cls, document: Mapping[str, Any]) -> Self:
        """Lay out a position that is possible in every respect."""
        assert position.status(document) == []
        return super().from_position(document)

    def letters(self, seat: str) -> list[str]:
        """The letters of a seat's hand in deal order."""
        return [held.letter for held in self.held(seat)]

    def answer(self, row: str) -> None:
        """`ana: pass`: the seat answers its open decision, which must be the next one."""
        seat, _, text = row.partition(": ")
        first = self.game.decisions()[0]
        assert first.seat == seat, f"{first.id} is open, not a question to {seat}"
        view = self.view(seat)
        play = view.read(text)
        view.check(play)
        assert play == text, "a case writes plays in their canonical form"
        self.events = self.game.take(first.id, play, self.letters(seat))

    def said(self) -> list[str]:
        """The public lines of the last play."""
        return [event.words for event in self.events if isinstance(event, Said)]

    def draws(self) -> list[str]:
        """List who took how many cards, adjacent draws of one taker added up; shuffles between."""
        rows: list[tuple[str, int]] = []
        for event in self.events:
            if isinstance(event, Drawn):
                if rows and rows[-1][0] == event.who:
                    rows[-1] = (event.who, rows[-1][1] + event.size)
                else:
                    rows.append((event.who, event.size))
            elif isinstance(event, Shuffled):
                rows.append(("shuffle", event.size))
        return [f"{who} {count}" for who, count in rows]

    def shows(self) -> list[str]:
        """The cards and tiles that the last play turned over."""
        return [self.rules.card_name(e.pile, e.card) for e in self.events if isinstance(e, Shown)]

    def takes(self) -> list[str]:
        """List who got which of the cards that lay open."""
        taken = [event for event in self.events if isinstance(event, Taken)]
        return [f"{e.who} {self.rules.card_name(e.pile, e.card)}" for e in taken]

    def expect(self, step: Mapping[str, Any]) -> None:
        """Compares the game with every key of a step but `play`."""
        game = self.game
        expect_of_seats(self, step)
        expect_lines(self.said(), step.get("then", ()))
        if "draws" in step:
            assert self.draws() == step["draws"]
        if "shows" in step:
            assert self.shows() == step["shows"]
        if "takes" in step:
            assert self.takes() == step["takes"]
        for seat, rows in step.get("reads", {}).items():
            for typed, play in rows:
                assert self.view(seat).read(typed) == play
        for seat, counts in step.get("counts", {}).items():
            row = next(row for row in game.table()["seats"] if row["name"] == seat)
            assert [row["hand"], row.get("drawn", 0)] == counts
        for key, value in step.get("table", {}).items():
            assert game.table()[key] == value
        self._piles(step)
        if {"scores", "ties", "winner"} & set(step):
            self._scores(step)
        expect_secret(step.get("secret", ()), self.said(), game.table())

    def _piles(self, step: Mapping[str, Any]) -> None:
        if not {"city", "deck", "discards", "tiles"} & set(step):
            return
        now = self.document()
        for seat, city in step.get("city", {}).items():
            found = next(table["city"] for table in now["seats"] if table["name"] == seat)
            assert found == spelled_out(city)
        if "deck" in step:
            assert now["deck"] == step["deck"]
        if "discards" in step:
            assert sorted(now["discards"]) == step["discards"]
        if "tiles" in step:
            assert now["tiles"] == step["tiles"]

    def _scores(self, step: Mapping[str, Any]) -> None:
        assert self.game.over
        results = {score.seat: score for score in self.game.scores()}
        for seat, points in step.get("scores", {}).items():
            assert results[seat].points == points
        for seat, tie in step.get("ties", {}).items():
            assert results[seat].tie == tie
        if "winner" in step:
            assert [seat for seat in self.seats if results[seat].wins] == step["winner"]


def spelled_out(city: Sequence[Any]) -> list[dict[str, Any]]:
    """A city with every building as a table with its plot."""
    rows = [{"card": entry} if isinstance(entry, str) else entry for entry in city]
    return [{"plot": plot, **row} for plot, row in enumerate(rows, 1)]
