"""Notes are judged one by one: what they mean never depends on the order in which mail arrives."""

from __future__ import annotations

import itertools
import random

import pytest

from referee.checking.audit import audit
from referee.checking.verify import verify
from referee.crypto.keys import PrivateKey
from referee.crypto.sealing import seal_note
from referee.errors import BadSignature, Damaged, NoKey, NotYours, Stale
from referee.games import rules_of
from referee.games.errors import Illegal, NotUnderstood
from referee.notes.finding import find
from referee.notes.kinds import Join, Move, Transfer, Vote
from referee.playing import player
from referee.refereeing import judging
from referee.refereeing.judging import Judge
from referee.table import opening, views
from referee.table.chain import heads
from referee.table.decisions import DecisionId
from referee.table.gamefile import file_document
from referee.table.joins import join_of
from referee.table.replay import Session
from referee.table.signing import signed_text
from tests.table.tables import REFEREE, Table, key_of, load


def words(table: Table, *notes: str) -> list[str]:
    """Return what becomes of the notes, in words for programs."""
    return [one.error.reason if one.error else "ok" for one in table.apply(*notes)]


def signed(note: Join | Move, key: PrivateKey) -> str:
    return note.armoured(key.public, note.sign(key))


def batch_table() -> tuple[Table, list[str]]:
    """A table at a question to three or more seats, and an answer from each."""
    table = Table(4, seed="batch").join_all().rush(until=30)
    table.play(lambda file: len(file.asked) > 2 and not file.pending)
    notes = [
        table.note(one, table.view(DecisionId.parse(one).seat).suggest()) for one in ids(table)
    ]
    return table, notes


def ids(table: Table) -> list[str]:
    return table.file.asked_ids()


def meaning(table: Table) -> object:
    """All of the file but what is sealed anew each time."""
    body = file_document(table.file)
    return {key: value for key, value in body.items() if key not in ("hands", "referee", "pending")}


def test_joins_in_any_order_deal_the_same_cards() -> None:
    results = []
    for order in itertools.permutations(range(3)):
        table = Table(3)
        file = table.file
        joins = [
            opening.sign_join(file, seat.name, key_of(seat.name)).armoured for seat in file.seats
        ]
        for index in order:
            assert words(table, joins[index]) == ["ok"]
        results.append(meaning(table))
    assert all(result == results[0] for result in results)


def test_joining_twice_is_the_same_note() -> None:
    table = Table(2)
    one = opening.sign_join(table.file, "ana", key_of("ana")).armoured
    assert one == opening.sign_join(table.file, "ana", key_of("ana")).armoured
    assert words(table, one) == ["ok"]
    assert words(table, one) == ["already-applied"]


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
def test_parallel_answers_in_any_order_and_grouping(order: tuple[int, ...]) -> None:
    table, notes = batch_table()
    assert words(table, *notes) == ["ok"] * len(notes)
    other, _ = batch_table()
    indices = [*order, *range(3, len(notes))]
    for at, index in enumerate(indices):
        assert words(other, notes[index]) == ["ok"]
        if at < len(indices) - 1:
            assert other.file.step == load(other.texts[0]).step or len(other.file.pending) == at + 1
    assert meaning(other) == meaning(table)


