"""Seats that change hands: who has to sign, what follows, and what cannot be taken from anybody."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from datetime import date
from types import MappingProxyType

import pytest

from referee.checking.audit import audit
from referee.checking.compare import compare
from referee.checking.verify import verify
from referee.crypto.keys import PrivateKey
from referee.crypto.sealing import AgeIdentity
from referee.errors import BadSignature, Damaged, Fork, NoKey, NotYours
from referee.games.errors import GameError
from referee.notes.kinds import Leave, Move, Transfer
from referee.playing import player
from referee.refereeing.ledger import ledger_line
from referee.table import chain, opening, transfer, views
from referee.table.decisions import DecisionId
from referee.table.gamefile import Consent, GameFile
from referee.table.gamefile import Transfer as Proposal
from referee.table.replay import Session
from referee.table.signing import signed_text
from referee.table.times import Clock
from tests.table.tables import REFEREE, Table, key_of, load

NEW = key_of("new")
# Bech32 of 32 bytes of zero, worthless like all keys here.
AGE = "AGE-SECRET-KEY-1QQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQ8H00W3"


def note(table: Table, signer: PrivateKey, seat: str = "ana", new: PrivateKey = NEW) -> str:
    return player.sign_transfer(table.file, seat, signer, new.public).armoured


def signers(names: str) -> list[PrivateKey]:
    return [key_of(name) for name in names.split(" ")]


@pytest.mark.parametrize(
    ("seats", "names", "done"),
    [
        (3, "ana new", True),
        (3, "new ana", True),
        (3, "ana", False),
        (3, "new", False),
        (3, "ben carl new", True),
        (3, "new carl ben", True),
        (3, "ben new", False),
        (3, "ben carl", False),
        (3, "referee new", False),
        (3, "ben referee new", False),
        (2, "ben new", False),
        (2, "ben referee new", True),
        (2, "referee new", False),
        (2, "ana new", True),
    ],
)
def test_who_has_to_sign(seats: int, names: str, done: bool) -> None:
    table = Table(seats).join_all()
    verdicts = table.apply(*(note(table, signer) for signer in signers(names)))
    assert [verdict.error for verdict in verdicts] == [None] * len(verdicts)
    seat = table.file.seat("ana")
    assert seat is not None
    assert (seat.holder == NEW.public) == done
    assert seat.key == key_of("ana").public
    assert bool(table.file.transfers) != done
    verify(table.file, chain.heads(table.file))


def test_the_order_of_the_signatures_does_not_matter() -> None:
    heads = set()
    for names in ("ben carl new", "new carl ben", "carl new ben"):
        table = Table(3).join_all()
        table.apply(*(note(table, signer) for signer in signers(names)))
        heads.add(table.file.head)
    assert len(heads) == 1


def moved(seats: int = 3) -> Table:
    """A game in which ana's seat has come to another key before anybody played."""
    table = Table(seats).join_all()
    table.apply(note(table, key_of("ana")), note(table, NEW))
    return table


def play_as(table: Table, key: PrivateKey, decision: str) -> int:
    """The exit code for an answer that a key's own machine signs, or refuses to."""
    file = table.file
    seat = player.my_seat(file, key.public)
    view = views.view_of(file, views.open_hand(file, seat, key))
    sealed = player.is_parallel(file, decision)
    return table.apply(player.move_text(file, key, decision, view.suggest(), sealed))[0].exit_code


def test_the_new_key_plays_on_and_the_old_one_does_not() -> None:
    table = Table(3).join_all()
    asked = table.file.asked_ids()[0]
    assert asked.endswith(".ana")
    early = player.move_text(table.file, key_of("ana"), asked, "role trader", False)
    table.apply(note(table, key_of("ana")), note(table, NEW))
    with pytest.raises(NotYours):
        player.my_seat(table.file, key_of("ana").public)
    assert table.apply(early)[0].exit_code == 15
    assert table.file.asked_ids() == [asked]
    assert play_as(table, NEW, asked) == 0
    verify(table.file, chain.heads(table.file))


