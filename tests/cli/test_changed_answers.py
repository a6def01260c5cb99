"""An answer that is changed, as players do it: by hand, beside the game file, by mail."""

from __future__ import annotations

import itertools
import json
import os
import subprocess
from pathlib import Path

import pytest

from referee import Table as LibraryTable
from referee.checking.verify import verify
from referee.cli.main import main
from referee.notes.finding import find
from referee.notes.kinds import Move
from referee.playing.shared import MAX_READ
from referee.render.text import prompt, terminal
from referee.table import chain
from tests.cli.test_terminal import typed
from tests.cli.world import KEYS, lay_out
from tests.table.tables import load

Said = pytest.CaptureFixture[str]
MOVE = ("move", "game.toml", "--key", "ana.key")
APPLY = ("apply", "game.toml", "--referee-key", "referee.key")
KEEP = "1.2.keep.ana"


@pytest.fixture
def keeping(workplace: Path) -> Path:
    """Ana and ben are asked at once which cards they keep."""
    lay_out(workplace, "keeping")
    return workplace


@pytest.fixture
def building(workplace: Path) -> Path:
    """Ana alone is asked what she builds."""
    lay_out(workplace, "building")
    return workplace


def notes() -> list[str]:
    """The answers beside the game file, without the id of the game."""
    return sorted(path.name.partition("-")[2] for path in Path().glob("*.move"))


def beside(name: str) -> str:
    return f"{load(Path('game.toml').read_text()).game[:8]}-{name}"


def waiting() -> list[tuple[str, int]]:
    return [(one.decision, one.number) for one in load(Path("game.toml").read_text()).pending]


