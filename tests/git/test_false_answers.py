"""A referee that signs what is not true of a note: whoever has the game file sees it."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from referee.crypto.keys import PrivateKey
from referee.crypto.sealing import AgeIdentity
from referee.errors import Stale
from referee.git.answers import NO_ROOM, Answer, Judged, answer_to
from referee.git.evidence import PublicNotes
from referee.git.falseanswers import Facts
from referee.notes.finding import find
from referee.notes.kinds import AnyNote, Join, Leave, Move, Plan, Transfer, Vacation, Vote
from referee.notes.signed import SignedNote
from referee.playing import player
from referee.refereeing.judging import Judge
from referee.table import chain, opening
from referee.table.decisions import DecisionId
from referee.table.gamefile import GameFile
from referee.table.planreplay import texts_of
from referee.table.provenance import waiting_plan_note
from referee.table.replay import Session
from referee.table.times import Clock
from tests.git.club import Club, seated
from tests.git.pushed import git, push, turn
from tests.git.test_attacks import referee, refusals, verify
from tests.git.test_costs import checked, run
from tests.refusals import refused
from tests.table.tables import REFEREE, Table, key_of
from tests.table.test_standing import CASES, at_batch, say
from tests.table.test_standing import said as standing_note

AGE = "AGE-SECRET-KEY-1QQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQ8H00W3"
FALSE = "is false by what the game file says"


def answer(club: Club, note: str, said: str, step: int, *, final: bool = True) -> None:
    """Push an answer that the referee has signed for a note at the tip."""
    oid = club.git("rev-parse", f"main:moves/{note}", at=club.bare)
    text = Answer(said, step, final).text(REFEREE, club.file().game, oid)
    push(club, {"moves": {f"{note}.refused": text}})


def moved(club: Club, *words: str) -> str:
    """Push a move that the referee has not seen yet, and return the name of its file."""
    at = club.folder / "ana"
    club.git("pull", "--quiet", "--rebase", at=at)
    club.ref("move", "game.toml", "--role", "builder", "--push", *words, at=at)
    [note] = (at / "moves").glob("1.1.role.ana-*.move")
    return note.name


DISPROVED = (
    *("already-applied (10): this counts", "already-applied (13): this counts"),
    *("game-over (11): the game is over", "not-open (11): 1.1.role.ana is not asked"),
    *("answered-otherwise (11): no", "seen-too-early (11): no", "ahead (11): no"),
    *("not-yours (12): no", "bad-signature (15): no", "fork (17): no"),
    *("other-game (13): this note is for game 0000000000000000", "other-game (11): no"),
    "not-understood (13): the file is over 256 kB",
    *("", "and so on"),
)


def check_disproved(club: Club, note: str, said: str, step: int, *, final: bool = True) -> None:
    """An answer to a note at the tip is found to be false; the branch is as it was then."""
    tip = git(club, "rev-parse", "main")
    answer(club, note, f"{said}\n", step, final=final)
    assert FALSE in verify(club), said
    git(club, "update-ref", "refs/heads/main", tip)


@pytest.mark.parametrize("final", [True, False])
def test_an_open_note_refused_against_public_facts(tmp_path: Path, final: bool) -> None:
    club = seated(tmp_path)
    note = moved(club, "--no-seal")
    for said in DISPROVED:
        check_disproved(club, note, said, 1, final=final)
        if final:
            # Before the step that its author has seen nothing is refused for good.
            check_disproved(club, note, said, 0)


def test_what_only_a_hand_could_disprove_is_not_called_false(tmp_path: Path) -> None:
    club = seated(tmp_path)
    note = moved(club, "--no-seal")
    answer(club, note, "illegal (14): this is not a legal answer to 1.1.role.ana\n", 1)
    assert "none of them ignored" in verify(club)


def test_the_author_of_a_sealed_note_sees_a_false_answer(tmp_path: Path) -> None:
    """Nobody else can tell what is in it."""
    club = seated(tmp_path)
    note = moved(club, "--seal")
    answer(club, note, "game-over (11)\n", 1)
    assert "none of them ignored" in verify(club)
    at = club.folder / "ana"
    words = ("move", "game.toml", "--role", "builder", "--seal", "--push")
    assert FALSE in club.ref(*words, at=at, fine=False)


def test_an_answer_of_a_step_that_the_file_has_not_got_is_no_answer_yet(tmp_path: Path) -> None:
    """An author whose file somebody put back to an older one blames nobody; `git verify` judges."""
    club = seated(tmp_path)
    note = moved(club, "--no-seal")
    answer(club, note, "bad-signature (15): no\n", 2)
    at = club.folder / "ana"
    club.git("pull", "--quiet", "--rebase", at=at)
    shown = club.ref("show", "game.toml", at=at)
    assert "refused" not in shown
    assert "Your turn, ana" in shown
    assert FALSE in verify(club)


def test_an_answer_about_one_of_two_notes_hides_the_other(tmp_path: Path) -> None:
    club = seated(tmp_path)
    note = moved(club, "--no-seal")
    good = club.show(f"main:moves/{note}").decode()
    file, key = club.file(), key_of("ana")
    move = Move(file.game, "1.1.role.zoe", file.step, file.head.hex(), "role builder")
    bad = move.armoured(key.public, move.sign(key))
    push(club, {"moves": {note: (bad + good).encode()}})
    check_disproved(club, note, "not-yours (12): there is no seat zoe", 1)
    check_disproved(club, note, "not-yours (12): there is no seat zoe\n\nand so on", 1)


def test_the_longest_answer_is_read(tmp_path: Path) -> None:
    """To many notes of a stranger's, one of which says that he has seen what is to come."""
    club = seated(tmp_path)
    file, key = club.file(), key_of("stranger")
    notes = [
        SignedNote.by(key, Move(file.game, "1.1.role.z", step, f"{step:064x}", f"role {word}"))
        for step, word in ((99, "builder"), *((1, f"a{number}") for number in range(60)))
    ]
    push(club, {"moves": {"x.note": "\n".join(note.armoured for note in notes).encode()}})
    referee(club)
    assert len(club.show("main:moves/x.note.refused")) > 4200
    assert "none of them ignored" in verify(club)


