"""Arrivals in a file beside its chain stay there, or take effect unchanged (PROTOCOL 12)."""

from __future__ import annotations

import copy
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path

import pytest

from referee.checking.compare import NEWER, SAME, compare
from referee.checking.verify import verify
from referee.crypto.keys import PrivateKey
from referee.errors import Fork, Stale
from referee.notes.kinds import Join, Transfer, Vacation
from referee.playing import player
from referee.refereeing.ledger import Ledger
from referee.table import chain, opening
from referee.table.gamefile import Consent, GameFile
from referee.table.gamefile import Transfer as Proposal
from referee.table.replay import Session
from referee.table.signing import signed_text
from referee.table.times import Away, Clock
from tests.table.tables import REFEREE, Table, key_of, load
from tests.table.walks import IDENTITY

BOT = Clock(3, "bot", 1, 28)
NEW = key_of("new")
Files = tuple[GameFile, GameFile]


def relation(old: GameFile, new: GameFile) -> str:
    return compare(old, chain.heads(old), new, chain.heads(new)).relation


def join(table: Table, name: str, salt: int, seal: str | None = None) -> str:
    """A join of somebody who chooses a salt."""
    file, key = table.file, key_of(name)
    salt_ = bytes([salt]).hex() * 32
    note = Join(file.game, name, chain.first_head(file).hex(), key.public.hex, salt_, seal)
    return note.armoured(key.public, note.sign(key))


def joined(*salts: int) -> Table:
    """A table at which one after the other joins with these salts; the last one deals."""
    table = Table(2, clock=BOT)
    for name, salt in zip(("ana", "ben"), salts, strict=False):
        table.now += timedelta(hours=1)
        assert table.apply(join(table, name, salt))[0].error is None
    return table


def test_a_join_stays_from_an_open_file_on() -> None:
    for one, two in ((joined(1), joined(1, 2)), (joined(1), joined(1)), (joined(), joined(1, 2))):
        assert relation(one.file, two.file) in (NEWER, SAME)
        verify(two.file, chain.heads(two.file))


def exchanges_a_join_in_the_deal() -> Files:
    """With an accomplice a referee could try one deal after the other, after all have joined."""
    return joined(1).file, joined(3, 2).file


def drops_a_join_before_the_deal() -> Files:
    before, after = joined(1), joined()
    after.now += timedelta(hours=9)
    after.apply(join(after, "ben", 2))
    return before.file, after.file


def exchanges_a_join_in_a_game_that_ends_before_the_deal() -> Files:
    table = joined(3)
    session = player_session(table.file)
    session.abandon()
    session.refresh()
    return joined(1).file, signed(session.file)


def player_session(file: GameFile) -> Session:
    return Session.replay(file, opening.deal_secret(file, REFEREE))


def signed(file: GameFile) -> GameFile:
    file.head = chain.heads(file)[-1]
    return load(signed_text(file, REFEREE))


def vacation(file: GameFile, name: str, seen: int, key: PrivateKey | None = None) -> str:
    key = key or key_of(name)
    days = date(2026, 3, 12), date(2026, 3, 13)
    note = Vacation(file.game, name, seen, chain.heads(file)[seen].hex(), *days)
    return note.armoured(key.public, note.sign(key))


def consent(file: GameFile, name: str, seen: int, seat: str = "ana") -> str:
    key = key_of(name)
    note = Transfer(file.game, seat, seen, chain.heads(file)[seen].hex(), NEW.public.hex)
    return note.armoured(key.public, note.sign(key))


def batch() -> Table:
    """Three are asked at once, one has answered."""
    table = Table(4, "batch", clock=BOT).join_all()
    table.play(lambda file: len(file.asked) > 2)
    table.answer(table.file.asked_ids()[0])
    return table


def with_all() -> Table:
    """A waiting answer, a vacation and a signature under a transfer stand beside the chain."""
    table = batch()
    file = table.file
    verdicts = table.apply(vacation(file, "ana", 1), consent(file, "ben", 1))
    assert [one.error for one in verdicts] == [None, None]
    return table


def at_the_same_step(drop: str, later: timedelta) -> Callable[[], Files]:
    """The second file of one step says a later time, but lacks what the first one has."""

    def cheat() -> Files:
        before = with_all().file
        after = copy.deepcopy(before)
        assert after.now is not None
        after.now += later
        setattr(after, drop, [])
        if drop == "pending":
            after.due |= {before.pending[0].decision: min(after.due.values())}
        return before, signed(after)

    return cheat


