"""The questions that follow from public facts, written once more from schemas/san-juan.md."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tests.games.sanjuan.plain_rules import (
    Seen,
    goods_for,
    hand_limit,
    may_lay,
    most_produced,
    price,
    share,
)

ONE_BY_ONE = ("build", "mine", "free-build", "role")


def clockwise(seen: Seen, first: str) -> list[str]:
    """All seats, from `first` on."""
    names = seen.names
    at = names.index(first)
    return names[at:] + names[:at]


def could_build(seen: Seen, seat: str) -> bool:
    """Return True if some card could be paid for with this many hand cards, whatever they are."""
    cards = seen.row(seat)["hand"]
    for card in seen.rule_set.cards:
        for over in (None, *seen.city(seat)):
            if may_lay(seen, seat, card, over):
                goods = min(2, len(goods_for(seen, seat, over)))
                needs = max(0, price(seen, seat, card, over) - goods)
                if needs <= (cards if card == "cathedral" else cards - 1):
                    return True
    return False


def cards_left(seen: Seen) -> int:
    """The number of cards that can still be drawn: events are none (C2, E1)."""
    left: int = seen.table["deck"] + seen.table["discards"]
    return left - int(seen.table.get("events-in-deck", 0))


class Ahead:
    """The seats that will be asked in the phase that begins on this table, in their order.

    `kind` is what they are asked. In `build` it depends on what the seats before them build, so
    there the seats are those that have still to be looked at.
    """

    def __init__(self, seen: Seen, phase: str) -> None:
        self.seen = seen
        self.phase = phase
        order = clockwise(seen, seen.table["chooser"])
        self.hands = {seat: seen.row(seat)["hand"] for seat in order}
        self.serial = False
        self.kind, seats = getattr(self, "_" + phase.replace("-", "_"))(order)
        self.seats: list[str] = list(seats)
        self.serial = self.serial or self.kind in ONE_BY_ONE

    def _builder(self, order: Sequence[str]) -> tuple[str, Sequence[str]]:
        return "build", order

    def _producer(self, order: Sequence[str]) -> tuple[str, Iterator[str]]:
        seen = self.seen
        return "produce", (
            seat for seat in order if len(seen.empty_plants(seat)) > most_produced(seen, seat)
        )

    def _trader(self, order: Sequence[str]) -> tuple[str, Iterator[str]]:
        return "sell", (seat for seat in order if self.seen.goods(seat))

    def _councillor(self, order: Sequence[str]) -> tuple[str, Sequence[str]]:
        seen = self.seen
        left = cards_left(seen)
        for seat in order:
            offices = [e for e in seen.row(seat)["city"] if e["card"] == "customs-office"]
            left -= min(left, len([office for office in offices if not office["good"]]))
        shares = {seat: share(seen, seat) for seat in order}
        self.serial = left < sum(draws for draws, _ in shares.values())
        asked = []
        for seat, (draws, kept) in shares.items():
            drawn = min(draws, left)
            left -= min(drawn, kept) if self.serial else drawn
            if drawn > kept:
                asked.append(seat)
        return "keep", asked

    def _prospector(self, order: Sequence[str]) -> tuple[str, Sequence[str]]:
        if self.seen.rule_set.edition == "2014":
            return "mine", ()
        return "mine", [seat for seat in order if self.seen.owns(seat, "gold-mine")]

    def _draft(self, order: Sequence[str]) -> tuple[str, Sequence[str]]:
        return "draft", order

    def _office(self, order: Sequence[str]) -> tuple[str, Iterator[str]]:
        seen = self.seen
        return "office", (
            seat for seat in order if self.hands[seat] and seen.owns(seat, "office-building")
        )

    def _tidy(self, order: Sequence[str]) -> tuple[str, Iterator[str]]:
        seen = self.seen
        return "tidy", (
            seat
            for seat in order
            if self.hands[seat] > hand_limit(seen, seat)
            or (self.hands[seat] and seen.owns(seat, "chapel"))
            or (
                self.hands[seat] and seen.owns(seat, "bank") and seat not in seen.table["bank-used"]
            )
        )

    def _earthquake(self, order: Sequence[str]) -> tuple[str, Iterator[str]]:
        return "earthquake", (seat for seat in order if len(self.seen.city(seat)) > 1)

    def _debt_relief(self, order: Sequence[str]) -> tuple[str, Sequence[str]]:
        return "", ()

    def _taxes(self, order: Sequence[str]) -> tuple[str, Iterator[str]]:
        return "taxes", (seat for seat in order[1:] if self.hands[seat] > 1)

    def _general_amnesty(self, order: Sequence[str]) -> tuple[str, Iterator[str]]:
        return "amnesty", (seat for seat in order if self.hands[seat])

    def _free_build(self, order: Sequence[str]) -> tuple[str, Iterator[str]]:
        return "free-build", (seat for seat in order if self.hands[seat])
