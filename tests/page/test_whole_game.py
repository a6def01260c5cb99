"""A game played by its pages alone: tap, take the command, run it, apply, until it is over."""

from __future__ import annotations

import random
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page

from referee import games
from referee.games import rules_of
from tests.cli.world import lay_out
from tests.mail.office import run
from tests.page.sight import DESKTOP, PHONE, Sight
from tests.table.tables import Table, load
from tests.toys import TOYS

GAMES = {
    "sanjuan": (("new-buildings",), {"round_limit": "1"}, 99),
}
"""Expansions, options and most turns of a game that is played to its end; others are begun."""


@pytest.fixture(autouse=True)
def _place(workplace: Path, toys: None) -> None:
    lay_out(workplace, "nothing")


def do(*words: str) -> str:
    done = run(*words)
    assert done.code == 0, (words, done.err)
    return done.out


def commands(page: Page, chance: random.Random) -> Iterator[str]:
    """Commands that the page composes, in the order in which somebody tries answers."""
    numbers = list(range(page.locator("[data-choice]").count()))
    chance.shuffle(numbers)
    for number in numbers:
        page.click(f"[data-choice='{number}']")
        for card in page.query_selector_all("#held [data-letter]"):
            if page.is_enabled("#copy"):
                break
            card.click()
        if page.is_enabled("#copy"):
            yield page.inner_text("#command")


@pytest.mark.parametrize("name", [*games.GAMES, *TOYS])
def test_a_game_is_played_by_its_pages(sight: Sight, name: str) -> None:
    expansions, options, most = GAMES.get(name, ((), {}, 5))
    rules = rules_of(name).choose(None, expansions, (), options)
    Path("game.toml").write_text(Table(2, "whole", rules=rules).join_all().text)
    chance = random.Random(name)
    for turn in range(most):
        file = load(Path("game.toml").read_text())
        waiting = {one.decision for one in file.pending}
        seat = next((one.seat for one in file.asked if one.id not in waiting), None)
        if seat is None:
            assert file.status == "finished"
            break
        do("page", "game.toml", "--key", f"{seat}.key", "-o", "page.html")
        page = sight.open(Path("page.html").read_text(), PHONE if turn % 2 else DESKTOP)
        # What a pattern stands for may be illegal still, which `move` says; a whole answer is not.
        for command in commands(page, chance):
            program, *words = shlex.split(command)
            assert program == "sanjuan-ref"
            done = run(*words, "-o", "a.move")
            assert done.code in (0, 14), done.err
            if done.code == 0:
                break
        else:
            pytest.fail(f"no answer of {seat} at turn {turn} was legal")
        do("apply", "game.toml", "a.move", "--referee-key", "referee.key")
        sight.contexts.pop().close()
    do("page", "game.toml", "--public", "-o", "end.html")
    page = sight.open(Path("end.html").read_text())
    page.click("#first")
    assert "Step 1 of" in page.inner_text("#now")
