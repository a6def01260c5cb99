"""Nobody makes a game file too large: what a seat can send has an end, and room."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from referee.checking.audit import audit
from referee.checking.verify import verify
from referee.crypto.keys import PrivateKey
from referee.errors import Damaged
from referee.games import rules_of
from referee.games.errors import Illegal
from referee.games.interface import View
from referee.notes.finding import find
from referee.notes.forms import A_TITLE
from referee.playing import player
from referee.refereeing import commit
from referee.refereeing.judging import Judge
from referee.storage import NotWritten
from referee.table import capacity, chain, opening, transfer
from referee.table.gamefile import MAX_FILE, Consent, GameFile
from referee.table.gamefile import Transfer as Proposal
from referee.table.replay import Session
from referee.table.signing import load as load_path
from referee.table.signing import signed_text
from referee.table.times import DAY, Clock
from tests.table.tables import NOON, REFEREE, Table, key_of, load
from tests.table.test_clock import vacation
from tests.table.walks import IDENTITY, Walk

BOT = Clock(3, "bot", 1, 28)


def hand_over(table: Table, seat: str, old: PrivateKey, new: PrivateKey, seal: str = "") -> int:
    """The exit code for a seat that goes from one key to another, or stays with another seal."""
    file = table.file
    keys = [old] if old.public == new.public else [old, new]
    notes = [player.sign_transfer(file, seat, key, new.public, seal).armoured for key in keys]
    return max(one.exit_code for one in table.apply(*notes))


def assert_over(table: Table) -> None:
    """The game can be ended as it stands, and that file can be read and checked."""
    session = Session.replay(table.file, opening.deal_secret(table.file, REFEREE))
    session.abandon()
    session.refresh()
    session.file.due = {}
    text = signed_text(session.file, REFEREE)
    assert len(text) < MAX_FILE
    audit(file := load(text), chain.heads(file))


def test_a_seat_does_not_go_to_and_fro_without_end() -> None:
    """Each of them costs nothing and stays in the file for ever."""
    table = Table(3, clock=BOT).join_all()
    pair = itertools.cycle([(key_of("ana"), key_of("new")), (key_of("new"), key_of("ana"))])
    for _ in range(capacity.MAX_TRANSFERS_PER_SEAT):
        assert hand_over(table, "ana", *next(pair)) == 0
    with pytest.raises(Illegal, match="as often as it can"):
        hand_over(table, "ana", *next(pair))
    assert hand_over(table, "ben", key_of("ben"), key_of("fay")) == 0
    verify(table.file, chain.heads(table.file))
    assert_over(table)


def test_nor_do_its_hands(monkeypatch: pytest.MonkeyPatch) -> None:
    """The notes are such as a program signs that does not count."""
    monkeypatch.setattr(player, "check_count", lambda file, seat: None)
    table, ana = Table(3, clock=BOT).join_all(), key_of("ana")
    codes = [
        hand_over(table, "ana", ana, ana, seal)
        for seal in (
            *(IDENTITY.recipient, "") * (capacity.MAX_TRANSFERS_PER_SEAT // 2),
            IDENTITY.recipient,
        )
    ]
    assert codes == [0] * capacity.MAX_TRANSFERS_PER_SEAT + [14]
    monkeypatch.setattr(transfer, "MAX_TRANSFERS_PER_SEAT", 99)
    assert hand_over(table, "ana", ana, ana, IDENTITY.recipient) == 0
    verify(table.file, chain.heads(table.file))
    monkeypatch.undo()
    with pytest.raises(Damaged, match="too often"):
        verify(table.file, chain.heads(table.file))


def test_who_changes_keys_does_not_sign_more() -> None:
    table = Table(3).join_all()
    keys = [key_of("ana"), key_of("new"), key_of("newer")]
    codes = []
    for number, (key, following) in enumerate(zip(keys, [*keys[1:], keys[0]], strict=True)):
        for other in range(4):
            new = key_of(f"other {number} {other}")
            note = player.sign_transfer(table.file, "ben", key, new.public).armoured
            codes.append(table.apply(note)[0].exit_code)
        assert hand_over(table, "ana", key, following) == 0
    assert codes == [0] * capacity.MAX_TRANSFERS_SIGNED + [14] * 4


def test_more_that_waits_than_can_wait_is_refused() -> None:
    file = Table(3).join_all().file
    most = capacity.MAX_TRANSFERS_BY_NEW_KEYS + 7 * capacity.MAX_TRANSFERS_SIGNED
    for count in range(most + 1):
        key = key_of(f"new {count}")
        note = transfer.note_of(file, "ana", key.public, "", 1, chain.heads(file))
        consent = Consent(key.public, 1, note.sign(key))
        file.transfers.append(Proposal("ana", key.public, "", [consent]))
    with pytest.raises(Damaged, match="more wait"):
        verify(file, chain.heads(file))
    file.transfers.pop()
    verify(file, chain.heads(file))


def pass_on(view: View) -> str:
    assert view.decision is not None
    return "pass" if view.decision.kind == "turn" else view.suggest()


@pytest.fixture(scope="module")
def endless() -> Table:
    """Both do nothing for as long as it goes, at a table that has agreed on that."""
    rules = rules_of("xanadu").choose(None, [], [], {"stall_guard": "off"})
    table = Table(2, rules=rules, clock=BOT).join_all()
    return table.rush(pass_on, until=3420)


def test_a_full_file_takes_nothing_in_but_can_be_ended(endless: Table) -> None:
    before = endless.file
    decision = before.asked_ids()[0]
    assert capacity.MAX_SIZE_FOR_ANSWERS < before.size < MAX_FILE
    verdict = endless.apply(endless.note(decision, "pass"))[0]
    assert (verdict.exit_code, verdict.word) == (14, "full")
    endless.now = NOON + 10 * DAY
    with pytest.raises(capacity.Full):
        endless.expire()
    assert endless.file.head == before.head
    assert_over(endless)


@pytest.mark.parametrize("size", [capacity.MAX_SIZE_FOR_NOTES, capacity.MAX_SIZE_FOR_NOTES + 1])
def test_notes_that_are_no_answers_leave_room_for_answers(size: int) -> None:
    table = Table(2, clock=BOT).join_all()
    file, ana = table.file, key_of("ana")
    session = Session.replay(file, opening.deal_secret(file, REFEREE))
    file.size = size
    judge = Judge(session, REFEREE, NOON)
    notes = [
        vacation(table, "ana", "2026-03-05", "2026-03-05"),
        player.sign_transfer(file, "ben", ana, key_of("new").public).armoured,
        table.note(file.asked_ids()[0], table.view(file.seating[0]).suggest()),
    ]
    found = [("note", one) for note in notes for one in find(note)]
    codes = [one.exit_code for one in judge.apply(found)]
    assert codes == ([0, 0, 0] if size == capacity.MAX_SIZE_FOR_NOTES else [14, 14, 0])


def test_no_apply_of_a_game_adds_more_than_there_is_room_for() -> None:
    texts = Walk("room", 6, rules_of("xanadu").choose(None, [], [], {}), BOT).go(200).table.texts
    growth = [len(two) - len(one) for one, two in itertools.pairwise(texts)]
    assert max(growth) * 2 < MAX_FILE - capacity.MAX_SIZE_FOR_ANSWERS


def test_a_new_table_leaves_room_for_the_game(tmp_path: Path) -> None:
    rules = rules_of("sanjuan").choose(None, [], [], {})
    seats = [("ana", None), ("ben", None)]
    backups = [key_of(f"backup {number}").public.text for number in range(120)]
    file = opening.open_table(rules, "A test", seats, REFEREE, backups=backups)
    with pytest.raises(capacity.Full, match="before anybody has joined"):
        commit.create_table(tmp_path / "game.toml", file, REFEREE, tmp_path / "ledger")
    assert not list(tmp_path.iterdir())


def test_every_title_can_be_read_again(tmp_path: Path) -> None:
    rules = rules_of("sanjuan").choose(None, [], [], {})
    for sign in (".", '"', "\\", "é", "'", "🎲"):
        path = tmp_path / f"{ord(sign)}.toml"
        title = sign * A_TITLE.most
        file = opening.open_table(rules, title, [("ana", None), ("ben", None)], REFEREE)
        commit.create_table(path, file, REFEREE, tmp_path / f"{ord(sign)}.ledger")
        assert load_path(path)[0].title == title


def test_what_nobody_could_read_again_is_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever it is that makes it so."""
    path, ledger = tmp_path / "game.toml", tmp_path / "ledger"
    file = Table(2).file
    commit.create_table(path, file, REFEREE, ledger)
    before = path.read_bytes()
    join = opening.sign_join(file, "ana", key_of("ana")).armoured

    def too_long(file: GameFile, text: str, known: int) -> None:
        raise Damaged("a line is too long")

    monkeypatch.setattr(commit, "check_readable", too_long)
    with commit.open_game(path, REFEREE, ledger=ledger) as desk:
        found = [("note", one) for one in find(join)]
        with pytest.raises(NotWritten, match="nothing was applied"):
            commit.apply_notes(desk, found, NOON)
    assert path.read_bytes() == before
    monkeypatch.undo()
    with commit.open_game(path, REFEREE, ledger=ledger) as desk:
        assert commit.apply_notes(desk, found, NOON)[0].error is None