def test_the_hand_is_the_new_key_s_to_open() -> None:
    file = moved().file
    seat = file.seat("ana")
    assert seat is not None
    assert views.open_hand(file, seat, NEW).cards
    with pytest.raises(NoKey):
        views.open_hand(file, seat, key_of("ana"))


def test_the_hand_may_be_sealed_to_age() -> None:
    table = Table(3).join_all()
    identity = AgeIdentity(AGE)
    notes = [
        player.sign_transfer(table.file, "ana", key, NEW.public, identity.recipient).armoured
        for key in (key_of("ana"), NEW)
    ]
    table.apply(*notes)
    seat = table.file.seat("ana")
    assert seat is not None
    assert views.open_hand(table.file, seat, identity).cards


def test_an_answer_that_waits_survives_its_author() -> None:
    """It was accepted under the old key, and takes effect under it."""
    table = Table(4, "batch").join_all()
    table.play(lambda file: len(file.asked) > 2 and not file.pending)
    batch = table.file.asked_ids()
    first = DecisionId.parse(batch[0]).seat
    table.answer(batch[0])
    table.apply(note(table, key_of(first), first), note(table, NEW, first))
    for id_ in batch[1:]:
        table.answer(id_)
    assert [entry.decision for entry in table.file.log].count(batch[0]) == 1
    verify(table.file, chain.heads(table.file))
    files = [load(text) for text in table.texts if "\n[[pending]]" in text] + [table.file]
    for before, after in itertools.pairwise(files):
        assert compare(before, chain.heads(before), after, chain.heads(after)).relation == "newer"
    files[2].pending[0].commitment = bytes(32)
    with pytest.raises(Fork, match="exchanged the waiting answer"):
        compare(files[0], chain.heads(files[0]), files[2], chain.heads(files[2]))


def test_a_signature_is_not_dropped_while_the_seat_is_its_old_holder_s() -> None:
    table = Table(3).join_all()
    table.apply(note(table, key_of("ana")))
    before = table.file
    table.answer(before.asked_ids()[0])
    after = table.file
    compare(before, chain.heads(before), after, chain.heads(after))
    after.transfers = []
    with pytest.raises(Fork, match="dropped"):
        compare(before, chain.heads(before), after, chain.heads(after))


def test_a_whole_game_with_transfers_is_audited() -> None:
    table = moved(2)
    table.apply(
        note(table, key_of("ben"), "ben", key_of("fay")),
        note(table, key_of("fay"), "ben", key_of("fay")),
    )
    keys = {"ana": NEW, "ben": key_of("fay")}
    while table.file.asked:
        for id_ in table.file.asked_ids():
            assert play_as(table, keys[DecisionId.parse(id_).seat], id_) == 0
    file = table.file
    assert any("2 transfers are signed" in line for line in verify(file, chain.heads(file)))
    assert any("the scores are right" in line for line in audit(file, chain.heads(file)))
    early = load(table.texts[3])
    assert compare(early, chain.heads(early), file, chain.heads(file)).relation == "newer"


def test_a_key_can_come_back_and_old_signatures_do_not_count_again() -> None:
    table = Table(3).join_all()
    old = [note(table, key_of("ana")), note(table, NEW)]
    table.apply(*old)
    ana = key_of("ana")
    back = [note(table, NEW, new=ana), note(table, ana, new=ana)]
    table.apply(*back)
    seat = table.file.seat("ana")
    assert seat is not None
    assert seat.holder == ana.public
    assert [one.exit_code for one in table.apply(*old)] == [10, 10]
    assert seat.holder == ana.public
    verify(table.file, chain.heads(table.file))


def test_a_seat_can_change_where_its_hands_are_sealed_to() -> None:
    table = Table(3).join_all()
    identity, ana = AgeIdentity(AGE), key_of("ana")
    ways: list[tuple[str, PrivateKey | AgeIdentity]] = [(identity.recipient, identity), ("", ana)]
    for seal, opener in ways:
        before = table.file
        words = player.sign_transfer(before, "ana", ana, ana.public, seal).armoured
        assert table.apply(words)[0].error is None
        file = table.file
        assert views.open_hand(file, player.my_seat(file, ana.public), opener).cards
        audit(file, chain.heads(file), opening.deal_secret(file, REFEREE))
        compare(before, chain.heads(before), file, chain.heads(file))


