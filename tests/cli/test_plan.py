"""`plan`: clauses from an editor, a file or menus, and what `show` says of plans."""

from __future__ import annotations

import io
import json
import sys
import tomllib
from pathlib import Path

import pytest

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
    typed(place, words, (ASKED, "1"), (TO_PLAN, "p"), (BOTH, "n"))
    assert [one.sealed for one in _found("ana.move", place)] == [None]
    said = typed(place, words, (ASKED, "1"), (TO_PLAN, "p"), (BOTH, "q"))
    assert "Nothing was played." in said


def _found(name: str, place: Path) -> list:  # type: ignore[type-arg]
    return find_in_bytes((place / name).read_bytes())


def test_show_says_what_a_plan_has_answered(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """To its author in words; to others, that there is one."""
    host, ben = ["--referee-key", "referee.key"], ["--key", "ben.key"]
    planned = ["plan", "game.toml", *ben, "--builder", "best", "--always", "-o", "ben.plan"]
    assert main(planned) == 0
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


def test_show_names_the_cards_behind_the_letters_of_a_planned_answer(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In the order of the letters: a card that is kept, and not those that went in its place."""
    Path("game.toml").write_text(text_of("planned"))
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


def test_the_position_of_a_running_game(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Also after a plan's entry, and amid its answers; but only for who holds the referee's key."""
    Path("game.toml").write_text(text_of("planned"))
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
