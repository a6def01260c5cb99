"""Plans by git: committed and pushed like other notes, and judged in any order."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from referee.notes.kinds import Plan
from referee.notes.signed import SignedNote
from referee.playing import player
from referee.table import chain
from referee.table.plans import is_plan, plan_behind, read_plan
from referee.table.provenance import waiting_plan_note
from tests.git.club import Club, seated
from tests.git.pushed import push
from tests.git.test_attacks import refusals
from tests.git.test_costs import checked, run
from tests.table.tables import key_of

SHORT = ("--option", "round_limit=2")
GOOD = ("builder: best", "producer: best", "trader: best", "councillor: best", "tidy: best")


def plan(club: Club, name: str, *words: str, how: str = "--push") -> str:
    return club.ref("plan", "game.toml", *words, how, at=club.folder / name)


def test_a_plan_is_one_command(tmp_path: Path) -> None:
    club = seated(tmp_path, hook=True)
    said = plan(club, "ben", "--builder", "best", "--always")
    assert "ben-plan1-" in said
    assert "and pushed." in said
    assert "The referee has it" in said
    assert club.subjects()[-2:] == [
        "ben plans",
        "ben has planned: plan 1 holds from the next question on",
    ]
    told = club.ref("show", "game.toml", at=club.folder / "ben")
    assert "Your plan 1 holds from the next question on" in told
    assert "ben has a plan" in club.turn("ana") + club.ref("show", "game.toml", at=tmp_path / "ana")
    assert "none of them ignored" in club.ref("git", "verify", at=club.bare)


def test_a_commit_says_who_comes_next(tmp_path: Path) -> None:
    club = seated(tmp_path, options=("--ahead", "all"), hook=True)
    club.ref("move", "game.toml", "--role", "prospector", "--push", at=club.folder / "ana")
    told = club.git("log", "-1", "--format=%b", "main", at=club.bare)
    assert "ana may be asked next, and can plan" in told


def test_a_move_and_a_plan_are_one_push(tmp_path: Path) -> None:
    club = seated(tmp_path, hook=True)
    words = ("--role", "builder", "--then", "builder: pass", "--push")
    said = club.ref("move", "game.toml", *words, at=club.folder / "ana")
    assert said.count("and pushed.") == 1
    plays = [entry.play for entry in club.file().log if entry.answers_for("ana")]
    assert plays == ["role builder", "pass"]
    assert "none of them ignored" in club.ref("git", "verify", at=club.bare)


def test_plans_that_were_not_answered_yet_are_counted(tmp_path: Path) -> None:
    """So the newest one counts, whichever the referee comes to first."""
    club = seated(tmp_path)
    plan(club, "ana", "--builder", "pass")
    plan(club, "ana", "--builder", "best")
    club.ref("git", "referee", str(club.bare), at=club.folder)
    assert [(one.seat, one.number) for one in club.file().plans] == [("ana", 2)]


def test_files_that_others_name_after_plans(tmp_path: Path) -> None:
    """They take no number from whoever plans."""
    club = seated(tmp_path)
    names = [f"ana-plan{number}-{'0' * 16}.plan" for number in range(1, 13)]
    beside = {f"{club.file().game[:8]}-ana-plan{number}.plan": b"x" for number in range(1, 13)}
    push(club, {"moves": {name: name.encode() for name in names}, **beside})
    plan(club, "ana", "--builder", "best")
    run(club)
    assert [one.number for one in club.file().plans] == [1]
    plan(club, "ana", "--builder", "pass")
    run(club)
    assert [one.number for one in club.file().plans] == [2]
    plan(club, "ana", "--withdraw")
    run(club)
    assert [one.number for one in club.file().plans] == [3]
    checked(club)


def test_a_whole_game_in_which_all_plan(tmp_path: Path) -> None:
    club = seated(tmp_path, options=SHORT, hook=True)
    for name in club.names:
        plan(club, name, *GOOD, "--always")
    turns = 0
    while asked := club.asked():
        for name in asked:
            club.turn(name)
            turns += 1
        if turns % 3 == 0:
            plan(club, club.names[turns % 2], *GOOD[turns % 3 :], "role: best", "--always")
    file = club.file()
    assert file.status == "finished"
    answers = [entry for entry in file.log if plan_behind(entry)]
    assert len(answers) > turns
    assert "none of them ignored" in club.ref("git", "verify", at=club.bare)
    at = club.folder / "ana"
    club.git("pull", "--quiet", "--rebase", at=at)
    assert "the scores are right" in club.ref("audit", "game.toml", at=at)


def test_a_whole_game_of_xanadu_in_which_all_plan(tmp_path: Path) -> None:
    """Answers and plans lie there in any order when the referee comes."""
    club, chance = seated(tmp_path, options=("--game", "xanadu")), Random(1)
    rounds = 0
    while asked := club.asked():
        rounds += 1
        notes = [(name, "") for name in asked]
        clauses = "turn: best" if rounds < 4 else "always turn: best"
        notes.append((chance.choice(club.names), clauses))
        chance.shuffle(notes)
        for name, planned in notes:
            if planned:
                plan(club, name, planned, "always after: best", "always opening: best")
            else:
                club.turn(name)
        run(club)
    file = club.file()
    assert file.status == "finished"
    answers = [entry for entry in file.log if plan_behind(entry)]
    assert len(answers) > rounds
    checked(club)
    at = club.folder / "ana"
    club.git("pull", "--quiet", "--rebase", at=at)
    assert "the scores are right" in club.ref("audit", "game.toml", at=at)


def test_a_plan_that_is_replaced_has_its_answer(tmp_path: Path) -> None:
    """Also where nothing else has happened since the referee came last."""
    club = seated(tmp_path)
    for clauses in ("pass", "best"):
        plan(club, "ana", "--builder", clauses)
        run(club)
    assert [(one.seat, one.number) for one in club.file().plans] == [("ana", 2)]
    assert len(refusals(club)) == 1
    checked(club)


def test_its_player_is_not_told_that_a_plan_was_replaced(tmp_path: Path) -> None:
    club, at = seated(tmp_path, hook=True), tmp_path / "ben"
    for clause in ("pass", "best"):
        plan(club, "ben", "--builder", clause)
    club.git("pull", "--quiet", "--rebase", at=at)
    (answer,) = (at / "moves").glob("ben-plan1-*.plan.refused")
    said = answer.read_text()
    assert said.startswith("older-plan (11)\n  another plan of its seat has taken its place\n")
    assert "has refused" not in club.ref("show", "game.toml", at=at)


def test_a_plan_that_is_sent_again_with_another_head_is_no_false_answer(tmp_path: Path) -> None:
    """Its hash says what it says, wherever its author has signed it."""
    club = seated(tmp_path)
    plan(club, "ben", "--builder", "best")
    run(club)
    club.turn("ana")
    run(club)
    file = club.file()
    [entry] = [one for one in file.log if is_plan(one.decision)]
    number, clauses = read_plan(entry.play)
    again = Plan(file.game, "ben", number, file.step, file.head.hex(), clauses.hex())
    push(club, {"moves": {"x.plan": SignedNote.by(key_of("ben"), again).armoured.encode()}})
    run(club)
    assert "already-applied" in refusals(club)["moves/x.plan.refused"]
    checked(club)


@pytest.mark.parametrize("left", ["replaced", "handed over"])
def test_a_copy_of_a_plan_that_leaves_the_game_again_has_no_false_answer(
    left: str, tmp_path: Path
) -> None:
    """Whoever reads the game file can write a plan that waits again, without its text."""
    club = seated(tmp_path)
    plan(club, "ana", "--builder", "best")
    run(club)
    file = club.file()
    [waits] = file.plans
    note = waiting_plan_note(file, waits, chain.heads(file))
    copy = note.armoured(key_of("ana").public, waits.signature)
    push(club, {"moves": {f"copy{n}.plan": f"{n}\n\n{copy}".encode() for n in range(3)}})
    run(club)
    assert [text.count("already-applied") for text in refusals(club).values()] == [1, 1]
    assert not any("no-room" in text for text in refusals(club).values())
    if left == "replaced":
        plan(club, "ana", "--builder", "pass")
    else:
        keys = (key_of("ana"), key_of("nadia"))
        signed = [player.sign_transfer(file, "ana", key, keys[1].public) for key in keys]
        push(club, {"moves": {f"{n}.transfer": signed[n].armoured.encode() for n in range(2)}})
    run(club)
    checked(club)