def test_a_referee_who_plays_does_not_count_twice() -> None:
    """With two seats one key would be all others and the referee."""
    table = Table(2, me="ben").join_all()
    verdicts = table.apply(note(table, REFEREE), note(table, NEW))
    assert [one.error for one in verdicts] == [None, None]
    assert "waiting for the old key of ana" in verdicts[1].word
    assert table.file.seat_of(NEW.public) is None
    assert table.apply(note(table, key_of("ana")))[0].error is None
    assert table.file.seat_of(NEW.public) is not None


def plays_under_another_key() -> Table:
    """A referee who plays with two players, and has sat down under a key of its own."""
    return Table(2, me="ben", me_key=key_of("ben")).join_all()


def gives_its_seat_another_key() -> Table:
    """A referee who plays with two players under its own key, and then under another."""
    table = Table(2, me="ben").join_all()
    table.apply(
        note(table, REFEREE, "ben", key_of("ben")), note(table, key_of("ben"), "ben", key_of("ben"))
    )
    assert table.file.seat_of(key_of("ben").public) is not None
    return table


@pytest.mark.parametrize("table", [plays_under_another_key, gives_its_seat_another_key])
def test_a_referee_who_plays_takes_no_seat_under_another_key(table: Callable[[], Table]) -> None:
    there = table()
    words = [note(there, key) for key in (REFEREE, key_of("ben"), NEW)]
    verdicts = there.apply(*words)
    assert [one.error for one in verdicts] == [None] * 3
    assert "waiting for the old key of ana" in verdicts[2].word
    session = Session.replay(there.file, opening.deal_secret(there.file, REFEREE))
    step, head = session.file.step, session.head.hex()
    move = Transfer(session.file.game, "ana", step, head, NEW.public.hex)
    agreed = sorted(
        chain.Agreed(key.public, step, move.sign(key)).line for key in (REFEREE, key_of("ben"))
    )
    decision = transfer.decision_id(session.file.log, "ana")
    session.accept(decision, "ana", transfer.play_of(NEW.public, ""), step, move.sign(NEW), agreed)
    session.file.transfers = []
    session.refresh()
    stolen = signed(session.file)
    with pytest.raises(BadSignature, match="lacks the signature of the old key of ana"):
        verify(stolen, chain.heads(stolen))


def test_a_note_that_has_counted_is_known_whatever_came_after() -> None:
    table = Table(4, "batch", clock=Clock(3, "wait", 0, 28)).join_all()
    joins = list(table.notes)
    table.play(lambda file: len(file.asked) > 2)
    waiting = table.file.asked_ids()[0]
    seat = DecisionId.parse(waiting).seat
    table.answer(waiting)
    old = key_of(seat)
    table.apply(
        player.sign_vacation(
            table.file,
            player.my_seat(table.file, old.public),
            old,
            date(2026, 3, 2),
            date(2026, 3, 3),
        ).armoured
    )
    table.apply(note(table, old, seat), note(table, NEW, seat))
    counted = [*joins, *table.notes]
    assert {one.exit_code for one in table.apply(*counted)} == {10}
    forged = table.notes[-3].replace("03-03", "03-04")
    assert forged != table.notes[-3]
    assert table.apply(forged)[0].exit_code == 15


def test_a_signature_that_waits_is_known_when_its_signer_has_left() -> None:
    table = Table(3).join_all()
    waiting = note(table, key_of("ben"))
    table.apply(waiting, note(table, key_of("ben"), "ben"), note(table, NEW, "ben"))
    assert table.file.seat_of(NEW.public) is not None
    assert table.apply(waiting)[0].exit_code == 10


def give(table: Table, seat: str, new: PrivateKey, *by: PrivateKey) -> str:
    """Let these keys sign that a seat gets a new key, and return the last word for it."""
    verdicts = table.apply(*[note(table, key, seat, new) for key in by])
    assert [one.error for one in verdicts] == [None] * len(by)
    verify(table.file, chain.heads(table.file))
    return verdicts[-1].word


