"""No public byte tells two hidden worlds with the same public history apart (DESIGN 8).

The other world is the same game with two cards exchanged that nobody but their owners ever saw.
All plays are played again in it: letters are dealt by position, so the same words mean the same.
"""

from __future__ import annotations

import functools
import itertools
import random
import re
from typing import Any

import pytest

from referee.crypto.hashing import canonical
from referee.errors import Damaged
from referee.games.errors import Illegal
from referee.games.interface import View
from referee.table import chain, hands, opening
from referee.table.dealing import Dealer
from referee.table.gamefile import GameFile
from referee.table.planreplay import texts_of
from referee.table.plans import is_plan
from referee.table.replay import Session
from tests.games.test_contract import RULE_SETS
from tests.table.tables import REFEREE, Table, load

DECK = "deck"
SUBJECTS = ("builder", "producer", "trader", "councillor", "tidy")


class OtherDealer(Dealer):
    """Deals as the true one does, but with two cards of the first deck exchanged.

    Its salts are no secret: they are left aside in every comparison.
    """

    swapped = (0, 0)

    def salt(self, pile: str, epoch: int, position: int) -> bytes:
        return bytes(32)

    def _laid(self, pile: str, epoch: int, order: tuple[int, ...]) -> tuple[int, ...]:
        if (pile, epoch) == (DECK, 0):
            one, two = self.swapped
            cards = list(order)
            cards[one], cards[two] = cards[two], cards[one]
            order = tuple(cards)
            names = tuple(self._card_name(pile, card) for card in order)
            self.piles[-1] = (pile, epoch, names)
        return super()._laid(pile, epoch, order)


class World(Session):
    """A game that is played again step by step; `swapped` are positions of the first deck."""

    swapped = (0, 0)

    def _dealer(self) -> Dealer:
        dealer = super()._dealer()
        other = OtherDealer(
            dealer.game, dealer._secret, dealer._head, dealer._joins, dealer._card_name
        )
        other.swapped = self.swapped
        return other


def public(file: GameFile, secret: bytes, swapped: tuple[int, int]) -> tuple[list[str], list[str]]:
    """Return what everybody sees after each step, salts aside, with the sizes of what is sealed;
    and which cards each reshuffle found. Ends early where a play cannot be."""
    world_type = type("OneWorld", (World,), {"swapped": swapped})
    world: World = world_type(file, secret)
    log, file.log = file.log, []
    out = []
    try:
        for step, entry in enumerate(log, 1):
            then = world._execute(entry.decision, entry.by, entry.play, entry.then)
            file.log.append(entry)
            world._follow_plans(step, entry)
            assert world.game is not None
            sizes: Any = {
                seat: len(hands.render_hand(file.game, world.hand(seat, step)))
                for seat in file.seating
            }
            said = [re.sub(r"^(open .*) \S+$", r"\1", line) for line in then]
            out.append(
                canonical(
                    [said, world.game.table(), [one.document() for one in world.asked()], sizes]
                )
            )
    except (Illegal, Damaged) as error:
        out.append(error.message)
    finally:
        file.log = log
    found = [
        canonical([epoch, sorted(names)]) for pile, epoch, names in world.dealer.piles if epoch
    ]
    return out, found


@functools.cache
def recorded(seats: int, rule_set: str) -> tuple[str, bytes]:
    seed = f"leaks {rule_set} {seats}"
    rng = random.Random(seed)

    def choose(view: View) -> str:
        plays = view.plays(400)
        return rng.choice(plays) if plays and rng.random() < 0.3 else view.suggest()

    rules = RULE_SETS[rule_set]
    # Where discards lie open, nearly every card has been seen by the end; but not early on.
    steps = 10**6 if rules.module == "sanjuan" else 25
    table = Table(seats, seed=seed, rules=rules).join_all().rush(choose, steps)
    return table.text, opening.deal_secret(table.file, REFEREE)


