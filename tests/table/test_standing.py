"""Seats that leave and come back, and votes that end a game: what follows, and what is found."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from referee.checking.audit import audit
from referee.checking.compare import compare
from referee.checking.verify import verify
from referee.errors import BadSignature, Damaged, Fork, Stale
from referee.games.errors import Illegal
from referee.games.interface import View
from referee.notes.finding import find
from referee.notes.kinds import Leave, Move, StandingNote, Vote
from referee.playing import player
from referee.refereeing.judging import Judge, Verdict
from referee.table import chain, opening
from referee.table.capacity import MAX_STANDINGS_PER_SEAT
from referee.table.clock import owed_decisions
from referee.table.decisions import DecisionId
from referee.table.gamefile import Entry, GameFile
from referee.table.planreplay import texts_of
from referee.table.replay import Session
from referee.table.signing import signed_text
from referee.table.standing import Standing, left_to_bot
from referee.table.times import DAY, Clock
from tests.table.tables import REFEREE, Table, key_of, load

CASES = tomllib.loads((Path(__file__).parent / "standing.toml").read_text())["case"]
MADE: dict[str, type[Vote | Leave]] = {play: made for made in (Vote, Leave) for play in made.plays}


def said(table: Table, name: str, play: str) -> str:
    """The note as a program signs it that checks nothing."""
    file, key = table.file, key_of(name)
    note: StandingNote = MADE[play](file.game, name, file.step, file.head.hex(), play)
    return note.armoured(key.public, note.sign(key))


def say(table: Table, name: str, play: str) -> Verdict:
    """Apply one note; the verdict on it."""
    if play == "gives":
        signers = (key_of(name), key_of("new"))
        notes = [
            player.sign_transfer(table.file, name, one, key_of("new").public).armoured
            for one in signers
        ]
        return table.apply(*notes)[-1]
    (verdict,) = table.apply(said(table, name, play))
    return verdict


def checked(file: GameFile) -> Standing:
    """The standing that a file passing every check tells."""
    heads = chain.heads(file)
    verify(file, heads)
    audit(file, heads, opening.deal_secret(file, REFEREE), REFEREE)
    return Standing.after(file)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["why"])
def test_what_holds(case: dict[str, Any]) -> None:
    table = Table(3).join_all()
    *before, last = [note.split(" ") for note in case["notes"]]
    for name, play in before:
        assert say(table, name, play).error is None
    verdict = say(table, *last)
    assert (verdict.error.reason if verdict.error else "") == case.get("refused", "")
    file = table.file
    standing = checked(file)
    over = case.get("over", False)
    assert file.status == ("abandoned" if over else "playing")
    if over:
        assert (file.log[-1].decision, file.log[-1].play) == (chain.ABANDON, "vote")
        assert file.revealed_secret is not None
        return
    assert standing.left == case.get("left", [])
    assert standing.voting == case.get("votes", [])
    assert not left_to_bot(file)
    assert {DecisionId.parse(one).seat for one in owed_decisions(file)}.isdisjoint(standing.left)


def batch(file: GameFile) -> bool:
    return len(file.asked) == 4 and not file.pending


def at_batch(plans: bool = False, clock: Clock | None = None) -> tuple[Table, list[str]]:
    """A table of four, all of whom are asked at once; the questions."""
    table = Table(4, "batch", plans=plans, clock=clock).join_all().play(batch)
    return table, table.file.asked_ids()


def test_the_bot_answers_at_once_and_goes_on_answering() -> None:
    table = Table(2).join_all()
    first = table.file.asked[0].seat
    assert say(table, first, "leave").error is None
    for _ in range(6):
        file = table.file
        assert file.status == "playing"
        owed = {DecisionId.parse(one).seat for one in owed_decisions(file)}
        assert len(owed) == 1
        assert first not in owed
        checked(file)
        table.answer(owed_decisions(file)[0])
    mine = [entry for entry in table.file.log if entry.answers_for(first)]
    assert mine
    assert not any(entry.signature for entry in mine)


def test_in_a_batch_the_bot_answers_with_the_last_of_the_others() -> None:
    table, ids = at_batch(clock=Clock(3, "bot", 1, 28))
    seats = [DecisionId.parse(one).seat for one in ids]
    assert say(table, seats[1], "leave").error is None
    assert table.file.asked_ids() == ids
    assert left_to_bot(table.file) == [ids[1]]
    assert set(table.file.due) == {ids[0], *ids[2:]}
    # Who was late is answered for beside it, and who has left is not late.
    table.answer(ids[0])
    late = table.file.due[ids[2]] + 2 * DAY
    table.now = late
    assert [decision for decision, _ in table.expire()] == ids[2:]
    by = {entry.decision: entry.by for entry in table.file.log if entry.decision in ids}
    assert [by[one] for one in ids] == [seats[0], seats[1], "referee", "referee"]
    checked(table.file)


def test_an_answer_that_had_arrived_counts_and_cannot_be_changed() -> None:
    table, ids = at_batch()
    seats = [DecisionId.parse(one).seat for one in ids]
    table.answer(ids[0])
    second = table.note(ids[0], table.view(seats[0]).suggest(), 2)
    assert say(table, seats[0], "leave").error is None
    assert not left_to_bot(table.file)
    (verdict,) = table.apply(second)
    assert verdict.error is not None
    assert verdict.error.reason == "left"
    for one in ids[1:]:
        table.answer(one)
    entry = next(entry for entry in table.file.log if entry.decision == ids[0])
    assert entry.signature
    checked(table.file)


def test_who_is_back_is_asked_the_next_question_and_not_the_one_before() -> None:
    table, ids = at_batch()
    seats = [DecisionId.parse(one).seat for one in ids]
    note = table.note(ids[1], table.view(seats[1]).suggest())
    say(table, seats[1], "leave")
    assert say(table, seats[1], "back").error is None
    assert left_to_bot(table.file) == [ids[1]]
    (verdict,) = table.apply(note)
    assert verdict.error is not None
    assert verdict.error.reason == "left"
    with pytest.raises(Stale, match="came back only since") as caught:
        player.decision_of(table.file, seats[1])
    for error in (caught.value, verdict.error):
        assert error.reason == "left"
        assert error.message.startswith(f"{ids[1]} is left to the table's bot")
        assert "--back" not in error.hint
    for one in (ids[0], *ids[2:]):
        table.answer(one)
    checked(table.file)
    while not any(one.seat == seats[1] for one in table.file.asked):
        table.answer(owed_decisions(table.file)[0])
    assert any(DecisionId.parse(one).seat == seats[1] for one in owed_decisions(table.file))


def test_the_last_seat_of_a_batch_that_leaves_lets_it_take_effect() -> None:
    table, ids = at_batch()
    for one in ids[:3]:
        table.answer(one)
    assert say(table, DecisionId.parse(ids[3]).seat, "leave").error is None
    assert all(one in {entry.decision for entry in table.file.log} for one in ids)
    checked(table.file)


def test_plans_of_a_seat_that_leaves_are_void() -> None:
    table = Table(3, "files", plans=True).join_all()
    first, second, third = table.file.seating
    keep = "always councillor: best"
    table.apply(table.plan(first, keep), table.plan(second, keep, number=2))
    table.apply(table.note(table.file.asked_ids()[0], "role councillor"))
    assert {one.plan for one in table.file.pending} == {1, 2}
    late = table.plan(second, keep, number=3)
    table.apply(late)
    say(table, second, "leave")
    assert not any(one.waits for one in table.file.plans)
    assert [one.plan for one in table.file.pending] == [1, 2]
    checked(table.file)
    for note in (late, table.plan(second, keep, number=4)):
        (verdict,) = table.apply(note)
        assert verdict.error is not None
    say(table, second, "back")
    (verdict,) = table.apply(late)
    assert verdict.error is not None
    assert verdict.error.reason == "seen-too-early"
    assert third
    assert table.apply(table.plan(second, keep, number=5))[0].error is None
    table.play_out()
    checked(table.file)


def test_a_note_that_was_taken_back_does_not_count_again() -> None:
    """Nor does another of the same words, signed before it was taken back."""
    table = Table(3).join_all()
    early = said(table, "ana", "end")
    table.answer(owed_decisions(table.file)[0])
    say(table, "ana", "end")
    say(table, "ana", "go-on")
    (verdict,) = table.apply(early)
    assert verdict.error is not None
    assert verdict.error.reason == "seen-too-early"
    again = table.notes[-2]
    (verdict,) = table.apply(again)
    assert verdict.error is not None
    assert verdict.error.reason == "already-applied"


@pytest.mark.parametrize(("made", "plays"), [(Vote, Vote.plays), (Leave, Leave.plays)])
def test_there_is_an_end_to_saying_so(made: type[Vote | Leave], plays: tuple[str, str]) -> None:
    table = Table(3).join_all()
    for count in range(MAX_STANDINGS_PER_SEAT):
        assert say(table, "ana", plays[count % 2]).error is None
    verdict = say(table, "ana", plays[0])
    assert verdict.error is not None
    assert verdict.error.reason == "illegal"
    seat = table.file.seat("ana")
    assert seat is not None
    with pytest.raises(Illegal, match="as often as it can"):
        player.sign_standing(table.file, seat, key_of("ana"), made, back=False)
    checked(table.file)


def test_before_the_deal_and_after_the_end_nobody_votes() -> None:
    table = Table(2)
    seat = table.file.seats[0]
    with pytest.raises(Stale):
        player.sign_standing(table.file, seat, key_of("ana"), Vote, back=False)
    (verdict,) = table.apply(said(table, "ana", "end"))
    assert verdict.error is not None
    assert verdict.error.reason in ("not-open", "fork", "bad-signature")
    table.join_all()
    for name in ("ana", "ben"):
        say(table, name, "end")
    verdict = say(table, "ana", "go-on")
    assert verdict.error is not None
    assert verdict.error.reason == "game-over"


def test_nobody_speaks_for_another_seat() -> None:
    table = Table(2).join_all()
    file, ben = table.file, key_of("ben")
    note = Leave(file.game, "ana", file.step, file.head.hex(), "leave")
    (verdict,) = table.apply(note.armoured(ben.public, note.sign(ben)))
    assert verdict.error is not None
    assert verdict.error.reason == "bad-signature"


def test_notes_in_one_run_are_those_one_after_the_other() -> None:
    heads = set()
    for together in (True, False):
        table = Table(3).join_all()
        first = [said(table, "ana", "end"), said(table, "ben", "leave")]
        for notes in [first] if together else [[one] for one in first]:
            table.apply(*notes)
        heads.add(table.file.head)
    assert len(heads) == 1


# What a referee might do about it, and which command finds it.

Change = Callable[[Table], tuple[GameFile, GameFile]]


def test_what_was_said_before_a_later_answer_or_a_leave_does_not_count() -> None:
    """It may have been held back, or refused, and its author no longer means it."""
    table = Table(3).join_all()
    early = [said(table, "ana", play) for play in ("end", "leave")]
    first = table.file.step
    table.play(lambda now: seen_by("ana", now) > first)
    verdicts = table.apply(*early)
    vote = said(table, "ana", "end")
    say(table, "ana", "leave")
    say(table, "ana", "back")
    verdicts += table.apply(vote)
    reasons = [one.error.reason if one.error else "" for one in verdicts]
    assert reasons == ["seen-too-early"] * 3
    checked(table.file)


def test_what_was_said_before_a_later_plan_does_not_count() -> None:
    table = Table(3, plans=True).join_all()
    name = table.file.seating[2]
    early = said(table, name, "end")
    table.apply(table.note(table.file.asked_ids()[0], "role prospector"))
    table.apply(table.plan(name, "builder: pass"))
    table.apply(table.note(table.file.asked_ids()[0], "role trader"))
    assert [entry.decision for entry in table.file.log if entry.by == name] == [f"0.1.plan.{name}"]
    (verdict,) = table.apply(early)
    assert verdict.error is not None
    assert verdict.error.reason == "seen-too-early"
    checked(table.file)


def test_audit_finds_a_bot_that_answers_in_the_place_of_a_plan() -> None:
    """The answer of the plan waited in the file that whoever left had seen."""
    table = Table(3, "files", plans=True).join_all()
    name = table.file.seating[1]
    table.apply(table.plan(name, "always councillor: keep rank"))
    table.apply(table.note(table.file.asked_ids()[0], "role councillor"))
    file = table.file
    assert [DecisionId.parse(one.decision).seat for one in file.pending if one.plan] == [name]
    say(table, name, "leave")
    secret = opening.deal_secret(file, REFEREE)
    session = Session.replay(table.file, secret, texts_of(table.file, REFEREE))
    session.file.pending.clear()
    for one in session.decisions():
        if one.seat == name:
            session.accept(one.id, name, session.bot_play(one.id), file.step, b"")
        else:
            play = session.view(one.seat).suggest()
            move = Move(file.game, one.id, file.step, file.head.hex(), play)
            session.accept(one.id, one.seat, play, file.step, move.sign(key_of(one.seat)))
    session.refresh()
    bent = load(signed_text(session.file, REFEREE))
    verify(bent, chain.heads(bent))
    with pytest.raises(Damaged, match="was left to the bot, and its seat had a plan"):
        audit(bent, chain.heads(bent), secret, REFEREE)


def by_hand(table: Table, *entries: tuple[str, str, str, bool]) -> GameFile:
    """The file with these entries more: decision, seat, play, and if the seat has signed."""
    file = table.file
    session = Session.replay(file, opening.deal_secret(file, REFEREE))
    for decision, by, play, signs in entries:
        seen, signature = file.step, b""
        if signs:
            kind = MADE[play]
            signature = kind(file.game, by, seen, session.head.hex(), play).sign(key_of(by))
        session.accept(decision, by, play, seen, signature)
    session.refresh()
    return load(signed_text(file, REFEREE))


def goes_on_after_the_vote(table: Table) -> GameFile:
    votes = [("0.1.vote.ana", "ana"), ("0.2.vote.ben", "ben")]
    return by_hand(table, *((id_, name, "end", True) for id_, name in votes))


def ends_without_votes(table: Table) -> GameFile:
    return by_hand(table, (chain.ABANDON, "referee", "vote", False))


def ends_by_will_what_all_have_ended(table: Table) -> GameFile:
    votes = [("0.1.vote.ana", "ana"), ("0.2.vote.ben", "ben")]
    entries = [(id_, name, "end", True) for id_, name in votes]
    return by_hand(table, *entries, (chain.ABANDON, "referee", "abandon", False))


def invents_a_leave(table: Table) -> GameFile:
    return by_hand(table, ("0.1.leave.ana", "ana", "leave", False))


def says_it_twice(table: Table) -> GameFile:
    return by_hand(
        table, ("0.1.vote.ana", "ana", "end", True), ("0.2.vote.ana", "ana", "end", True)
    )


def counts_wrongly(table: Table) -> GameFile:
    return by_hand(table, ("0.2.vote.ana", "ana", "end", True))


def answers_for_who_is_there(table: Table) -> GameFile:
    one = table.file.asked[0]
    return by_hand(table, (one.id, one.seat, table.view(one.seat).suggest(), False))


def brings_a_vote_late(table: Table) -> GameFile:
    """A vote that was held back until its author, who had seen more, had answered."""
    first = table.file
    vote = Vote(first.game, "ana", first.step, first.head.hex(), "end").sign(key_of("ana"))
    file = table.play(lambda now: seen_by("ana", now) > first.step).file
    session = Session.replay(file, opening.deal_secret(file, REFEREE))
    session.accept("0.1.vote.ana", "ana", "end", first.step, vote)
    session.refresh()
    return load(signed_text(file, REFEREE))


def counts_the_answer_of_a_bot(table: Table) -> GameFile:
    """As if its seat had changed an answer that waited."""
    seat = table.file.asked[0].seat
    assert say(table, seat, "leave").error is None
    file = table.file
    entry = next(one for one in file.log if one.by == seat and not one.signature)
    entry.then = ("answer 2", *entry.then)
    file.head = chain.heads(file)[-1]
    return load(signed_text(file, REFEREE))


def seen_by(name: str, file: GameFile) -> int:
    """The last step that a seat had seen when it signed an answer."""
    return max((one.seen for one in file.log if one.by == name and one.signature), default=0)


@pytest.mark.parametrize(
    "cheat",
    [
        brings_a_vote_late,
        counts_the_answer_of_a_bot,
        goes_on_after_the_vote,
        ends_without_votes,
        ends_by_will_what_all_have_ended,
        invents_a_leave,
        says_it_twice,
        counts_wrongly,
        answers_for_who_is_there,
    ],
    ids=lambda cheat: cheat.__name__.replace("_", " "),
)
def test_verify_finds(cheat: Callable[[Table], GameFile]) -> None:
    file = cheat(Table(2).join_all())
    with pytest.raises((Damaged, BadSignature)):
        verify(file, chain.heads(file))


def worst(view: View) -> str:
    """A legal answer that the bot does not give."""
    return next(choice.play for choice in view.choices() if choice.play != view.suggest())


def test_audit_finds_an_answer_that_is_not_the_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table(2).join_all()
    with monkeypatch.context() as patch:
        patch.setattr(
            Session,
            "bot_play",
            lambda self, decision: worst(self.view(DecisionId.parse(decision).seat)),
        )
        say(table, table.file.asked[0].seat, "leave")
    file = table.file
    verify(file, chain.heads(file))
    with pytest.raises(Damaged, match="was not answered as greedy-1 answers"):
        audit(file, chain.heads(file), opening.deal_secret(file, REFEREE), REFEREE)


def test_compare_finds_an_answer_that_came_too_late() -> None:
    """The referee takes an old note of who has left in place of the bot's answer."""
    table, ids = at_batch()
    seats = [DecisionId.parse(one).seat for one in ids]
    notes = [
        table.note(one, table.view(seat).suggest()) for one, seat in zip(ids, seats, strict=True)
    ]
    say(table, seats[0], "leave")
    old = table.file
    session = Session.replay(table.file, opening.deal_secret(old, REFEREE))
    judge = Judge(session, REFEREE, table.now)
    judge._are_for_bots = lambda decisions: False  # type: ignore[method-assign]
    found = [one for note in notes[1:] for one in find(note)]
    judge.apply([("x", one) for one in found])
    opened = chain.asking_step(old, ids[0])
    for at, one in enumerate(ids):
        signed = find(notes[at])[0].signed or judge._unsealed(find(notes[at])[0]).signed
        assert signed is not None
        move = signed.note
        session.accept(one, seats[at], move.fields["play"], opened, signed.raw64)
    session.refresh()
    session.file.pending = []
    new = load(signed_text(session.file, REFEREE))
    verify(new, chain.heads(new))
    with pytest.raises(Fork, match="left to the table's bot"):
        compare(old, chain.heads(old), new, chain.heads(new))