def test_a_transfer_takes_effect_when_a_key_that_signed_it_holds_a_seat_again() -> None:
    """Three have signed, but one of them was away from the table when the last one did."""
    table = Table(3).join_all()
    carl, away = key_of("carl"), key_of("away")
    give(table, "ana", NEW, NEW, carl)
    give(table, "carl", away, away, carl)
    assert give(table, "ana", NEW, key_of("ben")).startswith("accepted; waiting for")
    before = table.file
    said = give(table, "carl", carl, away, carl)
    assert said == ("carl has another key, from step 3 on; ana has another key, from step 4 on")
    after = table.file
    assert [entry.by for entry in after.log[1:]] == ["carl", "carl", "ana"]
    assert not after.transfers
    assert compare(before, chain.heads(before), after, chain.heads(after)).relation == "newer"


def test_a_seat_whose_hands_are_sealed_anew_keeps_its_key() -> None:
    table, ana = Table(2).join_all(), key_of("ana")
    for seal in (AgeIdentity(AGE).recipient, ""):
        note = player.sign_transfer(table.file, "ana", ana, ana.public, seal).armoured
        assert table.apply(note)[0].word.startswith("ana has its hands sealed to another key")
    give(table, "ben", NEW, NEW, key_of("ben"))
    assert transfer.resealings(table.file) == {2, 3}
    # The referee is asked for no new address of ana's.
    assert transfer.moved_since(table.file, 0) == ["ben"]


def test_a_transfer_waits_as_long_as_its_new_key_sits_elsewhere() -> None:
    """With the seat of ben that key has all signatures, its own for two of them."""
    table = Table(3).join_all()
    other = key_of("other")
    give(table, "ana", NEW, NEW, key_of("carl"))
    give(table, "ben", NEW, NEW, key_of("ben"))
    assert [one.seat for one in table.file.transfers] == ["ana"]
    give(table, "ben", other, other, NEW)
    assert [one.seat for one in table.file.transfers] == ["ana"]
    assert give(table, "ana", NEW, other) == "ana has another key, from step 4 on"


def test_transfers_that_can_take_effect_at_once_do_so_by_seats() -> None:
    """With the key of carl back, two seats have all signatures; one of them in two ways."""
    table = Table(4).join_all()
    carl, away, two = key_of("carl"), key_of("away"), key_of("two")
    keys = [NEW, two]
    last = sorted(keys, key=lambda key: key.public.hex)
    for seat, new in (("ana", NEW), ("ana", two)):
        give(table, seat, new, new, carl, key_of("ben"))
    give(table, "ben", key_of("three"), key_of("three"), carl, key_of("ana"))
    give(table, "carl", away, away, carl)
    for seat, new in (("ben", key_of("three")), ("ana", NEW), ("ana", two)):
        give(table, seat, new, key_of("dora"))
    assert len(table.file.transfers) == 3
    give(table, "carl", carl, away, carl)
    file = table.file
    # The seat of ana first; with its old key gone, ben's lacks a signature.
    assert [entry.by for entry in file.log[1:]] == ["carl", "carl", "ana"]
    assert file.log[-1].play == transfer.play_of(last[0].public, "")
    assert [one.seat for one in file.transfers] == ["ben"]


def test_what_is_refused() -> None:
    table = Table(3).join_all()
    taken = player.sign_transfer(table.file, "ana", key_of("ana"), key_of("ben").public).armoured
    assert table.apply(taken)[0].exit_code == 15
    twice = note(table, NEW)
    assert [table.apply(twice)[0].exit_code for _ in range(2)] == [0, 10]
    forged = note(table, key_of("ana")).replace("seat ana", "seat carl")
    assert table.apply(forged)[0].exit_code == 15
    with pytest.raises(NotYours):
        note(table, key_of("stranger"))
    file, stranger = table.file, key_of("stranger")
    words = Transfer(file.game, "ana", 1, file.head.hex(), NEW.public.hex)
    signed_by_nobody = words.armoured(stranger.public, words.sign(stranger))
    assert table.apply(signed_by_nobody)[0].exit_code == 15
    open_table = Table(3)
    assert open_table.apply(note(table, NEW))[0].exit_code == 11


