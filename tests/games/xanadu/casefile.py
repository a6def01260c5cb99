"""Plays one rule case: a position, what the seats play, and what must follow by the rules.

A case is a TOML file under `cases/`, in a folder named after a part of the rule book:

    title = "…"                      # the rule in one sentence
    rulings = ["1.6 sell", "AMB-5"]  # sections and ambiguities of the rules page
    example = 1                      # if it is that worked example of the rule book
    [position]                       # as referee.games.xanadu.position describes it
    [[step]]                         # a play, or only a look at the position as it stands
    play = "ana: sell 1 work a ben 2"    # letters a, b, … are the seat's hand in deal order
    then = ["sell ana barracks"]     # public lines in this order; each may go on after these words
    never = ["reset"]                # no public line begins like this
    draws = ["draw ana deck 1"]      # exactly what left the piles and was shuffled
    shows = ["barracks"]             # exactly the cards that came to light by themselves
    asked = ["1.1.turn.ben"]         # exactly the open decisions; none when the game is over
    legal.ben = ["pass"]             # exactly the legal plays, in any order
    offers.ben = ["sell 1"]          # legal plays among others
    refuses.ben = ["work a ana 1"]   # plays that are refused
    because = "covered"              # what the message about each of those says
    hand.ana = [], coins.ana = 7     # exactly
    city.ana = ["1 barracks 2"]      # exactly: plot, card, number of workers
    tucked.ana = ["ben.2 barracks"]  # which workers the seat may look at
    deck = [], end = []              # exactly, next first
    discards = []                    # exactly, in any order
    over = false                     # whether the game has ended
    winners = ["ana"]
    secret = ["barracks"]            # names that no public line and no public table shows
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from referee.games.match import Match
from referee.games.values import Drawn, Event, Shown, Shuffled
from referee.games.xanadu import position
from tests.games.casefile import expect_lines, expect_of_seats, expect_secret

CASES = Path(__file__).parent / "cases"
KEYS = {"title", "rulings", "example", "position", "step"}
LOOKS = (
    *("then", "never", "draws", "shows", "asked", "legal", "offers", "refuses", "because", "hand"),
    *("coins", "city", "tucked", "deck", "end", "discards", "over", "winners", "secret"),
)


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
    """A position that is played on; every expectation of a step is compared."""

    def __init__(self, document: dict[str, Any]) -> None:
        assert position.status(document) == []
        self.match = Match.from_position({"game": "xanadu", **document})
        self.events: Sequence[Event] = ()
        self.lines: Sequence[str] = ()

    def play(self, row: str) -> None:
        """`ana: pass`: the seat answers; parallel answers wait for each other."""
        outcomes = self.match.play_row(row)
        self.events = [event for outcome in outcomes for event in outcome.events]
        self.lines = [line for outcome in outcomes for line in outcome.lines]
        if len(outcomes) == 1:
            assert row.endswith(f": {outcomes[0].play}"), "a case writes plays in canonical form"

    def expect(self, step: dict[str, Any]) -> None:
        """Compares the game with every key of a step but `play`."""
        game = self.match.game
        self._events(step)
        expect_of_seats(self.match, step)
        self._table(step)
        if "winners" in step:
            assert [score.seat for score in game.scores() if score.wins] == step["winners"]
        expect_secret(step.get("secret", ()), self.lines, game.table())

    def _events(self, step: dict[str, Any]) -> None:
        expect_lines(self.lines, step.get("then", ()))
        for words in step.get("never", ()):
            assert not any(f"{line} ".startswith(f"{words} ") for line in self.lines)
        told = [
            line
            for event, line in zip(self.events, self.lines, strict=True)
            if isinstance(event, Drawn | Shuffled)
        ]
        shown = [e for e in self.events if isinstance(e, Shown)]
        if "draws" in step:
            assert told == step["draws"]
        if "shows" in step:
            assert [self.match.rules.card_name(e.pile, e.card) for e in shown] == step["shows"]

    def _table(self, step: dict[str, Any]) -> None:
        rows = {row["name"]: row for row in self.match.game.table()["seats"]}
        for seat, coins in step.get("coins", {}).items():
            assert rows[seat]["coins"] == coins
        for seat, names in step.get("city", {}).items():
            found = [
                f"{entry['plot']} {entry['card']} {len(entry['workers'])}"
                for entry in rows[seat]["city"]
            ]
            assert found == names
        now = self.match.document()
        for key in ("deck", "end"):
            if key in step:
                assert now[key] == step[key]
        if "discards" in step:
            assert sorted(now["discards"]) == sorted(step["discards"])
