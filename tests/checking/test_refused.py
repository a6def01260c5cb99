"""Refusals that PROTOCOL 17 demands and nothing else tests: each case is a file in which one thing
is wrong, and what is said of it."""

from __future__ import annotations

import copy
import functools
import tomllib
from collections.abc import Callable
from datetime import date
from typing import Any

import pytest

from referee.checking import verify
from referee.checking.audit import audit
from referee.crypto.keys import PublicKey
from referee.crypto.sealing import seal, seal_note, unseal
from referee.errors import BadSignature, Damaged, OtherRules
from referee.games.errors import GameError
from referee.notes.kinds import Move
from referee.playing import player
from referee.table import chain, opening
from referee.table.decisions import DecisionId
from referee.table.filetext import parse
from referee.table.gamefile import Consent, Entry, GameFile, HandBlock, Pending, Transfer
from referee.table.replay import Session
from referee.table.signing import check_chain, checked, signed_text
from referee.table.times import DAY, Away, Clock
from tests.table.tables import REFEREE, Table, key_of, laid_out, load
from tests.table.test_transfers import gives_two_seats_to_one_key

Edit = Callable[[dict[str, Any]], object]
Act = Callable[[GameFile], object]
BOT = Clock(3, "bot", 1, 28)


@functools.cache
def texts() -> dict[str, str]:
    """Files at several times: one is asked, several are, and the game is over or not begun."""
    table = Table(3, "refused", clock=BOT)
    found = {"open": table.text}
    found["alone"] = table.join_all().play(lambda file: file.step > 3 and len(file.asked) == 1).text
    found["batch"] = table.play(lambda file: len(file.asked) == 3 and not file.pending).text
    answered = table.play(lambda file: not file.pending and len(file.asked) == 1)
    found["answered"] = answered.text
    (decision,) = table.file.asked_ids()
    after = copy.copy(table)
    after.apply(table.note(decision, table.view(decision.rpartition(".")[2]).suggest(), 2))
    found["changed"] = after.text
    table.now += 30 * DAY
    assert table.expire()
    found["late"] = table.text
    found["finished"] = Table(2, "refused").join_all().rush().text
    return found


# A reader


def seat(number: int, **values: Any) -> Edit:
    return lambda body: body["seats"][number].update(values)


def vacation(**values: str) -> Edit:
    row = {"seat": "ana", "from": "2026-03-02", "until": "2026-03-03", "seen": 1}
    row |= {"signature": "A" * 86, **values}
    return lambda body: body["time"].update(vacations=[row])


def clock(**values: Any) -> Edit:
    return lambda body: body["game"]["clock"].update(values)


DOCUMENTS: dict[str, tuple[str, str, Edit]] = {
    "a name twice": ("alone", "stands there twice", seat(1, name="ana")),
    "a name that no seat has": ("alone", "not a seat name", seat(1, name="deck")),
    "a key twice": ("alone", "twice", lambda b: seat(1, key=b["seats"][0]["key"])(b)),
    "two seats of the referee's": (
        "alone",
        "only one seat",
        lambda b: [one.update(referee=True) for one in b["seats"]],
    ),
    "a seat of the referee's without a join": ("open", "only one seat", seat(0, referee=True)),
    "the referee's key at another seat": (
        "open",
        "did not take in",
        lambda b: seat(0, key=b["referee"]["key"], reserved=True)(b),
    ),
    "a signature without a salt": ("alone", "without key", lambda b: b["seats"][0].pop("salt")),
    "a key of nobody": (
        "open",
        "has not joined",
        lambda b: seat(0, key=key_of("zoe").public.text)(b),
    ),
    "a salt of nobody": ("open", "has not joined", seat(0, salt="00" * 32)),
    "a seat left out of the order": ("alone", "deal.order", lambda b: b["deal"]["order"].pop()),
    "one step more": ("alone", "step is", lambda b: b.update(step=b["step"] + 1)),
    "no step": ("alone", "fit the log", lambda b: b.update(status="open")),
    "a status that there is not": ("alone", "status is", lambda b: b.update(status="paused")),
    "a leaf that is none": (
        "alone",
        "leaves",
        lambda b: b["deal"]["piles"][0]["leaves"].insert(0, "x"),
    ),
    "a vacation of nobody": ("alone", "not a vacation", vacation(seat="zoe")),
    "a vacation that ends before it begins": (
        "alone",
        "not a vacation",
        vacation(until="2026-03-01"),
    ),
    "a question in the due times that is none": (
        "alone",
        "time.due",
        lambda b: b["time"]["due"].update(role="2026-03-04T12:00:00Z"),
    ),
    "a clock of no days": ("alone", "game.clock", clock(days=0)),
    "grace where nobody acts": ("alone", "nobody is answered for", clock(late="wait", grace=1)),
}