def test_every_honest_refusal_is_true(tmp_path: Path) -> None:
    """By the games in other tests, and by each kind here, one in a file and all in one."""
    club = seated(tmp_path)
    moved(club)
    referee(club)
    notes = refused(club.file(), {name: key_of(name) for name in club.names})
    rows = {f"{name}.note": text.encode() for name, text in notes.items()}
    open_ = "\n".join([text for name, text in notes.items() if name.startswith("open ")])
    push(club, {"moves": rows | {"all.note": open_.encode()}})
    referee(club)
    assert "none of them ignored" in verify(club)
    # Later the same words are still true.
    for _ in range(4):
        turn(club, club.asked()[0])
        referee(club)
        assert "none of them ignored" in verify(club)
    assert len(chain.heads(club.file())) > 4


def test_a_join_refused_against_public_facts(tmp_path: Path) -> None:
    club = Club(tmp_path)
    (club.bare / "hooks" / "post-receive").unlink()
    at = club.folder / "ana"
    club.ref("join", "game.toml", "--seat", "ana", "--push", at=at)
    [note] = (at / "moves").glob("*.join")
    for kind in ("already-applied", "seat-taken", "not-open", "not-yours", "bad-signature", "fork"):
        check_disproved(club, note.name, f"{kind} (11): no", 0)


