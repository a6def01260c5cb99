"""Completion, and what a plan says that it would do."""

from __future__ import annotations

import subprocess
import sys

import pytest

from referee.games import rules_of
from referee.games.errors import NotUnderstood
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
        ("builder: build palace save tower ", ["over", "goods"]),
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
        "builder: build library pay tower hero statue crane smithy, by line 2",
        "producer: produce 3 (produce coffee-roaster), by line 4",
        *(
            f"trader at {tile}: you are asked, by line 3"
            for tile in ("11122", "11222", "11223", "12223", "12233")
        ),
        "role: role councillor (all draw 2 and keep 1; you draw 5 and keep 1), by line 5",
        "tidy: no line answers, so you are asked",
    ]
    assert SPOKEN.tell(plan, match.view("ben"), turn_alive=False)[:2] == [
        "builder: no line answers, so you are asked",
        "producer: produce 3 (produce coffee-roaster), by line 4",
    ]


def test_the_bot_writes_what_it_builds_and_which_roles_it_takes() -> None:
    hand = ["well", "tower", "hero", "quarry"]
    match = Match.from_position({"seats": [{"name": "ana", "hand": hand}, {"name": "ben"}]})
    assert SPOKEN.suggest(match.view("ana"))[:2] == [
        "builder: build library carpenter silver-smelter prefecture quarry chapel tobacco-storage "
        "smithy aqueduct coffee-roaster market-hall trading-post market-stand gold-mine poor-house "
        "hero archive sugar-mill well palace victory-column indigo-plant statue black-market "
        "guild-hall crane tower city-hall pay worst, else pass",
        "role: builder councillor prospector producer trader",
    ]


def test_the_bot_plans_its_turn_for_what_others_do_before() -> None:
    """Its goods can be sold once somebody else has produced; then it would rather trade."""
    city = ["silver-smelter", "coffee-roaster"]
    seats = [{"name": "ana"}, {"name": "ben", "city": city}]
    match = Match.from_position({"seats": seats})
    (line,) = [line for line in SPOKEN.suggest(match.view("ben")) if line.startswith("role:")]
    assert (
        line == "role: trader if after producer, else producer councillor prospector trader builder"
    )
    for row in ("ana: role producer", "ben: produce 1"):
        match.play_row(row)
    assert SPOKEN.evaluate([line], match.view("ben")) == match.view("ben").suggest()


@pytest.mark.parametrize(
    ("lines", "silent"),
    [
        (["builder: tower", "trader: sell dearest, else pass"], ["builder"]),
        (["builder: tower", "always builder: best"], []),
        (["role: builder if 3 cards, else trader if after producer"], ["role"]),
        (["rank: tower", "tidy: ask", "role: ask if 2 cards"], ["role"]),
        (["builder: library, else pass", "always builder: tower"], ["builder"]),
        (["builder: library, else pass"], []),
        (["role: builder prospector councillor producer trader"], []),
        (["role: builder prospector councillor producer"], ["role"]),
        (["role: builder prospector councillor producer trader if 3 cards"], ["role"]),
        (["councillor: keep rank", "producer: dearest", "tidy: discard cheapest"], []),
        (
            ["councillor: keep tower", "producer: indigo", "tidy: chapel worst"],
            [
                "councillor",
                "producer",
                "tidy",
            ],
        ),
        (["trader: sell dearest"], ["trader"]),
    ],
)
def test_who_may_be_asked_in_spite_of_a_plan_is_told(lines: list[str], silent: list[str]) -> None:
    assert SPOKEN.silences(SPOKEN.read(lines)) == silent


def test_only_what_may_be_passed_can_end_with_a_pass() -> None:
    endings = {name: SPOKEN.endings(name) for name in ("builder", "role", "producer")}
    assert endings == {"builder": ["pass", "best"], "role": ["best"], "producer": ["best"]}
    for name, words in endings.items():
        for word in words:
            assert SPOKEN.silences(SPOKEN.read([f"{name}: {word}"])) == []


def test_seats_named_like_letters_are_no_words_of_a_play() -> None:
    rules = rules_of("xanadu").choose(None, [], [], {})
    with pytest.raises(NotUnderstood, match="'a' is the letter of a card"):
        language_of(rules, ["a", "b"]).read(["turn: play work barracks a 2"])


def test_the_rules_are_imported_without_the_language() -> None:
    script = (
        "import sys, referee.games.sanjuan.rules, referee.games.xanadu.rules\n"
        "print(*(name for name in sys.modules if name.startswith('referee.games')))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    loaded = done.stdout.split()
    assert "referee.games.xanadu.rules" in loaded
    assert [name for name in loaded if name.endswith((".plans", ".grammar", ".wishes"))] == []
