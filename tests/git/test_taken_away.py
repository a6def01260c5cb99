"""Notes that somebody has changed, renamed or taken away before the referee came."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.errors import Stale
from referee.git import notesfolder
from referee.git.answers import Answer
from referee.git.trees import Trees
from referee.playing import player
from tests.git import pushed
from tests.git.club import Club, seated
from tests.git.pushed import push, put, tree
from tests.git.test_attacks import refusals, verify
from tests.git.test_costs import checked, run
from tests.git.test_counted import FINE
from tests.git.test_false_answers import FALSE
from tests.table.tables import REFEREE, key_of

MISSED = "only the first part was looked at"


@pytest.fixture
def club(tmp_path: Path) -> Club:
    """A table at which ana has moved, and the referee has not been since."""
    club = seated(tmp_path)
    run(club)
    pushed.turn(club, "ana")
    return club


def at(club: Club, name: str) -> str:
    return pushed.git(club, "rev-parse", name)


def with_notes(club: Club, rows: pushed.Tree) -> str:
    """The tree at the tip, with these files among the notes and no others."""
    return tree(club, {"moves": f"040000 {tree(club, rows)}"}, "main^{tree}")


def note(club: Club) -> str:
    """The object of ana's note."""
    [line] = [
        one for one in pushed.git(club, "ls-tree", "main", "moves/").splitlines() if ".role." in one
    ]
    return line.split()[2]


@pytest.mark.parametrize("digits", [16, 40])
def test_the_name_of_a_note_that_is_gone_hides_no_other(club: Club, digits: int) -> None:
    """Neither by the name that an answer to it would have, nor by a part of that."""
    ana = note(club)
    push(club, {"moves": {"mine.move": b"junk"}})
    junk = at(club, "main:moves/mine.move")
    put(club, with_notes(club, {f"gone-{junk[:digits]}": f"100644 {ana}"}))
    assert run(club).file.step == 2
    [name] = [name for name in refusals(club) if junk in name]
    assert name == f"moves/gone-{junk}.refused"
    checked(club)


def test_an_answer_to_a_note_that_is_gone_is_found_where_it_was(club: Club) -> None:
    """Whoever tidies up accuses nobody."""
    run(club)
    push(club, {"moves": {"mine.move": b"junk"}})
    put(club, at(club, "main~1^{tree}"))
    with pytest.raises(Stale, match="which somebody has changed or taken away"):
        checked(club)
    before = at(club, "main^{tree}")
    run(club)
    assert len(refusals(club)) == 1
    put(club, before)
    checked(club)
    assert not run(club).commit
    # Not even a lie in its place.
    [junk] = [
        one
        for one in pushed.git(club, "ls-tree", "-r", "main~1", "moves/").split()
        if "gone" in one
    ]
    push(club, {"moves": {junk.removeprefix("moves/"): b"the game is over\n"}})
    checked(club)


@pytest.mark.parametrize(("step", "final"), [(0, True), (999_999, False), (999_999, True)])
def test_a_note_is_not_taken_away_with_an_answer_of_another_time(
    club: Club, step: int, *, final: bool
) -> None:
    """One that comes before what its author had seen, or is still to come."""
    ana = note(club)
    put(club, at(club, "main~1^{tree}"))
    text = Answer("ahead (11): no\n", step, final).text(REFEREE, club.file().game, ana)
    push(club, {"moves": {f"gone-{ana}.refused": text}})
    with pytest.raises(Stale, match=FALSE):
        checked(club)


