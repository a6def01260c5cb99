"""Cheats that only Xanadu knows: with workers, money, the last pile, and a table that is empty."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from referee.games.xanadu import ending
from referee.games.xanadu.game import Xanadu
from referee.table import chain, hands
from referee.table.decisions import NO_DECISION
from tests.checking.cheating import XANADU, Cheat, Cheater, Cheats, check, places, rich

cheat = Cheats()


# Hands


@cheat("alone", "show")
def give_back_a_card_that_was_built(c: Cheater) -> None:
    """For another one of the hand: it was drawn, and is the one of its leaf."""
    built = {
        (words[1], words[2])
        for entry in c.file.log
        for words in [line.split(" ") for line in entry.then]
        if words[0] in ("lay", "build")
    }
    c.victim, back = next(
        (seat, card)
        for seat in rich(c.file)
        for place in sorted(hands.drawn_by(c.file, seat))
        for card in [c.card_at(*place)]
        if (seat, card.name) in built
    )
    c.show_hand(
        c.victim,
        lambda hand: hand._replace(
            cards=(back._replace(label=hand.cards[0].label), *hand.cards[1:])
        ),
    )


# Workers


@cheat("worker_shown", "show")
def open_a_worker_as_another_card(c: Cheater) -> None:
    c.change_line(
        "open deck", lambda words: [*words[:4], c.stage.other(words[4], *c.stage.names), words[5]]
    )


@cheat("worker_shown", "show")
def open_a_card_of_the_pile_for_a_worker(c: Cheater) -> None:
    card = c.unseen()
    line = chain.Opening(*card[2:5], card.name, card.salt).line
    c.change_line("open deck", lambda words: line.split(" "))


@cheat("worker_shown", "show")
def open_a_card_that_was_drawn_for_a_worker(c: Cheater) -> None:
    """A card of the victim's hand is made public, which nobody else can tell from the worker."""
    card = c.session.hand(c.victim, c.file.step).cards[0]
    line = chain.Opening(*card[2:5], card.name, card.salt).line
    c.change_line("open deck", lambda words: line.split(" "))


@cheat("worker_shown", "show")
def leave_a_worker_face_down(c: Cheater) -> None:
    _, index = c.line("open deck")
    c.last.then = (*c.last.then[:index], *c.last.then[index + 1 :])


@cheat("worker_shown", "show")
def discard_another_card_than_the_worker(c: Cheater) -> None:
    """The line is right, the discards are not."""
    discards = c.file.table["discards"]
    other = c.stage.other(discards[-1], *c.stage.names)
    c.file.table = {**c.file.table, "discards": [*discards[:-1], other]}


@cheat("worker_placed", "show")
def say_that_somebody_worked_elsewhere(c: Cheater) -> None:
    c.change_line("work ", lambda words: [*words[:3], str(int(words[3]) + 1), *words[4:]])


@cheat("worker_placed", "show")
def put_down_the_worker_of_another_seat(c: Cheater) -> None:
    building = next(
        entry for row in c.file.table["seats"] for entry in row["city"] if entry["workers"]
    )
    building["workers"][0] = next(name for name in c.file.seating if name != building["workers"][0])


@cheat("works_twice", "show")
def tell_a_player_of_another_worker(c: Cheater) -> None:
    """The player forgets what was put down, and is told of another card."""

    def change(hand: hands.Hand) -> hands.Hand:
        first, *rest = hand.tucked
        other = c.stage.other(first.name, *c.stage.names)
        return hand._replace(tucked=(first._replace(name=other), *rest))

    c.show_hand(worker_of(c), change)


@cheat("works_twice", "show")
def hide_a_worker_from_its_player(c: Cheater) -> None:
    c.show_hand(worker_of(c), lambda hand: hand._replace(tucked=hand.tucked[1:]))


@cheat("works_twice", "audit")
def exchange_two_workers_of_a_player(c: Cheater) -> None:
    """Both are the player's own, but where they lie the other way round."""

    def change(hand: hands.Hand) -> hands.Hand:
        first, *between, last = hand.tucked
        turned = (last._replace(label=first.label), first._replace(label=last.label))
        return hand._replace(tucked=(turned[0], *between, turned[1]))

    c.show_hand(worker_of(c), change)


def worker_of(c: Cheater) -> str:
    """The seat that works in two places."""
    return next(name for name in c.file.seating if len(places(c.file, name)) > 1)


# Money


@cheat("sold", "show")
def pay_too_much_for_a_building(c: Cheater) -> None:
    c.change_line("sell ", lambda words: [*words[:-1], str(int(words[-1]) + 1)])
    pay(c, c.last.by)


@cheat("full", "show")
def pay_somebody_else_for_what_is_full(c: Cheater) -> None:
    def other(words: list[str]) -> list[str]:
        return [words[0], next(name for name in c.file.seating if name != words[1]), *words[2:]]

    c.change_line("full ", other)


@cheat("sold", "show")
def write_wrong_money_in_the_table(c: Cheater) -> None:
    pay(c, c.victim)


