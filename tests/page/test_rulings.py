"""The rulings on a page: those of its rule set, and those on the card that is tapped."""

from __future__ import annotations

import pytest

from referee.games.rulings import applying
from referee.render.page.model import model_of
from referee.render.page.write import page
from tests.page.sight import PHONE, Sight
from tests.page.worlds import all_kinds, game_of
from tests.table.tables import Table


@pytest.mark.parametrize("kind", ["role", "build", "turn"])
def test_a_page_has_the_rulings_of_its_rule_set(sight: Sight, kind: str) -> None:
    model = all_kinds()[kind].model
    shown = sight.open(page(model))
    for code in ("de", "en"):
        shown.select_option("#language", code)
        topics = applying(model.rules, code).values()
        assert shown.locator("#rulings [data-topic]").all_text_contents() == [
            one.title for one in topics
        ]
        assert shown.locator("#rulings [data-ruling]").all_text_contents() == [
            one.sentence for topic in topics for one in topic.rulings
        ]
    shown.click("#cards summary")
    assert shown.locator("#cards li").count() == len(model.faces)


def test_a_card_is_tapped_with_what_there_is_to_say_about_it(sight: Sight) -> None:
    shown = sight.open(page(model_of(game_of("finished"), None)), PHONE)
    shown.click("#cards summary")
    shown.tap("#cards [data-card='archive']")
    shown.click("#detail-more summary")
    assert "With an archive the drawn cards join the hand" in shown.inner_text("#detail-rules")
    assert shown.locator("#detail-rules li").count() == 1
    shown.click("#detail form button")
    shown.tap("#cards [data-card='statue']")
    assert not shown.is_visible("#detail-more")


def test_without_scripts_and_before_the_deal_they_are_there(sight: Sight) -> None:
    shown = sight.open(page(model_of(Table(3).file, None)), script=False)
    shown.click("#rulings summary >> nth=0")
    assert "the governor chooses a role" in shown.inner_text("#rulings")
    assert not shown.is_visible("#cards")