def test_unfinished_transfers_do_not_fill_the_file() -> None:
    """Anybody can make keys and sign with them; neither that nor a player's keeps others out."""
    table = Table(3).join_all()
    strangers = [key_of(f"stranger {number}") for number in range(17)]
    words = [note(table, key, "ben", key) for key in strangers]
    assert [one.exit_code for one in table.apply(*words)] == [0] * 16 + [14]
    words = [note(table, key_of("ben"), "ben", key_of(f"new {number}")) for number in range(9)]
    assert [one.exit_code for one in table.apply(*words)] == [0] * 8 + [14]
    words = [note(table, REFEREE, "ana", key_of(f"new {number}")) for number in range(9)]
    assert [one.exit_code for one in table.apply(*words)] == [0] * 8 + [14]
    before = table.file
    words = [note(table, key_of("carl"), "ben", strangers[16])]
    words += [note(table, key_of("ana"), "ben", strangers[16])]
    words += [note(table, strangers[16], "ben", strangers[16])]
    assert [one.error for one in table.apply(*words)] == [None] * 3
    after = table.file
    assert {one.seat for one in after.transfers} == {"ana"}
    verify(after, chain.heads(after))
    assert compare(before, chain.heads(before), after, chain.heads(after)).relation == "newer"


def test_what_waits_at_the_end_waits_no_more() -> None:
    table = Table(2).join_all()
    table.apply(note(table, NEW))
    assert table.file.transfers
    assert not table.rush().file.transfers


def test_waiting_signatures_are_told_apart() -> None:
    table = Table(3).join_all()
    before, known = table.file, ledger_line(table.file)
    table.apply(note(table, NEW))
    after = table.file
    assert ledger_line(after) != known
    assert compare(before, chain.heads(before), after, chain.heads(after)).relation == "newer"


# What a referee might do about seats; `verify` finds each, and a player's machine stops.


def signed(file: GameFile) -> GameFile:
    file.head = chain.heads(file)[-1]
    return load(signed_text(file, REFEREE))


def gives_the_seat_away() -> GameFile:
    """With nothing but the new key's signature."""
    table = Table(3).join_all()
    session = Session.replay(table.file, opening.deal_secret(table.file, REFEREE))
    own = player.sign_transfer(table.file, "ana", NEW, NEW.public).armoured
    file = session.file
    words = Transfer(file.game, "ana", 1, file.head.hex(), NEW.public.hex)
    assert words.text in own
    session.accept("0.1.transfer.ana", "ana", transfer.play_of(NEW.public, ""), 1, words.sign(NEW))
    session.refresh()
    return signed(file)


def leaves_a_signature_out() -> GameFile:
    file = moved().file
    file.log[-1].then = ()
    return signed(file)


def puts_in_a_strangers_signature() -> GameFile:
    file = moved().file
    line = chain.read_line(file.log[-1].then[0])
    assert isinstance(line, chain.Agreed)
    file.log[-1].then = (line._replace(key=key_of("stranger").public).line,)
    return signed(file)


def adds_a_strangers_signature() -> GameFile:
    file = moved().file
    stranger, entry = key_of("stranger"), file.log[-1]
    note_ = transfer.note_of(
        file, "ana", NEW.public, "", entry.seen, chain.heads(file)[: file.step]
    )
    line = chain.Agreed(stranger.public, entry.seen, note_.sign(stranger)).line
    entry.then = tuple(sorted((*entry.then, line)))
    return signed(file)


def keeps_a_strangers_signature() -> GameFile:
    file = Table(3).join_all().file
    words = Transfer(file.game, "ana", 1, file.head.hex(), NEW.public.hex)
    stranger = key_of("stranger")
    by = [Consent(stranger.public, 1, words.sign(stranger))]
    file.transfers = [Proposal("ana", NEW.public, "", by)]
    return signed(file)


