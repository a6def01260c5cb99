"""Cheats that only San Juan knows: those with the trader's tiles."""

from __future__ import annotations

import pytest

from referee.errors import Damaged
from referee.table import chain, hands, rebuild
from tests.checking.cheating import SANJUAN, Cheat, Cheater, Cheats, check

cheat = Cheats()


@cheat("tile_turned", "show")
def turn_another_tile(c: Cheater) -> None:
    c.change_line(
        "open tiles",
        lambda words: [*words[:4], "12233" if words[4] != "12233" else "11122", words[5]],
    )


@cheat("tile_turned", "show")
def turn_the_tile_after_the_next(c: Cheater) -> None:
    def next_one(words: list[str]) -> list[str]:
        tile = c.card_at("tiles", 0, (int(words[3]) + 1) % 5)
        return chain.Opening(*tile[2:5], tile.name, tile.salt).line.split(" ")

    c.change_line("open tiles", next_one)


@cheat("after_a_chapel", "compare")
def put_another_card_under_a_chapel(c: Cheater) -> None:
    """It is one that the player has paid with, with its true proof."""
    owner = next(entry.by for entry in reversed(c.file.log) if "chapel " in str(entry.then))
    held = c.session.hand(owner, c.file.step)
    left = hands.drawn_by(c.file, owner) - {card.place for card in (*held.cards, *held.tucked)}
    label = held.tucked[0].label
    other = c.card_at(*min(left), label)
    c.show_hand(owner, lambda hand: hand._replace(tucked=(other, *hand.tucked[1:])))


@cheat("after_a_chapel", "compare")
def put_a_card_of_the_hand_under_a_chapel(c: Cheater) -> None:
    owner = next(entry.by for entry in reversed(c.file.log) if "chapel " in str(entry.then))

    def change(hand: hands.Hand) -> hands.Hand:
        card, under = hand.cards[0], hand.tucked[0]
        return hand._replace(
            cards=(under._replace(label=card.label), *hand.cards[1:]),
            tucked=(card._replace(label=under.label), *hand.tucked[1:]),
        )

    c.show_hand(owner, change)


@pytest.mark.parametrize(
    ("name", "when", "by", "act"), cheat.all, ids=[one[0] for one in cheat.all]
)
def test_cheat_is_found(name: str, when: str, by: str, act: Cheat) -> None:
    check(SANJUAN, when, act, by)


@pytest.mark.parametrize(("name", "most"), [("palace", 2), ("no-such-card", 0), ("taxes", 0)])
def test_a_hand_has_no_more_copies_of_a_card_than_are_left(name: str, most: int) -> None:
    """The deal could be made for it: then its leaves would be right."""
    cheater = Cheater(SANJUAN, "alone")
    held = [cheater.session.hand(seat, cheater.file.step) for seat in cheater.file.seating]
    hand = max(held, key=lambda hand: len(hand.cards))
    assert len(hand.cards) > most
    forged = hand._replace(cards=tuple(card._replace(name=name) for card in hand.cards))
    for _ in range(2):
        rebuild.check_hand(cheater.file, hand)
        with pytest.raises(Damaged, match=f"there are not so many cards '{name}'"):
            rebuild.check_hand(cheater.file, forged)