@cheat("alone", "show")
def write_a_wrong_price_on_a_building(c: Cheater) -> None:
    """Everybody can tell from the card and its workers."""
    next(row["city"] for row in c.file.table["seats"] if row["city"])[0]["price"] += 1


@cheat("at_end", "show")
def name_another_winner(c: Cheater) -> None:
    for row in c.file.table["seats"]:
        row["wins"] = not row["wins"]


def pay(c: Cheater, seat: str) -> None:
    """One tong bao more for a seat in the table."""
    next(row for row in c.file.table["seats"] if row["name"] == seat)["coins"] += 1


# The last pile


@cheat("end_buried", "show")
def shuffle_fewer_cards_with_the_end(c: Cheater) -> None:
    """The card that is left out would be the next to be drawn."""
    c.change_line("draw table deck 1", lambda words: [*words[:4], "0-8"])


@cheat("end_buried", "show")
def bury_the_end_elsewhere(c: Cheater) -> None:
    end = c.file.piles[-1]
    end.leaves[0], end.leaves[1] = end.leaves[1], end.leaves[0]


@cheat("end_buried", "audit")
def bury_the_end_elsewhere_and_cover_it(c: Cheater) -> None:
    end = c.file.piles[-1]
    end.leaves[0], end.leaves[1] = end.leaves[1], end.leaves[0]
    line = chain.Shuffling("end", 0, len(end.leaves), chain.leaves_hash(end.leaves)).line
    c.change_line("shuffle end", lambda words: line.split(" "))


@cheat("end_buried", "show")
def shuffle_another_pile_with_the_end(c: Cheater) -> None:
    """The cards of the deck seem to be the last pile, and the other way round."""
    deck, end = c.file.piles[-2:]
    deck.pile, end.pile = end.pile, deck.pile


@cheat("at_end", "show")
def end_the_game_with_another_card(c: Cheater) -> None:
    name = c.stage.names[0]
    c.change_line(
        "open end", lambda words: [*words[:4], name if name != words[4] else "lime-pit", words[5]]
    )


@cheat("at_end", "show")
def end_the_game_without_the_end_card(c: Cheater) -> None:
    without(c, lambda line: " end-of-game " in line)


@cheat("alone", "show")
def end_the_game_early(c: Cheater) -> None:
    """Everything is sold and scored as if nobody could go on."""
    game = c.session.game
    assert isinstance(game, Xanadu)
    ending.end(game.state, "stall")
    c.session.refresh()
    without(c, lambda line: line.startswith("ask "))
    scores = (f"score {one.seat} {one.points}" for one in game.scores())
    c.last.then = (*c.last.then, "stall", *scores)
    file = c.file
    file.status, file.asked, file.revealed_secret, file.table = (
        "finished",
        [],
        c.secret,
        game.table(),
    )
    for seat in file.seating:
        c.show_hand(seat, lambda hand: hand)


def without(c: Cheater, left_out: Callable[[str], bool]) -> None:
    """Leave out public lines of the newest step."""
    c.last.then = tuple(line for line in c.last.then if not left_out(line))


# A table that is empty


@cheat("emptied", "show")
def say_nothing_of_the_reset(c: Cheater) -> None:
    without(c, lambda line: line == "reset")


@cheat("emptied", "show")
def leave_a_seat_out_of_the_reset(c: Cheater) -> None:
    """The seat is not asked what it begins with."""
    c.change_line("ask ", lambda words: words[:-1])


@cheat("emptied", "show")
def leave_a_seat_out_of_the_reset_and_of_the_file(c: Cheater) -> None:
    left = c.file.asked.pop()
    c.change_line("ask ", lambda words: words[:-1])
    waiting = [name for name in c.file.table["waiting"] if name != left.seat]
    c.file.table = {**c.file.table, "waiting": waiting}

    def unlettered(hand: hands.Hand) -> hands.Hand:
        cards = tuple(card._replace(label=hands.NO_LETTER) for card in hand.cards)
        return hand._replace(decision=NO_DECISION, cards=cards)

    c.show_hand(left.seat, unlettered)


@cheat("emptied", "show")
def draw_for_another_seat_in_the_reset(c: Cheater) -> None:
    def other(words: list[str]) -> list[str]:
        return [words[0], next(name for name in c.file.seating if name != words[1]), *words[2:]]

    c.change_line("draw ", other)


@cheat("emptied", "show")
def ask_for_two_cards_in_a_reset(c: Cheater) -> None:
    c.file.table = {**c.file.table, "need": 2}


@cheat("after_batch", "verify")
def lay_another_card_than_was_signed(c: Cheater) -> None:
    c.last.play = c.stage.other(c.last.play, *c.stage.waiting)


@pytest.mark.parametrize(
    ("name", "when", "by", "act"), cheat.all, ids=[one[0] for one in cheat.all]
)
def test_cheat_is_found(name: str, when: str, by: str, act: Cheat) -> None:
    check(XANADU, when, act, by)