def test_trees_without_number_do_not_hide_what_was_taken_away(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither at the tip, nor in between; and what is not looked at is said."""
    monkeypatch.setattr(Trees.__init__, "__defaults__", (200,))
    flood: dict[str, pushed.Tree] = {str(n): {"x": b"%d" % n} for n in range(300)}
    put(club, with_notes(club, {"j": flood}))
    done = run(club)
    assert done.file.step == 2
    assert [line for line in done.remarks if MISSED in line]
    assert "look at the first part only" in pushed.git(club, "log", "-1", "--format=%B", "main")
    assert not run(club).commit
    checked(club)


def side_line(club: Club, number: int) -> str:
    """Commits on a side line from before ana's note, each with another note."""
    tip = at(club, "main~1")
    for n in range(number):
        there = tree(club, {"moves": {f"{n}.move": b"junk %d" % n}}, f"{tip}^{{tree}}")
        words = (*pushed.IDENTITY, "commit-tree", there, "-p", tip, "-m", "x")
        tip = pushed.git(club, *words)
    return tip


@pytest.mark.parametrize("first", [True, False], ids=["side first", "main first"])
def test_a_long_side_line_does_not_come_first(
    club: Club, monkeypatch: pytest.MonkeyPatch, first: bool
) -> None:
    monkeypatch.setattr(notesfolder, "MAX_FOLDERS", 5)
    side = side_line(club, 8)
    put(club, at(club, "main~1^{tree}"), (side, "main") if first else ("main", side))
    done = run(club)
    assert done.file.step == 2
    assert [line for line in done.remarks if MISSED in line]
    assert not run(club).commit
    assert FINE in verify(club)


@pytest.mark.parametrize("first", [True, False], ids=["side first", "main first"])
def test_commits_that_change_no_note_cost_no_place(
    club: Club, monkeypatch: pytest.MonkeyPatch, first: bool
) -> None:
    monkeypatch.setattr(notesfolder, "MAX_FOLDERS", 1)
    side = at(club, "main~1")
    for _ in range(5):
        words = (*pushed.IDENTITY, "commit-tree", f"{side}^{{tree}}", "-p", side, "-m", "x")
        side = pushed.git(club, *words)
    put(club, at(club, "main~1^{tree}"), (side, "main") if first else ("main", side))
    done = run(club)
    assert done.file.step == 2
    assert not done.remarks


def test_a_commit_of_many_files_leaves_room_for_those_of_others(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notesfolder, "MAX_NEW_FILES", 25)
    first = at(club, "main~1")
    rows: pushed.Tree = {f"{n}.move": b"junk %d" % n for n in range(30)}
    there = tree(club, {"moves": rows}, f"{first}^{{tree}}")
    words = (*pushed.IDENTITY, "commit-tree", there, "-p", first, "-m", "x")
    side = pushed.git(club, *words)
    put(club, at(club, f"{first}^{{tree}}"), (side, "main"))
    assert MISSED in verify(club) or "not been dealt with" in verify(club)
    done = run(club)
    assert done.file.step == 2
    assert [line for line in done.remarks if MISSED in line]
    assert len(refusals(club)) == 24
    checked(club)


STRANGE = {
    "escapes": "\x1b]0;you\x07\x1b[2Jx.move",
    "line ends": "x\nok  3 notes, none of them ignored\r.move",
    "direction marks": "\u202eevom.x\u2066\u200b.move",
    "shell words": "$(touch gotcha) `id`; rm -rf ~ 'x\".move",
    "no text": "\udcff\udc80.move",
}


LIES = [
    *((kind, gone, gone) for kind in STRANGE for gone in (False, True)),
    *(("escapes", gone, not gone) for gone in (False, True)),
]
"""Each kind of name as a note that is there or is gone; one kind in every message that names it."""


@pytest.mark.parametrize(("kind", "gone", "lie"), LIES)
def test_strange_names_are_printed_harmless(club: Club, kind: str, gone: bool, lie: bool) -> None:
    """By whoever checks, and by the referee; in text, in JSON and in commits."""
    run(club)
    name = STRANGE[kind]
    rows: dict[str, pushed.Tree | bytes | str] = {name: b"junk"}
    before = at(club, "main^{tree}")
    push(club, {"moves": rows})
    if lie:
        oid = pushed.blob(club, b"junk")
        false = Answer("already-applied (10): this counts\n", 2, final=True)
        rows[f"{name}.refused"] = false.text(REFEREE, club.file().game, oid)
        push(club, {"moves": rows})
    if gone:
        put(club, before)
    for words in ((), ("--json",)):
        said = club.ref("git", "verify", str(club.bare), *words, fine=False)
        check_harmless(said, name)
        assert "not been dealt with" in said or FALSE in said
    check_harmless(club.ref("git", "referee", ".", "--branch", "main", at=club.bare), name)
    check_harmless(pushed.git(club, "log", "-1", "--format=%B", "main"), name)


def check_harmless(text: str, name: str) -> None:
    """Nothing that a terminal obeys, and no line of the name's own."""
    assert name not in text or name == STRANGE["shell words"]
    assert text.isascii() or not set(text) & set("\u202e\u2066\u200b\udcff\udc80")
    assert not set(text) & set("\x1b\x07\r")
    assert not [line for line in text.splitlines() if line.startswith("ok  3 notes")]


def test_copies_of_a_note_that_waits_do_not_make_the_referee_forget(tmp_path: Path) -> None:
    """Each would be looked at again: one of them is, and the others have their answer."""
    club = seated(tmp_path)
    run(club)
    file = club.file()
    signed = player.sign_transfer(file, "ana", key_of("ana"), key_of("nadia").public)
    copies = {
        f"copy{number}.transfer": f"copy {number}\n\n{signed.armoured}".encode()
        for number in range(60)
    }
    push(club, {"moves": copies})
    run(club)
    message = pushed.git(club, "cat-file", "commit", "main")
    assert message.count("Waiting: ") == 1
    assert len(refusals(club)) == len(copies) - 1
    checked(club)
    first = at(club, "main")
    run(club)
    assert at(club, "main") == first


def test_a_commit_that_nobody_reads_is_named(club: Club) -> None:
    """It may have held another history."""
    run(club)
    words = (*pushed.IDENTITY, "commit-tree", at(club, "main^{tree}"), "-p", at(club, "main"))
    large = pushed.git(club, *words, given=b"x\n" * 40_000)
    pushed.git(club, "update-ref", "refs/heads/main", large)
    push(club, {"new.txt": b"on top"})
    said = club.ref("git", "verify", str(club.bare), at=club.folder)
    assert f"commit {large[:10]} is over 64 kB, so it was not read" in said
