"""The referee of a branch: what it does about races, crashes, rewritten branches and bad pushes."""

from __future__ import annotations

import subprocess
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from datetime import date
from pathlib import Path

import pytest

from referee.errors import BadSignature, Damaged, Fork, Newer
from referee.games import rules_of
from referee.git import service
from referee.git.checkpoint import trailer
from referee.git.merge import merge
from referee.git.repo import GitFailed, Repo
from referee.git.sync import save
from referee.table import opening
from referee.table.signing import load, signed_text
from referee.table.times import Away, Clock, current_time
from tests.git import pushed
from tests.git.club import Club, seated
from tests.table.tables import REFEREE, Table, key_of


@pytest.fixture
def club(tmp_path: Path) -> Club:
    """A table whose hook sleeps: the referee is called by the tests."""
    return seated(tmp_path)


def ci(club: Club, number: int = 1) -> str:
    """Do what a CI machine does, which has nothing but a fresh clone and the key."""
    at = club.folder / f"ci{number}"
    if not at.exists():
        club.git("clone", "--quiet", club.bare.as_uri(), str(at))
    words = ("--remote", "origin", "--branch", "main", "--branch-is-ledger")
    machine = copy(club)
    machine.env = club.env | {"SANJUAN_REFEREE_KEY_TEXT": REFEREE.openssh().decode()}
    del machine.env["SANJUAN_REFEREE_KEY"]
    return machine.ref("git", "referee", ".", *words, at=at)


def push_file(club: Club, name: str, path: str, data: bytes, message: str = "x") -> None:
    at = club.folder / name
    club.git("pull", "--quiet", "--rebase", at=at)
    (at / path).write_bytes(data)
    club.git("add", "--all", at=at)
    club.git("commit", "--quiet", "-m", message, at=at)
    club.git("push", "--quiet", at=at)


def test_ci_applies_what_was_pushed(club: Club) -> None:
    club.turn("ana")
    assert club.file().step == 1
    said = ci(club)
    assert "1.1 ana: role trader" in said or "1.1 ana: role" in said
    assert club.file().step == 2
    assert "nothing new" in ci(club)


def test_two_ci_jobs_at_once_end_with_one_line(club: Club) -> None:
    club.turn("ana")
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda number: ci(club, number), (1, 2)))
    file = club.file()
    assert [entry.decision for entry in file.log].count("1.1.role.ana") == 1
    assert len([line for line in club.subjects() if line.startswith("1.1 ana:")]) == 1
    assert "none of them ignored" in club.ref("git", "verify", at=club.bare)