def test_honest_answers_to_joins_and_transfers_are_true(tmp_path: Path) -> None:
    """A seat that was taken, a key that sits elsewhere, signatures given twice or by nobody."""
    club = seated(tmp_path)
    for name in ("new", "eve"):
        key_of(name).save(club.folder / f"{name}.key")
    new, eve = (str(club.folder / f"{name}.key") for name in ("new", "eve"))
    file = club.file()
    joins = {
        name: Join(file.game, "ana", chain.heads(file)[0].hex(), key_of(name).public.hex, "1" * 64)
        for name in ("ben", "eve")
    }
    rows = {
        f"{name}.join": SignedNote.by(key_of(name), note).armoured.encode()
        for name, note in joins.items()
    }
    push(club, {"moves": rows})
    referee(club)
    assert "none of them ignored" in verify(club)
    at = club.folder / "ana"
    for words in (["--to", f"{new}.pub"], ["--to", f"{new}.pub", "--key", eve], ["--key", new]):
        club.git("pull", "--quiet", "--rebase", at=at)
        club.ref("transfer", "game.toml", "--seat", "ana", *words, "--push", at=at, fine=False)
        referee(club)
        assert "none of them ignored" in verify(club)
    # What the old key signs from now on is refused, and that is true.
    club.git("pull", "--quiet", "--rebase", at=at)
    file, key = club.file(), key_of("ana")
    assert file.step == 2
    move = Move(file.game, file.asked_ids()[0], 2, file.head.hex(), "role builder")
    push(club, {"moves": {"old.move": SignedNote.by(key, move).armoured.encode()}})
    referee(club)
    assert "none of them ignored" in verify(club)


def signed(name: str, note: AnyNote) -> bytes:
    return SignedNote.by(key_of(name), note).armoured.encode()


ORDERS = [("a", "b", "c"), ("c", "b", "a"), ("b", "c", "a"), ("c", "a", "b")]


@pytest.mark.parametrize("order", ORDERS, ids=["".join(order) for order in ORDERS])
def test_what_counted_until_another_note_of_the_same_push_changed_it(
    tmp_path: Path, order: tuple[str, ...]
) -> None:
    """A signature under a transfer, another vacation, an answer of the old key: in any order."""
    club = seated(tmp_path, options=("--days", "3", "--vacation", "20"))
    file = club.file()
    at = (file.game, "ana", 1, file.head.hex())
    one, two = (key_of(name).public.hex for name in ("one", "two"))
    days = [date(2090, 1, day) for day in (1, 2, 3)]
    move = Move(file.game, "1.1.role.ana", 1, file.head.hex(), "role builder")
    other = Move(file.game, "1.1.role.ana", 1, file.head.hex(), "role trader")
    notes = {
        "a": [signed("ana", Transfer(*at, one)), signed("ana", move), signed("ben", move)],
        "b": [signed("ana", Transfer(*at, two)), signed("ana", Vacation(*at, days[0], days[1]))],
        "c": [signed("two", Transfer(*at, two)), signed("one", Transfer(*at, one))],
    }
    notes["b"] += [signed("ana", other), signed("two", move)]
    notes["c"] += [signed("ana", Vacation(*at, days[1], days[2])), signed("two", other)]
    rows = {
        f"{number}{name}{n}.note": data
        for number, name in enumerate(order)
        for n, data in enumerate(notes[name])
    }
    push(club, {"moves": rows})
    referee(club)
    assert club.file().step >= 2
    assert "none of them ignored" in verify(club)
    assert "nothing new" in referee(club)


def test_joins_that_were_true_until_another_of_the_same_push(tmp_path: Path) -> None:
    club = Club(tmp_path)
    (club.bare / "hooks" / "post-receive").unlink()
    file = club.file()
    head = chain.heads(file)[0].hex()
    cases = [("ana", "ana", "1"), ("ana", "ana", "2"), ("ana", "eve", "1"), ("ben", "ana", "1")]
    cases += [("ben", "ben", "1"), ("ben", "eve", "1"), ("ana", "ben", "1")]
    rows = {
        f"{n}.join": signed(key, Join(file.game, seat, head, key_of(key).public.hex, salt * 64))
        for n, (seat, key, salt) in enumerate(cases)
    }
    push(club, {"moves": rows})
    referee(club)
    assert club.file().status == "playing"
    assert "none of them ignored" in verify(club)


