"""Plans on the page of whoever holds the hand: read, and put together for the command line."""

from __future__ import annotations

import shlex
from functools import cache

import pytest
from playwright.sync_api import Page

from referee.playing import player
from referee.playing.planning import Planner
from referee.playing.reader import Reader
from referee.render.page.model import Model, model_of
from referee.render.page.planned import ahead_of
from referee.render.page.write import page as write
from referee.table.gamefile import GameFile
from referee.table.planreplay import plan_language
from tests.page.sight import DESKTOP, PHONE, Sight, faults
from tests.page.test_page import Cards, hand_of, without_secrets
from tests.page.worlds import COMMAND, PLAN, all_kinds
from tests.table.tables import Table, key_of, load

CLAUSES = (
    "always builder: archive palace, else pass if under 3 cards",
    "trader: sell dearest, else pass",
    "role: builder if afford library, else trader if 2 goods, else prospector",
)


@cache
def tables() -> tuple[str, str]:
    """A game as it is dealt, ana to choose a role, and the same when ben has planned."""
    table = Table(2, "cli 82687", plans=True).join_all()
    dealt = table.text
    table.apply(table.plan("ben", *CLAUSES))
    return dealt, table.text


def planner_of(file: GameFile, name: str) -> Planner:
    seat = player.my_seat(file, key_of(name).public)
    return Planner(file, Reader(seat, key_of(name), hand_of(file, name)))


def model(name: str, planned: bool = False) -> Model:
    file = load(tables()[planned])
    planner = planner_of(file, name)
    return model_of(file, planner.hand, COMMAND, "--key x.key", ahead_of(planner, PLAN))


def tap(page: Page, *chips: str) -> None:
    """Tap chips, each named `subject kind word` as in `trader name dearest`."""
    for chip in chips:
        subject, kind, word = chip.split(" ")
        page.tap(f"[data-subject='{subject}'] [data-{kind}='{word}']")


def said(page: Page, begin: str) -> list[str]:
    """The arguments of the command that can be copied, without the key's."""
    command = page.inner_text("#command")
    assert command.startswith(begin + " "), command
    assert page.is_enabled("#copy")
    words = shlex.split(command.removeprefix(begin))
    assert words[-2:] == ["--key", "x.key"]
    return words[:-2]


def test_the_common_plan_takes_three_taps(sight: Sight) -> None:
    page = sight.open(write(model("ben")), PHONE)
    assert "You have no plan" in page.inner_text("#plan")
    tap(page, "trader name dearest", "producer name dearest", "councillor end best")
    clauses = said(page, PLAN)
    assert clauses == ["producer: produce dearest", "trader: sell dearest", "councillor: best"]
    planner = planner_of(load(tables()[0]), "ben")
    assert planner.read(clauses) == [*clauses[:2], "councillor: best greedy-1"]
    told = "Producer: the dearest · Trader: the dearest · Councillor: as the bot"
    assert page.inner_text("#chosen") == told
    page.check("#plan-always")
    assert said(page, PLAN) == [f"always {clause}" for clause in clauses]
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
    assert faults(page) == []


def test_what_is_tapped_first_counts_first_and_goes_again(sight: Sight) -> None:
    page = sight.open(write(model("ben")), PHONE)
    tap(page, "builder end pass", "builder name palace", "builder name archive")
    assert said(page, PLAN) == ["builder: build palace archive, else pass"]
    order = page.locator("[data-subject='builder'] [data-order='1']")
    assert order.inner_text() == "Palace"
    tap(page, "builder end ask", "builder name palace", "builder name palace")
    assert said(page, PLAN) == ["builder: build archive palace, else ask"]
    tap(page, "builder name archive", "builder name palace", "builder end ask")
    assert page.is_disabled("#copy")
    assert page.inner_text("#command") == f"{PLAN} …"


def test_an_answer_and_a_plan_are_one_command(sight: Sight) -> None:
    page = sight.open(write(model("ana")), PHONE)
    assert not page.is_visible(".offer")
    page.tap("main [data-choice='0']")
    assert said(page, COMMAND) == ["--role", "builder"]
    page.tap("#offers summary")
    tap(page, "builder name tobacco-storage", "builder end pass")
    clause = "builder: build tobacco-storage, else pass"
    assert said(page, COMMAND) == ["--role", "builder", "--then", clause]
    # Whoever takes the answer back has the plan alone.
    page.tap("main [data-choice='0']")
    assert said(page, PLAN) == [clause]


