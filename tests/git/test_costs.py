"""The price of a push, which the referee pays once, in proportion to what was pushed."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable, Mapping
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from referee.errors import Damaged, Stale
from referee.git import history, notesfolder, service
from referee.git.history import verify_history
from referee.git.repo import Repo
from referee.notes.kinds import AnyNote, Move, Transfer, Vacation
from referee.notes.signed import SignedNote
from referee.refereeing import judging
from referee.table.gamefile import MAX_FILE, GameFile
from referee.table.provenance import public_signatures
from referee.table.times import current_time
from tests.git import pushed
from tests.git.club import Club, seated
from tests.git.pushed import endless, push, put, tree
from tests.git.test_attacks import other_game
from tests.git.watch import Watch
from tests.table.tables import REFEREE, key_of

MODES = pytest.mark.parametrize("forgets", [False, True], ids=["ledger", "branch"])


@pytest.fixture
def club(tmp_path: Path) -> Club:
    return seated(tmp_path, options=("--days", "3", "--vacation", "20"))


def run(club: Club, *, forgets: bool = False) -> service.Outcome:
    """The referee, here and now; where the branch is the ledger it forgets all else."""
    ledger = None if forgets else club.folder / "ledger"
    duty = service.RefereeJob("game.toml", "main", "", current_time(), ledger, forgets)
    return service.referee(Repo.at(club.bare), duty, REFEREE)


def changed(club: Club) -> list[str]:
    """The files in which the newest commit is another than the one before."""
    words = ("diff-tree", "-r", "--no-commit-id", "--name-only", "main")
    return sorted(pushed.git(club, *words).splitlines())


def checked(club: Club) -> int:
    """The number of notes there, if anybody can tell that all is well."""
    repo = Repo.at(club.bare)
    return verify_history(repo, repo.branch_tip("main"), "game.toml").notes


def test_a_turn_starts_few_processes(tmp_path: Path) -> None:
    """From the pull before a move to the referee's answer, both sides together."""
    club = seated(tmp_path, hook=True)
    at = club.folder / "ana"
    club.git("pull", "--quiet", "--rebase", at=at)
    folder, listed = tmp_path / "bin", tmp_path / "listed"
    folder.mkdir()
    counting = folder / "git"
    counting.write_text(f'#!/bin/sh\necho "$*" >> {listed}\nexec {shutil.which("git")} "$@"\n')
    counting.chmod(0o755)
    club.env["PATH"] = f"{folder}{os.pathsep}{club.env['PATH']}"
    # Git puts its own folder first for a hook.
    hook = club.bare / "hooks" / "post-receive"
    first, _, rest = hook.read_text().partition("\n")
    hook.write_text(f'{first}\nPATH="{folder}:$PATH"\n{rest}')
    words = ("move", "game.toml", "--role", "trader", "--push")
    assert "The referee has it" in club.ref(*words, at=at)
    lines = listed.read_text().splitlines()
    assert sum("update-ref" in line for line in lines) == 1
    assert len(lines) <= 25, lines


# Game files that are none.