@pytest.mark.parametrize("name", DOCUMENTS)
def test_no_reader_takes(name: str) -> None:
    when, says, edit = DOCUMENTS[name]
    body = tomllib.loads(texts()[when])
    edit(body)
    with pytest.raises(Damaged, match=says):
        parse(laid_out(body).encode())


def put(**values: Any) -> Callable[[Any], object]:
    """Set attributes of a file or an entry."""

    def act(thing: Any) -> None:
        for name, value in values.items():
            setattr(thing, name, value)

    return act


SIGNED: dict[str, tuple[str, Act]] = {
    "another head": ("head does not follow", put(head=bytes(32))),
    "a seat without a hand": ("no hand", lambda f: f.hands.pop("ana")),
    "a pile that nobody shuffled": ("deal.piles", lambda f: f.piles.append(f.piles[0])),
}


@pytest.mark.parametrize("name", SIGNED)
def test_no_reader_takes_although_it_is_signed(name: str) -> None:
    says, act = SIGNED[name]
    file = load(texts()["alone"])
    act(file)
    forged, _ = parse(signed_text(file, REFEREE).encode())
    with pytest.raises(Damaged, match=says):
        check_chain(forged)


def test_no_reader_takes_two_seats_of_one_key() -> None:
    file = gives_two_seats_to_one_key()
    with pytest.raises(Damaged, match="two seats have the same key"):
        parse(signed_text(file, REFEREE).encode())


# `verify`, also where the program does not have the rules of the game


@pytest.fixture
def no_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(file: GameFile) -> None:
        raise OtherRules("other rules")

    monkeypatch.setattr(verify, "padded_sizes", unknown)


def last(**values: Any) -> Act:
    return lambda file: put(**values)(file.log[-1])


def first_of_batch(file: GameFile) -> Entry:
    return next(one for one in file.log if one.seen == file.log[-1].seen)


def say(*lines: str) -> Act:
    return lambda file: put(then=(*lines, *file.log[-1].then))(file.log[-1])


def away(seen: int) -> Act:
    days = date(2026, 3, 2), date(2026, 3, 3)
    return lambda file: file.vacations.append(Away("ana", *days, seen, bytes(64)))


def waits(seen: int, signatures: int = 1) -> Act:
    new = key_of("new").public
    signed = [Consent(new, seen, bytes(64))] * signatures
    return lambda file: file.transfers.append(Transfer("ana", new, "", signed))


def reopened(file: GameFile) -> None:
    file.revealed_secret = opening.deal_secret(file, REFEREE)


def hand_to(*names: str, more: str = "") -> Act:
    def act(file: GameFile) -> None:
        keys = [key_of(name).public.text for name in names]
        plain = unseal(file.hands["ana"].sealed, key_of("ana"))
        sealed = seal(plain + more, keys)
        file.hands["ana"] = HandBlock(sealed, file.hands["ana"].commitment)

    return act


def answer_to(key: PublicKey = REFEREE.public, *, pads: bool = True) -> Act:
    def act(file: GameFile) -> None:
        sealed = seal_note("a note\n", key) if pads else seal("a note\n", [key.text])
        decision = file.asked_ids()[0]
        del file.due[decision]
        file.pending.append(Pending(decision, bytes(32), sealed))

    return act


