"""The hand of earlier steps: what its key still tells, and nothing for anybody else."""

from __future__ import annotations

import json
import random
from collections import Counter
from functools import partial

import pytest

from referee.render.page.model import document, model_of
from referee.render.page.past import GONE, hands_so_far
from referee.render.page.write import page
from referee.table import opening
from referee.table.gamefile import GameFile
from referee.table.replay import each_step
from tests.games.test_contract import RULE_SETS
from tests.page.sight import Sight
from tests.page.test_following import choose
from tests.page.test_page import embedded, hand_of
from tests.page.worlds import game_of
from tests.table.tables import REFEREE, Table


def covered(file: GameFile) -> set[str]:
    """Cards that were built and have gone since: all that the log names in the open."""
    return {word for entry in file.log for line in entry.then for word in line.split(" ")}


def truth(file: GameFile, seat: str) -> list[Counter[str]]:
    """The hands that the seat had, as the referee knows them."""
    rules = model_of(file, None).rules
    return each_step(
        file,
        opening.deal_secret(file, REFEREE),
        lambda game: Counter(
            rules.card_name(rules.hand_piles[0], card) for card in game.hand(seat)
        ),
    )


@pytest.mark.parametrize("name", RULE_SETS)
def test_what_is_held_or_was_built_was_there_since_it_was_drawn(name: str) -> None:
    table = Table(3, f"past {name}", rules=RULE_SETS[name]).join_all()
    file = table.rush(partial(choose, random.Random(name)), until=16).file
    assert file.revealed_secret is None
    for seat in file.seating:
        hand = hand_of(file, seat)
        mine = model_of(file, hand).mine
        assert mine is not None
        assert len(mine.past) == file.step
        for known, was in zip(mine.past, truth(file, seat), strict=True):
            assert len(known) == was.total()
            assert Counter(one for one in known if one != GONE) <= was
        assert Counter(mine.past[-1]) == Counter(card.name for card in hand.cards)
        # Nothing but what lies in the sealed hand, or before everybody's eyes.
        built = {one["card"] for row in file.table["seats"] for one in row["city"]}
        shown = {one for names in mine.past for one in names if one != GONE}
        assert shown <= {card.name for card in hand.cards} | built | covered(file)


def test_after_the_game_every_hand_of_the_reader_is_there() -> None:
    file = game_of("finished")
    for seat in file.seating:
        mine = model_of(file, hand_of(file, seat)).mine
        assert mine is not None
        assert [Counter(names) for names in mine.past] == truth(file, seat)


def test_what_may_have_been_drawn_as_it_was_built_was_not_there_before() -> None:
    file = game_of("in-progress")
    hand = hand_of(file, "dora")
    boards = model_of(file, hand).boards
    step, entry, built = next(
        (step, entry, line)
        for step, entry in enumerate(file.log, 1)
        for line in entry.then
        if line.startswith("build dora smithy ")
    )
    before = step - 2
    assert "smithy" in hands_so_far(file, hand, boards)[before]
    entry.then = ("draw dora deck 0 70-70", *entry.then)
    assert entry.then.index(built)
    past = hands_so_far(file, hand, boards)
    assert not any("smithy" in names for names in past)
    assert len(past[before]) == next(
        one.hand for one in boards[before].places if one.seat == "dora"
    )


@pytest.mark.parametrize("name", ["finished", "in-progress"])
def test_a_page_for_anybody_has_no_hand_of_any_step(name: str) -> None:
    model = model_of(game_of(name), None)
    assert document(model)["past"] == []
    assert json.loads(embedded(page(model)))["past"] == []


def test_the_hand_goes_with_the_steps(sight: Sight) -> None:
    file = game_of("finished")
    hand = hand_of(file, "carl")
    model = model_of(file, hand)
    assert model.mine is not None
    shown = sight.open(page(model))
    seen = "[...document.querySelectorAll('#past li')].map(one => one.firstChild.dataset.card)"
    shown.click("#first")
    for names in model.mine.past[:30]:
        assert shown.evaluate(seen) == names
        assert not shown.is_visible("#held")
        shown.click("#next")
    shown.select_option("#language", "de")
    shown.click("#past li:first-child button")
    assert shown.is_visible("#detail")
    shown.keyboard.press("Escape")
    shown.click("#last")
    assert shown.is_visible("#held")
    assert not shown.is_visible("#past")


def test_what_is_not_known_lies_face_down(sight: Sight) -> None:
    file = game_of("in-progress")
    model = model_of(file, hand_of(file, "dora"), "sanjuan-ref move game.toml")
    assert model.mine is not None
    shown = sight.open(page(model))
    shown.click("#first")
    backs = model.mine.past[0].count(GONE)
    assert backs
    assert shown.locator("#past [aria-label='a card face down']").count() == backs
    # To answer is to go back to the newest table.
    shown.click("[data-choice='0']")
    assert shown.is_visible("#held")