def test_a_referee_that_lost_a_race_goes_on_from_the_new_tip(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody pushes while the referee is at work: nothing is lost, nothing applied twice."""
    club.turn("ana")
    raced: list[str] = []
    advance = Repo.advance

    def slow(self: Repo, branch: str, new: str, old: str) -> bool:
        if not raced:
            raced.append(new)
            push_file(club, "ben", "moves/hello", b"good luck\n")
        return advance(self, branch, new, old)

    monkeypatch.setattr(Repo, "advance", slow)
    duty = service.RefereeJob("game.toml", "main", "", current_time(), club.folder / "ledger")
    done = service.referee(Repo.at(club.bare), duty, REFEREE)
    assert raced
    assert done.commit != raced[0]
    assert club.file().step == 2
    assert "none of them ignored" in club.ref("git", "verify", at=club.bare)


@pytest.mark.parametrize("kills", [1, 2])
def test_a_referee_that_is_killed_before_it_commits(
    club: Club, monkeypatch: pytest.MonkeyPatch, kills: int
) -> None:
    """The outcome is the one that the ledger has seen, however often the machine stopped."""
    ledger = club.folder / "ledger"
    duty = service.RefereeJob("game.toml", "main", "", current_time(), ledger)
    repo = Repo.at(club.bare)
    at = club.folder / "ana"
    with monkeypatch.context() as patch:
        patch.setattr(service, "write_commit", _killed)
        for kill in range(kills):
            # The second time there is more to do than the branch shows.
            play = ("--role", "trader") if not kill else ("--role", "builder")
            if kill:
                file = load(ledger.with_name("ledger.newest.toml"))[0]
                assert file.step == 2
                (at / "game.toml").write_bytes(ledger.with_name("ledger.newest.toml").read_bytes())
                name = file.asked[0].seat
                note = club.folder / "second.move"
                key = str(club.folder / f"{name}.key")
                source = str(at / "game.toml")
                club.ref("move", source, *play, "--key", key, "-o", str(note))
                club.git("checkout", "--quiet", "game.toml", at=at)
                push_file(club, "ana", "moves/second.move", note.read_bytes())
            else:
                club.git("pull", "--quiet", at=at)
                club.ref("move", "game.toml", *play, "--push", at=at)
            with pytest.raises(KeyboardInterrupt):
                service.referee(repo, duty, REFEREE)
    assert club.file().step == 1
    service.referee(repo, duty, REFEREE)
    assert club.file().step == 1 + kills
    assert "none of them ignored" in club.ref("git", "verify", at=club.bare)


def _killed(*args: object) -> str:
    raise KeyboardInterrupt


def test_a_branch_that_was_set_back(club: Club) -> None:
    """With a ledger and without: a move that was made stays made."""
    ledger = str(club.folder / "ledger")
    before = club.git("rev-parse", "main", at=club.bare)
    club.turn("ana")
    club.ref("git", "referee", ".", "--ledger", ledger, at=club.bare)
    newest = club.file()
    club.git("update-ref", "refs/heads/main", before, at=club.bare)
    said = club.ref("git", "referee", ".", "--ledger", ledger, at=club.bare)
    assert "the branch was set back; it goes on from the newest file" in said
    assert club.file().head == newest.head


def test_a_revert_is_put_right_in_ci(club: Club) -> None:
    """Somebody pushes an older game file with another answer: the history remembers."""
    club.turn("ana")
    ci(club)
    newest = club.file()
    old = club.git("rev-list", "main", "--", "game.toml", at=club.bare).splitlines()[1]
    at = club.folder / "ben"
    club.git("pull", "--quiet", "--rebase", at=at)
    club.git("checkout", "--quiet", old, "--", "game.toml", at=at)
    club.git("commit", "--quiet", "-am", "back", at=at)
    club.git("push", "--quiet", at=at)
    assert club.file().step == 1
    said = club.ref("git", "verify", at=club.bare, fine=False)
    assert "the game file is older than the one before it" in said
    assert "has been put back" in ci(club)
    assert club.file().head == newest.head


def test_a_merge_that_takes_a_move_back_is_put_right_in_ci(club: Club) -> None:
    """A plain push: the newest file is in the side of the history that the merge threw away."""
    at = club.folder / "ana"
    club.git("pull", "--quiet", "--rebase", at=at)
    club.git("branch", "side", at=at)
    club.turn("ana")
    ci(club)
    newest = club.file()
    club.git("pull", "--quiet", "--rebase", at=at)
    club.git("checkout", "--quiet", "side", at=at)
    club.git("commit", "--quiet", "--allow-empty", "-m", "x", at=at)
    club.git("merge", "--quiet", "-s", "ours", "-m", "merge", "main", at=at)
    club.git("push", "--quiet", "origin", "side:main", at=at)
    assert club.file().step == 1
    assert "has been put back" in ci(club)
    assert club.file().head == newest.head


@pytest.mark.parametrize("mode", ["ledger", "branch"])
def test_a_game_file_that_somebody_edited(club: Club, mode: str) -> None:
    text = (club.folder / "ana" / "game.toml").read_bytes()
    club.git("pull", "--quiet", at=club.folder / "ana")
    text = (club.folder / "ana" / "game.toml").read_bytes()
    push_file(
        club, "ana", "game.toml", text.replace(b"A hand", b"x").replace(b"step = 1", b"step = 2")
    )
    said = club.ref("git", "verify", at=club.bare, fine=False)
    assert "commit" in said
    before = club.git("show", "main~1:game.toml", at=club.bare)
    if mode == "ledger":
        club.ref("git", "referee", ".", at=club.bare)
    else:
        ci(club)
    assert club.git("show", "main:game.toml", at=club.bare) == before


@pytest.mark.parametrize("mode", ["ledger", "branch"])
def test_a_game_file_of_another_referee(club: Club, mode: str) -> None:
    """It is signed, but by somebody who does not referee here."""
    file = club.file()
    other = opening.open_table(
        rules_of("sanjuan").choose(None, [], [], {}),
        "Another",
        [("ana", None), ("ben", None)],
        key_of("stranger"),
        game=file.game,
    )
    text = signed_text(other, key_of("stranger")).encode()
    push_file(club, "ana", "game.toml", text)
    if mode == "ledger":
        club.ref("git", "referee", ".", at=club.bare)
    else:
        ci(club)
    assert club.file().head == file.head


@pytest.mark.parametrize("forgets", [False, True], ids=["ledger", "branch"])
def test_an_older_program_does_not_go_on_from_an_older_file(club: Club, forgets: bool) -> None:
    """A later version has signed what it cannot read, and somebody puts the one before back."""
    before = club.show("main:game.toml")
    later = before.replace(b'"sanjuan-ref/1"', b'"sanjuan-ref/2"')
    assert later != before
    tip = pushed.git(club, "rev-parse", "main")
    tree = pushed.tree(club, {"game.toml": later}, "main^{tree}")
    said = f"x\n\n{trailer(REFEREE, club.file().game, tip, tree)}".encode()
    words = (*pushed.IDENTITY, "commit-tree", tree, "-p", tip, "-F", "-")
    pushed.git(club, "update-ref", "refs/heads/main", pushed.git(club, *words, given=said))
    pushed.push(club, {"game.toml": before})
    ledger = None if forgets else club.folder / "ledger"
    duty = service.RefereeJob("game.toml", "main", "", current_time(), ledger, forgets)
    with pytest.raises(Newer):
        service.referee(Repo.at(club.bare), duty, REFEREE)


def test_a_game_file_that_is_gone(club: Club) -> None:
    at = club.folder / "ana"
    club.git("pull", "--quiet", at=at)
    club.git("rm", "--quiet", "game.toml", at=at)
    club.git("commit", "--quiet", "-m", "x", at=at)
    club.git("push", "--quiet", at=at)
    assert "the game file is gone" in club.ref("git", "verify", at=club.bare, fine=False)
    club.ref("git", "referee", ".", at=club.bare)
    assert club.file().step == 1


def test_a_note_that_was_written_stays_as_it_was_sealed(club: Club) -> None:
    """Sealed once more it is another text; that would be a change of a file for nothing."""
    game = club.folder / "ana" / "game.toml"
    first, is_new = save(game, "x-0123456789abcdef.move", "one sealed text")
    assert is_new
    assert save(game, "x-0123456789abcdef.move", "another sealed text") == (first, False)
    assert first.read_text() == "one sealed text"


def test_links_and_strange_names_in_moves(club: Club) -> None:
    """A link is no note, and what is written lies beside its note whatever that is called."""
    at = club.folder / "ana"
    club.git("pull", "--quiet", at=at)
    secret = club.folder / "secret.txt"
    secret.write_text("sanjuan-ref/1 move\nsecret words\n")
    (at / "moves" / "link.move").symlink_to(secret)
    (at / "moves" / "a b\n-x.move").write_text("sanjuan-ref/1 move\nwrong\n")
    (at / "moves" / "deep").mkdir()
    (at / "moves" / "deep" / "--help").write_text("sanjuan-ref/1 move\nwrong\n")
    club.git("add", "--all", at=at)
    club.git("commit", "--quiet", "-m", "x", at=at)
    club.git("push", "--quiet", at=at)
    club.ref("git", "referee", ".", at=club.bare)
    names = club.git("ls-tree", "-r", "-z", "--name-only", "main", "moves/", at=club.bare)
    assert "moves/a b\n-x.move.refused" in names
    assert "moves/deep/--help.refused" in names
    assert "link.move" not in names
    whole = club.git("log", "-p", "main", at=club.bare)
    assert "secret words" not in whole


def test_a_refusal_that_somebody_made_up_goes_away(club: Club) -> None:
    club.turn("ana")
    club.ref("git", "referee", ".", at=club.bare)
    at = club.folder / "ben"
    club.git("pull", "--quiet", at=at)
    [note] = (at / "moves").glob("*.move")
    push_file(club, "ben", f"moves/{note.name}.refused", b"illegal: says who?\n")
    club.ref("git", "referee", ".", at=club.bare)
    names = club.git("ls-tree", "-r", "--name-only", "main", "moves/", at=club.bare)
    assert ".refused" not in names


def test_an_ignored_note_is_found(club: Club) -> None:
    club.turn("ana")
    said = club.ref("git", "verify", at=club.bare, fine=False)
    assert "has not been dealt with yet" in said


def test_ci_says_what_the_branch_is_worth(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    repo = Repo.at(club.bare)
    local = service.RefereeJob("game.toml", "main", "", current_time())
    assert service.protection(repo, local) == ""
    repo.run("config", "receive.denyNonFastForwards", "false")
    assert "can be rewritten" in service.protection(repo, local)
    remote = local._replace(remote="origin")
    assert "cannot be told" in service.protection(repo, remote)
    monkeypatch.setenv("GITHUB_REF_PROTECTED", "false")
    assert "is not protected" in service.protection(repo, remote)
    monkeypatch.setenv("GITHUB_REF_PROTECTED", "true")
    assert service.protection(repo, remote) == ""


def test_who_is_late_is_answered_for(tmp_path: Path) -> None:
    club = Club(tmp_path, ("ana", "ben"), ("--days", "1", "--late", "bot", "--grace", "0"))
    club.sit_down()
    file = club.file()
    assert file.now is not None
    later = file.now.replace(year=file.now.year + 1)
    words = ("--now", later.strftime("%Y-%m-%dT%H:%M:%SZ"))
    club.ref("git", "referee", ".", *words, "--override-clock", at=club.bare)
    assert club.file().log[-1].by == "referee"
    assert club.subjects()[-1].endswith("(late)")


def test_a_bot_that_is_missing_stops_late_answers_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Overdue seats stay overdue, that is said, and what was pushed counts."""
    options = ("--days", "1", "--late", "bot", "--grace", "0", "--vacation", "20")
    club = seated(tmp_path, options=options)
    words = ("vacation", "game.toml", "--from", "2087-04-19", "--until", "2087-04-20", "--push")
    club.ref(*words, at=club.folder / "ben")
    now = club.file().now
    assert now is not None
    monkeypatch.setattr(rules_of("sanjuan"), "bot", "greedy-2")
    later = now.replace(year=now.year + 1)
    duty = service.RefereeJob("game.toml", "main", "", later, club.folder / "ledger", any_time=True)
    done = service.referee(Repo.at(club.bare), duty, REFEREE)
    assert done.commit
    assert [away.seat for away in done.file.vacations] == ["ben"]
    assert (done.file.step, club.asked()) == (1, ["ana"])
    assert any("greedy-1, which" in remark for remark in done.remarks)
    monkeypatch.undo()
    done = service.referee(Repo.at(club.bare), duty, REFEREE)
    assert done.file.log[-1].by == "referee"


def test_a_referee_in_a_clone_of_its_own(club: Club) -> None:
    """Without a server: the working tree goes along, what is changed in it is not lost."""
    club.turn("ana")
    at = club.folder / "ben"
    club.git("pull", "--quiet", at=at)
    (at / "deep").mkdir()
    club.ref("git", "referee", "deep", at=at)
    assert club.git("status", "--porcelain", at=at) == ""
    assert club.file(at).step == 2
    club.git("reset", "--quiet", "--hard", "HEAD~1", at=at)
    (at / "game.toml").write_text("mine")
    said = club.ref("git", "referee", ".", at=at, fine=False)
    assert "commit what you have changed" in said
    assert (at / "game.toml").read_text() == "mine"


@pytest.mark.parametrize("folder", ["", "games/one/"])
def test_a_note_beside_its_folder_is_remarked_on(tmp_path: Path, folder: str) -> None:
    club = seated(tmp_path)
    at, game = club.folder / "ana", f"{folder}game.toml"
    run = ("git", "referee", ".", "--game", game)
    club.git("pull", "--quiet", at=at)
    if folder:
        (at / folder).mkdir(parents=True)
        club.git("mv", "game.toml", "moves", folder, at=at)
        club.git("commit", "--quiet", "-m", "move", at=at)
    club.ref("move", game, "--role", "trader", "-o", f"{folder}ana.move", at=at)
    for number in range(5):
        (at / folder / f"junk{number}.plan").write_text("x")
    club.git("add", ".", at=at)
    club.git("commit", "--quiet", "-m", "x", at=at)
    club.git("push", "--quiet", at=at)
    names = ", ".join(f"{folder}{name}" for name in ("ana.move", "junk0.plan", "junk1.plan"))
    said = f"{names} and 3 more: no note is read that lies beside {folder}moves/; move it in there"
    assert said in club.ref(*run, at=club.bare)
    club.git("mv", f"{folder}ana.move", f"{folder}moves", at=at)
    club.git("commit", "--quiet", "-m", "x", at=at)
    club.git("push", "--quiet", at=at)
    assert "junk0.plan" in club.ref(*run, at=club.bare)
    # Others need not read of it for ever.
    assert "junk" not in club.ref(*run, at=club.bare)
    club.git("pull", "--quiet", at=at)
    assert load(at / game)[0].step == 2


def test_a_game_in_a_folder_of_a_repository(tmp_path: Path) -> None:
    club = seated(tmp_path)
    at = club.folder / "ana"
    club.git("pull", "--quiet", at=at)
    (at / "games" / "one").mkdir(parents=True)
    club.git("mv", "game.toml", "moves", "games/one", at=at)
    club.git("commit", "--quiet", "-m", "move", at=at)
    club.git("push", "--quiet", at=at)
    game = "games/one/game.toml"
    club.ref("move", game, "--role", "trader", "--push", at=at)
    club.ref("git", "referee", ".", "--game", game, at=club.bare)
    club.git("pull", "--quiet", at=at)
    assert load(at / game)[0].step == 2
    assert "none of them ignored" in club.ref("git", "verify", ".", "--game", game, at=at)


# The merge driver.


def files(tmp_path: Path) -> tuple[Path, Path, Path]:
    """A game, the same one step further, and with another first step."""
    table = Table(2, "merge").join_all()
    base = tmp_path / "base.toml"
    base.write_text(table.text)
    one, other = tmp_path / "one.toml", tmp_path / "other.toml"
    table.answer(table.file.asked_ids()[0])
    one.write_text(table.text)
    rival = Table(2, "merge").join_all()
    rival.answer(rival.file.asked_ids()[0], lambda view: "role prospector")
    other.write_text(rival.text)
    return base, one, other


def test_the_longer_line_wins(tmp_path: Path) -> None:
    base, one, _ = files(tmp_path)
    text = one.read_bytes()
    assert "continues" in merge(base, one)
    assert base.read_bytes() == text
    assert "ours" in merge(one, tmp_path / "base.toml")
    assert one.read_bytes() == text


def test_a_fork_is_no_merge(tmp_path: Path) -> None:
    _, one, other = files(tmp_path)
    text = one.read_bytes()
    with pytest.raises(Fork):
        merge(one, other)
    assert one.read_bytes() == text
    other.write_text(other.read_text().replace("step = 2", "step = 3"))
    with pytest.raises((Damaged, BadSignature)):
        merge(one, other)


def test_what_only_looks_signed_is_no_merge(tmp_path: Path) -> None:
    """The referee has signed it, but a seat's signature in it is made up."""
    table = Table(2, "merge", clock=Clock(3, "wait", 0, 28)).join_all()
    ours, theirs = tmp_path / "ours.toml", tmp_path / "theirs.toml"
    ours.write_text(table.text)
    file = table.file
    days = date(2026, 3, 2), date(2026, 3, 5)
    file.vacations = [Away("ana", *days, 1, bytes(64))]
    theirs.write_text(signed_text(file, REFEREE))
    with pytest.raises(BadSignature):
        merge(ours, theirs)
    assert ours.read_text() == table.text


def test_git_merge_uses_the_driver(tmp_path: Path) -> None:
    """Two branches of one game in one clone: the longer one is taken, a fork is a conflict."""
    club = seated(tmp_path, hook=True)
    at = club.folder / "ana"
    club.git("pull", "--quiet", at=at)
    key = str(club.folder / "referee.key")
    for branch, play in (("left", "role trader"), ("right", "role builder")):
        club.git("checkout", "--quiet", "-b", branch, "main", at=at)
        ledger = str(club.folder / branch)
        club.ref("move", "game.toml", "--play", play, "-o", "../note", at=at)
        words = ("--referee-key", key, "--ledger", ledger)
        club.ref("apply", "game.toml", "../note", *words, at=at)
        club.git("commit", "--quiet", "-am", branch, at=at)
        club.git("checkout", "--quiet", "main", at=at)
    club.git("commit", "--quiet", "--allow-empty", "-m", "a line of its own", at=at)
    club.git("merge", "--quiet", "--no-edit", "left", at=at)
    assert club.file(at).log[-1].play == "role trader"
    said = club.git("merge", "--no-edit", "right", at=at, fine=False)
    assert "two histories" in said
    assert "CONFLICT" in said
    assert club.file(at).log[-1].play == "role trader"


def test_a_hook_of_somebody_elses_stays(club: Club) -> None:
    hook = club.bare / "hooks" / "post-receive"
    hook.write_text("#!/bin/sh\necho mine\n")
    said = club.ref("git", "init", "host", "--hook", str(club.bare), fine=False)
    assert "already exists" in said
    assert "mine" in hook.read_text()


def test_where_no_repository_is(tmp_path: Path) -> None:
    key_of("ana").save(tmp_path / "k")
    table = Table(2).join_all()
    (tmp_path / "game.toml").write_text(table.text)
    with pytest.raises(GitFailed, match="not in a git clone"):
        save(tmp_path / "game.toml", "x-0.move", "x")


def test_a_copy_of_what_has_counted(club: Club) -> None:
    """Its seat has another key by now, or the game is over: it is no refused note."""
    club.turn("ana")
    club.ref("git", "referee", ".", at=club.bare)
    at = club.folder / "ana"
    key_of("eve").save(club.folder / "eve.key")
    club.git("pull", "--quiet", "--rebase", at=at)
    [note] = (at / "moves").glob("1.1.role.ana-*.move")
    data = note.read_bytes()
    words = ("transfer", "game.toml", "--seat", "ana")
    club.ref(*words, "--to", str(club.folder / "eve.key.pub"), "--push", at=at)
    club.ref(*words, "--key", str(club.folder / "eve.key"), "--push", at=at)
    club.ref("git", "referee", ".", at=club.bare)
    assert club.file().log[-1].decision.endswith(".transfer.ana")
    push_file(club, "ben", "moves/copy.txt", data)
    assert "nothing new" in club.ref("git", "referee", ".", at=club.bare)
    names = club.git("ls-tree", "-r", "--name-only", "main", "moves/", at=club.bare)
    assert ".refused" not in names
    assert "none of them ignored" in club.ref("git", "verify", at=club.bare)


# What a player could push to do harm.


def test_no_program_of_a_players_is_run_by_a_merge(tmp_path: Path) -> None:
    """Git calls the driver at the top of the clone, where everybody's files are."""
    club = seated(tmp_path, hook=True)
    at, trap = club.folder / "ana", club.folder / "trap"
    club.git("pull", "--quiet", at=at)
    (at / "referee").mkdir()
    (at / "referee" / "__init__.py").write_text("")
    (at / "referee" / "__main__.py").write_text(f"open({str(trap)!r}, 'w')\n")
    club.git("add", "referee", at=at)
    club.git("commit", "--quiet", "-m", "x", at=at)
    club.git("checkout", "--quiet", "-b", "side", at=at)
    club.ref("move", "game.toml", "--role", "trader", "-o", "../note", at=at)
    words = ("--referee-key", str(club.folder / "referee.key"), "--ledger", str(club.folder / "l"))
    club.ref("apply", "game.toml", "../note", *words, at=at)
    club.git("commit", "--quiet", "-am", "side", at=at)
    club.git("checkout", "--quiet", "main", at=at)
    (at / "game.toml").write_text((at / "game.toml").read_text() + "\n")
    club.git("commit", "--quiet", "-am", "main", at=at)
    club.git("merge", "--no-edit", "side", at=at, fine=False)
    assert not trap.exists()
    assert club.file(at).step == 2


@pytest.mark.parametrize("name", [b"..", b".git", b"moves/../x"])
def test_a_tree_that_nobody_could_check_out_is_no_push(club: Club, name: bytes) -> None:
    at = club.folder / "ben"
    club.git("pull", "--quiet", at=at)

    def git(*words: str, given: bytes = b"") -> bytes:
        done = ["git", *words]
        return subprocess.run(
            done, cwd=at, env=club.env, input=given, capture_output=True, check=True
        ).stdout

    blob = bytes.fromhex(git("rev-parse", "HEAD:game.toml").decode().strip())
    tree = b"100644 " + name + b"\0" + blob + git("cat-file", "tree", "HEAD^{tree}")
    words = ("hash-object", "-t", "tree", "-w", "--stdin", "--literally")
    oid = git(*words, given=tree).decode().strip()
    evil = git("commit-tree", oid, "-p", "HEAD", "-m", "x").decode().strip()
    before = club.git("rev-parse", "main", at=club.bare)
    club.git("push", "--quiet", "origin", f"{evil}:refs/heads/main", at=at, fine=False)
    assert club.git("rev-parse", "main", at=club.bare) == before


def test_a_game_is_not_laid_out_within_another_repository(club: Club) -> None:
    at = club.folder / "ana" / "deep"
    at.mkdir()
    club.ref("new", "game.toml", "--seat", "ana", "--seat", "ben", at=at)
    assert "another repository" in club.ref("git", "init", ".", at=at, fine=False)
    assert not (at / ".git").exists()