NEXT = "shuffle deck 1 3 " + "A" * 43
FILES: dict[str, tuple[str, str, Act]] = {
    "a signature of the referee's": (
        "alone",
        "no signature of its own",
        lambda f: put(signature=bytes(64))(f.log[0]),
    ),
    "an act that the referee has not": (
        "alone",
        "may not do this",
        last(decision=chain.ABANDON, by="referee", play="abandon", seen=1, signature=b"", then=()),
    ),
    "a play for another seat": ("alone", "cannot answer this", last(by="zoe")),
    "a second answer": ("alone", "answered before", lambda f: f.log.append(copy.copy(f.log[-1]))),
    "an answer to no question": (
        "alone",
        "was not open",
        lambda f: last(decision=f"9.9.role.{f.log[-1].by}")(f),
    ),
    "a question that was not seen": ("alone", "not seen the question", last(seen=0)),
    "questions while one is open": (
        "answered",
        "while",
        lambda f: put(then=("ask 9.9.role.ana",))(first_of_batch(f)),
    ),
    "questions in another order": ("batch", "left open", lambda f: f.asked.reverse()),
    "a waiting answer to no question": (
        "batch",
        "not open",
        lambda f: f.pending.append(Pending("9.9.role.ana", bytes(32), "")),
    ),
    "a secret while the game goes on": ("alone", "fit the log", reopened),
    "no secret when it is over": ("finished", "fit the log", put(revealed_secret=None)),
    "an end that was none": ("finished", "fit the log", put(status="abandoned")),
    "an end with a question": ("alone", "fit the log", put(status="finished")),
    "a secret before the deal": ("open", "nothing was dealt", reopened),
    "a pile shuffled too early": ("alone", "before it was empty", say(NEXT)),
    "a pile shuffled in another epoch": (
        "alone",
        "was not to be shuffled",
        say(NEXT.replace("k 1", "k 2")),
    ),
    "more cards than there are": (
        "alone",
        "not so many cards",
        lambda f: put(then=tuple(one.replace("0-3", "0-999") for one in f.log[0].then))(f.log[0]),
    ),
    "a signature under no transfer": (
        "alone",
        "has no place there",
        say(f"agreed {key_of('ana').public.hex} 1 {'A' * 86}"),
    ),
    "a number on a deal": (
        "alone",
        "'answer 2' has no place there",
        lambda f: put(then=("answer 2", *f.log[0].then))(f.log[0]),
    ),
    "a number in another line": (
        "alone",
        "'answer 2' has no place there",
        lambda f: last(then=(f.log[-1].then[0], "answer 2", *f.log[-1].then[1:]))(f),
    ),
    "a number twice": (
        "changed",
        "'answer 3' has no place there",
        lambda f: last(then=("answer 2", "answer 3", *f.log[-1].then[1:]))(f),
    ),
    "a number that was not signed": ("alone", "did not sign this play", say("answer 2")),
    "another number than was signed": (
        "changed",
        "did not sign this play",
        lambda f: last(then=("answer 3", *f.log[-1].then[1:]))(f),
    ),
    "no number where one was signed": (
        "changed",
        "did not sign this play",
        lambda f: last(then=f.log[-1].then[1:])(f),
    ),
    "a number on the referee's answer": (
        "late",
        "'answer 2' has no place there",
        lambda f: last(then=(f.log[-1].then[0], "answer 2", *f.log[-1].then[1:]))(f),
    ),
    "a number before the referee's answer": ("late", "since when the answer", say("answer 2")),
    "an answer that waits twice": (
        "batch",
        "twice, or the last",
        lambda f: f.pending.extend(2 * [Pending(f.asked_ids()[0], bytes(32), "")]),
    ),
    "a last answer that waits": (
        "alone",
        "twice, or the last",
        lambda f: f.pending.append(Pending(f.asked_ids()[0], bytes(32), "")),
    ),
    "a vacation of a step to come": ("alone", "not signed at a step", away(99)),
    "a vacation from before the deal": ("alone", "not signed at a step", away(0)),
    "a vacation that nobody signed": ("alone", "did not sign", away(1)),
    "a transfer of a step to come": ("alone", "does not fit", waits(99)),
    "a transfer from before the deal": ("alone", "does not fit", waits(0)),
    "a transfer that nobody signed": ("alone", "did not sign", waits(1)),
    "a transfer twice": ("alone", "stands there twice", lambda f: [waits(1)(f), waits(1)(f)]),
    "a transfer without signatures": ("alone", "by nobody, or twice", waits(1, 0)),
    "a signature twice": ("alone", "by nobody, or twice", waits(1, 2)),
    "a hand for a spy as well": ("alone", "not sealed to ana alone", hand_to("ana", "ben")),
    "a hand for another seat": ("alone", "not sealed to ana alone", hand_to("ben")),
    "a hand whose size tells something": ("alone", "to ana alone", hand_to("ana", more="#")),
    "a waiting answer for a player": ("batch", "referee alone", answer_to(key_of("ben").public)),
    "a waiting answer whose size tells it": ("batch", "referee alone", answer_to(pads=False)),
}