@functools.cache
def planned(rule_set: str) -> tuple[str, bytes]:
    """A game in which plans answer nearly everything."""
    table = Table(3, f"planned {rule_set}", rules=RULE_SETS[rule_set], plans=True).join_all()
    for name in table.file.seating:
        # One plans its turns too, and looks away for long.
        subjects = [*SUBJECTS, *(["role"] if name == "ben" else [])]
        table.apply(table.plan(name, *(f"always {one}: best" for one in subjects)))
    table.play(lambda file: file.step > 60)
    return table.text, opening.deal_secret(table.file, REFEREE)


def never_seen(file: GameFile, secret: bytes) -> list[tuple[int, str]]:
    """(position, name) for the cards of the first deck whose face the public never saw."""
    session = Session.replay(file, secret, texts_of(file, REFEREE))
    seen = {
        (line.epoch, line.position)
        for entry in file.log
        for text in entry.then
        if isinstance(line := chain.read_line(text), chain.Opening) and line.pile == DECK
    }
    again = Session(file, secret)
    log, file.log = file.log, []
    for entry in log:
        if entry.by != chain.REFEREE and not is_plan(entry.decision):
            # What a play takes out of the hand without its letter it has named for all to hear;
            # what it gave by letter may be told by name when it takes effect.
            told = {word for line in entry.then for word in line.split(" ")}
            spent = again.view(entry.by).spends(entry.play)
            seen |= {
                (card.epoch, card.position)
                for card in again.hand(entry.by, 0).cards
                if card.label in spent
                and (card.label not in entry.play.split(" ") or card.name in told)
            }
        again._execute(entry.decision, entry.by, entry.play)
        file.log.append(entry)
    file.log = log
    names = next(names for pile, epoch, names in session.dealer.piles if (pile, epoch) == (DECK, 0))
    return [(at, name) for at, name in enumerate(names) if (0, at) not in seen]


@pytest.mark.parametrize("rule_set", RULE_SETS)
@pytest.mark.parametrize("seats", [2, 3])
def test_the_public_cannot_tell_two_worlds_apart(seats: int, rule_set: str) -> None:
    compare(*recorded(seats, rule_set), rule_set)


def test_what_plans_have_taken_out_of_a_hand_has_the_same_size_in_both() -> None:
    """Their owners are told of each card that is gone, and nobody else sees which it was."""
    # In Xanadu all see the cards that leave a hand.
    rule_set = "sanjuan-2014"
    text, secret = planned(rule_set)
    file = load(text)
    session = Session.replay(file, secret, texts_of(file, REFEREE))
    losses = [session.hand(seat, file.step).losses or () for seat in file.seating]
    assert sum(len(loss.cards) for row in losses for loss in row) > 3
    compare(text, secret, rule_set)


def compare(text: str, secret: bytes, rule_set: str) -> None:
    """Exchange pairs of cards that nobody has seen: the public sees no difference."""
    file = load(text)
    here, found = public(file, secret, (0, 0))
    hidden = never_seen(file, secret)
    pairs = [(one[0], two[0]) for one, two in itertools.combinations(hidden, 2) if one[1] != two[1]]
    random.Random(rule_set).shuffle(pairs)
    compared = 0
    for pair in pairs[:10]:
        world, elsewhere = public(file, secret, pair)
        # Where a reshuffle finds other discards, history is another from there on.
        # Likewise where a play was not to be made with that other hand; but nobody could tell
        # before.
        if elsewhere == found[: len(elsewhere)]:
            whole = len(world) == len(here)
            assert world[: None if whole else -1] == here[: None if whole else len(world) - 1]
            compared += len(world)
    assert compared > 100


def test_a_leak_would_be_found() -> None:
    """The comparison itself: exchanging a card that was built shows in the public lines."""
    text, secret = recorded(3, "sanjuan-2014")
    file = load(text)
    hidden = {at for at, _ in never_seen(file, secret)}
    built = next(at for at in range(20) if at not in hidden)
    names = Session.replay(load(text), secret).dealer.piles[1][2]
    other = next(at for at in sorted(hidden) if at > 60 and names[at] != names[built])
    assert public(file, secret, (built, other)) != public(file, secret, (0, 0))