def test_the_plan_there_is_and_others_that_are_ready(sight: Sight) -> None:
    shown = model("ben", planned=True)
    assert shown.ahead is not None
    page = sight.open(write(shown), PHONE)
    text = page.inner_text("#plan")
    assert "Your plan 1 holds from the next question on." in text
    planner = planner_of(load(tables()[1]), "ben")
    assert planner.present is not None
    assert page.locator(".clauses li").all_inner_texts() == list(planner.present.clauses or ())
    would = page.locator(".would li").all_inner_texts()
    assert would[0] == "Builder (another's): Build Archive, pay Triumphal arch, by line 1"
    assert would[1].startswith("Builder (your own): Build Archive")
    assert would[2].startswith("Choose a role: Prospector")
    told = planner.told(planner.present.clauses or ())
    assert told[0] == "builder (another's): build archive pay triumphal-arch, by line 1"
    assert told[2].startswith("role: role prospector")
    assert len(would) == len(told)
    tap(page, "producer end best")
    page.check("#plan-keep")
    assert said(page, PLAN) == ["producer: best", "--add"]
    page.tap("[data-ready='withdraw']")
    assert said(page, PLAN) == ["--withdraw"]
    assert page.inner_text("#chosen") == "Withdraw my plan"
    page.uncheck("#plan-keep")
    page.tap("[data-ready='suggest']")
    assert said(page, PLAN) == planner.suggested()
    tap(page, "producer end best")
    assert said(page, PLAN) == ["producer: best"]


def test_a_plan_in_force_that_leaves_a_question_open(sight: Sight) -> None:
    """It is said why the seat is asked, and what is planned for other questions."""
    table = Table(2, "cli 82687", plans=True).join_all()
    table.apply(table.plan("ben", "always builder: ask", "always role: trader"))
    table.apply(table.note("1.1.role.ana", "role builder"))
    table.apply(table.note("1.1.build.ana", "pass"))
    planner = planner_of(table.file, "ben")
    shown = model_of(table.file, planner.hand, COMMAND, "--key x.key", ahead_of(planner, PLAN))
    page = sight.open(write(shown), PHONE)
    text = page.inner_text("#plan")
    assert "Your plan 1 is in force." in text
    would = page.locator(".would li").all_inner_texts()
    assert would[0].endswith(": you are asked, by line 1")
    assert "Trader" in would[-1]


@pytest.mark.parametrize("planned", [False, True])
def test_plans_are_told_in_german(sight: Sight, planned: bool) -> None:
    shown = model("ben", planned)
    page, german = sight.open(write(shown), PHONE), sight.open(write(shown, "de"), PHONE)
    for one in (page, german):
        tap(one, "builder name archive", "builder end pass")
    page.select_option("#language", "de")
    for part in ("#plan", "#bar"):
        assert page.inner_text(part) == german.inner_text(part)
    assert page.inner_text("#chosen") == "Baumeister: Archiv, sonst passen"
    if planned:
        told = "Baumeister (von anderen): Archiv bauen, dafür Triumphbogen, nach Zeile 1"
        assert told in page.inner_text("#plan")
    assert faults(page) == []


@pytest.mark.parametrize("kind", ["build", "mine", "taxes", "turn", "after", "opening"])
def test_all_that_is_offered_can_be_planned(sight: Sight, kind: str) -> None:
    asked = all_kinds()[kind]
    language = plan_language(asked.model.file, asked.model.rules)
    assert language is not None
    page = sight.open(asked.text, DESKTOP)
    page.click("#offers summary")
    chips = page.locator("[data-subject] .chip")
    assert chips.count() > 10
    for number in range(2):
        # First everything, then all of one offer that is not whole.
        page.evaluate(
            "only => document.querySelectorAll('[data-subject] .chip')"
            ".forEach(one => { if (!only || !one.dataset.wish) one.click(); })",
            number,
        )
        command = page.inner_text("#command")
        if page.is_enabled("#copy"):
            clauses = shlex.split(command.removeprefix(PLAN))[:-2]
            assert language.read(clauses, asked.view)
    assert page.evaluate("document.documentElement.scrollWidth") <= DESKTOP[0]


def test_only_whoever_holds_the_hand_sees_a_plan() -> None:
    file = load(tables()[1])
    for public in (model_of(file, None), model_of(file, hand_of(file, "ana"))):
        text = write(public)
        assert 'id="plan"' not in text
        assert 'data-subject="' not in text
        assert "archive palace" not in text
        assert "afford" not in text
    mine = model("ben", planned=True)
    text = write(mine)
    assert text == write(mine._replace(file=without_secrets(load(tables()[1]))))
    held = {card.name for card in hand_of(file, "ben").cards}
    city = {one["card"] for row in file.table["seats"] for one in row["city"]}
    assert set(Cards(text).found) == held | city
    assert "archive palace" not in write(model("ana", planned=True))
