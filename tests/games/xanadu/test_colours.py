"""A deck may have other colours than those of the rule book, as many as it likes."""

from __future__ import annotations

import copy
import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
import tomli_w

from referee.games.errors import Illegal
from referee.games.match import Match
from referee.games.xanadu import deckfile
from referee.games.xanadu.deck import shipped
from referee.games.xanadu.rules import RULES, XanaduRules
from referee.render.page.model import model_of
from referee.render.page.write import page
from tests.games.xanadu.plain_rules import DECK
from tests.mail.office import run
from tests.table.tables import REFEREE, Table, key_of

RED = ("Tailor's Shop", "Rope Walk", "Brick Kiln", "Timber Yard", "Grain Store")
COLOURS = ["brown", "blue", "yellow", "green", "red"]
SEATS = ("ana", "ben", "carl", "dora", "emil")


def five(**more: Any) -> dict[str, Any]:
    """The shipped deck, in which some cards have a fifth colour."""
    document = copy.deepcopy(tomllib.loads(DECK.read_text("utf-8")))
    for card in document["card"]:
        if card["name"] in RED:
            card["colour"] = "red"
    document["counts"] |= {"brown": 24 - len(RED), "red": len(RED)}
    return document | {"deck": "five", "colours": COLOURS} | more


def rules_of(**more: Any) -> XanaduRules:
    return RULES.choose(None, [], [], {}, tomli_w.dumps(five(**more)))


def test_the_terms_hold_the_colours_and_give_the_same_deck() -> None:
    rules = rules_of(many=dict.fromkeys(COLOURS, 3))
    terms = json.loads(json.dumps(rules.terms()))
    assert terms["own-deck"]["colours"] == COLOURS
    assert RULES.load(terms).terms() == terms
    assert len({one.cards.digest for one in (rules, rules_of())} | {shipped().digest}) == 3


def test_what_the_rule_book_says_is_not_written_down() -> None:
    """So decks from before there were other colours keep their hashes."""
    document = tomllib.loads(DECK.read_text("utf-8"))
    usual = {"brown": 0, "blue": 0, "yellow": 1, "green": 2}
    said = document | {"colours": list(deckfile.COLOURS), "many": usual}
    assert deckfile.read(said) == deckfile.read(document) == document


@pytest.mark.parametrize(
    ("colours", "first", "later"),
    [
        (COLOURS, "wheelwright", "rope-walk"),
        (["red", "blue", "yellow", "green", "brown"], "rope-walk", "wheelwright"),
    ],
)
def test_the_order_of_the_colours_is_that_of_the_opening(
    colours: list[str], first: str, later: str
) -> None:
    seats = [
        {"name": "ana", "hand": ["wheelwright", "rope-walk"]},
        {"name": "ben", "hand": ["brick-kiln"]},
        {"name": "carl", "hand": ["timber-yard"]},
    ]
    position = {"own-deck": five(colours=colours), "asking": "opening", "seats": seats}
    match = Match.from_position({"game": "xanadu", **position})
    with pytest.raises(
        Illegal, match=f"you begin with {colours[0]} cards, and where you have too few"
    ):
        match.play_row(f"ana: open {later}")
    match.play_row(f"ana: open {first}")


@pytest.mark.parametrize("more", [{}, {"many": dict(zip(COLOURS, range(5), strict=True))}])
def test_with_five_players_a_colour_sells_for_what_the_deck_says(more: dict[str, Any]) -> None:
    rules = rules_of(**more)
    bonus = dict(zip(COLOURS, (0, 0, 1, 2, 0), strict=True)) | more.get("many", {})
    game = Match.deal(rules, SEATS, 1)
    seen = set()
    while not game.over:
        seat = game.seats_asked[0]
        game.play(seat, game.view(seat).suggest())
        for row in game.game.table()["seats"]:
            for one in row["city"]:
                card = rules.cards.number[one["card"]]
                colour = COLOURS[rules.cards.colour[card]]
                printed = rules.cards.prices[card][len(one["workers"])]
                assert one["price"] == printed + bonus[colour]
                seen.add(colour)
    assert seen == set(COLOURS)


def test_every_colour_is_drawn_and_named() -> None:
    rules = rules_of()
    faces = rules.faces()
    assert {face.group for face in faces.values()} == set(COLOURS)
    assert rules.facts("rope-walk").startswith("red, costs stone")
    assert rules.colour("rope-walk") == "magenta"
    table = Table(2, "five", rules=rules).join_all()
    table.answer(table.file.asked_ids()[0])
    assert "c-rope-walk" in page(model_of(table.file, None))


def test_a_table_with_five_colours_is_opened_played_and_audited(workplace: Path) -> None:
    Path("five.toml").write_text(tomli_w.dumps(five()))
    for name in ("ana", "ben"):
        key_of(name).save(workplace / f"{name}.key")
    REFEREE.save(workplace / "referee.key")
    words = ("--seat", "ana", "--seat", "ben", "--referee-key", "referee.key")
    done = run("new", "game.toml", "--game", "xanadu", "--deck", "five.toml", *words)
    assert done.code == 0, done.err
    for name in ("ana", "ben"):
        key = ("--key", f"{name}.key", "--referee-key", "referee.key")
        assert run("join", "game.toml", "--seat", name, *key).code == 0
    done = run("show", "game.toml", "--key", "ana.key")
    assert done.code == 0, done.err
    assert run("verify", "game.toml").code == 0


def test_the_template_can_be_brought_as_it_is_and_with_another_colour() -> None:
    text = run("new", "--deck-template").out
    rules = XanaduRules.choose(None, [], [], {}, text)
    assert (rules.cards.id, rules.edition, rules.cards.total) == ("my-deck", "mine", 70)
    assert not rules.cards.official
    said = text.replace('#colours = ["brown"', 'colours = ["brown"', 1)
    said = said.replace("brown = 24\n", "brown = 23\nred = 1\n", 1)
    said = said.replace('colour = "brown"', 'colour = "red"', 1)
    assert RULES.choose(None, [], [], {}, said).cards.colours == tuple(COLOURS)


def test_the_template_explains_every_key() -> None:
    text = run("new", "--deck-template").out.partition("\n[[card]]")[0]
    for key in deckfile.KEYS[:-1]:
        assert f"{key} = " in text or f"[{key}]" in text, key
    for key in deckfile.CARD_KEYS:
        assert key == "provenance" or f"#{key} = " in text, key
    # What is commented out is right too.
    sample = text[text.index("#[[card]]") :].replace("\n#", "\n")
    assert tomllib.loads(sample.lstrip("#"))["card"][0]["name"] == "Meeting Room"