def at_a_later_step(drop: str) -> Callable[[], Files]:
    """The game goes on, and something has gone."""

    def cheat() -> Files:
        table = with_all()
        before = table.file
        for id_ in table.file.asked_ids()[1:]:
            table.answer(id_)
        after = table.file
        assert after.step > before.step
        setattr(after, drop, [])
        return before, signed(after)

    return cheat


def exchanges_a_vacation() -> Files:
    """It is of the same days, but was signed otherwise."""
    before, after = batch(), batch()
    before.apply(vacation(before.file, "ana", 1))
    after.apply(vacation(after.file, "ana", 2))
    after.answer(after.file.asked_ids()[1])
    return before.file, after.file


def exchanges_a_signature_under_a_transfer() -> Files:
    before, after = batch(), batch()
    before.apply(consent(before.file, "ben", 1))
    after.apply(consent(after.file, "ben", 2), vacation(after.file, "ana", 1))
    return before.file, after.file


def leaves_a_signature_out_of_a_transfer() -> Files:
    """It was one more than had to be, but it stood there."""
    before, after = batch(), batch()
    before.apply(consent(before.file, "ben", 1))
    after.apply(consent(after.file, "ana", 1), consent(after.file, "new", 1))
    assert after.file.step > before.file.step
    return before.file, after.file


def changed(number: int, which: int = 0, others: bool = False) -> GameFile:
    """One has answered, and changed the answer to this one; the others have answered, or not."""
    table = batch()
    decision = table.file.asked_ids()[0]
    if number > 1:
        play = (table.view(decision.rpartition(".")[2]).plays(99) or [])[which]
        assert table.apply(table.note(decision, play, number))[0].error is None
    for id_ in table.file.asked_ids()[1:] if others else ():
        table.answer(id_)
    return table.file


def puts_a_replaced_answer_back() -> Files:
    """Something else has come, or else it would only pass for an older file."""
    table = batch()
    table.apply(vacation(table.file, "ana", 1))
    return changed(2), table.file


def puts_a_replaced_answer_back_later() -> Files:
    """The file is of the same step, but says a later time."""
    before, after = changed(3), changed(2)
    assert after.now is not None
    after.now += timedelta(seconds=1)
    return before, signed(after)


def exchanges_an_answer_of_the_same_number() -> Files:
    """The player is in it, and has signed both."""
    return changed(2), changed(2, 1)


def lets_a_replaced_answer_take_effect() -> Files:
    return changed(3), changed(1, others=True)


def lets_another_answer_of_the_same_number_take_effect() -> Files:
    return changed(2), changed(2, 1, others=True)


def lets_a_lower_number_take_effect() -> Files:
    return changed(3), changed(2, others=True)


def says_a_higher_number_than_was_signed() -> Files:
    """So that no answer could take the place of this one."""
    before = changed(2)
    before.pending[0].number = 8
    return signed(before), changed(2, others=True)


def left() -> Table:
    """The seat ana has another key since step 2."""
    table = Table(3, clock=BOT).join_all()
    table.apply(consent(table.file, "new", 1), consent(table.file, "ana", 1))
    assert table.file.step == 2
    return table


def takes_a_vacation_of_the_old_key() -> Files:
    """Its days are those of whoever holds the seat now."""
    before, after = left().file, left().file
    days = date(2026, 3, 12), date(2026, 3, 13)
    note = Vacation(after.game, "ana", 1, chain.heads(after)[1].hex(), *days)
    after.vacations = [Away("ana", *days, 1, note.sign(key_of("ana")))]
    return before, signed(after)


def old_key_s_consent(file: GameFile) -> Consent:
    other = key_of("other").public
    note = Transfer(file.game, "ben", 2, chain.heads(file)[2].hex(), other.hex)
    return Consent(key_of("ana").public, 2, note.sign(key_of("ana")))


def takes_a_signature_of_the_old_key() -> Files:
    before, after = left().file, left().file
    after.transfers = [Proposal("ben", key_of("other").public, "", [old_key_s_consent(after)])]
    return before, signed(after)


def lets_the_old_key_sign_what_takes_effect() -> Files:
    before, after = left().file, left()
    keys = [key_of("other"), key_of("ben")]
    after.apply(
        *[player.sign_transfer(before, "ben", one, keys[0].public).armoured for one in keys]
    )
    file = after.file
    by = old_key_s_consent(before)
    line = chain.Agreed(by.key, by.seen, by.signature).line
    file.log[-1].then = tuple(sorted((*file.log[-1].then, line)))
    return before, signed(file)


def takes_a_backup_away() -> Files:
    before, after = joined(1).file, joined(1, 2).file
    before.secret = [*before.secret, *before.secret]
    return signed(before), after


