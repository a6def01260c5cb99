"""Positions: what is left of the deck, and of each seat its hand and the cards before it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.games.errors import NotUnderstood
from referee.games.fields import Document
from tests.games.highcard.play import HighCard
from tests.games.highcard.rules import HighCardRules
from tests.games.highcard.state import NAMES, State


def load(document: Mapping[str, Any]) -> HighCard:
    st, faults = _read(document)
    if faults:
        raise NotUnderstood("this position is impossible: " + "; ".join(faults))
    return HighCard(HighCardRules(), st)


def status(document: Mapping[str, Any]) -> list[str]:
    return _read(document)[1]


def dump(game: HighCard) -> dict[str, Any]:
    st = game.state
    seats = [
        {"name": name, "hand": _named(hand), "put": _named(put)}
        for name, hand, put in zip(st.seats, st.hand, st.put, strict=True)
    ]
    return {"deck": _named(st.deck[st.next :]), "seats": seats}


def _named(cards: Any) -> list[str]:
    return [NAMES[card] for card in cards]


def _read(body: Mapping[str, Any]) -> tuple[State, list[str]]:
    document = Document(body)
    document.keys(("deck", "seats"), "the position")
    seats = document.named_seats(HighCardRules.seats, ("name", "hand", "put"))
    rows = [(document, "deck"), *((seat, key) for key in ("hand", "put") for seat in seats)]
    named = [row.texts(key, ()) for row, key in rows]
    every = [name for names in named for name in names]
    for name in every:
        if name not in NAMES:
            document.unknown("card", name, NAMES)
        elif every.count(name) > 1:
            document.fault(f"{name} is there twice")
    st = State([seat.table["name"] for seat in seats], lambda pile, epoch, cards: cards)
    if not document.faults:
        deck, *cards = [[NAMES.index(name) for name in names] for names in named]
        st.deck = tuple(deck)
        st.hand, st.put = cards[: len(seats)], cards[len(seats) :]
        rounds = [len(put) for put in st.put]
        st.actor = sum(count > rounds[-1] for count in rounds)
        st.round = rounds[-1] + (0 if st.over else 1)
        if rounds != sorted(rounds, reverse=True) or rounds[0] > rounds[-1] + 1:
            document.fault("the seats have put cards in another order")
    return st, document.faults
