"""`plan`: clauses from an editor, a file or menus, and what `show` says of plans."""

from __future__ import annotations

import io
import json
import sys
import tomllib
from pathlib import Path

import pytest

from referee import system
from referee.cli.commands import COMMANDS
from referee.cli.main import main
from referee.games import all_games, rules_of
from referee.games.plans import language_of
from referee.notes.finding import find_in_bytes, find_inside
from referee.notes.plantext import text_beside
from referee.table.plans import is_plan, plan_behind
from referee.table.signing import load
from referee.table.views import open_hand
from tests.cli.test_play import ASKED
from tests.cli.test_terminal import typed
from tests.cli.world import lay_out, text_of
from tests.table.tables import REFEREE, Table, key_of

PLAN = ["plan", "game.toml", "--key", "ana.key"]
TO_PLAN = "p plans ahead too, n goes back, q leaves: "
BOTH = "n leaves it out, q leaves: "


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.chdir(tmp_path)
    lay_out(tmp_path, "planning")
    return tmp_path


@pytest.fixture
def planned(workplace: Path) -> Path:
    lay_out(workplace, "planned")
    return workplace


def said_in(path: Path | str) -> tuple[str, ...]:
    """The clauses of the last plan in a note file, as the referee reads them."""
    found = [one for one in find_in_bytes(Path(path).read_bytes()) if one.sealed][-1]
    (inside,) = find_inside(found, REFEREE)
    assert inside.signed is not None
    return text_beside(inside.signed, inside.whole).clauses


def editor(place: Path, *texts: str) -> str:
    """An editor that writes these texts, one each time, and keeps what it was given."""
    for number, text in enumerate(texts):
        (place / f"text{number}").write_text(text)
    script = place / "editor"
    script.write_text(
        'n=$(ls seen* 2>/dev/null | wc -l); cp "$1" "seen$n"; [ -f "text$n" ] && cp "text$n" "$1"\n'
        "exit 0\n"
    )
    return "sh editor"


