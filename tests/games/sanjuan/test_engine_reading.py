"""Plays as a player may type them, their completion, and the answer when one cannot be taken."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from referee.games.errors import Ambiguous, GameError, Incomplete, NotUnderstood
from referee.games.sanjuan import position
from referee.games.sanjuan.cards import ALIASES, EVENTS, NAMES
from referee.games.values import Phrase, letter
from tests.games.sanjuan.readings import (
    is_not_canonical,
    is_refused,
    leaves_open,
    means,
    only_mistakes,
    seen,
    view,
)
from tests.games.sanjuan.rule_sets import EVERY
from tests.games.sanjuan.test_engine_core import deal

BEN: dict[str, Any] = {"name": "ben"}
ALL = {"expansions": ["new-buildings", "events"], "round": 2, "governor": "ana"}


def ana(hand: list[str], *city: object) -> list[dict[str, Any]]:
    """Two seats, the first with this hand and city."""
    return [{"name": "ana", "hand": hand, "city": ["indigo-plant", *city]}, BEN]


BUILD = {
    "phase": "builder",
    "seats": [
        {
            "name": "ana",
            "hand": ["library", "well", "well", "tower", "tobacco-storage", "statue"],
            "city": [
                "indigo-plant",
                "crane",
                {"card": "sugar-mill", "good": True},
                "black-market",
                "smithy",
            ],
        },
        BEN,
    ],
}
TIDY = {
    "phase": "round-start",
    "round": 2,
    "governor": "ana",
    "seats": [
        {
            "name": "ana",
            "city": ["indigo-plant", "chapel"],
            "hand": [*BUILD["seats"][0]["hand"], "chapel", "crane", "hero"],  # type: ignore[index]
        },
        BEN,
    ],
}
SELL = {
    "phase": "trader",
    "seats": [
        {
            "name": "ana",
            "city": [
                {"card": "indigo-plant", "good": True},
                {"card": "silver-smelter", "good": True},
                {"card": "silver-smelter", "good": True},
                "silver-smelter",
            ],
        },
        {"name": "ben", "city": [{"card": "indigo-plant", "good": True}]},
    ],
}
KEEP = {
    "phase": "councillor",
    "deck": ["well", "archive", "archive", "hero", "well", "tower", "tower", "..."],
    "seats": [
        {"name": "ana", "hand": ["well"], "city": ["indigo-plant", "archive"]},
        {"name": "ben", "hand": ["library"]},
    ],
}
ROLE = {"seats": [{"name": "ana", "city": ["indigo-plant", "library"]}, BEN]}
EVENT = {
    **ALL,
    "used": ["trader", "builder"],
    "turn": 3,
    "events": ["taxes", "governor-visit", "free-build"],
    "seats": ana(["well"], "library"),
}
MINE = {
    "edition": "2004",
    "phase": "prospector",
    "waiting": ["ana"],
    "turned": ["well", "library", "smithy", "statue"],
    "seats": ana([], "gold-mine"),
}
EARTHQUAKE = {
    **ALL,
    "phase": "earthquake",
    "seats": ana([], {"card": "library", "over": ["well"]}, "indigo-plant"),
}
HAND = ["well", "well", "bank", "chapel", "statue", "hero", "tower", "crane"]
OFFICE = {**ALL, "phase": "round-start", "seats": ana(HAND, "chapel", "bank", "office-building")}
BANK = {**OFFICE, "waiting": ["ana"]}
TAXES = {**ALL, "phase": "taxes", "governor": "ben", "seats": ana(["well", "hero", "well"])}
AMNESTY = {**ALL, "phase": "general-amnesty", "seats": ana(["well", "hero", "well"])}
FREE = {**ALL, "phase": "free-build", "seats": ana(["well", "hero", "park"])}
DRAFT = {
    "variants": ["draft-start"],
    "phase": "draft",
    "seats": ana(["well", "well", "hero", "tower", "crane"]),
}
CATHEDRAL = {
    **ALL,
    "phase": "builder",
    "seats": ana(["well", "hero", "park", "tower", "tower", "crane"], "crane", "park"),
}
PARK = {
    **BANK,
    "seats": ana(
        ["archive", "bank", "gold-mine", "park", *["well"] * 2, "hero", "crane", *["tower"] * 3]
    ),
}
WORDS_IN_HAND = {
    **BANK,
    "seats": ana(["well", "chapel", "hut", "black-market", "market-hall"], "chapel", "bank"),
}


@pytest.mark.parametrize(
    ("document", "text", "play"),
    [
        (BUILD, "pass", "pass"),
        (BUILD, "  BUILD Library,  pay e d c b ", "build library pay b c d e"),
        (BUILD, "pay well pay well pay tower pay stat build lib", "build library pay b c d f"),
        (BUILD, "build a pay b c d e", "build library pay b c d e"),
        (BUILD, "build households pay well", "build well pay b"),
        (BUILD, "build well pay c", "build well pay c"),
        (BUILD, "build well over sugar", "build well over 3"),
        (BUILD, "goods sugar build library pay b c d", "build library goods 3 pay b c d"),
        (BUILD, "build statue decline p pay a b c", "build statue pay a b c decline privilege"),
        (
            BUILD,
            "build tob decline warden-house pay a b",
            "build tobacco-storage pay a b decline smithy",
        ),
        (TIDY, "chapel chapel discard well", "chapel g discard b"),
        (TIDY, "discard b chapel a", "chapel a discard b"),
        (SELL, "sell silver", "sell 2"),
        (SELL, "sell silver silver", "sell 2 3"),
        (SELL, "sell 3, 1", "sell 1 3"),
        (SELL, "sell tomato-plant 2", "sell 1 2"),
        (KEEP, "discard well arch arch hero", "discard a c d e"),
        (ROLE, "no-library role trad", "role trader no-library"),
        (EVENT, "event tax", "event taxes"),
        (EVENT, "event governor-visit trader", "event governor-visit trader"),
        (EVENT, "event gov role build no-library", "event governor-visit builder no-library"),
        (EVENT, "role prod", "role producer"),
        (MINE, "take lib", "take library"),
        (MINE, "take households", "take well"),
        (EARTHQUAKE, "lose 2", "lose 2"),
        (EARTHQUAKE, "lose library", "lose 2"),
        (EARTHQUAKE, "lose tomato-plant", "lose 1"),
        (OFFICE, "discard well, well", "discard a b"),
        (OFFICE, "pass", "pass"),
        (BANK, "chapel chapel bank bank well well", "chapel d bank a b c"),
        (BANK, "bank h g f e d c b a", "bank a b c d e f g h"),
        (BANK, "chapel a", "chapel a"),
        (TAXES, "discard hero", "discard b"),
        (AMNESTY, "discard well hero", "discard a b"),
        (FREE, "build park", "build park"),
        (FREE, "build a", "build well"),
        (DRAFT, "keep well well crane hero", "keep a b c e"),
        (CATHEDRAL, "build cath", "build cathedral pay a b c d e f"),
        (CATHEDRAL, "build cathedral over park", "build cathedral over 3"),
    ],
)
def test_tolerant_reading(document: dict[str, Any], text: str, play: str) -> None:
    means(document, text, play)


def test_what_has_one_answer_is_filled_in() -> None:
    hand = ["well", "tower", "tower"]
    one = {"phase": "builder", "seats": [{"name": "ana", "hand": hand}, BEN]}
    assert view(one).read("build well") == "build well pay b"
    assert view(one).read("build tower") == "build tower pay a b"
    game = position.load(KEEP)
    game.take("1.1.keep.ana", "discard a b c d", [letter(place) for place in range(6)])
    mine = seen(game, "ben")
    assert [held.name for held in mine.hand] == ["library", "tower", "tower"]
    assert mine.read("keep") == "keep b"
    one_good = {**SELL, "governor": "ben"}
    assert view(one_good, "ben").read("sell") == "sell 1"


@pytest.mark.parametrize(
    ("document", "text", "count"),
    [
        (BUILD, "build library", 4),
        (BUILD, "build well", 5),
        (BUILD, "build library goods 3", 7),
        (TIDY, "discard", 29),
        (TIDY, "chapel a", 7),
        (SELL, "sell", 6),
        (KEEP, "discard", 5),
        (ROLE, "role", 10),
        (EVENT, "event", 12),
        (MINE, "take", 4),
        (EARTHQUAKE, "lose", 3),
        (OFFICE, "discard", 29),
        (BANK, "chapel", 7),
        (BANK, "bank", 50),
        (TAXES, "discard", 2),
        (AMNESTY, "discard", 5),
        (DRAFT, "keep", 4),
        (FREE, "build", 3),
    ],
)
def test_what_has_several_answers_lists_them(
    document: dict[str, Any], text: str, count: int
) -> None:
    leaves_open(document, text, count)


@pytest.mark.parametrize(
    ("document", "text", "message"),
    [
        (BUILD, "build library pay b c d", "library costs 4 here; you pay 3"),
        (BUILD, "build library pay a b c d", "the library cannot pay for itself"),
        (BUILD, "build quarry", "there is no quarry in your hand"),
        (BUILD, "build statue pay z", "you hold no card z"),
        (BUILD, "build tower over 2", "a crane cannot be built over"),
        (BUILD, "build tower over 9", "you have no building on plot 9"),
        (BUILD, "build well over 3 goods 3", "there is no good to give up on plot 3"),
        (BUILD, "build well pay a b decline smithy", "to decline the smithy changes nothing here"),
        (BUILD, "build well over 3 decline smithy", "to decline the smithy changes nothing here"),
        (TIDY, "pass", "you may keep 7 cards: discard 2, not 0"),
        (TIDY, "chapel hero discard hero", "you hold no further hero for discard"),
        (TIDY, "chapel a discard a", "a card can go to one place only"),
        (SELL, "sell 1 2 3", "you may sell 2 here, not 3"),
        (SELL, "sell 4", "there is no good on plot 4"),
        (SELL, "sell -1", "you have no building on plot -1"),
        (SELL, "sell 0", "you have no building on plot 0"),
        (SELL, "sell 1.5", "you have no building on plot 1.5"),
        (KEEP, "keep a", "here you say which cards you discard"),
        (KEEP, "discard a b", "you discard exactly 4 here, not 2"),
        (EVENT, "event earthquake", "earthquake does not lie face up"),
        (EVENT, "event governor-visit producer", "the producer has not been used in this round"),
        (EVENT, "event taxes trader", "no role goes with this event"),
        (EVENT, "event taxes no-library", "no role goes with this event"),
        (EVENT, "pass", "a role must be chosen"),
        (MINE, "take tower", "there is no tower among the cards turned over"),
        (MINE, "pass", "you cannot pass here"),
        (EARTHQUAKE, "lose 4", "you have no building on plot 4"),
        (EARTHQUAKE, "lose 99", "you have no building on plot 99"),
        (EARTHQUAKE, "pass", "you cannot pass here"),
        (OFFICE, "discard a b c", "name at most 2 here, not 3"),
        (BANK, "bank bank discard hero", "you are within the limit of 7 cards and discard nothing"),
        (BANK, "chapel a bank a", "a card can go to one place only"),
        (
            {**BANK, "bank-used": ["ana"]},
            "bank a b",
            "you have no bank that you could put cards under now",
        ),
        (TAXES, "pass", "you cannot pass here"),
        (FREE, "build hero", "hero costs 5: no more than 4 is free"),
        (FREE, "build cathedral", "there is no cathedral in your hand"),
        (DRAFT, "keep a b c", "name exactly 4 here, not 3"),
        (CATHEDRAL, "build cathedral over 3 pay a", "cathedral costs 0 here; you pay 1"),
        ({**CATHEDRAL, "beside": []}, "build cathedral", "there is no cathedral in your hand"),
    ],
)
def test_refusals_name_the_cause_and_the_choices(
    document: dict[str, Any], text: str, message: str
) -> None:
    is_refused(document, text, message)


@pytest.mark.parametrize(
    "text", ["", "foo", "build", "pass pass", "build t", "build nothing", "build well over x", "9"]
)
def test_what_is_not_understood(text: str) -> None:
    with pytest.raises(GameError) as refusal:
        view(BUILD).read(text)
    assert isinstance(refusal.value, NotUnderstood | Incomplete)


@pytest.mark.parametrize(
    ("document", "play"),
    [
        (BUILD, ""),
        (BUILD, " pass"),
        (BUILD, "pass "),
        (BUILD, "Pass"),
        (BUILD, "build  well pay b"),
        (BUILD, "build well pay b b"),
        (BUILD, "build library pay c b d e"),
        (BUILD, "build library pay b c d e pay f"),
        (BUILD, "pay b build well"),
        (BUILD, "build well pay well"),
        (BUILD, "build wel pay b"),
        (BUILD, "build households pay b"),
        (BUILD, "build well goods 03"),
        (BUILD, "build well pay"),
        (BUILD, "build library goods"),
        (BUILD, "build statue pay a b c decline privilege privilege"),
        (BUILD, "build well over 3 4"),
        (BUILD, "sell 1"),
        (BUILD, "build well\npay b"),
        (EVENT, "event trader"),
        (EVENT, "event trader governor-visit"),
        (EVENT, "event governor-visit role trader"),
        (EVENT, "event governor-visit trader builder"),
        (EVENT, "event taxes free-build"),
        (EVENT, "role producer event taxes"),
        (MINE, "take a"),
        (EARTHQUAKE, "lose 1 2"),
        (EARTHQUAKE, "lose library"),
        (BANK, "bank b chapel a"),
        (BANK, "bank b a"),
        (TAXES, "discard a b"),
        (FREE, "build well pay b"),
        (FREE, "build a"),
        (DRAFT, "discard a"),
    ],
)
def test_only_canonical_plays_are_checked(document: dict[str, Any], play: str) -> None:
    is_not_canonical(document, play)


_WORDS = (
    "role event no-library build over goods pay decline produce sell take lose keep discard chapel "
    "bank pass privilege smithy quarry trader builder a b c d e f aa 1 2 3 4 12 0 -1 999999999999"
)
_POOL = (*NAMES, *ALIASES, *EVENTS, *_WORDS.split(), "é", "\u0661", "x" * 300, "pay,", "*")


def test_nothing_that_is_typed_is_more_than_a_mistake() -> None:
    """In every rule set, any text is a play or a GameError, and `check` and the game take it."""
    only_mistakes((deal(2 + seed % 3, seed) for seed in range(6)), Random(4), _POOL, 8)
    games = (deal(2 + seed % 3, seed, seed) for seed in range(len(EVERY)))
    only_mistakes(games, Random(5), _POOL, 6)


def test_what_a_play_takes_out_of_the_hand() -> None:
    assert view(BUILD).spends("build library pay b c d e") == ["a", "b", "c", "d", "e"]
    assert view(BUILD).spends("build well pay b") == ["b", "c"]
    assert view(BUILD).spends("pass") == []
    assert view(TIDY).spends("chapel a discard b") == ["a", "b"]
    assert view(KEEP).spends("discard a b c d") == ["a", "b", "c", "d"]
    assert view(SELL).spends("sell 1") == []
    assert view(ROLE).spends("role trader") == []
    keep = {**KEEP, "governor": "ben"}
    assert view(keep, "ben").spends("keep c") == ["b", "d", "e", "f"]
    assert view(BANK).spends("chapel d bank a b c") == ["a", "b", "c", "d"]
    assert view(OFFICE).spends("discard a b") == ["a", "b"]
    assert view(TAXES).spends("discard b") == ["b"]
    assert view(AMNESTY).spends("discard a c") == ["a", "c"]
    assert view(FREE).spends("build park") == ["c"]
    assert view(DRAFT).spends("keep a b c e") == ["d"]
    assert view(CATHEDRAL).spends("build cathedral pay a b c d e f") == list("abcdef")
    assert view(CATHEDRAL).spends("build cathedral over 3") == []
    assert view(MINE).spends("take well") == []
    assert view(EARTHQUAKE).spends("lose 1") == []
    assert view(EVENT).spends("event taxes") == []


@pytest.mark.parametrize(
    ("document", "text", "plays"),
    [
        (WORDS_IN_HAND, "bank well chapel hut", ("chapel c bank a", "bank a b c")),
        (BANK, "bank well chapel bank hero", ("chapel c bank a f", "chapel d bank a f")),
        (BANK, "bank bank chapel", ("bank c d",)),
        (WORDS_IN_HAND, "bank black market", ("bank d", "bank d e")),
    ],
)
def test_a_text_with_two_readings_is_refused_with_both(
    document: dict[str, Any], text: str, plays: tuple[str, ...]
) -> None:
    with pytest.raises(Ambiguous) as question:
        view(document).read(text)
    assert "ways: bank " in question.value.message
    found = [choice.play for choice in question.value.choices]
    assert set(plays) <= set(found)
    for play in found:
        view(document).check(play)


def test_what_can_be_read_in_one_way_only_is_read_so() -> None:
    """Without a bank to put cards under, the word can only be the card."""
    assert view(PARK).read("discard archive bank gold-mine park") == "discard a b c d"
    assert view(PARK).read("discard archive, bank, gold mine, park") == "discard a b c d"


@pytest.mark.parametrize(
    ("flags", "play"),
    [
        ("bank well bank chapel bank hut", "bank a b c"),
        ("bank well chapel hut", "chapel c bank a"),
        ("chapel chapel bank hut", "chapel b bank c"),
        ("chapel black-market bank market-hall", "chapel d bank e"),
    ],
)
def test_a_flag_names_cards_whatever_they_are_called(flags: str, play: str) -> None:
    words = flags.split()
    given = [Phrase(*pair) for pair in zip(words[::2], words[1::2], strict=True)]
    assert view(WORDS_IN_HAND).read("", given) == play


def test_one_flag_may_name_several_cards() -> None:
    mine = view(WORDS_IN_HAND)
    assert mine.read("", [Phrase("bank", "well, Chapel hut")]) == "bank a b c"
    assert mine.read("", [Phrase("bank", "black market")]) == "bank d"


def test_what_goes_on_from_a_menu_may_be_a_play_as_well() -> None:
    """Asked what goes under the bank, `chapel hut` may be two cards or another play."""
    with pytest.raises(Ambiguous) as question:
        view(WORDS_IN_HAND).read("chapel hut", [Phrase("bank")], alone=True)
    assert [choice.play for choice in question.value.choices] == ["bank b c", "chapel c"]
    assert view(WORDS_IN_HAND).read("well hut", [Phrase("bank")], alone=True) == "bank a c"
    assert view(WORDS_IN_HAND).read("pass", [Phrase("bank")], alone=True) == "pass"


def test_a_name_means_no_building_unseen_whose_good_is_lost() -> None:
    city = [{"card": "indigo-plant", "good": True}]
    mine = view({**EARTHQUAKE, "seats": ana([], *city)})
    with pytest.raises(NotUnderstood) as refusal:
        mine.read("lose indigo")
    assert refusal.value.message == (
        "indigo-plant can mean plot 1, without a good or plot 2, with a good"
    )
    assert mine.read("lose 2") == "lose 2"


def test_a_visit_is_completed_where_one_role_was_used() -> None:
    one = {**EVENT, "used": ["trader"], "turn": 3, "removed": ["earthquake"]}
    assert view(one).read("event governor-visit") == "event governor-visit trader"
    with pytest.raises(Incomplete) as question:
        view(EVENT).read("event governor-visit")
    assert [choice.play for choice in question.value.choices] == [
        "event governor-visit builder",
        "event governor-visit trader",
    ]


def test_a_rule_set_without_bank_or_events_has_no_such_words() -> None:
    chapel = {
        "phase": "round-start",
        "round": 2,
        "governor": "ana",
        "seats": ana(["well"] * 2, "chapel"),
    }
    for document, text in ((chapel, "bank a"), ({"seats": [{"name": "ana"}, BEN]}, "event taxes")):
        with pytest.raises(NotUnderstood) as refusal:
            view(document).read(text)
        assert "bank" not in refusal.value.hint
        assert "event" not in refusal.value.hint


def test_every_form_of_a_choice_is_told_to_all() -> None:
    """A library may be kept for later with a role of one's own and with one visited again."""
    decision = view(EVENT).decision
    assert decision is not None
    assert decision.may == (
        "role producer",
        "role councillor",
        "role prospector",
        "role ROLE no-library",
        "event taxes",
        "event governor-visit builder",
        "event governor-visit trader",
        "event governor-visit ROLE no-library",
        "event free-build",
    )


def test_what_can_only_be_paid_for_over_a_building_asks_over_which() -> None:
    """Though there is one alone: nothing is torn down unasked."""
    board = view(
        {
            "phase": "builder",
            "seats": ana(["coffee-roaster", "quarry"], "crane", "smithy", "tobacco-storage"),
        }
    )
    with pytest.raises(Incomplete, match="more than you can pay: over which") as asked:
        board.read("build coffee-roaster")
    plays = [choice.play for choice in asked.value.choices]
    assert plays
    assert all(" over " in play for play in plays)
    for play in plays:
        board.check(play)
