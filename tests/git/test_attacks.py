"""Attacks by those who can push: to stop the referee, the players, or whoever checks."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from referee.crypto.sealing import seal_note
from referee.games.errors import GameError
from referee.git import notequeue, service
from referee.git.answers import MAX_NOTE, Judged
from referee.git.history import verify_history
from referee.git.objects import Objects
from referee.git.repo import GitFailed, Repo
from referee.git.trees import LARGEST, Trees
from referee.git.writing import Change, write_tree
from referee.notes.finding import Found, find, find_in_bytes
from referee.refereeing import commit
from referee.refereeing.judging import Judge, Verdict
from referee.table.replay import Session
from referee.table.signing import load
from referee.table.times import current_time
from tests.git import pushed
from tests.git.club import Club, seated
from tests.git.test_referee import push_file
from tests.git.watch import Watch
from tests.table.tables import REFEREE, Table, key_of


@pytest.fixture
def club(tmp_path: Path) -> Club:
    """A table whose hook sleeps: the referee is called by the tests."""
    return seated(tmp_path)


def referee(club: Club) -> str:
    """Run the referee here and now, and return what it says."""
    done = run_here(club)
    return "\n".join([*done.remarks, done.message if done.commit else "nothing new"])


def verify(club: Club) -> str:
    """Check the history, and return what the command says, but for its layout."""
    repo = Repo.at(club.bare)
    try:
        found = verify_history(repo, repo.branch_tip("main"), "game.toml")
    except GameError as error:
        return f"{error.message}\nhint: {error.hint}"
    mended = [f"{fault}; that was put right" for fault in found.mended]
    return "\n".join([f"{found.notes} notes, none of them ignored", *mended])


def push_tree(club: Club, name: str, rows: dict[str, bytes | str], message: str = "x") -> None:
    """Commit and push files as they are given, by no way that looks at them: objects, or links."""
    at = club.folder / name
    club.git("pull", "--quiet", "--rebase", at=at)
    for path, data in rows.items():
        club.git("rm", "-r", "--quiet", "--cached", "--ignore-unmatch", path, at=at)
        mode, _, oid = data.partition(" ") if isinstance(data, str) else ("100644", "", "")
        if isinstance(data, bytes):
            words = ["git", "hash-object", "-w", "--stdin"]
            done = subprocess.run(
                words, cwd=at, env=club.env, input=data, capture_output=True, check=True
            )
            oid = done.stdout.decode().strip()
        club.git("update-index", "--add", "--cacheinfo", f"{mode},{oid},{path}", at=at)
    tree = club.git("write-tree", at=at)
    new = club.git("commit-tree", tree, "-p", "HEAD", "-m", message, at=at)
    club.git("push", "--quiet", "origin", f"{new}:refs/heads/main", at=at)
    club.git("fetch", "--quiet", at=at)
    club.git("reset", "--quiet", "--hard", new, at=at, fine=False)


def link(club: Club, name: str, target: str) -> str:
    """A link to `target`, for `push_tree`."""
    words = ["git", "hash-object", "-w", "--stdin"]
    at = club.folder / name
    data = target.encode()
    done = subprocess.run(words, cwd=at, env=club.env, input=data, capture_output=True, check=True)
    return f"120000 {done.stdout.decode().strip()}"


def refusals(club: Club) -> dict[str, str]:
    names = club.git("ls-tree", "-r", "-z", "--name-only", "main", "moves/", at=club.bare)
    found = [name for name in names.split("\0") if name.endswith(".refused")]
    return {name: club.git("show", f"main:{name}", at=club.bare) for name in found}


# Notes without end.


def test_a_large_file_is_refused_and_not_read(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    push_file(club, "ana", "moves/large.move", b"x" * (MAX_NOTE + 1))
    watch = Watch(monkeypatch)
    run_here(club)
    assert "over 256 kB" in refusals(club)["moves/large.move.refused"]
    assert max(one.size for one in watch.read) < MAX_NOTE
    assert "none of them ignored" in verify(club)


def run_here(club: Club) -> service.Outcome:
    """The referee in this process, so that it can be watched."""
    duty = service.RefereeJob("game.toml", "main", "", current_time(), club.folder / "ledger")
    return service.referee(Repo.at(club.bare), duty, REFEREE)


def test_not_all_notes_are_in_memory_at_once(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """However the notes are parted, all count that would count together."""
    at = club.folder / "ana"
    for number in range(5):
        (at / "moves").mkdir(exist_ok=True)
        (at / "moves" / f"0{number}.move").write_text(f"sanjuan-ref/1 move\n{number}\n")
    club.git("add", "moves", at=at)
    club.git("commit", "--quiet", "-m", "x", at=at)
    club.turn("ana")
    monkeypatch.setattr(notequeue, "BATCH", 1)
    run_here(club)
    assert club.file().step == 2
    assert len(refusals(club)) == 5


def test_of_a_judged_note_nothing_is_kept(tmp_path: Path) -> None:
    """An error holds on to the calls in which it was raised, and so to the text of the note."""
    path = tmp_path / "game.toml"
    path.write_text(Table(2).join_all().text)
    text = "sanjuan-ref/1 move\nwrong\n-----END SSH SIGNATURE-----\n"
    notes = [("a", one) for one in find(text + seal_note(text, REFEREE.public))]
    with commit.open_game(path, REFEREE, ledger=tmp_path / "ledger") as desk:
        verdicts = commit.apply_notes(desk, notes, current_time())
    assert [one.error.__traceback__ is None for one in verdicts if one.error] == [False, False]
    for (_, found), verdict in zip(notes, verdicts, strict=True):
        error = Judged.of(found, verdict, "").verdict.error
        assert error is not None
        assert error.__traceback__ is None
        assert error.__context__ is None


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """The notes that were read, as they are."""
    read: list[bytes] = []

    def seen(data: bytes) -> list[Found]:
        read.append(data)
        return find_in_bytes(data)

    monkeypatch.setattr(notequeue, "find_in_bytes", seen)
    return read


def test_what_is_refused_for_good_is_judged_once(club: Club, judged: list[bytes]) -> None:
    push_file(club, "ana", "moves/bad.move", b"sanjuan-ref/1 move\nwrong\n")
    run_here(club)
    assert b"wrong" in b"".join(judged)
    judged.clear()
    pushed.turn(club, "ana")
    run_here(club)
    assert club.file().step == 2
    assert b"wrong" not in b"".join(judged)
    answer = refusals(club)["moves/bad.move.refused"]
    assert "judged for good at step 1, signed " in answer
    # What has counted is not read again, nor anything where nothing has happened.
    judged.clear()
    run_here(club)
    assert judged == []


def test_a_refusal_that_is_gone_is_given_again(club: Club) -> None:
    push_file(club, "ana", "moves/bad.move", b"sanjuan-ref/1 move\nwrong\n")
    referee(club)
    before = refusals(club)
    at = club.folder / "ana"
    club.git("pull", "--quiet", "--rebase", at=at)
    club.git("rm", "--quiet", "moves/bad.move.refused", at=at)
    club.git("commit", "--quiet", "-m", "x", at=at)
    club.git("push", "--quiet", at=at)
    assert "has not been dealt with yet" in verify(club)
    referee(club)
    assert refusals(club) == before


def test_a_note_that_came_too_early_counts_when_its_time_has_come(club: Club) -> None:
    """It is answered at first, is left alone while nothing happens, and counts at last."""
    at = club.folder / "ana"
    club.git("pull", "--quiet", "--rebase", at=at)
    game = club.folder / "later.toml"
    game.write_bytes((at / "game.toml").read_bytes())
    key, ledger = str(club.folder / "referee.key"), str(club.folder / "other")
    club.ref("move", "game.toml", "--role", "builder", "-o", "../first.move", at=at)
    club.ref("apply", str(game), "first.move", "--referee-key", key, "--ledger", ledger)
    club.ref(
        *("move", str(game), "--play", "pass", "--key", str(club.folder / "ana.key")),
        *("-o", "second.move"),
    )
    push_file(club, "ana", "moves/b.move", (club.folder / "second.move").read_bytes())
    referee(club)
    assert "judged at step 1" in refusals(club)["moves/b.move.refused"]
    assert "nothing new" in referee(club)
    push_file(club, "ana", "moves/a.move", (club.folder / "first.move").read_bytes())
    referee(club)
    assert club.file().step == 3
    assert refusals(club) == {}


def test_a_made_up_refusal_hides_no_note(club: Club) -> None:
    """Pushed with the note: the referee judges it, and until then verify says that it did not."""
    push_file(club, "ana", "moves/bad.move", b"sanjuan-ref/1 move\nwrong\n")
    referee(club)
    real = refusals(club)["moves/bad.move.refused"]
    at = club.folder / "ben"
    club.git("pull", "--quiet", "--rebase", at=at)
    [join] = (at / "moves").glob("ana-*.join")
    for number, said in enumerate(("illegal (14): no\n", f"{real}\n")):
        (at / "moves" / f"{number}.move").write_bytes(join.read_bytes() + b"more: %d\n" % number)
        (at / "moves" / f"{number}.move.refused").write_text(said)
    push_file(club, "ben", "moves/2.move", b"sanjuan-ref/1 move\nother\n")
    assert "2.move has not been dealt with yet" in verify(club)
    referee(club)
    assert sorted(refusals(club)) == ["moves/2.move.refused", "moves/bad.move.refused"]
    assert "none of them ignored" in verify(club)


class Panic(BaseException):
    """An exception as a library in another language raises it."""


FAILURES = [RuntimeError, RecursionError, MemoryError, OSError, GitFailed, Panic]


@pytest.mark.parametrize(
    ("kind", "place"),
    [
        *((kind, "find_in_bytes") for kind in FAILURES),
        *((kind, place) for kind in (RuntimeError, Panic) for place in ("_judge", "refresh")),
    ],
)
def test_a_note_on_which_the_program_fails(
    club: Club, monkeypatch: pytest.MonkeyPatch, kind: type[BaseException], place: str
) -> None:
    """It is refused for good, and all beside it are judged as ever; no word of it is said."""
    judge_well, refresh_well = Judge._judge, Session.refresh
    tries: list[object] = []

    def finding(data: bytes) -> list[Found]:
        if b"boom" in data:
            tries.append(data)
            raise kind("secret")
        return find_in_bytes(data)

    def judging(judge: Judge, source: str, found: Found) -> Verdict:
        if source.endswith("boom.move"):
            tries.append(source)
            judge.file.title = "spoilt"
            judge.changed = True
            if place == "_judge":
                raise kind("secret")
            return Verdict(source, "note", "fine")
        return judge_well(judge, source, found)

    def refreshing(session: Session) -> None:
        if session.file.title == "spoilt":
            raise kind("secret")
        refresh_well(session)

    rows = {f"{one}.move": b"sanjuan-ref/1 move\nwrong %d\n" % one for one in range(3)}
    pushed.push(club, {"moves": {**rows, "boom.move": b"sanjuan-ref/1 move\nboom\n"}})
    pushed.turn(club, "ana")
    if place == "find_in_bytes":
        monkeypatch.setattr(notequeue, "find_in_bytes", finding)
    else:
        monkeypatch.setattr(Judge, "_judge", judging)
        monkeypatch.setattr(Session, "refresh", refreshing)
    done = run_here(club)
    assert (done.file.step, done.file.title) == (2, club.file().title)
    assert done.file.title != "spoilt"
    answers = refusals(club)
    assert len(answers) == 4
    said = answers["moves/boom.move.refused"]
    assert said.startswith(f"bug (70): the program fails on this note: {kind.__name__} at ")
    assert "judged for good" in said
    assert "secret" not in said + done.message + "".join(done.remarks)
    assert "none of them ignored" in verify(club)
    tries.clear()
    assert not run_here(club).commit
    pushed.turn(club, club.asked()[0])
    assert run_here(club).file.step == 3
    assert tries == []
    assert refusals(club) == answers


# What stands for something else.


def test_an_object_that_another_is_to_stand_for(club: Club) -> None:
    """refs/replace/ can be pushed like any other: for the file, for the newest commit."""
    at = club.folder / "ben"
    club.git("pull", "--quiet", "--rebase", at=at)
    club.git("config", "--unset", "core.useReplaceRefs", at=club.bare)
    tip = club.git("rev-parse", "HEAD", at=at)
    evil = club.git("commit-tree", club.git("mktree", at=at), "-m", "x", at=at)
    club.git("push", "--quiet", "origin", f"{evil}:refs/replace/{tip}", at=at)
    assert "none of them ignored" in verify(club)
    club.turn("ana")
    referee(club)
    assert "none of them ignored" in verify(club)


def test_a_replaced_commit_does_not_let_the_branch_be_rewritten(club: Club) -> None:
    """Or a commit that only seems to continue the branch could be pushed in its place."""
    at = club.folder / "ben"
    club.git("pull", "--quiet", "--rebase", at=at)
    tip = club.git("rev-parse", "HEAD", at=at)
    evil = club.git("commit-tree", "HEAD~1^{tree}", "-p", "HEAD~1", "-m", "x", at=at)
    seems = club.git("commit-tree", "HEAD~1^{tree}", "-p", tip, "-m", "x", at=at)
    club.git("push", "--quiet", "origin", f"{seems}:refs/replace/{evil}", at=at)
    club.git("push", "--quiet", "--force", "origin", f"{evil}:refs/heads/main", at=at, fine=False)
    assert club.git("rev-parse", "main", at=club.bare) == tip


def test_a_tag_by_the_name_of_the_branch(club: Club) -> None:
    (club.bare / "hooks" / "update").unlink()
    at = club.folder / "ben"
    club.git("push", "--quiet", "origin", "HEAD~1:refs/tags/main", at=at)
    club.turn("ana")
    referee(club)
    club.git("fetch", "--quiet", "--tags", at=club.folder / "ana")
    club.git("pull", "--quiet", "--rebase", at=club.folder / "ana")
    assert club.file(club.folder / "ana").step == 2
    said = club.ref("git", "verify", ".", "--branch", "main", at=club.bare)
    assert "none of them ignored" in said
    said = club.ref("git", "referee", at=club.folder / "ana")
    assert "nothing new" in said


@pytest.mark.parametrize("how", ["file", "link", "module"])
def test_moves_that_is_no_directory(club: Club, how: str) -> None:
    out = club.folder / "out"
    out.mkdir()
    tip = club.git("rev-parse", "main", at=club.bare)
    made: dict[str, Callable[[], bytes | str]] = {
        "file": lambda: b"hello\n",
        "link": lambda: link(club, "ben", str(out)),
        "module": lambda: f"160000 {tip}",
    }
    push_tree(club, "ben", {"moves": made[how]()})
    at = club.folder / "ana"
    club.git("pull", "--quiet", "--rebase", at=at, fine=False)
    said = club.ref("move", "game.toml", "--role", "trader", "--push", at=at, fine=False)
    assert list(out.iterdir()) == []
    if how != "module":
        assert "is not a folder" in said
    club.git("reset", "--quiet", "--hard", "origin/main", at=at)
    assert "was no folder" in referee(club)
    assert club.subjects()[-1] == "make moves a folder again"
    assert "none of them ignored" in verify(club)
    assert "nothing new" in referee(club)
    club.git("pull", "--quiet", "--rebase", at=at)
    club.ref("move", "game.toml", "--role", "trader", "--push", at=at)
    referee(club)
    assert club.file().step == 2


# Git writes five modes, and takes any number for one of them.
MODES = ("160644", "160000", "100", "0", "170000", "100664", "040755", "0100644", "120777", "7")


@pytest.mark.parametrize("folder", ["", "moves"])
def test_a_mode_that_git_does_not_write(club: Club, folder: str) -> None:
    """It stops nobody, whatever the object is, and the referee does not write it."""
    run_here(club)
    names = ("main", "main:README.md", "main:moves")
    tip, *oids = (pushed.git(club, "rev-parse", name) for name in names)
    file, tree = map(bytes.fromhex, oids)
    for mode in MODES:
        pushed.git(club, "update-ref", "refs/heads/main", tip)
        oid = tree if "4" in mode[1:2] else file
        wrong = b"sanjuan-ref/1 move\nwrong %s\n" % mode.encode()
        pushed.push(club, {"moves": {f"{mode}.move": wrong}})
        pushed.put(club, pushed.raw(club, folder, mode.encode() + b" zz\0" + oid))
        assert f"moves/{mode}.move.refused" in (run_here(club).commit and refusals(club)), mode
        there = pushed.git(club, "ls-tree", "-r", "-t", "--format=%(objectmode)", "main")
        assert set(there.split()) <= {"100644", "100755", "120000", "040000", "160000"}, mode
        written = raw_modes(club, folder)
        assert written <= {b"100644", b"100755", b"120000", b"40000", b"160000"}, mode
        assert not run_here(club).commit, mode
        assert "none of them ignored" in verify(club), mode
    club.turn("ana")
    assert run_here(club).file.step == 2


def raw_modes(club: Club, folder: str) -> set[bytes]:
    words = ["git", "-C", str(club.bare), "cat-file", "tree", f"main:{folder}"]
    data = subprocess.run(words, env=club.env, capture_output=True, check=True).stdout
    return {row[0] for row in re.findall(rb"([0-7]+) ([^\0]+)\0.{20}", data, re.DOTALL)}


def test_a_mode_beside_a_note_that_is_refused(club: Club) -> None:
    """The answer makes a tree in which it lies too."""
    run_here(club)
    note = pushed.blob(club, b"sanjuan-ref/1 move\nwrong\n")
    rows = b"".join(
        b"%s %s\0%s" % (mode, name, bytes.fromhex(note))
        for mode, name in ((b"100644", b"aa.move"), (b"160644", b"zz"))
    )
    sub = pushed.loose(club, rows)
    pushed.push(club, {"moves": {"sub": f"040000 {sub}"}})
    run_here(club)
    assert list(refusals(club)) == ["moves/sub/aa.move.refused"]
    assert not run_here(club).commit
    assert "none of them ignored" in verify(club)


@pytest.mark.parametrize("before", [True, False])
@pytest.mark.parametrize("row", [b"100644 a/b\0", b"100644x zz\0", b""], ids=["/", "x", "large"])
def test_a_root_that_nobody_can_read(club: Club, row: bytes, before: bool) -> None:
    """All files are put back, once, whether the referee has been there before or not."""
    if before:
        run_here(club)
    good = pushed.git(club, "rev-parse", "main^{tree}")
    note = bytes.fromhex(pushed.blob(club, b"x"))
    large = b"".join(b"100644 z%08d\0%s" % (one, note) for one in range(LARGEST // 37))
    bad = pushed.raw(club, "", row + note if row else large)
    text = f"tree {bad}\nparent {pushed.git(club, 'rev-parse', 'main')}\n"
    text += "author x <x> 1 +0000\ncommitter x <x> 1 +0000\n\nx\n"
    words = ("hash-object", "-w", "-t", "commit", "--literally", "--stdin")
    made = pushed.git(club, *words, given=text.encode())
    pushed.git(club, "update-ref", "refs/heads/main", made)
    assert "put back all files" in run_here(club).message
    assert pushed.git(club, "rev-parse", "main^{tree}") == good or not before
    assert not run_here(club).commit
    if b"x zz" not in row:
        # What git itself cannot read nobody can fetch.
        pushed.turn(club, "ana")
        assert run_here(club).file.step == 2


OTHER_SETTINGS = {
    "none": (),
    "renames": ("merge.directoryRenames", "true"),
    "merges": ("rebase.rebaseMerges", "true"),
    "modules": ("submodule.recurse", "true"),
    "squash": ("rebase.autoSquash", "true"),
}


@pytest.mark.parametrize("setting", OTHER_SETTINGS)
def test_a_folder_that_somebody_has_renamed(club: Club, setting: str) -> None:
    """A note that is committed already stays where it belongs, however the clone is set."""
    at, other = club.folder / "ana", club.folder / "ben"
    if OTHER_SETTINGS[setting]:
        club.git("config", *OTHER_SETTINGS[setting], at=at)
    club.git("pull", "--quiet", at=at)
    club.ref("move", "game.toml", "--role", "trader", "--commit", at=at)
    club.git("pull", "--quiet", at=other)
    club.git("mv", "moves", "m2", at=other)
    club.git("commit", "--quiet", "-m", "x", at=other)
    club.git("push", "--quiet", at=other)
    club.ref("move", "game.toml", "--role", "trader", "--push", at=at)
    assert run_here(club).file.step == 2
    assert "none of them ignored" in verify(club)


def test_a_renamed_folder_and_a_pull_by_hand(club: Club) -> None:
    at = club.folder / "ana"
    club.turn("ana", "--commit")
    push_file(club, "ben", "moves/x", b"x")
    club.git("mv", "moves", "m2", at=club.folder / "ben")
    club.git("commit", "--quiet", "-m", "x", at=club.folder / "ben")
    club.git("push", "--quiet", at=club.folder / "ben")
    club.git("pull", "--quiet", "--rebase", at=at)
    club.git("push", "--quiet", at=at)
    assert run_here(club).file.step == 2


def test_a_directory_in_the_place_of_an_answer(club: Club) -> None:
    at = club.folder / "ben"
    club.git("pull", "--quiet", "--rebase", at=at)
    (at / "moves" / "q.move.refused").mkdir()
    (at / "moves" / "q.move.refused" / "x").write_text("sanjuan-ref/1 move\nwrong\n")
    push_file(club, "ben", "moves/q.move", b"sanjuan-ref/1 move\nwrong\n")
    referee(club)
    assert list(refusals(club)) == ["moves/q.move.refused"]
    assert "nothing new" in referee(club)
    assert "none of them ignored" in verify(club)


@pytest.mark.parametrize(
    "attributes",
    [
        "* filter=evil text eol=crlf ident working-tree-encoding=UTF-16",
        "* working-tree-encoding merge=union",
        "[attr]text filter=evil\n* filter",
    ],
)
def test_attributes_change_nothing_of_a_game(club: Club, attributes: str) -> None:
    at = club.folder / "ana"
    club.git("pull", "--quiet", "--rebase", at=at)
    for way in ("clean", "smudge"):
        club.git("config", f"filter.evil.{way}", "tr a-z A-Z", at=at)
    push_tree(club, "ben", {".gitattributes": f"{attributes}\n".encode()})
    club.ref("move", "game.toml", "--role", "trader", "--push", at=at)
    referee(club)
    assert club.file().step == 2
    # A file that is none of the game may look changed now.
    club.git("pull", "--quiet", "--rebase", "--autostash", at=at)
    assert (at / "game.toml").read_bytes() == club.show("main:game.toml")
    assert club.git("status", "--porcelain", "game.toml", "moves", at=at) == ""


LOOKS = ["folders", "files", "link", "commondir"]


@pytest.mark.parametrize("looks", LOOKS)
def test_a_repository_that_was_pushed_as_files(club: Club, looks: str) -> None:
    """Git takes a folder for a bare repository by its looks, and runs what its config names."""
    at, trap = club.folder / "ben", club.folder / "trap"
    club.git("pull", "--quiet", "--rebase", at=at)
    game = at / "games" / "one"
    game.mkdir(parents=True)
    club.git("mv", "game.toml", "moves", "games/one", at=at)
    where = game / "c" if looks == "commondir" else game
    lines = ("repositoryformatversion = 0", "bare = false", "worktree = .")
    config = [*lines, f'fsmonitor = "touch {trap}; false"']
    files = {where / "config": "\n".join(["[core]", *config, ""])}
    if looks == "link":
        (game / "HEAD").symlink_to("refs/heads/main")
    else:
        files[game / "HEAD"] = "ref: refs/heads/main\n"
    if looks == "commondir":
        files[game / "commondir"] = "c\n"
    for name in ("objects", "refs/heads"):
        files[where / name if looks == "files" else where / name / "x"] = ""
    if looks == "files":
        del files[game / "refs/heads"]
        files[game / "refs"] = ""
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(0o755)
    club.git("add", "--force", "--all", at=at)
    club.git("commit", "--quiet", "-m", "x", at=at)
    club.git("push", "--quiet", at=at)
    at = club.folder / "ana"
    club.git("pull", "--quiet", "--rebase", at=at)
    club.git("rev-parse", "--is-inside-work-tree", at=at / "games" / "one")
    taken = club.git("rev-parse", "--absolute-git-dir", at=at / "games" / "one")
    assert taken == str(at / "games" / "one")
    club.ref("git", "setup", "games/one", at=at)
    club.ref("git", "verify", "games/one", "--game", "games/one/game.toml", at=at)
    club.ref("move", "games/one/game.toml", "--role", "trader", "--push", at=at)
    assert not trap.exists()
    club.ref("git", "referee", ".", "--game", "games/one/game.toml", at=club.bare)
    assert b"role trader" in club.show("main:games/one/game.toml")


def test_a_bare_repository_within_another_one_s_working_tree(club: Club) -> None:
    """As in a home folder that is a repository: it is what it seems to be."""
    (club.folder / "own").write_text("")
    club.git("init", "--quiet")
    club.git("add", "own")
    club.turn("ana")
    referee(club)
    assert club.file().step == 2


def other_game(club: Club, name: str = "referee", steps: int = 0) -> bytes:
    """The file of another game, whose referee has this key."""
    path = club.folder / "other.toml"
    key = club.folder / f"{name}.key"
    if not key.exists():
        key_of(name).save(key)
    known = ("--referee-key", str(key), "--ledger", str(club.folder / "other-ledger"))
    club.ref("new", str(path), "--seat", "ana", "--seat", "ben", *known)
    for seat in ("ana", "ben") if steps else ():
        words = ("--seat", seat, "--key", str(club.folder / f"{seat}.key"), "-o", "other.note")
        club.ref("join", str(path), *words)
        club.ref("apply", str(path), "other.note", *known)
        (club.folder / "other.note").unlink()
    for _ in range(steps):
        seat = load(path)[0].asked[0].seat
        play = club.suggestion(seat, load(path)[0])
        words = ("--play", play, "--key", str(club.folder / f"{seat}.key"), "-o", "other.note")
        club.ref("move", str(path), *words)
        club.ref("apply", str(path), "other.note", *known)
        (club.folder / "other.note").unlink()
    return path.read_bytes()


def ci(club: Club) -> str:
    at = club.folder / "ci"
    if not at.exists():
        club.git("clone", "--quiet", club.bare.as_uri(), str(at))
    words = ("--remote", "origin", "--branch", "main", "--branch-is-ledger")
    return club.ref("git", "referee", ".", *words, at=at, fine=False)


@pytest.mark.parametrize("name", ["referee", "evil"])
def test_two_games_in_one_history(club: Club, name: str) -> None:
    """Somebody merges a history with a game of its own: what counts is what is played here."""
    at = club.folder / "ben"
    data = other_game(club, name)
    club.git("pull", "--quiet", "--rebase", at=at)
    club.git("checkout", "--quiet", "--orphan", "other", at=at)
    (at / "game.toml").write_bytes(data)
    club.git("commit", "--quiet", "--all", "-m", "x", at=at)
    club.git("checkout", "--quiet", "main", at=at)
    words = ("--allow-unrelated-histories", "--quiet", "-s", "ours", "-m", "x")
    club.git("merge", *words, "other", at=at)
    assert "a second beginning" in club.git("push", at=at, fine=False)
    # Where there is no such hook, as on a forge.
    (club.bare / "hooks" / "update").unlink()
    club.git("push", "--quiet", at=at)
    said = verify(club)
    assert "the game file is another game's, or another referee's; that was put right" in said
    assert "none of them ignored" in said
    assert "nothing new" in referee(club)
    pushed.turn(club, "ana")
    assert "role" in ci(club)
    assert club.file().step == 2
    assert "none of them ignored" in verify(club)


@pytest.mark.parametrize("run", [referee, ci])
@pytest.mark.parametrize("steps", [0, 3])
def test_another_game_of_the_same_referee_takes_nothing_over(
    club: Club, run: Callable[[Club], str], steps: int
) -> None:
    game = club.file().game
    pushed.turn(club, "ana")
    run(club)
    push_file(club, "ben", "game.toml", other_game(club, steps=steps))
    assert "another game's" in verify(club)
    assert "put the newest game file back" in run(club)
    assert (club.file().game, club.file().step) == (game, 2)
    assert "nothing new" in run(club)
    assert "none of them ignored" in verify(club)
    pushed.turn(club, club.asked()[0])
    run(club)
    assert club.file().step == 3


# A game file that was changed, and put right.


@pytest.mark.parametrize("how", ["junk", "large", "gone", "link", "older"])
def test_a_history_goes_on_when_the_game_file_was_put_right(club: Club, how: str) -> None:
    at = club.folder / "ben"
    pushed.turn(club, "ana")
    referee(club)
    club.git("pull", "--quiet", "--rebase", at=at)
    if how == "gone":
        club.git("rm", "--quiet", "game.toml", at=at)
        club.git("commit", "--quiet", "-m", "x", at=at)
        club.git("push", "--quiet", at=at)
    elif how == "link":
        push_tree(club, "ben", {"game.toml": link(club, "ben", "README.md")})
    else:
        first = club.git("rev-list", "--max-parents=0", "main", at=club.bare)
        older = club.show(f"{first}:game.toml")
        data = {"junk": b"junk\n", "large": b"x" * 1_100_000, "older": older}[how]
        push_file(club, "ben", "game.toml", data)
    assert "hint: somebody has changed it" in verify(club)
    referee(club)
    said = verify(club)
    assert "none of them ignored" in said
    assert "that was put right" in said
    pushed.turn(club, club.asked()[0])
    referee(club)
    assert "none of them ignored" in verify(club)


def test_two_histories_are_never_put_right(club: Club) -> None:
    """A file that stands there later does not take back what the referee has signed."""
    at = club.folder / "ben"
    club.git("pull", "--quiet", "--rebase", at=at)
    rival = club.folder / "rival.toml"
    rival.write_bytes((at / "game.toml").read_bytes())
    ana, key = str(club.folder / "ana.key"), str(club.folder / "referee.key")
    words = ("--role", "prospector", "--key", ana, "-o", "rival.move")
    club.ref("move", "rival.toml", *words)
    known = ("--referee-key", key, "--ledger", str(club.folder / "rival"))
    club.ref("apply", "rival.toml", "rival.move", *known)
    play = ("--role", "builder", "--push")
    club.git("pull", "--quiet", "--rebase", at=club.folder / "ana")
    club.ref("move", "game.toml", *play, at=club.folder / "ana")
    referee(club)
    right = club.file()
    push_file(club, "ben", "game.toml", rival.read_bytes())
    assert "two histories" in verify(club)
    with suppress(GameError):
        referee(club)
    at = club.folder / "ben"
    club.git("pull", "--quiet", "--rebase", at=at)
    if club.file().head != right.head:
        club.git("checkout", "--quiet", "HEAD~1", "--", "game.toml", at=at)
        club.git("commit", "--quiet", "-m", "x", at=at)
        club.git("push", "--quiet", at=at)
    assert "two histories" in verify(club)


@pytest.mark.parametrize("name", ["refs/heads/refs/heads/main", "refs/tags/refs/heads/main"])
def test_a_reference_that_can_be_taken_for_the_branch(club: Club, name: str) -> None:
    """Git would not say to which of them to push, and nobody's turn would arrive."""
    at = club.folder / "ben"
    said = club.git("push", "origin", f"HEAD:{name}", at=at, fine=False)
    assert "could be taken for another reference" in said
    (club.bare / "hooks" / "update").unlink()
    club.git("push", "--quiet", "origin", f"HEAD~1:{name}", at=at)
    plain = club.git("push", "origin", "HEAD:refs/heads/main", at=at, fine=False)
    assert "matches more than one" in plain
    club.ref("move", "game.toml", "--role", "trader", "--push", at=club.folder / "ana")
    ci(club)
    assert club.file().step == 2
    assert club.git("for-each-ref", "refs/sanjuan-ref", at=club.folder / "ana") == ""