def gives_a_seat_to_who_has_it() -> GameFile:
    table = Table(3).join_all()
    session = Session.replay(table.file, opening.deal_secret(table.file, REFEREE))
    ana, file = key_of("ana"), table.file
    words = Transfer(file.game, "ana", 1, file.head.hex(), ana.public.hex)
    play = transfer.play_of(ana.public, "")
    session.accept("0.1.transfer.ana", "ana", play, 1, words.sign(ana))
    session.refresh()
    return signed(session.file)


def keeps_a_transfer_after_the_end() -> GameFile:
    table = Table(2).join_all()
    table.apply(note(table, NEW))
    waiting = table.file.transfers
    file = table.rush().file
    file.transfers = waiting
    return signed(file)


def holds_a_transfer_back() -> GameFile:
    """So that the old key plays on."""
    table = Table(3).join_all()
    table.apply(note(table, NEW))
    file, ana = table.file, key_of("ana")
    words = Transfer(file.game, "ana", 1, file.head.hex(), NEW.public.hex)
    file.transfers[0].consents.append(Consent(ana.public, 1, words.sign(ana)))
    table.text = signed_text(file, REFEREE)
    table.answer(file.asked_ids()[0])
    assert table.file.transfers
    return table.file


def makes_up_a_waiting_signature() -> GameFile:
    table = Table(3).join_all()
    file = table.file
    made_up = Consent(key_of("ana").public, 1, bytes(64))
    file.transfers = [Proposal("ana", NEW.public, "", [made_up])]
    return signed(file)


def counts_it_twice() -> GameFile:
    file = moved().file
    file.log[-1].decision = "0.2.transfer.ana"
    return signed(file)


def uses_signatures_again() -> GameFile:
    """The seat went from ana to another key and back; the first signatures are logged anew."""
    table = moved()
    first = table.file.log[-1]
    ana = key_of("ana")
    table.apply(note(table, NEW, new=ana), note(table, ana, new=ana))
    session = Session.replay(table.file, opening.deal_secret(table.file, REFEREE))
    session.accept("0.3.transfer.ana", "ana", first.play, first.seen, first.signature, first.then)
    session.refresh()
    return signed(session.file)


def gives_two_seats_to_one_key() -> GameFile:
    """As a file says it that was parsed before the seats were compared."""
    table = Table(3).join_all()
    session = Session.replay(table.file, opening.deal_secret(table.file, REFEREE))
    file, ana, ben = session.file, key_of("ana"), key_of("ben")
    words = Transfer(file.game, "ana", 1, file.head.hex(), ben.public.hex)
    agreed = chain.Agreed(ana.public, 1, words.sign(ana)).line
    play = transfer.play_of(ben.public, "")
    session.accept("0.1.transfer.ana", "ana", play, 1, words.sign(ben), [agreed])
    return file


def lets_the_old_key_play() -> GameFile:
    """It had seen the question, but did not answer it in time."""
    table = Table(3).join_all()
    asked, ana = table.file.asked_ids()[0], key_of("ana")
    move = Move(table.file.game, asked, 1, table.file.head.hex(), table.view("ana").suggest())
    table.apply(note(table, ana), note(table, NEW))
    session = Session.replay(table.file, opening.deal_secret(table.file, REFEREE))
    session.accept(asked, "ana", move.play, 1, move.sign(ana))
    session.refresh()
    return signed(session.file)


def lets_the_old_key_play_beside_a_bot() -> GameFile:
    """As if it had waited for the answer of a program, for which nothing waits."""
    table = Table(2, "b", bots={"ben": "greedy-1"}).join_all()
    table.play(lambda file: len(file.asked) == 2)
    return answers_for_two(table, "ana")


def answers_for_two(
    table: Table, seat: str, own: Mapping[str, tuple[str, bytes]] = MappingProxyType({})
) -> GameFile:
    """The old key answers after the seat has changed hands, and a bot for all others that have no
    answer of their own."""
    file, old = table.file, key_of(seat)
    (mine,) = [one for one in file.asked_ids() if one.endswith(f".{seat}")]
    opened = chain.asking_step(file, mine)
    head = chain.heads(file)[opened].hex()
    move = Move(file.game, mine, opened, head, table.view(seat).suggest())
    table.apply(note(table, old, seat), note(table, NEW, seat))
    session = Session.replay(table.file, opening.deal_secret(file, REFEREE))
    plays = {one: session.bot_play(one) for one in file.asked_ids() if one != mine}
    for one in file.asked_ids():
        if one == mine:
            session.accept(one, seat, move.play, opened, move.sign(old))
        else:
            play, signature = own.get(one, (plays[one], b""))
            session.accept(one, DecisionId.parse(one).seat, play, opened, signature)
    session.refresh()
    return signed(session.file)


