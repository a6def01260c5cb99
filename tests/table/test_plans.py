"""Plans: answers given ahead take effect once they are asked for, and everybody can check them."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from contextlib import nullcontext, suppress
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from referee.checking.audit import audit
from referee.checking.compare import compare
from referee.checking.verify import verify
from referee.crypto.sealing import unseal
from referee.errors import BadSignature, Damaged, Fork, NoKey, Stale
from referee.games import all_games
from referee.games.errors import GameError, Illegal, NotUnderstood
from referee.games.plans import Language
from referee.notes.finding import find
from referee.notes.kinds import Plan
from referee.notes.plantext import KEPT_BLOCK, SENT_BLOCK, PlanText, plan_salt, sealed_with
from referee.notes.signed import SignedNote
from referee.playing import player
from referee.refereeing.judging import Judge, Verdict
from referee.table import chain, opening, views
from referee.table.ahead import invited, next_turns
from referee.table.decisions import DecisionId
from referee.table.filetext import parse
from referee.table.gamefile import Seat
from referee.table.planreplay import Planning, plan_language, texts_of
from referee.table.plans import MAX_IN_A_ROW, MAX_PLANS, InForce, is_plan, plan_behind
from referee.table.replay import Session
from referee.table.rules import rules_for
from referee.table.times import BOT, DAY, Clock
from tests.games import fullest
from tests.games.test_plans import random_plan
from tests.table.tables import REFEREE, Table, key_of, laid_out, load, seats_of

SUBJECTS = ("builder", "trader", "producer", "councillor")
AGE = "age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p"
BEST = tuple(f"always {kind}: best" for kind in SUBJECTS)
ROLES = "role: best"


def accept(table: Table, *notes: str) -> list[Verdict]:
    verdicts = table.apply(*notes)
    assert [one.error for one in verdicts] == [None] * len(notes)
    return verdicts


def sealed(
    table: Table,
    name: str,
    text: PlanText | None = None,
    *,
    clauses: tuple[str, ...] = ("role: ask",),
    number: int = 1,
    by: str = "",
    step: int | None = None,
    head: str = "",
) -> str:
    """A plan as a program might send it that does not look what it says."""
    file = table.file
    key = key_of(by or name)
    right = PlanText(plan_salt(key, file.game, name, number), clauses)
    hashed = right.hash(file.game, name, number).hex()
    seen = file.step if step is None else step
    note = Plan(file.game, name, number, seen, head or file.head.hex(), hashed)
    return sealed_with(SignedNote.by(key, note), text or right, file.referee)


def bare(table: Table, name: str) -> str:
    """A plan without what its hash stands for."""
    signed, _ = player.sign_plan(table.file, one(table, name), key_of(name), ("role: ask",))
    return signed.armoured


def one(table: Table, name: str) -> Seat:
    found = table.file.seat(name)
    assert found is not None
    return found


def subjects(table: Table) -> list[str]:
    """The subjects of clauses at a table that stand for questions."""
    file = table.file
    language = plan_language(file, rules_for(file))
    assert isinstance(language, Language)
    return [name for name, one in language.subjects.items() if one.kinds]


def table_of(seats: int = 2, seed: str = "plans", **more: object) -> Table:
    return Table(seats, seed, plans=True, **more).join_all()  # type: ignore[arg-type]


def answer(table: Table, *play: str) -> Verdict:
    """The first seat that owes an answer gives it: this one, or the bot's."""
    waiting = {one.decision for one in table.file.pending}
    decision = next(one for one in table.file.asked_ids() if one not in waiting)
    (verdict,) = table.answer(decision, *(lambda view, one=one: view.read(one) for one in play))
    assert verdict.error is None
    return verdict


