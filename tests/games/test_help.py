"""Every game has texts for all of its cards and rules, which can be looked up."""

from __future__ import annotations

import pytest

from referee.games import GAMES, rules_of
from referee.games.board import COLOURS
from referee.games.errors import NotUnderstood
from referee.games.rulings import applying, rulings
from tests.games.test_contract import EVERY, each_rules


@each_rules
def test_every_card_can_be_looked_up(name: str) -> None:
    rules = EVERY[name]
    names = rules.card_aliases()
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


@pytest.mark.parametrize("code", ["en", "de"])
@pytest.mark.parametrize("module", GAMES)
def test_rulings_are_sentences_by_topic(module: str, code: str) -> None:
    rules = rules_of(module).whole()
    topics = rulings(rules, code)
    assert len(topics) > 3
    for key, topic in topics.items():
        assert key == key.lower()
        assert topic.title[0].isupper()
        assert topic.rulings
        for one in topic.rulings:
            assert one.sentence.endswith(".")
            assert one.sentence[0].isupper()


def test_other_languages_say_as_much_about_the_same_cards() -> None:
    for module in GAMES:
        rules = rules_of(module).whole()
        english, german = rulings(rules), rulings(rules, "de")
        assert list(english) == list(german)
        for key, topic in english.items():
            assert topic.title != german[key].title or topic.title in ("Bank",)
            assert [one.cards for one in topic.rulings] == [
                one.cards for one in german[key].rulings
            ]
            for one, other in zip(topic.rulings, german[key].rulings, strict=True):
                assert one.sentence != other.sentence
                for card in one.cards:
                    # Declined, a title still begins as it does; of its topic a ruling says no name.
                    begins = rules.card_title(card, "de")[:6].lower()
                    assert card == key or begins in other.sentence.lower()


def test_a_table_has_the_rulings_on_what_it_plays_with() -> None:
    def said(expansions: tuple[str, ...], variants: tuple[str, ...]) -> tuple[set[str], str]:
        rules = rules_of("sanjuan").choose(None, expansions, variants, {})
        topics = applying(rules)
        sentences = [one.sentence for topic in topics.values() for one in topic.rulings]
        return set(topics), " ".join(sentences)

    topics, sentences = said((), ())
    assert not {"events", "draft", "bank"} & topics
    assert "cathedral counts" not in sentences
    assert "gold mine turns over four" in sentences
    assert "guard room" not in sentences
    assert "Gold mines come before" not in sentences
    assert "free build" not in sentences
    # What is right without them too may name cards that are not there.
    assert "production buildings or the customs office" in sentences
    assert "chapel, bank and harbor" in sentences
    topics, sentences = said(("new-buildings", "events"), ("draft-start",))
    assert {"events", "draft", "bank"} <= topics
    assert "cathedral counts" in sentences
    assert "While anybody has a guard room" in sentences
    assert "Gold mines come before goldsmiths" in sentences
    assert "A free build in which" in sentences


@pytest.mark.parametrize("expansions", [(), ("new-buildings",), ("events",)])
def test_a_ruling_that_needs_a_card_is_told_where_the_card_is(expansions: tuple[str, ...]) -> None:
    rules = rules_of("sanjuan").choose(None, expansions, (), {})
    everything = [one for topic in rulings(rules).values() for one in topic.rulings]
    told = [one for topic in applying(rules).values() for one in topic.rulings]
    there = set(rules.card_aliases().values())
    needing = [one for one in everything if one.needs]
    assert {one.needs for one in needing} == {"guard-room", "goldsmith"}
    for one in needing:
        assert one.needs in one.cards
        assert (one in told) == (one.needs in there)


def test_every_event_has_a_ruling() -> None:
    rules = rules_of("sanjuan").choose(None, ("events",), (), {})
    named = {card for one in applying(rules)["events"].rulings for card in one.cards}
    base = rules_of("sanjuan").choose(None, (), (), {})
    assert set(rules.card_aliases().values()) - set(base.card_aliases().values()) <= named


def test_a_beginning_that_fits_several_cards_names_them() -> None:
    rules = rules_of("sanjuan").whole()
    with pytest.raises(NotUnderstood, match="several cards") as error:
        rules.called("gold")
    assert error.value.hint == "gold-mine, goldsmith"
    assert rules.called("house") == "well"