CHEATS: dict[str, Callable[[], Files]] = {
    "exchanges a join in the deal": exchanges_a_join_in_the_deal,
    "exchanges a join of an open table": lambda: (joined(1).file, joined(3).file),
    "takes a backup of the deal secret away": takes_a_backup_away,
    "drops a join": drops_a_join_before_the_deal,
    "exchanges a join where nothing is dealt": exchanges_a_join_in_a_game_that_ends_before_the_deal,
    **{
        f"drops {drop} at the same step": at_the_same_step(drop, timedelta(seconds=1))
        for drop in ("pending", "vacations", "transfers")
    },
    **{f"drops {drop}": at_a_later_step(drop) for drop in ("vacations", "transfers")},
    "exchanges a vacation": exchanges_a_vacation,
    "exchanges a signature": exchanges_a_signature_under_a_transfer,
    "leaves out a signature": leaves_a_signature_out_of_a_transfer,
    "puts a replaced answer back": puts_a_replaced_answer_back,
    "puts a replaced answer back later": puts_a_replaced_answer_back_later,
    "exchanges an answer of the same number": exchanges_an_answer_of_the_same_number,
    "lets a replaced answer take effect": lets_a_replaced_answer_take_effect,
    "lets another of the same number": lets_another_answer_of_the_same_number_take_effect,
    "lets a lower number take effect": lets_a_lower_number_take_effect,
    "says a higher number than was signed": says_a_higher_number_than_was_signed,
    "takes a vacation of the old key": takes_a_vacation_of_the_old_key,
    "takes a signature of the old key": takes_a_signature_of_the_old_key,
}


@pytest.mark.parametrize("cheat", CHEATS.values(), ids=CHEATS)
def test_whoever_keeps_the_older_file_has_the_proof(
    cheat: Callable[[], Files], tmp_path: Path
) -> None:
    old, new = cheat()
    for file in (old, new):
        verify(file, chain.heads(file))
    for one, two in ((old, new), (new, old)):
        with pytest.raises(Fork):
            relation(one, two)
    # Nor does the referee's own machine go on from such a file, which another one has signed.
    with Ledger.open(old, tmp_path / "ledger") as ledger:
        ledger.record(old, signed_text(old, REFEREE))
    if new.step > old.step or old.status == "open":
        with Ledger.open(new, tmp_path / "ledger") as ledger, pytest.raises(Fork):
            ledger.judge(new)


def test_an_answer_may_be_changed_until_it_takes_effect() -> None:
    """Also where the file that was signed in between was shown to nobody."""
    line = [changed(1), changed(2), changed(3, 1), changed(5, others=True)]
    for at, old in enumerate(line):
        for new in line[at + 1 :]:
            assert (relation(old, new), relation(new, old)) == (NEWER, "older")
            verify(new, chain.heads(new))
    done = compare(line[0], chain.heads(line[0]), line[-1], chain.heads(line[-1])).done
    assert "1 waiting answer was changed by the seat before taking effect" in done


def test_an_old_key_signs_nothing_that_takes_effect() -> None:
    """The referee's own machine does not look for that: it has let it pass itself."""
    old, new = lets_the_old_key_sign_what_takes_effect()
    verify(new, chain.heads(new))
    with pytest.raises(Fork, match="whose time was over"):
        relation(old, new)


@pytest.mark.parametrize("drop", ["pending", "vacations", "transfers"])
def test_an_older_file_of_the_same_step_is_no_fork(drop: str) -> None:
    old, new = at_the_same_step(drop, timedelta(0))()
    assert relation(old, new) == "older"


def test_a_signature_can_be_given_again_when_a_seat_has_changed_hands() -> None:
    """The one that waited was dropped then; the same signer signs the same transfer once more."""
    table = Table(3, clock=BOT).join_all()
    table.apply(consent(table.file, "ben", 1))
    before = table.file
    ana = table.file.seat("ana")
    assert ana is not None
    other = key_of("other")
    for key in (key_of("ana"), other):
        table.apply(player.sign_transfer(table.file, "ana", key, other.public).armoured)
    assert table.file.step == before.step + 1
    table.apply(consent(table.file, "ben", table.file.step))
    assert len(table.file.transfers) == 1
    assert relation(before, table.file) == NEWER


def test_who_has_joined_signs_no_other_join() -> None:
    """With two joins of one seat the referee could choose between two deals."""
    table = Table(2)
    table.apply(opening.sign_join(table.file, "ana", key_of("ana")).armoured)
    again = opening.sign_join(table.file, "ana", key_of("ana")).armoured
    assert table.apply(again)[0].exit_code == 10
    with pytest.raises(Stale, match="by a different join"):
        opening.sign_join(table.file, "ana", key_of("ana"), IDENTITY.recipient)