def test_a_plan_that_waits_copied_beside_junk(tmp_path: Path) -> None:
    """The answer to it stays true when another plan has taken its place."""
    club = seated(tmp_path)
    plan = ("plan", "game.toml", "--push", "--builder")
    club.ref(*plan, "best", at=club.folder / "ana")
    run(club)
    file = club.file()
    [waits] = file.plans
    copy = waiting_plan_note(file, waits, chain.heads(file))
    text = copy.armoured(key_of("ana").public, waits.signature).encode()
    junk = [
        signed("stranger", Move(file.game, f"1.1.role.{name}", 1, file.head.hex(), "role builder"))
        for name in ("zoe", "eve")
    ]
    push(club, {"moves": {"x.note": junk[0] + text + junk[1]}})
    run(club)
    said = refusals(club)["moves/x.note.refused"]
    assert [line.partition(" ")[0] for line in said.splitlines() if " (1" in line] == [
        *("not-yours", "already-applied", "not-yours")
    ]
    checked(club)
    club.ref(*plan, "pass", at=club.folder / "ana")
    run(club)
    assert [one.number for one in club.file().plans] == [2]
    checked(club)


def test_notes_pushed_with_the_last_join(tmp_path: Path) -> None:
    """They are judged before the deal or after it, in a run that goes on behind it."""
    club = Club(tmp_path, options=("--days", "3"))
    (club.bare / "hooks" / "post-receive").unlink()
    file = club.file()
    head = chain.heads(file)[0].hex()
    rows = {
        f"{name}.join": signed(name, Join(file.game, name, head, key_of(name).public.hex, "1" * 64))
        for name in club.names
    }
    for step in (0, 5):
        at = (file.game, "ana", step, head)
        notes: list[AnyNote] = [
            Vacation(*at, date(2090, 1, 1), date(2090, 1, 2)),
            Transfer(*at, key_of("new").public.hex),
            Plan(file.game, "ana", 1, step, head, "1" * 64),
        ]
        for note in notes:
            rows[f"a{step}.{note.kind}"] = signed("stranger", note)
            unsigned = note.armoured(key_of("ana").public, bytes(64))
            rows[f"b{step}.{note.kind}"] = unsigned.encode()
            rows[f"z{step}.{note.kind}"] = signed("ana", note)
    push(club, {"moves": rows})
    run(club)
    assert club.file().step == 1
    assert len(refusals(club)) == 18
    checked(club)


def test_what_is_said_of_the_number_of_a_plan() -> None:
    table = Table(2, "facts", plans=True).join_all()
    file, key = table.file, key_of("ana")

    def note(number: int, clauses: str) -> str:
        plan = Plan(file.game, "ana", number, file.step, file.head.hex(), clauses * 64)
        return SignedNote.by(key, plan).armoured

    old = "older-plan (11): ana has a newer plan already, plan 2"
    assert is_false(table.file, note(1, "1"), old, 1)
    [verdict] = table.apply(table.plan("ana", "builder: pass", number=2))
    assert verdict.error is None
    assert not is_false(table.file, note(1, "1"), old, 1)
    assert not is_false(table.file, note(2, "1"), old, 1)
    assert is_false(table.file, note(3, "1"), old, 1)
    same = table.file.plans[0].clauses.hex()
    plan = Plan(file.game, "ana", 2, file.step, file.head.hex(), same)
    assert is_false(table.file, SignedNote.by(key, plan).armoured, old, 1)