def test_an_honest_file_follows_from_the_one_before() -> None:
    table, ids = at_batch()
    files = [table.file]
    table.answer(ids[0])
    files.append(table.file)
    for index, play in ((0, "leave"), (1, "leave"), (1, "back"), (2, "end")):
        say(table, DecisionId.parse(ids[index]).seat, play)
        files.append(table.file)
    for one in ids[2:]:
        table.answer(one)
        files.append(table.file)
    for at, old in enumerate(files):
        for new in files[at + 1 :]:
            compare(old, chain.heads(old), new, chain.heads(new))


def test_a_seat_that_left_changes_hands_while_the_others_think() -> None:
    """The bot's answer is to a question from before, and nobody's key has given it."""
    table, ids = at_batch()
    name = DecisionId.parse(ids[0]).seat
    say(table, name, "leave")
    say(table, name, "gives")
    old = table.file
    for one in ids[1:]:
        table.answer(one)
    new = table.file
    checked(new)
    compare(old, chain.heads(old), new, chain.heads(new))


def test_an_entry_keeps_its_note() -> None:
    table = Table(2).join_all()
    say(table, "ana", "end")
    entry: Entry = table.file.log[-1]
    assert (entry.decision, entry.by, entry.play, entry.then) == ("0.1.vote.ana", "ana", "end", ())