def others_leave(table: Table, seat: str) -> None:
    for name in [one.name for one in table.file.seats if one.name != seat]:
        file, key = table.file, key_of(name)
        leave = Leave(file.game, name, file.step, file.head.hex(), "leave")
        (verdict,) = table.apply(leave.armoured(key.public, leave.sign(key)))
        assert verdict.error is None


def lets_the_old_key_play_beside_who_had_left() -> GameFile:
    table = batch_of_three()
    seat = table.file.asked[0].seat
    others_leave(table, seat)
    return answers_for_two(table, seat)


def lets_the_old_key_play_beside_who_answered_and_left() -> GameFile:
    """All that had been waited for was there before the seat changed hands."""
    table = batch_of_three()
    seat, *names = [one.seat for one in table.file.asked]
    first = next(one for one in table.file.asked_ids() if one.endswith(f".{names[0]}"))
    play = table.view(names[0]).suggest()
    move = Move(table.file.game, first, table.file.step, table.file.head.hex(), play)
    signature = move.sign(key_of(names[0]))
    others_leave(table, seat)
    return answers_for_two(table, seat, {first: (play, signature)})


def batch_of_three() -> Table:
    return Table(3, "batch").join_all().play(lambda file: len(file.asked) == 3)


def hand_over(session: Session, seat: str, seen: int, head: bytes) -> None:
    """The next entry hands a seat over, rightly signed by who has seen that step."""
    file = session.file
    words = Transfer(file.game, seat, seen, head.hex(), NEW.public.hex)
    agreed = chain.Agreed(key_of(seat).public, seen, words.sign(key_of(seat))).line
    one = file.seat(seat)
    assert one is not None
    one.take(NEW.public, "")
    play = transfer.play_of(NEW.public, "")
    session.accept(f"0.1.transfer.{seat}", seat, play, seen, words.sign(NEW), [agreed])


def moves_a_seat_after_the_end() -> GameFile:
    file = Table(2).join_all().rush().file
    session = Session.replay(file, opening.deal_secret(file, REFEREE))
    hand_over(session, "ana", file.step, file.head)
    session.refresh()
    return signed(session.file)


def moves_a_seat_within_a_batch() -> GameFile:
    table = Table(4, "batch").join_all().play(lambda file: len(file.asked) > 2)
    now = table.file
    session = Session.replay(table.file, opening.deal_secret(table.file, REFEREE))
    for id_ in now.asked_ids():
        name = DecisionId.parse(id_).seat
        move = Move(now.game, id_, now.step, now.head.hex(), table.view(name).suggest())
        if id_ == now.asked_ids()[-1]:
            hand_over(session, now.asked[0].seat, now.step, now.head)
        session.accept(id_, name, move.play, now.step, move.sign(key_of(name)))
    session.refresh()
    return signed(session.file)


def ends_the_game_again() -> GameFile:
    table = Table(2).join_all().rush()
    session = Session.replay(table.file, opening.deal_secret(table.file, REFEREE))
    session.abandon()
    session.refresh()
    return signed(session.file)


def seals_to_nobody() -> GameFile:
    table = Table(3).join_all()
    file = table.file
    words = Transfer(file.game, "ana", 1, file.head.hex(), NEW.public.hex)
    made_up = Consent(NEW.public, 1, words.sign(NEW))
    file.transfers = [Proposal("ana", NEW.public, "age1" + 58 * "q", [made_up])]
    return signed(file)


def names_another_key() -> GameFile:
    file = moved().file
    file.log[-1].play = transfer.play_of(key_of("stranger").public, "")
    return signed(file)


def names_no_key() -> GameFile:
    file = moved().file
    file.log[-1].play = "transfer"
    return signed(file)


