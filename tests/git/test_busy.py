"""Several commands in one clone: one changes it at a time, and whoever only watches stands back."""

from __future__ import annotations

import os
import stat
import subprocess
from contextlib import ExitStack
from pathlib import Path
from shutil import rmtree
from typing import Any

import pytest

from referee.cli import following, gamewatch
from referee.git import sync
from referee.git.repo import UPSTREAM, Busy, GitFailed, NoBranch, Repo
from referee.playing import checkout
from referee.playing.shelf import list_games
from referee.system import POSIX
from tests.git.club import Club, seated


@pytest.fixture
def club(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Club:
    """A table whose clone of ben is behind."""
    club = seated(tmp_path, hook=True)
    for key, word in club.env.items():
        monkeypatch.setenv(key, word)
    club.turn("ana")
    return club


def step(club: Club) -> int:
    return club.file(club.folder / "ben").step


def test_whoever_watches_skips_a_look_and_says_nothing(club: Club) -> None:
    at = club.folder / "ben"
    (listed,) = list_games([at], [], practice=False)[0]
    before = step(club)
    with sync.alone(Repo.at(at)):
        assert gamewatch.fetch([listed]) == []
        assert step(club) == before
    assert gamewatch.fetch([listed]) == []
    assert step(club) == before + 1


def test_what_came_while_a_watcher_fetched_is_left_to_its_next_look(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    at, fetch = club.folder / "ben", sync._fetch
    before = step(club)
    with ExitStack() as other:

        def fetched(repo: Repo) -> None:
            fetch(repo)
            other.enter_context(sync.alone(repo))

        monkeypatch.setattr(sync, "_fetch", fetched)
        sync.look(at / "game.toml")
        assert step(club) == before


def test_a_command_waits_until_another_one_has_ended(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    at, before = club.folder / "ben", step(club)
    with ExitStack() as other:
        other.enter_context(sync.alone(Repo.at(at)))
        monkeypatch.setattr("referee.storage.sleep", lambda _: other.close())
        assert checkout.begin(at / "game.toml", push=True) == ""
    assert step(club) == before + 1


def test_a_command_that_waits_says_so_after_a_while(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    at, seconds, said = club.folder / "ben", [0.0], list[str]()
    monkeypatch.setattr("referee.storage.monotonic", lambda: seconds[0])
    monkeypatch.setattr("referee.storage.tell_user", [said.append])
    for long in (1, 5):
        with ExitStack() as other:
            other.enter_context(sync.alone(Repo.at(at)))
            end = seconds[0] + long

            def sleep(pause: float, end: float = end, other: ExitStack = other) -> None:
                seconds[0] += pause
                if seconds[0] >= end:
                    other.close()

            monkeypatch.setattr("referee.storage.sleep", sleep)
            with sync.alone(Repo.at(at)):
                pass
        assert len(said) == (long == 5)
    where = f"another command is at work in the clone {at.resolve()}"
    assert said == [f"{where}; this one waits for it, for 60 seconds at most"]


@pytest.mark.skipif(not POSIX, reason="files have no modes here")
@pytest.mark.parametrize("mode", [0o700, 0o755, 0o2775, 0o2777])
def test_whoever_may_write_in_a_clone_can_lock_it_and_nobody_else(club: Club, mode: int) -> None:
    """Somebody who can only read it could hold the lock for ever."""
    git = club.folder / "ben/.git"
    for name in ("info/attributes", sync.SENT):
        (git / name).unlink()
    for folder in (git, git / "info"):
        folder.chmod(mode)
    before = os.umask(0o077)
    try:
        sync.save(club.folder / "ben/game.toml", "x-0123456789abcdef.move", "x")
    finally:
        os.umask(before)
    wanted = 0o600 | (0o060 if mode & 0o020 else 0) | (0o006 if mode & 0o002 else 0)
    for name in (sync.LOCK, sync.SENT, "info/attributes"):
        assert stat.S_IMODE((git / name).stat().st_mode) == wanted, name


def test_a_watcher_goes_on_where_it_may_write_nothing(
    club: Club, capsys: pytest.CaptureFixture[str]
) -> None:
    at = club.folder / "ben"
    rmtree(at / ".git/info")
    # As an administrator may write everywhere.
    (at / ".git/info").touch()
    (listed,) = list_games([at], [], practice=False)[0]
    (told,) = gamewatch.fetch([listed])
    assert "cannot write" in told
    assert told.endswith("it is tried again")
    offline = not following.pulled(listed.path, False)
    assert offline
    assert not following.pulled(listed.path, offline)
    assert capsys.readouterr().err.count("it is tried again") == 1


def test_a_command_that_has_waited_for_a_minute_says_what_to_do(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    at, seconds = club.folder / "ben", [0]
    game = at / "game.toml"
    monkeypatch.setattr("referee.storage.monotonic", lambda: seconds[0])

    def sleep(_: float) -> None:
        seconds[0] += 1

    monkeypatch.setattr("referee.storage.sleep", sleep)
    with sync.alone(Repo.at(at)):
        for command in (
            lambda: checkout.begin(game, push=True),
            lambda: sync.save(game, "x-0.move", "x"),
            lambda: sync.push(game),
            lambda: sync.call(game, "0"),
        ):
            seconds[0] = 0
            with pytest.raises(Busy, match="another command is at work in the clone") as told:
                command()
            assert seconds[0] == sync.PATIENCE
            assert told.value.hint == "wait until it has ended, or end it, then run this again"
    assert club.git("status", "--short", at=at) == ""


def test_a_fetch_that_meets_another_one_is_done_again(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    at, before, run = club.folder / "ben", step(club), Repo.run
    taken = at / ".git/refs/remotes/origin/main.lock"
    taken.parent.mkdir(parents=True, exist_ok=True)
    taken.touch()

    def met(
        repo: Repo, *words: str, given: bytes = b"", check: bool = True, limit: float | None = None
    ) -> subprocess.CompletedProcess[bytes]:
        done = run(repo, *words, given=given, check=check, limit=limit)
        if words[0] == "fetch" and done.returncode:
            taken.unlink()
        return done

    monkeypatch.setattr(Repo, "run", met)
    sync.pull(at / "game.toml")
    assert not taken.exists()
    assert step(club) == before + 1


def test_a_push_that_meets_a_rebase_is_done_again(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    at, push = club.folder / "ben", Repo.push
    game = at / "game.toml"
    failed: list[GitFailed] = []
    sync.pull(game)
    sync.save(game, "x-0123456789abcdef.move", "x")

    def met(repo: Repo, *words: str, **others: str) -> str | None:
        if failed:
            return push(repo, *words, **others)
        club.git("switch", "--quiet", "--detach", at=at)
        try:
            return push(repo, *words, **others)
        except GitFailed as error:
            failed.append(error)
            raise
        finally:
            club.git("switch", "--quiet", "main", at=at)

    monkeypatch.setattr(Repo, "push", met)
    sync.push(game)
    assert len(failed) == 1
    assert "answer x" in club.subjects()


def test_a_clone_that_cannot_be_locked_is_used_as_it_is(club: Club) -> None:
    at, before = club.folder / "ben", step(club)
    (at / ".git" / sync.LOCK).unlink(missing_ok=True)
    (at / ".git" / sync.LOCK).symlink_to("elsewhere")
    sync.look(at / "game.toml")
    assert step(club) == before + 1
    assert not (at / ".git" / "elsewhere").exists()


def break_off(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let Ctrl-C come while git rebases the commits of ben's clone, which stops there."""
    club.git("commit", "--quiet", "--allow-empty", "-m", "mine", at=club.folder / "ben")
    run = Repo.run

    def broken_off(repo: Repo, *words: str, **more: Any) -> Any:
        if words[-1] != UPSTREAM or "rebase" not in words:
            return run(repo, *words, **more)
        run(repo, *words[:-1], "--keep-empty", "--exec", "false", words[-1], **more)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Repo, "run", broken_off)
        with pytest.raises(KeyboardInterrupt):
            sync.pull(club.folder / "ben" / "game.toml")


def test_a_rebase_that_is_broken_off_is_undone(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    before = step(club)
    break_off(club, monkeypatch)
    assert Repo.at(club.folder / "ben").branch == "main"
    sync.pull(club.folder / "ben" / "game.toml")
    assert step(club) == before + 1


def test_a_clone_in_the_middle_of_a_rebase_is_told_of(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As one is left when the power fails, or by a person."""
    run = Repo.run

    def kept(repo: Repo, *words: str, **more: Any) -> Any:
        return run(repo, *words, **more) if "--abort" not in words else None

    monkeypatch.setattr(Repo, "run", kept)
    break_off(club, monkeypatch)
    with pytest.raises(NoBranch, match="was broken off") as caught:
        sync.pull(club.folder / "ben" / "game.toml")
    assert "git rebase --abort" in caught.value.hint


def test_a_log_follows_a_clone_in_which_another_command_is_at_work(club: Club) -> None:
    game = club.folder / "ben" / "game.toml"
    with sync.alone(Repo.at(game.parent)):
        assert following.tracked(game)
    assert following.tracked(game)


def test_nothing_is_read_while_another_command_is_at_work(club: Club) -> None:
    game = club.folder / "ben" / "game.toml"
    with sync.alone(Repo.at(game.parent)):
        assert following.read_again(game, "x", by_git=True) == (None, "x")
    file, fault = following.read_again(game, "x", by_git=True)
    assert file is not None
    assert fault == ""


def test_a_log_follows_a_clone_whose_rebase_broke_off_and_says_so(
    club: Club, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run, game = Repo.run, club.folder / "ben" / "game.toml"

    def kept(repo: Repo, *words: str, **more: Any) -> Any:
        return run(repo, *words, **more) if "--abort" not in words else None

    monkeypatch.setattr(Repo, "run", kept)
    break_off(club, monkeypatch)
    assert following.tracked(game)
    assert not following.pulled(game, False)
    assert "was broken off" in capsys.readouterr().err


def test_whoever_watches_says_after_a_while_that_it_has_skipped_its_looks(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, seconds = club.folder / "ben" / "game.toml", [0.0]
    monkeypatch.setattr(sync, "monotonic", lambda: seconds[0])
    (listed,) = list_games([game.parent], [], practice=False)[0]
    with sync.alone(Repo.at(game.parent)):
        assert gamewatch.fetch([listed]) == []
        seconds[0] = 60
        (told,) = gamewatch.fetch([listed])
        assert "another command is at work in the clone" in told
    assert gamewatch.fetch([listed]) == []
    with sync.alone(Repo.at(game.parent)):
        assert gamewatch.fetch([listed]) == []