def test_a_file_that_was_full_before_the_end() -> None:
    """At the end it has no hands any more, and plans become short texts."""
    table = Table(2, "facts", clock=Clock(3, "bot", 1, 28)).join_all()
    file = table.file
    seat, key = file.seat("ana"), key_of("ana")
    assert seat is not None
    days = date(2090, 1, 1), date(2090, 1, 2)
    vacation = player.sign_vacation(file, seat, key, *days).armoured
    full = "full (14): a game file of more than 700000 bytes takes in no vacation"
    assert is_false(table.file, vacation, full, 1)
    table.rush()
    assert table.file.status == "finished"
    assert not is_false(table.file, vacation, full, 1)


IN_DOUBT = {
    "move": ["illegal (14): this is no legal answer", "not-understood (13): this is no answer"],
    "vacation": [],
    "transfer": [],
    "vote": [],
    "leave": [],
}
"""Replies to good notes that only the hand of their author disproves."""
ALL = (
    *("already-applied (10): this counts", "game-over (11): the game is over"),
    *("not-open (11): nothing has been dealt yet", "open (11): nothing has been dealt yet"),
    *("answered-otherwise (11): no", "ahead (11): no", "seen-too-early (11): no"),
    *("over (11): this vacation is already over", "seat-taken (11): no", "other-salt (11): no"),
    *("stale (11): no", "clock (11): no", "not-asked (11): no", "key-in-use (11): no"),
    *("not-yours (12): there is no such seat", "not-understood (13): this is no answer"),
    "not-understood (14): this is no answer",
    *("illegal (14): this is no legal answer", "illegal (13): this is no legal answer"),
    *("left (11): ana has left the table", "left (13): no"),
    *("full (14): a game file of more than 700000 bytes", "no-room (14): too many wait"),
    *("bad-signature (15): signed by nobody who has a say in it", "bad-key (15): no"),
    *("newer (16): written by a newer sanjuan-ref", "damaged (16): no", "other-rules (16): no"),
    *("fork (17): no", "no-key (18): no", "bug (70): ben holds the palace", "xyzzy (99): because"),
)
BUG = "bug (70): the program fails on this note: ValueError at judging.py:3"


def is_false(
    file: GameFile, note: str, said: str, step: int, since: int = -1, *, final: bool = True
) -> bool:
    """Return True if this, said of a note, for good or not, is found out by the game file."""
    heads = chain.heads(file)
    facts = Facts(file, heads, PublicNotes(file, heads))
    try:
        facts.check("x", Answer(f"{said}\n", step, final, since), find(note))
    except Stale:
        return True
    return False


def good_notes(table: Table) -> dict[str, str]:
    """A move, a vacation and the signature of the seat's own key under a transfer."""
    file = table.file
    decision = file.asked_ids()[0]
    seat, key = file.asked[0].seat, key_of(file.asked[0].seat)
    step, head = file.step, file.head.hex()
    day = datetime.now(UTC).date() + timedelta(days=9)
    others: list[AnyNote] = [
        Vacation(file.game, seat, step, head, day, day),
        Transfer(file.game, seat, step, head, key_of("new").public.hex),
        Vote(file.game, seat, step, head, "end"),
        Leave(file.game, seat, step, head, "leave"),
    ]
    notes = {note.kind: SignedNote.by(key, note).armoured for note in others}
    play = table.view(seat).suggest()
    return notes | {"move": player.sign_move(file, key, decision, play).armoured}


@pytest.mark.parametrize("kind", IN_DOUBT)
@pytest.mark.parametrize("gone_on", [False, True])
def test_nothing_is_said_of_good_notes_that_public_facts_disprove(kind: str, gone_on: bool) -> None:
    """Nor when the seat has changed hands since, and has been played on."""
    table = Table(3, "facts", clock=Clock(3, "bot", 1, 28)).join_all()
    table.play(lambda file: file.step >= 4)
    step, note = table.file.step, good_notes(table)[kind]
    if gone_on:
        seat = table.file.asked[0].seat
        new = key_of("other")
        for key in (new, key_of(seat)):
            table.apply(player.sign_transfer(table.file, seat, key, new.public).armoured)
        assert table.file.step == step + 1
    true = {said for said in (*ALL, BUG) if not is_false(table.file, note, said, step)}
    # Signatures that wait leave the file when the seat changes hands.
    gone = {"already-applied (10): this counts"} if gone_on and kind == "transfer" else set()
    assert true == {*IN_DOUBT[kind], BUG, *gone}


