"""What every game says about its cards and rules is there for all of them, and can be looked up."""

from __future__ import annotations

import pytest

from referee.games import GAMES, rules_of
from referee.games.board import COLOURS
from referee.games.interface import NotUnderstood
from tests.games.test_contract import RULE_SETS, each_rules


@each_rules
def test_every_card_can_be_looked_up(name: str) -> None:
    rules = RULE_SETS[name]
    names = rules.names()
    assert names
    for called, card in names.items():
        assert rules.called(called) == card
        assert rules.called(called.upper().replace("-", " ")) == card
        assert rules.text(card) or rules.facts(card)
        assert "\n" not in rules.text(card)
        assert rules.colour(card) in COLOURS
    assert rules.colour("no-such-card") == ""
    for strange in ("", " ", "no such card", "\x1b[2J"):
        with pytest.raises(NotUnderstood) as error:
            rules.called(strange)
        assert error.value.hint


@pytest.mark.parametrize("module", GAMES)
def test_rulings_are_sentences_by_topic(module: str) -> None:
    rules = rules_of(module).whole()
    rulings = rules.rulings()
    assert len(rulings) > 3
    for topic, sentences in rulings.items():
        assert topic == topic.lower()
        assert sentences
        for sentence in sentences:
            assert sentence.endswith(".")
            assert sentence[0].isupper()


def test_a_beginning_that_fits_several_cards_names_them() -> None:
    rules = rules_of("sanjuan").whole()
    with pytest.raises(NotUnderstood, match="several cards") as error:
        rules.called("gold")
    assert error.value.hint == "gold-mine, goldsmith"
    assert rules.called("house") == "well"
