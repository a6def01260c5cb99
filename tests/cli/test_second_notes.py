"""A second note: in the file of an older one, for an answered question, beside notes that count."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.cli.main import main
from tests.cli.world import lay_out, story, timed_game
from tests.table.tables import load

Said = pytest.CaptureFixture[str]
APPLY = ("apply", "game.toml", "--referee-key", "referee.key")


def text_at(step: int, pending: int = 0) -> str:
    """The game of two after a step, with so many answers that wait."""
    texts = story().texts
    return next(
        one for one in texts if load(one).step == step and len(load(one).pending) == pending
    )


@pytest.fixture
def place(workplace: Path) -> Path:
    lay_out(workplace, "dealt")
    return workplace


def test_a_note_that_is_in_the_game_is_replaced_in_silence(place: Path, capsys: Said) -> None:
    move = ("move", "game.toml", "--key", "ana.key", "-o", "ana.move")
    assert main([*move, "--role", "builder"]) == 0
    assert main([*APPLY, "ana.move"]) == 0
    assert main([*move, "--pass"]) == 0
    assert "replaced" not in capsys.readouterr().err
    assert main([*move, "--build", "smithy"]) == 0
    said = capsys.readouterr().err
    assert "this is answer 2 to 1.1.build.ana: it takes the place of the one before" in said
    assert "replaced" not in said


def test_a_sealed_note_may_have_another_answer(place: Path, capsys: Said) -> None:
    Path("game.toml").write_text(text_at(19))
    move = ("move", "game.toml", "--key", "ana.key", "-o", "ana.move")
    assert main([*move, "--pass"]) == 0
    assert main([*move, "--sell", "1"]) == 0
    said = capsys.readouterr().err
    assert "if it has another answer to 3.3.sell.ana, and you have sent it, that" in said
    assert "--number 2" in said
    # A question that is put to one alone is not answered under a seal.
    assert main(["move", "game.toml", "--key", "ana.key", "--pass", "--no-seal"]) == 0
    Path("game.toml").write_text(text_at(1))
    assert main([*move, "--role", "trader"]) == 0
    assert "replaced" not in capsys.readouterr().err


def test_notes_of_several_tables_are_told_in_a_line_each(place: Path, capsys: Said) -> None:
    move = ("move", "game.toml", "--key", "ana.key", "--role", "trader", "-o")
    own = Path("game.toml").read_text()
    Path("game.toml").write_text(timed_game().texts[-1])
    for name in ("a.move", "b.move"):
        assert main([*move, name]) == 0
    Path("game.toml").write_text(own)
    assert main([*move, "c.move"]) == 0
    capsys.readouterr()
    assert main([*APPLY, "a.move", "b.move", "c.move"]) == 13
    said = capsys.readouterr()
    assert said.out.startswith("c.move: 1.1.role.ana: applied as step 2\n")
    assert [line.partition(":")[0] for line in said.err.splitlines()] == ["error", "hint", "error"]


def test_a_folder_of_notes_and_a_name_that_says_no_note(place: Path, capsys: Said) -> None:
    move = ("move", "game.toml", "--key", "ana.key", "--role", "trader", "-o")
    Path("notes").mkdir()
    assert main([*move, "notes/a.move"]) == 0
    assert "name that ends" not in capsys.readouterr().err
    assert main([*move, "notes/b.txt"]) == 0
    said = "with a name that ends in .move, `games` and `show` would know of notes/b.txt"
    assert said in capsys.readouterr().err
    assert main([*APPLY, "notes"]) == 2
    said = capsys.readouterr().err
    assert "notes is a folder, not a note" in said
    assert "name the notes in it: notes/*" in said


def test_a_note_for_another_game_is_named(place: Path, capsys: Said) -> None:
    assert main(["move", "game.toml", "--key", "ana.key", "--role", "trader", "-o", "a.move"]) == 0
    Path("game.toml").write_text(timed_game().texts[-1])
    assert main(["move", "game.toml", "--key", "ana.key", "--role", "trader", "-o", "a.move"]) == 0
    game = load(text_at(1)).game
    assert f"a.move is replaced; it held a note for another game, {game}" in capsys.readouterr().err


def test_old_notes_beside_new_ones_are_no_refusal(place: Path, capsys: Said) -> None:
    move = ("move", "game.toml", "--key", "ana.key", "-o")
    assert main([*move, "1.move", "--role", "builder"]) == 0
    assert main([*APPLY, "1.move"]) == 0
    assert main([*move, "2.move", "--pass"]) == 0
    Path("3.move").write_text("nothing")
    assert main([*APPLY, "1.move", "2.move"]) == 0
    assert main([*APPLY, "1.move", "2.move"]) == 10
    assert main([*APPLY, "1.move", "3.move"]) == 13
    Path("4.move").write_text(Path("1.move").read_text().replace("builder", "trader"))
    assert main([*APPLY, "4.move", "3.move"]) == 15
    assert main([*APPLY, "3.move", "4.move"]) == 13
    assert main([*APPLY, "1.move", "2.move", "--json"]) == 10
    assert '"exit": 10' in capsys.readouterr().out
