"""An answer that waits can be changed by one with a higher number, in whatever order they come."""

from __future__ import annotations

import copy
import functools
import itertools
from pathlib import Path

import pytest

from referee.checking.audit import audit
from referee.checking.compare import NEWER, OLDER, compare
from referee.checking.verify import verify
from referee.crypto import sealing
from referee.crypto.keys import PrivateKey
from referee.errors import Fork, Stale
from referee.notes.kinds import Move
from referee.playing import player
from referee.refereeing.ledger import Ledger
from referee.table import chain
from referee.table.decisions import DecisionId
from referee.table.gamefile import GameFile
from tests.refereeing.test_apply import batch_table, ids, signed, words
from tests.table.tables import Table, key_of

BATCH = functools.cache(batch_table)


def fork(table: Table) -> Table:
    """The same table once more, for another course of things."""
    other = copy.copy(table)
    other.texts, other.notes = list(table.texts), list(table.notes)
    return other


def asked() -> tuple[Table, str, list[str], list[str]]:
    """A table at a question to several seats: the first of them, plays for it, others' notes."""
    table, notes = BATCH()
    table = fork(table)
    decision = ids(table)[0]
    plays = table.view(DecisionId.parse(decision).seat).plays(500) or []
    assert len(plays) > 2
    return table, decision, plays, notes[1:]


def logged(table: Table, decision: str) -> tuple[str, int]:
    """The play that took effect, and its number."""
    entry = next(one for one in table.file.log if one.decision == decision)
    return entry.play, chain.number_of(entry)


def relation(old: GameFile, new: GameFile) -> str:
    return compare(old, chain.heads(old), new, chain.heads(new)).relation


def test_the_highest_number_counts_until_the_last_of_the_batch_is_in() -> None:
    table, decision, plays, others = asked()
    notes = [table.note(decision, play, number) for number, play in enumerate(plays[:3], 1)]
    assert table.apply(notes[0])[0].word.startswith("accepted; waiting for")
    one = table.file
    word = table.apply(notes[2])[0].word
    assert word.startswith("accepted in place of answer 1; waiting for")
    three = table.file
    assert [(row.decision, row.number) for row in three.pending] == [(decision, 3)]
    assert words(table, notes[1]) == ["answered-otherwise"]
    assert words(table, notes[2]) == ["already-applied"]
    assert (relation(one, three), relation(three, one)) == (NEWER, OLDER)
    assert (one.step, one.head, one.asked) == (three.step, three.head, three.asked)
    assert words(table, *others) == ["ok"] * len(others)
    assert logged(table, decision) == (plays[2], 3)
    assert next(e for e in table.file.log if e.decision == decision).then[0] == "answer 3"
    # An answer that took effect stands, whatever number comes.
    assert words(table, table.note(decision, plays[0], 4)) == ["answered-otherwise"]
    assert words(table, table.note(decision, plays[2], 4)) == ["already-applied"]
    assert words(table, *notes) == ["answered-otherwise"] * 2 + ["already-applied"]
    for file in (one, three):
        assert relation(file, table.file) == NEWER
    verify(table.file, chain.heads(table.file))
    table.rush()
    assert audit(table.file, chain.heads(table.file))


def test_the_same_play_raises_the_number() -> None:
    table, decision, plays, _ = asked()
    assert words(table, table.note(decision, plays[0])) == ["ok"]
    assert words(table, table.note(decision, plays[0], 2)) == ["ok"]
    assert table.file.pending[0].number == 2
    # A lower one is refused in the same words whatever it says: it is sealed.
    told = [table.apply(table.note(decision, play))[0].error for play in plays[:2]]
    assert {str(error) for error in told} == {f"{decision}: answer 2 has taken its place"}


def test_of_two_answers_with_one_number_the_first_stands() -> None:
    table, decision, plays, _ = asked()
    first, second = (table.note(decision, play, 2) for play in plays[:2])
    assert words(table, first, second) == ["ok", "answered-otherwise"]
    (verdict,) = table.apply(second)
    assert verdict.error is not None
    assert "made from the same file" in verdict.error.message
    assert "runs `sanjuan-ref move` again" in verdict.error.hint
    assert words(table, first) == ["already-applied"]


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_in_one_apply_the_highest_is_judged_first(order: tuple[int, ...]) -> None:
    """The answer that closes the batch may lie before, between or behind them."""
    table, decision, plays, others = asked()
    assert words(table, *others[:-1]) == ["ok"] * (len(others) - 1)
    notes = [table.note(decision, play, number) for number, play in enumerate(plays[:2], 1)]
    notes.append(others[-1])
    said = words(table, *[notes[index] for index in order])
    right = ["answered-otherwise", "ok", "ok"]
    assert said == [right[index] for index in order]
    assert logged(table, decision) == (plays[1], 2)


def test_a_lower_one_counts_where_the_highest_is_refused() -> None:
    table, decision, plays, others = asked()
    assert words(table, *others) == ["ok"] * len(others)
    bad = table.note(decision, "dance", 3)
    forged = Move(table.file.game, decision, table.file.step, table.file.head.hex(), plays[0], 8)
    notes = [
        table.note(decision, plays[0]),
        table.note(decision, plays[1], 2),
        bad,
        signed(forged, key_of("mallory")),
    ]
    assert words(table, *notes) == ["answered-otherwise", "ok", "not-understood", "bad-signature"]
    assert logged(table, decision) == (plays[1], 2)