@pytest.mark.usefixtures("no_rules")
@pytest.mark.parametrize("name", FILES)
def test_verify_does_not_take(name: str) -> None:
    when, says, act = FILES[name]
    file = load(texts()[when])
    verify.verify(file, chain.heads(file))
    act(file)
    with pytest.raises(GameError, match=says):
        verify.verify(file, chain.heads(file))


def moved() -> GameFile:
    """A seat has changed hands by the signatures of its old and its new key, and of another."""
    table = Table(3).join_all()
    new = key_of("new")
    for signer in (key_of("carl"), new, key_of("ana")):
        table.apply(player.sign_transfer(table.file, "ana", signer, new.public).armoured)
    assert len(table.file.log[-1].then) == 2
    return table.file


AGREED: dict[str, tuple[str, Callable[[tuple[str, ...]], tuple[str, ...]]]] = {
    "in another order": ("in their order", lambda lines: lines[::-1]),
    "one twice": ("each once", lambda lines: (lines[0], *lines)),
    "a number": ("is not a signature", lambda lines: (*lines, "answer 2")),
    "one of one key twice": (
        "signed twice",
        lambda lines: tuple(sorted((*lines, " ".join([*lines[0].split(" ")[:2], "9", "A" * 86])))),
    ),
}


@pytest.mark.parametrize("name", AGREED)
def test_verify_takes_no_signatures_under_a_transfer(name: str) -> None:
    says, change = AGREED[name]
    file = moved()
    verify.verify(file, chain.heads(file))
    file.log[-1].then = change(file.log[-1].then)
    with pytest.raises(Damaged, match=says):
        verify.verify(file, chain.heads(file))


# Who joins


def test_nobody_joins_with_a_salt_that_the_host_has_chosen() -> None:
    file = Table(3).file
    key = key_of("ana")
    put(key=key.public, reserved=True, referee=True, salt=bytes(32), signature=bytes(64))(
        file.seats[0]
    )
    with pytest.raises(BadSignature, match="which is for you to choose"):
        opening.sign_join(file, "ana", key)


# `audit`


def forged(file: GameFile) -> tuple[GameFile, list[bytes]]:
    """The file as everybody reads it and verifies it."""
    read, heads = checked(signed_text(file, REFEREE).encode())
    verify.verify(read, heads)
    return read, heads


def test_audit_takes_no_card_that_was_not_in_the_hand() -> None:
    """A player builds what it does not hold, and the referee lets it."""
    table = Table(2, "forged").join_all()
    table.play(lambda file: DecisionId.parse(file.asked[0].id).kind == "build")
    file = table.file
    secret = opening.deal_secret(file, REFEREE)
    session = Session.replay(file, secret)
    one = session.decisions()[0]
    state: Any = session.game.state  # type: ignore[union-attr]
    hand = state.hand[state.seats.index(one.seat)]
    plays: list[str] = []
    for card in state.deck[state.next :]:
        hand[0] = card
        name = session.rules.card_name("deck", card)
        plays = [play for play in session.view(one.seat).plays(9999) or [] if f" {name}" in play]
        if plays and name not in [held.name for held in table.view(one.seat).hand]:
            break
    move = Move(file.game, one.id, file.step, file.head.hex(), plays[0])
    session.accept(one.id, one.seat, move.play, move.step, move.sign(key_of(one.seat)))
    session.refresh()
    with pytest.raises(Damaged, match=r"you hold no|cannot pay"):
        audit(*forged(file), secret)


def test_audit_takes_no_other_deal_secret() -> None:
    file = load(texts()["alone"])
    with pytest.raises(Damaged, match="does not match the commitment"):
        audit(file, chain.heads(file), bytes(32))