@pytest.mark.parametrize("final", [False, True])
@pytest.mark.parametrize("kind", IN_DOUBT)
def test_nothing_is_judged_at_a_step_that_is_to_come_or_for_good_before_what_was_seen(
    kind: str, *, final: bool
) -> None:
    """Whatever the reason: at such a step no fact would speak against it."""
    table = Table(3, "facts", clock=Clock(3, "bot", 1, 28)).join_all()
    table.play(lambda file: file.step >= 4)
    step, note = table.file.step, good_notes(table)[kind]
    claims = set(ALL) - {"already-applied (10): this counts"}
    for at, since in ((step + 1, -1), (999_999, step), (step, step + 1)):
        assert all(is_false(table.file, note, one, at, since, final=final) for one in claims)
    for one in ("ahead (11): no", "ahead (11): no\n" + NO_ROOM.removesuffix("\n")):
        # Its author may have had the file before the branch had it.
        by_itself = final and "\n" not in one
        assert is_false(table.file, note, one, step - 1, final=final) == by_itself
    for one in (*IN_DOUBT[kind], BUG):
        assert not is_false(table.file, note, one, step, step - 2)
    # The program may fail on a note before it has looked at the step.
    early = signed("ben", Vote(table.file.game, "ben", step + 9, "ab" * 32, "end")).decode()
    assert not is_false(table.file, early, BUG, step)


def test_a_transfer_is_kept_out_by_those_of_its_signer_or_of_new_keys_alone() -> None:
    """Others' leave it room, such as the referee's own, who may sign for any seat."""
    table = Table(3, "facts").join_all()
    too_many, seen = "no-room (14): too many wait", (table.file.step, table.file.head.hex())

    def give(signer: str, seat: str, new: str) -> str:
        note = Transfer(table.file.game, seat, *seen, key_of(new).public.hex)
        return SignedNote.by(key_of(signer), note).armoured

    def refused(note: str, *, final: bool = False) -> bool:
        return not is_false(table.file, note, too_many, table.file.step, final=final)

    mine, strange = give("ana", "ana", "new"), give("stranger", "ana", "stranger")
    for number in range(8):
        table.apply(give("referee", "carl", f"junk {number}"))
    assert not refused(mine)
    assert not refused(strange)
    assert refused(give("referee", "carl", "new"))
    assert not refused(give("referee", "carl", "new"), final=True)
    # But where too many notes wait for what is to come.
    too_many += "\n" + NO_ROOM.removesuffix("\n")
    assert refused(give("referee", "carl", "new"), final=True)
    assert not refused(mine, final=True)
    too_many = too_many.partition("\n")[0]
    for number in range(8):
        assert not refused(mine)
        table.apply(give("ana", "ana", f"own {number}"))
    assert refused(mine)
    assert not refused(give("ana", "ana", "own 7"))
    assert not refused(give("ana", "ben", "new"))
    for number in range(16):
        assert not refused(strange)
        table.apply(give(f"new {number}", "ben", f"new {number}"))
    assert refused(strange)
    (verdict,) = table.apply(strange)
    assert verdict.word == "no-room"
    # One that more have signed leaves room again, at no other step.
    table.apply(give("carl", "ben", "new 0"))
    assert refused(strange)
    (verdict,) = table.apply(strange)
    assert verdict.error is None


