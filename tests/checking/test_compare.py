"""Two files of one game: every pair of a whole game is the same, newer or older, hands included."""

from __future__ import annotations

import pytest

from referee.checking.compare import NEWER, OLDER, SAME, Comparison, compare
from referee.errors import Damaged, Fork, OtherGame
from referee.games import rules_of
from referee.games.interface import View
from referee.playing import player
from referee.table import views
from referee.table.chain import heads
from referee.table.gamefile import GameFile
from referee.table.hands import Hand
from tests.once import once
from tests.table.tables import Table, key_of, load


def choose(view: View) -> str:
    """Some variety: the last of a few plays, else the greedy one."""
    plays = view.plays(30)
    return plays[len(view.hand) % len(plays)] if plays else view.suggest()


@once
def files() -> list[GameFile]:
    table = Table(3, seed="pairs").join_all().rush(choose, until=20)
    table.texts = [table.text]
    table.play(lambda file: file.step > 75, choose)
    return [load(text) for text in table.texts]


def hand(file: GameFile, name: str) -> Hand:
    seat = player.my_seat(file, key_of(name).public)
    return views.open_hand(file, seat, key_of(name))


def relation(old: GameFile, new: GameFile, name: str = "") -> Comparison:
    hands = {file.step: hand(file, name) for file in (new, old)} if name else None
    return compare(old, heads(old), new, heads(new), hands)


def test_consecutive_files_and_exact_hands() -> None:
    exact = 0
    for old, new in zip(files(), files()[1:], strict=False):
        for name in old.seating:
            said = relation(old, new, name)
            assert said.relation == NEWER
            exact += said.done[-1].startswith("your hand is exactly")
    assert exact == 3 * (len(files()) - 1)


def test_far_files() -> None:
    old, new = files()[0], files()[-1]
    for name in old.seating:
        said = relation(old, new, name)
        assert said.done[-1].startswith("your hand holds nothing but")
    assert relation(new, old).relation == OLDER
    assert relation(old, old).relation == SAME


def test_waiting_answers_are_followed() -> None:
    waiting = next(file for file in files() if file.pending)
    later = next(file for file in files() if file.step > waiting.step)
    assert "1 waiting answer took effect as accepted" in relation(waiting, later).done


def test_other_games() -> None:
    with pytest.raises(OtherGame):
        relation(Table(2, seed="x").file, Table(2, seed="y").file)


def test_a_stranger_proves_nothing() -> None:
    """A copy that somebody signs with a key of their own does not make the referee a forger."""
    real, forged = Table(2).file, Table(2).file
    forged.referee, forged.title = key_of("mallory").public, "A forged table"
    with pytest.raises(Damaged):
        compare(real, heads(real), forged, heads(forged))


def test_files_of_an_open_table() -> None:
    table = Table(2).join_all()
    assert relation(load(table.texts[0]), load(table.texts[1])).relation == NEWER


def drawing(name: str) -> tuple[GameFile, GameFile]:
    """Two files between which the seat has played once and drawn."""
    pairs = zip(files(), files()[1:], strict=False)
    return next(
        (old, new)
        for old, new in pairs
        if sum(entry.by == name for entry in new.log[old.step :]) == 1
        and len(hand(old, name).cards) > 1
        and any(f"draw {name} " in line for e in new.log[old.step :] for line in e.then)
    )


@pytest.mark.parametrize("deed", ["withheld", "not drawn", "stranger"])
def test_hands_that_do_not_follow(deed: str) -> None:
    name = "ana"
    old, new = drawing(name)
    before, after = hand(old, name), hand(new, name)
    had = {card[2:5] for card in before.cards}
    kept = [card for card in after.cards if card[2:5] in had]
    fresh = [card for card in after.cards if card[2:5] not in had]
    cards = {
        "withheld": [*kept[1:], *fresh] if kept else fresh[1:],
        "not drawn": [*kept, *fresh[1:]],
        "stranger": [*after.cards, after.cards[0]._replace(position=105)],
    }[deed]
    if tuple(cards) == after.cards:
        cards = [*after.cards, after.cards[0]._replace(position=104)]
    hands = {old.step: before, new.step: after._replace(cards=tuple(cards))}
    with pytest.raises(Fork):
        compare(old, heads(old), new, heads(new), hands)


def test_a_card_that_was_given_away_does_not_come_back() -> None:
    tried = 0
    for old, new in zip(files(), files()[1:], strict=False):
        name = new.log[-1].by
        before, after = hand(old, name), hand(new, name)
        left = {card[2:5] for card in after.cards}
        gone = [card for card in before.cards if card[2:5] not in left]
        if gone and new.step == old.step + 1:
            back = after._replace(cards=(*after.cards, gone[0]))
            with pytest.raises(Fork, match="which you gave away"):
                compare(old, heads(old), new, heads(new), {old.step: before, new.step: back})
            tried += 1
    assert tried > 3


def taxed() -> tuple[GameFile, GameFile, str]:
    """Taxes have taken the only card of a seat, which nobody had to ask for it."""
    rules = rules_of("sanjuan").choose(None, ["events"], [], {})

    def choose(view: View) -> str:
        plays = view.plays(10) or []
        return "event taxes" if "event taxes" in plays else view.suggest()

    for seed in range(60):
        table = Table(3, seed=f"tax{seed}", rules=rules).join_all()
        while table.file.asked and table.file.step < 120:
            old, new = table.file, table.rush(choose, until=table.file.step + 1).file
            for entry in new.log[old.step :]:
                words = [line.split(" ") for line in entry.then if entry.play == "event taxes"]
                lost = [row[1] for row in words if row[0] == "discard" and row[1] != entry.by]
                if lost:
                    return old, new, lost[0]
    raise AssertionError("nobody was taxed")


def test_a_card_that_was_lost_unasked() -> None:
    old, new, name = taxed()
    assert relation(old, new, name).done[-1].startswith("your hand is exactly")
    before, after = hand(old, name), hand(new, name)
    kept = after._replace(cards=before.cards)
    with pytest.raises(Fork, match="holds what it has lost"):
        compare(old, heads(old), new, heads(new), {old.step: before, new.step: kept})