def test_answers_to_a_question_that_opens_on_the_way() -> None:
    """In one mailbox lie the last answer of a batch, and two to the question that follows."""
    table, notes = BATCH()
    ahead = fork(table)
    ahead.apply(*notes)
    following = ahead.file.asked_ids()[0]
    plays = list(ahead.view(DecisionId.parse(following).seat).plays(99) or [])[:2]
    later = [ahead.note(following, play, number) for number, play in enumerate(plays, 1)]
    for mailbox in ([*later, *notes], [*notes, *later], [later[0], *notes, later[1]]):
        again = fork(table)
        said = words(again, *mailbox)
        assert said[mailbox.index(later[0])] == "answered-otherwise"
        assert said.count("ok") == len(mailbox) - 1
        if len(ahead.file.asked) == 1:
            assert logged(again, following) == (plays[1], 2)
        else:
            assert again.file.pending[0].number == 2


def test_a_number_over_one_needs_none_before_it() -> None:
    """Whoever has written two notes and sends the second alone."""
    table = Table(2, "alone").join_all()
    (decision,) = table.file.asked_ids()
    play = table.view(DecisionId.parse(decision).seat).suggest()
    assert words(table, table.note(decision, play, 2)) == ["ok"]
    assert logged(table, decision) == (play, 2)
    entry = table.file.log[-1]
    assert entry.then[0] == "answer 2"
    assert words(table, table.note(decision, play)) == ["answered-otherwise"]
    verify(table.file, chain.heads(table.file))


def test_a_sealed_note_is_opened_once(monkeypatch: pytest.MonkeyPatch) -> None:
    table, decision, plays, others = asked()
    notes = [table.note(decision, play, number) for number, play in enumerate(plays[:3], 1)]
    opened: list[str] = []

    def unseal(block: str, key: PrivateKey) -> str:
        opened.append(block)
        return unseal_well(block, key)

    unseal_well = sealing.unseal
    monkeypatch.setattr(sealing, "unseal", unseal)
    assert words(table, *others, *notes).count("ok") == len(others) + 1
    assert len(opened) == len(set(opened)) == len(others) + 3


def test_what_was_accepted_is_refused_once_another_has_its_place() -> None:
    table, decision, plays, _ = asked()
    (verdict,) = table.apply(table.note(decision, plays[0]))
    (again,) = table.apply(table.note(decision, plays[0]))
    for one in (verdict, again):
        before = one.error
        one.follow(table.file)
        assert one.error is before
    table.apply(table.note(decision, plays[1], 2))
    for one in (verdict, again):
        one.follow(table.file)
        assert isinstance(one.error, Stale)
        assert (one.word, one.later) == ("answered-otherwise", False)


def test_the_next_number() -> None:
    table, decision, plays, _ = asked()
    assert player.next_number(table.file, decision) == 1
    assert player.next_number(table.file, decision, 3) == 4
    for number in range(1, 9):
        assert player.next_number(table.file, decision) == number
        assert words(table, table.note(decision, plays[number % 2], number)) == ["ok"]
    with pytest.raises(Stale, match="has had 8 answers from you"):
        player.next_number(table.file, decision)


def test_who_has_taken_a_seat_changes_the_answer_of_whoever_sat_there() -> None:
    table, decision, plays, others = asked()
    seat, new = DecisionId.parse(decision).seat, key_of("new")
    assert words(table, table.note(decision, plays[0])) == ["ok"]
    old = table.note(decision, plays[2], 3)
    before = table.file
    for key in (key_of(seat), new):
        table.apply(player.sign_transfer(table.file, seat, key, new.public).armoured)
    mine = player.move_text(table.file, new, decision, plays[1], True, 2)
    assert words(table, old, mine) == ["bad-signature", "ok"]
    assert words(table, *others) == ["ok"] * len(others)
    assert logged(table, decision) == (plays[1], 2)
    verify(table.file, chain.heads(table.file))
    assert relation(before, table.file) == NEWER


def test_an_old_key_does_not_change_an_answer_after_a_transfer() -> None:
    """The referee is in it: what waited was another answer, so this one came later."""
    table, decision, plays, others = asked()
    seat, new = DecisionId.parse(decision).seat, key_of("new")
    assert words(table, table.note(decision, plays[0])) == ["ok"]
    before, late = table.file, table.note(decision, plays[1], 2)
    other = fork(table)
    for key in (key_of(seat), new):
        table.apply(player.sign_transfer(table.file, seat, key, new.public).armoured)
    kept = table.file
    other.apply(late)
    for key in (key_of(seat), new):
        other.apply(player.sign_transfer(other.file, seat, key, new.public).armoured)
    other.apply(*others)
    assert logged(other, decision) == (plays[1], 2)
    verify(other.file, chain.heads(other.file))
    assert relation(before, other.file) == NEWER
    with pytest.raises(Fork, match="by a key whose time was over"):
        relation(kept, other.file)


def test_the_ledger_goes_on_from_the_newest_answer(tmp_path: Path) -> None:
    """Until the machine that stopped has written the game file, that has the answer before."""
    table, decision, plays, _ = asked()
    table.apply(table.note(decision, plays[0]))
    old, old_text = table.file, table.text
    table.apply(table.note(decision, plays[1], 2))
    place = tmp_path / "ledger"
    with Ledger.open(old, place) as ledger:
        ledger.record(old, old_text)
        ledger.record(table.file, table.text)
        assert ledger.judge(old) == table.text.encode()
        assert ledger.judge(table.file) is None
    with Ledger.open(old, place) as ledger:
        assert ledger.judge(old) == table.text.encode()