def test_a_plan_from_an_editor(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It shows the grammar; lines that begin with `#` do not count."""
    monkeypatch.setenv("EDITOR", editor(place, "# a thought\nbuilder: libr, else pass # mine\n"))
    assert main([*PLAN, "--edit", "-o", "ana.plan"]) == 0
    assert said_in("ana.plan") == ("builder: build library, else pass",)
    assert "# builder: the first that you can pay" in (place / "seen0").read_text()
    assert main(["apply", "game.toml", "ana.plan", "--referee-key", "referee.key"]) == 0
    # The next time it begins with the plan there is; left as it is, nothing is signed.
    assert main([*PLAN, "--edit"]) == 11
    assert "nothing was signed" in capsys.readouterr().err
    seen = (place / "seen1").read_text()
    assert seen.startswith("builder: build library, else pass\n")
    assert "# As it stands it would answer:" in seen
    assert not list(place.glob("*plan2*"))


def test_a_faulty_line_is_shown_in_the_editor(place: Path) -> None:
    wrong = "trader: sell dearest\nbuilder: libary\n"
    words = [*PLAN, "--edit", "-o", "ana.plan"]
    script = editor(place, wrong, "builder: ask\n")
    said = typed(place, words, ("q leaves: ", ""), NO_COLOR="1", EDITOR=script)
    assert "line 2: there is no card 'libary'" in said
    assert said.endswith("[0]")
    again = (place / "seen1").read_text()
    assert again.startswith("#! line 2: there is no card 'libary'\n#! did you mean library?\n")
    assert wrong in again
    assert said_in(place / "ana.plan") == ("builder: ask",)


@pytest.mark.parametrize("command", ["false", "no-such-editor-here", "'"])
def test_an_editor_that_fails(
    command: str, place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setenv("EDITOR", command)
    assert main([*PLAN, "--edit"]) == 1
    assert "the editor" in capsys.readouterr().err
    assert not list(place.glob("*.plan"))


@pytest.mark.parametrize("source", ["my.plan.txt", "-"])
def test_a_plan_from_a_file(
    source: str, place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The bot's plan can be read back as it was printed."""
    assert main([*PLAN, "--suggest"]) == 0
    text = capsys.readouterr().out
    Path("my.plan.txt").write_text(text)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    assert main([*PLAN, "--file", source, "-o", "ana.plan"]) == 0
    assert list(said_in("ana.plan")) == text.splitlines()


@pytest.mark.parametrize(
    "words", [["builder: quarry"], ["always builder: quarry", "--role", "trader"]]
)
def test_a_clause_may_stand_where_the_game_is_left_out(
    words: list[str], place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("previous.toml", "older.toml"):
        Path(name).unlink(missing_ok=True)
    assert main(["plan", *words, "--key", "ana.key", "-o", "ana.plan"]) == 0
    assert said_in("ana.plan")[0] == words[0].replace(": ", ": build ")
    # What is there is meant.
    (place / "game.toml").rename("builder: quarry")
    assert main(["plan", "builder: quarry", "--key", "ana.key"]) == 0
    assert "ana has no plan" in capsys.readouterr().out


def test_add_keeps_what_is_planned_for_other_questions(place: Path) -> None:
    host = ["--referee-key", "referee.key"]
    for words in (
        ["--builder", "library", "--role", "trader"],
        ["--add", "--always", "--trader", "best"],
        ["--add", "--builder", "pass"],
    ):
        assert main([*PLAN, *words, "-o", "ana.plan"]) == 0
        assert main(["apply", "game.toml", "ana.plan", *host]) == 0
    # The old wish for a build could not count any more.
    assert said_in("ana.plan") == ("builder: pass", "always trader: best greedy-1", "role: trader")


def apply(*notes: str) -> None:
    assert main(["apply", "game.toml", *notes, "--referee-key", "referee.key"]) == 0


def sign(*words: str, seat: str = "ana") -> tuple[str, ...]:
    """Plan for a seat, and return the clauses that were signed."""
    key = ["--key", f"{seat}.key"]
    assert main(["plan", "game.toml", *key, "-o", f"{seat}.plan", *words]) == 0
    return said_in(f"{seat}.plan")


def over(*clauses: str) -> None:
    """Let a plan of ben's of these clauses go over with a turn that it does not answer."""
    sign(*clauses, seat="ben")
    apply("ben.plan")
    for seat, role in (("ana", "prospector"), ("ben", "councillor")):
        words = ["move", "game.toml", "--role", role, "--key", f"{seat}.key", "-o", "a"]
        assert main(words) == 0
        apply("a")


THREE = ("builder: pass", "producer: best", "always trader: best")


def test_what_is_over_is_not_added_again(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    over(*THREE)
    assert sign("--add", "--always", "--tidy", "discard worst", seat="ben") == (
        "always tidy: discard worst",
        "always trader: best greedy-1",
    )
    assert (
        "of plan 1, 2 lines for a turn that is over had to be left out" in capsys.readouterr().err
    )
    # What holds always stays behind what is for this turn, and goes for another that does.
    both = ("trader: pass", "always trader: best greedy-1")
    assert sign("--add", "--trader", "pass", seat="ben") == both
    assert sign("--add", "always trader: ask", seat="ben") == ("always trader: ask",)


def test_clauses_of_the_same_question_are_replaced(place: Path) -> None:
    sign("--councillor", "dearest", "--builder", "pass")
    apply("ana.plan")
    assert sign("--add", "--councillor", "palace") == ("councillor: keep palace", "builder: pass")


def test_what_is_over_is_a_comment_in_the_editor(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("EDITOR", editor(place))
    over(*THREE)
    assert main(["plan", "game.toml", "--key", "ben.key", "--edit"]) == 11
    seen = (place / "seen0").read_text().splitlines()
    assert seen[0] == "always trader: best greedy-1"
    at = seen.index("# Over with their turn; without the # they hold again:")
    assert seen[at + 1 : at + 3] == ["# builder: pass", "# producer: best greedy-1"]
    assert main(["show", "game.toml", "--key", "ben.key"]) == 0
    assert "Your plan 1 is in force" in capsys.readouterr().out


def test_a_plan_whose_lines_are_over_is_over(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    over("builder: pass", "tidy: ask")
    capsys.readouterr()
    assert main(["show", "game.toml", "--key", "ben.key"]) == 0
    assert "Your plan 1 is over with its turn" in capsys.readouterr().out
    assert main(["plan", "game.toml", "--key", "ben.key"]) == 0
    told = capsys.readouterr().out
    assert "Plan 1 of ben is over with its turn." in told
    assert "builder: pass   (over with its turn)" in told


def test_what_was_written_in_an_editor_is_kept(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nobody can be asked, and then somebody gives up."""
    monkeypatch.setenv("TMPDIR", str(place))
    monkeypatch.setattr("tempfile.tempdir", None)
    monkeypatch.setenv("EDITOR", editor(place, "builder: libary\n", "builder: libarry\n"))
    assert main([*PLAN, "--edit"]) == 13
    (kept,) = place.glob("sanjuan-ref-plan-*.txt")
    assert kept.read_text() == "builder: libary\n"
    assert not system.POSIX or kept.stat().st_mode & 0o77 == 0
    assert f"what you wrote is in {kept}" in capsys.readouterr().err
    kept.unlink()
    words = [*PLAN, "--edit", "-o", "ana.plan"]
    said = typed(
        place, words, ("q leaves: ", "q"), NO_COLOR="1", EDITOR="sh editor", TMPDIR=str(place)
    )
    (kept,) = place.glob("sanjuan-ref-plan-*.txt")
    assert kept.read_text() == "builder: libarry\n"
    assert "nothing was signed" in said


@pytest.mark.parametrize(
    "words",
    [
        ["--edit", "--add"],
        ["--suggest", "--always"],
        ["--withdraw", "--always"],
        ["--withdraw", "--add"],
        ["--suggest", "--withdraw"],
    ],
)
def test_ways_to_plan_that_do_not_go_together(words: list[str], place: Path) -> None:
    assert main([*PLAN, *words]) == 2


def test_always_holds_for_all_that_is_given(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also for what is said in capitals, and for what comes from an editor."""
    assert sign("--always", "ALWAYS trader: best", "Always tidy: ask", "builder: pass") == (
        "always trader: best greedy-1",
        "always tidy: ask",
        "always builder: pass",
    )
    monkeypatch.setenv("EDITOR", editor(place, "builder: pass\n"))
    assert sign("--edit", "--always") == ("always builder: pass",)


def test_clauses_stay_in_the_order_in_which_they_are_typed(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["tidy: ask", "--builder", "pass", "trader: pass", "--clause=councillor: best"]
    clauses = ("tidy: ask", "builder: pass", "trader: pass", "councillor: best greedy-1")
    assert sign(*words) == clauses
    assert sign(*words[:3], "--", *words[3:-1], "role: ask") == (*clauses[:3], "role: ask")
    assert main([*PLAN, "tidy: ask", "--builder", "libary", "trader: pass"]) == 13
    assert "line 2: there is no card 'libary'" in capsys.readouterr().err


def test_a_plan_that_is_on_its_way_can_be_withdrawn(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whatever others have planned; but not where there is none, or it is withdrawn."""
    withdraw = [*PLAN, "--withdraw", "-o", "w.plan"]
    for _ in range(3):
        assert main(["plan", "game.toml", "--builder", "pass", "--key", "ben.key"]) == 0
    apply(*map(str, place.glob("*-ben-plan3.plan")))
    assert main(withdraw) == 11
    assert "ana has no plan to be withdrawn" in capsys.readouterr().err
    assert main([*PLAN, "--builder", "pass"]) == 0
    assert main(withdraw) == 0
    apply("w.plan")
    capsys.readouterr()
    assert main(withdraw) == 11
    assert "withdrawn already" in capsys.readouterr().err
    assert main([*PLAN, "--builder", "pass"]) == 0
    assert main(withdraw) == 0


def test_an_answer_with_the_one_to_what_follows(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A role with one's own build, by words or flags; what is impossible is refused at once."""
    move = ["move", "game.toml", "--key", "ana.key", "-o", "a"]
    pays = ["--pay", "silver-smelter", "--pay", "victory-column"]
    for words, clause in (
        (["--role", "builder", "--build", "tobacco"], "builder: build tobacco-storage"),
        (["--play", "role builder build tobacco"], "builder: build tobacco-storage"),
        (["--role", "builder", "--pass"], "builder: pass"),
        (
            ["--role", "builder", "--build", "tobacco", *pays],
            # By `build` both smelters would pay.
            "builder: play build tobacco-storage pay silver-smelter victory-column",
        ),
        (["--role", "councillor", "--keep", "palace"], "councillor: keep palace"),
    ):
        assert main([*move, *words]) == 0
        assert said_in("a") == (clause,)
        said = capsys.readouterr()
        # The cards that pay are named before the answer is sent.
        paid = "\n    (gives away victory-column, silver-smelter)\n" in said.out
        assert paid == clause.endswith("tobacco-storage")
        silent = "if no wish is possible" in said.err
        assert silent == clause.startswith("councillor")
    both = ["--role", "builder", "--build", "tobacco", "--then", "always trader: best"]
    assert main([*move, *both]) == 0
    assert said_in("a") == ("builder: build tobacco-storage", "always trader: best greedy-1")
    apply("a")
    file, _ = load(Path("game.toml"))
    entry = next(one for one in file.log if one.decision == "1.1.build.ana")
    assert entry.play.startswith("build tobacco-storage pay ")
    assert plan_behind(entry) == 1


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (["--role", "builder", "--build", "library"], 14, "there is no library in your hand"),
        (["--role", "builder", "--build", "libary"], 13, "there is no card 'libary'"),
        (["--role", "trader", "--build", "library"], 13, "--then CLAUSE plans what follows"),
        (["--role", "prospector", "--keep", "palace"], 13, "--then CLAUSE plans what follows"),
        (["--role", "councillor", "--keep", "a"], 13, "'a' is the letter of a card"),
        (["--build", "library"], 13, "--build does not answer what you are asked now"),
    ],
)
def test_an_answer_with_what_does_not_follow(
    words: list[str], code: int, told: str, place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["move", "game.toml", "--key", "ana.key", "-o", "a", *words]) == code
    assert told in capsys.readouterr().err
    assert not Path("a").exists()


def test_what_follows_is_not_answered_where_no_plans_are_taken(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("game.toml").write_text(text_of("dealt"))
    words = ["--role", "builder", "--build", "library"]
    assert main(["move", "game.toml", "--key", "ana.key", "-o", "a", *words]) == 13
    assert "--then" not in capsys.readouterr().err


def test_every_subject_of_every_game_is_a_flag(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plan", "--help"]) == 0
    told = capsys.readouterr().out
    for game in all_games():
        language = language_of(rules_of(game).choose(None, [], [], {}), ["ana", "ben"])
        for subject in language.about():
            assert f"--{subject} WISHES" in told
    assert "plan" in COMMANDS


@pytest.mark.parametrize(
    ("state", "code"), [("dealt", 14), ("building", 14), ("finished", 11), ("open", 12)]
)
@pytest.mark.parametrize("words", [[], ["--suggest"], ["--builder", "pass"], ["--then"]])
def test_where_no_plans_are_taken(state: str, code: int, words: list[str], place: Path) -> None:
    Path("game.toml").write_text(text_of(state))
    command = PLAN
    if words == ["--then"]:
        command = ["move", *PLAN[1:], "--play", "pass"]
        words = ["--then", "builder: pass"]
    assert main([*command, *words]) == code
    assert not list(place.glob("*-*.*"))


def test_xanadu_is_planned_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A whole turn, in the words of that game."""
    monkeypatch.chdir(tmp_path)
    lay_out(tmp_path, "nothing")
    table = Table(2, "cli", plans=True, rules=rules_of("xanadu").choose(None, [], [], {}))
    Path("game.toml").write_text(table.join_all().text)
    assert main([*PLAN, "--turn", "build any, else pass", "--opening", "best", "-o", "x"]) == 0
    assert said_in("x") == ("turn: build any, else pass", "opening: best greedy-1")


def test_play_plans_in_three_keystrokes(place: Path) -> None:
    """The bot's proposal, or the plan there is; with the answer, in one file."""
    words = ["play", "game.toml", "--key", "ana.key", "-o", "ana.move"]
    said = typed(place, words, (ASKED, "1"), (TO_PLAN, "p"), (BOTH, ""), NO_COLOR="1")
    assert said.endswith("[0]")
    assert "plan 1 of ana" in said
    kinds = [one.signed.kind if one.signed else "sealed" for one in _found("ana.move", place)]
    assert kinds == ["move", "sealed"]
    assert any(one.startswith("builder: build ") for one in said_in(place / "ana.move"))
    # Whose answer lies there is not asked again.
    (place / "ana.move").unlink()
    typed(place, words, (ASKED, "1"), (TO_PLAN, "p"), (BOTH, "n"))
    assert [one.sealed for one in _found("ana.move", place)] == [None]
    (place / "ana.move").unlink()
    said = typed(place, words, (ASKED, "1"), (TO_PLAN, "p"), (BOTH, "q"))
    assert "This question stays open." in said


def _found(name: str, place: Path) -> list:  # type: ignore[type-arg]
    return find_in_bytes((place / name).read_bytes())


def test_show_says_what_a_plan_has_answered(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """To its author in words; to others, that there is one."""
    host, ben = ["--referee-key", "referee.key"], ["--key", "ben.key"]
    plan = ["plan", "game.toml", *ben, "--builder", "best", "--always", "-o", "ben.plan"]
    assert main(plan) == 0
    assert main(["apply", "game.toml", "ben.plan", *host]) == 0
    assert main(["show", "game.toml", *ben]) == 0
    assert "Your plan 1 holds from the next question on" in capsys.readouterr().out
    assert main(["move", "game.toml", "--role", "builder", "--key", "ana.key", "-o", "a"]) == 0
    assert main(["apply", "game.toml", "a", *host]) == 0
    assert main(["move", "game.toml", "--pass", "--key", "ana.key", "-o", "a"]) == 0
    assert main(["apply", "game.toml", "a", *host]) == 0
    capsys.readouterr()
    assert main(["show", "game.toml", *ben]) == 0
    told = capsys.readouterr().out
    file, _ = load(Path("game.toml"))
    (answer,) = [entry for entry in file.log if entry.decision == "1.1.build.ben"]
    assert f"Your plan answered:\n  1.1.build.ben: {answer.play}" in told
    assert told.index("Your plan answered") < told.index("What happened so far")
    assert "Your plan 1 is in force: sanjuan-ref plan game.toml --key ben.key" in told
    assert main(["show", "game.toml", *ben, "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert [one["decision"] for one in shown["planned"]] == ["1.1.build.ben"]
    assert shown["plan"] == {"number": 1, "waits": False}
    assert main(["show", "game.toml", "--key", "ana.key"]) == 0
    told = capsys.readouterr().out
    assert "ben has a plan." in told
    assert "Your plan" not in told


@pytest.mark.usefixtures("planned")
def test_show_names_the_cards_behind_the_letters_of_a_planned_answer(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """In the order of the letters: a card that is kept, and not those that went in its place."""
    host = ["--referee-key", "referee.key"]
    assert main(["move", "game.toml", "--role", "councillor", "--key", "ana.key", "-o", "a"]) == 0
    assert main(["apply", "game.toml", "a", *host]) == 0
    file, _ = load(Path("game.toml"))
    ana = file.seat("ana")
    assert ana is not None
    lost = {one.decision: one for one in open_hand(file, ana, key_of("ana")).losses or ()}
    capsys.readouterr()
    assert main(["show", "game.toml", "--key", "ana.key", "--json"]) == 0
    told = {one["decision"]: one for one in json.loads(capsys.readouterr().out)["planned"]}
    assert main(["show", "game.toml", "--key", "ana.key"]) == 0
    shown = capsys.readouterr().out
    kinds = []
    for decision, one in told.items():
        kind, *words = one["play"].split(" ")
        gone = sorted(card.name for card in lost[decision].cards)
        if kind == "keep":
            assert f"{one['play']}  ({one['cards'][0]})" in shown
            assert len(one["cards"]) == 1
            assert one["cards"][0] not in gone
        elif kind == "build":
            assert len(one["cards"]) == len(words[2:])
            assert sorted([words[0], *one["cards"]]) == gone
        elif kind in ("role", "sell"):
            assert one["cards"] == []
        kinds.append(kind)
    assert {"keep", "build", "role", "sell"} <= set(kinds)


@pytest.mark.usefixtures("place")
def test_a_plan_that_is_not_sent_is_seen(capsys: pytest.CaptureFixture[str]) -> None:
    """By `plan` and `show`, until the game file has it; and it answers nothing that is asked."""
    assert main([*PLAN, "--role", "builder"]) == 0
    assert "1.1.role.ana was put to you before this plan" in capsys.readouterr().err
    file, _ = load(Path("game.toml"))
    path = f"{file.game[:8]}-ana-plan1.plan"
    lies = f"Your plan 1 lies in {path} and is not in this game file: send it to the referee"
    for words in (["plan", "game.toml"], ["show", "game.toml"]):
        assert main([*words, "--key", "ana.key"]) == 0
        told = capsys.readouterr().out
        assert lies in " ".join(told.split())
        assert "ana has no plan" not in told or "Until it is there, ana has no plan" in told
        assert main([*words, "--key", "ana.key", "--json"]) == 0
        shown = json.loads(capsys.readouterr().out)
        key = "written" if words[0] == "plan" else "written_plan"
        assert shown[key] == {"file": path, "number": 1}
        # It is nobody else's.
        assert main([*words, "--key", "ben.key"]) == 0
        assert "lies in" not in capsys.readouterr().out
    assert main(["apply", "game.toml", path, "--referee-key", "referee.key"]) == 0
    assert main(["move", "game.toml", "--role", "builder", "--key", "ana.key"]) == 0
    capsys.readouterr()
    for words in (["plan", "game.toml"], ["show", "game.toml"]):
        assert main([*words, "--key", "ana.key"]) == 0
        assert "Your plan 1 lies" not in capsys.readouterr().out
    # The question has its answer in a file.
    assert main([*PLAN, "--role", "builder"]) == 0
    assert "was put to you" not in capsys.readouterr().err


@pytest.mark.usefixtures("planned")
def test_the_position_of_a_running_game(capsys: pytest.CaptureFixture[str]) -> None:
    """Also after a plan's entry, and amid its answers; but only for who holds the referee's key."""
    host = ["--referee-key", "referee.key"]
    assert main(["move", "game.toml", "--role", "builder", "--key", "ana.key", "-o", "a"]) == 0
    assert main(["apply", "game.toml", "a", *host]) == 0
    file, _ = load(Path("game.toml"))
    amid = next(step for step, entry in enumerate(file.log, 1) if plan_behind(entry))
    assert is_plan(file.log[amid - 3].decision)
    for step in (amid - 2, amid, file.step):
        capsys.readouterr()
        assert (
            main(["position", "game.toml", "--step", f"{step}", *host, "-o", f"{step}.toml"]) == 0
        )
        assert main(["try", f"{step}.toml"]) == 0
    position = tomllib.loads(Path(f"{file.step}.toml").read_text())
    held = [len(row.get("hand", ())) for row in position["seats"]]
    assert held == [row["hand"] for row in file.table["seats"]]
    assert main(["position", "game.toml"]) == 11


def test_who_can_audit_a_game_that_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Plans are sealed to the referee alone; a backup of the deal secret does not open them."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.chdir(tmp_path)
    lay_out(tmp_path, "nothing")
    backup = key_of("backup")
    backup.save(tmp_path / "backup.key")
    seats = ["--seat", "ana", "--seat", "ben", "--backup", "backup.key.pub"]
    host = ["--referee-key", "referee.key"]
    assert main(["new", "game.toml", *seats, *host]) == 0
    for seat in ("ana", "ben"):
        join = ["join", "game.toml", "--seat", seat, "--key", f"{seat}.key", *host]
        assert main(join) == 0
    other = ["--referee-key", "backup.key"]
    assert main(["audit", "game.toml", *other]) == 0
    # The referee's key is here, so the plan is applied at once.
    assert main([*PLAN, "--builder", "pass", *host]) == 0
    words = ["--role", "builder", "--then", "builder: pass", "--key", "ana.key"]
    assert main(["move", "game.toml", *words, *host]) == 0
    assert "your plan: ana has planned" in capsys.readouterr().out
    assert [plan_behind(entry) for entry in load(Path("game.toml"))[0].log][-1] == 2
    assert main(["audit", "game.toml", *host]) == 0
    assert main(["audit", "game.toml", *other]) == 18
    assert "does not open the plans" in capsys.readouterr().err


def test_a_plan_that_went_with_an_answer_is_counted(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Or the next one would have its number, and the older one would stand."""
    own, host = ["--key", "ana.key"], ["--referee-key", "referee.key"]
    words = ["--role", "builder", "--then", "builder: indigo-plant, else pass"]
    assert main(["move", "game.toml", *words, *own]) == 0
    [first] = place.glob("*.plan1.move")
    assert main(["plan", "game.toml", *own]) == 0
    assert f"Your plan 1 lies in {first.name}" in " ".join(capsys.readouterr().out.split())
    assert main(["plan", "game.toml", "--add", "--trader", "pass", *own]) == 0
    assert f"which lies in {first.name}, has not arrived yet" in capsys.readouterr().err
    [second] = place.glob("*-plan2.plan")
    assert main(["plan", "game.toml", "--withdraw", *own]) == 0
    [third] = place.glob("*-plan3.plan")
    for note in (first, second, third):
        assert main(["apply", "game.toml", note.name, *host]) == 0, note
    # The answer is still found under its new name.
    assert main(["move", "game.toml", "--role", "builder", *own]) == 11


def test_an_answer_of_a_seat_called_like_a_plan_is_no_plan(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A table can have the seats `ana` and `ana-plan5`."""
    game = load(Path("game.toml"))[0].game
    (place / f"{game[:8]}-1.1.role.ana-plan5.move").write_text("a note")
    assert main(["plan", "game.toml", "--key", "ana.key"]) == 0
    assert "has not arrived yet" not in capsys.readouterr().out
    assert main([*PLAN, "--builder", "pass", "--key", "ana.key"]) == 0
    assert [path.name for path in place.glob("*.plan")] == [f"{game[:8]}-ana-plan1.plan"]
