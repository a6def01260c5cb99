"""A referee who cheats with plans is found by everybody, or by whoever has an older file."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from referee.checking.compare import compare
from referee.checking.verify import verify
from referee.crypto.sealing import pad, seal
from referee.errors import Damaged, Fork
from referee.games.errors import GameError
from referee.notes.plantext import PlanText
from referee.table import chain, hands, opening
from referee.table.dealing import hand_commitment
from referee.table.gamefile import Entry, GameFile, HandBlock, KeptPlan, Pending
from referee.table.plancheck import check_planned
from referee.table.planreplay import texts_of
from referee.table.plans import is_plan, plan_behind, play_of
from referee.table.replay import Session
from tests.table.tables import REFEREE, Table, key_of

KEEP = "always councillor: best"
ROLE = "role councillor"


def running() -> GameFile:
    """A game in which a plan waits, two are in the log, and both have answered a question that is
    put to a third seat as well."""
    table = Table(3, "planned cheats", plans=True).join_all()
    first, second, _ = table.file.seating
    table.apply(table.plan(first, KEEP), table.plan(second, KEEP, number=2))
    table.apply(table.note(table.file.asked_ids()[0], ROLE))
    table.apply(table.plan(first, KEEP, "always builder: best"))
    return table.file


Deed = Callable[[GameFile], None]


def plan_entry(file: GameFile, number: int = 1) -> Entry:
    return next(one for one in file.log if one.decision.startswith(f"0.{number}.plan."))


def rehash(file: GameFile) -> list[bytes]:
    """Do what a referee does who wants a forged log to hang together; return its heads."""
    commitments = [file.hands[name].commitment for name in file.seating]
    file.log[-1].root = chain.step_root(file.table, file.asked, chain.deal_hash(file), commitments)
    return chain.heads(file)


def drop_a_row(file: GameFile) -> None:
    del file.plans[0]


def keep_two_waiting(file: GameFile) -> None:
    (waits,) = [one for one in file.plans if one.waits]
    file.plans.append(waits)


def invent_one(file: GameFile) -> None:
    seat = file.seating[2]
    row = KeptPlan(seat, 1, file.plans[0].sealed, seen=1, clauses=bytes(32), signature=bytes(64))
    file.plans.append(row)


def raise_its_number(file: GameFile) -> None:
    next(one for one in file.plans if one.waits).number += 1


def answer_by_another(file: GameFile) -> None:
    file.pending[0] = Pending.by_plan(file.pending[0].decision, 9)


def answer_without_one(file: GameFile) -> None:
    file.pending.append(Pending.by_plan(file.asked_ids()[2], 1))


def seal_to_all(file: GameFile) -> None:
    players = [key_of(name).public.text for name in file.seating]
    file.plans[0].sealed = PlanText(bytes(32), ()).sealed_to([file.referee.text, *players])


def seal_to_nobody_else(file: GameFile) -> None:
    file.plans[0].sealed = PlanText(bytes(32), ()).sealed_to([file.referee.text])


def take_away_its_signature(file: GameFile) -> None:
    plan_entry(file).signature = bytes(64)


def change_its_hash(file: GameFile) -> None:
    plan_entry(file).play = play_of(1, bytes(32))


def turn_the_order(file: GameFile) -> None:
    at = [index for index, one in enumerate(file.log) if is_plan(one.decision)]
    first, second = (file.log[index] for index in at)
    first.decision, second.decision = (
        f"0.2.plan.{first.by}",
        f"0.1.plan.{second.by}",
    )
    file.log[at[0]], file.log[at[1]] = second, first


def log_after_the_answer(file: GameFile) -> None:
    at = next(index for index, one in enumerate(file.log) if is_plan(one.decision))
    file.log.append(file.log.pop(at))


def say_more(file: GameFile) -> None:
    plan_entry(file).then = ("round 1",)


def call_a_table_without(file: GameFile) -> None:
    file.plan_language = 0


@pytest.mark.parametrize(
    "deed",
    [
        drop_a_row,
        keep_two_waiting,
        invent_one,
        raise_its_number,
        answer_by_another,
        answer_without_one,
        seal_to_all,
        seal_to_nobody_else,
        take_away_its_signature,
        change_its_hash,
        turn_the_order,
        log_after_the_answer,
        say_more,
        call_a_table_without,
    ],
)
def test_verify_finds(deed: Deed) -> None:
    file = running()
    verify(file, chain.heads(file))
    deed(file)
    with pytest.raises(GameError):
        verify(file, rehash(file))


def publish_another(file: GameFile) -> None:
    file.plans[0].lines = ("role: ask",)


def publish_another_salt(file: GameFile) -> None:
    file.plans[0].salt = bytes(32)


def keep_one_sealed(file: GameFile) -> None:
    file.plans[0].sealed = PlanText(bytes(32), ()).sealed_to([file.referee.text])


@pytest.mark.parametrize(
    "deed", [publish_another, publish_another_salt, keep_one_sealed, drop_a_row]
)
def test_verify_finds_when_the_game_is_over(deed: Deed) -> None:
    table = Table(2, "planned cheats", plans=True).join_all()
    table.apply(table.plan(table.file.seating[0], KEEP))
    table.answer(table.file.asked_ids()[0])
    table.rush()
    file = table.file
    verify(file, chain.heads(file))
    deed(file)
    with pytest.raises(GameError):
        verify(file, chain.heads(file))


def forget_it(file: GameFile) -> None:
    file.plans = [one for one in file.plans if not one.waits]


def put_an_older_one_back(file: GameFile) -> None:
    waits = next(one for one in file.plans if one.waits)
    waits.number, waits.clauses = 1, bytes(32)


def exchange_it(file: GameFile) -> None:
    next(one for one in file.plans if one.waits).clauses = bytes(32)


@pytest.mark.parametrize("deed", [forget_it, put_an_older_one_back, exchange_it])
def test_compare_finds(deed: Deed) -> None:
    """In a file of the same step, and in all later ones."""
    table = Table(2, "planned cheats", plans=True).join_all()
    first = table.file.seating[0]
    table.apply(table.plan(first, KEEP, number=3))
    kept = table.file
    deed(later := table.file)
    done = (kept, chain.heads(kept), later, chain.heads(later))
    if deed is exchange_it:
        with pytest.raises(Fork):
            compare(*done)
    else:
        assert compare(*done).relation == "older"
    session = Session.replay(later, opening.deal_secret(later, REFEREE))
    question = session.decisions()[0]
    session.accept(question.id, question.seat, ROLE, 1, bytes(64))
    session.file.head = session.head
    with pytest.raises(Fork, match="the waiting plan of"):
        compare(kept, chain.heads(kept), session.file, chain.heads(session.file))


def test_everybody_knows_how_large_a_hand_is_whose_owner_has_looked_away() -> None:
    """The cards that left it since then take as much room as public counts say."""
    table = Table(2, "planned cheats", plans=True).join_all()
    second = table.file.seating[1]
    table.apply(table.plan(second, "always councillor: best"))
    table.apply(table.note(table.file.asked_ids()[0], ROLE))
    table.answer(table.file.asked_ids()[0])
    file = table.file
    session = Session.replay(file, opening.deal_secret(file, REFEREE), texts_of(file, REFEREE))
    hand = session.hand(second, file.step)
    assert hand.losses
    verify(file, chain.heads(file))
    text = pad(hands.render_hand(file.game, hand) + "#" * 256 + "\n")
    commitment = hand_commitment(file.game, file.step, second, hand.salt, text)
    block = seal(text, [key_of(second).public.text])
    file.hands[second] = HandBlock(block, commitment)
    heads = rehash(file)
    with pytest.raises(Damaged, match=f"the hand of {second} is not as large as its cards"):
        verify(file, heads)


def test_compare_finds_a_plan_that_goes_on_waiting_while_others_answer() -> None:
    """All that wait are logged before the next answer, or a referee could choose when they hold."""
    table = Table(2, "planned cheats", plans=True).join_all()
    table.apply(table.plan(table.file.seating[0], KEEP))
    kept, later = table.file, table.file
    session = Session.replay(later, opening.deal_secret(later, REFEREE), texts_of(later, REFEREE))
    question = session.decisions()[0]
    session.accept(question.id, question.seat, ROLE, 1, bytes(64))
    session.file.head = session.head
    with pytest.raises(Fork, match="has held back the waiting plan of"):
        compare(kept, chain.heads(kept), session.file, chain.heads(session.file))
    table.answer(question.id)
    assert compare(kept, chain.heads(kept), table.file, chain.heads(table.file)).relation == "newer"


def test_the_owner_finds_that_a_plan_has_paid_another_card() -> None:
    """The letters are the referee's to say: they must be those of the cards that left."""
    table = Table(3, "a", plans=True).join_all()
    seat = table.file.seating[1]
    table.apply(table.plan(seat, "always builder: indigo-plant sugar-mill"))
    table.apply(table.note(table.file.asked_ids()[0], "role builder"))
    table.play(lambda file: any(map(plan_behind, file.log)))
    file = table.file
    session = Session.replay(file, opening.deal_secret(file, REFEREE), texts_of(file, REFEREE))
    hand = session.hand(seat, file.step)
    assert hand.losses is not None
    (loss,) = [one for one in hand.losses if one.decision]
    entry = file.log[loss.step - 1]
    build, _, paid = entry.play.rpartition(" ")
    # Another card is in the place of the one that was paid, under its letter.
    before = sorted([*hand.cards, *loss.cards], key=lambda card: card.place)
    named = dict(zip(loss.letters, before, strict=True))
    other = next(one for one in loss.letters if named[one] in hand.cards)
    swap = {paid: other, other: paid}
    entry.play = f"{build} {other}"
    gone = tuple(named[other] if card == named[paid] else card for card in loss.cards)
    kept = [named[paid] if card == named[other] else card for card in hand.cards]
    bent = loss._replace(
        letters=tuple(swap.get(one, one) for one in loss.letters),
        cards=tuple(sorted(gone, key=lambda card: card.place)),
    )
    hand = hand._replace(
        cards=tuple(sorted(kept, key=lambda card: card.place)),
        losses=tuple(bent if one is loss else one for one in hand.losses),
    )
    texts = texts_of(file, REFEREE)
    with pytest.raises(Damaged, match="other cards left your hand than those that 'build"):
        check_planned(file, hand, texts)
    check_planned(table.file, session.hand(seat, file.step), texts)
