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
    builds = "build library pay hero statue crane smithy, by line 2"
    others = "build library pay tower hero statue crane smithy, by line 2"
    assert SPOKEN.tell(plan, match.view("ben")) == [
        f"builder (another's): {others}",
        f"builder (your own): {builds}",
        "producer: produce 3 (produce coffee-roaster), by line 4",
        "trader: you are asked, by line 3",
        "role: role councillor (all draw 2 and keep 1; you draw 5 and keep 1), by line 5",
        "tidy: no line answers, so you are asked",
    ]
    asked = "no line answers, so you are asked"
    assert SPOKEN.tell(plan, match.view("ben"), turn_alive=False)[:3] == [
        f"builder: {asked}",
        "producer: produce 3 (produce coffee-roaster), by line 4",
        f"trader: {asked}",
    ]
    # The turn that comes next ends what this turn takes with it.
    told = SPOKEN.tell(plan, match.view("ben"), True, False)
    assert told[0].startswith("builder (another's): build library")
    assert told[4] == f"role: {asked}"
    # In a phase that runs, what it will ask comes first.
    match.play_row("ana: role builder")
    assert SPOKEN.tell(plan, match.view("ben"))[0] == f"builder: {others}"


def test_what_depends_on_the_price_is_told_by_the_price() -> None:
    city = [{"card": name, "good": True} for name in ("sugar-mill", "coffee-roaster")]
    ben = {"name": "ben", "hand": ["tower"], "city": city}
    match = Match.from_position({"seats": [{"name": "ana", "hand": ["well"]}, ben]})
    plan = SPOKEN.read(["trader: sell coffee least 3, else sell sugar most 1"])
    told = [line for line in SPOKEN.tell(plan, match.view("ben")) if line.startswith("trader")]
    assert [line.partition(" (sell")[0] for line in told] == [
        "trader (11122 or 11222 or 11223): sell 1",
        "trader (12223): sell 1",
        "trader (12233): sell 2",
    ]


def test_a_question_is_told_by_its_subject() -> None:
    hands = [{"name": name, "hand": ["tower", "well"]} for name in ("ana", "ben")]
    match = Match.from_position({"seats": hands})
    assert SPOKEN.tell(["role: ask"], match.view("ana"))[0] == "role: you are asked, by line 1"
    match.play_row("ana: role builder")
    told = SPOKEN.tell(["builder: ask"], match.view("ana"))
    assert told[0] == "builder: you are asked, by line 1"


@pytest.mark.parametrize(
    ("lines", "lacks"),
    [
        (["rank: tower"], "a rank alone answers nothing"),
        (["builder: rank"], "builder is by rank, and no line begins with `rank:`"),
        (["builder: pass if 2 goods, else rank"], "builder is by rank"),
        (
            ["rank: tower", "always builder: rank"],
            "builder is by rank, and no line begins with `always",
        ),
        (["rank: tower", "builder: rank"], ""),
        (["builder: rank tower", "councillor: rank"], ""),
        (["always rank: tower", "builder: rank", "always builder: rank"], ""),
        ([], ""),
    ],
)
def test_what_a_whole_plan_lacks(lines: list[str], lacks: str) -> None:
    found = SPOKEN.unfinished(SPOKEN.read(lines))
    assert found.startswith(lacks)
    assert bool(found) == bool(lacks)


XANADU = {
    "game": "xanadu",
    "seats": [
        {
            "name": "ana",
            "coins": 3,
            "hand": ["stone-cutter", "barracks", "saddlery", "bamboo-yard"],
            "city": ["tailors-shop", "brick-kiln"],
        },
        {"name": "ben", "hand": ["felt-maker"], "city": ["oil-press", "lime-pit"]},
    ],
}


def test_buildings_are_tested_as_they_will_stand_after_an_answer() -> None:
    match = Match.from_position(XANADU)
    view, spoken = match.view("ana"), language_of(match.rules, match.seats)
    then = view.foreseen("work b ben 1 work c ana 1")
    assert then.decision is None
    assert [card.name for card in then.hand] == ["stone-cutter", "bamboo-yard"]
    for line in ("turn: sell 1", "turn: work any ben 1", "turn: sell 2"):
        before, after = (spoken.read([line], one)[0] for one in (view, then))
        assert before.endswith("price 0 workers 0")
        assert after.endswith("workers 0" if line == "turn: sell 2" else "workers 1")
    built = view.foreseen("sell 1 build stone-cutter")
    assert spoken.read(["turn: sell stone-cutter"], built)[0].startswith(
        "turn: sell stone-cutter if at ana 3 "
    )
    with pytest.raises(NotUnderstood, match="no stone-cutter stands on the table now"):
        spoken.read(["turn: sell stone-cutter"], view)
    with pytest.raises(NotUnderstood, match="ana has no building on plot 1 now"):
        spoken.read(["turn: sell 1"], built)
    # The table of the view itself is as it was.
    assert spoken.read(["turn: sell 1"], view)[0].endswith("price 0 workers 0")


def test_a_turn_that_is_planned_again_is_tested_anew() -> None:
    match = Match.from_position(XANADU)
    view, spoken = match.view("ana"), language_of(match.rules, match.seats)
    lasting = "always turn: sell 1 if at ana 1 price 4 workers 2"
    old = [
        "turn: work any ben 2 if at ben 2 price 9 workers 3, else sell jade-gate, else build any",
        "turn: sell 9 if at ana 9 price 1 workers 1",
        lasting,
    ]
    assert spoken.renewed(old, view) == [
        "turn: work any ben 2 if at ben 2 price 0 workers 0, else build any",
        lasting,
    ]


def test_what_an_answer_asks_of_its_own_author() -> None:
    match = Match.from_position({"seats": [{"name": "ana", "hand": ["well"]}, {"name": "ben"}]})
    view = match.view("ana")
    for role, subject in (("builder", "builder"), ("trader", "trader"), ("prospector", "")):
        assert SPOKEN.follows(view, f"role {role}") == subject
    rules = rules_of("sanjuan").choose("2004", ["events"], [], {})
    spoken = language_of(rules, ["ana", "ben"])
    for play, subject in (
        ("role prospector", "mine"),
        ("event taxes", "taxes"),
        ("event general-amnesty", "amnesty"),
        ("event debt-relief", ""),
        ("role trader event governor-visit", "trader"),
    ):
        assert spoken.follows(view, play) == subject
    xanadu = Match.from_position(XANADU | {"seats": [XANADU["seats"][0], {"name": "ben"}]})
    spoken = language_of(xanadu.rules, xanadu.seats)
    assert spoken.follows(xanadu.view("ana"), "sell 1 2") == "opening"
    assert spoken.follows(xanadu.view("ana"), "sell 1") == ""


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