@pytest.mark.parametrize(
    ("cheat", "error"),
    [
        (gives_the_seat_away, BadSignature),
        (leaves_a_signature_out, BadSignature),
        (puts_in_a_strangers_signature, BadSignature),
        (makes_up_a_waiting_signature, BadSignature),
        (holds_a_transfer_back, Damaged),
        (counts_it_twice, Damaged),
        (uses_signatures_again, Damaged),
        (gives_two_seats_to_one_key, Damaged),
        (names_another_key, BadSignature),
        (names_no_key, Damaged),
        (lets_the_old_key_play, Damaged),
        (lets_the_old_key_play_beside_a_bot, Damaged),
        (lets_the_old_key_play_beside_who_had_left, Damaged),
        (lets_the_old_key_play_beside_who_answered_and_left, Damaged),
        (moves_a_seat_after_the_end, Damaged),
        (moves_a_seat_within_a_batch, Damaged),
        (ends_the_game_again, Damaged),
        (seals_to_nobody, Damaged),
        (adds_a_strangers_signature, Damaged),
        (keeps_a_strangers_signature, Damaged),
        (gives_a_seat_to_who_has_it, Damaged),
        (keeps_a_transfer_after_the_end, Damaged),
    ],
)
def test_a_referee_who_cheats_with_seats(
    cheat: Callable[[], GameFile], error: type[GameError]
) -> None:
    with pytest.raises(error):
        verify(file := cheat(), chain.heads(file))


def test_an_answer_of_the_old_key_can_have_waited_until_the_others_left() -> None:
    table = batch_of_three()
    seat, ids = table.file.asked[0].seat, table.file.asked_ids()
    table.apply(table.note(ids[0], table.view(seat).suggest()))
    table.apply(note(table, key_of(seat), seat), note(table, NEW, seat))
    others_leave(table, seat)
    assert {ids[0]} < {entry.decision for entry in table.file.log}
    verify(table.file, chain.heads(table.file))
    audit(table.file, chain.heads(table.file), opening.deal_secret(table.file, REFEREE), REFEREE)


def test_the_old_key_plays_no_more_even_beside_others() -> None:
    """In a batch, whose other answers may have come later; the older file knows that it had not."""
    table = Table(4, "batch").join_all().play(lambda file: len(file.asked) > 2)
    file, batch = table.file, table.file.asked_ids()
    seat = DecisionId.parse(batch[0]).seat
    old = Move(file.game, batch[0], file.step, file.head.hex(), table.view(seat).suggest())
    table.apply(note(table, key_of(seat), seat), note(table, NEW, seat))
    before = table.file
    session = Session.replay(table.file, opening.deal_secret(table.file, REFEREE))
    for id_ in batch:
        name, now = DecisionId.parse(id_).seat, table.file
        if name == seat:
            session.accept(id_, name, old.play, file.step, old.sign(key_of(seat)))
        else:
            move = Move(now.game, id_, now.step, now.head.hex(), table.view(name).suggest())
            session.accept(id_, name, move.play, now.step, move.sign(key_of(name)))
    session.refresh()
    after = signed(session.file)
    verify(after, chain.heads(after))
    with pytest.raises(Fork, match="whose time was over"):
        compare(before, chain.heads(before), after, chain.heads(after))


def test_who_sits_there_by_a_bad_transfer_cannot_play() -> None:
    with pytest.raises(BadSignature):
        player.my_seat(gives_the_seat_away(), NEW.public)


def test_each_key_that_a_seat_ever_had_may_have_agreed_to_what_waits() -> None:
    """A file that takes this in can be read again, however often an agreeing seat changed hands."""
    table = Table(3).join_all()
    new, keys = key_of("new"), [key_of("ben"), *(key_of(f"ben {number}") for number in range(6))]
    for old, key in itertools.pairwise(keys):
        table.apply(player.sign_transfer(table.file, "ana", old, new.public).armoured)
        for signer in (old, key):
            table.apply(player.sign_transfer(table.file, "ben", signer, key.public).armoured)
    (waiting,) = load(table.text).transfers
    assert (waiting.seat, len(waiting.consents)) == ("ana", 6)