@pytest.mark.usefixtures("keeping")
def test_an_answer_that_waits_is_changed(capsys: Said) -> None:
    assert main([*MOVE, "--keep", "a"]) == 0
    assert main([*APPLY, beside("1.2.keep.ana.move")]) == 0
    assert main(["show", "game.toml", "--key", "ana.key"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "Your answer to 1.2.keep.ana has arrived; until the others are in you can change" in said
    assert "`sanjuan-ref move game.toml --key ana.key ...`" in said
    Path(beside("1.2.keep.ana.move")).unlink()
    # Just this answer waits; a slip is told as ever.
    assert main([*MOVE, "--keep", "a"]) == 10
    assert main([*MOVE, "--keep", "palace"]) == 14
    capsys.readouterr()
    assert main([*MOVE, "--keep", "b"]) == 0
    err = capsys.readouterr().err
    assert "note: this is answer 2 to 1.2.keep.ana: it takes the place of the one before" in err
    assert notes() == ["1.2.keep.ana.2.move"]
    assert main([*APPLY, beside("1.2.keep.ana.2.move")]) == 0
    assert "accepted in place of answer 1; waiting for 1.2.keep.ben" in capsys.readouterr().out
    assert waiting() == [(KEEP, 2)]
    assert main([*MOVE, "--keep", "a", "--json"]) == 0
    said_ = json.loads(capsys.readouterr().out)
    assert (said_["play"], said_["number"]) == ("keep a", 3)


@pytest.mark.usefixtures("keeping")
@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_notes_that_lie_there_are_numbered_and_come_in_any_order(order: tuple[int, ...]) -> None:
    """Sealed as they are, a later one is known by its name."""
    for letter in "aba":
        assert main([*MOVE, "--keep", letter]) == 0
    names = ["1.2.keep.ana.2.move", "1.2.keep.ana.3.move", "1.2.keep.ana.move"]
    assert notes() == names
    for index in order:
        main([*APPLY, beside(names[index])])
    main([*APPLY, *[beside(name) for name in names]])
    assert waiting() == [(KEEP, 3)]
    assert main(["move", "game.toml", "--key", "ben.key", "--keep", "a"]) == 0
    assert main([*APPLY, beside("1.2.keep.ben.move")]) == 0
    file = load(Path("game.toml").read_text())
    verify(file, chain.heads(file))
    entry = next(one for one in file.log if one.decision == KEEP)
    assert (entry.play, entry.then[0]) == ("keep a", "answer 3")


@pytest.mark.usefixtures("building")
def test_a_question_to_one_alone(capsys: Said) -> None:
    """Whoever has not sent the first note sends the second, or both."""
    assert main([*MOVE, "--pass"]) == 0
    assert main([*MOVE, "--pass"]) == 0
    assert notes() == ["1.1.build.ana.move"]
    assert main([*MOVE, "--play", "build chapel pay a b"]) == 0
    name = "1.1.build.ana.2.move"
    capsys.readouterr()
    assert main([*MOVE]) == 14
    said = " ".join(capsys.readouterr().err.split())
    where = beside("1.1.build.ana.2.move")
    assert f"your answer to 1.1.build.ana, build chapel pay a b, lies in {where} and has" in said
    assert notes() == [name, "1.1.build.ana.move"]
    assert main([*APPLY, beside(name)]) == 0
    file = load(Path("game.toml").read_text())
    assert file.log[-1].then[0] == "answer 2"
    capsys.readouterr()
    for words in (
        ["log", "game.toml"],
        ["log", "game.toml", "--json"],
        ["verify", "game.toml"],
        ["show", "game.toml"],
        ["page", "game.toml", "-o", "page.html"],
    ):
        assert main(words) == 0
    told = capsys.readouterr().out
    assert "ana builds chapel" in told
    assert "answer 2" not in told.split("{")[0]
    assert main(["log", "game.toml", "--note", str(file.step)]) == 0
    (found,) = find(capsys.readouterr().out)
    assert found.signed is not None
    assert found.signed.holds()
    assert isinstance(found.signed.note, Move)
    assert found.signed.note.number == 2
    assert main([*APPLY, beside("1.1.build.ana.move")]) == 11
    assert "answer 2 has taken its place" in capsys.readouterr().err


@pytest.mark.usefixtures("building")
def test_a_named_file_with_an_answer_that_can_be_read(capsys: Said) -> None:
    move = (*MOVE, "-o", "ana.move")
    assert main([*move, "--pass"]) == 0
    first = Path("ana.move").read_text()
    assert main([*move, "--pass"]) == 0
    assert Path("ana.move").read_text() == first
    capsys.readouterr()
    assert main([*move, "--play", "build chapel pay a b"]) == 0
    assert "\nnumber 2\nplay build chapel pay a b\n" in Path("ana.move").read_text()
    assert "replaced" not in capsys.readouterr().err
    # One under any other name beside it counts as well.
    assert main([*MOVE, "-o", "other.move", "--play", "build chapel pay a c"]) == 0
    assert "\nnumber 3\n" in Path("other.move").read_text()
    assert main([*MOVE, "--pass"]) == 0
    assert Path(beside("1.1.build.ana.4.move")).is_file()


@pytest.mark.usefixtures("keeping")
def test_who_writes_elsewhere_says_the_number(capsys: Said) -> None:
    assert main([*MOVE, "--keep", "a", "-o", "one.move"]) == 0
    assert main([*MOVE, "--keep", "b", "-o", "one.move"]) == 0
    assert "unless this one has a higher number: --number 2" in capsys.readouterr().err
    assert main([*MOVE, "--keep", "b", "-o", "two.move", "--number", "5"]) == 0
    assert main([*APPLY, "two.move"]) == 0
    assert waiting() == [(KEEP, 5)]
    capsys.readouterr()
    assert main([*MOVE, "--keep", "a", "--number", "5"]) == 11
    assert "--number 6 takes its place" in capsys.readouterr().err
    assert main([*MOVE, "--keep", "b", "--number", "5"]) == 10
    assert main([*MOVE, "--keep", "a", "--number", "9"]) == 2
    assert main([*MOVE, "--keep", "a", "--number", "8", "-o", "eight.move"]) == 0
    assert main([*APPLY, "eight.move"]) == 0
    capsys.readouterr()
    assert main([*MOVE, "--keep", "b"]) == 11
    assert "has had 8 answers from you, and more are not taken" in capsys.readouterr().err


@pytest.mark.usefixtures("keeping")
def test_notes_of_others_are_not_counted() -> None:
    """Under a name that means mine lies what somebody else has written."""
    assert main(["move", "game.toml", "--key", "ben.key", "--keep", "a", "--no-seal"]) == 0
    Path(beside("1.2.keep.ben.move")).rename(beside("1.2.keep.ana.7.move"))
    assert main([*MOVE, "--keep", "a"]) == 0
    assert "1.2.keep.ana.move" in notes()


def test_play_offers_to_change_it(keeping: Path) -> None:
    assert main([*MOVE, "--keep", "a"]) == 0
    assert main([*APPLY, beside("1.2.keep.ana.move")]) == 0
    words = ["play", "game.toml", "--key", "ana.key"]
    change, asked, sign = "y changes it: ", "q to leave: ", "q leaves: "
    assert typed(keeping, words, (change, "")).endswith("[0]")
    assert notes() == ["1.2.keep.ana.move"]
    assert typed(keeping, words, (change, "y"), (asked, "b"), (sign, "")).endswith("[0]")
    assert notes() == ["1.2.keep.ana.2.move", "1.2.keep.ana.move"]


def test_no_answer_is_signed_without_the_number_of_one_that_has_come_meanwhile(
    keeping: Path, monkeypatch: pytest.MonkeyPatch, capsys: Said
) -> None:
    def elsewhere(question: str) -> str:
        if "y changes it" in question:
            return ""
        monkeypatch.setattr(terminal, "asks", lambda: False)
        assert main([*MOVE, "--keep", "a"]) == 0
        assert main([*APPLY, beside("1.2.keep.ana.move")]) == 0
        monkeypatch.setattr(terminal, "asks", lambda: True)
        return ""

    monkeypatch.setattr(terminal, "asks", lambda: True)
    monkeypatch.setattr(prompt, "ask_among", lambda *_: "b")
    monkeypatch.setattr(prompt, "ask", elsewhere)
    assert main(["play", "game.toml", "--key", "ana.key"]) == 0
    said = " ".join(capsys.readouterr().err.split())
    assert "note: another answer to 1.2.keep.ana has arrived: the game has gone on" in said
    assert notes() == ["1.2.keep.ana.move"]


def test_an_answer_that_lies_there_and_has_not_arrived_is_known(
    building: Path, capsys: Said
) -> None:
    """Whoever looks again is told which file to send, and not asked the question anew."""
    show = ["show", "game.toml", "--key", "ana.key"]
    assert main([*MOVE, "--play", "build chapel pay a b"]) == 0
    name = beside("1.1.build.ana.move")
    capsys.readouterr()
    assert main(show) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert f"Your answer to 1.1.build.ana, build chapel pay a b, lies in {name} and is not" in said
    assert "send it to the referee, if you have not yet. To change it: `sanjuan-ref move " in said
    assert "and one of" not in said
    assert main([*show, "--json"]) == 0
    written = {"file": name, "number": 1, "play": "build chapel pay a b"}
    assert json.loads(capsys.readouterr().out)["written"] == written
    words = ["play", "game.toml", "--key", "ana.key"]
    change, asked, sign = "y changes it: ", "q to leave: ", "q leaves: "
    assert typed(building, words, (change, "")).endswith("[0]")
    assert typed(building, words, (change, "y"), (asked, "pass"), (sign, "")).endswith("[0]")
    assert notes() == ["1.1.build.ana.2.move", "1.1.build.ana.move"]
    assert main([*APPLY, beside("1.1.build.ana.2.move")]) == 0
    capsys.readouterr()
    assert main(show) == 0
    assert "lies in" not in capsys.readouterr().out


@pytest.mark.usefixtures("keeping")
def test_of_two_answers_the_one_that_has_not_arrived_is_named(capsys: Said) -> None:
    assert main([*MOVE, "--keep", "a"]) == 0
    assert main([*APPLY, beside("1.2.keep.ana.move")]) == 0
    show = ["show", "game.toml", "--key", "ana.key"]
    capsys.readouterr()
    assert main(show) == 0
    assert "Your answer to 1.2.keep.ana has arrived" in capsys.readouterr().out
    assert main([*MOVE, "--keep", "b"]) == 0
    capsys.readouterr()
    assert main(show) == 0
    # What is sealed can be read by the referee alone.
    name = beside("1.2.keep.ana.2.move")
    assert f"Your answer to 1.2.keep.ana lies in {name}" in capsys.readouterr().out


@pytest.mark.usefixtures("building")
def test_a_note_of_somebody_else_is_no_answer_of_mine(capsys: Said) -> None:
    assert main([*MOVE, "--pass"]) == 0
    path = Path(beside("1.1.build.ana.move"))
    path.write_text(path.read_text().replace("play pass", "play build chapel pay a b"))
    capsys.readouterr()
    assert main(["show", "game.toml", "--key", "ana.key"]) == 0
    assert "lies in" not in capsys.readouterr().out


@pytest.mark.usefixtures("keeping")
def test_a_program_changes_its_answer() -> None:
    table = LibraryTable.open("game.toml")
    done = table.apply([table.sign(KEYS["ana"], "keep a")], KEYS["referee"])
    again = done.table.apply([done.table.sign(KEYS["ana"], "keep b")], KEYS["referee"])
    assert [(one.decision, one.number) for one in again.table.file.pending] == [(KEEP, 2)]


def told(capsys: Said) -> tuple[str, str]:
    """The file that `games` and `show` name as the answer that has not arrived."""
    capsys.readouterr()
    main(["games", "game.toml", "--json", "--key", "ana.key"])
    listed = json.loads(capsys.readouterr().out)["games"][0]["written"]
    assert main(["show", "game.toml", "--json", "--key", "ana.key"]) == 0
    shown = json.loads(capsys.readouterr().out)["written"]
    return listed[0]["file"] if listed else "", shown["file"] if shown else ""


@pytest.mark.parametrize("names", [("a.move", "b.move", ""), ("", "b.move", "a.move")])
def test_of_several_named_files_the_newest_answer_is_told(
    building: Path, names: tuple[str, ...], capsys: Said
) -> None:
    """By its number, whatever it is called; "" stands for the name that `move` gives."""
    for older in ("previous.toml", "older.toml"):
        (building / older).unlink()
    for number, (name, cards) in enumerate(zip(names, ("a b", "a c", "b c"), strict=True), 1):
        more = ["-o", name] if name else []
        assert main([*MOVE, "--play", f"build chapel pay {cards}", *more]) == 0
        own = f"1.1.build.ana{f'.{number}' if number > 1 else ''}.move"
        assert told(capsys) == (name or beside(own),) * 2


@pytest.mark.parametrize("in_clone", [False, True])
def test_other_files_however_many_do_not_hide_an_answer(
    building: Path, in_clone: bool, capsys: Said
) -> None:
    """Of very many the newest are read, and of those in a clone first what nobody has pushed."""
    for older in ("previous.toml", "older.toml"):
        (building / older).unlink()
    assert main([*MOVE, "--pass", "-o", "z.move"]) == 0
    start = 0 if in_clone else 1
    for number in range(start, start + MAX_READ):
        path = building / f"{number:03}.move"
        path.write_text("no note")
        os.utime(path, (10**9, 10**9) if not in_clone else (10**10, 10**10))
    for number in range(MAX_READ):
        (building / f"link{number:03}.move").symlink_to("nowhere")
    if in_clone:
        git = ("git", "-C", str(building), "-c", "user.name=x", "-c", "user.email=x@example.org")
        for words in (("init", "-q"), ("add", "[0l]*.move"), ("commit", "-qm", "x")):
            subprocess.run([*git, *words], check=True)
    assert told(capsys) == ("z.move", "z.move")
    assert main([*MOVE, "--play", "build chapel pay a b"]) == 0
    assert told(capsys) == (beside("1.1.build.ana.2.move"),) * 2


@pytest.mark.usefixtures("building")
def test_a_note_of_another_history_is_no_answer(capsys: Said) -> None:
    """As one that was signed before the referee had to go back, or on a copy to try things."""
    file, key = load(Path("game.toml").read_text()), KEYS["ana"]
    for step in (file.step, file.step - 1):
        note = Move(file.game, "1.1.build.ana", step, "0" * 64, "pass")
        Path("ana.move").write_text(note.armoured(key.public, note.sign(key)))
        assert told(capsys)[1] == ""


@pytest.mark.usefixtures("building")
def test_notes_that_the_referee_has_refused_do_not_hide_an_answer(capsys: Said) -> None:
    """Others can push any number of them."""
    git = ("git", "-c", "user.name=x", "-c", "user.email=x@example.org")
    subprocess.run([*git, "init", "-q"], check=True)
    Path("moves").mkdir()
    assert main([*MOVE, "--pass", "--commit"]) == 0
    for number in range(MAX_READ):
        path = Path("moves") / f"1.1.build.ana-{number:016}.move"
        for each in (path, path.with_name(f"{path.name}.refused")):
            each.write_text("no note")
    subprocess.run([*git, "add", "moves"], check=True)
    subprocess.run([*git, "commit", "-qm", "x"], check=True)
    assert main([*MOVE, "--play", "build chapel pay a b", "--commit"]) == 0
    assert "1.1.build.ana.2-" in told(capsys)[1]
