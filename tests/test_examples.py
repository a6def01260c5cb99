"""The examples are real: the finished games pass their audit, the other one can be played on."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from referee.checking.audit import audit
from referee.table import opening
from referee.table.chain import heads
from referee.table.decisions import DecisionId
from referee.table.filetext import render
from referee.table.planreplay import texts_of
from referee.table.plans import plan_behind
from referee.table.replay import Session
from tests.make_examples import EXAMPLES, PLANS
from tests.table.tables import NAMES, REFEREE, load

FINISHED = EXAMPLES / "finished" / "game.toml"
PLANNED = EXAMPLES / "planned" / "game.toml"
RUNNING = EXAMPLES / "in-progress"


def command(*words: str | Path, home: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "referee", *map(str, words)],
        capture_output=True,
        text=True,
        check=False,
        env={"HOME": str(home), "PATH": "/usr/bin:/bin"},
        cwd=EXAMPLES.parent,
    )


def test_the_finished_game_passes_its_audit(tmp_path: Path) -> None:
    done = command("audit", FINISHED, "--json", home=tmp_path)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)
    file = load(FINISHED.read_text())
    assert file.status == "finished"
    assert len(file.seats) == 4
    assert audit(file, heads(file))[-1].startswith("the scores are right")


def test_in_the_planned_game_plans_have_answered(tmp_path: Path) -> None:
    """For all, by several kinds of clauses, which everybody can read now."""
    done = command("audit", PLANNED, "--json", home=tmp_path)
    assert done.returncode == 0, done.stderr
    file = load(PLANNED.read_text())
    assert {one.seat: len(one.lines) for one in file.plans} == {
        name: len(clauses) for name, clauses in PLANS.items()
    }
    answers = [entry for entry in file.log if plan_behind(entry)]
    assert {entry.by for entry in answers} == set(PLANS)
    kinds = {DecisionId.parse(entry.decision).kind for entry in answers}
    assert {"build", "sell", "keep", "role"} <= kinds
    told = command("log", PLANNED, home=tmp_path).stdout
    assert "had planned" in told


@pytest.mark.parametrize(
    "path", [FINISHED, PLANNED, RUNNING / "game.toml"], ids=["finished", "planned", "running"]
)
def test_all_replay_to_the_byte(path: Path) -> None:
    text = path.read_text()
    file = load(text)
    session = Session.replay(
        file, opening.deal_secret(file, REFEREE), texts_of(file, REFEREE), audit=True
    )
    assert session.head == file.head
    assert render(file) == text


@pytest.mark.parametrize("name", NAMES[:4])
def test_everybody_can_look_at_the_running_game(name: str, tmp_path: Path) -> None:
    key = RUNNING / "keys" / name
    shown = command("show", RUNNING / "game.toml", "--key", key, home=tmp_path)
    assert shown.returncode == 0, shown.stderr
    assert f"{name} (you)" in shown.stdout
    checked = command("verify", RUNNING / "game.toml", "--key", key, home=tmp_path)
    assert checked.returncode == 0, checked.stderr


def test_the_running_game_goes_on(tmp_path: Path) -> None:
    game = tmp_path / "game.toml"
    shutil.copy(RUNNING / "game.toml", game)
    before = load(game.read_text())
    waiting = {one.decision for one in before.pending}
    for decision in before.asked_ids():
        if decision in waiting:
            continue
        name = DecisionId.parse(decision).seat
        note = tmp_path / f"{name}.move"
        moved = command(
            *("move", game, "--pass", "--key", RUNNING / "keys" / name, "-o", note), home=tmp_path
        )
        assert moved.returncode == 0, moved.stderr
        applied = command(
            *("apply", game, note, "--referee-key", RUNNING / "keys" / "referee"), home=tmp_path
        )
        assert applied.returncode == 0, applied.stderr
    assert load(game.read_text()).step > before.step