def check_all(table: Table) -> None:
    """Check files as everybody can who has older ones, and the last one as its referee."""
    files = [load(text) for text in table.texts]
    for file in files[:: 1 + len(files) // 9]:
        verify(file, chain.heads(file))
    for old, new in list(pairwise(files))[:: 1 + len(files) // 9]:
        assert compare(old, chain.heads(old), new, chain.heads(new)).relation == "newer"
    file = table.file
    secret = opening.deal_secret(file, REFEREE)
    audit(file, chain.heads(file), secret, REFEREE)


@pytest.mark.parametrize("game", all_games())
def test_a_game_in_which_all_plan_is_the_one_in_which_they_answer(game: str) -> None:
    """Every kind of question is answered as the bot does, for some time in a row only by plans."""
    rules = fullest(game)
    table = table_of(rules=rules)
    best = tuple(f"always {kind}: best" for kind in subjects(table))
    accept(table, *(table.plan(name, *best) for name in table.file.seating))
    table.play_out()
    whole = Table(2, "plans", plans=True, rules=rules).join_all().rush().file
    answers = [(one.decision, one.play) for one in table.file.log if one.answers_for(one.by)]
    assert answers == [(one.decision, one.play) for one in whole.log if one.answers_for(one.by)]
    assert len(table.texts) < len(answers) / 5
    check_all(table)


def test_phases_planned_ahead() -> None:
    """Roles are chosen as they come up, all else follows; every player can check what did."""
    table = table_of(4)
    accept(table, *(table.plan(name, *BEST) for name in table.file.seating))
    table.play_out()
    planned = [entry for entry in table.file.log if plan_behind(entry)]
    assert len(planned) > 2 * len(table.texts)
    check_all(table)


def test_a_plan_waits_until_the_next_answer_takes_effect() -> None:
    """So it never answers a question that is open when it comes."""
    table = table_of()
    first, second = table.file.seating
    accept(table, table.plan(first, "role: best", *BEST), table.plan(second, *BEST))
    waits = table.file
    assert [(one.seat, one.number, one.waits) for one in waits.plans] == [
        (name, 1, True) for name in seats_of(waits)
    ]
    assert waits.step == 1
    assert waits.asked_ids() == [f"1.1.role.{first}"]
    answer(table, "role builder")
    log = table.file.log
    assert [entry.decision for entry in log[1:4]] == [
        f"0.1.plan.{first}",
        f"0.2.plan.{second}",
        f"1.1.role.{first}",
    ]
    assert [plan_behind(entry) for entry in log[4:6]] == [1, 1]
    assert log[4].then[0] == "plan 1"
    assert not log[4].signature
    assert log[4].seen == 4
    check_all(table)


def test_the_newest_plan_counts_whatever_comes_first() -> None:
    table = table_of()
    name = table.file.seating[0]
    one, two, other = (
        table.plan(name, *BEST, number=1),
        table.plan(name, number=2),
        table.plan(name, "role: ask", number=2),
    )
    old, new = table.apply(one, two)
    assert isinstance(old.error, Stale)
    assert old.error.reason == "older-plan"
    assert not new.error
    again, late, else_ = table.apply(two, one, other)
    assert again.word == "already-applied"
    assert isinstance(late.error, Stale)
    assert isinstance(else_.error, Stale)
    answer(table)
    again, late = table.apply(two, one)
    assert again.word == "already-applied"
    assert isinstance(late.error, Stale)
    assert [entry.play.split()[1] for entry in table.file.log if is_plan(entry.decision)] == ["2"]


def test_a_note_takes_the_place_of_what_was_planned() -> None:
    """While others are still asked; a new plan does not."""
    table = table_of(4)
    seats = table.file.seating
    accept(table, *(table.plan(name, *BEST) for name in seats[:2]))
    answer(table, "role councillor")
    file = table.file
    assert [(one.decision, one.plan) for one in file.pending] == [
        (f"1.1.keep.{name}", 1) for name in seats[:2]
    ]
    assert set(file.due) <= {f"1.1.keep.{name}" for name in seats[2:]}
    accept(table, table.plan(seats[0], "always councillor: ask"))
    assert [one.plan for one in table.file.pending] == [1, 1]
    mine = f"1.1.keep.{seats[0]}"
    (verdict,) = table.answer(mine)
    assert verdict.word.startswith("accepted in place of the planned answer; waiting for ")
    assert [one.plan for one in table.file.pending] == [0, 1]
    answer(table), answer(table)
    log = {entry.decision: entry for entry in table.file.log}
    assert log[mine].signature
    assert plan_behind(log[f"1.1.keep.{seats[1]}"]) == 1
    check_all(table)


@pytest.mark.parametrize("first", ["move", "plan"])
def test_a_move_and_a_plan_for_what_follows(first: str) -> None:
    """The builder of a role builds in the same step, in whichever order the notes are judged."""
    table = table_of()
    name = table.file.seating[0]
    notes = [
        table.note(f"1.1.role.{name}", "role builder"),
        table.plan(name, "builder: pass"),
    ]
    accept(table, *(notes if first == "move" else notes[::-1]))
    assert [entry.play for entry in table.file.log if entry.by == name][-2:] == [
        "role builder",
        "pass",
    ]


def turn_of(table: Table, name: str) -> None:
    """Play until a seat is asked for a role again."""
    while DecisionId.parse(table.file.asked_ids()[0])[2:] != ("role", name):
        answer(table)


def planned_by(table: Table, name: str) -> list[str]:
    """The decisions that plans of a seat have answered."""
    return [entry.decision for entry in table.file.log if entry.by == name and plan_behind(entry)]


def test_turn_clauses_live_until_the_turn_is_over() -> None:
    """That is until a question of the turn, put after what the plan had seen, has its answer; if
    the plan has given that, until the next such question."""
    table = table_of()
    name = table.file.seating[0]
    accept(table, table.plan(name, *(f"{kind}: best" for kind in subjects(table))))
    answer(table, "role councillor")
    while not any(".role." in decision for decision in planned_by(table, name)):
        answer(table)
    turn_of(table, name)
    planned = planned_by(table, name)
    assert sum(".role." in decision for decision in planned) == 1
    for _ in range(9):
        answer(table)
    assert planned_by(table, name) == planned
    check_all(table)


def test_a_plan_that_comes_late_has_no_turn_clauses_any_more() -> None:
    """Here the seat has chosen another role since it saw what the plan was made for."""
    table = table_of()
    _first, second = table.file.seating
    answer(table, "role councillor")
    late = table.plan(second, "builder: best", "always trader: best")
    turn_of(table, second)
    answer(table)
    accept(table, late)
    while not planned_by(table, second):
        answer(table)
    table.play(lambda file: file.step > 60)
    kinds = {DecisionId.parse(decision).kind for decision in planned_by(table, second)}
    assert kinds == {"sell"}
    assert any(entry.decision.endswith(f".build.{second}") for entry in table.file.log)
    check_all(table)


@pytest.mark.parametrize("seals", [False, True])
def test_a_plan_ends_with_its_key(seals: bool) -> None:
    """But not where only the recipient of the hands changes."""
    table = table_of()
    first, second = table.file.seating
    accept(table, *(table.plan(name, ROLES, *BEST, number=3) for name in (first, second)))
    before, mine = table.file, key_of(first)
    new = mine if seals else key_of("nadia")
    seal_to = AGE if seals else ""
    for key in {mine, new}:
        accept(table, player.sign_transfer(before, first, key, new.public, seal_to).armoured)
    waiting = [one.seat for one in table.file.plans]
    assert waiting == ([first, second] if seals else [second])
    file = table.file
    note = player.sign_move(file, new, file.asked_ids()[0], "role prospector")
    accept(table, note.armoured)
    planned = [entry.by for entry in table.file.log if plan_behind(entry)]
    assert (first in planned) == seals
    assert second in planned
    with pytest.raises(Stale if seals else BadSignature):
        raise_first(table.apply(table.plan(first, *BEST, number=2)))
    check_all(table)


@pytest.mark.parametrize("clauses", [("role: ask",), ()])
def test_who_gets_a_seat_is_not_shown_the_plan_of_who_had_it(clauses: tuple[str, ...]) -> None:
    """The question that is open was put under that; the new holder opens its hand all the same."""
    table = table_of()
    seat = table.file.seating[1]
    accept(table, table.plan(seat, *clauses))
    answer(table, "role builder")
    while table.file.asked[0].seat != seat:
        answer(table)
    file, new = table.file, key_of("nadia")
    for key in (key_of(seat), new):
        accept(table, player.sign_transfer(file, seat, key, new.public).armoured)
    file = table.file
    assert views.open_hand(file, player.my_seat(file, new.public), new).cards
    check_all(table)


def raise_first(verdicts: list[Verdict]) -> None:
    if verdicts[0].error is not None:
        raise verdicts[0].error


def test_a_plan_goes_before_who_answers_for_the_late() -> None:
    table = table_of(clock=Clock(3, BOT, 1))
    first, second = table.file.seating
    accept(table, table.plan(second, *BEST))
    table.now += 5 * DAY
    assert [decision for decision, _ in table.expire()] == [f"1.1.role.{first}"]
    assert all(entry.by != "referee" for entry in table.file.log[3:] if entry.by == second)
    check_all(table)


def test_a_plan_rests_when_it_has_answered_often_enough() -> None:
    """So its owner has no more to check at once; a note of the seat's lets it go on."""
    table = table_of()
    best = [f"always {kind}: best" for kind in subjects(table)]
    accept(table, *(table.plan(name, *best) for name in table.file.seating))
    answer(table)
    first = table.file
    for name in first.seating:
        answers = [one for one in first.log if one.by == name and plan_behind(one)]
        assert len(answers) <= MAX_IN_A_ROW
    assert first.asked
    assert any(
        sum(one.by == name for one in first.log if plan_behind(one)) == MAX_IN_A_ROW
        for name in first.seating
    )
    answer(table)
    assert table.file.step > first.step + 1
    check_all(table)


@pytest.mark.parametrize(
    ("sent", "error"),
    [
        (lambda table, name: bare(table, name), NotUnderstood),
        (
            lambda table, name: sealed(table, name, PlanText(bytes(32), ("role: ask",))),
            NotUnderstood,
        ),
        (lambda table, name: sealed(table, name, clauses=("role:ask",)), NotUnderstood),
        (lambda table, name: sealed(table, name, clauses=("role: fly",)), NotUnderstood),
        (lambda table, name: sealed(table, name, number=9 + 4 * table.file.step), NotUnderstood),
        (lambda table, name: sealed(table, name, by="ben"), BadSignature),
        (lambda table, name: sealed(table, name, step=9), Stale),
        (lambda table, name: sealed(table, name, head="0" * 64), Fork),
    ],
    ids=["no text", "another text", "another form", "no clause", "number", "key", "ahead", "fork"],
)
def test_a_plan_is_refused(sent: Callable[[Table, str], str], error: type[GameError]) -> None:
    """Nothing that is said of its text names anything that is in it."""
    table = table_of()
    before = table.text
    (verdict,) = table.apply(sent(table, "ana"))
    assert isinstance(verdict.error, error)
    assert "fly" not in f"{verdict.error}"
    assert table.text == before


def test_where_no_plan_is_taken() -> None:
    for table, error in ((Table(2).join_all(), Illegal), (Table(2, plans=True), Stale)):
        with pytest.raises(error):
            table.plan("ana", "role: ask")
        with pytest.raises(error):
            raise_first(table.apply(sealed(table, "ana", clauses=("role: ask",))))


def test_too_much_in_one_plan_is_refused_by_its_author() -> None:
    table = table_of()
    with pytest.raises(NotUnderstood, match="characters too long"):
        table.plan("ana", *(f"always {kind}: play {'library ' * 40}".strip() for kind in SUBJECTS))


NOBODY: dict[str, Callable[[dict[str, Any]], None]] = {
    "too many": lambda body: body["game"].update(ahead=2),
    "none": lambda body: body["game"].update(ahead=0),
    "no plans": lambda body: body["game"].pop("plans"),
    "the referee's seat": lambda body: body["seats"].__setitem__(
        0, tomllib.loads(Table(2, me="ana", me_key=key_of("ana")).text)["seats"][0]
    ),
}


@pytest.mark.parametrize("what", NOBODY)
def test_a_table_that_cannot_invite_seats_to_plan_is_refused(what: str) -> None:
    table = Table(2, plans=True, ahead=1)
    assert parse(table.text.encode())[0].ahead == 1
    body = tomllib.loads(table.text)
    NOBODY[what](body)
    with pytest.raises(Damaged, match=r"game\.ahead: "):
        parse(laid_out(body).encode())


def test_who_comes_next_is_invited_until_it_has_planned_its_turn() -> None:
    table = Table(3, "ahead", plans=True, ahead=1).join_all()
    _, ben, carl = table.file.seating
    assert (next_turns(table.file), invited(table.file)) == ([ben], {ben: 0})
    table.apply(table.plan(ben, "builder: best"))
    assert invited(table.file) == {}
    role = table.file.asked_ids()[0]
    table.apply(table.note(role, "role prospector"))
    # Now ben is asked, for its plan was for the phases alone.
    assert invited(table.file) == {carl: 0}
    table.apply(table.note(table.file.asked_ids()[0], "role councillor"))
    table.play(lambda file: file.table["chooser"] == carl)
    assert invited(table.file) == {ben: 1}


def test_nobody_is_invited_once_the_referee_has_a_seat() -> None:
    table = Table(2, plans=True, ahead=1).join_all()
    assert next_turns(table.file) != []
    for key in (key_of("ana"), REFEREE):
        table.apply(player.sign_transfer(table.file, "ana", key, REFEREE.public).armoured)
    assert (table.file.referee_plays, next_turns(table.file)) == (True, [])


def test_ten_thousand_plans_are_one_entry() -> None:
    """Only the one with the highest number is kept, and a seat has so many in the log."""
    table = table_of()
    name = table.file.seating[0]
    table.apply(*(table.plan(name, number=number) for number in range(1, 12)))
    assert [(one.seat, one.number) for one in table.file.plans] == [(name, 11)]
    size = len(table.text)
    while sum(is_plan(entry.decision) for entry in table.file.log) < MAX_PLANS:
        accept(table, table.plan(name))
        answer(table)
    assert len(table.text) - size < MAX_PLANS * 4_000
    with pytest.raises(Illegal, match=f"planned {MAX_PLANS} times"):
        raise_first(table.apply(table.plan(name)))
    check_all(table)


def test_ten_thousand_plans_in_one_run() -> None:
    """Whatever order they come in, the highest number counts, and the file has that one alone."""
    table = table_of()
    name = table.file.seating[0]
    notes = [table.plan(name, number=number) for number in range(1, 13)]
    found = [one for note in notes for one in find(note)] * 834
    Random(1).shuffle(found)
    file = table.file
    judge = Judge(Session.replay(file, opening.deal_secret(file, REFEREE)), REFEREE, table.now)
    verdicts = judge.apply([("note", one) for one in found])
    assert len(verdicts) > 10_000
    assert sum(one.error is None for one in verdicts) == 1
    table._write(judge.session)
    assert [(one.seat, one.number) for one in table.file.plans] == [(name, 12)]
    assert len(table.file.log) == 1


@pytest.mark.parametrize("game", all_games())
def test_whatever_is_planned_the_game_goes_on(game: str) -> None:
    """Plans made at random block nothing, and nothing is asked or answered twice."""
    rules = fullest(game)
    random = Random(f"on {game}")
    table = table_of(seed=f"on {game}", rules=rules)
    language = plan_language(table.file, rules)
    assert isinstance(language, Language)
    answers = 0
    for _ in range(40):
        file = table.file
        if not file.asked or file.step > 150:
            break
        arrived = {one.decision for one in file.pending}
        owed = [one for one in file.asked_ids() if one not in arrived]
        assert owed
        notes = [table.note(one, table.view(DecisionId.parse(one).seat).suggest()) for one in owed]
        for name in random.sample(file.seating, random.randint(0, 2)):
            plan = random_plan(language, random)
            if sum(map(len, plan)) < 500:
                notes.append(table.plan(name, *plan))
        random.shuffle(notes)
        accept(table, *notes)
        answers += len(owed)
        # Whoever owed an answer has given it, and nobody had to give another.
        decided = [one.decision for one in table.file.log]
        assert len(set(decided)) == len(decided)
        assert set(owed) <= {*decided, *(one.decision for one in table.file.pending)}
    assert any(plan_behind(entry) for entry in table.file.log)
    assert table.file.step > answers
    file = table.file
    if file.status == "playing":
        session = Session.replay(
            file, opening.deal_secret(file, REFEREE), texts_of(file, REFEREE), audit=True
        )
        session.abandon()
        session.file.status = "abandoned"
        table._write(session)
    check_all(table)


def test_what_contradicts_itself_answers_as_the_first_clause_says() -> None:
    """Clauses of a turn and others, and roles one of which cannot be had."""
    table = table_of()
    second = table.file.seating[1]
    roles = ("role: builder if after builder and 1 cards, else trader", "always role: producer")
    with pytest.raises(NotUnderstood, match="cannot be taken after it was taken"):
        table.plan(second, *roles)
    accept(
        table,
        table.plan(second, "builder: pass", "always builder: best", "role: trader, else builder"),
    )
    answer(table, "role builder")
    answer(table)
    plays = [entry.play for entry in table.file.log if entry.answers_for(second)]
    assert plays[:2] == ["pass", "role trader"]
    check_all(table)


def test_whole_files_do_not_tell_what_was_planned() -> None:
    """Of two plans with the same answers nothing differs but hashes, signatures and blocks."""
    texts = []
    for clauses in (
        ("builder: pass",),
        ("rank: palace library tower", "builder: build rank if 50 cards, else pass", "tidy: ask"),
    ):
        table = table_of(seed="whole")
        accept(table, table.plan(table.file.seating[1], *clauses))
        answer(table, "role builder")
        while ".role." not in table.file.asked_ids()[0]:
            answer(table)
        answer(table)
        texts.append([masked(text) for text in table.texts])
    assert texts[0] == texts[1]


def masked(text: str) -> str:
    """A game file with sizes in place of what differs from one table to the next."""

    def size(found: re.Match[str]) -> str:
        return f"<{len(found[0])}>"

    def opened(found: re.Match[str]) -> str:
        # age adds to its blocks at random.
        for key in (REFEREE, key_of("ana"), key_of("ben")):
            with suppress(NoKey):
                return f"<{len(unseal(found[0], key))}>"
        raise AssertionError(found[0])

    text = re.sub(r"-----BEGIN AGE[^\0]*?END AGE ENCRYPTED FILE-----\n", opened, text)
    return re.sub(r"[0-9a-zA-Z+/=]{40,}", size, text)


def test_public_bytes_do_not_tell_what_was_planned() -> None:
    """No size, and no word of a clause; not even if it says nothing, or is withdrawn."""
    sizes = set()
    for clauses in ((), ("role: ask",), (ROLES, *BEST)):
        table = table_of(seed="leak")
        note = table.plan(table.file.seating[1], *clauses)
        accept(table, note)
        kept = table.file.plans[0].sealed
        sizes.add((len(unseal(note, REFEREE)), len(unseal(kept, REFEREE))))
        assert unseal(kept, key_of(table.file.seating[1])) == unseal(kept, REFEREE)
    assert sizes == {(SENT_BLOCK, KEPT_BLOCK)}


# A referee that does not keep to the plans.


def honest(plans: Planning, decision: str, under: InForce) -> str:
    seat = DecisionId.parse(decision).seat
    text = plans.texts[seat, under.number]
    assert plans.language is not None
    return plans.language.evaluate(text.clauses, plans._view(seat), under.turn_alive) or ""


def invents(plans: Planning, decision: str, under: InForce) -> str:
    return honest(plans, decision, under) or plans._view(DecisionId.parse(decision).seat).suggest()


def leaves_out(plans: Planning, decision: str, under: InForce) -> str:
    return "" if ".build." in decision else honest(plans, decision, under)


def takes_another(plans: Planning, decision: str, under: InForce) -> str:
    right = honest(plans, decision, under)
    return "pass" if right and ".build." in decision else right


def revives(plans: Planning, decision: str, under: InForce) -> str:
    return honest(plans, decision, under._replace(turn_alive=True))


@pytest.mark.parametrize("how", [invents, leaves_out, takes_another, revives])
def test_the_owner_finds_at_once_that_its_plan_was_bent(
    how: Callable[[Planning, str, InForce], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """`verify` cannot, `audit` can at the end; but not that a seat was asked to whose question its
    plan had an answer, for a note may have taken the place of that."""
    table = table_of(seed="bent")
    first, second = table.file.seating
    clauses = ("trader: best", "producer: best", "councillor: best")
    mine = (("builder: best"), *clauses)
    accept(table, table.plan(first, *mine), table.plan(second, *mine))
    monkeypatch.setattr(Planning, "answer", how)
    found = False
    for _ in range(40):
        note = bots_answer(table)
        table.apply(note)
        file = table.file
        verify(file, chain.heads(file))
        try:
            for name in (first, second):
                views.open_hand(file, player.my_seat(file, key_of(name).public), key_of(name))
        except Damaged as error:
            found = "has not kept to the plans of" in error.message
            # Whoever signs a transfer says that it was seen, and nobody would look any more.
            with pytest.raises(Damaged, match="has not kept"):
                player.sign_transfer(file, name, key_of(name), key_of("new").public)
            break
    assert found
    monkeypatch.undo()
    secret = opening.deal_secret(file, REFEREE)
    with nullcontext() if how is leaves_out else pytest.raises(Damaged, match="plan"):
        audit(file, chain.heads(file), secret, REFEREE)


def bots_answer(table: Table) -> str:
    """The bot's answer to the first question that is owed, as the referee sees the hand."""
    file = table.file
    waiting = {one.decision for one in file.pending}
    decision = next(one for one in file.asked_ids() if one not in waiting)
    session = Session.replay(file, opening.deal_secret(file, REFEREE), texts_of(file, REFEREE))
    name = DecisionId.parse(decision).seat
    return player.sign_move(file, key_of(name), decision, session.view(name).suggest()).armoured
