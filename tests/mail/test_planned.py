"""Plans by email: they come in like other notes, and only their author is told."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from referee.cli.main import main
from referee.table.plans import is_plan, plan_behind
from tests.cli.world import SEATS
from tests.mail.conftest import Open
from tests.mail.office import HOST, Office, run
from tests.table.tables import load

ALL = {
    "sanjuan": ("role", "builder", "producer", "trader", "councillor", "tidy"),
    "xanadu": ("opening", "turn", "after"),
}
SHORT = {"sanjuan": ("--option", "round_limit=3"), "xanadu": ("--game", "xanadu")}


def plan(seat: str, *clauses: str) -> str:
    """A plan as a player would send it."""
    words = ("plan", "game.toml", "--key", f"{seat}.key", "-o", "-")
    done = run(*words, *clauses, *(["--always"] if clauses[0][:2] != "--" else []))
    assert done.code == 0, done.err
    return done.out


def best(*subjects: str) -> list[str]:
    return [f"{subject}: best" for subject in subjects]


def test_a_plan_is_answered_to_its_owner_alone(office: Open) -> None:
    """And the answer says nothing of what is in it, nor does it ask anybody else."""
    at = office("planning")
    at.send()
    (asked,) = at.texts("ana prompt")
    assert "You can answer ahead" in asked
    assert f"sanjuan-ref plan game-{at.file.game[:8]}-1.toml --edit" in asked
    done = at.take(at.mail("ben", plan("ben", "builder: library, else pass")))
    assert done.code == 0, done.err
    assert at.kinds() == ["ana prompt", "ben ahead", "ben answer"]
    (told,) = at.texts("ben ahead")
    assert told.startswith("It is not your turn; the game waits for ana.")
    assert "You can answer ahead" in told
    (told,) = at.texts("ben answer")
    assert "Your sealed note: accepted." in told
    assert "library" not in told.partition("The table")[0]
    assert "You can answer ahead" not in told
    # Once more it is old.
    at.take(at.mail("ben", plan("ben", "--withdraw")))
    assert [one.number for one in at.file.plans] == [2]


def test_who_was_answered_for_is_told_with_the_next_mail(office: Open) -> None:
    at = office("planning")
    at.take(at.mail("ben", plan("ben", *best("builder"))))
    at.take(at.mail("ana", at.note("ana", "role builder")))
    at.take(at.mail("ana", at.note("ana", "pass")))
    (answer,) = [entry for entry in at.file.log if plan_behind(entry)]
    at.send()
    (told,) = at.texts("ben prompt")
    assert f"Your plan has answered for you:\n\n  {answer.decision}: {answer.play}\n" in told
    assert "ben had planned" in told
    assert "Your plan has answered" not in "".join(at.texts("ana answer"))


def test_a_move_and_a_plan_in_one_mail(office: Open) -> None:
    at = office("planning")
    words = ("move", "game.toml", "--key", "ana.key", "--role", "builder", "-o", "-")
    done = run(*words, "--then", "builder: tobacco-storage, else pass")
    assert at.take(at.mail("ana", done.out)).code == 0
    plays = [entry.play.split()[:2] for entry in at.file.log if entry.answers_for("ana")]
    assert plays == [["role", "builder"], ["build", "tobacco-storage"]]


def test_who_comes_next_is_invited_to_plan_once_a_turn(office: Open) -> None:
    at = office("ahead")
    at.send()
    assert at.kinds() == ["ana prompt", "ben ahead"]
    (told,) = at.texts("ben ahead")
    assert told.startswith("It is not your turn; the game waits for ana.")
    assert "You may be asked next. Plan your turn now, and send what this writes:" in told
    assert f"sanjuan-ref plan game-{at.file.game[:8]}-1.toml --edit" in told
    assert "waiting for ana (role); next ben." in told
    at.send()
    assert at.kinds() == ["ana prompt", "ben ahead"]
    at.take(at.mail("ana", at.note("ana", "role prospector")))
    at.send()
    # Who has just been answered has the invitation already.
    assert at.kinds() == ["ana answer", "ana prompt", "ben ahead", "ben prompt"]
    (told,) = at.texts("ana answer")
    assert "You may be asked next." in told
    at.take(at.mail("ana", plan("ana", "role: best")))
    (later,) = [text for text in at.texts("ana answer") if text != told]
    assert "You may be asked next." not in later


def test_who_has_planned_its_turn_is_not_invited(office: Open) -> None:
    at = office("ahead")
    at.take(at.mail("ben", plan("ben", "role: best")))
    at.send()
    assert at.kinds() == ["ana prompt", "ben answer"]


@pytest.mark.parametrize("game", ALL)
def test_a_whole_game_in_which_all_plan(office: Open, game: str) -> None:
    """Whatever order the notes come in: a plan for good now and then, and answers."""
    random, at = Random(2), short(office, game)
    asked = 0
    for _ in range(200):
        file = at.file
        if file.status != "playing":
            break
        arrived = {one.decision for one in file.pending}
        owed = [one.seat for one in file.asked if one.id not in arrived]
        notes = [(seat, at.note(seat, sealed=random.random() < 0.5)) for seat in owed]
        asked += len(owed)
        planners = [seat for seat in SEATS if random.random() < 0.3]
        wished = [random.sample(ALL[game], len(ALL[game]) // 2 + 1) for _ in planners]
        notes += [(s, plan(s, *best(*some))) for s, some in zip(planners, wished, strict=True)]
        random.shuffle(notes)
        for seat, note in notes:
            done = at.take(at.mail(seat, note), "--answers-only")
            assert done.code in (0, 11), done.err
    file = at.file
    assert file.status == "finished"
    planned = [entry for entry in file.log if plan_behind(entry)]
    assert len(planned) > 3
    assert any(is_plan(entry.decision) for entry in file.log)
    assert run("verify", "game.toml").code == 0
    assert run("audit", "game.toml").code == 0
    assert {one.seat for one in file.plans} == set(SEATS)


def short(office: Open, game: str) -> Office:
    """A table of two, opened by `new` for a short game."""
    at = office("nothing")
    seats = [word for seat in SEATS for word in ("--seat", seat)]
    assert main(["new", "game.toml", *seats, *SHORT[game], *HOST]) == 0
    for seat in SEATS:
        done = run("join", "game.toml", "--seat", seat, "--key", f"{seat}.key", "-o", "-")
        assert at.take(at.mail(seat, done.out)).code == 0
    assert load(Path("game.toml").read_text()).status == "playing"
    return at
