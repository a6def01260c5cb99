"""The cards: the deck that comes with the program, decks that a table brings, and their schema."""

from __future__ import annotations

import copy
import json
import tomllib
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import tomli_w

from referee.games.errors import NotUnderstood, OtherVersion
from referee.games.xanadu import deckfile
from referee.games.xanadu.deck import Deck, shipped
from referee.games.xanadu.rules import RULES
from referee.notes.kinds import KEYS
from tests.games.xanadu.plain_rules import CARDS, DECK, _called

ROOT = Path(__file__).parents[3]
SCHEMA = json.loads((ROOT / "schemas" / "xanadu-deck.schema.json").read_text("utf-8"))
TEXT = DECK.read_text("utf-8")
DOCUMENT: dict[str, Any] = tomllib.loads(TEXT)


def fits_schema(document: object) -> bool:
    """Return True if the schema lets a document pass."""
    return bool(jsonschema.Draft202012Validator(SCHEMA).is_valid(document))


def changed(change: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
    """The shipped deck after a change."""
    document = copy.deepcopy(DOCUMENT)
    change(document)
    return document


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_the_shipped_deck_is_a_deck_in_its_short_form() -> None:
    assert deckfile.faults(DOCUMENT) == []
    assert deckfile.read(DOCUMENT) == DOCUMENT
    assert fits_schema(DOCUMENT)
    assert not DOCUMENT["official"]


def test_no_two_shipped_cards_are_alike() -> None:
    """Neither name nor what is printed beside it, nor the four fields alone."""
    rows = DOCUMENT["card"]
    assert len({_called(row["name"]) for row in rows}) == len(rows) == 70
    assert len({str({**row, "name": ""}) for row in rows}) == 70
    assert len({str(row["field"]) for row in rows}) == 70
    assert not any(letter.isdigit() for row in rows for letter in row["name"])


def test_the_shipped_deck_is_that_of_the_box() -> None:
    colours = Counter(row["colour"] for row in DOCUMENT["card"])
    assert colours == {"brown": 24, "blue": 24, "yellow": 12, "green": 10}
    named = {row["name"] for row in DOCUMENT["card"] if "provenance" in row}
    assert named == {
        "Tailor's Shop",
        "Kublai's Four Elephants",
        "Chuang-Mu's Chamber",
        "Barracks",
        "Meeting Room",
    }


def test_the_ladder_can_be_climbed() -> None:
    """Each colour gives resources of its own base cost and of the next colour's."""
    base = {colour: set(names) for colour, names in deckfile.BASE.items()}
    given = {colour: Counter[str]() for colour in deckfile.COLOURS}
    for card in CARDS.values():
        for gives in card.gives:
            given[card.colour].update(gives)
    assert base["brown"] | base["blue"] <= set(given["brown"])
    assert base["blue"] | base["yellow"] <= set(given["blue"])
    assert base["yellow"] | base["green"] <= set(given["yellow"])
    assert base["green"] <= set(given["green"])


def test_flat_numbers_say_what_the_file_says() -> None:
    deck = shipped()
    for name, card in CARDS.items():
        number = deck.number[name]
        assert deckfile.COLOURS[deck.colour[number]] == card.colour
        assert Counter(deck.listed(deck.cost[number])) == card.cost
        assert list(deck.prices[number]) == card.prices
        have = Counter(card.passive)
        assert Counter(deck.listed(deck.income[number][0])) == have
        for crew in range(4):
            assert Counter(deck.listed(deck.gives[number][crew])) == Counter(card.gives[crew])
            assert deck.listed(deck.favours[number][crew]) == card.favours[crew]
            have.update(card.favours[crew])
            assert Counter(deck.listed(deck.income[number][crew + 1])) == have


def test_pools_and_costs() -> None:
    deck = shipped()
    unit = {name: 1 << 8 * place for place, name in enumerate(deck.resources)}
    pool = 2 * unit["bronze"] + unit["jade"] + 60 * unit["wood"]
    assert deck.covers(pool, pool)
    assert deck.covers(pool, unit["bronze"])
    assert not deck.covers(pool, 3 * unit["bronze"])
    assert not deck.covers(pool, unit["jade"] + unit["stone"])
    assert not deck.covers(0, unit["jade"])
    assert deck.missing(pool, 3 * unit["bronze"] + unit["stone"]) == unit["bronze"] + unit["stone"]
    assert deck.told(deck.missing(0, pool - 58 * unit["wood"])) == "2 wood, 2 bronze, jade"
    assert deck.told(0) == "nothing"


def long_form() -> dict[str, Any]:
    """The shipped deck with every list as a list and every field as a table."""
    document = copy.deepcopy(DOCUMENT)
    for card in document["card"]:
        card["cost"] = card["cost"].split()
        card["passive"] = card.get("passive", "").split()
        fields = []
        for text in card["field"]:
            before, _, favour = text.partition("+")
            price, *gives = before.split()
            field: dict[str, Any] = {"price": int(price), "resources": gives}
            if favour:
                field["favour"] = favour.strip()
            fields.append(field)
        card["field"] = fields
    return document


def test_both_ways_of_writing_are_the_same_deck() -> None:
    document = long_form()
    assert fits_schema(document)
    assert deckfile.read(document) == DOCUMENT
    assert deckfile.load(tomli_w.dumps(document)) == DOCUMENT
    assert Deck(deckfile.read(document)).digest == shipped().digest


Change = Callable[[dict[str, Any]], object]
EVERYTHING = "gold stone jade wood clay silk porcelain ink bronze"
WRONG_IN_FORM: list[tuple[Change, str]] = [
    (lambda d: d.update(schema=2), "the deck: schema must be 1"),
    (lambda d: d.update(schema=True), "the deck: schema must be 1"),
    (lambda d: d.pop("deck"), "the deck: deck is missing"),
    (lambda d: d.update(edition="First One"), "the deck: edition must be lower-case words"),
    (lambda d: d.update(official="no"), "the deck: official must be true or false"),
    (lambda d: d.update(author="me"), "'author' is not a key that the deck can have"),
    (lambda d: d.update(resources=["wood", "wood"]), "the deck: resources must be 1 to 16"),
    (lambda d: d.update(resources=["wood", 3]), "the deck: resources must be 1 to 16"),
    (lambda d: d["counts"].update(green=-1), "the deck: counts must be numbers from 0 to 120"),
    (lambda d: d.update(card=[]), "the deck: card must be 60 to 120 cards"),
    (lambda d: d.update(colours="brown"), "the deck: colours must be 1 to 8 different"),
    (lambda d: d.update(colours=["brown", "brown"]), "the deck: colours must be 1 to 8 different"),
    (lambda d: d.update(colours=["Brown", 3]), "the deck: colours must be 1 to 8 different"),
    (lambda d: d.update(colours=[f"c{'o' * n}" for n in range(1, 10)]), "the deck: colours must"),
    (lambda d: d.update(many={"green": 10}), "the deck: many must be"),
    (lambda d: d["card"].append(7), "card 71 is no part with lines"),
    (lambda d: d["card"][3].pop("name"), "card 4: name is missing"),
    (lambda d: d["card"][3].update(name="?"), "card '?': name must be a name that"),
    (lambda d: d["card"][3].update(name=""), "card 4: name must be a name that"),
    (lambda d: d["card"][3].update(cost=[]), "card 'Timber Yard': cost must be 1 to 8 resources"),
    (lambda d: d["card"][3].update(cost="clay " * 9), "card 'Timber Yard': cost must be 1 to 8"),
    (lambda d: d["card"][3].update(cost=["clay", 1]), "card 'Timber Yard': cost must be resources"),
    (lambda d: d["card"][3].update(cost="CLAY"), "card 'Timber Yard': cost must be resources"),
    (lambda d: d["card"][3].pop("cost"), "card 'Timber Yard': cost is missing"),
    (lambda d: d["card"][3].update(price=1), "'price' is not a key that card 'Timber Yard' can"),
    (lambda d: d["card"][3].update(passive="wood " * 3), "card 'Timber Yard': passive must be 0"),
    (lambda d: d["card"][3]["field"].pop(), "card 'Timber Yard': field must be 4 fields"),
    (
        lambda d: d["card"][3]["field"].__setitem__(1, "wood 4"),
        "card 'Timber Yard': field 2 must be like",
    ),
    (
        lambda d: d["card"][3]["field"].__setitem__(1, "100 wood"),
        "card 'Timber Yard': field 2 must be like",
    ),
    (
        lambda d: d["card"][3]["field"].__setitem__(1, "4 wood + clay wood"),
        "card 'Timber Yard': field 2 must be like",
    ),
    (
        lambda d: d["card"][3]["field"].__setitem__(1, "4 wood clay wood clay wood"),
        "card 'Timber Yard': field 2 must be 0 to 4 resources",
    ),
    (
        lambda d: d["card"][3]["field"].__setitem__(1, {"price": -1}),
        "card 'Timber Yard', field 2: price must be a",
    ),
    (
        lambda d: d["card"][3]["field"].__setitem__(1, {"price": 1, "favour": ["wood"]}),
        "card 'Timber Yard', field 2: favour must be a resource",
    ),
    (
        lambda d: d["card"][3]["field"].__setitem__(1, {"price": 1, "favor": "wood"}),
        "'favor' is not a key that card 'Timber Yard', field 2 can have",
    ),
    (lambda d: d["card"][3]["field"].__setitem__(1, 4), "card 'Timber Yard': field 2 is neither"),
    (
        lambda d: d["card"][3].update(final_price=True),
        "card 'Timber Yard': final_price must be a n",
    ),
    (lambda d: d["card"][3].pop("final_price"), "card 'Timber Yard': final_price is missing"),
    (lambda d: d["card"][3].update(provenance="mine"), "card 'Timber Yard': provenance must be"),
    (lambda d: d["card"][3].update(id=""), "card 'Timber Yard': id must be a short text"),
]
"""Decks that the schema refuses too."""

WRONG_AS_A_WHOLE: list[tuple[Change, str]] = [
    (lambda d: d["counts"].pop("green"), "the deck: counts must be said for each of brown, blue"),
    (lambda d: d.update(base={"brown": "wood"}), "the deck: base must be said for each of brown"),
    (lambda d: d["card"][3].update(colour="red"), "card 'Timber Yard': colour must be one of"),
    (
        lambda d: d.update(colours=["red", "blue"]),
        "the deck: counts must be said for each of red",
    ),
    (lambda d: d.update(many={"brown": 1}), "the deck: many must be said for each of brown, blue"),
    (lambda d: d["card"][3].update(cost="gems"), "cost names 'gems', which is not among the"),
    (lambda d: d["card"][3].update(cost="gold"), "card 'Timber Yard': cost has none of the base"),
    (lambda d: d["card"][3].update(name="rope  walk"), "card 'rope-walk': name stands on 2 cards"),
    (
        lambda d: d["card"][3].update(name="Pass"),
        "card 'Pass': name must be a name that",
    ),
    (
        lambda d: d["card"][3].update(name="Clauses"),
        "card 'Clauses': name must be a name that makes a",
    ),
    (lambda d: d["card"][3].update(name="End of game"), "name must be a name that"),
    (
        lambda d: d["card"][3].update(name="The Hall of a Hundred Men"),
        "name must be a name that",
    ),
    (
        lambda d: d["card"][3].update(name="\u5bab\u6bbf\u5bab"),
        "name must be a name that",
    ),
    (lambda d: d["counts"].update(green=11), "the deck: counts.green says 11, there are 10"),
    (lambda d: [row.update(id="x") for row in d["card"][:2]], "card 'x': id stands on 2 cards"),
    (
        lambda d: (d["resources"].append("tea"), d["card"][3].update(cost="clay tea")),
        "card 'Timber Yard': cost needs tea, which nothing gives",
    ),
]
"""Faults that no schema can name."""


@pytest.mark.parametrize(("change", "fault"), WRONG_IN_FORM)
def test_what_is_wrong_in_form(change: Change, fault: str) -> None:
    document = changed(change)
    found = deckfile.faults(document)
    assert any(fault in text for text in found), found
    assert not fits_schema(document)
    with pytest.raises(NotUnderstood, match="this deck cannot be used"):
        deckfile.read(document)


@pytest.mark.parametrize(("change", "fault"), WRONG_AS_A_WHOLE)
def test_what_is_wrong_as_a_whole(change: Change, fault: str) -> None:
    document = changed(change)
    found = deckfile.faults(document)
    assert any(fault in text for text in found), found
    assert fits_schema(document)


def test_what_may_be_otherwise() -> None:
    """Prices, resources of one's own, a base of one's own, more or fewer cards."""
    for change in (
        lambda d: d["card"][3].update(final_price=0, passive="jade gold", id="B 3"),
        lambda d: d["card"][3].update(cost="stone", provenance="official"),
        lambda d: (
            d["card"][3].update(cost="gold", field=["0", "0", "0", "0 + jade"])
            or d.update(base=dict.fromkeys(deckfile.COLOURS, EVERYTHING))
        ),
        lambda d: (d["card"].pop(), d["counts"].update(green=9)),
    ):
        document = changed(change)
        assert deckfile.faults(document) == []
        assert fits_schema(document)
        short = deckfile.read(document)
        assert deckfile.read(short) == short


STRANGE = ["", "schema = ", "x = 1\nx = 2", "[" * 5000, "a = 2020-01-01", "schema = " + "9" * 5000]


@pytest.mark.parametrize("text", STRANGE)
def test_strange_texts_are_no_decks(text: str) -> None:
    with pytest.raises(NotUnderstood):
        RULES.choose(None, [], [], {}, text)


@pytest.mark.parametrize("document", [None, [], 3, "deck", {}, {"card": {}}, {"card": [None] * 70}])
def test_strange_documents_are_no_decks(document: object) -> None:
    assert deckfile.faults(document)


def test_a_message_names_a_few_faults_and_counts_the_rest() -> None:
    document = changed(lambda d: [row.update(cost="gems") for row in d["card"]])
    with pytest.raises(NotUnderstood) as error:
        deckfile.read(document)
    assert str(error.value).count("gems") == 12
    assert str(error.value).endswith("more")


def own_deck() -> str:
    """A deck file that differs from the shipped one in a price."""
    return TEXT.replace('deck = "xanadu-substitute-2"', 'deck = "mine"').replace(
        "final_price = 8", "final_price = 9", 1
    )


def test_the_cards_of_a_deck_are_looked_up_where_they_are() -> None:
    for deck, where in ((own_deck(), "sanjuan-ref page"), (None, "rules cards --game xanadu")):
        with pytest.raises(NotUnderstood) as refusal:
            RULES.choose(None, [], [], {}, deck).called("panda")
        assert where in refusal.value.hint


def test_a_table_brings_its_own_deck() -> None:
    rules = RULES.choose(None, [], [], {}, own_deck())
    assert max(prices[4] for prices in rules.cards.prices) == 9
    terms = rules.terms()
    assert terms["deck"] == "mine"
    assert terms["cards"] == rules.cards.digest != shipped().digest
    again = RULES.load(tomllib.loads(tomli_w.dumps(terms)))
    assert isinstance(again, RULES)
    assert again.terms() == terms
    assert again.cards.prices == rules.cards.prices
    assert len(tomli_w.dumps(terms)) < 30_000
    assert all(len(line) < 4096 for line in tomli_w.dumps(terms).split("\n"))


def test_how_a_deck_is_written_is_no_part_of_the_terms() -> None:
    plain = RULES.choose(None, [], [], {}, own_deck())
    wide = RULES.choose(None, [], [], {}, own_deck().replace("\n", "\n\n# a remark\n"))
    assert plain.terms() == wide.terms()


def test_terms_of_the_shipped_deck_are_its_id_and_hash() -> None:
    terms = RULES.choose(None, [], ["advanced"], {"passes": "3"}).terms()
    assert terms == {
        "edition": "substitute",
        "expansions": [],
        "variants": ["advanced"],
        "options": {"passes": "3", "stall_guard": "on"},
        "deck": "xanadu-substitute-2",
        "cards": shipped().digest,
    }
    assert RULES.load(terms).terms() == terms


def test_terms_notice_other_cards() -> None:
    terms = RULES.choose(None, [], [], {}, own_deck()).terms()
    for wrong in ({"cards": "0" * 64}, {"deck": "other"}, {"variants": ["advanced", "advanced"]}):
        with pytest.raises(OtherVersion):
            RULES.load({**terms, **wrong})
    other = copy.deepcopy(terms)
    other["own-deck"]["card"][5]["final_price"] = 7
    with pytest.raises(OtherVersion):
        RULES.load(other)
    broken: dict[str, Any]
    for broken in (
        {"edition": 3},
        {"variants": "x"},
        {"variants": [["x"]]},
        {"options": {"passes": 2}},
        {"options": []},
    ):
        with pytest.raises(NotUnderstood):
            RULES.load({**terms, **broken})
    for broken, says in (
        ({"own-deck": 3}, "has lines such as"),
        ({"own-deck": {}}, "is missing"),
        ({"edition": "first"}, "no edition 'first'"),
        ({"options": {"passes": "4"}}, "passes must be"),
    ):
        with pytest.raises(OtherVersion, match=says):
            RULES.load({**terms, **broken})


def test_facts_say_what_is_printed() -> None:
    rules = RULES.choose(None, [], [], {})
    assert rules.facts("barracks") == (
        "green, costs silk, 2 bronze, jade: 7 bronze | 6 jade | 4 stone, bronze | 3 bronze | 2"
    )
    assert rules.facts("tailors-shop").startswith("brown, costs wood, gives wood each turn: 0 wood")
    assert rules.facts("end-of-game") == rules.facts("nothing") == ""


def test_no_card_is_called_like_a_key_of_a_note() -> None:
    assert set(KEYS) <= deckfile.RESERVED
