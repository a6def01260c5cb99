"""Seats of bots: what they answer follows from view and seed, and nobody has a hand in it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from functools import cache
from itertools import pairwise

import pytest

from referee.checking.audit import audit
from referee.checking.compare import compare
from referee.checking.verify import verify
from referee.crypto.keys import PrivateKey
from referee.crypto.sealing import AgeIdentity
from referee.errors import Damaged, OtherRules
from referee.games import rules_of
from referee.games.errors import GameError, Illegal, NotUnderstood
from referee.games.interface import Rules
from referee.games.sanjuan.rules import SanJuanRules
from referee.notes.kinds import Join, Leave, Move, Transfer, Vacation, Vote
from referee.notes.signed import SignedNote
from referee.playing import player
from referee.table import opening
from referee.table.bots import bot_seed
from referee.table.chain import Late, heads
from referee.table.clock import bots_think, owed_decisions
from referee.table.decisions import DecisionId
from referee.table.gamefile import Entry, GameFile, Seat
from referee.table.replay import Session
from referee.table.signing import signed_text
from referee.table.times import DAY, Clock
from tests.table.tables import NAMES, REFEREE, Table, key_of, load

ANSWERED = Clock(3, "bot", 1, 28)
BOTS = {"ben": "greedy-1", "carl": "easy-1"}
SAN_JUAN = rules_of("sanjuan").choose(None, [], [], {})
XANADU = rules_of("xanadu").choose(None, [], [], {})
NEW = key_of("new")
AGE = "AGE-SECRET-KEY-1QQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQ8H00W3"


def _seat(table: Table, name: str) -> Seat:
    seat = table.file.seat(name)
    assert seat is not None
    return seat


def audited(file: GameFile) -> None:
    chain = heads(file)
    verify(file, chain)
    audit(file, chain, opening.deal_secret(file, REFEREE))


@cache
def finished() -> Table:
    """A game of one player and two bots."""
    return Table(3, "bots", bots=BOTS, clock=Clock(3)).join_all().play_out()


@pytest.mark.parametrize("rules", [SAN_JUAN, XANADU], ids=["sanjuan", "xanadu"])
def test_a_game_with_bots_holds_from_beginning_to_end(rules: Rules) -> None:
    table = Table(3, "bots", rules=rules, bots=BOTS, clock=Clock(3)).join_all().play_out()
    assert table.file.status == "finished"
    audited(table.file)
    files = [load(text) for text in table.texts]
    for older, newer in pairwise(files):
        verify(newer, heads(newer))
        assert compare(older, heads(older), newer, heads(newer)).relation == "newer"
    for file in files:
        assert {DecisionId.parse(one).seat for one in file.due} <= {"ana"}
        assert not file.pending
    for entry in table.file.log[1:]:
        assert bool(entry.signature) == (entry.by == "ana")
    assert {entry.by for entry in table.file.log[1:]} == {"ana", "ben", "carl"}


@pytest.mark.parametrize("seal", [None, AgeIdentity(AGE).recipient], ids=["new key", "sealed anew"])
def test_a_seat_changes_hands_after_the_bots_that_were_out_of_time(seal: str | None) -> None:
    """Else a plan's answer would look as if an old key had given it when nobody was waited for."""
    table = Table(3, "th2", plans=True, bots={"carl": "greedy-1"}).join_all()
    clauses = ["always role: trader builder", "always builder: best", "always councillor: best"]
    for name in ("ana", "ben"):
        table.apply(table.plan(name, *clauses), thinking=0)
    for _ in range(80):
        file = table.file
        if bots_think(file) and any(one.plan for one in file.pending):
            break
        notes = [
            table.note(one, table.view(DecisionId.parse(one).seat).suggest())
            for one in owed_decisions(file)[:1]
        ]
        table.apply(*notes, thinking=0)
    waiting = next(one.decision for one in file.pending if one.plan)
    name = DecisionId.parse(waiting).seat
    new = key_of(name) if seal else NEW
    for key in dict.fromkeys((key_of(name), new)):
        step = table.file.step
        give = player.sign_transfer(table.file, name, key, new.public, seal or "").armoured
        (verdict,) = table.apply(give, thinking=0)
        # The answer about it names the step at which it was judged.
        assert verdict.step > step or key != key_of(name)
    while bots_think(table.file):
        table.apply(thinking=0)
    moved = [one.decision for one in table.file.log if one.decision.startswith("0.1.transfer")]
    assert moved == [f"0.1.transfer.{name}"]
    verify(table.file, heads(table.file))


