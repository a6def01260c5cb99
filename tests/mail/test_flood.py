"""Nobody's mail brings a flood upon a player, or uses up the answers that are hers."""

from __future__ import annotations

from typing import Any

import pytest

from referee.crypto import sealing
from referee.crypto.sealing import seal_note
from referee.mail import mailer
from referee.mail.incoming import MAX_BLOCKS
from referee.notes.kinds import Move
from referee.refereeing import commit
from referee.table import chain
from referee.table.gamefile import GameFile
from referee.table.provenance import move_of
from tests.cli.world import KEYS
from tests.mail.conftest import Open
from tests.mail.office import Office
from tests.table.tables import REFEREE, Table

TEN = 10
"""So many answers a day THREATS.md promises at most."""


def public_notes(file: GameFile, seat: str) -> list[str]:
    """The answers of a seat in the log, as `log --note` gives them to everybody."""
    heads = chain.heads(file)
    public = KEYS[seat].public
    return [
        move_of(file, entry, heads).armoured(public, entry.signature)
        for entry in file.log
        if entry.by == seat
    ]


def sent(at: Office, *notes: str) -> int:
    """Count the emails that come of emails in ana's name with these notes, each sealed anew."""
    before = len(at.kinds())
    for note in notes:
        assert at.take(at.mail("ana", seal_note(note, REFEREE.public)), "--answers-only").code == 0
    return len(at.kinds()) - before


def test_what_everybody_can_read_brings_no_flood(office: Open) -> None:
    at = office("selling")
    notes = public_notes(at.file, "ana")
    assert len(notes) > 4
    # Of what was never confirmed the newest may be hers; all others are as anybody's.
    assert sent(at, *(notes * 5)[: TEN + 12]) == TEN + 1
    assert sent(at, notes[-1], notes[0]) == 0


def test_of_many_blocks_a_few_are_opened_and_before_the_game_is_locked(
    office: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = office("dealt")
    calls: list[str] = []
    unseal, lock = sealing.unseal, commit.open_game

    def opening(block: str, key: Any) -> str:
        calls.append("unseal")
        return unseal(block, key)

    def locking(*given: Any, **named: Any) -> Any:
        calls.append("lock")
        return lock(*given, **named)

    monkeypatch.setattr(sealing, "unseal", opening)
    monkeypatch.setattr(commit, "open_game", locking)
    note = at.note("ana", "role builder")
    blocks = [seal_note(f"Hello {number}\n", REFEREE.public) for number in range(MAX_BLOCKS + 20)]
    at.take(at.mail("ana", "\n".join([seal_note(note, REFEREE.public), *blocks])), "--answers-only")
    assert calls == ["unseal"] * MAX_BLOCKS + ["lock"]
    (text,) = at.texts("ana answer")
    assert f"over {MAX_BLOCKS} sealed notes" in " ".join(text.split())
    assert at.file.step == 2


def test_forged_mails_do_not_use_up_what_is_for_signed_notes(office: Open) -> None:
    at = office("dealt")
    for _ in range(TEN + 2):
        at.take(at.mail("ana", "sanjuan-ref/1 move\n-----END SSH SIGNATURE-----\n"))
    assert at.kinds() == ["ana refusal"] * TEN
    # Her own mistake she is told of, and the next one; each of them once.
    illegal = [at.note("ana", play) for play in ("pass", "role mayor")]
    assert sent(at, illegal[0]) == 1
    assert sent(at, illegal[1]) == 1
    assert sent(at, *illegal * 3) == 0
    assert "illegal" in "".join(at.texts("ana refusal"))
    assert sent(at, at.note("ana", "role builder")) == 1


def test_signed_notes_are_answered_a_hundred_times_a_day(
    office: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only who holds the key of a seat can come so far; a note that is good is always confirmed."""
    assert mailer.SIGNED_A_DAY == 100
    monkeypatch.setattr(mailer, "SIGNED_A_DAY", 2)
    monkeypatch.setattr(mailer, "FRUITLESS_A_DAY", 0)
    at = office("dealt")
    assert sent(at, *(at.note("ana", f"role x{number}") for number in range(4))) == 2
    assert sent(at, at.note("ana", "role builder")) == 1


def test_notes_of_another_game_are_as_anybodys(office: Open) -> None:
    at = office("dealt")
    table = Table(2, "another").join_all()
    heads = chain.heads(table.file)
    notes = []
    for number in range(TEN + 5):
        move = Move(table.file.game, "1.1.role.ana", 1, heads[1].hex(), f"role x{number}")
        notes.append(move.armoured(KEYS["ana"].public, move.sign(KEYS["ana"])))
    assert sent(at, *notes) == TEN


def test_a_key_that_was_replaced_signs_for_nobody(office: Open) -> None:
    from referee.playing import player
    from tests.table.tables import key_of

    at = office("building")
    pair = (KEYS["ana"], key_of("eve"))
    moved = [player.sign_transfer(at.file, "ana", key, pair[1].public).armoured for key in pair]
    assert at.take(at.mail("ana", "\n\n".join(moved)), "--answers-only").code == 0
    old = [at.file.head.hex()]
    notes = []
    for number in range(TEN + 5):
        move = Move(at.file.game, "1.1.build.ana", at.file.step, old[0], f"build x{number}")
        notes.append(move.armoured(KEYS["ana"].public, move.sign(KEYS["ana"])))
    assert sent(at, *notes) == TEN