@pytest.mark.parametrize("case", [case for case in CASES if "refused" in case])
def test_what_is_rightly_said_of_votes_and_of_seats_that_leave(case: dict[str, Any]) -> None:
    table = Table(3, "facts").join_all()
    *before, (name, play) = [note.split(" ") for note in case["notes"]]
    for words in before:
        say(table, *words)
    note, step = standing_note(table, name, play), table.file.step
    (verdict,) = table.apply(note)
    assert verdict.error is not None
    claim = f"{verdict.error.reason} ({verdict.error.exit_code}): {verdict.error.message}"
    assert not is_false(table.file, note, claim, step)
    assert is_false(table.file, note, "seen-too-early (11): no", step)


def test_what_is_rightly_said_of_notes_of_a_seat_that_has_left() -> None:
    table, ids = at_batch(plans=True)
    name = DecisionId.parse(ids[1]).seat
    move = player.sign_move(table.file, key_of(name), ids[1], table.view(name).suggest()).armoured
    early = standing_note(table, name, "leave")
    assert is_false(table.file, move, "left (11): no", table.file.step)
    say(table, name, "leave")
    step = table.file.step
    assert not is_false(table.file, move, "left (11): no", step)
    assert not is_false(table.file, early, "already-applied (10): no", step)
    assert is_false(table.file, move, "left (11): no", step - 1)
    say(table, name, "back")
    assert not is_false(table.file, move, "left (11): no", step + 1)
    again = standing_note(table, name, "leave")
    assert is_false(table.file, again, "already-applied (10): no", step + 1)


COUNTS = "already-applied (10): this note about ben was applied before"


@pytest.mark.parametrize("play", ["leave", "end"])
def test_what_held_once_excuses_no_later_note(play: str) -> None:
    """A seat that leaves, comes back and leaves again has sent another note than the first."""
    table = Table(3, "facts").join_all()
    say(table, "ben", play)
    first = table.file.step
    say(table, "ben", {"leave": "back", "end": "go-on"}[play])
    note, step = standing_note(table, "ben", play), table.file.step
    assert is_false(table.file, note, COUNTS, step)
    assert is_false(table.file, note, COUNTS, step, since=first)


def test_a_seat_that_goes_back_to_an_earlier_key_does_not_have_it_already() -> None:
    table = Table(3, "facts").join_all()
    old, new = key_of("ben"), key_of("new")

    def give(key: PrivateKey, *signers: PrivateKey, seal: str | None = None) -> list[str]:
        file = table.file
        note = Transfer(file.game, "ben", file.step, file.head.hex(), key.public.hex, seal)
        return [SignedNote.by(signer, note).armoured for signer in signers]

    [again] = give(old, old)
    assert not is_false(table.file, again, COUNTS, table.file.step)
    elsewhere = give(old, old, seal=AgeIdentity(AGE).recipient)[0]
    assert is_false(table.file, elsewhere, COUNTS, table.file.step)
    table.apply(*give(new, old, new))
    [back] = give(old, old)
    assert is_false(table.file, back, COUNTS, table.file.step)
    assert is_false(table.file, back, COUNTS, table.file.step, since=1)
    table.apply(*give(old, old, new))
    assert not is_false(table.file, give(old, old)[0], COUNTS, table.file.step)


@pytest.mark.parametrize(("play", "then"), [("go-on", "end"), ("back", "leave")])
def test_who_says_to_have_seen_what_is_to_come_makes_nobody_a_liar(play: str, then: str) -> None:
    """The note says what held when it was judged, and no longer at the end of the same run."""
    table = Table(3, "facts").join_all()
    file, step = table.file, table.file.step
    kind = Vote if then == "end" else Leave
    far = kind(file.game, "ben", step + 90, "ab" * 32, play)
    early = SignedNote.by(key_of("ben"), far).armoured
    give = Transfer(file.game, "ben", step + 90, "ab" * 32, key_of("ben").public.hex)
    say(table, "ben", then)
    say(table, "ben", "gives")
    for note in (early, SignedNote.by(key_of("stranger"), give).armoured):
        assert not is_false(table.file, note, COUNTS, table.file.step, since=step)