def test_bots_are_not_waited_for_where_several_are_asked() -> None:
    table = Table(3, "bots", bots={"carl": "easy-1"}, clock=Clock(3)).join_all()
    table.play(lambda file: len(file.asked) == 3)
    assert [DecisionId.parse(one).seat for one in owed_decisions(table.file)] == ["ana", "ben"]
    step = table.file.step
    ben = next(one for one in table.file.asked_ids() if one.endswith(".ben"))
    told = table.answer(ben)
    assert told[0].word.startswith("accepted; waiting for ")
    assert told[0].word.endswith(".ana")
    assert [one.decision.rpartition(".")[2] for one in table.file.pending] == ["ben"]
    table.answer(owed_decisions(table.file)[0])
    assert table.file.step >= step + 3
    audited(table.file)


def test_the_answers_of_bots_hang_on_the_deal_secret_and_all_joins() -> None:
    one, same = (Table(3, "bots", bots=BOTS).join_all().play_out() for _ in range(2))
    assert one.file.head == same.file.head
    secret = bytes(32)
    table = Table(3, "other", bots={"carl": "easy-1"})
    table.apply(opening.sign_join(table.file, "ana", key_of("ana")).armoured)
    seeds = set()
    for who in ("ben", "new"):
        file = load(table.text)
        seat = file.seat("ben")
        assert seat is not None
        note = opening.sign_join(file, "ben", key_of(who))
        assert isinstance(note.note, Join)
        seat.key, seat.salt = note.signature.public, bytes.fromhex(note.note.salt)
        seat.signature = note.raw64
        seeds |= {bot_seed(file, secret, f"1.1.role.{name}") for name in NAMES[:2]}
    assert len(seeds) == 4


