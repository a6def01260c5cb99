"""Completion, and what a plan says that it would do."""

from __future__ import annotations

import pytest

from referee.games import rules_of
from referee.games.match import Match
from referee.games.plans import language_of

SPOKEN = language_of(rules_of("sanjuan").choose(None, [], [], {}), ["ana", "ben"])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("alw", ["always"]),
        ("cou", ["councillor:"]),
        ("always tr", ["trader:"]),
        ("trader: ", ["best", "ask", "sell"]),
        ("builder: build pal", ["palace"]),
        ("builder: build palace o", ["over"]),
        ("trader: sell dearest ", ["most", "least", "save", "if", "else"]),
        ("trader: sell dearest most ", ["1", "2", "3"]),
        ("role: builder if 2 ", ["cards", "goods", "buildings"]),
        ("role: builder if after trader ", ["and", "else"]),
        ("trader: best ", ["greedy-1"]),
        ("trader: pass, else ", ["best", "ask", "sell"]),
        ("trader: nonsense ", []),
        ("nonsense: ", []),
    ],
)
def test_completion_offers_what_can_follow(text: str, words: list[str]) -> None:
    assert SPOKEN.complete(text)[: max(len(words), 0 if words else 1)] == words


def test_a_plan_tells_what_it_would_do() -> None:
    match = Match.from_position(
        {
            "seats": [
                {"name": "ana", "hand": ["well"]},
                {
                    "name": "ben",
                    "hand": ["library", "tower", "hero", "statue", "crane", "smithy"],
                    "city": [
                        {"card": "indigo-plant", "good": True},
                        "sugar-mill",
                        "coffee-roaster",
                        "chapel",
                    ],
                },
            ],
        }
    )
    plan = SPOKEN.read(
        [
            "rank: library tower",
            "builder: build rank, else pass",
            "trader: sell dearest least 2, else ask",
            "always producer: dearest",
            "role: trader if 2 goods, else councillor",
        ]
    )
    assert SPOKEN.tell(plan, match.view("ben")) == [
        "builder: build library pay b c d e f (pay tower, hero, statue, crane, smithy), by line 2",
        "producer: produce 3 (produce coffee-roaster), by line 4",
        *(
            f"trader at {tile}: you are asked, by line 3"
            for tile in ("11122", "11222", "11223", "12223", "12233")
        ),
        "role: role councillor, by line 5",
        "tidy: no line answers, so you are asked",
    ]
    assert SPOKEN.tell(plan, match.view("ben"), turn_alive=False)[:2] == [
        "builder: no line answers, so you are asked",
        "producer: produce 3 (produce coffee-roaster), by line 4",
    ]