def test_what_a_push_that_was_killed_has_left(club: Club) -> None:
    """The next one that needs a place of the kind removes it, but not that of one that runs."""
    (club.bare / "hooks" / "update").unlink()
    at = club.folder / "ana"
    club.git("pull", "--quiet", "--rebase", at=at)
    club.git("push", "--quiet", "origin", "HEAD~1:refs/heads/refs/heads/main", at=at)
    ended = subprocess.Popen(["true"])
    ended.wait()
    own = "refs/sanjuan-ref"
    for number in (ended.pid, os.getpid()):
        club.git("update-ref", f"{own}/{number}/main", "HEAD", at=at)
    club.ref("move", "game.toml", "--role", "trader", "--push", at=at)
    left = club.git("for-each-ref", "--format=%(refname)", own, at=at)
    assert left == f"{own}/{os.getpid()}/main"


def test_git_that_does_not_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is stopped, whatever it was at."""
    program = tmp_path / "git"
    program.write_text("#!/bin/sh\nexec sleep 1000\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    with pytest.raises(GitFailed, match="git log took over 0 seconds"):
        Repo(tmp_path).run("log", limit=0.1)


def test_a_name_that_leaves_no_room_for_an_answer(club: Club) -> None:
    """The answer would be a file that no clone can write; the note is taken away instead."""
    for size in (247, 248, 255):
        push_file(club, "ben", f"moves/{'x' * (size - 5)}.move", b"wrong\n%d\n" % size)
    assert "has not been dealt with yet" in verify(club)
    referee(club)
    assert "has too long a name" in club.git("log", "-1", "main", at=club.bare)
    assert f"moves/{'x' * 242}.move.refused" in refusals(club)
    assert max(len(name) for name in refusals(club)) == len("moves/") + 255
    assert "none of them ignored" in verify(club)
    pushed.turn(club, "ana")
    referee(club)
    assert club.file().step == 2
    club.clone("fresh")


@pytest.mark.parametrize("there", [False, True])
def test_a_link_in_the_place_of_a_note(club: Club, there: bool) -> None:
    """Nothing is written where it leads, and the note is a file again."""
    outside, at = club.folder / "outside", club.folder / "ana"
    if there:
        outside.write_text("mine")
    club.turn("ana")
    [name] = [path.name for path in (at / "moves").glob("1.1.role.ana-*")]
    push_tree(club, "ben", {f"moves/{name}": link(club, "ben", str(outside))})
    play = club.suggestion("ana", club.file(at))
    club.ref("move", "game.toml", "--play", play, "--push", at=at)
    assert outside.read_text() == "mine" if there else not outside.exists()
    referee(club)
    assert club.file().step == 2
    assert "none of them ignored" in verify(club)


def test_a_tree_of_millions_of_files(club: Club) -> None:
    """Trees in trees, of which a push holds but a few: they are taken away."""
    at = club.folder / "ben"

    def made(rows: str) -> str:
        words = ["git", "mktree"]
        done = subprocess.run(
            words, cwd=at, env=club.env, input=rows.encode(), capture_output=True, check=True
        )
        return done.stdout.decode().strip()

    club.git("pull", "--quiet", "--rebase", at=at)
    readme = club.git("rev-parse", "HEAD:README.md", at=at)
    honest = club.git("rev-parse", "HEAD:moves", at=at)
    tree = made("".join(f"100644 blob {readme}\t{one}\n" for one in range(40)))
    for _ in range(4):
        tree = made("".join(f"040000 tree {tree}\t{one}\n" for one in range(40)))
    moves = made(club.git("ls-tree", "HEAD:moves", at=at) + f"\n040000 tree {tree}\tz\n")
    top = [row for row in club.git("ls-tree", "HEAD", at=at).splitlines() if "\tmoves" not in row]
    whole = made("\n".join([*top, f"040000 tree {moves}\tmoves", ""]))
    new = club.git("commit-tree", whole, "-p", "HEAD", "-m", "x", at=at)
    club.git("push", "--quiet", "origin", f"{new}:refs/heads/main", at=at)
    assert "moves/z has not been dealt with yet" in verify(club)
    referee(club)
    assert club.subjects()[-1] == "remove what is not a file, has too long a name, or no end"
    assert club.git("rev-parse", "main:moves", at=club.bare) == honest
    assert "nothing new" in referee(club)
    assert "none of them ignored" in verify(club)


def test_only_the_trees_that_change_are_read(club: Club) -> None:
    """Other files in the branch are no work for the referee, nor can their names be in the way."""
    repo = Repo.at(club.bare)
    tip = repo.branch_tip("main")
    blob = repo.text("rev-parse", f"{tip}:README.md")
    bad = repo.run("mktree", given=f"100644 blob {blob}\t.git\n".encode()).stdout.decode().strip()
    rows = [*repo.text("ls-tree", tip).splitlines(), f"040000 tree {bad}\tbad", ""]
    tree = repo.run("mktree", given="\n".join(rows).encode()).stdout.decode().strip()
    parent = repo.text(*repo.names(), "commit-tree", tree, "-p", tip, "-m", "x")
    changes: dict[str, Change] = {
        "moves/a/b": b"new",
        "README.md": None,
        "game.toml": b"x",
        "moves/no": None,
    }
    with Objects(repo) as objects:
        trees = Trees(objects)
        new = write_tree(trees, trees.root(parent), changes, club.folder)
        said = repo.text("diff-tree", "-r", "--name-status", "--no-renames", parent, new)
        assert said.split("\n") == ["D\tREADME.md", "M\tgame.toml", "A\tmoves/a/b"]
        assert repo.text("rev-parse", f"{new}:bad") == bad
        gone = write_tree(trees, new, {"moves/a/b": None}, club.folder)
    assert repo.maybe("rev-parse", "--verify", "--quiet", f"{gone}:moves/a") == ""


def test_a_remote_is_no_option(club: Club) -> None:
    words = ("--branch", "main", "--remote", "--upload-pack=touch trap")
    said = club.ref("git", "referee", ".", *words, at=club.bare, fine=False)
    assert "is not the name of a remote" in said


def test_a_repository_with_other_hashes(tmp_path: Path) -> None:
    """sha256 in place of sha1: objects have longer names, and nothing else is different."""
    club = Club(tmp_path, git=("--object-format=sha256",)).sit_down()
    club.turn("ana")
    assert club.file().step == 2
    push_file(club, "ana", "moves/bad.move", b"sanjuan-ref/1 move\nwrong\n")
    assert "for good" in refusals(club)["moves/bad.move.refused"]
    assert "none of them ignored" in verify(club)