def test_what_is_in_the_log_was_legal() -> None:
    table = Table(2, "facts").join_all()
    decision = table.file.asked_ids()[0]
    play = table.view(table.file.asked[0].seat).suggest()
    note = player.sign_move(table.file, key_of(table.file.asked[0].seat), decision, play).armoured
    table.apply(note)
    assert is_false(table.file, note, "illegal (14): this is no legal answer", 2)
    assert not is_false(table.file, note, "already-applied (10): this counts", 2)


def transferred() -> Table:
    """A seat of a table with a bot has changed hands."""
    table = with_bot()
    for key in (key_of("new"), key_of("ana")):
        table.apply(player.sign_transfer(table.file, "ana", key, key_of("new").public).armoured)
    return table


def with_bot() -> Table:
    """A table of three, one of them a bot."""
    return Table(3, "facts", plans=True, bots={"carl": "easy-1"}).join_all()


def left() -> Table:
    table = with_bot()
    say(table, "ben", "leave")
    return table


TABLES: dict[str, Callable[[], Table]] = {
    "open": lambda: Table(3, "facts", bots={"carl": "easy-1"}, backups=(key_of("stranger"),)),
    "dealt": with_bot,
    "played": lambda: with_bot().play(lambda file: file.step >= 5),
    "transferred": transferred,
    "left": left,
    "finished": lambda: with_bot().rush(),
}
SIGNERS = ("ana", "ben", "new", "stranger", "referee")


def notes_of_all(file: GameFile) -> Iterator[str]:
    """A note of each kind about each seat, that of a bot and one that is not there among them.

    They are signed by players, a stranger and the referee, who have seen the beginning, the newest
    step, or what is to come.
    """
    heads = [head.hex() for head in chain.heads(file)]
    day = datetime.now(UTC).date() + timedelta(days=9)
    keys = {name: key_of(name) for name in SIGNERS} | {"referee": REFEREE}
    steps = sorted({0, file.step, file.step + 3})
    for key, step in itertools.product(keys.values(), steps):
        seen = file.game, step, heads[step] if step < len(heads) else "ab" * 32
        for seat in ("ana", "ben", "carl", "zoe"):
            game, about = file.game, (file.game, seat, *seen[1:])
            notes: list[AnyNote] = [
                Vacation(*about, day, day),
                Vote(*about, "end"),
                Leave(*about, "leave"),
                Leave(*about, "back"),
                Plan(game, seat, 1, *seen[1:], "1" * 64),
                *(Transfer(*about, one.public.hex) for one in keys.values()),
                *(Join(game, seat, heads[0], one.public.hex, "0" * 64) for one in keys.values()),
            ]
            turns = {f"1.1.role.{seat}", *file.asked_ids()[:1]}
            notes += [Move(game, turn, *seen[1:], "role builder") for turn in sorted(turns)]
            for note in notes:
                yield SignedNote.by(key, note).armoured


@pytest.mark.parametrize("name", TABLES)
def test_no_honest_answer_is_called_false(name: str) -> None:
    """Whatever anybody has pushed, then or later: else a note makes the referee a liar for good."""
    table = TABLES[name]()
    file, secret = table.file, opening.deal_secret(table.file, REFEREE)
    answers, session = [], None
    for text in notes_of_all(file):
        session = session or Session.replay(table.file, secret, texts_of(file, REFEREE))
        judge = Judge(session, REFEREE, table.now, 0)
        found = list(find(text))
        verdicts = judge.apply([("note", one) for one in found])
        session = None if judge.changed else session
        pairs = zip(find(text), verdicts, strict=True)
        told = [Judged.of(one, said, file.game) for one, said in pairs]
        if not any(one.counts for one in told):
            final = all(one.final for one in told)
            answers.append((answer_to(told, final=final), text))
    assert len(answers) > 500
    for known in (file, table.join_all().rush().file):
        heads = chain.heads(known)
        facts = Facts(known, heads, PublicNotes(known, heads))
        for answer_, text in answers:
            facts.check("x", answer_, list(find(text)))