def test_nothing_of_a_batch_is_public_before_its_last_answer() -> None:
    table, notes = batch_table()
    before = table.file
    words(table, *notes[:-1])
    after = table.file
    assert (after.head, after.table, after.asked) == (before.head, before.table, before.asked)
    assert {one.decision for one in after.pending} == set(ids(table)[:-1])
    sizes = {len(one.sealed) // 1400 for one in after.pending}
    assert len(sizes) == 1


def test_many_notes_at_once_in_a_wrong_order() -> None:
    """A whole stretch of the game from one mailbox: everything that can apply does."""
    table = Table(3, seed="mail").join_all()
    notes: list[str] = []
    copy = Table(3, seed="mail").join_all()
    while copy.file.step < 12:
        copy.play(lambda file, step=copy.file.step: file.step > step)  # type: ignore[misc]
    notes = copy.notes[3:]
    random.Random(4).shuffle(notes)
    assert words(table, *notes) == ["ok"] * len(notes)
    assert meaning(table) == meaning(copy)


def test_first_answer_stands() -> None:
    table, notes = batch_table()
    decision = ids(table)[0]
    seat = DecisionId.parse(decision).seat
    plays = table.view(seat).plays(500) or []
    used = table.view(seat).suggest()
    other = table.note(decision, next(play for play in plays if play != used))
    assert words(table, notes[0]) == ["ok"]
    assert words(table, notes[0], other) == ["already-applied", "answered-otherwise"]
    assert words(table, *notes[1:]) == ["ok"] * (len(notes) - 1)
    assert words(table, notes[0], other) == ["already-applied", "answered-otherwise"]
    # The same play over another head it may have seen is the same answer.
    again = Move(table.file.game, decision, 0, "0" * 64, used)
    assert words(table, signed(again, key_of(seat))) == ["already-applied"]


def test_a_forged_note_learns_nothing_about_a_waiting_answer() -> None:
    table, notes = batch_table()
    words(table, notes[0])
    decision = ids(table)[0]
    seat = DecisionId.parse(decision).seat
    file = table.file
    for play in (table.view(seat).suggest(), "pass"):
        forged = Move(file.game, decision, file.step, file.head.hex(), play)
        assert words(table, signed(forged, key_of("mallory"))) == ["bad-signature"]


def test_refusals_of_moves() -> None:
    table = Table(3, seed="no").join_all()
    file = table.file
    (decision,) = file.asked_ids()
    seat = DecisionId.parse(decision).seat
    key, head = key_of(seat), file.head.hex()
    play = "role trader"

    def note(**change: object) -> Move:
        fields = {"game": file.game, "turn": decision, "step": 1, "head": head, "play": play}
        return Move(**{**fields, **change})  # type: ignore[arg-type]

    other = next(one.name for one in file.seats if one.name != seat)
    wrong_space = note()
    wrong = wrong_space.armoured(key.public, Join.sign(wrong_space, key))
    join_space = Join(file.game, seat, head, key.public.hex, "0" * 64)
    cases = {
        "other game": (signed(note(game="0" * 16), key), "other-game"),
        "no such seat": (signed(note(turn="1.1.role.zoe"), key), "not-yours"),
        "another seat's key": (signed(note(), key_of(other)), "not-yours"),
        "a stranger's key": (signed(note(), key_of("mallory")), "bad-signature"),
        "not open yet": (signed(note(turn=f"9.1.role.{seat}"), key), "not-open"),
        "seen too early": (signed(note(step=0, head=heads(file)[0].hex()), key), "seen-too-early"),
        "seen ahead": (signed(note(step=2), key), "ahead"),
        "another head": (signed(note(head="ab" * 32), key), "fork"),
        "not understood": (signed(note(play="dance"), key), "not-understood"),
        "not canonical": (signed(note(play="role trader trader"), key), "not-understood"),
        "illegal": (signed(note(play="role trader no-library"), key), "illegal"),
        "tampered": (wrong.replace("trader", "builder"), "bad-signature"),
        "a join of that seat": (signed(join_space, key), "fork"),
        "garbage": ("sanjuan-ref/1 move\ngame nothing\n", "not-understood"),
        "sealed to somebody else": (
            seal_note(signed(note(), key), key.public),
            "not-sealed-to-you",
        ),
    }
    before = table.text
    got = {name: words(table, text)[0] for name, (text, _) in cases.items()}
    assert got == {name: reason for name, (_, reason) in cases.items()}
    assert table.text == before
    assert words(table, seal_note(signed(note(), key), REFEREE.public)) == ["ok"]


def test_a_signature_from_another_namespace() -> None:
    from referee.crypto import sshsig

    table = Table(2).join_all()
    file = table.file
    (decision,) = file.asked_ids()
    key = key_of(DecisionId.parse(decision).seat)
    move = Move(file.game, decision, 1, file.head.hex(), "role trader")
    for namespace in (sshsig.JOIN, sshsig.STATE, sshsig.SALT, "file"):
        raw = sshsig.sign(key, namespace, move.text.encode())
        text = move.text + sshsig.armour(key.public, namespace, raw)
        assert words(table, text)[0] in ("bad-signature", "not-understood")


def test_refusals_of_joins() -> None:
    table = Table(3)
    file = table.file
    head = file.head.hex()

    def join(name: str = "ana", key: str = "ana", salt: str = "0" * 64, **more: str) -> str:
        own = key_of(key)
        note = Join(more.get("game", file.game), name, more.get("head", head), own.public.hex, salt)
        return signed(note, key_of(more.get("signer", key)))

    small = join().replace(key_of("ana").public.hex, "01" + "0" * 62)
    assert words(table, join("zoe")) == ["not-yours"]
    assert words(table, join(game="0" * 16)) == ["other-game"]
    assert words(table, join(head="0" * 64)) == ["fork"]
    assert words(table, join(signer="ben")) == ["bad-signature"]
    assert words(table, small) == ["bad-key"]
    assert words(table, join()) == ["ok"]
    assert words(table, join(salt="1" * 64)) == ["seat-taken"]
    assert words(table, join(key="ben")) == ["seat-taken"]
    assert words(table, join("ben", key="ana")) == ["bad-signature"]


def open_table(**more: object) -> Table:
    table = Table(2)
    rules = rules_of("sanjuan").choose(None, [], [], {})
    seats = [("ana", key_of("ana").public), ("ben", None)]
    file = opening.open_table(rules, "more", seats, REFEREE, **more)  # type: ignore[arg-type]
    table.text = signed_text(file, REFEREE)
    return table


def test_a_reserved_seat_is_for_its_key() -> None:
    table = open_table()
    file = table.file
    with pytest.raises(NotYours):
        opening.sign_join(file, "ana", key_of("ben"))
    note = Join(file.game, "ana", file.head.hex(), key_of("zoe").public.hex, "0" * 64)
    assert words(table, signed(note, key_of("zoe"))) == ["not-yours"]
    assert words(table, opening.sign_join(file, "ana", key_of("ana")).armoured) == ["ok"]


def test_a_referee_who_plays_is_bound_first() -> None:
    table = open_table(me=("ana", key_of("ana")))
    file = table.file
    seat = file.seat("ana")
    assert seat is not None
    assert seat.joined
    other = Join(file.game, "ana", file.head.hex(), key_of("ana").public.hex, "0" * 64)
    assert words(table, signed(other, key_of("ana"))) == ["other-salt"]
    assert words(table, opening.sign_join(file, "ana", key_of("ana")).armoured) == [
        "already-applied"
    ]
    assert words(table, opening.sign_join(file, "ben", key_of("ben")).armoured) == ["ok"]
    done = table.rush().file
    assert audit(done, heads(done))


def test_the_referee_does_not_sit_down_late_with_its_own_key() -> None:
    """With the salts of all others known it could choose among deals."""
    table = Table(2)
    file = table.file
    assert words(table, opening.sign_join(file, "ben", key_of("ben")).armoured) == ["ok"]
    with pytest.raises(BadSignature):
        opening.sign_join(file, "ana", REFEREE)
    note = Join(file.game, "ana", file.head.hex(), REFEREE.public.hex, "0" * 64)
    assert words(table, signed(note, REFEREE)) == ["bad-signature"]
    seat = file.seat("ana")
    assert seat is not None
    seat.key, seat.salt = REFEREE.public, bytes(32)
    seat.signature = join_of(file, seat).sign(REFEREE)
    with pytest.raises(Damaged):
        load(signed_text(file, REFEREE))


def test_a_host_cannot_fix_what_a_player_adds_to_the_shuffle() -> None:
    """With all salts known beforehand the host could choose among deals."""
    table = open_table(me=("ana", key_of("ana")))
    file = table.file
    seat = file.seat("ana")
    assert seat is not None
    seat.salt = bytes(32)
    with pytest.raises(BadSignature):
        opening.sign_join(file, "ana", key_of("ana"))
    seat.signature = b""
    with pytest.raises(Damaged):
        load(signed_text(file, REFEREE))


def test_backups_open_the_deal_secret() -> None:
    table = open_table(backups=[key_of("backup").public.text])
    file = table.file
    secret = opening.deal_secret(file, REFEREE)
    assert opening.deal_secret(file, key_of("backup")) == secret
    with pytest.raises(NoKey):
        opening.deal_secret(file, key_of("ana"))


def test_whoever_has_a_backup_of_the_deal_secret_does_not_play() -> None:
    """They see every card; a referee who plays does so anyway."""
    ana, backup = key_of("ana"), key_of("backup")
    with pytest.raises(Illegal, match="the key of ana would open the deal secret"):
        open_table(backups=[ana.public.text])
    assert open_table(backups=[ana.public.text], me=("ana", ana)).file.seats[0].joined
    file = (table := open_table(backups=[backup.public.text])).file
    note = Join(file.game, "ben", file.head.hex(), backup.public.hex, "0" * 64)
    (verdict,) = table.apply(signed(note, backup))
    assert str(verdict.error).startswith("the deal secret is sealed to this key")
    with pytest.raises(BadSignature, match="the deal secret is sealed to this key"):
        opening.sign_join(file, "ben", backup)
    file = table.join_all().file
    with pytest.raises(BadSignature, match="the deal secret is sealed to this key"):
        player.check_transfer(file, "ben", backup.public)
    give = Transfer(file.game, "ben", file.step, file.head.hex(), backup.public.hex)
    for signer in (key_of("ben"), backup):
        (verdict,) = table.apply(give.armoured(signer.public, give.sign(signer)))
        assert str(verdict.error).startswith("the deal secret is sealed to this key")


def test_the_seat_of_a_referee_who_plays_does_not_go_to_a_backup() -> None:
    """Whoever has it next has not said to see every card, but for the key that joined it."""
    ana = key_of("ana")
    backups = [ana.public.text, key_of("backup").public.text]
    table = open_table(backups=backups, me=("ana", ana)).join_all()
    for new in (key_of("clean"), ana):
        for key in (ana, key_of("clean")):
            table.apply(player.sign_transfer(table.file, "ana", key, new.public).armoured)
        assert player.my_seat(table.file, new.public).name == "ana"
    with pytest.raises(BadSignature, match="the deal secret is sealed to this key"):
        player.check_transfer(table.file, "ana", key_of("backup").public)
    verify(table.file, heads(table.file))


def test_verify_finds_a_player_who_has_a_backup(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        for module in (opening, judging):
            patch.setattr(module, "is_backup", lambda file, seat, key: False)
        table = open_table(backups=[key_of("ben").public.text]).join_all()
    for keys in ((), (key_of("ben"), key_of("clean"))):
        for key in keys:
            give = player.sign_transfer(table.file, "ben", key, key_of("clean").public)
            table.apply(give.armoured)
        with pytest.raises(Damaged, match="the deal secret is sealed to a key of ben"):
            verify(table.file, heads(table.file))
    assert player.my_seat(table.file, key_of("clean").public).name == "ben"


def test_a_transfer_after_the_end_by_votes_waits_for_nobody() -> None:
    """An answer waited, and goes on waiting."""
    table = Table(3, "hang").join_all().play(lambda file: len(file.asked) == 3)
    table.answer(table.file.asked_ids()[0])
    file = table.file
    seen = file.step, file.head.hex()
    votes = [Vote(file.game, name, *seen, "end") for name in ("ana", "ben", "carl")]
    texts = [
        vote.armoured(key_of(vote.seat).public, vote.sign(key_of(vote.seat))) for vote in votes
    ]
    give = Transfer(file.game, "ana", *seen, key_of("new").public.hex)
    texts.append(give.armoured(key_of("new").public, give.sign(key_of("new"))))
    assert words(table, *texts) == ["ok", "ok", "ok", "game-over"]
    assert table.file.status == "abandoned"


def test_shuffled_seats_are_proven() -> None:
    orders = set()
    for seed in "abcdefgh":
        file = Table(3, seed=seed, shuffle_seats=True).join_all().file
        assert [line.split(" ")[4] for line in file.log[0].then[2:5]] == file.seating
        verify(file, heads(file))
        orders.add(tuple(file.seating))
    assert len(orders) > 2


def test_abandoned_games_are_audited() -> None:
    table = Table(2, seed="gone").join_all().rush(until=15)
    file = table.file
    session = Session.replay(file, opening.deal_secret(file, REFEREE))
    session.abandon()
    session.refresh()
    table.text = signed_text(session.file, REFEREE)
    done = table.file
    assert done.status == "abandoned"
    assert audit(done, heads(done))
    note = Move(done.game, "9.1.role.ana", 1, "0" * 64, "role trader")
    assert words(table, signed(note, key_of("ana"))) == ["game-over"]


def test_audit_waits_for_the_secret() -> None:
    file = Table(2).join_all().file
    with pytest.raises(Stale):
        audit(file, heads(file))
    assert audit(file, heads(file), opening.deal_secret(file, REFEREE))


@pytest.mark.parametrize(
    ("seats", "wrong"),
    [
        (["ana"], Illegal),
        (["ana", "ben", "carl", "dora", "emil"], Illegal),
        (["ana", "ana"], Illegal),
        (["ana", "Ben"], NotUnderstood),
        (["ana", "referee"], NotUnderstood),
        (["ana", "a" * 17], NotUnderstood),
        (["ana", "-b"], NotUnderstood),
        (["ana", "b-"], NotUnderstood),
        (["ana", "b--c"], NotUnderstood),
    ],
)
def test_tables_that_cannot_be_opened(seats: list[str], wrong: type[Exception]) -> None:
    rules = rules_of("sanjuan").choose(None, [], [], {})
    with pytest.raises(wrong):
        opening.open_table(rules, "", [(name, None) for name in seats], REFEREE)


def test_another_hand_block_as_ones_own() -> None:
    table = Table(2).join_all()
    file = table.file
    file.hands["ana"], file.hands["ben"] = file.hands["ben"], file.hands["ana"]
    for name in ("ana", "ben"):
        seat = file.seat(name)
        assert seat is not None
        with pytest.raises(NoKey):
            views.open_hand(file, seat, key_of(name))
        other = key_of("ben" if name == "ana" else "ana")
        with pytest.raises(Damaged):
            views.open_hand(file, seat, other)


def test_a_stranger_has_no_seat() -> None:
    with pytest.raises(NotYours):
        player.my_seat(Table(2).join_all().file, key_of("mallory").public)
    file = Table(2).join_all().file
    file.referee = key_of("mallory").public
    with pytest.raises(BadSignature):
        player.my_seat(file, key_of("ana").public)


def test_the_heads_go_on_with_the_game() -> None:
    """Notes are judged by them, and they are worked out once."""
    table = Table().join_all()
    session = Session.replay(table.file, opening.deal_secret(table.file, REFEREE))
    assert session.heads == heads(session.file)
    decision = session.asked()[0]
    note = table.note(decision.id, table.view(decision.seat).suggest())
    (verdict,) = Judge(session, REFEREE, table.now).apply([("note", one) for one in find(note)])
    assert verdict.error is None
    assert session.heads == heads(session.file)
    assert len(session.heads) > 2
