"""A newer file of the game beside the one that a command names."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from referee.cli.main import main
from referee.playing import newer
from tests.cli.test_second_notes import text_at
from tests.cli.test_which_game import mailed
from tests.cli.world import lay_out, other_game, story
from tests.table.tables import Table, load

Said = pytest.CaptureFixture[str]
NOTE = "note: new.toml is a newer file of this game, at step {}\n"


@pytest.fixture
def place(workplace: Path) -> Path:
    lay_out(workplace, "dealt")
    Path("game.toml").rename("old.toml")
    return workplace


@pytest.mark.parametrize("more", [("--role", "trader"), ("--role", "nothing"), ()])
def test_an_answer_to_what_a_newer_file_has_answered(
    place: Path, capsys: Said, more: tuple[str, ...]
) -> None:
    Path("new.toml").write_text(text_at(2))
    assert main(["move", "old.toml", "--key", "ana.key", *more]) == 11
    assert capsys.readouterr().err == (
        "error: new.toml is a newer file of this game, at step 2, and 1.1.role.ana is over there\n"
        "hint: use that file: `sanjuan-ref show new.toml` says what is asked now\n"
    )
    assert not list(place.glob("*.move"))


def test_what_looks_at_an_old_file_names_the_newer_one(place: Path, capsys: Said) -> None:
    Path("new.toml").write_text(text_at(2))
    for words in (("show",), ("page", "--public")):
        assert main([words[0], "old.toml", *words[1:]]) == 0
        assert capsys.readouterr().err == NOTE.format(2)
    assert main(["show", "new.toml"]) == 0
    assert main(["show", "old.toml", "--json"]) == 0
    assert capsys.readouterr().err == ""


def test_an_answer_that_is_still_wanted_is_signed(place: Path, capsys: Said) -> None:
    """Somebody else has answered since; whoever has done so is told that it has arrived."""
    Path("old.toml").write_text(text_at(19))
    Path("new.toml").write_text(text_at(19, 1))
    decision = load(text_at(19, 1)).pending[0].decision
    done = decision.rpartition(".")[2]
    other = "ben" if done == "ana" else "ana"
    assert main(["move", "old.toml", "--key", f"{other}.key", "--pass", "-o", "a.move"]) == 0
    assert NOTE.format(19) in capsys.readouterr().err
    assert main(["move", "old.toml", "--key", f"{done}.key", "--pass", "-o", "b.move"]) == 11
    assert f"and your answer to {decision} has arrived there\n" in capsys.readouterr().err
    assert not Path("b.move").exists()


def test_what_is_no_newer_file_of_the_game(place: Path, capsys: Said) -> None:
    Path("copy.toml").write_text(Path("old.toml").read_text())
    Path("open.toml").write_text(story().texts[0])
    Path("other.toml").write_text(other_game().texts[-1])
    Path("forged.toml").write_text(text_at(2).replace("step = 2\n", "step = 3\n", 1))
    Path("deck.toml").write_text("x = 1\n")
    Path("folder.toml").mkdir()
    Path("gone.toml").symlink_to("nowhere")
    assert main(["move", "old.toml", "--key", "ana.key", "--role", "trader", "-o", "a.move"]) == 0
    assert capsys.readouterr().err == ""


def test_line_ends_hide_no_newer_file(place: Path, capsys: Said) -> None:
    Path("new.toml").write_bytes(text_at(2).replace("\n", "\r\n").encode())
    assert main(["move", "old.toml", "--key", "ana.key", "--role", "trader"]) == 11


def test_large_made_up_files_hide_no_newer_one(place: Path, capsys: Said) -> None:
    game = load(text_at(2)).game
    lie = f'#:schema game.schema.json\nstep = 999\n[game]\nid = "{game}"\n' + "\n" * 990_000
    for number in range(5):
        Path(f"j{number}.toml").write_text(lie)
    Path("new.toml").write_text(text_at(2))
    assert main(["move", "old.toml", "--key", "ana.key", "--role", "trader"]) == 11


def test_made_up_files_hide_no_newer_one(place: Path, capsys: Said) -> None:
    """Others can push any number of them, which say that they are the newest."""
    game = load(text_at(2)).game
    for number in range(100):
        lie = f'#:schema game.schema.json\nstep = 999\n[game]\nid = "{game}"\n'
        Path(f"j{number}.toml").write_text(lie)
    Path("new.toml").write_text(text_at(2))
    assert main(["move", "old.toml", "--key", "ana.key", "--role", "trader"]) == 11


def test_copies_of_a_file_hide_no_newer_one(place: Path, capsys: Said) -> None:
    Path("new.toml").write_text(text_at(19, 1))
    os.utime("new.toml", (0, 0))
    for name in ("old", "a", "b", "c", "d"):
        Path(f"{name}.toml").write_text(text_at(19))
    assert main(["show", "old.toml"]) == 0
    assert capsys.readouterr().err == NOTE.format(19)


def test_two_histories_side_by_side(place: Path, capsys: Said) -> None:
    """Nothing is signed over one of them, and whatever looks at it says so."""
    old = load(Path("old.toml").read_text())
    table = Table(2, "cli 82687").join_all()
    mine = load(text_at(2)).log[1].play
    other = next(play for play in table.view("ana").plays() or () if play != mine)
    table.apply(table.note("1.1.role.ana", other))
    Path("old.toml").write_text(text_at(2))
    Path("new.toml").write_text(table.text)
    assert old.game == table.file.game
    said = "the referee has signed another history of this game, new.toml"
    assert main(["show", "old.toml"]) == 0
    assert f"warning: {said}\n" in capsys.readouterr().err
    assert main(["move", "old.toml", "--key", "ana.key", "--pass"]) == 17
    assert f"error: {said}\nhint: keep both files" in capsys.readouterr().err
    assert not list(place.glob("*.move"))


@pytest.mark.parametrize("named", ["old.toml", "old.eml", "old.txt"])
def test_a_newer_file_in_an_email_beside_it(place: Path, capsys: Said, named: str) -> None:
    """A saved email is answered like the file in it, and a newer one lies beside it."""
    if named != "old.toml":
        Path(named).write_bytes(mailed(Path("old.toml").read_text()))
        Path("old.toml").unlink()
    new = Path(f"your turn{Path(named).suffix}" if named != "old.toml" else "your turn.eml")
    new.write_bytes(mailed(text_at(2)))
    Path("older.eml").write_bytes(mailed(story().texts[0]))
    Path("broken.eml").write_bytes(mailed(text_at(2).replace("step = 2\n", "step = 3\n", 1)))
    Path("no.eml").write_bytes(b"\xff\0")
    assert main(["move", named, "--key", "ana.key", "--role", "trader"]) == 11
    assert capsys.readouterr().err == (
        f"error: {new} has a newer file of this game, at step 2, and 1.1.role.ana is over there\n"
        f"hint: use that email: `sanjuan-ref show '{new}'` says what is asked now\n"
    )
    assert not list(place.glob("*.move"))


def test_a_copy_in_an_email_is_no_newer_file(place: Path, capsys: Said) -> None:
    Path("old.eml").write_bytes(mailed(Path("old.toml").read_text()))
    for named in ("old.eml", "old.toml"):
        assert main(["show", named, "--key", "ana.key"]) == 0
        assert capsys.readouterr().err == ""


def test_a_newer_plain_file_beside_an_email(place: Path, capsys: Said) -> None:
    Path("old.eml").write_bytes(mailed(Path("old.toml").read_text()))
    Path("new.toml").write_text(text_at(2))
    assert main(["show", "old.eml"]) == 0
    assert capsys.readouterr().err == NOTE.format(2)


def test_of_many_emails_the_last_are_looked_through(
    place: Path, capsys: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("new.eml").write_bytes(mailed(text_at(2)))
    with monkeypatch.context() as patch:
        patch.setattr(newer, "MAIL_SIZE", 1000)
        assert main(["show", "old.toml"]) == 0
        assert capsys.readouterr().err == ""
    os.utime("new.eml", (0, 0))
    for number in range(newer.MAX_MAILS):
        assert main(["show", "old.toml"]) == 0
        assert "new.eml has a newer file of this game" in capsys.readouterr().err
        Path(f"{number}.eml").write_bytes(mailed(story().texts[0]))
    assert main(["show", "old.toml"]) == 0
    assert capsys.readouterr().err == ""
