"""Plays one rule case: a position, what the seats play, and what must follow by the rules.

A case is a TOML file under `cases/`, in a folder named after the phase of the rule book:

    title = "…"                      # the rule in one sentence
    rulings = ["B4", "B5"]           # ids of the rules page; "2 …" is its section 2
    example = "…"                    # if it is a worked example of the 2014 booklet
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
    hand.ana = [], city.ana = []     # exactly, as in a position
    counts.ana = [2, 5]              # what the public table says of the hand: held, just drawn
    tucked.ana = ["2 well"]          # what the owner sees under the building on plot 2
    deck = [], discards = []         # exactly; discards in any order
    tiles = ["11122"]                # the whole pile, next first
    over = false                     # whether the game has ended
    scores.ana = 20, ties.ana = 3, winner = ["ana"]
    secret = ["hero"]                # names that no public line and no public table shows
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from referee.games.interface import (
    Drawn,
    Event,
    GameError,
    Held,
    Said,
    Shown,
    Shuffled,
    Taken,
    View,
)
from referee.games.interface import letter as letter_of
from referee.games.sanjuan import position
from referee.games.sanjuan.rules import RULES

CASES = Path(__file__).parent / "cases"
KEYS = {"title", "rulings", "example", "position", "step"}
LOOKS = (
    *("then", "draws", "shows", "takes", "asked", "over", "legal", "offers", "refuses", "hand"),
    *("counts", "city", "tucked", "deck", "discards", "tiles", "scores", "ties", "winner"),
    "secret",
)
ROW = re.compile(r"(\S+): (.+)")


def read(path: Path) -> dict[str, Any]:
    """A case file; a key that nothing looks at is a mistake."""
    case = tomllib.loads(path.read_text("utf-8"))
    assert set(case) <= KEYS, f"unknown keys: {set(case) - KEYS}"
    assert case["rulings"]
    for step in case["step"]:
        unknown = set(step) - {"play", *LOOKS}
        assert not unknown, f"unknown keys: {unknown}"
    return case


class Bench:
    """A game on the bench: seats play by name, and every expectation of a step is compared."""

    def __init__(self, document: dict[str, Any]) -> None:
        assert position.status(document) == []
        self.rules = RULES.choose(document.get("edition"), [], [], {})
        self.seats = [str(seat["name"]) for seat in document["seats"]]
        self.game = position.load(document)
        self.events: Sequence[Event] = ()

    def cards(self, seat: str) -> list[str]:
        """The names of a seat's hand in deal order."""
        return [self.rules.card_name("deck", card) for card in self.game.hand(seat)]

    def letters(self, seat: str) -> list[str]:
        """Letters in deal order, so that a case can be read without a key."""
        return [letter_of(index) for index in range(len(self.game.hand(seat)))]

    def view(self, seat: str) -> View:
        """What the seat sees, built from the public table as on a player's machine."""
        held = [Held(*pair) for pair in zip(self.letters(seat), self.cards(seat), strict=True)]
        return self.rules.view(self.seats, self.game.table(), seat, held)

    def play(self, row: str) -> None:
        """`ana: pass`: the seat answers its open decision, which must be the next one."""
        match = ROW.fullmatch(row)
        assert match, row
        seat, text = match.groups()
        first = self.game.decisions()[0]
        assert first.seat == seat, f"{first.id} is open, not a question to {seat}"
        view = self.view(seat)
        play = view.read(text)
        view.check(play)
        assert play == text, "a case writes plays in their canonical form"
        self.events = self.game.take(first.id, play, self.letters(seat))

    def refuses(self, seat: str, text: str) -> None:
        """Neither the seat's own program nor the referee's takes this play, and nothing changes."""
        with pytest.raises(GameError) as refusal:
            self.view(seat).check(text)
        assert refusal.value.exit_code in (13, 14)
        first = self.game.decisions()[0]
        if first.seat == seat:
            before = position.dump(self.game)
            with pytest.raises(GameError):
                self.game.take(first.id, text, self.letters(seat))
            assert position.dump(self.game) == before

    def lines(self) -> list[str]:
        """The public lines of the last play."""
        return [event.words for event in self.events if isinstance(event, Said)]

    def draws(self) -> list[str]:
        """Who took how many cards, adjacent draws of one taker added up; shuffles between."""
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
        """Who got which of the cards that lay open."""
        taken = [event for event in self.events if isinstance(event, Taken)]
        return [f"{e.who} {self.rules.card_name(e.pile, e.card)}" for e in taken]

    def expect(self, step: dict[str, Any]) -> None:
        """Compares the game with every key of a step but `play`."""
        game = self.game
        if "then" in step:
            lines = iter(self.lines())
            for words in step["then"]:
                assert any(f"{line} ".startswith(f"{words} ") for line in lines), (
                    f"{words!r} is not, in this order, in {self.lines()}"
                )
        if "draws" in step:
            assert self.draws() == step["draws"]
        if "shows" in step:
            assert self.shows() == step["shows"]
        if "takes" in step:
            assert self.takes() == step["takes"]
        if "asked" in step:
            assert [decision.id for decision in game.decisions()] == step["asked"]
        if "over" in step:
            assert game.over == step["over"]
        for seat, plays in step.get("legal", {}).items():
            found = self.view(seat).plays()
            assert found is not None
            assert sorted(found) == sorted(plays)
        for key in ("legal", "offers"):
            for seat, plays in step.get(key, {}).items():
                for text in plays:
                    self.view(seat).check(text)
        for seat, plays in step.get("refuses", {}).items():
            for text in plays:
                self.refuses(seat, text)
        for seat, names in step.get("hand", {}).items():
            assert self.cards(seat) == names
        for seat, names in step.get("tucked", {}).items():
            tucked = [f"{plot} {self.rules.card_name('deck', c)}" for plot, c in game.tucked(seat)]
            assert tucked == names
        for seat, counts in step.get("counts", {}).items():
            row = next(row for row in game.table()["seats"] if row["name"] == seat)
            assert [row["hand"], row.get("drawn", 0)] == counts
        self._piles(step)
        if {"scores", "ties", "winner"} & set(step):
            self._scores(step)
        for name in step.get("secret", ()):
            public = [*self.lines(), *texts_in(game.table())]
            word = re.compile(rf"(?<![a-z-]){name}(?![a-z-])")
            assert not any(word.search(text) for text in public), f"{name} is public"

    def _piles(self, step: dict[str, Any]) -> None:
        if not {"city", "deck", "discards", "tiles"} & set(step):
            return
        now = position.dump(self.game)
        for seat, city in step.get("city", {}).items():
            found = next(table["city"] for table in now["seats"] if table["name"] == seat)
            assert found == spelled_out(city)
        if "deck" in step:
            assert now["deck"] == step["deck"]
        if "discards" in step:
            assert sorted(now["discards"]) == step["discards"]
        if "tiles" in step:
            assert now["tiles"] == step["tiles"]

    def _scores(self, step: dict[str, Any]) -> None:
        assert self.game.over
        results = {score.seat: score for score in self.game.scores()}
        for seat, points in step.get("scores", {}).items():
            assert results[seat].points == points
        for seat, tie in step.get("ties", {}).items():
            assert results[seat].tie == tie
        if "winner" in step:
            assert [seat for seat in self.seats if results[seat].wins] == step["winner"]


def texts_in(value: object) -> Iterator[str]:
    """Every text in a tree of tables and lists, keys apart."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            yield from texts_in(item)
    elif isinstance(value, str):
        yield value


def spelled_out(city: Sequence[Any]) -> list[dict[str, Any]]:
    """A city with every building as a table with its plot."""
    rows = [{"card": entry} if isinstance(entry, str) else entry for entry in city]
    return [{"plot": plot, **row} for plot, row in enumerate(rows, 1)]
