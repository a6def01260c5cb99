"""What a player may type where the expansions, the first edition and the draft ask something."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from referee.games.interface import Ambiguous, Incomplete, NotUnderstood, Phrase
from referee.games.sanjuan.cards import ALIASES, EVENTS, NAMES
from tests.games.sanjuan.readings import (
    is_not_canonical,
    is_refused,
    leaves_open,
    means,
    only_mistakes,
    view,
)
from tests.games.sanjuan.rule_sets import EVERY
from tests.games.sanjuan.test_engine_core import deal

BEN: dict[str, Any] = {"name": "ben"}
ALL = {"expansions": ["new-buildings", "events"], "round": 2, "governor": "ana"}


def ana(hand: list[str], *city: object) -> list[dict[str, Any]]:
    """Two seats, the first with this hand and city."""
    return [{"name": "ana", "hand": hand, "city": ["indigo-plant", *city]}, BEN]


ROLE = {
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
TIDY = {**OFFICE, "waiting": ["ana"]}
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


@pytest.mark.parametrize(
    ("document", "text", "play"),
    [
        (ROLE, "event tax", "event taxes"),
        (ROLE, "event governor-visit trader", "event governor-visit trader"),
        (ROLE, "event gov role build no-library", "event governor-visit builder no-library"),
        (ROLE, "role prod", "role producer"),
        (MINE, "take lib", "take library"),
        (MINE, "take households", "take well"),
        (EARTHQUAKE, "lose 2", "lose 2"),
        (EARTHQUAKE, "lose library", "lose 2"),
        (EARTHQUAKE, "lose tomato-plant", "lose 1"),
        (OFFICE, "discard well, well", "discard a b"),
        (OFFICE, "pass", "pass"),
        (TIDY, "chapel chapel bank bank well well", "chapel d bank a b c"),
        (TIDY, "bank h g f e d c b a", "bank a b c d e f g h"),
        (TIDY, "chapel a", "chapel a"),
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


PARK_HAND = [*("archive", "bank", "gold-mine", "park"), *["well", "tower"] * 3, "hero"]
PARK = {
    **TIDY,
    "seats": ana(
        [
            *[
                "archive",
                "bank",
                "gold-mine",
                "park",
                "well",
                "well",
                "tower",
                "hero",
                "crane",
                "tower",
                "tower",
            ]
        ]
    ),
}
WORDS_IN_HAND = {
    **TIDY,
    "seats": ana(["well", "chapel", "hut", "black-market", "market-hall"], "chapel", "bank"),
}


@pytest.mark.parametrize(
    ("document", "text", "plays"),
    [
        (WORDS_IN_HAND, "bank well chapel hut", ("chapel c bank a", "bank a b c")),
        (TIDY, "bank well chapel bank hero", ("chapel c bank a f", "chapel d bank a f")),
        (TIDY, "bank bank chapel", ("bank c d",)),
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
    one = {**ROLE, "used": ["trader"], "turn": 3, "removed": ["earthquake"]}
    assert view(one).read("event governor-visit") == "event governor-visit trader"
    with pytest.raises(Incomplete) as question:
        view(ROLE).read("event governor-visit")
    assert [choice.play for choice in question.value.choices] == [
        "event governor-visit builder",
        "event governor-visit trader",
    ]


@pytest.mark.parametrize(
    ("document", "text", "count"),
    [
        (ROLE, "event", 12),
        (MINE, "take", 4),
        (EARTHQUAKE, "lose", 3),
        (OFFICE, "discard", 29),
        (TIDY, "chapel", 7),
        (TIDY, "bank", 50),
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
        (ROLE, "event earthquake", "earthquake does not lie face up"),
        (ROLE, "event governor-visit producer", "the producer has not been used in this round"),
        (ROLE, "event taxes trader", "no role goes with this event"),
        (ROLE, "event taxes no-library", "no role goes with this event"),
        (ROLE, "pass", "a role must be chosen"),
        (MINE, "take tower", "there is no tower among the cards turned over"),
        (MINE, "pass", "you cannot pass here"),
        (EARTHQUAKE, "lose 4", "you have no building on plot 4"),
        (EARTHQUAKE, "lose 99", "you have no building on plot 99"),
        (EARTHQUAKE, "pass", "you cannot pass here"),
        (OFFICE, "discard a b c", "name at most 2 here, not 3"),
        (TIDY, "bank bank discard hero", "you are within the limit of 7 cards and discard nothing"),
        (TIDY, "chapel a bank a", "a card can go to one place only"),
        (
            {**TIDY, "bank-used": ["ana"]},
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
    ("document", "play"),
    [
        (ROLE, "event trader"),
        (ROLE, "event trader governor-visit"),
        (ROLE, "event governor-visit role trader"),
        (ROLE, "event governor-visit trader builder"),
        (ROLE, "event taxes free-build"),
        (ROLE, "role producer event taxes"),
        (MINE, "take a"),
        (EARTHQUAKE, "lose 1 2"),
        (EARTHQUAKE, "lose library"),
        (TIDY, "bank b chapel a"),
        (TIDY, "bank b a"),
        (TAXES, "discard a b"),
        (FREE, "build well pay b"),
        (FREE, "build a"),
        (DRAFT, "discard a"),
    ],
)
def test_only_canonical_plays_are_checked(document: dict[str, Any], play: str) -> None:
    is_not_canonical(document, play)


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


def test_what_a_play_takes_out_of_the_hand() -> None:
    assert view(TIDY).spends("chapel d bank a b c") == ["a", "b", "c", "d"]
    assert view(OFFICE).spends("discard a b") == ["a", "b"]
    assert view(TAXES).spends("discard b") == ["b"]
    assert view(AMNESTY).spends("discard a c") == ["a", "c"]
    assert view(FREE).spends("build park") == ["c"]
    assert view(DRAFT).spends("keep a b c e") == ["d"]
    assert view(CATHEDRAL).spends("build cathedral pay a b c d e f") == list("abcdef")
    assert view(CATHEDRAL).spends("build cathedral over 3") == []
    assert view(MINE).spends("take well") == []
    assert view(EARTHQUAKE).spends("lose 1") == []
    assert view(ROLE).spends("event taxes") == []


_WORDS = "role event no-library build over goods pay decline produce sell take lose keep discard"
_NAMES = "chapel bank pass trader builder a b c d e f aa 1 2 3 12 0 999 é *"
_POOL = (*NAMES, *ALIASES, *EVENTS, *_WORDS.split(), *_NAMES.split())


def test_nothing_that_is_typed_is_more_than_a_mistake() -> None:
    """In every rule set, any text is a play or a GameError."""
    games = (deal(2 + seed % 3, seed, seed) for seed in range(len(EVERY)))
    only_mistakes(games, Random(5), _POOL, 6)


def test_every_form_of_a_choice_is_told_to_all() -> None:
    """A library may be kept for later with a role of one's own and with one visited again."""
    decision = view(ROLE).decision
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