@pytest.mark.parametrize("bot", list(BOTS))
def test_a_referee_who_chooses_for_a_bot_is_found(
    bot: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It knows all hands, and could let the bot play by them."""
    honest = Session.bot_play

    def chosen(session: Session, decision: str) -> str:
        right = honest(session, decision)
        seat = DecisionId.parse(decision).seat
        plays = session.view(seat).plays() or [right]
        return next((one for one in plays if one != right), right) if seat == bot else right

    monkeypatch.setattr(Session, "bot_play", chosen)
    table = Table(3, "bots", bots=BOTS).join_all()
    table.play(lambda file: any(entry.by == bot for entry in file.log))
    verify(table.file, heads(table.file))
    with pytest.raises(Damaged, match=f"not answered as {BOTS[bot]} answers from that view"):
        audited(table.file)


def forged(change: Callable[[GameFile, Entry], None]) -> GameFile:
    """A finished game in which the first answer of a bot was changed, and signed by the referee."""
    file = load(finished().text)
    change(file, next(entry for entry in file.log if entry.by == "ben"))
    file.head = heads(file)[-1]
    return load(signed_text(file, REFEREE))


def _sign(file: GameFile, entry: Entry) -> None:
    entry.signature = bytes(64)


def _number(file: GameFile, entry: Entry) -> None:
    entry.then = ("answer 2", *entry.then)


def _plan(file: GameFile, entry: Entry) -> None:
    entry.then = ("plan 1", *entry.then)


def _see(file: GameFile, entry: Entry) -> None:
    entry.seen -= 1


def _other_bot(file: GameFile, entry: Entry) -> None:
    seat = file.seat("ben")
    assert seat is not None
    seat.bot = "easy-1"


@pytest.mark.parametrize("change", [_sign, _number, _plan, _see, _other_bot])
def test_an_answer_of_a_bot_has_one_form(change: Callable[[GameFile, Entry], None]) -> None:
    def judge() -> None:
        file = forged(change)
        verify(file, heads(file))

    with pytest.raises(GameError):
        judge()


def test_a_bot_is_never_late() -> None:
    """Or the referee could pass for it, or let the table's bot answer in its place."""
    table = Table(3, "bots", bots=BOTS, clock=ANSWERED).join_all()
    table.play(lambda file: any(entry.by == "ben" for entry in file.log))
    file = table.file
    at = next(index for index, entry in enumerate(file.log) if entry.by == "ben")
    entry = file.log[at]
    assert file.now is not None
    line = Late(file.now - 30 * DAY, file.now).line
    entry.by, entry.then = "referee", (line, *entry.then)
    file.head = heads(file)[-1]
    with pytest.raises(GameError, match="a bot's, which is never late"):
        verify(file, heads(file))
    with pytest.raises(Damaged, match="is not an act of the referee's"):
        Session.replay(file, opening.deal_secret(file, REFEREE))


@pytest.mark.parametrize("holder", ["ana", "referee", "new"])
def test_nobody_signs_for_a_bot(holder: str) -> None:
    table = Table(3, "bots", bots=BOTS)
    key, file = key_of(holder), table.file
    join = Join(file.game, "ben", heads(file)[0].hex(), key.public.hex, "00" * 32, None)
    verdicts = table.apply(SignedNote.by(key, join).armoured)
    assert [one.word for one in verdicts] == ["seat-taken"]
    with pytest.raises(GameError, match="is taken"):
        opening.sign_join(file, "ben", key)
    table.join_all()
    file = table.file
    head = file.head.hex()
    days = date(2026, 3, 2), date(2026, 3, 3)
    for note in (
        Vacation(file.game, "ben", file.step, head, *days),
        Transfer(file.game, "ben", file.step, head, NEW.public.hex, None),
        Move(file.game, "1.2.role.ben", file.step, head, "role trader"),
    ):
        for signer in (key, NEW):
            verdicts = table.apply(SignedNote.by(signer, note).armoured)
            assert verdicts[0].error is not None


def test_only_the_key_of_the_only_player_moves_its_seat() -> None:
    """Nobody else at the table has a key, so a stranger and the referee could else take it."""
    table = Table(3, "bots", bots=BOTS).join_all()

    def sign(key: PrivateKey) -> bool:
        note = player.sign_transfer(table.file, "ana", key, NEW.public).armoured
        assert table.apply(note)[0].error is None
        seat = table.file.seat("ana")
        assert seat is not None
        return seat.holder == NEW.public

    assert not sign(NEW)
    assert not sign(REFEREE)
    assert sign(key_of("ana"))


@pytest.mark.parametrize(
    ("bots", "me", "error"),
    [
        ({"ana": "easy-1", "ben": "easy-1"}, None, Illegal),
        ({"dora": "easy-1"}, None, NotUnderstood),
        ({"ana": "easy-1"}, "ana", Illegal),
    ],
)
def test_where_bots_cannot_sit(
    bots: dict[str, str], me: str | None, error: type[GameError]
) -> None:
    with pytest.raises(error):
        Table(2, bots=bots, me=me)


def test_bots_that_think_for_long_let_others_in_between() -> None:
    """Each run has one answer at least, and all runs together have those of one that may think."""
    table = Table(3, "slow", bots=BOTS, clock=Clock(3)).join_all()
    quick = Table(3, "slow", bots=BOTS, clock=Clock(3)).join_all()
    for _ in range(4):
        decision = owed_decisions(quick.file)[0]
        quick.answer(decision)
        table.apply(table.note(decision, table.view("ana").suggest()), thinking=0)
        runs = 0
        while bots_think(table.file):
            verify(table.file, heads(table.file))
            before = table.file.step, len(table.file.asked)
            table.apply(thinking=0)
            assert (table.file.step, len(table.file.asked)) != before
            runs += 1
        assert runs or not bots_think(quick.file)
        assert table.file.head == quick.file.head


def test_a_bot_of_another_version_is_missed() -> None:
    table = Table(2, bots={"ben": "easy-7"})
    with pytest.raises(OtherRules, match="easy-7"):
        table.join_all()
    assert table.file.status == "open"


def test_a_seat_cannot_be_left_to_a_bot_that_is_not_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Half of it would have happened when the bot was to answer."""
    table = Table(2, "left").join_all()
    note = player.sign_standing(
        table.file, _seat(table, "ana"), key_of("ana"), Leave, back=False
    ).armoured
    other = player.sign_standing(
        table.file, _seat(table, "ben"), key_of("ben"), Vote, back=False
    ).armoured
    monkeypatch.setattr(SanJuanRules, "bot", "greedy-2")
    left, voted = table.apply(note, other)
    assert isinstance(left.error, OtherRules)
    assert voted.error is None
    assert [entry.decision for entry in table.file.log[1:]] == ["0.1.vote.ben"]