def junk(number: int, like: bytes = b"") -> bytes:
    """A large file that is no game, with all the words of one if it is to be `like` it."""
    words = b"step = 999999\nx%d = '''\n" % number
    if like:
        head, _, rest = like.partition(b"\n[game]\n")
        words = re.sub(rb"\nstep = \d+\n", b"\nstep = 999999\n", head)
        words += b"\n[game]\n%s\n" % rest.partition(b"\n")[0]
        words += b'[referee]\nkey = "%s"\n' % REFEREE.public.text.encode()
        words += b"x%d = '''BEGIN SSH SIGNATURE\n" % number
    return words + b"x\n" * ((MAX_FILE - len(words) - 10) // 2) + b"'''\n"


@MODES
@pytest.mark.parametrize("alike", [False, True])
def test_junk_in_the_place_of_the_game_file(
    club: Club, monkeypatch: pytest.MonkeyPatch, forgets: bool, alike: bool
) -> None:
    run(club, forgets=forgets)
    good = club.show("main:game.toml")
    files = [junk(number, good if alike else b"") for number in range(5)]
    for data in files:
        push(club, {"game.toml": data})
    push(club, {"game.toml": good})
    watch = Watch(monkeypatch)
    run(club, forgets=forgets)
    assert len(watch.parsed) <= 1 + 5 * (alike and forgets)
    for _ in range(2):
        watch.clear()
        assert not run(club, forgets=forgets).commit
        assert watch.parsed == []
        assert {one.oid for one in watch.of("blob")} <= {pushed.blob(club, good)}
    pushed.turn(club, "ana")
    watch.clear()
    assert run(club, forgets=forgets).file.step == 2
    assert len(watch.commands) < 30
    assert sum(one.size for one in watch.of("blob")) < 2 * len(club.show("main:game.toml"))
    # What anybody checks costs no more than once for each file, and nothing where it says nothing.
    for left in (5 * (alike and not forgets), 0):
        watch.clear()
        checked(club)
        assert sum(size > MAX_FILE // 2 for size in watch.parsed) == left


@MODES
def test_junk_that_lies_there_still(
    club: Club, monkeypatch: pytest.MonkeyPatch, forgets: bool
) -> None:
    """Many commits on top of it, and it is read once, by whoever referees and whoever checks."""
    good = club.show("main:game.toml")
    push(club, {"game.toml": junk(0, good)})
    for number in range(10):
        push(club, {"hello": b"%d" % number})
    watch = Watch(monkeypatch)
    run(club, forgets=forgets)
    assert club.show("main:game.toml") == good
    assert sum(size > MAX_FILE // 2 for size in watch.parsed) == 1
    # In the same repository it is remembered.
    watch.clear()
    checked(club)
    assert sum(size > MAX_FILE // 2 for size in watch.parsed) == 0


@pytest.mark.parametrize("kind", ["none", "other bytes", "another referee's"])
def test_more_junk_than_anybody_reads_at_once(
    club: Club, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """The referee passes over the rest, and says so; whoever checks goes on the next time."""
    monkeypatch.setattr(history, "MAX_STRANGE", MAX_FILE * 2)
    run(club, forgets=True)
    good = club.show("main:game.toml")
    words = b"# " + b" ".join(re.findall(rb'id = "(\w+)"|^key = "(.+)"', good)[0]) + b"\n"
    words += b"# %s BEGIN SSH SIGNATURE\n" % REFEREE.public.text.encode()
    base = {
        "none": b"",
        "other bytes": good,
        "another referee's": words + other_game(club, "dora", steps=club.file().step),
    }[kind]
    for number in range(6):
        padding = b"# %d\n" % number + b"# x\n" * ((MAX_FILE - len(base) - 100) // 4)
        push(club, {"game.toml": padding + base if base else junk(number, good)})
    clone = club.clone("desk")
    push(club, {"game.toml": good})
    watch = Watch(monkeypatch)
    done = run(club, forgets=True)
    assert 1 <= large(watch) <= 3
    assert [line for line in done.remarks if "files had to be left out" in line]
    assert done.commit
    watch.clear()
    assert not run(club, forgets=True).commit
    assert large(watch) == 0
    club.git("pull", "--quiet", "--rebase", at=clone)
    left = []
    while True:
        watch.clear()
        repo = Repo.at(clone)
        left.append(verify_history(repo, repo.branch_tip("main"), "game.toml").unread)
        assert large(watch) <= 3
        if not left[-1]:
            break
    assert left == sorted(left, reverse=True)
    assert 2 <= len(left) <= 4
    watch.clear()
    verify_history(repo, repo.branch_tip("main"), "game.toml")
    assert large(watch) == 0


def large(watch: Watch) -> int:
    """The number of large files that were parsed."""
    return sum(size > MAX_FILE // 2 for size in watch.parsed)


def test_a_merge_from_the_beginning_makes_nobody_look_again(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A line that leaves out all the referee's commits is short, the other one known."""
    good = club.show("main:game.toml")
    for number in range(3):
        push(club, {"game.toml": junk(number, good)})
    run(club, forgets=True)
    pushed.turn(club, "ana")
    run(club, forgets=True)
    newest = club.show("main:game.toml")
    first = pushed.git(club, "rev-list", "--max-parents=0", "main")
    put(club, pushed.git(club, "rev-parse", "main^{tree}"), (first, "main"))
    watch = Watch(monkeypatch)
    run(club, forgets=True)
    # The file with which the game began is all that is read once more.
    assert max(watch.parsed, default=0) < 4000
    assert club.show("main:game.toml") == newest
    # Also if it takes everything back.
    put(club, pushed.git(club, "rev-parse", f"{first}^{{tree}}"), (first, "main"))
    watch.clear()
    run(club, forgets=True)
    assert club.show("main:game.toml") == newest
    assert sum(size > MAX_FILE // 2 for size in watch.parsed) == 0


def test_what_was_looked_at_for_nothing_is_not_looked_at_again(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(club)
    for number in range(service.MANY + 1):
        push(club, {"hello": b"%d" % number})
    assert run(club).commit
    assert changed(club) == []
    assert not run(club).commit


# Checkpoints.


def test_only_the_referee_s_own_word_counts(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its commit's message on another commit, or another tree, says nothing."""
    pushed.turn(club, "ana")
    run(club)
    message = pushed.git(club, "log", "-1", "--format=%B", "main").encode()
    assert b"\nJudged: " in message
    new = tree(club, {"moves": {"x.move": b"sanjuan-ref/1 move\nwrong\n"}}, "main^{tree}")
    words = ("commit-tree", new, "-p", "main", "-F", "-")
    made = pushed.git(club, *pushed.IDENTITY, *words, given=message + b"\n")
    pushed.git(club, "update-ref", "refs/heads/main", made)
    run(club)
    assert changed(club) == ["moves/x.move.refused"]


# Notes that are none.


def flood(club: Club, make: list[AnyNote], name: str, number: int, key: str) -> None:
    """Push many files with many notes."""
    rows: dict[str, pushed.Tree | bytes | str] = {}
    for one in range(number):
        texts = [note.armoured(key_of(key).public, note.sign(key_of(key))) for note in make]
        rows[f"{name}{one}.move"] = f"{one}\n{''.join(texts)}".encode()
    push(club, {"moves": rows})


def vacations(file: GameFile, step: int, head: bytes) -> list[AnyNote]:
    days = [date(2090, 1, day) for day in range(1, 11)]
    return [Vacation(file.game, "ana", step, head.hex(), day, day) for day in days]


def moves(file: GameFile, turn: str, step: int) -> list[AnyNote]:
    plays = ("builder", "trader", "producer", "councillor", "prospector")
    return [Move(file.game, turn, step, file.head.hex(), f"role {play}") for play in plays]


FLOODS: dict[str, tuple[str, Callable[[GameFile], list[AnyNote]]]] = {
    "another key": ("ben", lambda file: vacations(file, 1, file.head)),
    "a fork": ("ana", lambda file: vacations(file, 1, bytes(32))),
    "a stranger": ("eve", lambda file: vacations(file, 1, file.head)),
    "nobody's question": ("ana", lambda file: moves(file, "9.9.role.ana", 1)),
    "another's question": ("ben", lambda file: moves(file, "1.1.role.ana", 1)),
    "what is to come": ("ana", lambda file: moves(file, "9.9.role.ana", 999)),
}


@MODES
@pytest.mark.parametrize("kind", FLOODS)
def test_refused_notes_without_number(
    club: Club, monkeypatch: pytest.MonkeyPatch, kind: str, forgets: bool
) -> None:
    run(club, forgets=forgets)
    key, make = FLOODS[kind]
    # More than are kept waiting, or as many as no run asks git about one by one.
    number = 60 if kind == "what is to come" else 30
    flood(club, make(club.file()), "flood", number, key)
    counted = []

    def seen(file: GameFile) -> set[bytes]:
        counted.append(file)
        return public_signatures(file)

    monkeypatch.setattr(judging, "public_signatures", seen)
    watch = Watch(monkeypatch)
    done = run(club, forgets=forgets)
    assert len(done.verdicts) == number * len(make(club.file()))
    # What the game holds is gathered once, and not for each of them.
    assert len(counted) <= 1
    assert len(watch.commands) < 30
    waiting = [line for line in message_of(club) if line.startswith("Waiting: ")]
    assert len(waiting) == (50 if kind == "what is to come" else 0)
    watch.clear()
    assert not run(club, forgets=forgets).commit
    assert watch.of("blob") == [watch.of("blob")[0]]
    pushed.turn(club, club.asked()[0])
    watch.clear()
    assert run(club, forgets=forgets).file.step == 2
    assert changed(club) == ["game.toml"]
    # The game file as it was, and the note; those that may count later, with what was said.
    assert len(watch.of("blob")) <= 5 + 2 * len(waiting)
    assert len(watch.commands) < 30
    checked(club)


def message_of(club: Club) -> list[str]:
    return pushed.git(club, "log", "-1", "--format=%B", "main").splitlines()


# Files, commits and trees that are large.


def fat(club: Club, megabytes: int, names: int) -> pushed.Tree:
    """A folder in which one file lies under many names."""
    oid = pushed.blob(club, bytes(megabytes * 1_000_000))
    return {f"f{number}": f"100644 {oid}" for number in range(names)}


def test_a_large_file_under_many_names(club: Club) -> None:
    """Each name counts: no player's pull writes them, and the referee takes them away."""
    run(club)
    push(club, {"moves": {"fat": fat(club, 20, 7)}})
    at = club.folder / "ana"
    words = ("move", "game.toml", "--role", "trader", "--push")
    assert "new files have 140 MB" in club.ref(*words, at=at, fine=False)
    assert not (at / "moves" / "fat").exists()
    run(club)
    left = pushed.git(club, "ls-tree", "-r", "--name-only", "main", "moves/fat/").split()
    assert left == [f"moves/fat/f{number}.refused" for number in range(7)]
    assert not run(club).commit
    checked(club)
    club.ref(*words, at=at)
    assert run(club).file.step == 2
    checked(club)


def test_all_notes_together_are_not_too_large(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """The largest go away, and are judged and answered all the same."""
    run(club)
    monkeypatch.setattr(notesfolder, "MAX_BYTES", 100_000)
    rows: dict[str, pushed.Tree | bytes | str] = {
        f"{size}.move": b"sanjuan-ref/1 move\n%s\n" % (b"x " * size) for size in (20_000, 30_001)
    }
    push(club, {"moves": rows})
    pushed.turn(club, "ana")
    with pytest.raises(Stale, match="has not been dealt with"):
        checked(club)
    assert run(club).file.step == 2
    there = pushed.git(club, "ls-tree", "--name-only", "main", "moves/").split()
    assert "moves/20000.move.refused" in there
    assert "moves/30001.move" not in there
    assert [name for name in there if name.startswith("moves/gone-")]
    assert not run(club).commit
    checked(club)


def large_commit(club: Club, size: int, name: str = "main") -> str:
    """A commit on the branch that changes nothing, with so many bytes of message."""
    words = ("commit-tree", f"{name}^{{tree}}", "-p", "main", "-F", "-")
    made = pushed.git(club, *pushed.IDENTITY, *words, given=b"a" * size)
    pushed.git(club, "update-ref", "refs/heads/main", made)
    return made


def test_a_large_commit(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its message is never read, and what lies in it is looked at as always, once."""
    run(club)
    made = [large_commit(club, 3_000_000)]
    pushed.turn(club, "ana")
    made.append(large_commit(club, 3_000_000))
    watch = Watch(monkeypatch)
    assert run(club).file.step == 2
    made.append(large_commit(club, 3_000_000))
    assert run(club).commit
    assert not run(club).commit
    assert checked(club) == 3
    assert max(one.size for one in watch.read) < 100_000
    assert not [name for name in watch.looked if ":" in name and name.split(":")[0] in made]
    # Where one takes everything away, that is seen as well.
    large_commit(club, 3_000_000, pushed.tree(club, {}))
    with pytest.raises(Damaged, match="the game file is gone"):
        checked(club)
    assert run(club).file.step == 2
    checked(club)


def test_a_hook_takes_no_large_commit(tmp_path: Path) -> None:
    club = seated(tmp_path, hook=True)
    at = club.folder / "ben"
    club.git("pull", "--quiet", at=at)
    (at / "text").write_text("a" * 1_000_000)
    club.git("commit", "--quiet", "--allow-empty", "-F", "text", at=at)
    said = club.git("push", "origin", "main", at=at, fine=False)
    assert "larger than any of a game" in said
    club.git("reset", "--quiet", "--hard", "HEAD~1", at=at)
    club.turn("ana")
    assert club.file().step == 2


# Trees without end.


PLACES: dict[str, Mapping[str, Any]] = {
    "among the notes": {"moves": {"z": "bomb"}},
    "as the notes": {"moves": "bomb"},
    "as the game": {"game.toml": "bomb"},
    "beside a note": {"moves": {"ana.move": "bomb"}},
    "beside the game": {"z": "bomb"},
}
BOMBS = {
    "without a file": lambda club: endless(club),
    "with a file": lambda club: endless(club, data=b"x"),
    "deep": lambda club: endless(club, 1200, 1, b"x"),
    "deep and empty": lambda club: endless(club, 1200, 1),
    "wide": lambda club: endless(club, 5, 60),
}


def placed(rows: Mapping[str, Any], bomb: str) -> pushed.Tree:
    return {name: bomb if what == "bomb" else placed(what, bomb) for name, what in rows.items()}


CASES = [(place, "without a file") for place in PLACES]
CASES += [("among the notes", kind) for kind in BOMBS if kind != "without a file"]


@pytest.mark.parametrize(("place", "kind"), CASES)
def test_trees_without_end(
    club: Club, monkeypatch: pytest.MonkeyPatch, place: str, kind: str
) -> None:
    """They are looked at once as they lie there and once as new, are taken away, and stop none."""
    run(club)
    before = pushed.git(club, "rev-parse", "main:moves")
    bomb = BOMBS[kind](club)
    push(club, placed(PLACES[place], bomb))
    push(club, {"hello": b"hello\n"})
    watch = Watch(monkeypatch)
    run(club)
    assert len(watch.of("tree")) < 200
    assert len(watch.commands) < 30
    left = Repo.at(club.bare).maybe("rev-parse", "--verify", "--quiet", "main:moves")
    assert left == {"beside the game": before, "as the notes": ""}.get(place, before)
    watch.clear()
    assert not run(club).commit
    assert len(watch.of("tree")) < 20
    checked(club)
    assert len(watch.of("tree")) < 100
    at = club.folder / "ana"
    if place == "beside the game":
        words = ("move", "game.toml", "--role", "trader", "--push")
        assert "is without end" in club.ref(*words, at=at, fine=False)
        # As THREATS says, with the commit before the one that brought them.
        club.git("fetch", "--quiet", at=at)
        undo = ("commit-tree", "origin/main~2^{tree}", "-p", "origin/main", "-m", "undo")
        club.git("push", "--quiet", "origin", f"{club.git(*undo, at=at)}:main", at=at)
    club.ref("move", "game.toml", "--role", "trader", "--push", at=at)
    assert run(club).file.step == 2


def test_a_hook_ends_with_the_push(tmp_path: Path) -> None:
    """No git of ours is left behind."""
    club = seated(tmp_path, hook=True)
    new = tree(club, {"moves": {"z": endless(club)}}, "main^{tree}")
    made = pushed.git(club, *pushed.IDENTITY, "commit-tree", new, "-p", "main", "-m", "x")
    pushed.git(club, "update-ref", "refs/side", made)
    at = club.folder / "ben"
    club.git("fetch", "--quiet", "origin", "refs/side", at=at)
    club.git("push", "--quiet", "origin", f"{made}:refs/heads/main", at=at)
    assert club.subjects()[-1] == "remove what is not a file, has too long a name, or no end"
    running = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True)
    assert str(club.bare) not in running.stdout


def test_a_file_under_many_names(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is judged once, looked at once, and answered alike, by whoever referees or checks."""
    run(club)
    file, stranger = club.file(), key_of("stranger")
    early: list[AnyNote] = [
        Move(file.game, "9.9.role.ana", 900 + n, "0" * 64, "role builder") for n in range(10)
    ]
    wrong: list[AnyNote] = [
        Transfer(file.game, "ana", 1, file.head.hex(), key_of(f"new {n}").public.hex)
        for n in range(10)
    ]
    data = [
        "\n".join([SignedNote.by(stranger, note).armoured for note in notes]).encode()
        for notes in (early, wrong)
    ]
    push(club, {"moves": {f"{n}.note": data[n % 2] for n in range(60)}})
    judged, verified = [0], [0]
    judge, holds = judging.Judge._judge, SignedNote.holds

    def judge_it(self: judging.Judge, *what: Any) -> judging.Verdict:
        judged[0] += 1
        return judge(self, *what)

    def hold_it(self: SignedNote) -> bool:
        verified[0] += 1
        return holds(self)

    monkeypatch.setattr(judging.Judge, "_judge", judge_it)
    monkeypatch.setattr(SignedNote, "holds", hold_it)
    run(club)
    assert judged == [20]
    rows = [row.split() for row in pushed.git(club, "ls-tree", "main:moves").splitlines()]
    answers = [oid for _, _, oid, name in rows if name.endswith(".note.refused")]
    assert (len(answers), len(set(answers))) == (60, 2)
    verified[0] = 0
    checked(club)
    assert verified[0] <= 40
    judged[0] = 0
    club.turn("ana")
    run(club)
    # The move comes first, and when it has been judged the others are once more.
    assert judged[0] <= 1 + 2 * 10
    checked(club)
