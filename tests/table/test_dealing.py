"""The deal: known answers for a second implementation, and orders nobody can steer."""

from __future__ import annotations

import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

from referee.crypto.sealing import pad
from referee.table import chain, dealing
from referee.table.gamefile import Entry, Question
from referee.table.hands import Card, Hand, render_hand

VECTORS: dict[str, Any] = tomllib.loads(
    (Path(__file__).parents[1] / "vectors" / "dealing.toml").read_text()
)
SECRET = bytes.fromhex(VECTORS["secret"])
HEAD = bytes.fromhex(VECTORS["head"])
GAME = VECTORS["game"]


def dealer() -> dealing.Dealer:
    names = VECTORS["pile"]["names"]
    return dealing.Dealer(GAME, SECRET, HEAD, VECTORS["joins"], lambda pile, card: names[card])


def test_commitment() -> None:
    assert dealing.deal_commitment(GAME, SECRET).hex() == VECTORS["commitment"]


def test_order_leaves_and_salts() -> None:
    pile = VECTORS["pile"]
    deal = dealer()
    order = deal("deck", pile["epoch"], range(len(pile["names"])))
    names = [pile["names"][card] for card in order]
    assert names == pile["order"]
    assert deal.salt("deck", pile["epoch"], 0).hex() == pile["salt0"]
    leaves = deal.leaves("deck", pile["epoch"], names)
    assert [leaf.hex() for leaf in leaves[:2]] == pile["leaves"]


def test_letters() -> None:
    letters = VECTORS["letters"]
    assert dealer().letters(letters["decision"], letters["count"]) == letters["letters"]


def test_hand() -> None:
    hand = VECTORS["hand"]
    salt = dealer().hand_salt(hand["step"], hand["seat"])
    cards = tuple(Card._make([*row[:5], bytes.fromhex(row[5])]) for row in hand["cards"])
    text = pad(
        render_hand(
            GAME, Hand(hand["step"], hand["decision"], hand["seat"], salt, cards, cards[:1])
        )
    )
    assert text == hand["text"]
    assert (
        dealing.hand_commitment(GAME, hand["step"], hand["seat"], salt, text).hex()
        == hand["commitment"]
    )


def test_pending() -> None:
    one = VECTORS["pending"]
    signature = bytes.fromhex(one["signature"])
    got = dealing.pending_commitment(GAME, one["decision"], one["note"], signature)
    assert got.hex() == one["commitment"]


def test_entry_root_and_head() -> None:
    one = VECTORS["entry"]
    asked = [Question(row["id"], row["seat"], tuple(row["may"])) for row in one["asked"]]
    root = chain.step_root(one["table"], asked, HEAD, [SECRET, HEAD])
    assert root.hex() == one["root"]
    entry = Entry(
        one["decision"],
        one["by"],
        one["play"],
        one["seen"],
        bytes.fromhex(one["signature"]),
        tuple(one["then"]),
        root,
    )
    assert chain.entry_hash(entry).hex() == one["hash"]
    assert chain.next_head(HEAD, entry).hex() == one["next_head"]


def test_the_order_depends_on_every_part() -> None:
    names = [str(index) for index in range(50)]

    def order(
        secret: bytes = SECRET,
        head: bytes = HEAD,
        joins: tuple[str, ...] = ("a", "b"),
        pile: str = "deck",
        epoch: int = 0,
    ) -> tuple[int, ...]:
        deal = dealing.Dealer(GAME, secret, head, joins, lambda pile, card: names[card])
        return deal(pile, epoch, range(50))

    orders = [
        order(),
        order(secret=bytes(32)),
        order(head=bytes(32)),
        order(joins=("a", "c")),
        order(joins=("b", "a")),
        order(pile="tiles"),
        order(epoch=1),
    ]
    assert len(set(orders)) == len(orders)
    assert order() == orders[0]


def test_equal_cards_are_interchangeable() -> None:
    """The numbers that the engine gave to two equal cards decide nothing."""
    names = ["well", "hero", "well", "hero", "well"]
    deal = dealing.Dealer(GAME, SECRET, HEAD, (), lambda pile, card: names[card])
    one = [names[card] for card in deal("deck", 0, [0, 1, 2, 3, 4])]
    two = [names[card] for card in deal("deck", 0, [4, 3, 1, 2, 0])]
    assert one == two


def test_every_card_comes_first_equally_often() -> None:
    names = [f"{index:02}" for index in range(10)]
    first: Counter[int] = Counter()
    for epoch in range(5000):
        deal = dealing.Dealer(GAME, SECRET, HEAD, (), lambda pile, card: names[card])
        first[deal("deck", epoch, range(10))[0]] += 1
    # 9 degrees of freedom: 27.9 is exceeded once in a thousand.
    assert sum((count - 500) ** 2 / 500 for count in first.values()) < 27.9


def test_a_card_shown_before_a_reshuffle_is_proven_where_it_lay() -> None:
    """One play may show a card, throw it away and shuffle it into the next epoch."""
    deal = dealer()
    first = deal("deck", 0, range(8))
    deal.record_shuffle("deck", 0)
    card = first[3]
    second = deal("deck", 1, sorted(first[:5]))
    assert deal.where(["deck"], card) == ("deck", 0, 3)
    deal.record_shuffle("deck", 1)
    assert deal.where(["deck"], card) == ("deck", 1, second.index(card))
